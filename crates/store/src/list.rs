//! Games out of their rows.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use quintain_core::{ErrorKinds, PerSeat, Seat};
use quintain_record::{
    AnswerTimes, BotId, Disturbance, Ending, MatchHead, MatchId, MatchRecord, MatchRow, Scored,
    SeatError, Tag,
};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool};

use crate::pages::Page;
use crate::statement::{Columns, Statement, decoded};
use crate::{Filter, RunId, Store, StoreError};

/// Games of a run count from here.
const FIRST_NUMBER: u64 = 1;

/// Games read at a time.
const PAGE: u32 = 4096;

/// In the order in which [`listed`] reads them.
const COLUMNS: &str = "SELECT g.number, g.round, g.pairing, g.seed_index, g.swapped, g.seed, \
    g.first_bot, g.second_bot, g.first_verdict, g.second_verdict, g.first_score, g.second_score, \
    g.reason, g.turns, g.first_fault, g.second_fault, g.disturbed, g.replay, g.duration_us, \
    g.first_answers, g.first_worst_us, g.first_mean_us, g.second_answers, g.second_worst_us, \
    g.second_mean_us, g.finished_ms, g.content, g.replay_digest, g.sandbox FROM games AS g";

pub(crate) async fn count(pool: &AnyPool, run: RunId, filter: &Filter) -> Result<u64, sqlx::Error> {
    let mut statement = Statement::new("SELECT COUNT(*) FROM games AS g");
    filter.add_to(&mut statement, run);
    Columns::of(&statement.query().fetch_one(pool).await?).count()
}

/// The whole game with this number.
pub(crate) async fn game_numbered(
    connection: &mut AnyConnection,
    run: RunId,
    number: u64,
) -> Result<Option<MatchRecord>, sqlx::Error> {
    let mut statement = Statement::new(COLUMNS);
    statement.sql(" WHERE g.run = ").value(run.0);
    statement.sql(" AND g.number = ").value(number.cast_signed());
    whole_game(connection, run, statement).await
}

/// The whole game of this identity.
pub(crate) async fn game_of(
    connection: &mut AnyConnection,
    run: RunId,
    id: MatchId,
) -> Result<Option<MatchRecord>, sqlx::Error> {
    whole_game(connection, run, of_identity(COLUMNS, run, id)).await
}

/// The number of the game of this identity.
pub(crate) async fn number_of(
    pool: &AnyPool,
    run: RunId,
    id: MatchId,
) -> Result<Option<u64>, sqlx::Error> {
    let statement = of_identity("SELECT g.number FROM games AS g", run, id);
    let row = statement.query().fetch_optional(pool).await?;
    row.map(|row| Columns::of(&row).count()).transpose()
}

fn of_identity(columns: &'static str, run: RunId, id: MatchId) -> Statement {
    let mut statement = Statement::new(columns);
    statement.sql(" WHERE g.run = ").value(run.0);
    statement.sql(" AND g.round = ").value(id.round);
    statement.sql(" AND g.pairing = ").value(id.pairing);
    statement.sql(" AND g.swapped = ").value(id.swapped);
    statement.sql(" AND g.seed_index = ").value(id.seed_index);
    statement
}

/// Waits for [`page`].
pub(crate) fn read_page(
    store: &Store,
    run: RunId,
    filter: &Filter,
    after: u64,
) -> Result<Page<MatchRow>, StoreError> {
    store.block("list the games", page(store.pool(), run, filter, after))
}

/// Games after one of a number, as many as are read at a time.
pub(crate) async fn page(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
    after: u64,
) -> Result<Page<MatchRow>, sqlx::Error> {
    let mut statement = Statement::new(COLUMNS);
    filter.add_to(&mut statement, run);
    statement.sql(" AND g.number > ").value(after.cast_signed());
    statement.sql(" ORDER BY g.number LIMIT ").value(i64::from(PAGE));
    let rows = statement.query().fetch_all(pool).await?;
    let games = rows.iter().map(listed).collect::<Result<VecDeque<MatchRow>, _>>()?;
    let is_full = games.len() == PAGE as usize;
    let next = games.back().filter(|_| is_full).map(|game| game.number);
    Ok(Page { games, next })
}

