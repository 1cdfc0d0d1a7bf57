//! Who may begin something here: matches of house bots, games of persons.
//!
//! Whoever can reach a server that listens on its own machine alone is there already, and could type the command.
//! Everybody else needs a token, and so does everybody once a server was told one: then something may stand before it
//! that lets others in.

use std::sync::Arc;

use axum::http::HeaderMap;
use quintain_store::work::token_digest;

use crate::error::Refusal;
use crate::work::{Work, word_of};

pub(crate) struct Permission {
    /// Whether who can reach this server is on this machine.
    pub(crate) is_local: bool,
    /// The digest of the token that the server was told.
    digest: Option<String>,
    /// Knows the tokens of organisers, where workers are served.
    work: Option<Arc<Work>>,
}

impl Permission {
    pub(crate) fn new(is_local: bool, token: Option<&str>, work: Option<Arc<Work>>) -> Permission {
        Permission { is_local, digest: token.map(token_digest), work }
    }

    pub(crate) fn needs_token(&self) -> bool {
        self.digest.is_some() || !self.is_local
    }

    /// Whether anybody may begin something at all.
    ///
    /// # Errors
    /// A token is needed, and no token is good here.
    pub(crate) fn check_possible(&self) -> Result<(), Refusal> {
        match self.needs_token() && self.digest.is_none() && self.work.is_none() {
            true => Err(Refusal::Forbidden(
                "Matches can be begun only where the server listens on this machine alone, or was told a token.",
            )),
            false => Ok(()),
        }
    }

    /// Whether whoever knows this word may.
    ///
    /// # Errors
    /// It is not good.
    pub(crate) async fn check(&self, word: Option<String>) -> Result<(), Refusal> {
        self.check_possible()?;
        if !self.needs_token() {
            return Ok(());
        }
        let word = word.ok_or(Refusal::NoToken)?;
        if self.digest.as_ref() == Some(&token_digest(&word)) {
            return Ok(());
        }
        let work = self.work.clone().ok_or(Refusal::NoToken)?;
        let asked = tokio::task::spawn_blocking(move || work.knows_organiser(&word));
        let is_known = asked.await.unwrap_or(Ok(false))?;
        if is_known { Ok(()) } else { Err(Refusal::NoToken) }
    }

    /// Whether whoever asks with these headers may.
    ///
    /// # Errors
    /// As [`Permission::check`].
    pub(crate) async fn check_headers(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check(word_of(headers)).await
    }
}
