//! What a store knows of a bot, by its name: how strong it was in each run, how it fared against whom, what it did
//! wrong, and what it said about itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_record::BotId;
use quintain_store::{RunId, RunInfo, Store, StoreError, TagSpread};
use quintain_tournament::{Book, ErrorCounts, Rating, RatingSettings, Standings, standings};

use super::{TagSums, book_of, bot_name};

/// Parts of the range of a tag's values.
const PARTS: u32 = 16;
/// As many names of tags are summed up; a bot may use any number.
const TAGS_MAX: usize = 12;

/// Everything that is shown of a bot.
#[derive(Clone, Debug)]
pub struct BotReport {
    pub bot: String,
    /// The latest last.
    pub runs: Vec<BotRun>,
    /// Runs that are not looked at, since there are so many later ones.
    pub earlier_runs: usize,
    pub opponents: Vec<BotOpponent>,
    /// Games with errors of each kind.
    pub errors: ErrorCounts,
    pub tags: Vec<BotTag>,
}

/// A bot in one run.
#[derive(Clone, Debug)]
pub struct BotRun {
    pub run: RunInfo,
    pub games: u64,
    /// Won, drawn, lost.
    pub results: [u64; 3],
    /// Among the bots of this run; `None` if it has not played.
    pub rating: Option<Rating>,
}

/// A bot against another one in all runs of a game.
#[derive(Clone, Debug)]
pub struct BotOpponent {
    pub opponent: String,
    pub game: String,
    /// Won, drawn, lost.
    pub results: [u64; 3],
}

/// Numbers that a bot gave one name.
#[derive(Clone, Debug)]
pub struct BotTag {
    pub sums: TagSums,
    /// How many values lie in each of equal parts between the least and the greatest.
    pub parts: Vec<u64>,
}

/// The results of a run by bot, with their ratings: what takes a while where there are many games.
#[derive(Clone, Debug)]
pub struct RunSums {
    book: Book,
    standings: Standings,
}

impl RunSums {
    /// # Errors
    /// The store cannot be read.
    pub fn new(store: &Store, run: &RunInfo) -> Result<RunSums, StoreError> {
        let bots = u32::try_from(run.plan.bots.len()).unwrap_or(u32::MAX);
        let book = book_of(store, run.id, bots)?;
        let standings = standings(&book, &RatingSettings::default());
        Ok(RunSums { book, standings })
    }
}

/// What a store knows of a bot from its latest runs, so many of them; `None` if nobody has that name. `sums` gives
/// those of a run, which whoever asks often may have kept.
///
/// # Errors
/// The store cannot be read.
pub fn bot_report(
    store: &Store,
    bot: &str,
    runs_max: usize,
    sums: impl Fn(&RunInfo) -> Result<Arc<RunSums>, StoreError>,
) -> Result<Option<BotReport>, StoreError> {
    let runs = store.runs()?.into_iter();
    let runs: Vec<(RunInfo, BotId)> =
        runs.filter_map(|run| run.place_of(bot).map(|place| (run, place))).collect();
    if runs.is_empty() {
        return Ok(None);
    }
    let earlier_runs = runs.len().saturating_sub(runs_max);
    let mut gathering = Gathering::default();
    for (run, place) in runs.into_iter().skip(earlier_runs) {
        gathering.add_tags(store, &run, place)?;
        let sums = sums(&run)?;
        gathering.add_results(&sums, run, place);
    }
    let opponent = |((opponent, game), results)| BotOpponent { opponent, game, results };
    Ok(Some(BotReport {
        bot: bot.to_owned(),
        earlier_runs,
        opponents: gathering.opponents.into_iter().map(opponent).collect(),
        errors: gathering.errors,
        tags: tags(store, bot, &gathering.tags)?,
        runs: gathering.runs,
    }))
}

/// What comes together run by run.
#[derive(Default)]
struct Gathering {
    runs: Vec<BotRun>,
    /// By name and game.
    opponents: BTreeMap<(String, String), [u64; 3]>,
    errors: ErrorCounts,
    tags: BTreeMap<String, Said>,
}

/// What a bot said under one name, and in which runs.
type Said = (TagSpread, Vec<(RunId, BotId)>);

impl Gathering {
    fn add_results(&mut self, sums: &RunSums, run: RunInfo, place: BotId) {
        for other in BotId::all(sums.book.bots()).filter(|other| *other != place) {
            let tally = sums.book.against(place, other);
            if tally.games() > 0 {
                let key = (bot_name(&run, other), run.plan.game.clone());
                let sums = self.opponents.entry(key).or_default();
                for (sum, count) in sums.iter_mut().zip([tally.wins, tally.draws, tally.losses]) {
                    *sum += count;
                }
            }
        }
        let rows = &sums.standings.rows;
        let own = rows.iter().find(|row| row.bot == place).filter(|row| row.tally.games() > 0);
        let tally = own.map(|row| row.tally).unwrap_or_default();
        for (kind, count) in tally.errors.iter() {
            self.errors.add(kind, count);
        }
        self.runs.push(BotRun {
            games: tally.games(),
            results: [tally.wins, tally.draws, tally.losses],
            rating: own.map(|row| row.rating),
            run,
        });
    }

    fn add_tags(&mut self, store: &Store, run: &RunInfo, place: BotId) -> Result<(), StoreError> {
        for spread in store.tag_spreads_of(run.id, place)? {
            match self.tags.get_mut(&spread.name) {
                Some((sum, places)) => {
                    sum.add(&spread);
                    places.push((run.id, place));
                }
                None => {
                    let places = vec![(run.id, place)];
                    self.tags.insert(spread.name.clone(), (spread, places));
                }
            }
        }
        Ok(())
    }
}

fn tags(
    store: &Store,
    bot: &str,
    spreads: &BTreeMap<String, Said>,
) -> Result<Vec<BotTag>, StoreError> {
    let mut tags = Vec::new();
    for (name, (spread, places)) in spreads.iter().take(TAGS_MAX) {
        let mut parts = vec![0; PARTS as usize];
        for &(run, place) in places {
            let range = [spread.least, spread.most];
            let counts = store.tag_parts(run, place, name, range, PARTS)?;
            parts.iter_mut().zip(counts).for_each(|(part, count)| *part += count);
        }
        tags.push(BotTag { sums: TagSums::of(bot.to_owned(), name.clone(), spread), parts });
    }
    Ok(tags)
}
