//! The door: opening a store, beginning runs, and everything that reads.

use std::fmt;
use std::future::Future;
use std::num::ParseIntError;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use quintain_record::{BotId, MatchId, MatchRecord};
use sqlx::{AnyConnection, AnyPool, Connection};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::engine::{self, Missing, failed};
use crate::filter::Filter;
use crate::list;
use crate::lock;
use crate::pages::{Games, WholeGames};
use crate::plan::{BotEntry, RunInfo, RunPlan};
use crate::spread::{self, TagSpread};
use crate::statement::{Columns, Statement};
use crate::store_address::StoreAddress;
use crate::tally::{self, Copies, FaultTally, PairTally};
use crate::{Finished, ResultRows, Run, StoreError, finished, whole};

/// Another process can take the id of a new run first; not often in a row.
const BEGIN_ATTEMPTS: u32 = 20;

/// A run's number in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub(crate) i64);

impl RunId {
    pub fn number(self) -> i64 {
        self.0
    }
}

/// As [`RunId`] is shown.
impl FromStr for RunId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<RunId, ParseIntError> {
        text.parse().map(RunId)
    }
}

/// An open store. Clones are the same store.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    place: StoreAddress,
    pool: AnyPool,
    runtime: Runtime,
}

impl Store {
    /// Opens a store and makes it if there is none: a path or `sqlite:PATH` for a file,
    /// `postgres://USER:PASSWORD@HOST/DATABASE` for an existing database of a server.
    ///
    /// Tables of an older quintain are brought up to date. A SQLite file must be on a disk of this
    /// machine, since its locks do not work over a network.
    pub fn open(place: &str) -> Result<Store, StoreError> {
        Store::open_with(place, Missing::Make)
    }

    /// Opens a store that must be there, for commands that only read. A file is read even where nothing
    /// may be written.
    pub fn open_existing(place: &str) -> Result<Store, StoreError> {
        Store::open_with(place, Missing::Refuse)
    }

    /// Sets a limit to the memory that SQLite takes in this process: a file of a stranger can hold values of
    /// any size. A value that does not fit is told as damage. For programs that only look into stores, before
    /// the first is opened.
    pub fn be_wary() {
        engine::be_wary();
    }

    fn open_with(given: &str, missing: Missing) -> Result<Store, StoreError> {
        let place = resolved(StoreAddress::parse(given)?);
        let runtime = Store::runtime(&place)?;
        let (pool, place) = runtime.block_on(engine::open(place, missing))?;
        Ok(Store(Arc::new(Inner { place, pool, runtime })))
    }

    /// Where the store is, as it may be shown: without a password.
    pub fn place(&self) -> String {
        self.0.place.to_string()
    }

    /// The folder of a store in a file, for replays beside it.
    pub fn folder(&self) -> Option<PathBuf> {
        self.0.place.file()?.parent().map(PathBuf::from)
    }

