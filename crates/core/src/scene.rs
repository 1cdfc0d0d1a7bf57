//! What a game looks like, as shapes and as text, drawn once for every screen.
//!
//! A game fills a [`Stage`] once per match and a [`Scene`] per turn. Renderers (picture, film,
//! terminal, browser) know shapes and no game. Coordinates are the game's own: x to the right, y
//! down, any unit.

mod shape;
mod text;

use serde::Serialize;

use crate::{Game, Outcome, PerSeat, Seat};

use shape::heap_bytes;
pub use shape::{Anchor, Area, Colour, Form, Ink, Motion, Point, Shape, Style};
pub use text::{Focus, Span, TextScene, join, shortened, spans};

/// A game that can be watched.
pub trait Spectate: Game {
    /// What a picture shows and the position has forgotten, such as who drew which line. `()` if
    /// the position is enough.
    type Trail: Clone + Default + Send;

    /// What stays the same during a match.
    fn stage(&self) -> Stage;

    /// Adds the events of one step. Called once per step, in order, before `draw`. Nothing to do for
    /// a trail of `()`.
    fn follow(_trail: &mut Self::Trail, _events: &[Self::Event]) {}

    /// The position, as a spectator sees it.
    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene);

    /// The position as plain text.
    fn text(&self, eye: Eye, out: &mut TextScene);

    /// What happened, in a few words: a line of the transcript. Empty for events not worth one.
    fn describe(event: &Self::Event, names: &PerSeat<String>) -> String;

    /// Whether an event deserves a tick on the seek bar, and how it is called there.
    fn mark(event: &Self::Event) -> Option<&'static str>;

    /// The scene that `draw` fills.
    fn drawn(&self, watch: &Viewing<'_, Self>) -> Scene {
        let mut scene = Scene::default();
        self.draw(watch, &mut scene);
        scene
    }

    /// The text that `text` fills.
    fn written(&self, eye: Eye) -> TextScene {
        let mut out = TextScene::default();
        self.text(eye, &mut out);
        out
    }
}

/// What a spectator knows beside the position.
pub struct Viewing<'a, G: Spectate> {
    pub eye: Eye,
    /// Safe to show: control characters have been replaced.
    pub names: &'a PerSeat<String>,
    /// Has followed every step since the match began.
    pub trail: &'a G::Trail,
    /// What happened in the latest step.
    pub last: &'a [G::Event],
}

impl<G: Spectate> Viewing<'_, G> {
    /// The names as they fit into a picture.
    pub fn short_names(&self, letters_max: usize) -> PerSeat<String> {
        self.names.as_ref().map(|_, name| shortened(name, letters_max))
    }
}

/// Who looks. A person at play sees what a bot would be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    All,
    Seat(Seat),
}

/// What is drawn below every scene of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// The part of the world that is shown.
    pub world: Area,
    pub background: Vec<Shape>,
    /// The colours of [`Ink::Own`], in order.
    pub palette: Vec<Colour>,
}

impl Stage {
    /// An empty one from (0, 0) on.
    pub fn of_size(width: f64, height: f64) -> Stage {
        let world = Area { x: 0.0, y: 0.0, width, height };
        Stage { world, background: Vec::new(), palette: Vec::new() }
    }
}

/// One position, drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    pub shapes: Vec<Shape>,
    pub panels: Vec<Panel>,
    /// One line on the position: whose turn it is, or how it ended.
    pub caption: String,
}

impl Scene {
    pub fn add_panel(&mut self, seat: Seat, name: &'static str, value: impl ToString) {
        self.panels.push(Panel { seat: Some(seat), name, value: value.to_string() });
    }
}

/// A whole match to be shown: the start, then one frame per step.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// The game's name for people.
    pub title: &'static str,
    /// What a turn of the game is called, for instance "throw".
    pub turn_name: &'static str,
    pub names: PerSeat<String>,
    pub stage: Stage,
    pub frames: Vec<Frame>,
    /// How it ended, in one sentence; or that and where the record stops.
    pub ending: String,
}

/// The position after a step, and what happened in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Turns completed.
    pub turn: u32,
    pub scene: Scene,
    pub text: TextScene,
    /// The transcript of the step: events, faults, what bots wrote to their error output.
    pub notes: Vec<String>,
    /// What deserves a tick on the seek bar.
    pub mark: Option<&'static str>,
}

impl Frame {
    /// About what the frame takes in memory.
    pub fn bytes(&self) -> usize {
        let text = |text: &String| size_of::<String>() + heap_bytes(text.capacity());
        let Scene { shapes, panels, caption } = &self.scene;
        let shapes = shapes.iter().map(Shape::bytes);
        let panels = panels.iter().map(|panel| size_of::<Panel>() + text(&panel.value));
        let spans = self.text.lines.iter().flatten();
        let spans = spans.map(|span| size_of::<Span>() + text(&span.text));
        let notes = self.notes.iter().chain([caption]).map(text);
        shapes.chain(panels).chain(spans).chain(notes).sum()
    }
}

/// A figure with a name beside the board: score, energy, gold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// Whose figure it is; `None` if it belongs to the match.
    pub seat: Option<Seat>,
    pub name: &'static str,
    pub value: String,
}

/// The id of a thing that each seat has one of.
pub const fn id_of(first: u32, seat: Seat) -> u32 {
    first + seat.index() as u32
}

/// How a match ended, for a caption; `nobody` says that neither seat has won.
pub fn ending(outcome: &Outcome, names: &PerSeat<String>, nobody: &str) -> String {
    match outcome.winner() {
        Some(winner) => format!("{} wins: {}", names[winner], outcome.reason),
        None => format!("{nobody}: {}", outcome.reason),
    }
}
