//! Makes a film of a match: one frame per step, for every kind of screen.

use quintain_core::scene::{Eye, Film, Frame, Spectate, Watch};
use quintain_core::{Fault, Game, PerSeat, Protocol, Seat, printable};
use quintain_referee::Message;

use crate::Closing;
use crate::format::StepLine;
use crate::reader::Replay;
use crate::rerun::{Ended, RerunError, Visitor, rerun};

/// Draws positions as they come, live or replayed.
pub struct Filmer<G: Spectate> {
    eye: Eye,
    names: PerSeat<String>,
    trail: G::Trail,
}

impl<G: Spectate> Filmer<G> {
    /// `names` are safe to show, as [`Header::shown_names`](crate::Header::shown_names) are.
    pub fn new(eye: Eye, names: PerSeat<String>) -> Self {
        Filmer { eye, names, trail: G::Trail::default() }
    }

    /// The names as they are shown.
    pub fn names(&self) -> &PerSeat<String> {
        &self.names
    }

    /// Draws the position after a step with these events; none before the first step.
    pub fn frame(&mut self, game: &G, events: &[G::Event]) -> Frame {
        G::follow(&mut self.trail, events);
        let watch = Watch { eye: self.eye, names: &self.names, trail: &self.trail, last: events };
        let described = events.iter().map(|event| G::describe(event, &self.names));
        Frame {
            turn: game.turn(),
            scene: game.drawn(&watch),
            text: game.written(self.eye),
            notes: described.filter(|note| !note.is_empty()).collect(),
            mark: events.iter().find_map(|event| G::mark(event)),
        }
    }
}

/// Plays a replay again and films it.
///
/// # Errors
/// As [`rerun`].
pub fn film<G: Spectate, P: Protocol<G>>(replay: &Replay) -> Result<Film, RerunError> {
    let mut camera = Camera::<G> {
        filmer: Filmer::new(Eye::All, replay.header.shown_names()),
        stage: None,
        frames: Vec::with_capacity(replay.steps.len() + 1),
    };
    let ended = rerun::<G, P>(replay, &mut camera)?;
    let Camera { filmer, stage, frames } = camera;
    let stage = stage.expect("a rerun that succeeds has started");
    let ending = ending::<G, P>(replay, &ended, filmer.names());
    Ok(Film {
        title: G::TITLE,
        turn_name: G::TURN_NAME,
        names: filmer.names,
        stage,
        frames,
        ending,
    })
}

struct Camera<G: Spectate> {
    filmer: Filmer<G>,
    stage: Option<quintain_core::scene::Stage>,
    frames: Vec<Frame>,
}

impl<G: Spectate> Visitor<G> for Camera<G> {
    fn start(&mut self, game: &G, _messages: &[Message]) {
        self.stage = Some(game.stage());
        self.frames.push(self.filmer.frame(game, &[]));
    }

    fn step(&mut self, game: &G, step: &StepLine, events: &[G::Event], _messages: &[Message]) {
        let mut frame = self.filmer.frame(game, events);
        let names = self.filmer.names();
        frame
            .notes
            .extend(faults(step).iter().map(|(seat, fault)| format!("{} {fault}", names[*seat])));
        frame.notes.extend(error_output(step, self.filmer.names()));
        self.frames.push(frame);
    }
}

/// What the referee found in a step.
pub(crate) fn faults(step: &StepLine) -> Vec<(Seat, Fault)> {
    step.heard.iter().filter_map(|entry| Some((entry.seat()?, entry.fault()?))).collect()
}

fn error_output(step: &StepLine, names: &PerSeat<String>) -> Vec<String> {
    let mut notes = Vec::new();
    for (seat, stderr) in step.stderr.iter() {
        let lines = stderr.text.lines();
        notes.extend(lines.map(|line| format!("{} (stderr): {}", names[seat], printable(line))));
        if stderr.dropped_bytes > 0 {
            let dropped = stderr.dropped_bytes;
            notes.push(format!("{} (stderr): {dropped} bytes not kept", names[seat]));
        }
    }
    notes
}

fn ending<G: Game, P: Protocol<G>>(
    replay: &Replay,
    ended: &Ended,
    names: &PerSeat<String>,
) -> String {
    let Some(outcome) = &ended.outcome else {
        let why = replay.cut.as_deref().unwrap_or("the match was not finished");
        return format!("ends after turn {}: {why}", ended.turn);
    };
    let faults = replay.steps.last().map(faults).unwrap_or_default();
    let (turns, turn_name) = (ended.turn, G::TURN_NAME);
    let plays_on = P::PLAYS_ON;
    Closing { names, outcome, turns, turn_name, faults: &faults, plays_on }.to_string()
}
