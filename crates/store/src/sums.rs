//! Games summed up as standings count them. The writer adds them to the sums of their run some thousand at a time, so
//! that a single game costs nothing more; `tally.rs` reads them together with the games that are not in yet.

use sqlx::{AnyConnection, AnyPool, AssertSqlSafe};

use crate::RunId;
use crate::statement::Columns;

/// Games that may be missing from the sums. They are counted whenever somebody asks.
const MISSING_MAX: i64 = 2_000;

/// Whether the game `g` counts and an earlier one of the same bots on the same seats is equal.
pub(crate) const IS_COPY: &str = "g.result IS NOT NULL AND EXISTS (SELECT 1 FROM games AS e \
    WHERE e.run = g.run AND e.first_bot = g.first_bot AND e.second_bot = g.second_bot \
    AND e.content = g.content AND e.result IS NOT NULL AND e.number < g.number)";

/// Up to which number the games of a run are in its sums, as its writer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summed(i64);

impl Summed {
    pub(crate) async fn read(
        connection: &mut AnyConnection,
        run: RunId,
    ) -> Result<Summed, sqlx::Error> {
        let query = sqlx::query("SELECT summed FROM runs WHERE id = $1").bind(run.0);
        Ok(Summed(Columns::of(&query.fetch_one(connection).await?).whole()?))
    }

    /// Whether so many games are missing before the one of this number that they should be added.
    pub(crate) fn is_behind(self, next_number: i64) -> bool {
        next_number - self.0 > MISSING_MAX
    }

    /// Adds the games before the one of this number, in the transaction that the connection is in.
    pub(crate) async fn catch_up(
        self,
        connection: &mut AnyConnection,
        run: RunId,
        next_number: i64,
    ) -> Result<Summed, sqlx::Error> {
        let upto = next_number - 1;
        let mark = sqlx::query("UPDATE runs SET summed = $3 WHERE id = $1 AND summed = $2");
        let mark = mark.bind(run.0).bind(self.0).bind(upto).execute(&mut *connection).await?;
        if mark.rows_affected() == 0 {
            // Somebody else was faster.
            return Summed::read(connection, run).await;
        }
        for sql in [games_sql(), faults_sql()] {
            let query = sqlx::query(AssertSqlSafe(sql)).bind(run.0).bind(self.0).bind(upto);
            query.execute(&mut *connection).await?;
        }
        Ok(Summed(upto))
    }
}

/// Adds the games of the run `$1` after the number `$2` up to `$3`.
fn games_sql() -> String {
    format!(
        "INSERT INTO sums (run, first_bot, second_bot, result, twin_result, games, copies) \
         {} ON CONFLICT (run, first_bot, second_bot, result, twin_result) DO UPDATE SET \
         games = sums.games + excluded.games, copies = sums.copies + excluded.copies",
        counted_games()
    )
}

/// What the same games come to.
fn counted_games() -> String {
    format!(
        "SELECT g.run, g.first_bot, g.second_bot, COALESCE(g.result, -2), \
         COALESCE(g.twin_result, -2), COUNT(*), COUNT(CASE WHEN {IS_COPY} THEN 1 END) \
         FROM games AS g WHERE g.run = $1 AND g.number > $2 AND g.number <= $3 \
         GROUP BY g.run, g.first_bot, g.second_bot, g.result, g.twin_result"
    )
}

fn faults_sql() -> String {
    format!(
        "INSERT INTO fault_sums (run, bot, kind, games, times) {COUNTED_FAULTS} \
         ON CONFLICT (run, bot, kind) DO UPDATE SET \
         games = fault_sums.games + excluded.games, times = fault_sums.times + excluded.times"
    )
}

const COUNTED_FAULTS: &str = "SELECT run, bot, kind, COUNT(*), CAST(SUM(times) AS BIGINT) \
    FROM faults WHERE run = $1 AND number > $2 AND number <= $3 AND void = 0 \
    GROUP BY run, bot, kind";

/// Whether the sums of a run are those of its games.
pub(crate) async fn are_right(pool: &AnyPool, run: RunId) -> Result<bool, sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let Summed(upto) = Summed::read(&mut connection, run).await?;
    let games = "SELECT run, first_bot, second_bot, result, twin_result, games, copies FROM sums \
        WHERE run = $1";
    let faults = "SELECT run, bot, kind, games, times FROM fault_sums WHERE run = $1";
    for (kept, counted) in [(games, counted_games()), (faults, COUNTED_FAULTS.to_owned())] {
        // What is kept and not counted, or counted and not kept.
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT * FROM ({kept} EXCEPT {counted}) AS one UNION ALL \
             SELECT * FROM ({counted} EXCEPT {kept}) AS other) AS differences"
        );
        let query = sqlx::query(AssertSqlSafe(sql)).bind(run.0).bind(0_i64).bind(upto);
        if Columns::of(&query.fetch_one(&mut *connection).await?).count()? > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
