//! A round: its pairings, and which of their games are waiting, running and finished.

use quintain_record::BotId;

use crate::match_result::Score;

/// Pairings that are played at the same time.
#[derive(Clone, Debug)]
pub struct Round {
    pairings: Vec<Pairing>,
    byes: Vec<BotId>,
    has_third_place: bool,
    /// No game of an earlier pairing is waiting.
    first_waiting: usize,
    /// Games without a result.
    open: usize,
}

/// Two bots that meet.
#[derive(Clone, Debug)]
pub struct Pairing {
    bots: [BotId; 2],
    games: Vec<Slot>,
    /// No earlier game is waiting.
    first_waiting: usize,
}

/// A game of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Waiting,
    Running,
    /// What the bot that is named first got; nothing if the game is void.
    Finished(Option<Score>),
}

/// Why a result cannot be taken.
pub(super) enum Wrong {
    NoSuchGame,
    Twice,
}

impl Pairing {
    /// The bot named first has the first seat in the first game of each seed.
    pub fn bots(&self) -> [BotId; 2] {
        self.bots
    }

    pub fn is_over(&self) -> bool {
        self.games.iter().all(|game| matches!(game, Slot::Finished(_)))
    }

    /// Half points of both bots so far.
    pub fn half_points(&self) -> [u64; 2] {
        let mut sums = [0, 0];
        for game in &self.games {
            if let Slot::Finished(Some(score)) = game {
                sums[0] += u64::from(score.half_points());
                sums[1] += u64::from(score.other().half_points());
            }
        }
        sums
    }

    /// For each pair of games that is over, the half points by which the first bot won it.
    pub(super) fn pair_leads(&self) -> impl Iterator<Item = i64> + '_ {
        let lead = |slot: &Slot| match slot {
            Slot::Finished(score) => {
                Some(score.map_or(0, |score| 2 * i64::from(score.half_points()) - 2))
            }
            _ => None,
        };
        self.games.chunks(2).filter_map(move |pair| pair.iter().map(lead).sum::<Option<i64>>())
    }

    pub(super) fn games_planned(&self) -> usize {
        self.games.len()
    }
}

impl Round {
    /// A round in which each pairing plays the same number of games.
    pub(super) fn new(pairings: Vec<[BotId; 2]>, games: u32) -> Round {
        Round::with_byes(pairings, Vec::new(), games)
    }

    pub(super) fn with_byes(pairings: Vec<[BotId; 2]>, byes: Vec<BotId>, games: u32) -> Round {
        let open = pairings.len() * games as usize;
        let pairing =
            |bots| Pairing { bots, games: vec![Slot::Waiting; games as usize], first_waiting: 0 };
        let pairings = pairings.into_iter().map(pairing).collect();
        Round { pairings, byes, has_third_place: false, first_waiting: 0, open }
    }

    /// The same round, whose last pairing is about the third place.
    pub(super) fn with_third_place(self) -> Round {
        Round { has_third_place: true, ..self }
    }

    /// All pairings; that about the third place is the last one.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Bots that have nobody to play against in this round and win it.
    pub fn byes(&self) -> &[BotId] {
        &self.byes
    }

    /// The pairing beside the final of a knock-out.
    pub fn third_place(&self) -> Option<&Pairing> {
        self.pairings.last().filter(|_| self.has_third_place)
    }

    pub fn is_over(&self) -> bool {
        self.open == 0
    }

    pub(super) fn pairing(&self, pairing: u32) -> Option<&Pairing> {
        self.pairings.get(pairing as usize)
    }

    /// The next game that is waiting: its pairing, its number there, and the bots of the pairing.
    pub(super) fn take(&mut self) -> Option<(u32, u32, [BotId; 2])> {
        while let Some(pairing) = self.pairings.get_mut(self.first_waiting) {
            let waiting = pairing.games[pairing.first_waiting..].iter();
            let Some(ahead) = waiting.clone().position(|&game| game == Slot::Waiting) else {
                pairing.first_waiting = pairing.games.len();
                self.first_waiting += 1;
                continue;
            };
            let slot = pairing.first_waiting + ahead;
            pairing.games[slot] = Slot::Running;
            pairing.first_waiting = slot + 1;
            return Some((self.first_waiting as u32, slot as u32, pairing.bots));
        }
        None
    }

    /// Whether the game was running.
    pub(super) fn put_back(&mut self, pairing: u32, slot: u32) -> bool {
        let Some(game) = self.slot(pairing, slot) else { return false };
        let was_running = *game == Slot::Running;
        if was_running {
            *game = Slot::Waiting;
            self.look_from(pairing as usize, slot as usize);
        }
        was_running
    }

    /// Whether the game was running.
    pub(super) fn finish(
        &mut self,
        pairing: u32,
        slot: u32,
        score: Option<Score>,
    ) -> Result<bool, Wrong> {
        let game = self.slot(pairing, slot).ok_or(Wrong::NoSuchGame)?;
        if matches!(game, Slot::Finished(_)) {
            return Err(Wrong::Twice);
        }
        let was_running = *game == Slot::Running;
        *game = Slot::Finished(score);
        self.open -= 1;
        Ok(was_running)
    }

    /// Adds games to a pairing until it has this many.
    pub(super) fn plan(&mut self, pairing: u32, games: usize) {
        let slots = &mut self.pairings[pairing as usize].games;
        let more = games.saturating_sub(slots.len());
        let first_new = slots.len();
        slots.extend(std::iter::repeat_n(Slot::Waiting, more));
        self.open += more;
        if more > 0 {
            self.look_from(pairing as usize, first_new);
        }
    }

    fn slot(&mut self, pairing: u32, slot: u32) -> Option<&mut Slot> {
        self.pairings.get_mut(pairing as usize)?.games.get_mut(slot as usize)
    }

    fn look_from(&mut self, pairing: usize, slot: usize) {
        self.first_waiting = self.first_waiting.min(pairing);
        let first_waiting = &mut self.pairings[pairing].first_waiting;
        *first_waiting = (*first_waiting).min(slot);
    }
}
