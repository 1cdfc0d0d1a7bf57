//! Results of games, many in one row: what a row costs on its way out of the database is then paid once for all of
//! them.

use std::collections::VecDeque;
use std::str::{FromStr, Split};

use quintain_core::PerSeat;
use quintain_record::{BotId, MatchId, ResultRow};
use sqlx::AnyPool;

use crate::pages::Page;
use crate::statement::{Columns, Statement, decoded};
use crate::{Filter, RunId, Store, StoreError};

/// Games in a row, so that its text stays below what a store may hold.
const PAGE: u32 = 2048;

/// A game in a line. Kinds of error have commas between them.
const LINE: &str = "g.number || '|' || g.round || '|' || g.pairing || '|' || g.seed_index || '|' || \
    g.swapped || '|' || g.first_bot || '|' || g.second_bot || '|' || \
    COALESCE(CAST(g.result AS TEXT), '') || '|' || COALESCE(CAST(g.content AS TEXT), '') || '|' || \
    COALESCE(g.first_fault, '') || '|' || COALESCE(g.second_fault, '')";

/// Waits for [`page`].
pub(crate) fn read_page(
    store: &Store,
    run: RunId,
    filter: &Filter,
    after: u64,
) -> Result<Page<ResultRow>, StoreError> {
    store.block("list the results", page(store.pool(), run, filter, after))
}

async fn page(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
    after: u64,
) -> Result<Page<ResultRow>, sqlx::Error> {
    let mut statement = Statement::new("SELECT string_agg(line, ';') FROM (SELECT ");
    statement.sql(LINE).sql(" AS line FROM games AS g");
    filter.add_to(&mut statement, run);
    statement.sql(" AND g.number > ").value(after.cast_signed());
    statement.sql(" ORDER BY g.number LIMIT ").value(i64::from(PAGE)).sql(") AS page");
    let row = statement.query().fetch_one(pool).await?;
    let text = Columns::of(&row).text_or_none()?.unwrap_or_default();
    let lines = text.split(';').filter(|line| !line.is_empty());
    let games = lines.map(result).collect::<Result<VecDeque<ResultRow>, _>>()?;
    let is_full = games.len() == PAGE as usize;
    let next = games.back().filter(|_| is_full).map(|game| game.number);
    Ok(Page { games, next })
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
