//! Plays a ladder: a bot that climbs it, and the games that make its scale. Each rung is a comparison, with a
//! run of its own in the store, so that a climb goes on where it was stopped.

use std::path::{Path, PathBuf};

use quintain_core::{HouseBot, PerSeat};
use quintain_record::BotId;
use quintain_referee::Stop;
use quintain_tournament::{Book, Encounter, Rating, RatingSettings, rate};

use super::{Progress, ReplayWish, RunError, RunMeans, RunResult, run_comparison};
use crate::arena::file_name_part;
use crate::machine;
use crate::plan::{CalibrationPlan, LadderPlan};
use crate::replay_folder::NewFolder;
use crate::results::{
    CalibrationReport, ComparisonReport, LadderReport, RungOutcome, RungReport, ScaleHead,
    lost_games, rating_on,
};
use crate::scale::{Scale, ScaleMeeting, ScaleRung, rules_in_words, today};
use crate::slots::RunEnd;

/// Plays upwards until the bot is not shown to be stronger than a rung, or it is stopped. The bot is rated
/// on `scale`, if there is one.
///
/// # Errors
/// As [`run_comparison`].
pub fn run_ladder(
    plan: &LadderPlan,
    scale: Option<&Scale>,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<LadderReport>, RunError> {
    let game = plan.settings.game()?;
    let folder = Replays::of(means, || {
        format!("ladder-{}-{}", plan.settings.game, file_name_part(&plan.bot.name))
    })?;
    let base = means.run_name(plan.usual_name());
    let mut rungs: Vec<RungReport> = Vec::new();
    let mut ended = RunEnd::Over;
    for rung in plan.rungs()? {
        let means = folder.means_of(means, &base, rung.name);
        let played = run_comparison(&plan.on(rung), &means, progress, stop)?;
        let report = RungReport {
            rung: rung.name.to_owned(),
            elo: scale.and_then(|scale| scale.rung(rung.name)).map(|rung| rung.elo),
            outcome: RungOutcome::of(&played.report),
            comparison: played.report,
        };
        progress.rung(&report);
        let outcome = report.outcome;
        rungs.push(report);
        if played.ended == RunEnd::Stopped {
            ended = RunEnd::Stopped;
        }
        if ended == RunEnd::Stopped || outcome != RungOutcome::Passed {
            break;
        }
    }
    let house = game.facts().house_bots;
    Ok(RunResult { report: report_of(plan, scale, house, rungs, ended), ended })
}

fn report_of(
    plan: &LadderPlan,
    scale: Option<&Scale>,
    house: &[HouseBot],
    rungs: Vec<RungReport>,
    ended: RunEnd,
) -> LadderReport {
    let name = |outcome: RungOutcome| {
        let rung = rungs.iter().rfind(|rung| rung.outcome == outcome);
        rung.map(|rung| rung.rung.clone())
    };
    LadderReport {
        game: plan.settings.game.clone(),
        bot: plan.bot.name.clone(),
        rules: rules_in_words(&plan.settings.rules),
        reached: name(RungOutcome::Passed),
        failed: name(RungOutcome::Failed),
        rungs_of_the_ladder: house.len(),
        rating: scale.and_then(|scale| rating_on(scale, &rungs)),
        scale: scale.map(|scale| ScaleHead::of(scale, house)),
        lost: lost_games(&rungs),
        rungs,
        is_stopped: ended == RunEnd::Stopped,
    }
}

impl ScaleHead {
    fn of(scale: &Scale, house: &[HouseBot]) -> ScaleHead {
        let Scale { date, machine, rules, anchor, .. } = scale.clone();
        ScaleHead { date, machine, rules, anchor, games: scale.games, gaps: scale.gaps(house) }
    }
}

/// Where the replays of the rungs go: a folder for each, since games of two runs have the same names.
struct Replays {
    folder: Option<PathBuf>,
    /// It is removed in the end if nothing was left in it.
    _new: Option<NewFolder>,
}

impl Replays {
    /// Those of a climb are kept, so that lost games can be looked at: in a new folder, called by `stem`,
    /// unless the store has one or something else is wanted.
    fn of(means: &RunMeans, stem: impl FnOnce() -> String) -> Result<Replays, RunError> {
        let new = match (&means.replays, &means.store) {
            (ReplayWish::Usual, None) => {
                Some(NewFolder::make(&stem()).map_err(RunError::NewFolder)?)
            }
            _ => None,
        };
        let folder = match &means.replays {
            ReplayWish::All(folder) => Some(folder.clone()),
            ReplayWish::Usual | ReplayWish::None => None,
        };
        let folder = folder.or_else(|| new.as_ref().map(|new| new.path().to_owned()));
        Ok(Replays { folder, _new: new })
    }

    /// The means of the games of one rung.
    fn means_of(&self, means: &RunMeans, base: &str, rung: &str) -> RunMeans {
        let below = |folder: &Path| ReplayWish::All(folder.join(file_name_part(rung)));
        RunMeans {
            name: Some(format!("{base} {rung}")),
            replays: self.folder.as_deref().map_or(means.replays.clone(), below),
            ..means.clone()
        }
    }
}

/// Lets rungs meet and makes a scale of it.
///
/// # Errors
/// As [`run_comparison`].
pub fn run_calibration(
    plan: &CalibrationPlan,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<CalibrationReport>, RunError> {
    let house = plan.rungs()?;
    let base = means.run_name(plan.usual_name());
    let replays = match &means.replays {
        ReplayWish::All(folder) => Some(folder.clone()),
        ReplayWish::Usual | ReplayWish::None => None,
    };
    let replays = Replays { folder: replays, _new: None };
    let mut meetings = Vec::new();
    let mut met = Vec::new();
    for [lower, higher] in CalibrationPlan::meetings(house.len()) {
        let rungs = [&house[lower], &house[higher]];
        let pair = format!("{} {}", rungs[0].name, rungs[1].name);
        let means = replays.means_of(means, &base, &pair);
        let played = run_comparison(&plan.meeting(rungs, higher - lower), &means, progress, stop)?;
        progress.met(&played.report);
        meetings.push(played.report);
        met.push([lower, higher]);
        if played.ended == RunEnd::Stopped {
            let report = CalibrationReport { scale: None, meetings };
            return Ok(RunResult { report, ended: RunEnd::Stopped });
        }
    }
    let scale = Some(scale_of(plan, house, &met, &meetings));
    Ok(RunResult { report: CalibrationReport { scale, meetings }, ended: RunEnd::Over })
}

fn scale_of(
    plan: &CalibrationPlan,
    house: &[HouseBot],
    met: &[[usize; 2]],
    meetings: &[ComparisonReport],
) -> Scale {
    let ratings = ratings_of(house.len(), met, meetings);
    let anchor = Scale::anchor_of(house);
    let shift = Scale::ANCHOR_ELO - ratings[anchor].value;
    let rung = |(bot, rating): (&HouseBot, &Rating)| {
        let Rating { value, low, high } = *rating;
        let moved = Rating { value: value + shift, low: low + shift, high: high + shift };
        ScaleRung::new(bot.name, &moved)
    };
    let meeting = |(met, report): (&[usize; 2], &ComparisonReport)| ScaleMeeting {
        lower: house[met[0]].name.to_owned(),
        higher: house[met[1]].name.to_owned(),
        games: report.results.games(),
        points: report.results.points(),
        different: report.different_games,
        stronger_after: report.stronger_after,
    };
    Scale {
        game: plan.settings.game.clone(),
        date: today(),
        machine: machine::in_words(),
        rules: rules_in_words(&plan.settings.rules),
        games: meetings.iter().map(|meeting| meeting.results.games()).sum(),
        anchor: house[anchor].name.to_owned(),
        rungs: house.iter().zip(&ratings).map(rung).collect(),
        meetings: met.iter().zip(meetings).map(meeting).collect(),
    }
}

/// The ratings of rungs that met, in the order of the house.
fn ratings_of(rungs: usize, met: &[[usize; 2]], meetings: &[ComparisonReport]) -> Vec<Rating> {
    let place = |rung: usize| BotId(u32::try_from(rung).expect("a house has few bots"));
    let mut book = Book::new(place(rungs).0);
    for (&[lower, higher], meeting) in met.iter().zip(meetings) {
        // The results are those of the new version, which is the higher rung.
        let results = meeting.results.flipped();
        let copies = results.games().saturating_sub(meeting.different_games);
        let mut encounter = Encounter::new(results, [PerSeat::default(); 2], meeting.void);
        encounter.copies = copies;
        book.add_encounter(place(lower), place(higher), &encounter);
    }
    rate(&book, &RatingSettings::default())
}
