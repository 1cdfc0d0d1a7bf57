//! A person at play, without a terminal: what was typed, what is offered, what a key does.

use std::time::{Duration, Instant};

use quintain_core::Suggestion;
use quintain_core::scene::Frame;
use quintain_registry::{FilmHead, Question};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What happened earlier is forgotten.
const NOTES_MAX: usize = 200;
const TYPED_MAX: usize = 200;
/// How far the arrows move the look at a board that is larger than its place.
const SCROLL: i32 = 2;

/// The keys as the help shows them.
pub(crate) const HELP: [(&str, &str); 9] = [
    ("↑ ↓  page up/down", "choose"),
    ("enter", "play what is chosen, or what was typed"),
    ("1 to 9", "play the one of this number at once"),
    ("letters", "type an answer; the list keeps what fits"),
    ("tab", "complete what was typed"),
    ("ctrl+t", "board as a picture or as text"),
    ("shift + arrows", "look at another part of a text"),
    ("?", "this help"),
    ("esc, ctrl+c", "delete what was typed; then leave the match"),
];

/// What a key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Send these lines.
    Say(Vec<String>),
    Leave,
}

/// Where a match stands for the person who plays it.
pub(crate) enum Stage {
    /// Before the first position: somebody may have to be introduced.
    Lobby,
    Playing,
    Over {
        ending: String,
    },
}

pub(crate) struct Human {
    /// What the person is called if it says nothing else.
    pub(crate) name: String,
    pub(crate) stage: Stage,
    pub(crate) head: Option<FilmHead>,
    pub(crate) frame: Option<Frame>,
    /// What happened since the match began, newest last.
    pub(crate) notes: Vec<String>,
    /// What was said before the first position.
    pub(crate) heard: Vec<String>,
    question: Option<Box<dyn Question>>,
    asked_at: Instant,
    /// By what time limits are multiplied, where there is a clock.
    time_scale: Option<f64>,
    pub(crate) typed: String,
    pub(crate) offered: Vec<Suggestion>,
    pub(crate) chosen: usize,
    /// What was wrong with the last answer.
    pub(crate) complaint: Option<String>,
    pub(crate) shows_help: bool,
    pub(crate) is_leaving: bool,
    /// Which of both boards was asked for.
    shows_text: Option<bool>,
    /// Columns and rows by which the look was moved.
    pub(crate) scroll: (i32, i32),
}

impl Human {
    pub(crate) fn new(name: String, time_scale: Option<f64>) -> Human {
        Human {
            name,
            stage: Stage::Lobby,
            head: None,
            frame: None,
            notes: Vec::new(),
            heard: Vec::new(),
            question: None,
            asked_at: Instant::now(),
            time_scale,
            typed: String::new(),
            offered: Vec::new(),
            chosen: 0,
            complaint: None,
            shows_help: false,
            is_leaving: false,
            shows_text: None,
            scroll: (0, 0),
        }
    }

    /// A line for a person who is not known yet: it asks for a name.
    pub(crate) fn hear(&mut self, line: String) {
        if matches!(self.stage, Stage::Lobby) {
            self.heard.push(line);
        }
    }

    pub(crate) fn begin(&mut self, head: FilmHead) {
        self.head = Some(head);
        self.stage = Stage::Playing;
        self.typed.clear();
    }

    pub(crate) fn see(&mut self, frame: Frame) {
        self.notes.extend(frame.notes.iter().cloned());
        let surplus = self.notes.len().saturating_sub(NOTES_MAX);
        self.notes.drain(..surplus);
        self.frame = Some(frame);
        self.question = None;
        self.offered.clear();
    }

    pub(crate) fn ask(&mut self, question: Box<dyn Question>) {
        self.question = Some(question);
        self.asked_at = Instant::now();
        self.scroll = (0, 0);
        self.type_anew(String::new());
    }

