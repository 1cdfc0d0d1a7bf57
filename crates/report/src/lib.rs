//! How the results of the arena are put into words: as tables for a terminal, CSV for spreadsheets, JSON for
//! programs, and the sentences and charts of pages. A command line and a server say the same by calling the same.
//!
//! A module per report has a function per form: [`tournament::tables`], [`tournament::csv`],
//! [`tournament::json`]; the pages themselves are the server's. Names and texts of bots may hold anything: what could be
//! taken for markup, a formula or a command to a terminal is made harmless here.
//!
//! *Not here:* how results are computed (`quintain-tournament`), how they are gathered
//! (`quintain_arena::results`), colours, and options of a command line. Whoever has such options says in an
//! [`Advice`] what a reader can do.

pub mod audit;
pub mod chart;
pub mod check;
pub mod checked;
pub mod comparison;
pub mod disturbed;
pub mod evaluation;
pub mod exchange;
pub mod explanation;
pub mod fed;
pub mod games;
pub mod ladder;
pub mod machine;
pub mod match_list;
pub mod played;
pub mod plot;
pub mod progress;
pub mod spreadsheet;
pub mod table;
pub mod tournament;
pub mod troubles;
pub mod tuning;
pub mod words;

/// What whoever shows a report tells its readers to do: a command line names options, a page has links.
#[derive(Clone, Copy, Debug, Default)]
pub struct Advice<'a> {
    /// Where nothing is concluded because the machine was busy.
    pub on_refusal: &'a str,
    /// Where bots made errors.
    pub on_errors: &'a str,
}
