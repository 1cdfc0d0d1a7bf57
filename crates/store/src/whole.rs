//! Whole games, many at a time: a page of games costs as many statements as one game.

use std::collections::VecDeque;

use quintain_core::PerSeat;
use sqlx::AnyPool;

use crate::game::{Game, Listed};
use crate::list::{self, disturbance, fault, tag};
use crate::statement::{Columns, Statement};
use crate::{Filter, RunId, Store, StoreError};

/// The games of a filter with everything that is kept of them, one after the other. After an error
/// there are no more.
#[derive(Debug)]
pub struct WholeGames {
    store: Store,
    run: RunId,
    filter: Filter,
    page: VecDeque<Numbered>,
    /// The number of the last game that was read; `None` when all were.
    after: Option<u64>,
}

/// A game with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbered {
    pub number: u64,
    pub game: Game,
}

impl WholeGames {
    pub(crate) fn new(store: Store, run: RunId, filter: Filter) -> WholeGames {
        WholeGames { store, run, filter, page: VecDeque::new(), after: Some(0) }
    }

    fn read_page(&mut self, after: u64) -> Result<(), StoreError> {
        let pool = self.store.pool();
        let page = async {
            let listed = list::page(pool, self.run, &self.filter, after).await?;
            let next = list::next_page(&listed);
            Ok((with_details(pool, self.run, &self.filter, after, listed).await?, next))
        };
        (self.page, self.after) = self.store.block("list the games", page)?;
        Ok(())
    }
}

impl Iterator for WholeGames {
    type Item = Result<Numbered, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty()
            && let Some(after) = self.after.take()
            && let Err(error) = self.read_page(after)
        {
            return Some(Err(error));
        }
        self.page.pop_front().map(Ok)
    }
}

/// Adds what is kept in tables of its own to the games of a page.
async fn with_details(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
    after: u64,
    listed: VecDeque<Listed>,
) -> Result<VecDeque<Numbered>, sqlx::Error> {
    let Some(last) = listed.back().map(|game| game.number) else { return Ok(VecDeque::new()) };
    let has_faults =
        listed.iter().any(|game| game.errors.iter().any(|(_, kinds)| !kinds.is_empty()));
    let has_disturbances = listed.iter().any(|game| game.disturbed > 0);
    let whole = |listed: Listed| {
        let (faults, disturbances, tags) = (Vec::new(), Vec::new(), Vec::new());
        let game = Game { summary: listed.summary, faults, disturbances, tags };
        Numbered { number: listed.number, game }
    };
    let mut games: VecDeque<Numbered> = listed.into_iter().map(whole).collect();
    let query = |columns| {
        let mut statement = Statement::new(columns);
        statement.sql(" AS d JOIN games AS g ON g.run = d.run AND g.number = d.number");
        filter.add_to(&mut statement, run);
        // The bounds are for the table of the details: it gives the order, so that it is walked.
        statement.sql(" AND d.run = ").value(run.0);
        statement.sql(" AND d.number > ").value(after.cast_signed());
        statement.sql(" AND d.number <= ").value(last.cast_signed());
        statement.sql(" ORDER BY d.number, d.position");
        statement
    };
    if has_faults {
        let statement = query("SELECT d.number, d.bot, d.kind, d.times, d.text FROM faults");
        add(pool, statement, &mut games, |game, columns, bots| {
            game.faults.push(fault(columns, bots)?);
            Ok(())
        })
        .await?;
    }
    if has_disturbances {
        let statement = query(
            "SELECT d.number, d.attempt, d.bot, d.turn, d.limit_us, d.wall_us, d.cpu_us, \
             d.waited_us, d.replay FROM disturbances",
        );
        add(pool, statement, &mut games, |game, columns, bots| {
            game.disturbances.push(disturbance(columns, bots)?);
            Ok(())
        })
        .await?;
    }
    let statement = query("SELECT d.number, d.name, d.player, d.turn, d.value FROM tags");
    add(pool, statement, &mut games, |game, columns, bots| {
        game.tags.push(tag(columns, bots)?);
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
    games: &mut VecDeque<Numbered>,
    push: impl Fn(&mut Game, &mut Columns<'_>, PerSeat<u32>) -> Result<(), sqlx::Error>,
) -> Result<(), sqlx::Error> {
    let mut games = games.iter_mut().peekable();
    for row in statement.query().fetch_all(pool).await? {
        let mut columns = Columns::of(&row);
        let number = columns.count()?;
        while games.next_if(|game| game.number < number).is_some() {}
        // A game that was recorded between two statements is not on the page.
        if let Some(entry) = games.peek_mut().filter(|entry| entry.number == number) {
            let bots = entry.game.summary.bots;
            push(&mut entry.game, &mut columns, bots)?;
        }
    }
    Ok(())
}
