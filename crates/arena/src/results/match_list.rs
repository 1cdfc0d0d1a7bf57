//! The matches of a store, and what they come to. The database counts, so that a million matches need not be
//! read for that.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::{ErrorKind, PerSeat, Verdict};
use quintain_record::{BotId, Ending, MatchRecord, SeatError, Tag};
use quintain_store::{Filter, Results, RunId, RunInfo, Store, StoreError, TagSpread};
use serde::Serialize;

use super::{DisturbedAnswer, bot_name, disturbed_answers, replay_path};

/// A match with the names of everything that the store keeps as a number.
#[derive(Clone, Debug, Serialize)]
pub struct ListedMatch {
    pub run: String,
    #[serde(skip)]
    pub run_id: RunId,
    pub number: u64,
    pub id: String,
    pub bots: PerSeat<String>,
    pub seed: i64,
    /// `None` if it is void.
    pub verdicts: Option<PerSeat<Verdict>>,
    pub scores: Option<PerSeat<i64>>,
    pub reason: String,
    pub turns: u32,
    pub errors: Vec<ListedError>,
    pub tags: Vec<ListedTag>,
    pub disturbed: Vec<DisturbedAnswer>,
    pub replay: Option<String>,
}

/// What a bot did wrong.
#[derive(Clone, Debug, Serialize)]
pub struct ListedError {
    pub bot: String,
    pub error: ErrorKind,
    pub times: u32,
    pub text: String,
}

/// What a bot said about itself, or about the match.
#[derive(Clone, Debug, Serialize)]
pub struct ListedTag {
    pub name: String,
    pub bot: Option<String>,
    pub turn: Option<u32>,
    pub value: String,
}

/// What matches come to.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSums {
    pub games: u64,
    pub void: u64,
    pub bots: Vec<BotSums>,
    pub tags: Vec<TagSums>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BotSums {
    pub bot: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// The values that a bot gave under a name.
#[derive(Clone, Debug, Serialize)]
pub struct TagSums {
    pub bot: String,
    pub name: String,
    pub count: u64,
    pub mean: f64,
    pub deviation: f64,
    pub least: f64,
    pub most: f64,
}

impl TagSums {
    pub(super) fn of(bot: String, name: String, spread: &TagSpread) -> TagSums {
        TagSums {
            bot,
            name,
            count: spread.count,
            mean: spread.mean,
            deviation: spread.deviation(),
            least: spread.least,
            most: spread.most,
        }
    }
}

/// Which matches of a store are asked for, runs and bots by their names.
#[derive(Clone, Debug, Default)]
pub struct MatchChoice {
    pub run: Option<String>,
    pub bot: Option<String>,
    pub opponent: Option<String>,
    /// The rest of it.
    pub filter: Filter,
}

/// Why no match can be chosen.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    #[error("expected one of {known}, found `{name}`")]
    Unknown { field: &'static str, known: String, name: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl MatchChoice {
    /// The runs in which everybody plays who is asked for, each with the filter for its matches.
    ///
    /// # Errors
    /// There is no such run, or nobody of that name plays in any.
    pub fn runs(&self, store: &Store) -> Result<Vec<(RunInfo, Filter)>, ChoiceError> {
        let mut runs = store.runs()?;
        if let Some(name) = &self.run {
            let known: Vec<String> = runs.iter().map(|run| run.plan.name.clone()).collect();
            runs.retain(|run| run.plan.name == *name);
            if runs.is_empty() {
                let (known, name) = (known.join(", "), name.clone());
                return Err(ChoiceError::Unknown { field: "run", known, name });
            }
        }
        check_plays("bot", self.bot.as_deref(), &runs)?;
        check_plays("opponent", self.opponent.as_deref(), &runs)?;
        let with_filter = |run: RunInfo| Some((self.filter_of(&run)?, run));
        Ok(runs.into_iter().filter_map(with_filter).map(|(filter, run)| (run, filter)).collect())
    }

    /// `None` if nobody who is asked for plays in the run.
    fn filter_of(&self, run: &RunInfo) -> Option<Filter> {
        let place = |name: &Option<String>| match name {
            Some(name) => run.place_of(name).map(Some),
            None => Some(None),
        };
        let (bot, opponent) = (place(&self.bot)?, place(&self.opponent)?);
        Some(Filter { bot, opponent, ..self.filter.clone() })
    }
}

fn check_plays(
    field: &'static str,
    name: Option<&str>,
    runs: &[RunInfo],
) -> Result<(), ChoiceError> {
    let Some(name) = name else { return Ok(()) };
    if runs.iter().any(|run| run.place_of(name).is_some()) {
        return Ok(());
    }
    let bots = runs.iter().flat_map(|run| &run.plan.bots).map(|bot| bot.name.as_str());
    let known: BTreeSet<&str> = bots.collect();
    let known = known.into_iter().collect::<Vec<_>>().join(", ");
    Err(ChoiceError::Unknown { field, known, name: name.to_owned() })
}

/// The matches of runs that filters let through, read page by page.
pub fn matches_of<'a>(
    store: &'a Store,
    chosen: &'a [(RunInfo, Filter)],
) -> impl Iterator<Item = Result<ListedMatch, StoreError>> + 'a {
    chosen.iter().flat_map(move |(run, filter)| {
        let games = store.whole_games(run.id, filter);
        games.map(move |game| Ok(listed(store, run, game?)))
    })
}

