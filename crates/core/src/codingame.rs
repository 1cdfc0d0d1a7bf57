//! The line conventions that all games of the CodinGame platform share.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{FieldError, Framing, Intake, LineEnds, ParseError, PerSeat, Seat, Setting, Unit};

/// What the platform's runner reads of an answer, the ends of its lines among it. If the lines that
/// were asked for are not complete by then, there is no answer: it counts as one that is late.
pub const ANSWER_BYTES_MAX: usize = 10_000;
/// What each line of an answer takes besides its text.
const LINE_END_BYTES: usize = 1;

/// The platform's runner takes CR, LF and CR LF for the end of a line, and writes LF.
pub const FRAMING: Framing = Framing {
    line_ends_in: LineEnds::Any,
    line_end_out: "\n",
    line_bytes_max: ANSWER_BYTES_MAX - LINE_END_BYTES,
};

/// For the first answer, from the moment its input was written.
pub const FIRST_LIMIT_MS: u32 = 1000;
/// For every later answer.
pub const LATER_LIMIT_MS: u32 = 50;

/// The time for an answer, in a game's config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeLimits {
    pub first_ms: u32,
    pub later_ms: u32,
}

impl Default for TimeLimits {
    fn default() -> Self {
        TimeLimits { first_ms: FIRST_LIMIT_MS, later_ms: LATER_LIMIT_MS }
    }
}

/// The settings of every game whose config has [`TimeLimits`] as `time_limits`.
pub const LIMIT: Setting = Setting {
    name: "limit",
    path: "time_limits.later_ms",
    raises: Some("time_limits.first_ms"),
    unit: Unit::Time { least_ms: 1 },
    help: "time for an answer",
};
pub const FIRST_LIMIT: Setting = Setting {
    name: "first-limit",
    path: "time_limits.first_ms",
    raises: None,
    unit: Unit::Time { least_ms: 1 },
    help: "time for the first answer; a longer limit raises it",
};

impl TimeLimits {
    /// # Errors
    /// If there is no time to answer at all.
    pub fn check(self) -> Result<(), FieldError> {
        for (path, milliseconds) in [(FIRST_LIMIT.path, self.first_ms), (LIMIT.path, self.later_ms)]
        {
            if milliseconds == 0 {
                return Err(FieldError::new(path, "more than 0 ms", milliseconds));
            }
        }
        Ok(())
    }

    pub fn limit(self, is_first_answer: bool) -> Duration {
        let milliseconds = if is_first_answer { self.first_ms } else { self.later_ms };
        Duration::from_millis(u64::from(milliseconds))
    }
}

/// Puts answers of `LINES` lines together. A line that comes while its seat is not asked stays in
/// the pipe, so to speak: it is heard again as part of the seat's next answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers<const LINES: usize> {
    /// The lines heard of answers that are not complete.
    begun: PerSeat<Vec<String>>,
}

impl<const LINES: usize> Answers<LINES> {
    /// Takes one line. `read` is called with a whole answer.
    pub fn hear<A>(
        &mut self,
        seat: Seat,
        asked: bool,
        line: &str,
        read: impl FnOnce([&str; LINES]) -> Intake<A>,
    ) -> Intake<A> {
        if !asked {
            return Intake::Later;
        }
        let begun = &mut self.begun[seat];
        begun.push(line.to_owned());
        let bytes: usize = begun.iter().map(|line| line.len() + LINE_END_BYTES).sum();
        if bytes > ANSWER_BYTES_MAX {
            begun.clear();
            let expected = "an answer of at most 10000 bytes";
            return Intake::Malformed(ParseError::new(expected, line));
        }
        if begun.len() < LINES {
            return Intake::More;
        }
        let lines = std::mem::take(begun);
        read(std::array::from_fn(|index| lines[index].as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_complete_with_its_last_line_and_surplus_lines_wait() {
        let mut answers = Answers::<2>::default();
        let mut hear = |seat, asked, line: &str| {
            answers.hear(seat, asked, line, |[one, two]| Intake::Action(format!("{one}|{two}")))
        };
        assert_eq!(hear(Seat::First, true, "WAIT"), Intake::More);
        assert_eq!(hear(Seat::Second, true, "MOVE 1 2"), Intake::More);
        assert_eq!(hear(Seat::First, true, "TRAIN"), Intake::Action("WAIT|TRAIN".to_owned()));
        assert_eq!(hear(Seat::First, false, "surplus"), Intake::Later);
        assert_eq!(hear(Seat::Second, true, ""), Intake::Action("MOVE 1 2|".to_owned()));
        assert_eq!(hear(Seat::First, true, "surplus"), Intake::More);
    }

    #[test]
    fn an_answer_of_more_bytes_than_the_runner_reads_is_none() {
        let heard = |first: usize, second: usize| {
            let mut answers = Answers::<2>::default();
            let mut hear = |length: usize| {
                answers.hear(Seat::First, true, &"x".repeat(length), |[one, two]| {
                    Intake::Action(one.len() + two.len())
                })
            };
            let intakes = [hear(first), hear(second)];
            intakes.map(|intake| match intake {
                Intake::More => "more",
                Intake::Action(_) => "answer",
                Intake::Malformed(_) => "too long",
                other => panic!("{other:?}"),
            })
        };
        // 9998 bytes of text and two line ends.
        assert_eq!(heard(9_993, 5), ["more", "answer"]);
        assert_eq!(heard(9_994, 5), ["more", "too long"]);
        assert_eq!(heard(9_999, 0), ["more", "too long"]);
        assert_eq!(heard(5, 9_994), ["more", "too long"]);
        // What follows is the first line of the next answer.
        assert_eq!(heard(12_012, 5), ["too long", "more"]);
    }

    #[test]
    fn an_answer_of_one_line_is_complete_at_once() {
        let mut answers = Answers::<1>::default();
        let mut hear = |asked| {
            answers.hear(Seat::First, asked, "WALK", |[line]| Intake::Action(line.to_owned()))
        };
        assert_eq!(hear(true), Intake::Action("WALK".to_owned()));
        assert_eq!(hear(false), Intake::Later);
    }

    #[test]
    fn the_first_answer_has_more_time() {
        let usual = TimeLimits::default();
        assert_eq!(usual.limit(true), Duration::from_secs(1));
        assert_eq!(usual.limit(false), Duration::from_millis(50));
        assert!(usual.check().is_ok());
        for none in [TimeLimits { later_ms: 0, ..usual }, TimeLimits { first_ms: 0, ..usual }] {
            assert!(none.check().is_err());
        }
    }
}
