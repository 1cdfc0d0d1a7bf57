//! The pages of runs as files that need no server: the same views, without links to it.

use askama::Template;
use quintain_arena::results::{EvaluationReport, TournamentReport};
use quintain_report::Advice;
use quintain_report::evaluation::EvaluationAdvice;
use quintain_report::tournament as words;

use super::evaluation::EvaluationView;
use super::head::shown;
use super::tournament::TournamentView;
use crate::mailed::{one_style, still_policy};

/// The style of a page that is a file, and the policy that lets nothing else in.
struct FileFrame {
    style: String,
    policy: String,
}

impl FileFrame {
    fn new() -> FileFrame {
        let style = one_style();
        FileFrame { policy: still_policy(&style), style }
    }
}

#[derive(Template)]
#[template(path = "file_tournament.html")]
struct TournamentFile {
    frame: FileFrame,
    title: String,
    view: TournamentView,
}

#[derive(Template)]
#[template(path = "file_evaluation.html")]
struct EvaluationFile {
    frame: FileFrame,
    title: String,
    view: EvaluationView,
}

/// The page of a tournament as a file.
///
/// # Errors
/// It cannot be put into words; that is an error of ours.
pub fn tournament_page(
    report: &TournamentReport,
    advice: &Advice<'_>,
) -> Result<String, askama::Error> {
    let mut view = TournamentView::new(report, false);
    view.doubt = words::doubt(report, advice);
    TournamentFile { frame: FileFrame::new(), title: shown(&report.name), view }.render()
}

/// The page of an evaluation as a file.
///
/// # Errors
/// As [`tournament_page`].
pub fn evaluation_page(
    report: &EvaluationReport,
    advice: &EvaluationAdvice<'_>,
) -> Result<String, askama::Error> {
    let view = EvaluationView::new(report, advice, "");
    let title = format!("Evaluation of {}", shown(&report.game));
    EvaluationFile { frame: FileFrame::new(), title, view }.render()
}
