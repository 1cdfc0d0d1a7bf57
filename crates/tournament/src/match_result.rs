//! A finished game as the statistics see it: who met whom, where they sat, who won, what went wrong.

use quintain_core::{ErrorKinds, PerSeat, Seat, Verdict};
use quintain_record::{BotId, Ending, MatchHead, MatchId, MatchRecord, MatchRow, ResultRow};

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
pub struct MatchResult {
    pub id: MatchId,
    /// Who had which seat; two different bots.
    pub bots: PerSeat<BotId>,
    pub finish: Finish,
    /// What each seat did wrong. A bot can err and still win.
    pub errors: PerSeat<ErrorKinds>,
    /// What was played: two games with the same setup, inputs and result have the same. `None` if it is
    /// not known, and then the game is taken to be unlike any other.
    pub content: Option<u64>,
}

impl MatchResult {
    fn new(head: &MatchHead, errors: PerSeat<ErrorKinds>) -> MatchResult {
        let finish = match &head.ending {
            Ending::Scored(scored) => Finish::from_verdicts(scored.verdicts),
            Ending::Void(_) => Finish::Void,
        };
        MatchResult { id: head.id, bots: head.bots, finish, errors, content: head.content }
    }
}

impl From<&MatchRecord> for MatchResult {
    fn from(record: &MatchRecord) -> MatchResult {
        MatchResult::new(&record.head, record.error_kinds())
    }
}

impl From<&MatchRow> for MatchResult {
    fn from(row: &MatchRow) -> MatchResult {
        MatchResult::new(&row.head, row.errors)
    }
}

impl From<&ResultRow> for MatchResult {
    fn from(row: &ResultRow) -> MatchResult {
        let finish = match row.half_points {
            None => Finish::Void,
            Some(2) => Finish::Won(Seat::First),
            Some(1) => Finish::Drawn,
            Some(0) => Finish::Won(Seat::Second),
            Some(_) => Finish::BothLost,
        };
        let ResultRow { id, bots, errors, content, .. } = *row;
        MatchResult { id, bots, finish, errors, content }
    }
}

#[cfg(test)]
mod tests {
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
}
