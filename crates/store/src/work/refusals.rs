//! What workers were refused: counted by kind, for people.

use std::fmt;
use std::str::FromStr;

use quintain_core::{CodeError, decode};

use super::{JobBoard, all_rows, execute};
use crate::statement::{Columns, Statement};
use crate::{StoreError, now_ms};

/// Why a worker was refused something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    Version,
    Quarantined,
    Unreadable,
    TooLong,
    TooSlow,
    /// What it reports it was never given.
    NeverClaimed,
    /// The games of a report are not those of its job.
    OtherGames,
    /// A replay that does not prove what is reported with it.
    NotProven,
}

impl RefusalKind {
    pub const ALL: [RefusalKind; 8] = [
        RefusalKind::Version,
        RefusalKind::Quarantined,
        RefusalKind::Unreadable,
        RefusalKind::TooLong,
        RefusalKind::TooSlow,
        RefusalKind::NeverClaimed,
        RefusalKind::OtherGames,
        RefusalKind::NotProven,
    ];

    pub const fn code(self) -> &'static str {
        match self {
            RefusalKind::Version => "version",
            RefusalKind::Quarantined => "quarantined",
            RefusalKind::Unreadable => "unreadable",
            RefusalKind::TooLong => "too-long",
            RefusalKind::TooSlow => "too-slow",
            RefusalKind::NeverClaimed => "never-claimed",
            RefusalKind::OtherGames => "other-games",
            RefusalKind::NotProven => "not-proven",
        }
    }

    pub const fn in_words(self) -> &'static str {
        match self {
            RefusalKind::Version => "another version",
            RefusalKind::Quarantined => "in quarantine",
            RefusalKind::Unreadable => "cannot be read",
            RefusalKind::TooLong => "too long",
            RefusalKind::TooSlow => "too slow",
            RefusalKind::NeverClaimed => "never claimed",
            RefusalKind::OtherGames => "other games",
            RefusalKind::NotProven => "not proven by its replay",
        }
    }
}

impl fmt::Display for RefusalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for RefusalKind {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<RefusalKind, CodeError> {
        decode("why a worker was refused", code, RefusalKind::ALL, RefusalKind::code)
    }
}

/// How often a worker was refused something of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals {
    pub kind: RefusalKind,
    pub times: u64,
    /// The latest, in words.
    pub last_words: String,
    pub at_ms: i64,
}

impl JobBoard {
    /// Notes that a worker was refused something, and why.
    ///
    /// # Errors
    /// The database fails.
    pub fn note_refusal(
        &self,
        worker: &str,
        kind: RefusalKind,
        why: &str,
    ) -> Result<(), StoreError> {
        self.transact("note a refusal", async |transaction| {
            let mut insert = Statement::new(
                "INSERT INTO work_refusals (worker, kind, times, last_words, at_ms) VALUES ",
            );
            insert.row(vec![
                worker.into(),
                kind.code().into(),
                1_i64.into(),
                why.into(),
                now_ms().into(),
            ]);
            insert.sql(
                " ON CONFLICT (worker, kind) DO UPDATE SET times = work_refusals.times + 1, \
                 last_words = excluded.last_words, at_ms = excluded.at_ms",
            );
            execute(transaction, insert).await?;
            let mut update =
                Statement::new("UPDATE work_workers SET refused = refused + 1, last_words = ");
            update.value(why).sql(" WHERE name = ").value(worker);
            execute(transaction, update).await.map(|_| ())
        })
    }

    /// What a worker was refused, by kind.
    ///
    /// # Errors
    /// The database fails.
    pub fn refusals(&self, worker: &str) -> Result<Vec<Refusals>, StoreError> {
        self.transact("list refusals", async |transaction| {
            let mut select = Statement::new(
                "SELECT kind, times, last_words, at_ms FROM work_refusals WHERE worker = ",
            );
            select.value(worker).sql(" ORDER BY kind");
            let rows = all_rows(transaction, select).await?;
            rows.iter().map(refusals_of).collect()
        })
    }
}

fn refusals_of(row: &sqlx::any::AnyRow) -> Result<Refusals, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(Refusals {
        kind: columns.code()?,
        times: columns.count()?,
        last_words: columns.text()?,
        at_ms: columns.whole()?,
    })
}