/// A page of matches, the latest first.
#[derive(Clone, Debug)]
pub struct MatchPage {
    pub matches: Vec<ListedMatch>,
    /// Where the next page begins, if there may be one: before the match of a run and a number. A page may end
    /// before it is full, since enough games were looked at for it.
    pub next: Option<(RunId, u64)>,
}

/// How much of a store is looked at for a page.
#[derive(Clone, Copy, Debug)]
pub struct PageSize {
    pub matches: usize,
    /// Games that are looked at one by one, where no index leads to those that are wanted.
    pub searched: u64,
}

/// The latest matches of runs that filters let through, before the one of a run and a number if there is one.
///
/// # Errors
/// The store cannot be read.
pub fn latest_matches(
    store: &Store,
    chosen: &[(RunInfo, Filter)],
    before: Option<(RunId, u64)>,
    size: PageSize,
) -> Result<MatchPage, StoreError> {
    let mut matches: Vec<ListedMatch> = Vec::new();
    let mut left = size.searched;
    for (run, filter) in chosen.iter().rev() {
        let end = match before {
            Some((later, _)) if run.id > later => continue,
            Some((same, number)) if run.id == same => number.min(run.games + 1),
            _ => run.games + 1,
        };
        let is_all = filter.is_indexed() || *filter == Filter::default();
        let start = if is_all { 1 } else { end.saturating_sub(left).max(1) };
        left -= if is_all { 0 } else { end.saturating_sub(start).min(left) };
        let missing = u32::try_from(size.matches - matches.len()).unwrap_or(u32::MAX);
        let games = store.latest_games(run.id, filter, start..end, missing)?;
        matches.extend(games.into_iter().map(|game| listed(store, run, game)));
        if matches.len() >= size.matches {
            let next = matches.last().map(|last| (last.run_id, last.number));
            return Ok(MatchPage { matches, next });
        }
        if start > 1 {
            return Ok(MatchPage { matches, next: Some((run.id, start)) });
        }
    }
    Ok(MatchPage { matches, next: None })
}

fn listed(store: &Store, run: &RunInfo, (number, game): (u64, MatchRecord)) -> ListedMatch {
    let head = &game.head;
    let bots = head.bots.map(|_, bot| bot_name(run, bot));
    let path = |stored: &str| replay_path(store, stored);
    let scored = match &head.ending {
        Ending::Scored(scored) => Some(scored),
        Ending::Void(_) => None,
    };
    let error = |error: &SeatError| ListedError {
        bot: bots[error.seat].clone(),
        error: error.kind,
        times: error.times,
        text: error.text.clone(),
    };
    let tag = |tag: &Tag| ListedTag {
        name: tag.name.clone(),
        bot: tag.seat.map(|seat| bots[seat].clone()),
        turn: tag.turn,
        value: tag.value.clone(),
    };
    ListedMatch {
        run: run.plan.name.clone(),
        run_id: run.id,
        number,
        id: head.id.to_string(),
        seed: head.seed,
        verdicts: scored.map(|scored| scored.verdicts),
        scores: scored.map(|scored| scored.scores),
        reason: head.ending.reason().to_owned(),
        turns: head.turns,
        errors: game.errors.iter().map(error).collect(),
        tags: game.tags.iter().map(tag).collect(),
        disturbed: disturbed_answers(&game, |bot| bot_name(run, bot), path),
        replay: head.replay.as_deref().map(|stored| path(stored).display().to_string()),
        bots,
    }
}

/// What the matches of runs come to that filters let through. With a bot in a filter it is about that one
/// alone.
///
/// # Errors
/// The store cannot be read.
pub fn sums_of(store: &Store, chosen: &[(RunInfo, Filter)]) -> Result<MatchSums, StoreError> {
    let (mut games, mut void) = (0, 0);
    let mut results: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    let mut tags: BTreeMap<(String, String), TagSpread> = BTreeMap::new();
    for (run, filter) in chosen {
        let is_asked_for = |bot: BotId| filter.bot.is_none_or(|only| only == bot);
        for pair in store.tally_of(run.id, filter)? {
            games += pair.games() + pair.voids;
            void += pair.voids;
            let lower = pair.results();
            let higher = Results { wins: lower.losses, losses: lower.wins, ..lower };
            for (bot, of_bot) in pair.bots.into_iter().zip([lower, higher]) {
                if is_asked_for(bot) && of_bot.games() > 0 {
                    let sums = results.entry(bot_name(run, bot)).or_default();
                    sums[0] += of_bot.wins;
                    sums[1] += of_bot.draws;
                    sums[2] += of_bot.losses + of_bot.lost_by_both;
                }
            }
        }
        for spread in store.tag_spreads(run.id, filter)? {
            if is_asked_for(spread.bot) {
                let key = (bot_name(run, spread.bot), spread.name.clone());
                tags.entry(key).and_modify(|sum| sum.add(&spread)).or_insert(spread);
            }
        }
    }
    let bot_sums =
        |(bot, [wins, draws, losses]): (String, [u64; 3])| BotSums { bot, wins, draws, losses };
    let tag_sums =
        |((bot, name), spread): ((String, String), TagSpread)| TagSums::of(bot, name, &spread);
    let (bots, tags) = (results.into_iter().map(bot_sums), tags.into_iter().map(tag_sums));
    Ok(MatchSums { games, void, bots: bots.collect(), tags: tags.collect() })
}
