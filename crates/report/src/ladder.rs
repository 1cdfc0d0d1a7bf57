//! How far a bot climbs, and how strong the rungs are.

use comfy_table::Table;
use quintain_arena::results::{
    ComparisonReport, LadderReport, LostOnRung, RungOutcome, RungReport, ScaleHead, is_refused,
};
use quintain_arena::scale::{Scale, ScaleGaps, ScaleRung};
use quintain_core::{HouseBot, printable};
use quintain_tournament::{Finding, grouped};
use serde_json::{Value, json};

use crate::plot::{RatedRow, ratings};
use crate::table::ruled_rows;
use crate::words::{Line, counted, headed};

/// So many lost games are named; all that were kept stand in the data.
const LOST_SHOWN: usize = 5;

/// What whoever shows a climb says about a game to look at: the commands or links that show it.
pub type ShowLost<'a> = &'a dyn Fn(&LostOnRung) -> Option<String>;

pub fn json(report: &LadderReport) -> Value {
    let mut object = json!(report);
    if let Some(rungs) = object["rungs"].as_array_mut() {
        for (rung, data) in report.rungs.iter().zip(rungs) {
            data["comparison"] = crate::comparison::json(&rung.comparison);
        }
    }
    object
}

/// How far it came and how strong it is, of which the first is the heading.
pub fn lines(report: &LadderReport) -> Vec<Line> {
    let mut lines = vec![verdict(report)];
    lines.extend(rating(report));
    lines.extend(report.scale.as_ref().into_iter().flat_map(|scale| remarks(scale, &report.rules)));
    headed(lines.into_iter().map(|line| printable(&line).into_owned()))
}

fn verdict(report: &LadderReport) -> String {
    let LadderReport { bot, game, reached, failed, .. } = report;
    let ladder = format!("the {} of {game}", counted(report.rungs_of_the_ladder as u64, "rung"));
    let last = report.rungs.last().map(|rung| (rung.rung.as_str(), rung.outcome));
    let above = |so_far: &str| match reached {
        Some(rung) => format!("{bot} is stronger than {rung}{so_far}"),
        None => format!("{bot} is not shown to be stronger than any rung{so_far}"),
    };
    match (failed, last) {
        (Some(failed), _) if reached.is_some() => {
            format!("{}, and not shown to be stronger than {failed} ({ladder})", above(""))
        }
        (Some(failed), _) => format!("{bot} is not shown to be stronger than {failed} ({ladder})"),
        (None, Some((rung, RungOutcome::Refused))) => {
            format!("{}: no verdict on {rung}, since this machine was too busy", above(" so far"))
        }
        (None, Some((rung, RungOutcome::Passed))) if !report.is_stopped => {
            format!("{bot} is stronger than every rung up to {rung} ({ladder})")
        }
        (None, _) => format!("{}: stopped", above(" so far")),
    }
}

fn rating(report: &LadderReport) -> Option<String> {
    let (rating, scale) = (report.rating?, report.scale.as_ref()?);
    let elo = rating.value.round() as i64;
    Some(format!(
        "Elo {elo} (95%: {}) on the scale of {}, where {} has {}",
        rating.interval_in_words(),
        scale.date,
        scale.anchor,
        Scale::ANCHOR_ELO
    ))
}

/// What a reader must know about a scale before he believes in it.
fn remarks(scale: &ScaleHead, rules: &str) -> Vec<String> {
    let mut remarks = gaps_in_words(&scale.gaps);
    if scale.rules != rules {
        remarks.push(format!(
            "the scale is one of other rules ({}) than were played ({rules})",
            scale.rules
        ));
    }
    remarks
}

fn gaps_in_words(gaps: &ScaleGaps) -> Vec<String> {
    let named = |names: &[String], words: &str| {
        (!names.is_empty()).then(|| format!("{words}: {}", names.join(", ")))
    };
    let lacking = named(
        &gaps.lacking,
        "rungs that the scale does not have, whose games do not count for the Elo",
    );
    let gone = named(&gaps.gone, "rungs of the scale that the house does not have any more");
    [lacking, gone].into_iter().flatten().collect()
}

/// What came of each rung.
pub fn table(report: &LadderReport) -> Table {
    let header = ["rung", "Elo", "", "won", "drawn", "lost", "difference"];
    let row = |rung: &RungReport| {
        let ComparisonReport { wins, draws, losses, .. } = rung.comparison;
        let elo = rung.elo.map_or_else(|| "?".to_owned(), |elo| elo.to_string());
        let difference = quintain_tournament::Strength(rung.comparison.estimate()).to_string();
        [
            rung.rung.clone(),
            elo,
            outcome(rung.outcome).to_owned(),
            grouped(wins),
            grouped(draws),
            grouped(losses),
            difference,
        ]
    };
    ruled_rows(header, report.rungs.iter().map(row))
}

