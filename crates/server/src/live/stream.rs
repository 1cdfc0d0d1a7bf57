//! Events on their way to one browser.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::stream::unfold;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::LiveMatch;
use super::live_match::Cursor;
use crate::error::Refusal;
use crate::limits::{
    CONNECTION_TIME_MAX, LIVE_PACE, LIVE_SILENCE_MAX, STREAM_TIME_MAX, STREAMS_MAX,
};

/// The places of those who look on.
#[derive(Clone)]
pub(crate) struct Streams(Arc<Semaphore>);

impl Streams {
    pub(crate) fn new() -> Streams {
        Streams(Arc::new(Semaphore::new(STREAMS_MAX)))
    }

    pub(crate) fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.0).try_acquire_owned().map_err(|_| Refusal::Full)
    }
}

/// How long a connection lives.
#[derive(Clone)]
pub(crate) struct Lease(Arc<Mutex<Instant>>);

impl Lease {
    pub(crate) fn new() -> Lease {
        Lease::lasting(CONNECTION_TIME_MAX)
    }

    pub(crate) fn lasting(time: Duration) -> Lease {
        Lease(Arc::new(Mutex::new(Instant::now() + time)))
    }

    pub(crate) fn until(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Events are sent from now on, which end before the connection does.
    pub(crate) fn extend(&self) {
        let until = Instant::now() + STREAM_TIME_MAX + CONNECTION_TIME_MAX;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }
}

/// The events of a match, from the one on that the browser has not seen.
pub(crate) fn events_of(
    live: Arc<LiveMatch>,
    last_seen: Option<u64>,
    place: OwnedSemaphorePermit,
    lease: &Lease,
) -> Response {
    lease.extend();
    let viewer = Viewer {
        news: live.news(),
        live,
        cursor: Cursor::after(last_seen),
        until: Instant::now() + STREAM_TIME_MAX,
        last_sent: None,
        _place: place,
    };
    let events = unfold(viewer, |mut viewer| async move {
        let chunk = viewer.next().await?;
        Some((Ok::<Bytes, std::convert::Infallible>(chunk), viewer))
    });
    event_stream(Body::from_stream(events))
}

/// The number of the event that a browser has seen last: it says so when it asks again by itself, and a page that
/// was away asks with `?after=`.
pub(crate) fn last_seen(request: &HeaderMap, wishes: &HashMap<String, String>) -> Option<u64> {
    let by_itself = request.get("last-event-id").and_then(|id| id.to_str().ok());
    by_itself.or_else(|| wishes.get("after").map(String::as_str))?.parse().ok()
}

pub(crate) fn event_stream(body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Somebody who looks on. He asks for more when what he was sent is on its way: a slow one asks seldom.
struct Viewer {
    live: Arc<LiveMatch>,
    news: watch::Receiver<()>,
    cursor: Cursor,
    until: Instant,
    last_sent: Option<Instant>,
    _place: OwnedSemaphorePermit,
}

impl Viewer {
    /// What is sent next; `None` if nothing will be.
    async fn next(&mut self) -> Option<Bytes> {
        let Some(last_sent) = self.last_sent else {
            self.last_sent = Some(Instant::now());
            return Some(Bytes::from_static(b"retry: 1000\n\n"));
        };
        if self.live.is_told(&self.cursor) || Instant::now() >= self.until {
            return None;
        }
        tokio::time::sleep_until((last_sent + LIVE_PACE).into()).await;
        let chunk = loop {
            self.news.borrow_and_update();
            if let Some(chunk) = self.live.take(&mut self.cursor, Instant::now()) {
                break chunk;
            }
            let changed = tokio::time::timeout(LIVE_SILENCE_MAX, self.news.changed()).await;
            if changed.is_err() {
                break Bytes::from_static(b":\n\n");
            }
        };
        self.last_sent = Some(Instant::now());
        Some(chunk)
    }
}
