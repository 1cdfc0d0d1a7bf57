//! What the machine did to the games of a run: answers that were late because of it, and games that are void.

use quintain_arena::results::{DisturbedAnswer, DisturbedBot, VoidMatch};
use quintain_report::disturbed;

use super::head::shown;
use crate::limits::TROUBLES_SHOWN;

/// The parts of a page about it; empty where nothing happened.
pub(crate) struct Troubles {
    pub(crate) columns: &'static [&'static str],
    pub(crate) answers: Vec<Vec<String>>,
    /// Answers that are not shown for want of room.
    pub(crate) more_answers: usize,
    pub(crate) bots: Vec<String>,
    pub(crate) void: Vec<String>,
}

impl Troubles {
    pub(crate) fn new(
        void: &[VoidMatch],
        answers: &[DisturbedAnswer],
        bots: &[DisturbedBot],
    ) -> Troubles {
        let row = |answer: &DisturbedAnswer| {
            disturbed::cells(answer).iter().map(|cell| shown(cell)).collect()
        };
        let void = void.iter().take(TROUBLES_SHOWN).map(disturbed::void_in_words);
        Troubles {
            columns: &disturbed::COLUMNS,
            answers: answers.iter().take(TROUBLES_SHOWN).map(row).collect(),
            more_answers: answers.len().saturating_sub(TROUBLES_SHOWN),
            bots: disturbed::bots_in_words(bots).iter().map(|line| shown(line)).collect(),
            void: void.map(|line| shown(&line)).collect(),
        }
    }
}
