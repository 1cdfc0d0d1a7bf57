//! Pages and other answers, with what they may do and how long they may be kept.

use askama::Template;
use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::packed::Packed;

/// A page: a template whose fields are all that it can say.
pub(crate) trait Page: Template {
    /// How long it may be kept by a browser.
    const CACHE: CachePolicy;

    /// Who may show it in a frame; a list of sources of a policy.
    fn frame_ancestors(&self) -> String {
        "'none'".to_owned()
    }

    fn status(&self) -> StatusCode {
        StatusCode::OK
    }

    fn response(&self) -> Response {
        let (status, body) = match self.render() {
            Ok(text) => (self.status(), text),
            Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "This page cannot be shown.".to_owned()),
        };
        let mut response = written_page(body, Self::CACHE, &self.frame_ancestors());
        *response.status_mut() = status;
        response
    }
}

/// A page from its text, for nobody's frame and asked for anew each time.
pub(crate) fn fresh_page(text: String) -> Response {
    written_page(text, CachePolicy::Fresh, "'none'")
}

fn written_page(text: String, cache: CachePolicy, frame_ancestors: &str) -> Response {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    insert(headers, header::CONTENT_TYPE, "text/html; charset=utf-8");
    insert(headers, header::CACHE_CONTROL, cache.text());
    insert(headers, header::CONTENT_SECURITY_POLICY, &content_policy(frame_ancestors));
    response
}

/// How long an answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CachePolicy {
    /// Asked for anew each time, since folders and files change.
    Fresh,
    /// Kept, but asked about each time.
    Checked,
    /// Kept for ever: its address names its content.
    Forever,
}

impl CachePolicy {
    fn text(self) -> &'static str {
        match self {
            CachePolicy::Fresh => "no-store",
            CachePolicy::Checked => "private, no-cache",
            CachePolicy::Forever => "public, max-age=31536000, immutable",
        }
    }
}

/// Nothing but what is sent by this server, and no text of a page is a program or a style.
fn content_policy(frame_ancestors: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors {frame_ancestors}"
    )
}

/// Anything that is no page.
pub(crate) struct Plain<'a> {
    pub(crate) kind: &'static str,
    pub(crate) cache: CachePolicy,
    /// Tells this content from others at the same address.
    pub(crate) tag: Option<&'a str>,
    pub(crate) request: &'a HeaderMap,
}

impl Plain<'_> {
    /// The bytes as they are.
    pub(crate) fn bytes(&self, bytes: impl Into<Bytes>) -> Response {
        if let Some(unchanged) = self.unchanged() {
            return unchanged;
        }
        self.marked(Response::new(Body::from(bytes.into())))
    }

    /// Packed, for whoever can unpack it.
    pub(crate) fn packed(&self, packed: &Packed) -> Response {
        if let Some(unchanged) = self.unchanged() {
            return unchanged;
        }
        let accepts = self.request.get(header::ACCEPT_ENCODING);
        let accepts = accepts.and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
        let can_unpack = accepts.split(',').any(|coding| coding.trim().starts_with("gzip"));
        let mut response = match can_unpack {
            true => self.marked(Response::new(Body::from(packed.0.clone()))),
            false => self.marked(Response::new(Body::from(packed.unpacked()))),
        };
        if can_unpack {
            insert(response.headers_mut(), header::CONTENT_ENCODING, "gzip");
        }
        insert(response.headers_mut(), header::VARY, "accept-encoding");
        response
    }

    fn unchanged(&self) -> Option<Response> {
        let known = self.request.get(header::IF_NONE_MATCH)?.to_str().ok()?;
        let tag = self.tag.filter(|tag| *tag == known)?;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        insert(response.headers_mut(), header::ETAG, tag);
        Some(response)
    }

    fn marked(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        insert(headers, header::CONTENT_TYPE, self.kind);
        insert(headers, header::CACHE_CONTROL, self.cache.text());
        // Whatever is opened by itself can do nothing.
        insert(headers, header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
        if let Some(tag) = self.tag {
            insert(headers, header::ETAG, tag);
        }
        response
    }
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
