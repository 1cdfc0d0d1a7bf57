//! What bots did wrong in a match, gathered while it is played.

use quintain_core::{ErrorKind, Excerpt, Fault, FaultCause, Seat, printable};
use quintain_record::SeatError;
use quintain_referee::{Input, StepRecord};

/// Each kind of a seat once, with the words for the first of them, or for the one that lost the match.
#[derive(Debug, Default)]
pub(crate) struct ErrorList(Vec<SeatError>);

impl ErrorList {
    /// What the referee found. A bot that is gone is missing in every turn to the end; that is one
    /// error.
    pub(crate) fn add_fault(&mut self, seat: Seat, fault: &Fault, place: &ErrorPlace<'_>) {
        let kind = ErrorKind::from(fault);
        let is_known = self.0.iter().any(|error| error.seat == seat && error.kind == kind);
        if is_known && fault.is_lasting() {
            return;
        }
        self.add(seat, kind, FaultCause::of(fault), || match kind {
            ErrorKind::NotStarted => fault.to_string(),
            _ => format!("{fault} ({})", place.turn()),
        });
    }

    /// What the rules refused, with what the bot had said. What lost the match is told rather than
    /// what it was forgiven before.
    pub(crate) fn add_refused(
        &mut self,
        seat: Seat,
        what: &str,
        is_fatal: bool,
        place: &ErrorPlace<'_>,
    ) {
        let text = || format!("{} ({}{})", printable(what), place.turn(), place.said(seat));
        let error = self.add(seat, ErrorKind::Illegal, None, text);
        if is_fatal && error.times > 1 {
            (error.cause, error.text) = (None, text());
        }
    }

    /// What a bot did to its state files.
    pub(crate) fn add_meddling(&mut self, seat: Seat, what: &str, place: &ErrorPlace<'_>) {
        self.add(seat, ErrorKind::Meddling, None, || format!("{what} ({})", place.turn()));
    }

    pub(crate) fn into_vec(self) -> Vec<SeatError> {
        self.0
    }

    fn add(
        &mut self,
        seat: Seat,
        kind: ErrorKind,
        cause: Option<FaultCause>,
        text: impl FnOnce() -> String,
    ) -> &mut SeatError {
        let known = self.0.iter().position(|error| error.seat == seat && error.kind == kind);
        let place = known.unwrap_or_else(|| {
            self.0.push(SeatError { seat, kind, times: 0, cause, text: text() });
            self.0.len() - 1
        });
        let error = &mut self.0[place];
        error.times += 1;
        error
    }
}

/// Where in a match something went wrong.
pub(crate) struct ErrorPlace<'a> {
    pub(crate) turn_name: &'static str,
    pub(crate) record: &'a StepRecord,
}

impl ErrorPlace<'_> {
    fn turn(&self) -> String {
        format!("{} {}", self.turn_name, self.record.turn + 1)
    }

    /// The beginning of what a seat answered.
    fn said(&self, seat: Seat) -> String {
        let lines = self.record.inputs.iter().filter_map(|entry| match entry {
            Input::Line { seat: whose, asked: true, line, .. } if *whose == seat => {
                Some(line.as_str())
            }
            _ => None,
        });
        match lines.collect::<Vec<_>>().join(" / ").as_str() {
            "" => String::new(),
            said => format!(": `{}`", printable(Excerpt::new(said).as_str())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_of_a_kind_is_told_with_its_turn_and_the_answer() {
        let line = |seat, text: &str| {
            let (line, at) = (text.to_owned(), Duration::ZERO);
            Input::Line { seat, asked: true, line, at }
        };
        let said =
            [line(Seat::Second, "other"), line(Seat::First, "JU\x1bMP"), line(Seat::First, "x")];
        let mut record = StepRecord { turn: 4, inputs: said.to_vec(), ..StepRecord::default() };
        let mut errors = ErrorList::default();
        for _ in 0..2 {
            let place = ErrorPlace { turn_name: "throw", record: &record };
            errors.add_refused(Seat::First, "no command", false, &place);
            errors.add_fault(Seat::Second, &Fault::Late, &place);
            record.turn += 1;
        }
        let errors = errors.into_vec();
        let texts: Vec<(&str, u32)> =
            errors.iter().map(|error| (error.text.as_str(), error.times)).collect();
        let refused = "no command (throw 5: `JU\u{fffd}MP / x`)";
        assert_eq!(texts, [(refused, 2), ("did not answer in time (throw 5)", 2)]);
    }

    #[test]
    fn what_lost_the_match_is_told_rather_than_what_was_forgiven() {
        let mut errors = ErrorList::default();
        for (turn, what) in [(0, "a warning"), (7, "another"), (9, "the end")] {
            let record = StepRecord { turn, ..StepRecord::default() };
            let place = ErrorPlace { turn_name: "turn", record: &record };
            errors.add_refused(Seat::First, what, what == "the end", &place);
        }
        let errors = errors.into_vec();
        assert_eq!((errors[0].text.as_str(), errors[0].times), ("the end (turn 10)", 3));
    }
}
