//! Counts, as standings need them.

use std::collections::BTreeMap;

use quintain_core::ErrorKind;
use quintain_record::BotId;
use sqlx::AnyPool;
use sqlx::any::AnyRow;

use crate::statement::{Columns, Statement};
use crate::sums::IS_COPY;
use crate::{Filter, RunId};

/// What two bots did against each other, in all rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairTally {
    /// Their places, the lower one first. Everything below is from its view.
    pub bots: [BotId; 2],
    /// Games in which the lower one had the first seat, and those in which it had the second.
    pub by_seat: [Results; 2],
    /// Pentanomial counts: pairs (one seed, both seats) in which the lower one made 0, 1/2, 1, 3/2
    /// and 2 points. A game that both lost is half a point for each, as their ranks are equal.
    pub pairs: [u64; 5],
    /// Games without their counterpart, by 0, 1/2 and 1 points.
    pub singles: [u64; 3],
    /// Games that do not count.
    pub voids: u64,
}

/// Results of games from the view of one bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Games that both lost, as when both are disqualified; not among the losses.
    pub lost_by_both: u64,
}

/// How often a bot made one kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultTally {
    pub bot: BotId,
    pub kind: ErrorKind,
    /// Games in which it happened.
    pub games: u64,
    /// How often it happened.
    pub times: u64,
}

/// How many games of two bots, with the seats as told, are copies of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// Who had the first seat, and who the second.
    pub bots: [BotId; 2],
    /// Games that count and that another one equals in everything that was played, the first one of each
    /// kind not included.
    pub games: u64,
}

impl PairTally {
    /// Games that count.
    pub fn games(&self) -> u64 {
        self.by_seat.iter().map(Results::games).sum()
    }

    /// Both seats together.
    pub fn results(&self) -> Results {
        let [a, b] = self.by_seat;
        Results {
            wins: a.wins + b.wins,
            draws: a.draws + b.draws,
            losses: a.losses + b.losses,
            lost_by_both: a.lost_by_both + b.lost_by_both,
        }
    }
}

impl Results {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.lost_by_both
    }
}

/// Games that are the same in everything that is counted.
struct Group {
    first_bot: BotId,
    second_bot: BotId,
    result: Option<i64>,
    twin_result: Option<i64>,
    games: u64,
}

/// A tally while its groups come in: the games of a pair can be in two of them.
#[derive(Default)]
struct Gathering {
    tally: PairTally,
    /// Games that are in a pair, by half points.
    paired: [u64; 3],
}

impl Gathering {
    /// Adds games with the same result, which is the first seat's half points or -1, as in the
    /// tables.
    fn add(&mut self, group: &Group) {
        let is_second = group.first_bot != self.tally.bots[0];
        let Some(result) = group.result else {
            self.tally.voids += group.games;
            return;
        };
        let seat = &mut self.tally.by_seat[usize::from(is_second)];
        match (result, is_second) {
            (-1, _) => seat.lost_by_both += group.games,
            (1, _) => seat.draws += group.games,
            (2, false) | (0, true) => seat.wins += group.games,
            _ => seat.losses += group.games,
        }
        if let Some(twin) = group.twin_result {
            let (own, twin) = (half_points(result, is_second), half_points(twin, !is_second));
            self.tally.pairs[own + twin] += group.games;
            self.paired[own] += group.games;
            self.paired[twin] += group.games;
        }
    }

    /// What is not in a pair is single.
    fn finish(mut self) -> PairTally {
        let all = self.tally.results();
        let [lost, drawn, won] = self.paired;
        self.tally.singles =
            [all.losses - lost, all.draws + all.lost_by_both - drawn, all.wins - won];
        self.tally
    }
}

/// What is kept of the games up to a number, and the games after it as they are: by seats, result and that of the
/// other game of the pair, so many games, of which so many are copies.
const SUMMED: &str = "(SELECT first_bot, second_bot, result, twin_result, games, copies FROM sums \
    WHERE run = $1 \
    UNION ALL SELECT g.first_bot, g.second_bot, COALESCE(g.result, -2), \
        COALESCE(g.twin_result, -2), 1, ";
const SUMMED_END: &str = " FROM games AS g WHERE g.run = $1 \
    AND g.number > (SELECT summed FROM runs WHERE id = $1)) AS counted";

