//! What one person sees and is asked.

use std::collections::VecDeque;
use std::io::Write as _;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use quintain_core::scene::{Eye, Frame};
use quintain_registry::{FilmHead, Question};

use super::news::Known;
use super::offers::{Offer, offers};
use crate::film_text::GrowingFilm;
use crate::limits::FRAMES_KEPT;

/// One person's side of a game.
#[derive(Default)]
pub(super) struct Side {
    /// The way to the match; `None` before it begins and once the person has left.
    wire: Option<UnixStream>,
    pub(super) has_left: bool,
    /// Counts the films: one that begins anew is another one.
    film: u32,
    /// The first line of the film.
    head: Option<String>,
    growing: GrowingFilm,
    /// The latest frames.
    lines: VecDeque<Line>,
    /// How many frames there are in all.
    frames: u64,
    /// Turns completed in the latest frame.
    turn: u32,
    question: Option<Box<dyn Question>>,
    /// Counts the questions.
    pub(super) questions: u64,
    /// Turns completed whenever something was asked.
    asked_at: Vec<u32>,
    deadline: Option<Instant>,
}

struct Line {
    turn: u32,
    text: String,
}

/// What a page has to be told of a film.
pub(super) struct Footage<'a> {
    pub(super) film: u32,
    /// How many frames the page knows afterwards.
    pub(super) frames: u64,
    /// Set if the page begins anew.
    pub(super) head: Option<&'a str>,
    /// Turns completed, for each line.
    pub(super) turns: Vec<u32>,
    pub(super) lines: Vec<String>,
}

impl Side {
    pub(super) fn connect(&mut self, wire: UnixStream) {
        self.wire = Some(wire);
        self.has_left = false;
    }

    /// The film begins anew.
    pub(super) fn begin(&mut self, head: &FilmHead, eye: Eye) {
        self.head = Some(GrowingFilm::head_line(head, eye));
        self.film += 1;
        self.growing = GrowingFilm::default();
        self.lines.clear();
        self.frames = 0;
    }

    pub(super) fn see(&mut self, frame: &Frame) {
        let text = self.growing.line(frame.scene.clone());
        if self.lines.len() >= FRAMES_KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(Line { turn: frame.turn, text });
        self.frames += 1;
        self.turn = frame.turn;
        self.question = None;
        self.deadline = None;
    }

    /// Asks; the person has so long, if there is a clock.
    pub(super) fn ask(&mut self, question: Box<dyn Question>, clock: Option<Duration>) {
        self.question = Some(question);
        self.questions += 1;
        self.deadline = clock.map(|clock| Instant::now() + clock);
        self.asked_at.push(self.turn);
    }

    pub(super) fn is_asked(&self) -> bool {
        self.question.is_some()
    }

    /// What is left of the time for an answer.
    pub(super) fn time_left(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(Instant::now()))
    }

    pub(super) fn offers(&self, chosen: &str) -> Option<Vec<Offer>> {
        self.question.as_ref().map(|question| offers(&**question, chosen))
    }

    /// Says an answer. What is wrong with it otherwise.
    pub(super) fn answer(&mut self, text: &str) -> Result<(), String> {
        let question = self.question.as_ref().ok_or("It is not your turn.")?;
        if let Some(objection) = question.objection(text) {
            return Err(objection);
        }
        let lines = question.lines(text);
        self.question = None;
        self.deadline = None;
        if let Some(wire) = &mut self.wire {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            // A match that is over hears nothing more.
            let _ = wire.write_all(text.as_bytes());
        }
        Ok(())
    }

    /// The person has left: the rules say what that costs.
    pub(super) fn hang_up(&mut self) {
        if let Some(wire) = self.wire.take() {
            let _ = wire.shutdown(Shutdown::Both);
        }
        self.has_left = true;
        self.fall_silent();
    }

    /// Nothing is asked any more.
    pub(super) fn fall_silent(&mut self) {
        self.question = None;
        self.deadline = None;
    }

    /// The turn, counted from 1, that the person's latest answer was given in; `None` before the first. Asked for
    /// it, the person forgets what came later.
    pub(super) fn turn_before(&self) -> Option<u32> {
        let answered =
            self.asked_at.len() - usize::from(self.is_asked() && !self.asked_at.is_empty());
        self.asked_at[..answered].last().map(|turn| turn + 1)
    }

    pub(super) fn go_back_to(&mut self, turn: u32) {
        self.asked_at.retain(|asked| asked + 1 < turn);
        self.fall_silent();
    }

    /// What a page has to be told that knows this much.
    pub(super) fn footage(&mut self, known: &Known) -> Footage<'_> {
        let oldest = self.frames - self.lines.len() as u64;
        let (film, frames) = (self.film, self.frames);
        if known.film == film && (oldest..=frames).contains(&known.frames) {
            let new = self.lines.iter().skip((known.frames - oldest) as usize);
            let (turns, lines) = new.map(|line| (line.turn, line.text.clone())).unzip();
            return Footage { film, frames, head: None, turns, lines };
        }
        let Some(head) = &self.head else {
            return Footage { film, frames, head: None, turns: Vec::new(), lines: Vec::new() };
        };
        let whole = self.growing.whole_line();
        Footage { film, frames, head: Some(head), turns: vec![self.turn], lines: vec![whole] }
    }
}
