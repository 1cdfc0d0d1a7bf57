//! Who may ask, and what every answer says about itself.
//!
//! A page of a stranger can make a browser ask this server. By a name of its own that leads here (DNS
//! rebinding) it could even read the answers: so only names that no stranger can own are accepted. From
//! another origin it cannot read anything, and is refused all the same.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::api::{is_for_programs, problem};
use crate::error::Refusal;
use crate::pages::error::ErrorPage;

/// Who is known beside this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Names by which the server may be asked; addresses and `localhost` always may.
    pub hosts: Vec<String>,
    /// Origins whose pages may embed matches, such as `https://example.org`.
    pub embedders: Vec<String>,
}

impl Neighbours {
    /// Whether a text is an origin as headers have it: scheme, host and perhaps a port, nothing else.
    pub fn is_origin(text: &str) -> bool {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        rest.is_some_and(|host| {
            let is_part =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
            !host.is_empty() && host.chars().all(is_part)
        })
    }

    fn knows_host(&self, host: &str) -> bool {
        let name = without_port(host);
        let is_address = name.parse::<Ipv4Addr>().is_ok()
            || name
                .strip_prefix('[')
                .and_then(|name| name.strip_suffix(']'))
                .is_some_and(|name| name.parse::<Ipv6Addr>().is_ok());
        is_address
            || name.eq_ignore_ascii_case("localhost")
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) && !name.ends_with(':') => {
            name
        }
        _ => host,
    }
}

/// Refuses who may not ask, and marks every answer.
pub(crate) async fn guard(
    State(neighbours): State<std::sync::Arc<Neighbours>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let mut response = match check(&neighbours, request.method(), request.headers(), path) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refused(path, &refusal),
    };
    for (name, value) in ALWAYS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What every answer says.
const ALWAYS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Own forms tell where they come from, and no other site is told anything.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

fn check(
    neighbours: &Neighbours,
    method: &Method,
    headers: &HeaderMap,
    path: &str,
) -> Result<(), Refusal> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let Some(host) = host.filter(|host| hosts.next().is_none() && neighbours.knows_host(host))
    else {
        return Err(Refusal::Forbidden(
            "This server answers only by its address or as localhost, unless it was told its name.",
        ));
    };
    let is_own = |origin: &HeaderValue| {
        let origin = origin.to_str().unwrap_or_default();
        [format!("http://{host}"), format!("https://{host}")].iter().any(|own| own == origin)
    };
    if !headers.get_all(header::ORIGIN).iter().all(is_own) || is_cross_site(headers, path) {
        return Err(Refusal::Forbidden("Pages of other sites may not ask this server."));
    }
    let is_look = method == Method::GET || method == Method::HEAD;
    // What programs ask for says itself which methods it takes.
    if is_look || may_post(path) && method == Method::POST || is_for_programs(path) {
        return Ok(());
    }
    Err(Refusal::Method)
}

/// A refusal as whoever asks for such a path can read it.
pub(crate) fn refused(path: &str, refusal: &Refusal) -> Response {
    match is_for_programs(path) {
        true => problem(refusal),
        false => ErrorPage::new(refusal).into_response(),
    }
}

/// Where something can be done, and not only looked at.
fn may_post(path: &str) -> bool {
    path.starts_with("/play/")
}

/// Whether a page of another site wants it. Links to pages may be followed from anywhere, and matches may
/// be embedded by those whom the policy of the page lets do so.
fn is_cross_site(headers: &HeaderMap, path: &str) -> bool {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_other = matches!(value("sec-fetch-site"), Some("cross-site" | "same-site"));
    let is_link = value("sec-fetch-mode") == Some("navigate")
        && (value("sec-fetch-dest") == Some("document") || path.starts_with("/embed/"));
    is_other && !is_link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_no_stranger_can_own_are_known() {
        let neighbours =
            Neighbours { hosts: vec!["arena.example".to_owned()], ..Neighbours::default() };
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:8080",
            "192.168.1.7",
            "[::1]:80",
            "[::1]",
            "arena.example:443",
            "Arena.Example",
        ] {
            assert!(neighbours.knows_host(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:8080",
            "127.0.0.1:8080@evil",
            "localhost:8080:80",
            "[::1",
            "::1",
            "2130706433x",
            "127.0.0.1:x",
        ] {
            assert!(!neighbours.knows_host(host), "{host}");
        }
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for origin in ["https://example.org", "http://127.0.0.1:4000", "http://[::1]:80"] {
            assert!(Neighbours::is_origin(origin), "{origin}");
        }
        for text in ["", "example.org", "https://", "https://a/b", "https://a; script-src *", "*"] {
            assert!(!Neighbours::is_origin(text), "{text}");
        }
    }
}
