//! Makes a film of a match: one frame per step, for every kind of screen.

use quintain_core::scene::{Eye, Film, Frame, Spectate, Viewing};
use quintain_core::{Fault, PerSeat, Protocol, Replies, Seat, Spoken, printable};
use quintain_referee::{Follower, Message, Step, StepRecord};

use crate::Closing;
use crate::drawing::{Drawing, is_drawing};
use crate::limits::FILM_BYTES_MAX;
use crate::reader::Recording;
use crate::rerun::{Reached, RerunError, rerun};

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

    /// Who looks.
    pub fn eye(&self) -> Eye {
        self.eye
    }

    /// Draws the position after a step.
    pub fn frame_after(&mut self, step: &Step<'_, G>) -> Frame {
        self.frame(step.game, step.replies, step.events)
    }

    /// Draws the position before the first step.
    pub fn first_frame(&mut self, game: &G) -> Frame {
        self.frame(game, &Replies::default(), &[])
    }

    fn frame(&mut self, game: &G, replies: &Replies<G::Action>, last: &[G::Event]) -> Frame {
        G::follow(&mut self.trail, last);
        let (eye, names, trail) = (self.eye, &self.names, &self.trail);
        let watch = Viewing { eye, names, trail, replies, last };
        let described = last.iter().map(|event| G::describe(event, &self.names));
        let frame = Frame {
            turn: game.turn(),
            scene: game.drawn(&watch),
            text: game.written(self.eye),
            notes: described.filter(|note| !note.is_empty()).collect(),
            marks: last.iter().filter_map(G::mark).collect(),
        };
        game.remember(&mut self.trail);
        frame
    }
}

/// Plays a replay again and films it as `eye` sees it. Of a film that would take too much memory the beginning and
/// the last frame are kept.
///
/// # Errors
/// As [`rerun`].
pub fn film<G: Spectate + Spoken>(
    recording: &mut dyn Recording,
    eye: Eye,
) -> Result<Film, RerunError> {
    let mut camera = Camera::<G> {
        filmer: Filmer::new(eye, recording.header().shown_names()),
        stage: None,
        reel: Reel::default(),
        standing: None,
        last_faults: Vec::new(),
    };
    let reached = rerun::<G>(recording, &mut camera)?;
    let mut ending = ending::<G>(recording, &reached, &camera);
    let Camera { filmer, stage, reel, .. } = camera;
    if reel.left_out > 0 {
        let left_out = reel.left_out;
        ending = format!("{ending} ({left_out} frames before the last are left out: too long)");
    }
    Ok(Film {
        title: G::TITLE,
        turn_name: G::TURN_NAME,
        names: filmer.names,
        stage: stage.expect("a rerun that succeeds has started"),
        frames: reel.frames,
        left_out: reel.left_out,
        ending,
        turn_ms: G::TURN_MS,
    })
}

/// The frames of a film, as many as there is room for.
#[derive(Default)]
struct Reel {
    frames: Vec<Frame>,
    bytes: usize,
    left_out: usize,
}

impl Reel {
    fn add(&mut self, frame: Frame) {
        if self.bytes >= FILM_BYTES_MAX {
            // The frame that was the last one until now.
            self.frames.pop();
            self.left_out += 1;
        }
        self.bytes = self.bytes.saturating_add(frame.bytes());
        self.frames.push(frame);
    }
}

struct Camera<G: Spectate> {
    filmer: Filmer<G>,
    stage: Option<quintain_core::scene::Stage>,
    reel: Reel,
    standing: Option<PerSeat<i64>>,
    last_faults: Vec<(Seat, Fault)>,
}

impl<G: Spectate> Follower<G> for Camera<G> {
    fn begin(&mut self, game: &G, _said: &[Message]) {
        self.stage = Some(game.stage());
        self.reel.add(self.filmer.first_frame(game));
    }

    fn step(&mut self, step: &Step<'_, G>) {
        let mut frame = self.filmer.frame_after(step);
        let names = &self.filmer.names;
        self.standing = step.game.standing();
        self.last_faults = step.record.faults().collect();
        let told = |(seat, fault): &(Seat, Fault)| format!("{} {fault}", names[*seat]);
        frame.notes.extend(self.last_faults.iter().map(told));
        frame.notes.extend(error_output(step.record, names));
        self.add_drawings(step.record, &mut frame);
        self.reel.add(frame);
    }

    fn idle(&mut self) {}
}

impl<G: Spectate> Camera<G> {
    /// What the bots drew in the turn. A seat that looks at its own view sees its own drawings only.
    fn add_drawings(&self, step: &StepRecord, frame: &mut Frame) {
        let Some(stage) = &self.stage else {
            return;
        };
        for (seat, stderr) in step.stderr.iter() {
            if self.filmer.eye == Eye::Seat(seat.other()) {
                continue;
            }
            let drawing = Drawing::read::<G>(seat, &stderr.text, stage.world);
            frame.notes.extend(drawing.notes(&self.filmer.names[seat]));
            frame.scene.shapes.extend(drawing.shapes);
            frame.marks.extend(drawing.marks);
        }
    }
}

/// What bots wrote, but for what they drew.
fn error_output(step: &StepRecord, names: &PerSeat<String>) -> Vec<String> {
    let mut notes = Vec::new();
    for (seat, stderr) in step.stderr.iter() {
        let lines = stderr.text.lines().filter(|line| !is_drawing(line));
        notes.extend(lines.map(|line| format!("{} (stderr): {}", names[seat], printable(line))));
        if stderr.dropped > 0 {
            let dropped = stderr.dropped;
            notes.push(format!("{} (stderr): {dropped} bytes not kept", names[seat]));
        }
    }
    notes
}

fn ending<G: Spectate + Spoken>(
    recording: &dyn Recording,
    reached: &Reached,
    camera: &Camera<G>,
) -> String {
    let Some(outcome) = &reached.outcome else {
        let why = recording.tail().cut.as_deref().unwrap_or("the match was not finished");
        return format!("ends after turn {}: {why}", reached.turn);
    };
    let (names, faults, standing) = (&camera.filmer.names, &camera.last_faults, camera.standing);
    let (turns, turn_name, plays_on) = (reached.turn, G::TURN_NAME, G::Protocol::PLAYS_ON);
    Closing { names, outcome, standing, turns, turn_name, faults, plays_on }.to_string()
}