/// The latest games of a range of numbers, in the order in which they were recorded.
pub(crate) async fn latest(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
    numbers: Range<u64>,
    count: u32,
) -> Result<VecDeque<MatchRow>, sqlx::Error> {
    let mut statement = Statement::new(COLUMNS);
    add_latest(&mut statement, run, filter, numbers, count);
    let rows = statement.query().fetch_all(pool).await?;
    rows.iter().rev().map(listed).collect()
}

fn add_latest(
    statement: &mut Statement,
    run: RunId,
    filter: &Filter,
    numbers: Range<u64>,
    count: u32,
) {
    let bound = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    filter.add_to(statement, run);
    // Between two bounds SQLite walks along the numbers, whatever index leads to the games.
    if numbers.start > FIRST_NUMBER {
        statement.sql(" AND g.number >= ").value(bound(numbers.start));
    }
    statement.sql(" AND g.number < ").value(bound(numbers.end));
    statement.sql(" ORDER BY g.number DESC LIMIT ").value(i64::from(count));
}

async fn whole_game(
    connection: &mut AnyConnection,
    run: RunId,
    statement: Statement,
) -> Result<Option<MatchRecord>, sqlx::Error> {
    let Some(row) = statement.query().fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let MatchRow { number, head, .. } = listed(&row)?;
    let bots = head.bots;
    let details = |sql| sqlx::query(sql).bind(run.0).bind(number.cast_signed());
    let faults = details(
        "SELECT bot, kind, times, cause, text FROM faults WHERE run = $1 AND number = $2 ORDER BY position",
    );
    let faults = faults.fetch_all(&mut *connection).await?;
    let disturbances = details(
        "SELECT attempt, bot, turn, limit_us, wall_us, cpu_us, waited_us, replay \
         FROM disturbances WHERE run = $1 AND number = $2 ORDER BY position",
    );
    let disturbances = disturbances.fetch_all(&mut *connection).await?;
    let tags = details(
        "SELECT name, player, turn, value FROM tags WHERE run = $1 AND number = $2 \
         ORDER BY position",
    );
    let tags = tags.fetch_all(&mut *connection).await?;
    Ok(Some(MatchRecord {
        head,
        errors: faults
            .iter()
            .map(|row| fault(&mut Columns::of(row), bots))
            .collect::<Result<_, _>>()?,
        disturbances: disturbances
            .iter()
            .map(|row| disturbance(&mut Columns::of(row), bots))
            .collect::<Result<_, _>>()?,
        tags: tags.iter().map(|row| tag(&mut Columns::of(row), bots)).collect::<Result<_, _>>()?,
    }))
}

fn listed(row: &AnyRow) -> Result<MatchRow, sqlx::Error> {
    let mut columns = Columns::of(row);
    let number = columns.count()?;
    let id = match_id(&mut columns)?;
    let seed = columns.whole()?;
    let bots = PerSeat([columns.bot()?, columns.bot()?]);
    let ending = ending(&mut columns)?;
    let turns = columns.small()?;
    let errors = PerSeat([kinds(&mut columns)?, kinds(&mut columns)?]);
    let disturbed = columns.small()?;
    let replay = columns.text_or_none()?;
    let duration = span(columns.whole()?);
    let answers = PerSeat([answers(&mut columns)?, answers(&mut columns)?]);
    let finished_ms = columns.whole()?;
    let content = columns.whole_or_none()?.map(i64::cast_unsigned);
    let replay_digest = columns.text_or_none()?;
    let sandbox = columns.text_or_none()?;
    let head = MatchHead {
        id,
        seed,
        bots,
        ending,
        turns,
        content,
        replay,
        replay_digest,
        sandbox,
        duration,
        answers,
        finished_ms,
    };
    Ok(MatchRow { number, head, errors, disturbed })
}

fn match_id(columns: &mut Columns<'_>) -> Result<MatchId, sqlx::Error> {
    Ok(MatchId {
        round: columns.small()?,
        pairing: columns.small()?,
        seed_index: columns.small()?,
        swapped: columns.truth()?,
    })
}

fn ending(columns: &mut Columns<'_>) -> Result<Ending, sqlx::Error> {
    let verdicts = [columns.code_or_none()?, columns.code_or_none()?];
    let scores = [columns.whole_or_none()?, columns.whole_or_none()?];
    let reason = columns.text()?;
    let [Some(first), Some(second)] = verdicts else {
        return Ok(Ending::Void(decoded(&reason)?));
    };
    let verdicts = PerSeat([first, second]);
    let scores = PerSeat(scores.map(|score| score.unwrap_or_default()));
    Ok(Ending::Scored(Scored { verdicts, scores, reason }))
}

