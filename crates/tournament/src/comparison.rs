//! Is the new version better than the old one? The games of two bots, judged as they come in.
//!
//! Games are judged in the order of their seeds, not in the order in which they end: with several
//! games at a time the short ones end first, and where a quick win is more frequent than a quick loss
//! a test that stops at the first bound would be misled. It also makes the verdict the same however
//! many games run at a time.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use quintain_core::Seat;

use crate::elo::{ELO_MAX, Estimate, estimate};
use crate::game::{BotId, GameResult};
use crate::pairs::PairedResults;
use crate::sprt::{Decision, Sprt};
use crate::tally::Tally;
use crate::words::{grouped, spoken};

/// The old version, as a comparison lists it.
pub const OLD: BotId = BotId(0);
/// The new version.
pub const NEW: BotId = BotId(1);

/// Games of [`NEW`] against [`OLD`]: those of a round robin of the two, in which a round is a seed.
#[derive(Clone, Debug)]
pub struct Comparison {
    sprt: Option<Sprt>,
    results: PairedResults,
    tallies: [Tally; 2],
    void: u64,
    decision: Decision,
    /// Rounds below this one are judged.
    next_round: u32,
    waiting: BTreeMap<u32, [Option<GameResult>; 2]>,
    surplus: u64,
}

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    NewIsStronger,
    NoDifferenceShown,
    OldIsStronger,
}

impl Finding {
    /// The finding's name in machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            Finding::NewIsStronger => "new-is-stronger",
            Finding::NoDifferenceShown => "no-difference-shown",
            Finding::OldIsStronger => "old-is-stronger",
        }
    }
}

impl Comparison {
    /// Without a test the caller decides when to stop, and the finding rests on the interval.
    pub fn new(sprt: Option<Sprt>) -> Comparison {
        Comparison {
            sprt,
            results: PairedResults::default(),
            tallies: [Tally::default(); 2],
            void: 0,
            decision: Decision::Undecided,
            next_round: 0,
            waiting: BTreeMap::new(),
            surplus: 0,
        }
    }

    /// Takes a finished game, in any order, each one once. Whether the test is decided, see
    /// [`Comparison::decision`].
    pub fn add(&mut self, result: &GameResult) {
        let round = result.id.round;
        if round < self.next_round || self.is_decided() {
            self.surplus += 1;
            return;
        }
        self.waiting.entry(round).or_default()[usize::from(result.id.swapped)] = Some(*result);
        while let Some(games @ [Some(_), Some(_)]) = self.waiting.get(&self.next_round).copied() {
            self.waiting.remove(&self.next_round);
            self.next_round += 1;
            self.judge(games);
        }
    }

    /// Judges what is still waiting for games that will not come: the end of a comparison that was
    /// stopped, or the last game of an odd number.
    pub fn finish(&mut self) {
        for (round, games) in std::mem::take(&mut self.waiting) {
            self.next_round = round + 1;
            self.judge(games);
        }
    }

    fn judge(&mut self, games: [Option<GameResult>; 2]) {
        let games = games.into_iter().flatten();
        if self.is_decided() {
            self.surplus += games.count() as u64;
            return;
        }
        let mut scores = Vec::with_capacity(2);
        for game in games {
            let new_seat = if game.bots[Seat::First] == NEW { Seat::First } else { Seat::Second };
            for (tally, seat) in self.tallies.iter_mut().zip([new_seat.other(), new_seat]) {
                tally.add(seat, game.finish, game.errors[seat]);
            }
            match game.finish.score(new_seat) {
                Some(score) => scores.push(score),
                None => self.void += 1,
            }
        }
        match scores[..] {
            [one, other] => self.results.pairs.add(one, other),
            [single] => self.results.add_single(single),
            _ => {}
        }
        if let Some(sprt) = &self.sprt {
            self.decision = sprt.decision(&self.results.pairs);
        }
    }

