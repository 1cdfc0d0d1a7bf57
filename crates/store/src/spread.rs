//! What bots said about themselves, summed up by the database.

use quintain_record::BotId;
use sqlx::AnyPool;

use crate::statement::{Columns, Statement};
use crate::{Filter, RunId};

/// The numbers that a bot gave one name.
#[derive(Clone, Debug, PartialEq)]
pub struct TagSpread {
    pub bot: BotId,
    pub name: String,
    pub count: u64,
    pub mean: f64,
    /// The sum of the squares of the distances from the mean.
    pub squares: f64,
    pub least: f64,
    pub most: f64,
}

impl TagSpread {
    /// The deviation of a sample; 0 for a single value.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 { 0.0 } else { (self.squares / (self.count - 1) as f64).sqrt() }
    }

    /// Takes in other values of the same name.
    pub fn add(&mut self, other: &TagSpread) {
        let (own, others) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.count += other.count;
        self.mean += distance * others / (own + others);
        self.squares += other.squares + distance * distance * own * others / (own + others);
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }
}

/// Two walks: distances from the mean need the mean, and a sum of squares alone would lose digits.
pub(crate) async fn tag_spreads(
    pool: &AnyPool,
    run: RunId,
    filter: &Filter,
) -> Result<Vec<TagSpread>, sqlx::Error> {
    let mut statement = Statement::new(
        "WITH chosen AS (SELECT d.player, d.name, d.amount FROM games AS g \
         JOIN tags AS d ON d.run = g.run AND d.number = g.number",
    );
    filter.add_to(&mut statement, run);
    statement.sql(" AND d.player IS NOT NULL AND d.amount IS NOT NULL");
    summed(pool, statement).await
}

pub(crate) async fn tag_spreads_of(
    pool: &AnyPool,
    run: RunId,
    bot: BotId,
) -> Result<Vec<TagSpread>, sqlx::Error> {
    let mut statement = Statement::new(
        "WITH chosen AS (SELECT d.player, d.name, d.amount FROM tags AS d WHERE d.run = ",
    );
    statement.value(run.0).sql(" AND d.player = ").value(bot).sql(" AND d.amount IS NOT NULL");
    summed(pool, statement).await
}

/// Sums up what a statement has begun to choose.
async fn summed(pool: &AnyPool, mut statement: Statement) -> Result<Vec<TagSpread>, sqlx::Error> {
    statement.sql(
        "), \
         means AS (SELECT player, name, AVG(amount) AS mean FROM chosen GROUP BY player, name) \
         SELECT c.player, c.name, COUNT(*), MIN(m.mean), \
             SUM((c.amount - m.mean) * (c.amount - m.mean)), MIN(c.amount), MAX(c.amount) \
         FROM chosen AS c JOIN means AS m ON m.player = c.player AND m.name = c.name \
         GROUP BY c.player, c.name ORDER BY c.player, c.name",
    );
    let rows = statement.query().fetch_all(pool).await?;
    rows.iter().map(|row| spread(&mut Columns::of(row))).collect()
}

/// Counted below each border, since the engines round differently.
pub(crate) async fn tag_parts(
    pool: &AnyPool,
    run: RunId,
    bot: BotId,
    name: &str,
    [least, most]: [f64; 2],
    parts: u32,
) -> Result<Vec<u64>, sqlx::Error> {
    let mut statement = Statement::new("SELECT COUNT(*)");
    for border in 1..parts {
        let border = least + (most - least) * f64::from(border) / f64::from(parts);
        statement.sql(", COUNT(CASE WHEN amount < ").value(border).sql(" THEN 1 END)");
    }
    statement.sql(" FROM tags WHERE run = ").value(run.0);
    statement.sql(" AND name = ").value(name).sql(" AND player = ").value(bot);
    statement.sql(" AND amount IS NOT NULL");
    let row = statement.query().fetch_one(pool).await?;
    let mut columns = Columns::of(&row);
    let all = columns.count()?;
    let mut below: Vec<u64> = (1..parts).map(|_| columns.count()).collect::<Result<_, _>>()?;
    below.push(all);
    let before = [0].into_iter().chain(below.iter().copied());
    Ok(below.iter().zip(before).map(|(upto, before)| upto.saturating_sub(before)).collect())
}

fn spread(columns: &mut Columns<'_>) -> Result<TagSpread, sqlx::Error> {
    let (bot, name, count) = (columns.bot()?, columns.text()?, columns.count()?);
    let (mean, squares) = (columns.real()?, columns.real()?);
    let (least, most) = (columns.real()?, columns.real()?);
    Ok(TagSpread { bot, name, count, mean, squares, least, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: &[f64]) -> TagSpread {
        let one = |&value: &f64| TagSpread {
            bot: BotId(0),
            name: "depth".to_owned(),
            count: 1,
            mean: value,
            squares: 0.0,
            least: value,
            most: value,
        };
        let mut sum = one(&values[0]);
        values[1..].iter().for_each(|value| sum.add(&one(value)));
        sum
    }

    #[test]
    fn spreads_that_are_added_are_the_spread_of_all_values() {
        let mut sum = spread(&[2.0, 4.0, 4.0]);
        sum.add(&spread(&[4.0, 5.0, 5.0, 7.0, 9.0]));
        assert!((sum.mean - 5.0).abs() < 1e-12);
        assert!((sum.deviation() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((sum.least, sum.most, sum.count), (2.0, 9.0, 8));
        assert_eq!(spread(&[3.0]).deviation(), 0.0);
    }
}