fn answers(columns: &mut Columns<'_>) -> Result<AnswerTimes, sqlx::Error> {
    let count = columns.small()?;
    Ok(AnswerTimes::with_mean(count, span(columns.whole()?), span(columns.whole()?)))
}

fn kinds(columns: &mut Columns<'_>) -> Result<ErrorKinds, sqlx::Error> {
    decoded(&columns.text_or_none()?.unwrap_or_default())
}

pub(crate) fn fault(
    columns: &mut Columns<'_>,
    bots: PerSeat<BotId>,
) -> Result<SeatError, sqlx::Error> {
    Ok(SeatError {
        seat: seat_of(columns.bot()?, bots),
        kind: columns.code()?,
        times: columns.small()?,
        cause: columns.code_or_none()?,
        text: columns.text()?,
    })
}

pub(crate) fn disturbance(
    columns: &mut Columns<'_>,
    bots: PerSeat<BotId>,
) -> Result<Disturbance, sqlx::Error> {
    Ok(Disturbance {
        attempt: columns.small()?,
        seat: seat_of(columns.bot()?, bots),
        turn: columns.small()?,
        limit: span(columns.whole()?),
        wall: span(columns.whole()?),
        cpu: columns.whole_or_none()?.map(span),
        waited: columns.whole_or_none()?.map(span),
        replay: columns.text_or_none()?,
    })
}

pub(crate) fn tag(columns: &mut Columns<'_>, bots: PerSeat<BotId>) -> Result<Tag, sqlx::Error> {
    let name = columns.text()?;
    let seat = columns.small_or_none()?.map(|player| seat_of(BotId(player), bots));
    Ok(Tag { name, seat, turn: columns.small_or_none()?, value: columns.text()? })
}

fn seat_of(bot: BotId, bots: PerSeat<BotId>) -> Seat {
    if bots[Seat::First] == bot { Seat::First } else { Seat::Second }
}

fn span(microseconds: i64) -> Duration {
    Duration::from_micros(microseconds.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use quintain_core::ErrorKind;
    use quintain_record::BotId;

    use super::*;
    use crate::{Errors, TagFilter, TagTest};

    /// How the engine finds the latest games that a filter lets through, beginning at a number.
    fn way(store: &Store, filter: &Filter, start: u64) -> String {
        let mut statement = Statement::new("EXPLAIN QUERY PLAN ");
        statement.sql(COLUMNS);
        add_latest(&mut statement, RunId(1), filter, start..1_000_000, 50);
        let rows = store.block("explain", statement.query().fetch_all(store.pool()));
        let detail = |row: &AnyRow| sqlx::Row::get::<String, _>(row, 3);
        rows.expect("a plan").iter().map(detail).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn indexes_lead_to_the_games_that_filters_let_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("games.db").display().to_string();
        let store = Store::open(&place).expect("a store");
        let tag = TagFilter { name: "depth".to_owned(), test: TagTest::AtLeast(7.0), turn: None };
        let errors = Some(Errors::Kind(ErrorKind::Crash));
        let (bot, all) = (Some(BotId(3)), Filter::default());
        let cases = [
            (Filter { seed: Some(7), ..all.clone() }, 1, "games_by_seed"),
            (Filter { seed: Some(7), bot, ..all.clone() }, 1, "games_by_seed"),
            (Filter { reason: Some("goal".to_owned()), ..all.clone() }, 1, "games_by_reason"),
            (Filter { void: Some(true), ..all.clone() }, 1, "games_void"),
            (Filter { disturbed: Some(true), ..all.clone() }, 1, "games_disturbed"),
            (Filter { errors: errors.clone(), ..all.clone() }, 1, "games_failed"),
            (Filter { errors, bot, ..all.clone() }, 1, "games_failed"),
            (Filter { tags: vec![tag.clone()], ..all.clone() }, 900_000, "tags_by_name"),
            (Filter { tags: vec![tag], bot, ..all.clone() }, 900_000, "tags_by_name"),
            (Filter { bot, pair: Some(4), ..all }, 900_000, "SUBQUERY"),
        ];
        for (filter, start, expected) in cases {
            let way = way(&store, &filter, start);
            assert!(way.contains(expected), "expected {expected}, found {way}");
            let details = way.contains("tags") || way.contains("faults");
            assert!(!details || way.contains("SUBQUERY"), "a join: {way}");
        }
    }
}