    /// Where the test stands; always undecided without one. Once decided it stays so.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    pub fn is_decided(&self) -> bool {
        self.decision != Decision::Undecided
    }

    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// The log-likelihood ratio of the test, if there is one.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.llr(&self.results.pairs))
    }

    /// The strength of the new version relative to the old one.
    pub fn estimate(&self) -> Estimate {
        estimate(&self.results)
    }

    /// The judged games of the new version in pairs.
    pub fn results(&self) -> &PairedResults {
        &self.results
    }

    /// The judged games of [`OLD`] or [`NEW`].
    pub fn tally(&self, bot: BotId) -> &Tally {
        &self.tallies[bot.index()]
    }

    /// Games that were judged but do not count.
    pub fn void(&self) -> u64 {
        self.void
    }

    /// Games that ended after the test was decided, and count for nothing.
    pub fn surplus(&self) -> u64 {
        self.surplus
    }

    /// Games that ended before one with a lower seed, and will be judged after it.
    pub fn waiting(&self) -> usize {
        self.waiting.values().flatten().flatten().count()
    }

    /// What is shown by now. With a test that is undecided nothing is, whatever the interval says:
    /// who looks again and again would find a difference in the end.
    pub fn finding(&self) -> Finding {
        let Some(sprt) = &self.sprt else { return self.finding_of_the_interval() };
        match self.decision {
            Decision::Undecided => Finding::NoDifferenceShown,
            Decision::AcceptedUpper if sprt.elo0() >= 0.0 => Finding::NewIsStronger,
            Decision::AcceptedLower if sprt.elo1() <= 0.0 => Finding::OldIsStronger,
            _ => self.finding_of_the_interval(),
        }
    }

    fn finding_of_the_interval(&self) -> Finding {
        let estimate = self.estimate();
        if estimate.low > 0.0 {
            Finding::NewIsStronger
        } else if estimate.high < 0.0 {
            Finding::OldIsStronger
        } else {
            Finding::NoDifferenceShown
        }
    }

    /// The finding as a sentence, such as "new is stronger: +38 Elo (95%: 21 to 55) after 1,214 games
    /// in 41 s". The difference is always that of the bot which the sentence is about.
    pub fn sentence(&self, old: &str, new: &str, time: Duration) -> String {
        let mut results = self.results;
        let finding = match self.finding() {
            Finding::NewIsStronger => format!("{new} is stronger"),
            Finding::NoDifferenceShown => "no difference shown".to_owned(),
            Finding::OldIsStronger => {
                results = results.flipped();
                format!("{old} is stronger")
            }
        };
        let strength = Strength(estimate(&results));
        let games = grouped(results.games());
        let word = if results.games() == 1 { "game" } else { "games" };
        format!("{finding}: {strength} after {games} {word} in {}", spoken(time))
    }
}

