//! What a game looks like, as shapes and as text, drawn once for every screen.
//!
//! A game fills a [`Stage`] once per match and a [`Scene`] per turn. Renderers (picture, film,
//! terminal, browser) know shapes and no game. Coordinates are the game's own: x to the right, y
//! down, any unit.

mod deeds;
mod effects;
mod figures;
mod ink;
mod label;
mod motion;
mod shape;
mod symbol;
mod text;
mod window;

use serde::Serialize;

use crate::{Game, Outcome, PerSeat, Replies, Seat};

pub use deeds::{CAPTION_LETTERS_MAX, Deeds, deeds_line, order_of, order_words};
pub use effects::Effects;
pub use figures::{Curve, CurveKind, Gauge, Legend, Mark, MarkKind, Panel};
pub use ink::{Colour, Ink, Paint, Theme, Tone};
pub use label::{Anchor, Label, Plate, Size};
pub use motion::{Enter, Entrance, Leave, Motion};
use shape::heap_bytes;
pub use shape::{Area, Form, Point, Presence, Shape, Style};
pub use symbol::{Part, Symbol};
pub use text::{Focus, Span, TextScene, join, shortened, spans};
pub use window::{Window, Windows};

/// A game that can be watched.
pub trait Spectate: Game {
    /// What a picture shows and the position has forgotten, such as who drew which line. `()` if
    /// the position is enough.
    type Trail: Clone + Default + Send;

    /// How long a turn takes in a film that is played at its usual speed.
    const TURN_MS: u32 = 400;

    /// What stays the same during a match.
    fn stage(&self) -> Stage;

    /// Adds the events of one step. Called once per step, in order, before `draw`. Nothing to do for
    /// a trail of `()`.
    fn follow(_trail: &mut Self::Trail, _events: &[Self::Event]) {}

    /// Keeps of a position what the picture of the next one shows, such as where everybody stood. Called
    /// once per position, before the step that leaves it.
    fn remember(&self, _trail: &mut Self::Trail) {}

    /// The position, as a spectator sees it.
    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene);

    /// Where a point is that a seat names, in games in which a seat is told another picture of the world.
    fn place_named_by(_seat: Seat, point: Point) -> Point {
        point
    }

    /// The position as plain text.
    fn text(&self, eye: Eye, out: &mut TextScene);

    /// What happened, in a few words: a line of the transcript. Empty for events not worth one.
    fn describe(event: &Self::Event, names: &PerSeat<String>) -> String;

    /// What each player has of what the game counts, such as points or health; the sentence on the end
    /// has it. `None` where a match is only won or lost.
    fn standing(&self) -> Option<PerSeat<i64>> {
        None
    }

    /// Whether an event deserves a mark on the seek bar.
    fn mark(event: &Self::Event) -> Option<Mark>;

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
    /// What was answered in the latest step; nothing before the first.
    pub replies: &'a Replies<G::Action>,
    /// What happened in it.
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

/// What stays the same in all scenes of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// The part of the world that is shown where a scene has no windows; its proportions are those of
    /// the stage.
    pub world: Area,
    /// The proportions of the stage on a narrow screen, width to height, if they are others there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrow: Option<(f64, f64)>,
    /// What is drawn below every scene.
    pub background: Vec<Shape>,
    /// The paints of [`Ink::Own`], in order.
    pub palette: Vec<Paint>,
    /// What [`Form::Symbol`] shows, in order.
    pub symbols: Vec<Symbol>,
    /// What is what.
    pub legend: Vec<Legend>,
    /// What the seek bar is a picture of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
}

impl Stage {
    /// An empty one of a part of the world.
    pub fn of_world(world: Area) -> Stage {
        Stage {
            world,
            narrow: None,
            background: Vec::new(),
            palette: Vec::new(),
            symbols: Vec::new(),
            legend: Vec::new(),
            curve: None,
        }
    }

    /// An empty one from (0, 0) on.
    pub fn of_size(width: f64, height: f64) -> Stage {
        Stage::of_world(Area::new(0.0, 0.0, width, height))
    }
}