    pub(crate) fn end(&mut self, ending: String) {
        self.question = None;
        self.offered.clear();
        self.stage = Stage::Over { ending };
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over { .. })
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.question.is_some() || self.is_introduced_now()
    }

    fn is_introduced_now(&self) -> bool {
        matches!(self.stage, Stage::Lobby) && !self.heard.is_empty()
    }

    /// What is left of the time for an answer, where there is a clock.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let limit = self.question.as_ref()?.time_limit().mul_f64(self.time_scale?);
        Some(limit.saturating_sub(self.asked_at.elapsed()))
    }

    /// Whether the board is shown as text. Without a wish: where the text says what to look at.
    pub(crate) fn shows_text(&self) -> bool {
        let has_focus = self.frame.as_ref().is_some_and(|frame| frame.text.focus.is_some());
        self.shows_text.unwrap_or(has_focus)
    }

    pub(crate) fn press(&mut self, key: KeyEvent) -> Option<Deed> {
        // A key that was meant for the last turn does not take the end from the screen.
        if self.is_over() {
            let is_leaving = matches!(key.code, KeyCode::Char('q') | KeyCode::Esc);
            return (is_leaving || is_interrupt(key)).then_some(Deed::Leave);
        }
        if self.shows_help {
            self.shows_help = false;
            return None;
        }
        if self.is_leaving {
            self.is_leaving = false;
            let is_sure = matches!(key.code, KeyCode::Char('y' | 'Y')) || is_interrupt(key);
            return is_sure.then_some(Deed::Leave);
        }
        self.command(key)
    }

    fn command(&mut self, key: KeyEvent) -> Option<Deed> {
        let is_shifted = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            _ if is_interrupt(key) => self.is_leaving = true,
            KeyCode::Char('t') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.shows_text = Some(!self.shows_text());
            }
            KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::CONTROL) => {}
            KeyCode::Left if is_shifted => self.scroll.0 -= SCROLL,
            KeyCode::Right if is_shifted => self.scroll.0 += SCROLL,
            KeyCode::Up if is_shifted => self.scroll.1 -= SCROLL,
            KeyCode::Down if is_shifted => self.scroll.1 += SCROLL,
            KeyCode::Up => self.choose(-1),
            KeyCode::Down => self.choose(1),
            KeyCode::PageUp => self.choose(-8),
            KeyCode::PageDown => self.choose(8),
            KeyCode::Char('?') => self.shows_help = true,
            KeyCode::Esc if self.typed.is_empty() => self.is_leaving = true,
            KeyCode::Esc => self.type_anew(String::new()),
            KeyCode::Backspace => self.delete(),
            KeyCode::Tab => self.complete(),
            KeyCode::Enter => return self.confirm(),
            KeyCode::Char(digit @ '1'..='9') if self.picks_by_digit() => {
                return self.pick(digit as usize - '1' as usize);
            }
            KeyCode::Char(letter) => self.write(letter),
            _ => {}
        }
        None
    }

    fn choose(&mut self, by: isize) {
        let last = self.offered.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    /// Whether a digit stands for a line of the list: nothing was typed, a line of several just ended, or nothing
    /// that is offered goes on with a digit.
    pub(crate) fn picks_by_digit(&self) -> bool {
        let goes_on_with_digit = |offer: &Suggestion| {
            let rest = offer.text.get(self.typed.len()..).unwrap_or_default();
            rest.trim_start().starts_with(|letter: char| letter.is_ascii_digit())
        };
        let is_new = self.typed.is_empty() || self.typed.ends_with('\n');
        !self.offered.is_empty() && (is_new || !self.offered.iter().any(goes_on_with_digit))
    }

    fn pick(&mut self, index: usize) -> Option<Deed> {
        if index >= self.offered.len() {
            return None;
        }
        self.chosen = index;
        self.confirm()
    }

    fn write(&mut self, letter: char) {
        if self.is_asked() && self.typed.len() < TYPED_MAX && !letter.is_control() {
            let mut typed = std::mem::take(&mut self.typed);
            typed.push(letter);
            self.type_anew(typed);
        }
    }

    /// What is pasted is typed and nothing else: whoever pastes several lines has not played them.
    pub(crate) fn paste(&mut self, text: &str) {
        let is_listening = !(self.is_over() || self.shows_help || self.is_leaving);
        if !is_listening || !self.is_asked() {
            return;
        }
        let lines: Vec<&str> = text.split(['\r', '\n']).map(str::trim).collect();
        let lines =
            lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        let room = TYPED_MAX.saturating_sub(self.typed.len());
        let letters = lines.chars().filter(|letter| *letter == '\n' || !letter.is_control());
        let typed = self.typed.chars().chain(letters.take(room)).collect();
        self.type_anew(typed);
    }

    fn delete(&mut self) {
        let mut typed = std::mem::take(&mut self.typed);
        typed.pop();
        self.type_anew(typed);
    }

    fn complete(&mut self) {
        if let Some(suggestion) = self.offered.get(self.chosen) {
            self.type_anew(suggestion.text.clone());
        }
    }

    fn type_anew(&mut self, typed: String) {
        self.typed = typed;
        self.chosen = 0;
        self.complaint = None;
        self.offered =
            self.question.as_ref().map_or_else(Vec::new, |asked| asked.suggestions(&self.typed));
    }

    /// What is chosen is played; of several lines, the next one is asked for.
    fn confirm(&mut self) -> Option<Deed> {
        if self.is_introduced_now() {
            let typed = std::mem::take(&mut self.typed);
            let name = if typed.is_empty() { self.name.clone() } else { typed };
            return Some(Deed::Say(vec![name]));
        }
        let question = self.question.as_ref()?;
        let chosen = self.offered.get(self.chosen);
        let text = chosen.map_or(&self.typed, |suggestion| &suggestion.text).clone();
        if chosen.is_some_and(Suggestion::is_beginning) {
            self.type_anew(text);
            return None;
        }
        let longer = format!("{text}\n");
        if !question.suggestions(&longer).is_empty() {
            self.type_anew(longer);
            return None;
        }
        let text = match meant(&**question, text) {
            Ok(text) => text,
            Err(objection) => {
                self.complaint = Some(objection);
                return None;
            }
        };
        let lines = question.lines(&text);
        self.question = None;
        self.offered.clear();
        self.typed.clear();
        self.complaint = None;
        Some(Deed::Say(lines))
    }
}

/// What a person means by a text: in small letters it is meant too, where the game wants capitals. Else what is
/// wrong with it.
fn meant(question: &dyn Question, text: String) -> Result<String, String> {
    let Some(objection) = question.objection(&text) else { return Ok(text) };
    let capitals = text.to_ascii_uppercase();
    match question.objection(&capitals) {
        None => Ok(capitals),
        Some(_) => Err(objection),
    }
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'C'))
}
