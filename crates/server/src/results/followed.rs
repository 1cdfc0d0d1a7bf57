//! The page of a run while somebody looks at it: what stands in it is sent again whenever it says something else.
//! Each page is made once for all who look.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream::unfold;
use quintain_store::{RunId, RunInfo};
use tokio::sync::OwnedSemaphorePermit;

use super::archive::{Archive, REST};
use super::{RunView, links};
use crate::error::Refusal;
use crate::limits::{LIVE_SILENCE_MAX, PAGE_LOOK, STREAM_TIME_MAX, WATCHED_MAX};
use crate::live::{Hub, Lease, event, event_stream};

/// What the page of a run depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    games: u64,
    is_played: bool,
    /// The numbers of its matches that can be watched.
    running: Vec<u64>,
    /// The run that is played in its place by now, such as the next rung of a ladder.
    next: Option<RunId>,
    /// Whether nothing more will change.
    is_last: bool,
}

impl Moment {
    /// What is known of a run by now, and the run itself.
    fn of(archive: &Archive, id: &str) -> Result<(Moment, RunInfo), Refusal> {
        // Asked first: what was played last is there when nobody plays any more.
        let is_played = archive.store.is_played(archive.run(id)?.id)?;
        let run = archive.run(id)?;
        let running = archive.running(run.id).iter().map(|live| live.about.number).collect();
        let hub = archive.live.as_ref().filter(|hub| hub.knows(run.id));
        let next = hub.and_then(Hub::run).filter(|next| *next != run.id && !is_played);
        let may_follow = hub.is_some_and(|hub| !hub.is_closed()) && next.is_none();
        let is_last = !is_played && !may_follow;
        Ok((Moment { games: run.games, is_played, running, next, is_last }, run))
    }
}

/// A page at another moment than the one before, or nothing if there is no news.
pub(crate) type PageNews = Result<Option<(Moment, Bytes)>, Refusal>;

/// The pages of runs as they were sent last.
#[derive(Default)]
pub(crate) struct Followed(Mutex<HashMap<(RunId, RunView), Slot>>);

type Slot = Arc<Mutex<Option<Sent>>>;

struct Sent {
    looked: Instant,
    /// How long it took to be made.
    took: Duration,
    moment: Moment,
    event: Bytes,
}

impl Sent {
    /// Whether it may be made anew. What takes long is made seldom, since bots are timed on this machine.
    fn is_old(&self) -> bool {
        self.looked.elapsed() >= PAGE_LOOK.max(self.took * REST)
    }
}

impl Followed {
    fn slot(&self, key: (RunId, RunView)) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= WATCHED_MAX && !slots.contains_key(&key) {
            slots.clear();
        }
        Arc::clone(slots.entry(key).or_default())
    }
}

/// What is new on a page since `last`.
pub(crate) fn news_of(
    archive: &Archive,
    id: &str,
    view: RunView,
    last: Option<&Moment>,
) -> PageNews {
    let slot = archive.followed.slot((archive.run(id)?.id, view));
    let mut sent = match slot.try_lock() {
        Ok(sent) => sent,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        // It is being made for somebody else, and told with the next look.
        Err(TryLockError::WouldBlock) => return Ok(None),
    };
    if sent.as_ref().is_none_or(Sent::is_old) {
        let started = Instant::now();
        let (moment, run) = Moment::of(archive, id)?;
        let (event, took) = match sent.take() {
            Some(same) if same.moment == moment => (same.event, same.took),
            _ => (page_event(&moment, &view.text(archive, &run)?), started.elapsed()),
        };
        *sent = Some(Sent { looked: Instant::now(), took, moment, event });
    }
    let is_new = |sent: &&Sent| Some(&sent.moment) != last;
    Ok(sent.as_ref().filter(is_new).map(|sent| (sent.moment.clone(), sent.event.clone())))
}

/// What stands in a page, as an event; and what follows, if nothing more comes of this one.
fn page_event(moment: &Moment, page: &str) -> Bytes {
    let main = page.split_once("<main").and_then(|(_, rest)| rest.split_once('>'));
    let main = main.and_then(|(_, rest)| rest.rsplit_once("</main>"));
    // Browsers take it for the end of a line.
    let main = main.map_or("", |(main, _)| main).replace('\r', " ");
    let lines: Vec<&str> = main.lines().collect();
    let mut events = event("main", moment.games, &lines).to_vec();
    if moment.is_last {
        let next = moment.next.map(links::run).unwrap_or_default();
        events.extend_from_slice(&event("end", moment.games, &[&next]));
    }
    events.into()
}

/// Sends what `look` finds, as long as there may be more.
pub(crate) fn follow<L, F>(look: L, place: OwnedSemaphorePermit, lease: &Lease) -> Response
where
    L: Fn(Option<Moment>) -> F + Send + 'static,
    F: Future<Output = PageNews> + Send + 'static,
{
    lease.extend();
    let (now, until) = (Instant::now(), Instant::now() + STREAM_TIME_MAX);
    let reader = Reader { look, last: None, until, last_sent: now, _place: place };
    let events = unfold(reader, |mut reader| async move {
        let chunk = reader.next().await?;
        Some((Ok::<Bytes, std::convert::Infallible>(chunk), reader))
    });
    event_stream(Body::from_stream(events))
}

/// Somebody who looks on. A slow one asks seldom, and is sent the latest.
struct Reader<L> {
    look: L,
    /// The moment that was sent last.
    last: Option<Moment>,
    until: Instant,
    last_sent: Instant,
    _place: OwnedSemaphorePermit,
}

impl<L, F> Reader<L>
where
    L: Fn(Option<Moment>) -> F,
    F: Future<Output = PageNews>,
{
    async fn next(&mut self) -> Option<Bytes> {
        while self.last.as_ref().is_none_or(|last| !last.is_last) && Instant::now() < self.until {
            if self.last.is_some() {
                tokio::time::sleep(PAGE_LOOK).await;
            }
            let chunk = match (self.look)(self.last.clone()).await.ok()? {
                Some((moment, page)) => {
                    self.last = Some(moment);
                    page
                }
                None if self.last_sent.elapsed() > LIVE_SILENCE_MAX => Bytes::from_static(b":\n\n"),
                None => {
                    // Somebody else's page is being made.
                    if self.last.is_none() {
                        tokio::time::sleep(PAGE_LOOK / 10).await;
                    }
                    continue;
                }
            };
            self.last_sent = Instant::now();
            return Some(chunk);
        }
        None
    }
}