fn outcome(outcome: RungOutcome) -> &'static str {
    match outcome {
        RungOutcome::Passed => "passed",
        RungOutcome::Failed => "not passed",
        RungOutcome::Refused => "no verdict",
        RungOutcome::Stopped => "stopped",
    }
}

/// A rung that was just decided.
pub fn rung_line(rung: &RungReport) -> String {
    let comparison = &rung.comparison;
    let finding: Finding = comparison.finding;
    let sentence =
        finding.sentence(comparison.estimate(), &comparison.old, &comparison.new, comparison.time);
    printable(&format!("rung {}, {}: {sentence}", rung.rung, outcome(rung.outcome))).into_owned()
}

/// What to look at: the first lost games of the strongest rung that has some.
pub fn lost_lines(report: &LadderReport, show: ShowLost<'_>) -> Vec<Line> {
    let Some(rung) = report.lost.first().map(|lost| lost.rung.as_str()) else { return Vec::new() };
    let lost = report.lost.iter().filter(|lost| lost.rung == rung).take(LOST_SHOWN);
    let line = |lost: &LostOnRung| {
        let game = format!("  game {}, seed {}", lost.lost.game, lost.lost.seed);
        Line::text(show(lost).map_or(game.clone(), |show| format!("{game}: {show}")))
    };
    let heading = Line::heading(format!(
        "lost to {rung}, to look at (`quintain explain` says where a game turned)"
    ));
    std::iter::once(heading).chain(lost.map(line)).collect()
}

/// Two rungs that have met.
pub fn meeting_line(meeting: &ComparisonReport) -> String {
    let ComparisonReport { old, new, games, score, .. } = meeting;
    let doubt = if is_refused(meeting.doubt.as_ref()) {
        ": this machine was too busy, so that too many of them were void or played again"
    } else {
        ""
    };
    format!("{new} against {old}: {:.1}% of {}{doubt}", 100.0 * score, counted(*games, "game"))
}

/// Which rungs are not shown to be stronger than the one below.
pub fn weak_steps(scale: &Scale) -> Vec<String> {
    let steps = scale.rungs.iter().filter_map(|rung| scale.step_to(&rung.name));
    let weak = steps.filter(|step| step.stronger_after.is_none());
    weak.map(|step| format!("{} is not shown to be stronger than {}", step.higher, step.lower))
        .collect()
}

/// What is known of the step to a rung; nothing of the lowest.
pub fn step_in_words(scale: &Scale, rung: &str) -> String {
    let Some(step) = scale.step_to(rung) else { return String::new() };
    match step.stronger_after {
        Some(games) => format!("shown by {}", counted(games, "game")),
        None => format!("not shown by {}", counted(step.games, "game")),
    }
}

/// The rungs of a scale, weakest first, with what the house says about them.
pub fn scale_table(scale: &Scale, house: &[HouseBot]) -> Table {
    let row = |rung: &ScaleRung| {
        let about = house.iter().find(|bot| bot.name == rung.name).map_or("", |bot| bot.about);
        [
            format!("house:{}", rung.name),
            rung.elo.to_string(),
            rung.rating().interval_in_words(),
            step_in_words(scale, &rung.name),
            about.to_owned(),
        ]
    };
    let header = ["rung", "Elo", "95%", "stronger than the one below", "what it does"];
    ruled_rows(header, scale.rungs.iter().map(row))
}

/// Where a scale comes from, and what does not fit.
pub fn scale_lines(scale: &Scale, house: &[HouseBot]) -> Vec<Line> {
    let Scale { date, machine, rules, games, anchor, .. } = scale;
    let origin = format!(
        "made by {} on {date} ({machine}; {rules}), where {anchor} has {}",
        counted(*games, "game"),
        Scale::ANCHOR_ELO
    );
    let lines = std::iter::once(origin).chain(gaps_in_words(&scale.gaps(house)));
    lines.map(|line| Line::text(printable(&line))).collect()
}

pub fn scale_json(scale: &Scale, house: &[HouseBot]) -> Value {
    let mut object = json!(scale);
    object["gaps"] = json!(scale.gaps(house));
    object
}

/// The scale as a plot, and a bot that was measured by it.
pub fn plot(scale: &Scale, bot: Option<&LadderReport>) -> String {
    let rung = |rung: &ScaleRung| RatedRow {
        name: rung.name.clone(),
        rating: rung.rating(),
        is_own: false,
    };
    let own = bot.and_then(|report| {
        Some(RatedRow { name: report.bot.clone(), rating: report.rating?, is_own: true })
    });
    let mut rows: Vec<RatedRow> = scale.rungs.iter().map(rung).chain(own).collect();
    rows.sort_by(|one, other| other.rating.value.total_cmp(&one.rating.value));
    let title =
        format!("{}: Elo of the house bots, with 95% intervals ({})", scale.game, scale.date);
    ratings(&title, &rows)
}
