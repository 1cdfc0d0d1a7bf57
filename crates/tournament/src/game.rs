//! A finished game as the statistics see it: who met whom, where they sat, who won, what went wrong.

use std::fmt;
use std::str::FromStr;

use quintain_core::{ErrorKinds, PerSeat, Seat, Verdict};

/// A bot, by its place in the tournament's list of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BotId(pub u32);

impl BotId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All bots of a tournament, in the order of its list.
    pub fn all(bots: u32) -> impl DoubleEndedIterator<Item = BotId> + Clone {
        (0..bots).map(BotId)
    }
}

/// Which game of a tournament this is; the same however often the tournament is stopped and started.
///
/// The order of identities is the order in which games are best played. As text an identity is four
/// parts such as `2-0-5-b`, which can be part of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    pub round: u32,
    /// Counts the pairings of the round, from 0.
    pub pairing: u32,
    /// Counts the seeds of the pairing, from 0. The two games of a seed are a pair.
    pub seed_index: u32,
    /// Whether the bot that the pairing names first has the second seat.
    pub swapped: bool,
}

impl GameId {
    /// The other game of the same seed.
    pub const fn partner(self) -> GameId {
        GameId { swapped: !self.swapped, ..self }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leg = if self.swapped { 'b' } else { 'a' };
        write!(f, "{}-{}-{}-{leg}", self.round, self.pairing, self.seed_index)
    }
}

/// A text that is no [`GameId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the identity of a game such as `2-0-5-b`, got `{got}`")]
pub struct GameIdError {
    pub got: String,
}

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<GameId, GameIdError> {
        let error = || GameIdError { got: text.to_owned() };
        let parts: Vec<&str> = text.split('-').collect();
        let [round, pairing, seed_index, leg] = parts[..] else { return Err(error()) };
        let number = |part: &str| part.parse().map_err(|_| error());
        let swapped = match leg {
            "a" => false,
            "b" => true,
            _ => return Err(error()),
        };
        let id = GameId {
            round: number(round)?,
            pairing: number(pairing)?,
            seed_index: number(seed_index)?,
            swapped,
        };
        // `+1` and `01` are numbers, but not how we write them; one game has one name.
        if id.to_string() == text { Ok(id) } else { Err(error()) }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    Won(Seat),
    Drawn,
    /// Both broke the rules or both lost. It is a loss in the tally of either, and since neither was
    /// better it is half a point each wherever strength is estimated.
    BothLost,
    /// Played, but not to be scored: the host disturbed it too often. Counted apart, never hidden.
    Void,
}

impl Finish {
    /// The finish of a match that was decided.
    pub fn from_verdicts(verdicts: PerSeat<Verdict>) -> Finish {
        let is_lost = |verdict| matches!(verdict, Verdict::Loss | Verdict::Disqualified);
        match verdicts.0 {
            [Verdict::Win, second] if second != Verdict::Win => Finish::Won(Seat::First),
            [first, Verdict::Win] if first != Verdict::Win => Finish::Won(Seat::Second),
            [first, second] if is_lost(first) && is_lost(second) => Finish::BothLost,
            [Verdict::Draw, second] if is_lost(second) => Finish::Won(Seat::First),
            [first, Verdict::Draw] if is_lost(first) => Finish::Won(Seat::Second),
            _ => Finish::Drawn,
        }
    }

    /// What strength is estimated from; `None` for a void game.
    pub fn score(self, seat: Seat) -> Option<Score> {
        match self {
            Finish::Won(winner) if winner == seat => Some(Score::Win),
            Finish::Won(_) => Some(Score::Loss),
            Finish::Drawn | Finish::BothLost => Some(Score::Draw),
            Finish::Void => None,
        }
    }
}

/// What one side got out of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    Loss,
    Draw,
    Win,
}

impl Score {
    /// 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// What the other side got.
    pub const fn other(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// One finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    pub id: GameId,
    /// Who had which seat; two different bots.
    pub bots: PerSeat<BotId>,
    pub finish: Finish,
    /// What each seat did wrong. A bot can err and still win.
    pub errors: PerSeat<ErrorKinds>,
    /// What was played: two games with the same setup, inputs and result have the same. `None` if it is
    /// not known, and then the game is taken to be unlike any other.
    pub content: Option<u64>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn verdicts_decide_the_finish_in_all_sixteen_cases() {
        use Verdict::{Disqualified, Draw, Loss, Win};
        let all = [Win, Draw, Loss, Disqualified];
        let expected = "
            drawn first first first
            second drawn first first
            second second both both
            second second both both";
        let mut words = expected.split_whitespace();
        for first in all {
            for second in all {
                let expected = match words.next().expect("sixteen words") {
                    "first" => Finish::Won(Seat::First),
                    "second" => Finish::Won(Seat::Second),
                    "both" => Finish::BothLost,
                    _ => Finish::Drawn,
                };
                let finish = Finish::from_verdicts(PerSeat([first, second]));
                assert_eq!(finish, expected, "{first:?} against {second:?}");
            }
        }
    }

    #[test]
    fn the_scores_of_a_game_add_up_to_one_point() {
        let won = Seat::BOTH.map(Finish::Won);
        for finish in won.into_iter().chain([Finish::Drawn, Finish::BothLost]) {
            let [first, second] = Seat::BOTH.map(|seat| finish.score(seat).expect("scored"));
            assert_eq!(first, second.other());
            assert_eq!(first.half_points() + second.half_points(), 2);
        }
        assert_eq!(Finish::Void.score(Seat::First), None);
    }

    #[test]
    fn only_an_identity_as_we_write_it_is_read() {
        for text in ["", "1-2-3", "1-2-3-c", "1-2-3-a-", "+1-2-3-a", "01-2-3-a", "1-2-4294967296-a"]
        {
            let error = GameId::from_str(text).expect_err(text);
            assert_eq!(error, GameIdError { got: text.to_owned() });
        }
    }

    proptest! {
        #[test]
        fn an_identity_survives_being_written(
            round: u32, pairing: u32, seed_index: u32, swapped: bool,
        ) {
            let id = GameId { round, pairing, seed_index, swapped };
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            prop_assert_eq!(id.partner().partner(), id);
        }
    }
}
