//! Watching a match while it is played, without disturbing it.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use quintain_core::scene::{Eye, Frame};
use quintain_referee::Stop;
use quintain_registry::{FilmHead, Spectator};

use crate::live_view::LiveView;
use crate::plain::{print_notes, print_position};

/// How long a frame stays on the screen if another waits behind it.
const PACE: Duration = Duration::from_millis(60);
/// With so many frames waiting the pace doubles, with twice as many it triples.
const BACKLOG: u32 = 40;
/// Room for the number of a turn, where it is not known how many there will be.
const TURN_DIGITS: usize = 3;

/// Draws on the terminal. A thread of its own does it at its own pace: the match neither waits for
/// the screen nor is anyone's clock disturbed by it. All clones are one screen.
#[derive(Clone)]
pub struct LiveScreen {
    painter: Arc<Mutex<Option<Painter>>>,
    stop: Stop,
}

type Painter = (Sender<Frame>, JoinHandle<io::Result<()>>);

impl LiveScreen {
    /// A screen that skips what waits to be shown once somebody wants to stop.
    pub fn new(stop: Stop) -> LiveScreen {
        LiveScreen { painter: Arc::default(), stop }
    }

    /// Waits until everything has been shown.
    ///
    /// # Errors
    /// The terminal went away.
    pub fn close(self) -> io::Result<()> {
        let Some((frames, painter)) = self.painter().take() else {
            return Ok(());
        };
        drop(frames);
        painter.join().unwrap_or_else(|_| Err(io::Error::other("the drawing stopped")))
    }

    fn painter(&self) -> MutexGuard<'_, Option<Painter>> {
        self.painter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spectator for LiveScreen {
    fn wants_frames(&self) -> bool {
        true
    }

    fn begin(&mut self, head: &FilmHead) {
        let (sender, receiver) = mpsc::channel();
        let (head, stop) = (head.clone(), self.stop.clone());
        let painter = thread::spawn(move || paint(head, &receiver, &stop));
        *self.painter() = Some((sender, painter));
    }

    fn frame(&mut self, _eye: Eye, frame: &Frame) {
        if let Some((frames, _)) = &*self.painter() {
            // The painter has stopped if the terminal went away; the match goes on.
            let _ = frames.send(frame.clone());
        }
    }
}

/// Draws as long as the terminal plays along, and tells the rest in plain text: the result of a match
/// does not depend on what a terminal can do.
fn paint(head: FilmHead, frames: &Receiver<Frame>, stop: &Stop) -> io::Result<()> {
    match LiveView::new(head).and_then(|live| draw(live, frames, stop)) {
        Ok(()) => Ok(()),
        Err(_) => tell(frames),
    }
}

fn tell(frames: &Receiver<Frame>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut last = None;
    for frame in frames {
        print_notes(&frame, TURN_DIGITS, &mut out)?;
        last = Some(frame);
    }
    if let Some(frame) = last {
        print_position(&frame, &mut out)?;
    }
    out.flush()
}

fn draw(mut live: LiveView, frames: &Receiver<Frame>, stop: &Stop) -> io::Result<()> {
    let mut waiting = VecDeque::new();
    while let Ok(frame) = frames.recv() {
        waiting.push_back(frame);
        while let Some(frame) = waiting.pop_front() {
            live.frame(&frame)?;
            waiting.extend(frames.try_iter());
            if stop.is_asked() {
                waiting.drain(..waiting.len().saturating_sub(1));
            }
            if !waiting.is_empty() {
                let backlog = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
                thread::sleep(PACE / (1 + backlog / BACKLOG));
            }
        }
    }
    live.finish()
}

/// Prints each position as text: for a person who plays on the same terminal.
pub struct TextView;

impl Spectator for TextView {
    fn wants_frames(&self) -> bool {
        true
    }

    fn frame(&mut self, _eye: Eye, frame: &Frame) {
        let mut out = io::stdout().lock();
        // Nothing can be done for a terminal that is gone; its seat will be found gone too.
        let _ = writeln!(out, "\n{}", frame.text.plain());
        for note in &frame.notes {
            let _ = writeln!(out, "{note}");
        }
    }
}
