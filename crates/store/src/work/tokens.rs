//! Who may speak to a server. A token is a random word; the store keeps its digest, so that nobody who reads the store
//! can speak in another's name. It is as long as no word that can be guessed, so that one digest is enough.

use std::fmt;
use std::str::FromStr;

use quintain_core::{CodeError, decode};

use super::{JobBoard, all_rows, execute};
use crate::statement::{Columns, Statement};
use crate::{StoreError, digest, now_ms};

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Plays games.
    Worker,
    /// Has games played.
    Organiser,
}

impl TokenKind {
    pub const ALL: [TokenKind; 2] = [TokenKind::Worker, TokenKind::Organiser];

    pub const fn code(self) -> &'static str {
        match self {
            TokenKind::Worker => "worker",
            TokenKind::Organiser => "organiser",
        }
    }
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for TokenKind {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<TokenKind, CodeError> {
        decode("what a token is for", code, TokenKind::ALL, TokenKind::code)
    }
}

/// A token as a store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Unique in its store: the worker or the organiser is called so.
    pub name: String,
    pub kind: TokenKind,
    pub created_ms: i64,
    /// `None` as long as it is good.
    pub revoked_ms: Option<i64>,
}

/// The word of a token that is made of these random bytes.
pub fn new_token(random: [u8; 32]) -> String {
    let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("quintain-{digits}")
}

/// What a store keeps of a token.
pub fn token_digest(word: &str) -> String {
    digest(word.as_bytes())
}

impl JobBoard {
    /// Lets somebody in. `false` if there is one of this name.
    ///
    /// # Errors
    /// The database fails.
    pub fn add_token(&self, name: &str, kind: TokenKind, word: &str) -> Result<bool, StoreError> {
        self.transact("add a token", async |transaction| {
            let mut insert =
                Statement::new("INSERT INTO work_tokens (name, kind, digest, created_ms) VALUES ");
            let digest = token_digest(word);
            insert.row(vec![
                name.into(),
                kind.code().into(),
                digest.as_str().into(),
                now_ms().into(),
            ]);
            insert.sql(" ON CONFLICT (name) DO NOTHING");
            Ok(execute(transaction, insert).await? == 1)
        })
    }

    /// Shuts somebody out, at once. `false` if there is none of this name that is let in.
    ///
    /// # Errors
    /// The database fails.
    pub fn revoke_token(&self, name: &str) -> Result<bool, StoreError> {
        self.transact("revoke a token", async |transaction| {
            let mut update = Statement::new("UPDATE work_tokens SET revoked_ms = ");
            update.value(now_ms()).sql(" WHERE revoked_ms IS NULL AND name = ").value(name);
            Ok(execute(transaction, update).await? == 1)
        })
    }

    /// All of them, by name.
    ///
    /// # Errors
    /// The database fails.
    pub fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        self.transact("list the tokens", async |transaction| {
            let mut select = Statement::new(SELECT_TOKEN);
            select.sql(" ORDER BY name");
            let rows = all_rows(transaction, select).await?;
            rows.iter().map(token_of).collect()
        })
    }

    /// Whose token it is, if it is good.
    ///
    /// # Errors
    /// The database fails.
    pub fn who_is(&self, word: &str) -> Result<Option<Token>, StoreError> {
        let mut select = Statement::new(SELECT_TOKEN);
        select.sql(" WHERE revoked_ms IS NULL AND digest = ");
        select.value(token_digest(word).as_str());
        self.store.block("look for a token", async {
            let row = select.query().fetch_optional(self.store.pool()).await?;
            row.as_ref().map(token_of).transpose()
        })
    }
}

const SELECT_TOKEN: &str = "SELECT name, kind, created_ms, revoked_ms FROM work_tokens";

fn token_of(row: &sqlx::any::AnyRow) -> Result<Token, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(Token {
        name: columns.text()?,
        kind: columns.code()?,
        created_ms: columns.whole()?,
        revoked_ms: columns.whole_or_none()?,
    })
}
