//! What came of one match, in sentences.

use std::path::Path;
use std::time::Duration;

use quintain_arena::results::{MatchReport, milliseconds};
use quintain_core::printable;
use quintain_tournament::spoken;
use serde_json::json;

use crate::disturbed::unprotected_in_words;
use crate::words::{Line, headed, last_lines, shell_word};

/// What a match is told with beside its report.
#[derive(Clone, Copy, Debug)]
pub struct MatchTelling<'a> {
    /// How long a bot was waited for that should learn what was played before.
    pub waited: Duration,
    /// What to do for one that needs longer.
    pub more_time: &'a str,
    /// Where the original runner's log was written to.
    pub match_log: Option<&'a Path>,
}

/// How a match ended, which is a heading, and everything that has to be known about it.
pub fn lines(report: &MatchReport, telling: &MatchTelling<'_>) -> Vec<Line> {
    let mut lines = vec![report.closing.clone()];
    lines.extend(last_words(report));
    for late in &report.disturbed {
        let (name, number) = (&report.names[late.seat], late.turn + 1);
        let [overrun, waited] = [late.overrun(), late.waited.unwrap_or_default()].map(milliseconds);
        lines.push(format!(
            "disturbed: {name} was {overrun} ms late in turn {number} because this machine was \
             busy: it waited {waited} ms for a processor; play the match again"
        ));
    }
    for (seat, why) in report.unprotected.iter() {
        let words = |why: &_| unprotected_in_words(&report.names[seat], &format!("{why}"));
        lines.extend(why.as_ref().map(words));
    }
    for (seat, turn) in report.behind.iter() {
        let (name, limit) = (&report.names[seat], spoken(telling.waited));
        lines.extend(turn.map(|turn| {
            format!(
                "not caught up: {name} gave no answer to the recorded turn {turn} within {limit} \
                 and was not waited for any more; {}",
                telling.more_time
            )
        }));
    }
    let remarks = report.remarks.iter().flatten();
    lines.extend(remarks.map(|remark| format!("to be verified: {remark}")));
    let match_log = telling.match_log.filter(|_| report.match_log_error.is_none());
    lines.extend(match_log.map(|folder| format!("match log: {}", shell_word(folder))));
    if let Some(word) = report.replay.as_deref().map(shell_word) {
        if report.replay_error.is_some() {
            lines.push(format!("replay of its beginning, for want of more: {word}"));
        } else {
            lines.push(format!("replay: {word}"));
            lines.push(format!("show it again: quintain replay {word}"));
        }
    }
    headed(lines)
}

/// What bots that failed wrote in the end: usually it says why.
fn last_words(report: &MatchReport) -> Vec<String> {
    let mut lines = Vec::new();
    for (seat, text) in report.last_stderr.iter() {
        let failed = report.faults.iter().any(|(faulty, _)| *faulty == seat);
        if failed && !text.is_empty() {
            lines.push(format!("the last lines that {} wrote to stderr:", report.names[seat]));
            lines.extend(last_lines(text).iter().map(|line| format!("  {line}")));
        }
    }
    lines
}

/// The result of a match that a host played, in a line.
pub fn hosted(number: u64, report: &MatchReport) -> String {
    let path = report.whole_replay().map(|path| format!(" ({})", path.display()));
    let line = format!("game {number}: {}{}", report.closing, path.unwrap_or_default());
    printable(&line).into_owned()
}

/// The same for programs.
pub fn hosted_json(number: u64, report: &MatchReport) -> String {
    let object = json!({
        "number": number,
        "names": report.wire_names,
        "ranks": report.outcome.ranks(),
        "scores": report.outcome.scores,
        "reason": report.outcome.reason,
        "turns": report.turns,
        "replay": report.whole_replay(),
    });
    printable(&object.to_string()).into_owned()
}
