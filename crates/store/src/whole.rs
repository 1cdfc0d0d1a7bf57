//! Whole games, many at a time: a page of games costs as many statements as one game.

use std::collections::VecDeque;
use std::ops::Range;

use quintain_core::PerSeat;
use quintain_record::{BotId, MatchRecord, MatchRow};
use sqlx::AnyPool;

use crate::list::{self, disturbance, fault, tag};
use crate::pages::Page;
use crate::statement::{Columns, Statement};
use crate::{Filter, RunId, Store, StoreError};

/// A page as [`list::page`] reads it, with the details of its games.
pub(crate) fn read_page(
    store: &Store,
    run: RunId,
    filter: &Filter,
    after: u64,
) -> Result<Page<(u64, MatchRecord)>, StoreError> {
    let pool = store.pool();
    store.block("list the games", async {
        let Page { games, next } = list::page(pool, run, filter, after).await?;
        let Some(last) = games.back().map(|game| game.number) else {
            return Ok(Page { games: VecDeque::new(), next });
        };
        let statement = |columns| {
            let mut statement = Statement::new(columns);
            statement.sql(" AS d JOIN games AS g ON g.run = d.run AND g.number = d.number");
            filter.add_to(&mut statement, run);
            // The bounds are for the table of the details: it gives the order, so that it is walked.
            statement.sql(" AND d.run = ").value(run.0);
            statement.sql(" AND d.number > ").value(after.cast_signed());
            statement.sql(" AND d.number <= ").value(last.cast_signed());
            statement
        };
        Ok(Page { games: with_details(pool, games, statement).await?, next })
    })
}

/// The latest games of a range of numbers, the latest first. They are few and may lie far apart, so that their
/// details are asked for by number.
pub(crate) async fn latest(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
    numbers: Range<u64>,
    count: u32,
) -> Result<Vec<(u64, MatchRecord)>, sqlx::Error> {
    let games = list::latest(pool, run, filter, numbers, count).await?;
    let numbers: Vec<i64> = games.iter().map(|game| game.number.cast_signed()).collect();
    let statement = |columns| {
        let mut statement = Statement::new(columns);
        statement.sql(" AS d WHERE d.run = ").value(run.0).sql(" AND d.number IN ");
        statement.row(numbers.iter().map(|&number| number.into()).collect());
        statement
    };
    let games = with_details(pool, games, statement).await?;
    Ok(games.into_iter().rev().collect())
}

/// Adds what is kept in tables of its own to games, which come in the order of their numbers. `choose` makes a
/// statement that selects the rows of just these.
async fn with_details(
    pool: &AnyPool,
    listed: VecDeque<MatchRow>,
    choose: impl Fn(&'static str) -> Statement,
) -> Result<VecDeque<(u64, MatchRecord)>, sqlx::Error> {
    if listed.is_empty() {
        return Ok(VecDeque::new());
    }
    let has_faults =
        listed.iter().any(|game| game.errors.iter().any(|(_, kinds)| !kinds.is_empty()));
    let has_disturbances = listed.iter().any(|game| game.disturbed > 0);
    let whole = |row: MatchRow| {
        let (errors, disturbances, tags) = (Vec::new(), Vec::new(), Vec::new());
        (row.number, MatchRecord { head: row.head, errors, disturbances, tags })
    };
    let mut games: VecDeque<(u64, MatchRecord)> = listed.into_iter().map(whole).collect();
    let query = |columns| {
        let mut statement = choose(columns);
        statement.sql(" ORDER BY d.number, d.position");
        statement
    };
    if has_faults {
        let statement =
            query("SELECT d.number, d.bot, d.kind, d.times, d.cause, d.text FROM faults");
        add(pool, statement, &mut games, |record, columns, bots| {
            record.errors.push(fault(columns, bots)?);
            Ok(())
        })
        .await?;
    }
    if has_disturbances {
        let statement = query(
            "SELECT d.number, d.attempt, d.bot, d.turn, d.limit_us, d.wall_us, d.cpu_us, \
             d.waited_us, d.replay FROM disturbances",
        );
        add(pool, statement, &mut games, |record, columns, bots| {
            record.disturbances.push(disturbance(columns, bots)?);
            Ok(())
        })
        .await?;
    }
    let statement = query("SELECT d.number, d.name, d.player, d.turn, d.value FROM tags");
    add(pool, statement, &mut games, |record, columns, bots| {
        record.tags.push(tag(columns, bots)?);
        Ok(())
    })
    .await?;
    Ok(games)
}

/// Gives the rows of a statement to the games that they belong to; both come in the order of
/// numbers, which stand in the first column.
async fn add(
    pool: &AnyPool,
    statement: Statement,
    games: &mut VecDeque<(u64, MatchRecord)>,
    push: impl Fn(&mut MatchRecord, &mut Columns<'_>, PerSeat<BotId>) -> Result<(), sqlx::Error>,
) -> Result<(), sqlx::Error> {
    let mut games = games.iter_mut().peekable();
    for row in statement.query().fetch_all(pool).await? {
        let mut columns = Columns::of(&row);
        let number = columns.count()?;
        while games.next_if(|(before, _)| *before < number).is_some() {}
        // A game that was recorded between two statements is not on the page.
        if let Some((_, record)) = games.peek_mut().filter(|(found, _)| *found == number) {
            push(record, &mut columns, record.head.bots)?;
        }
    }
    Ok(())
}
