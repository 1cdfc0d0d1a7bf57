//! Plays a comparison, until it is decided.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use quintain_core::{Seat, Verdict};
use quintain_record::{MatchId, MatchRecord};
use quintain_referee::Stop;
use quintain_registry::{AnyGame, Spectator};
use quintain_store::{Errors, Filter};
use quintain_tournament::{
    Comparison, Form, MatchResult, NEW, OLD, PlannedMatch, Schedule, Score, Settings,
};

use super::progress::Session;
use super::{Progress, RunError, RunMeans, RunResult, Standing, StoredRun, rehearse};
use crate::arena::{Arena, file_name_part};
use crate::one_match::PlayedGame;
use crate::plan::{ComparisonPlan, PlanError, RunWish, derived_seeds, of_run, settings_of};
use crate::results::{
    ComparisonFacts, ComparisonReport, DisturbedAnswer, FailedMatch, LostMatch, comparison_report,
    disturbed_answers, disturbed_games, failures_in, played_again, replay_path,
};
use crate::slots::{RunEnd, Supervisor, Wish};

/// As many as a schedule can count: the test ends it.
const GAMES_WITHOUT_LIMIT: u32 = u32::MAX - 1;

/// From this many games on a test does not wait for its end if too many of them were disturbed: where all
/// are void there would be none.
const GAMES_TO_DESPAIR: u64 = 50;

/// So many of the games that the new version lost are named: whoever looks at more lists them.
const LOST_NAMED: usize = 20;

/// Plays until the question of the plan is answered, or it is stopped.
///
/// # Errors
/// The plan is wrong, a bot cannot be started, games cannot be played or kept.
pub fn run_comparison(
    plan: &ComparisonPlan,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<ComparisonReport>, RunError> {
    let game = plan.settings.game()?;
    let config = plan.settings.config(game)?;
    let bots = vec![plan.old.clone(), plan.new.clone()];
    rehearse(means, game, &bots)?;
    let kept = open(plan, means, game)?;
    let store = kept.as_ref().map(|kept| &kept.store);
    // It is removed in the end if nothing was left in it.
    let (replays, _folder) = means.kept_replays(kept.as_ref(), || {
        let [old, new] = [&plan.old, &plan.new].map(|bot| file_name_part(&bot.name));
        format!("compare-{}-{old}-{new}", plan.settings.game)
    })?;
    let arena = means.arena(&plan.settings, (game, config), bots, store, replays);
    let mut schedule = schedule_of(plan, game, kept.as_ref())?;
    let mut judge = Judge::new(plan, means, &arena, &schedule, progress);
    if let Some(kept) = &kept {
        judge.recall(kept, &mut schedule)?;
    }
    judge.progress.begun(&judge.session.head(kept.as_ref().map(|kept| kept.run.id())));
    let ended = if judge.is_over() {
        RunEnd::Enough
    } else {
        let run = kept.as_ref().map(|kept| &kept.run);
        let played = means.play(&arena, &mut schedule, run, stop, &mut judge);
        judge.progress.over();
        played?
    };
    judge.comparison.finish();
    let time = match &kept {
        Some(kept) => kept.store.played(kept.run.id())?,
        None => judge.session.began.elapsed(),
    };
    let facts = ComparisonFacts {
        game: game.facts().id,
        bots: [OLD, NEW].map(|bot| arena.name(bot)),
        failed: &judge.failed,
        lost: &judge.lost_games(),
        disturbed: &judge.disturbed,
        played_again: played_again(&judge.disturbed),
        is_forced: means.is_forced,
        is_stopped: ended == RunEnd::Stopped,
        time,
    };
    Ok(RunResult { report: comparison_report(&judge.comparison, &facts), ended })
}

fn open(
    plan: &ComparisonPlan,
    means: &RunMeans,
    game: &dyn AnyGame,
) -> Result<Option<StoredRun>, RunError> {
    let Some(address) = &means.store else { return Ok(None) };
    let name = means.run_name(plan.usual_name());
    // How many games are played and what stops them may change: what was played still counts.
    let more = settings_of(&derived_seeds(plan.settings.seed, game));
    let bots = [plan.old.clone(), plan.new.clone()];
    let wish = RunWish::of_comparison(plan);
    let kept = StoredRun::open(address, means, wish, || {
        plan.settings.run_plan(name, "compare", &bots, more)
    })?;
    Ok(Some(kept))
}

/// The seeds are those of the run to go on with.
fn schedule_of(
    plan: &ComparisonPlan,
    game: &dyn AnyGame,
    kept: Option<&StoredRun>,
) -> Result<Schedule, RunError> {
    let games = plan.games_max.unwrap_or(GAMES_WITHOUT_LIMIT);
    let seeds = derived_seeds(plan.settings.seed, game);
    let seeds = match kept {
        Some(kept) => of_run(seeds, kept.run.info()),
        None => seeds,
    };
    let settings = Settings { bots: 2, form: Form::RoundRobin, games, seeds };
    Schedule::new(settings).map_err(|error| PlanError::wrong("games", error).into())
}

/// The games of a comparison as they come in, and how it stands.
struct Judge<'a> {
    arena: &'a Arena,
    progress: &'a mut dyn Progress,
    comparison: Comparison,
    /// What went wrong in games.
    failed: Vec<FailedMatch>,
    /// The first games of the schedule that the new version lost.
    lost: BTreeMap<MatchId, LostMatch>,
    /// What this machine was too busy for.
    disturbed: Vec<DisturbedAnswer>,
    games_max: Option<u32>,
    time_max: Option<Duration>,
    is_forced: bool,
    session: Session,
}

