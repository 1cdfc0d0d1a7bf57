//! A match that is played now: its film so far, as events for browsers.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::body::Bytes;
use quintain_core::PerSeat;
use quintain_core::scene::{Eye, Frame, Mark, Scene};
use quintain_registry::FilmHead;
use quintain_store::RunId;
use serde::Serialize;
use tokio::sync::watch;

use crate::film_text::{FrameNews, GrowingFilm};
use crate::limits::{LIVE_CHUNK_BYTES, LIVE_LAG_MAX, LIVE_LOG_BYTES_MAX};

/// What is known of a match before its first turn.
#[derive(Clone, Debug)]
pub(crate) struct MatchAbout {
    pub(crate) number: u64,
    /// The run of the store that it belongs to.
    pub(crate) run: Option<RunId>,
    pub(crate) title: &'static str,
    /// Safe to show.
    pub(crate) names: PerSeat<String>,
    pub(crate) seed: i64,
}

/// A frame without what browsers do not show.
pub(crate) struct Shot {
    turn: u32,
    scene: Scene,
    notes: Vec<String>,
    marks: Vec<Mark>,
}

impl Shot {
    pub(crate) fn of(frame: &Frame) -> Shot {
        let Frame { turn, scene, notes, marks, .. } = frame;
        Shot { turn: *turn, scene: scene.clone(), notes: notes.clone(), marks: marks.clone() }
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LiveEnd {
    /// In one sentence.
    pub(crate) ending: String,
    /// The address of the page on which it can be seen again.
    pub(crate) page: Option<String>,
}

pub(crate) struct LiveMatch {
    pub(crate) about: MatchAbout,
    log: Mutex<Log>,
    /// Changes with the log.
    news: watch::Sender<()>,
}

/// The events of a match that are kept. Each has a number, by which a browser says what it has seen last.
#[derive(Default)]
struct Log {
    film: GrowingFilm,
    /// What begins a film, and its number.
    head: Option<(u64, Bytes)>,
    /// The number of the first entry.
    first: u64,
    entries: VecDeque<Entry>,
    bytes: usize,
    /// The last frame for whoever has not seen those before it, once somebody needed it.
    whole: Option<Bytes>,
    /// What the last frame says beside its picture.
    latest: String,
    /// How it was decided, in one sentence.
    ending: Option<String>,
    end: Option<LiveEnd>,
}

struct Entry {
    at: Instant,
    event: Bytes,
}

/// What a viewer has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    /// The number of the first event that was not sent.
    next: u64,
    /// Whether everything had been sent once: who falls behind after that skips.
    is_level: bool,
    has_end: bool,
}

impl Cursor {
    /// That of a viewer who has seen this event last.
    pub(crate) fn after(last_seen: Option<u64>) -> Cursor {
        Cursor { next: last_seen.map_or(0, |last| last.saturating_add(1)), ..Cursor::default() }
    }
}

impl LiveMatch {
    pub(crate) fn new(about: MatchAbout) -> LiveMatch {
        LiveMatch { about, log: Mutex::default(), news: watch::Sender::new(()) }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Told of everything that is added.
    pub(crate) fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    pub(crate) fn end(&self) -> Option<LiveEnd> {
        self.log().end.clone()
    }

    /// A film begins; once more if the match is played again.
    pub(crate) fn begin(&self, head: &FilmHead, eye: Eye) {
        let mut log = self.log();
        log.film = GrowingFilm::default();
        let event = event("film", log.next(), &[&GrowingFilm::head_line(head, eye)]);
        log.head = Some((log.next(), event.clone()));
        log.add(event);
        drop(log);
        self.news.send_replace(());
    }

    pub(crate) fn add(&self, shot: Shot) {
        let Shot { turn, scene, notes, marks } = shot;
        let mut log = self.log();
        let latest = FrameNews::of(turn, &scene, &marks, &notes).line();
        let line = log.film.line(scene);
        let event = event("frame", log.next(), &[&latest, &line]);
        log.latest = latest;
        log.add(event);
        drop(log);
        self.news.send_replace(());
    }

    pub(crate) fn decide(&self, ending: String) {
        self.log().ending = Some(ending);
    }

    /// Nothing more will come. `page` is where it can be seen again.
    pub(crate) fn finish(&self, page: Option<String>) {
        let mut log = self.log();
        let ending = log.ending.clone().unwrap_or_else(|| "It was broken off".to_owned());
        log.end = Some(LiveEnd { ending, page });
        drop(log);
        self.news.send_replace(());
    }

    /// What a viewer is sent next; nothing if there is nothing new.
    pub(crate) fn take(&self, cursor: &mut Cursor, now: Instant) -> Option<Bytes> {
        let mut log = self.log();
        let next = log.next();
        cursor.next = cursor.next.min(next);
        if cursor.next == next {
            cursor.is_level = true;
            let end = log.end.as_ref().filter(|_| !cursor.has_end)?;
            cursor.has_end = true;
            let said = serde_json::to_string(end).expect("an end has keys of text");
            return Some(event("end", next, &[&said]));
        }
        if log.is_lost(cursor, now) {
            let sent = log.skip(*cursor);
            cursor.next = next;
            return Some(sent);
        }
        let unseen = (cursor.next - log.first) as usize;
        let mut chunk = Vec::new();
        for entry in log.entries.iter().skip(unseen) {
            if !chunk.is_empty() && chunk.len() + entry.event.len() > LIVE_CHUNK_BYTES {
                break;
            }
            chunk.extend_from_slice(&entry.event);
            cursor.next += 1;
        }
        Some(chunk.into())
    }

    /// Whether a viewer has seen all that will ever be said.
    pub(crate) fn is_told(&self, cursor: &Cursor) -> bool {
        cursor.has_end
    }
}

impl Log {
    /// The number of the next entry.
    fn next(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    fn add(&mut self, event: Bytes) {
        self.whole = None;
        self.bytes += event.len();
        self.entries.push_back(Entry { at: Instant::now(), event });
        while self.bytes > LIVE_LOG_BYTES_MAX
            && let Some(oldest) = self.entries.pop_front()
        {
            self.bytes -= oldest.event.len();
            self.first += 1;
        }
    }

    /// Whether a viewer cannot be sent what he has not seen, or is so far behind that he had better not be.
    fn is_lost(&self, cursor: &Cursor, now: Instant) -> bool {
        let Some(unseen) = cursor.next.checked_sub(self.first) else { return true };
        let is_late = |entry: &Entry| now.duration_since(entry.at) > LIVE_LAG_MAX;
        cursor.is_level && self.entries.get(unseen as usize).is_some_and(is_late)
    }

    /// The last frame alone, with the head of its film if the viewer does not know that.
    fn skip(&mut self, cursor: Cursor) -> Bytes {
        let last = self.next().saturating_sub(1);
        let whole = match &self.whole {
            Some(whole) => whole.clone(),
            None => {
                let made = event("frame", last, &[&self.latest, &self.film.whole_line()]);
                self.whole.insert(made).clone()
            }
        };
        match &self.head {
            Some((number, head)) if cursor.next <= *number => {
                [&head[..], &whole[..]].concat().into()
            }
            _ => whole,
        }
    }
}

/// A server-sent event. The lines have no line ends.
pub(crate) fn event(name: &str, number: u64, lines: &[&str]) -> Bytes {
    let mut text = format!("id: {number}\nevent: {name}\n");
    for line in lines {
        text.push_str("data: ");
        text.push_str(line);
        text.push('\n');
    }
    text.push('\n');
    text.into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use quintain_core::scene::{Form, Ink, Shape, Stage, Style, TextScene};

    use super::*;

    fn live() -> LiveMatch {
        let names = PerSeat(["ann".to_owned(), "bob".to_owned()]);
        LiveMatch::new(MatchAbout { number: 1, run: None, title: "Test", names, seed: 5 })
    }

    fn head() -> FilmHead {
        let (title, turn_name) = ("Test", "turn");
        let names = PerSeat(["ann".to_owned(), "bob".to_owned()]);
        FilmHead { title, turn_name, names, stage: Stage::of_size(1.0, 1.0), turn_ms: 100 }
    }

    fn add(live: &LiveMatch, turn: u32) {
        let form = Form::circle((f64::from(turn), 0.5), 1.0);
        let shapes = vec![Shape::new(1, 0, form, Style::fill(Ink::First))];
        let scene = Scene { shapes, ..Scene::default() };
        let frame =
            Frame { turn, scene, text: TextScene::default(), notes: Vec::new(), marks: Vec::new() };
        live.add(Shot::of(&frame));
    }

    fn taken(live: &LiveMatch, cursor: &mut Cursor, now: Instant) -> String {
        let bytes = live.take(cursor, now).unwrap_or_default();
        String::from_utf8(bytes.to_vec()).expect("events are text")
    }

    fn ids(events: &str) -> Vec<u64> {
        let id = |line: &str| line.strip_prefix("id: ").and_then(|id| id.parse().ok());
        events.lines().filter_map(id).collect()
    }

    #[test]
    fn a_viewer_is_sent_each_turn_once_and_then_the_end() {
        let live = live();
        live.begin(&head(), Eye::All);
        add(&live, 0);
        let (mut cursor, now) = (Cursor::default(), Instant::now());
        assert_eq!(ids(&taken(&live, &mut cursor, now)), [0, 1]);
        assert_eq!(taken(&live, &mut cursor, now), "");
        add(&live, 1);
        let next = taken(&live, &mut cursor, now);
        assert!(next.starts_with("id: 2\nevent: frame\ndata: {\"turn\":1,"), "{next}");
        assert!(next.ends_with("data: {\"moved\":[[1,0,1]]}\n\n"), "{next}");
        live.decide("ann won".to_owned());
        assert_eq!(taken(&live, &mut cursor, now), "");
        live.finish(None);
        assert!(taken(&live, &mut cursor, now).contains("\"ending\":\"ann won\""));
        assert!(live.is_told(&cursor));
    }

    #[test]
    fn a_page_that_was_away_catches_up() {
        let live = live();
        live.begin(&head(), Eye::All);
        (0..50).for_each(|turn| add(&live, turn));
        let late = Instant::now() + Duration::from_secs(60);
        let mut cursor = Cursor::after(Some(40));
        assert_eq!(ids(&taken(&live, &mut cursor, late)), (41..=50).collect::<Vec<u64>>());
    }

    #[test]
    fn a_slow_viewer_skips_to_the_latest_turn() {
        let live = live();
        live.begin(&head(), Eye::All);
        add(&live, 0);
        let mut cursor = Cursor::default();
        taken(&live, &mut cursor, Instant::now());
        taken(&live, &mut cursor, Instant::now());
        (1..9).for_each(|turn| add(&live, turn));
        let late = Instant::now() + LIVE_LAG_MAX * 2;
        let sent = taken(&live, &mut cursor, late);
        assert_eq!(ids(&sent), [9]);
        assert!(sent.contains("\"turn\":8") && sent.contains("\"whole\":true"), "{sent}");
        add(&live, 9);
        assert!(taken(&live, &mut cursor, Instant::now()).contains("moved"));
    }

    #[test]
    fn a_log_is_bounded_and_whoever_comes_later_sees_the_latest_turn() {
        let live = live();
        live.begin(&head(), Eye::All);
        let note = "x".repeat(1 << 20);
        for turn in 0..20 {
            let (scene, text) = (Scene::default(), TextScene::default());
            let notes = vec![note.clone()];
            live.add(Shot::of(&Frame { turn, scene, text, notes, marks: Vec::new() }));
        }
        assert!(live.log().bytes <= LIVE_LOG_BYTES_MAX);
        let mut cursor = Cursor::default();
        let sent = taken(&live, &mut cursor, Instant::now());
        assert_eq!(ids(&sent), [0, 20]);
        assert_eq!(taken(&live, &mut cursor, Instant::now()), "");
    }

    #[test]
    fn a_match_that_is_played_again_is_a_new_film() {
        let live = live();
        live.begin(&head(), Eye::All);
        add(&live, 0);
        live.begin(&head(), Eye::All);
        add(&live, 0);
        let sent = taken(&live, &mut Cursor::default(), Instant::now());
        assert_eq!(sent.matches("event: film").count(), 2);
        assert_eq!(sent.matches("\"looks\"").count(), 2, "{sent}");
    }
}
