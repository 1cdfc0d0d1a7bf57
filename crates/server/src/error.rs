//! What can go wrong, and what is answered then.

use std::io;

use axum::http::StatusCode;
use quintain_arena::OpenReplayError;
use quintain_arena::run::RunError;
use quintain_draw::DrawError;
use quintain_registry::known_games;
use quintain_replay::{ReplayError, RerunError};
use quintain_store::StoreError;

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {reason}")]
    Listen { address: String, reason: io::Error },
    #[error("cannot start the threads of the server: {0}")]
    Threads(io::Error),
    #[error("cannot open {folder}: {reason}")]
    Folder { folder: String, reason: io::Error },
    /// No page can be made of a replay.
    #[error("{0}")]
    Replay(String),
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("There is no such page.")]
    NoPage,
    /// Something else that is not there, in words.
    #[error("{0}")]
    NotThere(String),
    #[error("There is no replay of that name.")]
    NoReplay,
    #[error("There is no such run in this store.")]
    NoRun,
    #[error("Nobody of that name plays in this store.")]
    NoBot,
    #[error("No worker of that name was ever heard of here.")]
    NoWorker,
    #[error("No store is shown here: name one when the server is started.")]
    NoStore,
    /// The store is damaged, or gone.
    #[error("{0}")]
    Store(String),
    #[error("There is no such game any more. Games that are over are forgotten after a while.")]
    NoGame,
    #[error("{0}")]
    BadRequest(String),
    #[error("{0}")]
    Forbidden(&'static str),
    #[error("Pages can only be looked at: expected GET or HEAD.")]
    Method,
    #[error("Expected one of the methods that the header `allow` names, found another one.")]
    OtherMethod,
    #[error("Expected a token (Authorization: Bearer TOKEN), found none that is good.")]
    NoToken,
    #[error("Expected application/json, found `{0}`.")]
    OtherKind(String),
    #[error("Expected at most {0} bytes, found more.")]
    TooLong(usize),
    #[error("As many matches wait here as there is room for. Try again when one is over.")]
    QueueFull,
    /// It is no replay of ours, or one that cannot be played again.
    #[error("{0}")]
    Unplayable(String),
    #[error("The answer took too long. Try again.")]
    TooSlow,
    #[error("What was to be sent did not come to its end in time.")]
    Unfinished,
    #[error("There is no such match among those that are played here now.")]
    NotLive,
    #[error("So many look on that there is no place left. Try again.")]
    Full,
    #[error("As many games are played here as there is room for. Try again when one is over.")]
    Busy,
}

impl Refusal {
    /// How it is answered, and what stands above its text.
    pub(crate) fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Refusal::NoPage
            | Refusal::NotThere(_)
            | Refusal::NoReplay
            | Refusal::NoGame
            | Refusal::NoRun
            | Refusal::NoBot
            | Refusal::NoWorker
            | Refusal::NotLive
            | Refusal::NoStore => (StatusCode::NOT_FOUND, "Nothing here"),
            Refusal::Store(_) => (StatusCode::SERVICE_UNAVAILABLE, "The store cannot be read"),
            Refusal::BadRequest(_) => (StatusCode::BAD_REQUEST, "That cannot be shown"),
            Refusal::Forbidden(_) => (StatusCode::FORBIDDEN, "Not from there"),
            Refusal::Method => (StatusCode::METHOD_NOT_ALLOWED, "Only to be looked at"),
            Refusal::OtherMethod => (StatusCode::METHOD_NOT_ALLOWED, "Not in that way"),
            Refusal::Unplayable(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "This match cannot be shown")
            }
            Refusal::NoToken => (StatusCode::UNAUTHORIZED, "Not without a token"),
            Refusal::OtherKind(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "Not in that form"),
            Refusal::TooLong(_) => (StatusCode::PAYLOAD_TOO_LARGE, "Too long"),
            Refusal::QueueFull => (StatusCode::TOO_MANY_REQUESTS, "Too many wait"),
            Refusal::Full => (StatusCode::TOO_MANY_REQUESTS, "Too many look on"),
            Refusal::TooSlow => (StatusCode::SERVICE_UNAVAILABLE, "That took too long"),
            Refusal::Unfinished => (StatusCode::REQUEST_TIMEOUT, "Not all of it came"),
            Refusal::Busy => (StatusCode::SERVICE_UNAVAILABLE, "All tables are taken"),
        }
    }
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Refusal {
        match error {
            RunError::Store(error) => error.into(),
            other => Refusal::Unplayable(other.to_string()),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Store(error.to_string())
    }
}

impl From<OpenReplayError> for Refusal {
    fn from(error: OpenReplayError) -> Refusal {
        Refusal::Unplayable(format!("This file cannot be read as a replay: {error}"))
    }
}

impl From<ReplayError> for Refusal {
    fn from(error: ReplayError) -> Refusal {
        OpenReplayError::Read(error).into()
    }
}

impl From<RerunError> for Refusal {
    fn from(error: RerunError) -> Refusal {
        Refusal::Unplayable(format!("This replay cannot be played again: {error}"))
    }
}

impl From<DrawError> for Refusal {
    fn from(error: DrawError) -> Refusal {
        Refusal::Unplayable(format!("This match cannot be drawn: {error}"))
    }
}

/// A replay of a game that nobody here knows.
pub(crate) fn other_game(found: &str) -> Refusal {
    OpenReplayError::OtherGame { known: known_games(), found: found.to_owned() }.into()
}