/// One position, drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    pub shapes: Vec<Shape>,
    /// What part of the world is shown where; all of it if there are none.
    #[serde(skip_serializing_if = "Windows::is_empty")]
    pub windows: Windows,
    pub panels: Vec<Panel>,
    /// What the curve of the stage says of each seat here.
    pub curve: PerSeat<f64>,
    /// What each player did in its latest turn, as far as whoever looks may know it.
    pub deeds: Deeds,
    /// One line on the position: what both did last or whose turn it is, or how it ended.
    pub caption: String,
}

impl Scene {
    pub fn add_panel(&mut self, seat: Seat, name: &'static str, value: impl ToString) {
        self.panels.push(Panel::new(seat, name, value));
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
    /// How many frames before the last one there was no room for.
    pub left_out: usize,
    /// How it ended, in one sentence; or that and where the record stops.
    pub ending: String,
    /// How long a turn takes at the usual speed.
    pub turn_ms: u32,
}

impl Film {
    /// Which step of the match led to a frame, counted from 0; `None` for the start.
    pub fn step_of(&self, frame: usize) -> Option<usize> {
        let left_out = if frame + 1 == self.frames.len() { self.left_out } else { 0 };
        (frame + left_out).checked_sub(1)
    }

    /// The last frame of a turn, since a rejected move leaves the turn where it was; `None` if it has no frame.
    pub fn frame_of_turn(&self, turn: u32) -> Option<usize> {
        self.frames.iter().rposition(|frame| frame.turn == turn)
    }

    /// From the first frame of the first turn to the last frame of the last one; `None` if there is none in
    /// between.
    pub fn frames_of_turns(&self, from: u32, to: u32) -> Option<(usize, usize)> {
        let first = self.frames.iter().position(|frame| frame.turn >= from);
        let last = self.frames.iter().rposition(|frame| frame.turn <= to);
        first.zip(last).filter(|(first, last)| first <= last)
    }
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
    /// What deserves a mark on the seek bar.
    pub marks: Vec<Mark>,
}

impl Frame {
    /// About what the frame takes in memory.
    pub fn bytes(&self) -> usize {
        let text = |text: &String| size_of::<String>() + heap_bytes(text.capacity());
        let Scene { shapes, windows, panels, curve: _, deeds, caption } = &self.scene;
        let shapes = shapes.iter().map(Shape::bytes);
        let windows = [windows.wide.capacity() + windows.narrow.capacity()];
        let windows = windows.map(|count| heap_bytes(count * size_of::<Window>()));
        let panels = panels.iter().map(|panel| size_of::<Panel>() + panel.heap_bytes());
        let spans = self.text.lines.iter().flatten();
        let spans = spans.map(|span| size_of::<Span>() + text(&span.text));
        let deeds = deeds.0.iter().flatten();
        let notes = self.notes.iter().chain(deeds).chain([caption]).map(text);
        let marks = self.marks.iter().map(Mark::bytes);
        shapes.chain(windows).chain(panels).chain(spans).chain(notes).chain(marks).sum()
    }
}

/// The id of a thing that each seat has one of.
pub const fn id_of(first: u32, seat: Seat) -> u32 {
    first + seat.index() as u32
}

/// How a match ended, for a caption; `nobody` says that neither seat has won.
pub fn ending<G: Spectate>(
    game: &G,
    outcome: &Outcome,
    names: &PerSeat<String>,
    nobody: &str,
) -> String {
    let winner = outcome.winner();
    let who = winner.map_or_else(|| nobody.to_owned(), |winner| format!("{} wins", names[winner]));
    format!("{who}{}: {}", standing_words(game.standing(), winner), outcome.reason)
}

/// ` 947 to 812`, that of the winner first; of one that the other forfeited to, ` although 0 to 5 behind` or, where
/// neither was ahead, ` at 0 to 0`. Nothing where nothing is counted.
pub fn standing_words(standing: Option<PerSeat<i64>>, winner: Option<Seat>) -> String {
    let Some(standing) = standing else { return String::new() };
    let first = winner.unwrap_or(Seat::First);
    let (one, other) = (standing[first], standing[first.other()]);
    match winner {
        Some(_) if one < other => format!(" although {one} to {other} behind"),
        Some(_) if one == other => format!(" at {one} to {other}"),
        _ => format!(" {one} to {other}"),
    }
}