/// A `SELECT` over [`SUMMED`]; `copies` is what a single game adds to them.
fn summed(columns: &'static str, copies: &str, end: &str) -> Statement {
    let mut statement = Statement::new(columns);
    statement.sql(" FROM ").sql(SUMMED).sql(copies).sql(SUMMED_END).sql(end);
    statement
}

pub(crate) async fn tally(pool: &AnyPool, run: RunId) -> Result<Vec<PairTally>, sqlx::Error> {
    let columns = "SELECT first_bot, second_bot, NULLIF(result, -2), NULLIF(twin_result, -2), \
        CAST(SUM(games) AS BIGINT)";
    let end = " GROUP BY first_bot, second_bot, result, twin_result";
    gather(summed(columns, "0", end).query().bind(run.0).fetch_all(pool).await?)
}

pub(crate) async fn tally_of(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
) -> Result<Vec<PairTally>, sqlx::Error> {
    let mut statement = Statement::new(
        "SELECT +g.first_bot, g.second_bot, g.result, CAST(NULL AS BIGINT), COUNT(*) \
         FROM games AS g",
    );
    filter.add_to(&mut statement, run);
    // The sign keeps SQLite from walking over all games in the order of the groups, one look into the
    // table for each, where the filter lets few through.
    statement.sql(" GROUP BY +g.first_bot, g.second_bot, g.result");
    gather(statement.query().fetch_all(pool).await?)
}

pub(crate) async fn faults(pool: &AnyPool, run: RunId) -> Result<Vec<FaultTally>, sqlx::Error> {
    let query = sqlx::query(
        "SELECT bot, kind, CAST(SUM(games) AS BIGINT), CAST(SUM(times) AS BIGINT) FROM \
         (SELECT bot, kind, games, times FROM fault_sums WHERE run = $1 \
          UNION ALL SELECT bot, kind, 1, times FROM faults WHERE run = $1 AND void = 0 \
              AND number > (SELECT summed FROM runs WHERE id = $1)) AS counted \
         GROUP BY bot, kind ORDER BY bot, kind",
    );
    let rows = query.bind(run.0).fetch_all(pool).await?;
    let fault = |row| {
        let mut columns = Columns::of(row);
        let (bot, kind) = (columns.bot()?, columns.code()?);
        Ok(FaultTally { bot, kind, games: columns.count()?, times: columns.count()? })
    };
    rows.iter().map(fault).collect()
}

pub(crate) async fn copies(pool: &AnyPool, run: RunId) -> Result<Vec<Copies>, sqlx::Error> {
    let columns = "SELECT first_bot, second_bot, CAST(SUM(copies) AS BIGINT)";
    let end = " WHERE result <> -2 GROUP BY first_bot, second_bot ORDER BY first_bot, second_bot";
    let is_copy = format!("CASE WHEN {IS_COPY} THEN 1 ELSE 0 END");
    let rows = summed(columns, &is_copy, end).query().bind(run.0).fetch_all(pool).await?;
    let copies = |row| {
        let mut columns = Columns::of(row);
        let bots = [columns.bot()?, columns.bot()?];
        Ok(Copies { bots, games: columns.count()? })
    };
    rows.iter().map(copies).collect()
}

fn gather(rows: Vec<AnyRow>) -> Result<Vec<PairTally>, sqlx::Error> {
    let mut pairs: BTreeMap<[BotId; 2], Gathering> = BTreeMap::new();
    for row in rows {
        let mut columns = Columns::of(&row);
        let group = Group {
            first_bot: columns.bot()?,
            second_bot: columns.bot()?,
            result: columns.whole_or_none()?,
            twin_result: columns.whole_or_none()?,
            games: columns.count()?,
        };
        let mut bots = [group.first_bot, group.second_bot];
        bots.sort_unstable();
        let pair = pairs.entry(bots).or_default();
        pair.tally.bots = bots;
        pair.add(&group);
    }
    Ok(pairs.into_values().map(Gathering::finish).collect())
}

/// What a bot made, 0 to 2, of a game with this result.
fn half_points(result: i64, is_second: bool) -> usize {
    match (result, is_second) {
        (2, false) | (0, true) => 2,
        (0, false) | (2, true) => 0,
        _ => 1,
    }
}
