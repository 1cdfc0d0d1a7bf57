//! Results of games, many in one row: what a row costs on its way out of the database is then paid once for all of
//! them.

use std::collections::VecDeque;
use std::str::{FromStr, Split};
use std::thread::{self, JoinHandle};

use quintain_core::PerSeat;
use quintain_record::{BotId, MatchId, ResultRow};

use crate::statement::{Columns, Statement, decoded};
use crate::{RunId, Store, StoreError};

/// Games in a row, so that its text stays below what a store may hold.
const PAGE: u32 = 2048;

/// A game in a line, written at once: a chain of `||` copies what it has at each link. Kinds of error have commas
/// between them.
const LINE: &str = "concat_ws('|', g.number, g.round, g.pairing, g.seed_index, g.swapped, \
    g.first_bot, g.second_bot, \
    COALESCE(CAST(g.result AS TEXT), ''), COALESCE(CAST(g.content AS TEXT), ''), \
    COALESCE(g.first_fault, ''), COALESCE(g.second_fault, ''))";

/// Pages that are read at a time, each on a connection of its own. Where more are read than there are processors for,
/// they wait for each other.
const READERS: usize = 2;

/// The results of a run in the order in which they were recorded. While those of one page are used, the next ones are
/// read. After an error there are no more.
#[derive(Debug)]
pub struct ResultRows {
    store: Store,
    run: RunId,
    page: VecDeque<ResultRow>,
    /// Behind which number the next page begins; `None` if there is no other.
    after: Option<u64>,
    /// The next pages, if they begin where they are expected to.
    ahead: VecDeque<Reading>,
}

/// A page that is being read.
#[derive(Debug)]
struct Reading {
    /// Behind which number it begins.
    after: u64,
    text: JoinHandle<Result<String, StoreError>>,
}

impl ResultRows {
    /// Those after the game of a number.
    pub(crate) fn after(store: Store, run: RunId, number: u64) -> ResultRows {
        let (page, ahead) = (VecDeque::new(), VecDeque::new());
        ResultRows { store, run, page, after: Some(number), ahead }
    }

    /// The lines of the page behind a number.
    fn text(&mut self, after: u64) -> Result<String, StoreError> {
        match self.ahead.pop_front() {
            Some(reading) if reading.after == after => join(reading),
            other => {
                // A number is missing, which no store of ours lacks.
                other.into_iter().chain(self.ahead.drain(..)).for_each(|reading| _ = join(reading));
                read_page(&self.store, self.run, after)
            }
        }
    }

    fn turn_page(&mut self) -> Result<(), StoreError> {
        let Some(after) = self.after.take() else { return Ok(()) };
        let text = self.text(after)?;
        let lines = text.split(';').filter(|line| !line.is_empty());
        if lines.clone().count() == PAGE as usize {
            let last = lines.clone().next_back().map(result).transpose();
            let last = last.map_err(|error| self.store.failed(LISTING, &error))?;
            self.after = last.map(|last| last.number);
            self.read_ahead();
        }
        let games = lines.map(result).collect::<Result<_, _>>();
        self.page = games.map_err(|error| self.store.failed(LISTING, &error))?;
        Ok(())
    }

    /// Begins to read the next pages. Games are numbered without gaps, so that it is known where those begin.
    fn read_ahead(&mut self) {
        let Some(first) = self.after else { return };
        while self.ahead.len() < READERS {
            let last = self.ahead.back().map(|reading| reading.after);
            let after = last.map_or(first, |after| after.saturating_add(u64::from(PAGE)));
            let (store, run) = (self.store.clone(), self.run);
            let text = thread::spawn(move || read_page(&store, run, after));
            self.ahead.push_back(Reading { after, text });
        }
    }

    /// Whoever reads must not be the last one who has the store.
    fn wait(&mut self) {
        self.after = None;
        self.ahead.drain(..).for_each(|reading| _ = join(reading));
    }
}

fn join(reading: Reading) -> Result<String, StoreError> {
    reading.text.join().expect("whoever reads does not panic")
}

impl Iterator for ResultRows {
    type Item = Result<ResultRow, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty()
            && let Err(error) = self.turn_page()
        {
            self.wait();
            return Some(Err(error));
        }
        self.page.pop_front().map(Ok)
    }
}

impl Drop for ResultRows {
    fn drop(&mut self) {
        self.wait();
    }
}

const LISTING: &str = "list the results";

/// The games after the one of a number, as many as are read at a time, with semicolons between them.
fn read_page(store: &Store, run: RunId, after: u64) -> Result<String, StoreError> {
    let mut statement = Statement::new("SELECT string_agg(line, ';') FROM (SELECT ");
    statement.sql(LINE).sql(" AS line FROM games AS g WHERE g.run = ").value(run.0);
    statement.sql(" AND g.number > ").value(after.cast_signed());
    statement.sql(" ORDER BY g.number LIMIT ").value(i64::from(PAGE)).sql(") AS page");
    store.block(LISTING, async {
        let row = statement.query().fetch_one(store.pool()).await?;
        Ok(Columns::of(&row).text_or_none()?.unwrap_or_default())
    })
}

fn result(line: &str) -> Result<ResultRow, sqlx::Error> {
    let mut fields = line.split('|');
    Ok(ResultRow {
        number: field(&mut fields)?,
        id: MatchId {
            round: field(&mut fields)?,
            pairing: field(&mut fields)?,
            seed_index: field(&mut fields)?,
            swapped: field::<u8>(&mut fields)? != 0,
        },
        bots: PerSeat([BotId(field(&mut fields)?), BotId(field(&mut fields)?)]),
        half_points: field_or_none(&mut fields)?,
        content: field_or_none(&mut fields)?.map(i64::cast_unsigned),
        errors: PerSeat([
            decoded(fields.next().unwrap_or_default())?,
            decoded(fields.next().unwrap_or_default())?,
        ]),
    })
}

fn field<T: FromStr>(fields: &mut Split<'_, char>) -> Result<T, sqlx::Error> {
    let text = fields.next().unwrap_or_default();
    let wrong = || sqlx::Error::Decode(format!("expected a number, found `{text}`").into());
    text.parse().map_err(|_| wrong())
}

fn field_or_none<T: FromStr>(fields: &mut Split<'_, char>) -> Result<Option<T>, sqlx::Error> {
    match fields.clone().next() {
        None | Some("") => {
            fields.next();
            Ok(None)
        }
        Some(_) => field(fields).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::ErrorKind;

    use super::*;

    #[test]
    fn a_line_is_a_result_or_damage() {
        let row = result("7|1|2|3|1|4|5|-1|-9|crash,timeout|").expect("a result");
        assert_eq!((row.number, row.id.to_string().as_str()), (7, "1-2-3-b"));
        assert_eq!((row.half_points, row.content), (Some(-1), Some(9_u64.wrapping_neg())));
        assert!(row.errors.0[0].iter().any(|kind| kind == ErrorKind::Crash));
        let void = result("7|1|2|3|0|4|5||||").expect("a void game");
        assert_eq!((void.half_points, void.content), (None, None));
        for wrong in ["", "7|1|2", "7|1|2|3|0|4|x||||", "7|1|2|3|0|4|5|||none|"] {
            assert!(result(wrong).is_err(), "{wrong}");
        }
    }
}
