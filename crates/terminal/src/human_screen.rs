//! A person at the terminal plays a match on a screen of its own.
//!
//! The match sees a link like any other. What is typed goes through it as the lines of a bot, so that clocks,
//! replays and faults are those of everybody.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::{self, JoinHandle};

use quintain_core::Seat;
use quintain_core::scene::{Eye, Frame};
use quintain_referee::Stop;
use quintain_registry::{Decided, FilmHead, Question, Spectator};
use quintain_replay::Closing;

use crate::human_loop::{HumanUpdate, HumanWire, play_on_screen};

/// Tells a screen what happens. The screen has a thread of its own.
pub struct HumanScreen {
    seat: Seat,
    head: Option<FilmHead>,
    updates: Sender<HumanUpdate>,
}

/// The thread that has the terminal.
pub struct HumanTerminal(JoinHandle<io::Result<()>>);

/// Takes the terminal over, until somebody wants to stop. The person plays on the other end of `stream`, with
/// a clock if limits are multiplied by something.
pub fn human_screen(
    seat: Seat,
    name: &str,
    time_scale: Option<f64>,
    stream: UnixStream,
    stop: Stop,
) -> (HumanScreen, HumanTerminal) {
    let (updates, receiver) = mpsc::channel();
    let wire = Wire { stream: Some(stream), unread: Vec::new(), updates: receiver, stop };
    let name = name.to_owned();
    let painter = thread::spawn(move || {
        wire.prepare()?;
        play_on_screen(name, time_scale, wire)
    });
    (HumanScreen { seat, head: None, updates }, HumanTerminal(painter))
}

impl HumanTerminal {
    /// Waits until the person has seen how it ended, and gives the terminal back.
    ///
    /// # Errors
    /// The terminal went away.
    pub fn close(self) -> io::Result<()> {
        self.0.join().unwrap_or_else(|_| Err(io::Error::other("the drawing stopped")))
    }
}

impl HumanScreen {
    /// The screen has stopped if the terminal went away; the link tells the match.
    fn tell(&self, update: HumanUpdate) {
        let _ = self.updates.send(update);
    }
}

impl Spectator for HumanScreen {
    fn wants_frames(&self) -> bool {
        true
    }

    fn eyes(&self) -> Vec<Eye> {
        vec![Eye::Seat(self.seat)]
    }

    fn answers_for(&self, seat: Seat) -> bool {
        seat == self.seat
    }

    fn asked(&mut self, question: Box<dyn Question>) {
        self.tell(HumanUpdate::Asked(question));
    }

    fn decided(&mut self, end: &Decided) {
        if let Some(FilmHead { names, turn_name, .. }) = &self.head {
            let Decided { ref outcome, standing, turns, .. } = *end;
            let (faults, plays_on) = (&[][..], false);
            let closing = Closing { names, outcome, standing, turns, turn_name, faults, plays_on };
            self.tell(HumanUpdate::Over(closing.to_string()));
        }
    }

    fn begin(&mut self, head: &FilmHead) {
        self.head = Some(head.clone());
        self.tell(HumanUpdate::Begin(head.clone()));
    }

    fn frame(&mut self, _eye: Eye, frame: &Frame) {
        self.tell(HumanUpdate::Frame(frame.clone()));
    }
}

/// The person's end of the link.
struct Wire {
    /// `None` once the person has left.
    stream: Option<UnixStream>,
    unread: Vec<u8>,
    updates: Receiver<HumanUpdate>,
    stop: Stop,
}

impl HumanWire for Wire {
    fn update(&mut self) -> Option<HumanUpdate> {
        match self.updates.try_recv() {
            Ok(update) => Some(update),
            Err(TryRecvError::Empty) => self.line().map(HumanUpdate::Line),
            Err(TryRecvError::Disconnected) => Some(HumanUpdate::Gone),
        }
    }

    fn say(&mut self, lines: &[String]) {
        if let Some(stream) = &mut self.stream {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            // A match that is over hears nothing more.
            let _ = stream.write_all(text.as_bytes());
        }
    }

    fn leave(&mut self) {
        self.stream = None;
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }
}

impl Wire {
    /// Nobody waits for a line that is not there.
    fn prepare(&self) -> io::Result<()> {
        self.stream.as_ref().map_or(Ok(()), |stream| stream.set_nonblocking(true))
    }

    /// The next line that was said to the person.
    fn line(&mut self) -> Option<String> {
        let mut buffer = [0; 4096];
        while let Some(Ok(count @ 1..)) =
            self.stream.as_mut().map(|stream| stream.read(&mut buffer))
        {
            self.unread.extend_from_slice(&buffer[..count]);
        }
        let end = self.unread.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.unread.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line).trim_end().to_owned())
    }
}
