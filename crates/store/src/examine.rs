//! Whether a store still holds what was written to it: the engine's own checks, the plans of its runs,
//! and what the rows of a game say about each other.

use sqlx::AnyPool;

use crate::statement::{Columns, Statement};
use crate::store_address::StoreAddress;
use crate::sums;
use crate::{Filter, RunInfo, Store, StoreError};

/// Findings of one kind that are told; a broken file has thousands.
const FINDINGS_MAX: i64 = 20;

/// Something that a store cannot have written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the run that it is about; `None` if it is about the whole store.
    pub run: Option<String>,
    /// The number of the game in that run.
    pub game: Option<u64>,
    /// What is wrong, in words.
    pub text: String,
}

/// What was looked at, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    pub runs: u64,
    pub games: u64,
    pub findings: Vec<Finding>,
}

/// What must hold of every game of a run: a query for the numbers of those of which it does not, and
/// what is wrong with them. Each begins with `games AS g` and ends with a condition.
const GAME_CHECKS: &[(&str, &str)] = &[
    (
        "WHERE g.result IS DISTINCT FROM CASE \
           WHEN g.first_verdict IS NULL OR g.second_verdict IS NULL THEN NULL \
           WHEN g.first_verdict = 'win' THEN 2 WHEN g.second_verdict = 'win' THEN 0 \
           WHEN g.first_verdict = 'draw' AND g.second_verdict = 'draw' THEN 1 ELSE -1 END",
        "its result is not the one of its verdicts",
    ),
    (
        "LEFT JOIN games AS t ON t.run = g.run AND t.round = g.round AND t.pairing = g.pairing \
           AND t.swapped = 1 - g.swapped AND t.seed_index = g.seed_index AND t.number < g.number \
         WHERE g.twin_result IS DISTINCT FROM CASE WHEN g.result IS NULL THEN NULL \
           ELSE t.result END",
        "its copy of the result of the same seed's other game is another one",
    ),
    (
        "WHERE g.disturbed <> (SELECT COUNT(*) FROM disturbances AS d \
           WHERE d.run = g.run AND d.number = g.number)",
        "its disturbed answers are not as many as it says",
    ),
    (
        "WHERE (g.first_fault IS NOT NULL OR g.second_fault IS NOT NULL) <> EXISTS \
           (SELECT 1 FROM faults AS f WHERE f.run = g.run AND f.number = g.number)",
        "its errors are not those that are listed",
    ),
    (
        "WHERE (SELECT COUNT(*) FROM bots AS b WHERE b.run = g.run \
           AND b.place IN (g.first_bot, g.second_bot)) <> 2",
        "its bots are not two of the run",
    ),
    (
        "WHERE g.number <> 1 AND NOT EXISTS (SELECT 1 FROM games AS p \
           WHERE p.run = g.run AND p.number = g.number - 1)",
        "the game that was recorded before it is missing",
    ),
];

impl Store {
    /// Looks for everything that a store cannot have written itself. It reads every game.
    ///
    /// # Errors
    /// The store cannot be read at all. What can be told about a part of it is a finding.
    pub fn examine(&self) -> Result<Examination, StoreError> {
        let mut examination = Examination::default();
        examination.findings.extend(self.examine_engine()?);
        for run in self.runs()? {
            examination.runs += 1;
            examination.findings.extend(self.examine_plan(&run)?);
            for (condition, text) in GAME_CHECKS {
                let numbers = failing(self.pool(), &run, condition);
                let numbers = self.block("examine the games", numbers)?;
                let finding = |number| run_finding(&run, Some(number), (*text).to_owned());
                examination.findings.extend(numbers.into_iter().map(finding));
            }
            examination.findings.extend(self.examine_sums(&run)?);
            self.examine_games(&run, &mut examination);
        }
        Ok(examination)
    }

    /// What the engine finds wrong with its own file. A server looks after its files itself.
    fn examine_engine(&self) -> Result<Vec<Finding>, StoreError> {
        if let StoreAddress::Server(_) = self.place_of() {
            return Ok(Vec::new());
        }
        self.block("examine the file", async {
            let sound = format!("PRAGMA integrity_check({FINDINGS_MAX})");
            let rows = sqlx::query(sqlx::AssertSqlSafe(sound)).fetch_all(self.pool()).await?;
            let mut findings = Vec::new();
            for row in &rows {
                let text = Columns::of(row).text()?;
                if text != "ok" {
                    findings.push(Finding { run: None, game: None, text });
                }
            }
            let query = "SELECT CAST(\"table\" AS TEXT), COUNT(*) FROM pragma_foreign_key_check \
                GROUP BY \"table\"";
            for row in &sqlx::query(query).fetch_all(self.pool()).await? {
                let mut columns = Columns::of(row);
                let (table, rows) = (columns.text()?, columns.count()?);
                let text = format!("rows of `{table}` that belong to nothing: {rows}");
                findings.push(Finding { run: None, game: None, text });
            }
            Ok(findings)
        })
    }

    /// Whether a run's settings and bots are those that it was begun with.
    fn examine_plan(&self, run: &RunInfo) -> Result<Option<Finding>, StoreError> {
        let query = sqlx::query("SELECT fingerprint FROM runs WHERE id = $1").bind(run.id.0);
        let fingerprint = self.block("examine the run", async {
            Columns::of(&query.fetch_one(self.pool()).await?).text()
        })?;
        let text = "its settings or bots are not those that it was begun with";
        Ok((fingerprint != run.plan.fingerprint()).then(|| run_finding(run, None, text.to_owned())))
    }

    /// Whether the standings of a run are those of its games.
    fn examine_sums(&self, run: &RunInfo) -> Result<Option<Finding>, StoreError> {
        let are_right = self.block("examine the sums", sums::are_right(self.pool(), run.id))?;
        let text = "its sums are not those of its games";
        Ok((!are_right).then(|| run_finding(run, None, text.to_owned())))
    }

    /// Reads every game with all that belongs to it. Where one cannot be read, the rest cannot either.
    fn examine_games(&self, run: &RunInfo, examination: &mut Examination) {
        for game in self.whole_games(run.id, &Filter::default()) {
            match game {
                Ok(_) => examination.games += 1,
                Err(error) => {
                    examination.findings.push(run_finding(run, None, error.to_string()));
                    return;
                }
            }
        }
    }
}

fn run_finding(run: &RunInfo, game: Option<u64>, text: String) -> Finding {
    Finding { run: Some(run.plan.name.clone()), game, text }
}

/// The numbers of the first games for which a condition holds.
async fn failing(pool: &AnyPool, run: &RunInfo, condition: &str) -> Result<Vec<u64>, sqlx::Error> {
    let mut statement = Statement::new("SELECT g.number FROM games AS g ");
    statement.sql(condition).sql(" AND g.run = ").value(run.id.0);
    statement.sql(" ORDER BY g.number LIMIT ").value(FINDINGS_MAX);
    let rows = statement.query().fetch_all(pool).await?;
    rows.iter().map(|row| Columns::of(row).count()).collect()
}
