//! One request to a server, and what it answers.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_arena::work::wire::Refused;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;
use ureq::http::{Response, StatusCode};
use ureq::{Body, Error};

use crate::trust::tls;

/// What an answer may hold.
const ANSWER_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// How long a request may take: longer than the server lets one wait.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(75);
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);
/// A server closes what is idle for longer.
const IDLE_TIME_MAX: Duration = Duration::from_secs(4);

/// Speaks to one server in the name of a token. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    /// Without a slash at its end.
    server: String,
    authorization: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    #[error("expected the address of a server such as http://arena.example:8080, found `{0}`")]
    Address(String),
    #[error("expected a token in one line, found {0}")]
    Token(&'static str),
    /// It may answer in a moment.
    #[error("cannot reach {server}: {reason}")]
    Away { server: String, reason: String },
    #[error("expected certificates in PEM, {path}: {reason}")]
    Trust { path: PathBuf, reason: String },
    #[error("{reason}")]
    Refused { status: u16, reason: String },
    /// Somebody answers whom nobody vouches for. It does not help to ask again.
    #[error("{server} is not trusted: {reason}")]
    Untrusted { server: String, reason: String },
    #[error("expected an answer of a quintain server, found something else: {0}")]
    Strange(String),
}

impl Client {
    /// `ca` is a file with certificates in PEM that vouch for the server, beside those that the system trusts.
    ///
    /// # Errors
    /// The address, the token or the file cannot be one.
    pub fn new(server: &str, token: &str, ca: Option<&Path>) -> Result<Client, ClientError> {
        let server = server.trim_end_matches('/');
        let rest = server.strip_prefix("http://").or_else(|| server.strip_prefix("https://"));
        if rest.is_none_or(|rest| rest.is_empty() || rest.contains(['/', ' ', '?', '#'])) {
            return Err(ClientError::Address(server.to_owned()));
        }
        let token = token.trim();
        if token.is_empty() {
            return Err(ClientError::Token("nothing"));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ClientError::Token("blanks or other characters in it"));
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(REQUEST_TIME_MAX))
            .timeout_connect(Some(CONNECT_TIME_MAX))
            .max_idle_age(IDLE_TIME_MAX)
            .user_agent(concat!("quintain/", env!("CARGO_PKG_VERSION")));
        if server.starts_with("https://") {
            config = config.tls_config(tls(ca)?);
        }
        let (agent, authorization) = (config.build().new_agent(), format!("Bearer {token}"));
        Ok(Client { agent, server: server.to_owned(), authorization })
    }

    pub fn server(&self) -> &str {
        &self.server
    }

    /// Whether it is there at all.
    ///
    /// # Errors
    /// There is no answer, or a refusal.
    pub fn greet(&self) -> Result<(), ClientError> {
        self.get("/health").map(|_| ())
    }

    /// Says something; `None` if the server has nothing to say to it.
    ///
    /// # Errors
    /// There is no answer, or a refusal.
    pub fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        what: &impl Serialize,
    ) -> Result<Option<T>, ClientError> {
        let body = serde_json::to_vec(what).expect("what is said is plain data");
        let request = self.agent.post(format!("{}{path}", self.server));
        let request = request.header("authorization", &self.authorization);
        let request = request.header("content-type", "application/json");
        let answer = self.answer(request.send(&body[..]))?;
        if answer.is_empty() {
            return Ok(None);
        }
        let strange = |error: serde_json::Error| ClientError::Strange(error.to_string());
        serde_json::from_slice(&answer).map(Some).map_err(strange)
    }

    /// The same where something must be said.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        what: &impl Serialize,
    ) -> Result<T, ClientError> {
        let answer = self.post(path, what)?;
        answer.ok_or_else(|| ClientError::Strange("an empty answer".to_owned()))
    }

    pub(crate) fn get(&self, path: &str) -> Result<Vec<u8>, ClientError> {
        let request = self.agent.get(format!("{}{path}", self.server));
        self.answer(request.header("authorization", &self.authorization).call())
    }

    /// Whether there is something.
    pub(crate) fn has(&self, path: &str) -> Result<bool, ClientError> {
        let request = self.agent.head(format!("{}{path}", self.server));
        let answer = self.answer(request.header("authorization", &self.authorization).call());
        match answer {
            Ok(_) => Ok(true),
            Err(ClientError::Refused { status: 404, .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn put(&self, path: &str, bytes: &[u8]) -> Result<(), ClientError> {
        let request = self.agent.put(format!("{}{path}", self.server));
        self.answer(request.header("authorization", &self.authorization).send(bytes)).map(|_| ())
    }

    pub(crate) fn delete(&self, path: &str) -> Result<(), ClientError> {
        let request = self.agent.delete(format!("{}{path}", self.server));
        let answer = self.answer(request.header("authorization", &self.authorization).call());
        answer.map(|_| ())
    }

    /// The body of an answer that refuses nothing.
    fn answer(&self, answered: Result<Response<Body>, Error>) -> Result<Vec<u8>, ClientError> {
        let away = |reason: String| ClientError::Away { server: self.server.clone(), reason };
        let mut response = answered.map_err(|error| match &error {
            // What TLS finds wrong with the other one comes as data that are no good.
            Error::Io(wrong) if wrong.kind() == io::ErrorKind::InvalidData => {
                ClientError::Untrusted { server: self.server.clone(), reason: wrong.to_string() }
            }
            _ => away(reason(&error)),
        })?;
        let status = response.status();
        let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec();
        let body = body.map_err(|error| away(reason(&error)))?;
        if status.is_success() {
            return Ok(body);
        }
        let refused: Option<Refused> = serde_json::from_slice(&body).ok();
        let words = refused.map(|refused| refused.error);
        let is_away = status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT;
        match words {
            Some(reason) if is_away => Err(away(reason)),
            None if is_away => Err(away(format!("it answers {status}"))),
            Some(reason) => Err(ClientError::Refused { status: status.as_u16(), reason }),
            None => {
                let reason = format!("it answers {status}: does it serve workers?");
                Err(ClientError::Refused { status: status.as_u16(), reason })
            }
        }
    }
}

/// The system's own words where it has some.
fn reason(error: &Error) -> String {
    match error {
        Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            "nobody listens there".to_owned()
        }
        Error::Io(error) => error.to_string(),
        error => error.to_string(),
    }
}

impl fmt::Debug for Client {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({})", self.server)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_and_a_token_are_looked_at_before_anything_is_sent() {
        for wrong in ["", "arena", "ftp://arena", "http://", "http://arena/work", "http://a b"] {
            assert!(
                matches!(Client::new(wrong, "t", None), Err(ClientError::Address(_))),
                "{wrong}"
            );
        }
        assert_eq!(
            Client::new("http://arena:80/", "t\n", None).expect("good").server(),
            "http://arena:80"
        );
        assert_eq!(
            Client::new("http://arena", " \n", None).unwrap_err(),
            ClientError::Token("nothing")
        );
        assert!(Client::new("http://arena", "two\nlines", None).is_err());
    }

    #[test]
    fn a_client_does_not_show_its_token() {
        let client = Client::new("http://arena", "secret", None).expect("good");
        assert_eq!(format!("{client:?}"), "Client(http://arena)");
    }
}
