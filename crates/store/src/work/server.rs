//! The server that hands out the jobs of a board, as whoever has the store finds it.

use super::orders::away_since;
use super::{JobBoard, TokenKind, execute, one_row};
use crate::schema::WORK_VERSIONS_TABLE;
use crate::statement::{Columns, Statement};
use crate::{Store, StoreError, digest};

/// The organiser that everybody is who can read the store.
const STORE_OWNER: &str = "store-owner";

/// A server that can be asked to have games played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkServer {
    pub url: String,
    /// The word of an organiser.
    pub word: String,
    /// How many workers were heard of within the last moments.
    pub workers: u64,
}

impl JobBoard {
    /// The board of a store in a PostgreSQL server, if there is one; none is made.
    ///
    /// # Errors
    /// The database fails.
    pub fn find(store: &Store) -> Result<Option<JobBoard>, StoreError> {
        if store.place_of().file().is_some() {
            return Ok(None);
        }
        let mut tables = Statement::new(
            "SELECT COUNT(*) FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_name = ",
        );
        tables.value(WORK_VERSIONS_TABLE);
        let count = store.block("look for a queue of jobs", async {
            let row = tables.query().fetch_one(store.pool()).await?;
            Columns::of(&row).count()
        })?;
        if count == 0 { Ok(None) } else { JobBoard::open(store).map(Some) }
    }

    /// Writes down where the server of this board is asked.
    ///
    /// # Errors
    /// The database fails.
    pub fn note_server(&self, url: &str) -> Result<(), StoreError> {
        self.transact("note the address of the server", async |transaction| {
            let mut insert = Statement::new("INSERT INTO work_server (name, url) VALUES ");
            insert.row(vec!["server".into(), url.into()]);
            insert.sql(" ON CONFLICT (name) DO UPDATE SET url = excluded.url");
            execute(transaction, insert).await.map(|_| ())
        })
    }

    /// The server of this board, with a token that it takes from whoever has the store. `None` if there never was one.
    ///
    /// # Errors
    /// The database fails.
    pub fn server(&self) -> Result<Option<WorkServer>, StoreError> {
        let found = self.transact("look for the server", async |transaction| {
            let select = "SELECT v.url, s.value FROM work_server AS v, work_secrets AS s \
                          WHERE v.name = 'server' AND s.name = 'lease'";
            let Some(row) = one_row(transaction, Statement::new(select)).await? else {
                return Ok(None);
            };
            let mut columns = Columns::of(&row);
            let (url, secret) = (columns.text()?, columns.text()?);
            let mut workers = Statement::new("SELECT COUNT(*) FROM work_workers WHERE seen_ms > ");
            workers.value(away_since());
            let workers = super::orders::count(transaction, workers).await?;
            Ok(Some((url, secret, workers)))
        })?;
        let Some((url, secret, workers)) = found else { return Ok(None) };
        let word = format!("quintain-{}", digest(format!("{secret}\n{STORE_OWNER}").as_bytes()));
        self.add_token(STORE_OWNER, TokenKind::Organiser, &word)?;
        Ok(Some(WorkServer { url, word, workers }))
    }
}