    /// What all of its tables and indexes take on a disk.
    ///
    /// # Errors
    /// The database fails.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let query = match self.0.place.file() {
            Some(_) => {
                "SELECT CAST(page_count * page_size AS BIGINT) \
                 FROM pragma_page_count(), pragma_page_size()"
            }
            None => "SELECT pg_database_size(current_database())",
        };
        self.block("measure the store", async {
            Columns::of(&sqlx::query(query).fetch_one(self.pool()).await?).count()
        })
    }

    /// Begins a run, or goes on with the one of this name if it was begun with the same plan.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`] if the plan is another, [`StoreError::Busy`] if the run is being
    /// played, [`StoreError::Invalid`] if it cannot be a run.
    pub fn begin(&self, plan: &RunPlan) -> Result<Run, StoreError> {
        let plan = plan.checked()?;
        let mut is_new = false;
        for _ in 0..BEGIN_ATTEMPTS {
            is_new |= self.block("begin the run", create(&self.0.pool, &plan))?;
            let Some(info) = self.find_run(&plan.name)? else { continue };
            let differences = info.plan.differences(&plan);
            if !differences.is_empty() || info.plan.fingerprint() != plan.fingerprint() {
                return Err(StoreError::Changed { run: plan.name, differences });
            }
            return Run::start(self.clone(), info, is_new);
        }
        let (place, reason) = (self.place(), "other runs are begun all the time".to_owned());
        Err(StoreError::Failed { doing: "begin the run", place, reason })
    }

    /// All runs, in the order in which they were begun.
    pub fn runs(&self) -> Result<Vec<RunInfo>, StoreError> {
        self.block("list the runs", runs(&self.0.pool, Wanted::All))
    }

    pub fn find_run(&self, name: &str) -> Result<Option<RunInfo>, StoreError> {
        Ok(self.block("look for the run", runs(&self.0.pool, Wanted::Named(name)))?.pop())
    }

    pub fn run_of(&self, id: RunId) -> Result<Option<RunInfo>, StoreError> {
        Ok(self.block("look for the run", runs(&self.0.pool, Wanted::Of(id)))?.pop())
    }

    /// Whether somebody has the right to add games to a run at this moment.
    pub fn is_played(&self, run: RunId) -> Result<bool, StoreError> {
        self.block("look who plays", lock::is_taken(&self.0.place, &self.0.pool, run))
    }

    /// Takes a run out of the store with all of its games; replays stay where they are. `false` if
    /// there is none of this name. A run that is being played is [`StoreError::Busy`].
    pub fn remove_run(&self, name: &str) -> Result<bool, StoreError> {
        let Some(info) = self.find_run(name)? else { return Ok(false) };
        let run = Run::start(self.clone(), info, false)?;
        let query = sqlx::query("DELETE FROM runs WHERE id = $1").bind(run.id().0);
        let removed = self.block("remove the run", async { query.execute(&self.0.pool).await })?;
        Ok(removed.rows_affected() > 0)
    }

    /// What has been played, void games included.
    pub fn finished(&self, run: RunId) -> Result<Finished, StoreError> {
        self.block("list what was played", finished::finished(&self.0.pool, run))
    }

    /// What standings need: results by pair of bots. They are kept, so that a million games take milliseconds.
    pub fn tally(&self, run: RunId) -> Result<Vec<PairTally>, StoreError> {
        self.block("count the results", tally::tally(&self.0.pool, run))
    }

    /// The same over the games that a filter lets through, without pairs: a filter can let one game
    /// of a pair through, so all of them count as single.
    pub fn tally_of(&self, run: RunId, filter: &Filter) -> Result<Vec<PairTally>, StoreError> {
        self.block("count the results", tally::tally_of(&self.0.pool, run, filter))
    }

    /// How often each bot failed, by kind, in games that count.
    pub fn faults(&self, run: RunId) -> Result<Vec<FaultTally>, StoreError> {
        self.block("count the faults", tally::faults(&self.0.pool, run))
    }

    /// How many games that count are copies of others, by who had which seat.
    pub fn copies(&self, run: RunId) -> Result<Vec<Copies>, StoreError> {
        self.block("count the different games", tally::copies(&self.0.pool, run))
    }

    /// The games that a filter lets through, in the order in which they were recorded. They are read
    /// in pieces: a million games never are in memory at once.
    pub fn games(&self, run: RunId, filter: &Filter) -> Games {
        Games::new(self.clone(), run, filter.clone(), list::read_page)
    }

    /// The results of a run's games after the one of a number, and no more of them: it takes a tenth of the
    /// time.
    pub fn results(&self, run: RunId, after: u64) -> ResultRows {
        ResultRows::after(self.clone(), run, after)
    }

    /// The same games with everything that is kept of them.
    pub fn whole_games(&self, run: RunId, filter: &Filter) -> WholeGames {
        Games::new(self.clone(), run, filter.clone(), whole::read_page)
    }

    /// The latest games that a filter lets through, of those whose numbers lie in a range, with everything that
    /// is kept of them. The latest comes first. So many are read at most.
    pub fn latest_games(
        &self,
        run: RunId,
        filter: &Filter,
        numbers: Range<u64>,
        count: u32,
    ) -> Result<Vec<(u64, MatchRecord)>, StoreError> {
        let latest = whole::latest(&self.0.pool, run, filter, numbers, count);
        self.block("list the games", latest)
    }

    /// The numbers that bots gave in the games that a filter lets through, by bot and name.
    pub fn tag_spreads(&self, run: RunId, filter: &Filter) -> Result<Vec<TagSpread>, StoreError> {
        self.block("sum up the tags", spread::tag_spreads(&self.0.pool, run, filter))
    }

    /// The numbers that a bot gave in all of its games, by name: an index leads to them.
    pub fn tag_spreads_of(&self, run: RunId, bot: BotId) -> Result<Vec<TagSpread>, StoreError> {
        self.block("sum up the tags", spread::tag_spreads_of(&self.0.pool, run, bot))
    }

    /// How many of the numbers that a bot gave a name lie in each of equal parts of a range.
    pub fn tag_parts(
        &self,
        run: RunId,
        bot: BotId,
        name: &str,
        range: [f64; 2],
        parts: u32,
    ) -> Result<Vec<u64>, StoreError> {
        let query = spread::tag_parts(&self.0.pool, run, bot, name, range, parts);
        self.block("sort the tags", query)
    }

    /// How long the run has been played, all sessions together, each up to its latest game. Of one
    /// that is being played it may lag behind a little: see [`crate::Run::note_time`].
    pub fn played(&self, run: RunId) -> Result<Duration, StoreError> {
        let query = sqlx::query(
            "SELECT CAST(COALESCE(SUM(played_us), 0) AS BIGINT) FROM sessions WHERE run = $1",
        );
        let played = self.block("add up the time", async {
            let row = query.bind(run.0).fetch_one(&self.0.pool).await?;
            Columns::of(&row).count()
        })?;
        Ok(Duration::from_micros(played))
    }

    /// How many games a filter lets through.
    pub fn count(&self, run: RunId, filter: &Filter) -> Result<u64, StoreError> {
        self.block("count the games", list::count(&self.0.pool, run, filter))
    }

    /// Everything about one game, by its number.
    pub fn game(&self, run: RunId, number: u64) -> Result<Option<MatchRecord>, StoreError> {
        self.block("read the game", async {
            let mut connection = self.0.pool.acquire().await?;
            list::game_numbered(&mut connection, run, number).await
        })
    }

    /// Everything about one game, by its identity.
    pub fn game_of(&self, run: RunId, id: MatchId) -> Result<Option<MatchRecord>, StoreError> {
        self.block("read the game", async {
            let mut connection = self.0.pool.acquire().await?;
            list::game_of(&mut connection, run, id).await
        })
    }

    /// The number of a game, by its identity.
    pub fn number_of(&self, run: RunId, id: MatchId) -> Result<Option<u64>, StoreError> {
        self.block("find the game", list::number_of(&self.0.pool, run, id))
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// It does not.
    pub fn ping(&self) -> Result<(), StoreError> {
        let ask = async { sqlx::query("SELECT 1").execute(self.pool()).await.map(|_| ()) };
        self.block("reach the database", ask)
    }

    pub(crate) fn place_of(&self) -> &StoreAddress {
        &self.0.place
    }

    pub(crate) fn pool(&self) -> &AnyPool {
        &self.0.pool
    }

    /// Waits for the database; `doing` is for the message if it fails.
    pub(crate) fn block<T>(
        &self,
        doing: &'static str,
        future: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        self.0.runtime.block_on(future).map_err(|error| self.failed(doing, &error))
    }

    /// What went wrong here.
    pub(crate) fn failed(&self, doing: &'static str, error: &sqlx::Error) -> StoreError {
        failed(&self.0.place, doing, error)
    }

    pub(crate) fn runtime(place: &StoreAddress) -> Result<Runtime, StoreError> {
        Builder::new_current_thread().enable_all().build().map_err(|error| {
            let (place, reason) = (place.to_string(), error.to_string());
            StoreError::Open { place, reason }
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The last one to close a SQLite file tidies its log away. Nothing is lost without it.
        if Handle::try_current().is_err() {
            self.runtime.block_on(self.pool.close());
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.0.place)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The same path for the same file however it was named, so that its locks are the same. What does
/// not exist keeps its name; opening it says what is wrong.
fn resolved(place: StoreAddress) -> StoreAddress {
    let StoreAddress::File(path) = place else { return place };
    let whole = std::fs::canonicalize(&path).ok();
    let in_folder = || {
        let folder = std::fs::canonicalize(path.parent()?).ok()?;
        Some(folder.join(path.file_name()?))
    };
    StoreAddress::File(whole.or_else(in_folder).unwrap_or(path))
}

/// Writes a run and its bots unless there is one of its name; whether it did.
async fn create(pool: &AnyPool, plan: &RunPlan) -> Result<bool, sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let mut transaction = connection.begin().await?;
    let query = sqlx::query(
        "INSERT INTO runs (id, name, kind, game, settings, fingerprint, created_ms) \
         SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, $4, $5, $6 FROM runs WHERE true \
         ON CONFLICT DO NOTHING",
    );
    let query = query.bind(plan.name.clone()).bind(plan.kind.clone()).bind(plan.game.clone());
    let query = query.bind(plan.settings.clone()).bind(plan.fingerprint()).bind(now_ms());
    let is_new = query.execute(&mut *transaction).await?.rows_affected() > 0;
    if is_new {
        create_bots(&mut transaction, plan).await?;
    }
    transaction.commit().await?;
    Ok(is_new)
}

async fn create_bots(connection: &mut AnyConnection, plan: &RunPlan) -> Result<(), sqlx::Error> {
    for (bot, place) in plan.bots.iter().zip(0_i64..) {
        let query = sqlx::query(
            "INSERT INTO bots (run, place, name, spec) \
             SELECT id, $1, $2, $3 FROM runs WHERE name = $4",
        );
        let query = query.bind(place).bind(bot.name.clone()).bind(bot.spec.clone());
        query.bind(plan.name.clone()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Which runs are looked for.
enum Wanted<'a> {
    All,
    Named(&'a str),
    Of(RunId),
}

async fn runs(pool: &AnyPool, wanted: Wanted<'_>) -> Result<Vec<RunInfo>, sqlx::Error> {
    // Games are numbered from 1 and never removed one by one, so that the last number is their count.
    let mut statement = Statement::new(
        "SELECT id, name, kind, game, settings, created_ms, \
         (SELECT COALESCE(MAX(number), 0) FROM games WHERE games.run = runs.id), wish FROM runs",
    );
    match wanted {
        Wanted::All => &mut statement,
        Wanted::Named(name) => statement.sql(" WHERE name = ").value(name),
        Wanted::Of(id) => statement.sql(" WHERE id = ").value(id.0),
    };
    statement.sql(" ORDER BY id");
    let mut infos = Vec::new();
    for row in statement.query().fetch_all(pool).await? {
        let mut columns = Columns::of(&row);
        let id = RunId(columns.whole()?);
        let [name, kind, game, settings] =
            [columns.text()?, columns.text()?, columns.text()?, columns.text()?];
        let (created_ms, games) = (columns.whole()?, columns.count()?);
        let wish = columns.text_or_none()?;
        let bots = bots(pool, id).await?;
        let plan = RunPlan { name, kind, game, settings, bots };
        infos.push(RunInfo { id, plan, created_ms, games, wish });
    }
    Ok(infos)
}

async fn bots(pool: &AnyPool, run: RunId) -> Result<Vec<BotEntry>, sqlx::Error> {
    let query = sqlx::query("SELECT name, spec FROM bots WHERE run = $1 ORDER BY place");
    let rows = query.bind(run.0).fetch_all(pool).await?;
    let entry = |row| {
        let mut columns = Columns::of(row);
        Ok(BotEntry { name: columns.text()?, spec: columns.text()? })
    };
    rows.iter().map(entry).collect()
}

/// The time as games and runs keep it, in milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