/// An estimate in words: "+38 Elo (95%: 21 to 55)".
#[derive(Clone, Copy, Debug)]
pub struct Strength(pub Estimate);

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { elo, low, high, .. } = self.0;
        // Rounded first, so that there is no -0.
        let whole = |value: f64| value.round() as i64;
        write!(f, "{:+} Elo (95%: ", whole(elo))?;
        match (low <= -ELO_MAX, high >= ELO_MAX) {
            (false, false) => write!(f, "{} to {})", whole(low), whole(high)),
            (false, true) => write!(f, "{} or more)", whole(low)),
            (true, false) => write!(f, "{} or less)", whole(high)),
            (true, true) => f.write_str("anything)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quintain_core::{ErrorKind, PerSeat};

    use super::*;
    use crate::game::{Finish, GameId};
    use crate::pairs::Pentanomial;

    /// A game of the given seed in which the new version has the second seat unless swapped.
    fn game(round: u32, swapped: bool, new_wins: bool) -> GameResult {
        let seats = if swapped { [NEW, OLD] } else { [OLD, NEW] };
        let new_seat = if swapped { Seat::First } else { Seat::Second };
        GameResult {
            id: GameId { round, pairing: 0, seed_index: 0, swapped },
            bots: PerSeat(seats),
            finish: Finish::Won(if new_wins { new_seat } else { new_seat.other() }),
            errors: PerSeat::default(),
        }
    }

    fn judged(pairs: [u64; 5], sprt: Option<Sprt>, decision: Decision) -> Comparison {
        let mut comparison = Comparison::new(sprt);
        comparison.results.pairs = Pentanomial(pairs);
        comparison.decision = decision;
        comparison
    }

    #[test]
    fn the_sentence_says_who_is_stronger_by_how_much_and_what_it_took() {
        let check = |pairs, seconds: f64, expected: &str| {
            let comparison = judged(pairs, None, Decision::Undecided);
            let time = Duration::from_secs_f64(seconds);
            assert_eq!(comparison.sentence("old", "new", time), expected);
        };
        check(
            [20, 90, 290, 140, 67],
            41.2,
            "new is stronger: +41 Elo (95%: 28 to 55) after 1,214 games in 41 s",
        );
        check(
            [67, 140, 290, 90, 20],
            3.0,
            "old is stronger: +41 Elo (95%: 28 to 55) after 1,214 games in 3.0 s",
        );
        check(
            [5, 10, 70, 10, 5],
            200.0,
            "no difference shown: +0 Elo (95%: -26 to 26) after 200 games in 3 min 20 s",
        );
        check(
            [0, 0, 0, 0, 50],
            7_500.0,
            "new is stronger: +921 Elo (95%: 576 or more) after 100 games in 2 h 5 min",
        );
        check([0; 5], 0.0, "no difference shown: +0 Elo (95%: anything) after 0 games in 0.0 s");
    }

    #[test]
    fn the_test_decides_and_the_interval_only_explains() {
        let gain = Sprt::default();
        let better = [20, 90, 290, 140, 67];
        let worse = [67, 140, 290, 90, 20];
        let level = [50, 0, 100, 0, 50];
        let check = |pairs, sprt, decision, expected: Finding| {
            assert_eq!(judged(pairs, Some(sprt), decision).finding(), expected, "{pairs:?}");
        };
        check(better, gain, Decision::Undecided, Finding::NoDifferenceShown);
        check(better, gain, Decision::AcceptedUpper, Finding::NewIsStronger);
        check(level, gain, Decision::AcceptedLower, Finding::NoDifferenceShown);
        check(worse, gain, Decision::AcceptedLower, Finding::OldIsStronger);
        let no_loss = Sprt::new(-10.0, 0.0, 0.05, 0.05).expect("in order");
        check(level, no_loss, Decision::AcceptedUpper, Finding::NoDifferenceShown);
        check(better, no_loss, Decision::AcceptedUpper, Finding::NewIsStronger);
        check(level, no_loss, Decision::AcceptedLower, Finding::OldIsStronger);
    }

    #[test]
    fn a_decided_comparison_counts_nothing_more() {
        let mut comparison = Comparison::new(Some(Sprt::default()));
        let mut round = 0;
        while !comparison.is_decided() {
            comparison.add(&game(round, true, true));
            comparison.add(&game(round, false, true));
            round += 1;
        }
        let games = comparison.results().games();
        assert_eq!((comparison.finding(), games), (Finding::NewIsStronger, u64::from(round) * 2));
        comparison.add(&game(round, false, false));
        comparison.finish();
        assert_eq!((comparison.results().games(), comparison.surplus()), (games, 1));
        assert_eq!(comparison.decision(), Decision::AcceptedUpper);
    }

    #[test]
    fn stopped_comparisons_count_what_was_waiting_and_void_games_apart() {
        let mut comparison = Comparison::new(None);
        let mut void = game(0, false, false);
        void.finish = Finish::Void;
        let mut crash = game(2, true, true);
        crash.errors[Seat::Second].insert(ErrorKind::Crash);
        for result in [game(0, true, true), void, crash] {
            comparison.add(&result);
        }
        assert_eq!((comparison.results().games(), comparison.waiting()), (1, 1));
        comparison.finish();
        assert_eq!((comparison.results().singles, comparison.waiting()), ([0, 0, 2], 0));
        assert_eq!((comparison.void(), comparison.surplus()), (1, 0));
        assert_eq!(comparison.tally(OLD).errors[ErrorKind::Crash], 1);
        assert_eq!((comparison.tally(NEW).wins, comparison.tally(OLD).losses), (2, 2));
    }

    proptest! {
        /// Several games at a time end in any order; the verdict is that of one at a time.
        #[test]
        fn the_order_in_which_games_end_does_not_matter(
            order in Just((0..80_u32).collect::<Vec<_>>()).prop_shuffle(),
            wins in prop::collection::vec(prop::bool::weighted(0.8), 80),
        ) {
            let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).expect("in order");
            let play = |order: &[u32]| {
                let mut comparison = Comparison::new(Some(sprt));
                for &number in order {
                    comparison.add(&game(number / 2, number % 2 == 1, wins[number as usize]));
                }
                comparison.finish();
                (comparison.results, comparison.tallies, comparison.decision, comparison.surplus)
            };
            let straight: Vec<u32> = (0..80).collect();
            prop_assert_eq!(play(&order), play(&straight));
        }
    }
}
