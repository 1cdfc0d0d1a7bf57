//! Between a room and its match: the threads that play it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use quintain_arena::run::{Progress, RunMeans, run_match};
use quintain_core::Seat;
use quintain_core::scene::{Eye, Frame};
use quintain_registry::{FilmHead, MatchReport, Question, Spectator};
use quintain_tournament::PlannedMatch;

use super::Room;
use super::room::NextMatch;

/// How often clocks are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Plays what is to be played in a room, on a thread of its own, and looks after it.
pub(super) fn begin(room: &Arc<Room>) {
    play(room);
    let room = Arc::clone(room);
    tokio::spawn(async move {
        while room.look_after() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    });
}

/// Plays what is to be played in a room.
pub(super) fn play(room: &Arc<Room>) {
    if !room.claim() {
        return;
    }
    let builder = thread::Builder::new().name("match of a person".to_owned());
    let own = Arc::clone(room);
    if let Err(error) = builder.spawn(move || play_all(&own)) {
        room.end(Err(format!("The system gave no thread for the match: {error}")));
    }
}

/// One match after the other, as long as somebody takes back.
fn play_all(room: &Arc<Room>) {
    while let Some(next) = room.next_match() {
        let played = catch_unwind(AssertUnwindSafe(|| play_one(room, next)));
        let stumbled = |_| Err("The match stopped by a mistake of this program.".to_owned());
        room.end(played.unwrap_or_else(stumbled));
    }
}

/// `None` if it was broken off.
fn play_one(room: &Arc<Room>, next: NextMatch) -> Result<Option<MatchReport>, String> {
    let NextMatch { plan, replay, stop } = next;
    if let Some(folder) = replay.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let means = RunMeans { replay_file: Some(replay), ..RunMeans::default() };
    let has_lobby = room.wish.game.facts().abilities.lobby;
    let mut host = Host { room: Arc::clone(room), has_lobby };
    let played = run_match(&plan, &means, &mut host, &stop).map_err(|error| error.to_string())?;
    Ok(played.report.into_iter().next())
}

/// Seats the persons of a room.
struct Host {
    room: Arc<Room>,
    /// Whether whoever sits down is asked for a name.
    has_lobby: bool,
}

impl Progress for Host {
    fn person(&mut self, _next: &PlannedMatch, seat: Seat) -> Option<UnixStream> {
        let (ours, theirs) = UnixStream::pair().ok()?;
        let reading = theirs.try_clone().ok()?;
        let name = self.has_lobby.then(|| self.room.names()[seat].clone());
        thread::spawn(move || listen(reading, name));
        self.room.connect(seat, theirs);
        Some(ours)
    }

    fn spectator(&mut self, _next: &PlannedMatch) -> Box<dyn Spectator> {
        Box::new(Watcher(Arc::clone(&self.room)))
    }
}

/// Reads what a person is told as a bot would be, until the match hangs up. Whoever is asked for a name says it;
/// everything else is on the page already.
fn listen(mut wire: UnixStream, mut name: Option<String>) {
    let Ok(reading) = wire.try_clone() else { return };
    let mut reading = BufReader::new(reading);
    let mut line = Vec::new();
    while let Ok(1..) = reading.read_until(b'\n', &mut line) {
        line.clear();
        if let Some(name) = name.take() {
            let _ = wire.write_all(format!("{name}\n").as_bytes());
        }
    }
}

/// Tells a room what happens in its match.
struct Watcher(Arc<Room>);

impl Spectator for Watcher {
    fn wants_frames(&self) -> bool {
        true
    }

    fn eyes(&self) -> Vec<Eye> {
        self.0.persons().map(Eye::Seat).collect()
    }

    fn answers_for(&self, seat: Seat) -> bool {
        self.0.wish.is_person(seat)
    }

    fn asked(&mut self, question: Box<dyn Question>) {
        self.0.ask(question);
    }

    fn begin(&mut self, head: &FilmHead) {
        self.0.begin_film(head);
    }

    fn frame(&mut self, eye: Eye, frame: &Frame) {
        if let Eye::Seat(seat) = eye {
            self.0.show(seat, frame);
        }
    }
}
