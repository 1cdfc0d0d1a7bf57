//! Statements that are put together while the program runs.

use std::error::Error;
use std::str::FromStr;

use quintain_record::BotId;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row};

/// The longest text that a store holds: the settings of a run, with the files that they name.
const TEXT_BYTES_MAX: usize = 1024 * 1024;

/// Rows of one statement; the engines allow some ten thousand values.
pub(crate) const ROWS_MAX: usize = 200;

/// A value for a placeholder. `None` keeps its type, since PostgreSQL asks for it.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Whole(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Whole(Some(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Whole(Some(number.into()))
    }
}

impl From<BotId> for Value {
    fn from(bot: BotId) -> Value {
        bot.0.into()
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Whole(Some(truth.into()))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Real(Some(number))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(Some(text.to_owned()))
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Value {
        Value::Whole(number)
    }
}

impl From<Option<u32>> for Value {
    fn from(number: Option<u32>) -> Value {
        Value::Whole(number.map(i64::from))
    }
}

impl From<Option<f64>> for Value {
    fn from(number: Option<f64>) -> Value {
        Value::Real(number)
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Value {
        Value::Text(text.map(str::to_owned))
    }
}

/// SQL and the values of its placeholders `$1`, `$2` and so on. Texts of users and bots are only
/// ever values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    sql: String,
    values: Vec<Value>,
}

impl Statement {
    pub(crate) fn new(sql: &'static str) -> Statement {
        Statement { sql: sql.to_owned(), values: Vec::new() }
    }

    pub(crate) fn sql(&mut self, text: &str) -> &mut Statement {
        self.sql.push_str(text);
        self
    }

    /// Puts a placeholder here.
    pub(crate) fn value(&mut self, value: impl Into<Value>) -> &mut Statement {
        self.values.push(value.into());
        let placeholder = format!("${}", self.values.len());
        self.sql(&placeholder)
    }

    /// Puts `($1, $2, ..)` here.
    pub(crate) fn row(&mut self, values: Vec<Value>) -> &mut Statement {
        for (index, value) in values.into_iter().enumerate() {
            self.sql(if index == 0 { "(" } else { ", " }).value(value);
        }
        self.sql(")")
    }

    /// Puts several of them here, with commas between them.
    pub(crate) fn rows(&mut self, rows: impl IntoIterator<Item = Vec<Value>>) -> &mut Statement {
        for (index, row) in rows.into_iter().enumerate() {
            self.sql(if index == 0 { "" } else { ", " }).row(row);
        }
        self
    }

    pub(crate) fn query(self) -> Query<'static, Any, AnyArguments> {
        bind(sqlx::query(AssertSqlSafe(self.sql)), self.values)
    }
}

pub(crate) fn bind(
    query: Query<'static, Any, AnyArguments>,
    values: Vec<Value>,
) -> Query<'static, Any, AnyArguments> {
    values.into_iter().fold(query, |query, value| match value {
        Value::Whole(number) => query.bind(number),
        Value::Real(number) => query.bind(number),
        Value::Text(text) => query.bind(text),
    })
}

/// Reads the columns of a row from left to right.
pub(crate) struct Columns<'a> {
    row: &'a AnyRow,
    next: usize,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(row: &'a AnyRow) -> Columns<'a> {
        Columns { row, next: 0 }
    }

    fn take<T>(&mut self) -> Result<T, sqlx::Error>
    where
        T: sqlx::Decode<'a, Any> + sqlx::Type<Any>,
    {
        self.next += 1;
        self.row.try_get(self.next - 1)
    }

    pub(crate) fn whole(&mut self) -> Result<i64, sqlx::Error> {
        self.take()
    }

    pub(crate) fn whole_or_none(&mut self) -> Result<Option<i64>, sqlx::Error> {
        self.take()
    }

    pub(crate) fn text(&mut self) -> Result<String, sqlx::Error> {
        owned(self.take()?)
    }

    pub(crate) fn text_or_none(&mut self) -> Result<Option<String>, sqlx::Error> {
        self.take::<Option<&str>>()?.map(owned).transpose()
    }

    pub(crate) fn real(&mut self) -> Result<f64, sqlx::Error> {
        self.take()
    }

    /// A text that is a name of something.
    pub(crate) fn code<T>(&mut self) -> Result<T, sqlx::Error>
    where
        T: FromStr<Err: Error + Send + Sync + 'static>,
    {
        decoded(&self.text()?)
    }

    pub(crate) fn code_or_none<T>(&mut self) -> Result<Option<T>, sqlx::Error>
    where
        T: FromStr<Err: Error + Send + Sync + 'static>,
    {
        self.text_or_none()?.as_deref().map(decoded).transpose()
    }

    /// A count or a place. The store writes nothing else into such columns.
    pub(crate) fn small(&mut self) -> Result<u32, sqlx::Error> {
        small(self.whole()?)
    }

    pub(crate) fn bot(&mut self) -> Result<BotId, sqlx::Error> {
        self.small().map(BotId)
    }

    pub(crate) fn count(&mut self) -> Result<u64, sqlx::Error> {
        let number = self.whole()?;
        u64::try_from(number).map_err(|error| sqlx::Error::Decode(error.into()))
    }

    pub(crate) fn truth(&mut self) -> Result<bool, sqlx::Error> {
        Ok(self.whole()? != 0)
    }

    pub(crate) fn small_or_none(&mut self) -> Result<Option<u32>, sqlx::Error> {
        self.whole_or_none()?.map(small).transpose()
    }
}

/// What a code of ours stands for.
pub(crate) fn decoded<T>(code: &str) -> Result<T, sqlx::Error>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    code.parse().map_err(|error: T::Err| sqlx::Error::Decode(error.into()))
}

/// A text of a file that a stranger may have made.
fn owned(text: &str) -> Result<String, sqlx::Error> {
    if text.len() <= TEXT_BYTES_MAX {
        return Ok(text.to_owned());
    }
    let wrong = format!("expected a text of at most {TEXT_BYTES_MAX} bytes, found {}", text.len());
    Err(sqlx::Error::Decode(wrong.into()))
}

fn small(number: i64) -> Result<u32, sqlx::Error> {
    u32::try_from(number).map_err(|error| sqlx::Error::Decode(error.into()))
}
