//! What each worker played of each run: how much of it was disturbed, and how its pairs came out.

use std::collections::BTreeMap;

use quintain_record::MatchId;
use sqlx::{Any, Transaction};

use super::{JobBoard, NewResult, OrderId, all_rows, execute};
use crate::statement::{Columns, Statement};
use crate::{StoreError, now_ms};

/// How the pairs of a pairing came out on one worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairShare {
    pub worker: String,
    pub order: i64,
    pub pairing: u32,
    /// Half points of the first bot in both games of a pair, and how many pairs gave so many.
    pub half_points: u32,
    pub pairs: u64,
}

impl JobBoard {
    /// How pairs came out, of all workers.
    ///
    /// # Errors
    /// The database fails.
    pub fn pair_shares(&self) -> Result<Vec<PairShare>, StoreError> {
        self.transact("list how pairs came out", async |transaction| {
            let select = Statement::new(
                "SELECT worker, order_id, pairing, half_points, pairs FROM work_pairs \
                 ORDER BY order_id, pairing, worker, half_points",
            );
            let rows = all_rows(transaction, select).await?;
            rows.iter().map(pair_share_of).collect()
        })
    }
}

fn pair_share_of(row: &sqlx::any::AnyRow) -> Result<PairShare, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(PairShare {
        worker: columns.text()?,
        order: columns.whole()?,
        pairing: columns.small()?,
        half_points: columns.small()?,
        pairs: columns.count()?,
    })
}

/// Counts the games of a report for its run.
pub(super) async fn count_shares(
    transaction: &mut Transaction<'_, Any>,
    worker: &str,
    order: OrderId,
    results: &[NewResult],
) -> Result<(), sqlx::Error> {
    let disturbed = results.iter().filter(|result| result.is_disturbed).count() as i64;
    let mut insert = Statement::new(
        "INSERT INTO work_shares (worker, order_id, games, disturbed, at_ms) VALUES ",
    );
    let games = results.len() as i64;
    insert.row(vec![
        worker.into(),
        order.0.into(),
        games.into(),
        disturbed.into(),
        now_ms().into(),
    ]);
    insert.sql(
        " ON CONFLICT (worker, order_id) DO UPDATE SET games = work_shares.games + excluded.games, \
         disturbed = work_shares.disturbed + excluded.disturbed, at_ms = excluded.at_ms",
    );
    execute(transaction, insert).await?;
    for ((pairing, half_points), pairs) in pairs_of(results) {
        let mut insert = Statement::new(
            "INSERT INTO work_pairs (worker, order_id, pairing, half_points, pairs, at_ms) VALUES ",
        );
        insert.row(vec![
            worker.into(),
            order.0.into(),
            pairing.into(),
            half_points.into(),
            pairs.into(),
            now_ms().into(),
        ]);
        insert.sql(
            " ON CONFLICT (worker, order_id, pairing, half_points) \
             DO UPDATE SET pairs = work_pairs.pairs + excluded.pairs, at_ms = excluded.at_ms",
        );
        execute(transaction, insert).await?;
    }
    Ok(())
}

/// Whole pairs by their pairing and by what both games gave the bot that had the first seat in the first one.
fn pairs_of(results: &[NewResult]) -> BTreeMap<(u32, u32), i64> {
    let points: BTreeMap<MatchId, u32> =
        results.iter().filter_map(|result| Some((result.game, result.half_points?))).collect();
    let mut pairs = BTreeMap::new();
    for (game, first) in points.iter().filter(|(game, _)| !game.swapped) {
        if let Some(second) = points.get(&game.partner()) {
            // The other bot has the first seat there.
            let half_points = first + 2_u32.saturating_sub(*second);
            *pairs.entry((game.pairing, half_points)).or_insert(0) += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_what_both_games_gave_one_bot() {
        let result = |swapped, half_points: Option<u32>| NewResult {
            game: MatchId { round: 0, pairing: 3, seed_index: 0, swapped },
            body: String::new(),
            is_void: half_points.is_none(),
            is_disturbed: false,
            half_points,
        };
        let won_both = [result(false, Some(2)), result(true, Some(0))];
        assert_eq!(pairs_of(&won_both), BTreeMap::from([((3, 4), 1)]));
        let first_seats_won = [result(false, Some(2)), result(true, Some(2))];
        assert_eq!(pairs_of(&first_seats_won), BTreeMap::from([((3, 2), 1)]));
        let half_of_it_is_void = [result(false, Some(2)), result(true, None)];
        assert!(pairs_of(&half_of_it_is_void).is_empty());
    }
}