impl<'a> Judge<'a> {
    fn new(
        plan: &ComparisonPlan,
        means: &RunMeans,
        arena: &'a Arena,
        schedule: &Schedule,
        progress: &'a mut dyn Progress,
    ) -> Judge<'a> {
        let mut comparison = Comparison::new(plan.question());
        if let Some(test) = plan.alongside {
            comparison.watch_alongside(test);
        }
        Judge {
            arena,
            progress,
            comparison,
            failed: Vec::new(),
            lost: BTreeMap::new(),
            disturbed: Vec::new(),
            games_max: plan.games_max,
            time_max: plan.time_max,
            is_forced: means.is_forced,
            session: Session::of(arena, schedule),
        }
    }

    /// Takes what was played before. Games beyond the plan's are of a longer comparison.
    fn recall(&mut self, kept: &StoredRun, schedule: &mut Schedule) -> Result<(), RunError> {
        let (store, run) = (&kept.store, kept.run.id());
        self.arena.forgiveness.recall(store, run)?;
        let mut lost = BTreeSet::new();
        for row in store.results(run, 0) {
            let result = MatchResult::from(&row?);
            if schedule.record(&result).is_ok() {
                self.comparison.add(&result);
                if is_lost(&result) && self.is_wanted(result.id) {
                    lost.insert(result.id);
                }
            }
            if lost.len() > LOST_NAMED {
                lost.pop_last();
            }
        }
        self.recall_losses(kept, lost)?;
        let failed = Filter { errors: Some(Errors::Any), ..Filter::default() };
        let disturbed = Filter { disturbed: Some(true), ..Filter::default() };
        for (filter, is_failed) in [(failed, true), (disturbed, false)] {
            for numbered in store.whole_games(run, &filter) {
                let (_, game) = numbered?;
                if !self.is_wanted(game.head.id) {
                    continue;
                }
                let replay = game.head.replay.as_deref().map(|path| replay_path(store, path));
                if is_failed {
                    self.add_failures(&game, replay.as_deref());
                } else {
                    self.add_disturbances(&game);
                }
            }
        }
        self.session = Session::of(self.arena, schedule);
        Ok(())
    }

    fn recall_losses(
        &mut self,
        kept: &StoredRun,
        mut wanted: BTreeSet<MatchId>,
    ) -> Result<(), RunError> {
        let (store, run) = (&kept.store, kept.run.id());
        let lost = Filter { bot: Some(NEW), verdict: Some(Verdict::Loss), ..Filter::default() };
        let mut listed = store.games(run, &lost);
        while !wanted.is_empty()
            && let Some(game) = listed.next().transpose()?
        {
            if wanted.remove(&game.head.id) {
                let replay = game.head.replay.as_deref().map(|path| replay_path(store, path));
                self.add_loss(&MatchResult::from(&game), game.head.seed, replay.as_deref());
            }
        }
        Ok(())
    }

    fn is_wanted(&self, id: MatchId) -> bool {
        let number = 2 * u64::from(id.round) + u64::from(id.swapped);
        self.games_max.is_none_or(|games| number < u64::from(games))
    }

    fn add_failures(&mut self, game: &MatchRecord, replay: Option<&Path>) {
        let name = |bot| self.arena.name(bot).to_owned();
        self.failed.extend(failures_in(game, name, replay));
    }

    /// Names the game if the new version lost it, and it is one of the first.
    fn add_loss(&mut self, result: &MatchResult, seed: i64, replay: Option<&Path>) {
        if !is_lost(result) {
            return;
        }
        let replay = replay.map(|path| path.display().to_string());
        self.lost.insert(result.id, LostMatch { game: result.id.to_string(), seed, replay });
        if self.lost.len() > LOST_NAMED {
            self.lost.pop_last();
        }
    }

    /// In the order of the schedule, whichever ended first, and without those that came after the end.
    fn lost_games(&self) -> Vec<LostMatch> {
        let counted = self.lost.iter().filter(|(game, _)| self.comparison.counts(**game));
        counted.map(|(_, lost)| lost.clone()).collect()
    }

    fn add_disturbances(&mut self, game: &MatchRecord) {
        let name = |bot| self.arena.name(bot).to_owned();
        let folder = self.arena.store_folder.as_deref().unwrap_or(Path::new(""));
        let answers = disturbed_answers(game, name, |stored| folder.join(stored));
        self.disturbed.extend(answers);
    }

    /// Whether no further game is begun.
    fn is_over(&self) -> bool {
        let is_late = self.time_max.is_some_and(|most| self.session.began.elapsed() >= most);
        self.comparison.has_ended() || self.is_hopeless() || is_late
    }

    /// Whether a test will not come to an end that is worth waiting for.
    fn is_hopeless(&self) -> bool {
        let disturbed = disturbed_games(&self.comparison, played_again(&self.disturbed));
        let is_refused = !self.is_forced && disturbed.are_too_many();
        self.comparison.sprt().is_some() && disturbed.games >= GAMES_TO_DESPAIR && is_refused
    }
}

impl Supervisor for Judge<'_> {
    fn spectator(&mut self, next: &PlannedMatch) -> Box<dyn Spectator> {
        self.progress.spectator(next)
    }

    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.session.count();
        let result = MatchResult::from(&game.record);
        self.comparison.add(&result);
        self.add_loss(&result, game.record.head.seed, game.replay.as_deref());
        self.add_failures(&game.record, game.replay.as_deref());
        self.add_disturbances(&game.record);
        let standing = Standing::Comparison(&self.comparison);
        let wish = self.progress.played(game, &self.session.now(standing, 0));
        if self.is_over() { Wish::Enough } else { wish }
    }

    fn tick(&mut self, running: u64) {
        let standing = Standing::Comparison(&self.comparison);
        self.progress.tick(&self.session.now(standing, running));
    }
}

/// Whether the new version lost the game.
fn is_lost(result: &MatchResult) -> bool {
    let seat = if result.bots[Seat::First] == NEW { Seat::First } else { Seat::Second };
    result.finish.score(seat) == Some(Score::Loss)
}
