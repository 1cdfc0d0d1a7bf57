//! Which games of a run have been played.

use std::collections::BTreeMap;

use quintain_record::MatchId;
use sqlx::AnyPool;

use crate::RunId;
use crate::statement::Columns;

/// The identities that a run has games of, void ones too. Seeds are mostly played in order, so it is
/// a few ranges even after a million games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// By round, pairing and whether seats are swapped: first and last of each range of seeds, in
    /// order.
    ranges: BTreeMap<(u32, u32, bool), Vec<(u32, u32)>>,
    count: u64,
}

impl Finished {
    pub fn contains(&self, id: MatchId) -> bool {
        let MatchId { round, pairing, seed_index, swapped } = id;
        let Some(ranges) = self.ranges.get(&(round, pairing, swapped)) else { return false };
        let after = ranges.partition_point(|(first, _)| *first <= seed_index);
        after > 0 && seed_index <= ranges[after - 1].1
    }

    /// How many games there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, key: (u32, u32, bool), first: u32, last: u32) {
        self.count += u64::from(last - first) + 1;
        self.ranges.entry(key).or_default().push((first, last));
    }
}

/// Asks for the ends first: only where games are missing between them are the gaps looked for.
pub(crate) async fn finished(pool: &AnyPool, run: RunId) -> Result<Finished, sqlx::Error> {
    let query = sqlx::query(
        "SELECT round, pairing, swapped, MIN(seed_index), MAX(seed_index), COUNT(*) \
         FROM games WHERE run = $1 GROUP BY round, pairing, swapped",
    );
    let mut finished = Finished::default();
    for row in query.bind(run.0).fetch_all(pool).await? {
        let mut columns = Columns::of(&row);
        let key = (columns.small()?, columns.small()?, columns.truth()?);
        let (first, last, count) = (columns.small()?, columns.small()?, columns.count()?);
        if u64::from(last - first) + 1 == count {
            finished.add(key, first, last);
        } else {
            for (first, last) in ranges(pool, run, key).await? {
                finished.add(key, first, last);
            }
        }
    }
    Ok(finished)
}

async fn ranges(
    pool: &AnyPool,
    run: RunId,
    (round, pairing, swapped): (u32, u32, bool),
) -> Result<Vec<(u32, u32)>, sqlx::Error> {
    let query = sqlx::query(
        "SELECT seed_index, previous, following FROM (\
            SELECT seed_index, LAG(seed_index) OVER (ORDER BY seed_index) AS previous, \
                LEAD(seed_index) OVER (ORDER BY seed_index) AS following \
            FROM games WHERE run = $1 AND round = $2 AND pairing = $3 AND swapped = $4\
         ) AS steps \
         WHERE previous IS NULL OR previous <> seed_index - 1 \
            OR following IS NULL OR following <> seed_index + 1 \
         ORDER BY seed_index",
    );
    let query = query.bind(run.0).bind(i64::from(round)).bind(i64::from(pairing));
    let mut ranges = Vec::new();
    let mut first = 0;
    for row in query.bind(i64::from(swapped)).fetch_all(pool).await? {
        let mut columns = Columns::of(&row);
        let seed_index = columns.small()?;
        if columns.whole_or_none()? != Some(i64::from(seed_index) - 1) {
            first = seed_index;
        }
        if columns.whole_or_none()? != Some(i64::from(seed_index) + 1) {
            ranges.push((first, seed_index));
        }
    }
    Ok(ranges)
}
