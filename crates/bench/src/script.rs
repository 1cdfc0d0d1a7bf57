//! Bots that answer at once: they know from a rehearsal what they will say after which line, and
//! only count lines.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use quintain_core::entelect::compact_json;
use quintain_core::{Dialogue, Item, PerSeat, Seat, no_time};
use quintain_referee::{Actor, Heard, SimWorld};
use quintain_registry::{AnyGame, MatchReport, NoSpectator};
use serde::{Deserialize, Serialize};

use crate::matches::{QUICK_BOT, spec};

/// Whole matches are short; the longest of those rehearsed in this time is long enough to measure
/// turns.
const REHEARSAL_TIME: Duration = Duration::from_secs(1);

/// For each line heard, the lines said.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Script(pub(super) Vec<Vec<String>>);

/// A match that can be played again by heart.
#[derive(Clone, Debug)]
pub(crate) struct Rehearsed {
    pub(crate) seed: i64,
    pub(crate) parts: PerSeat<Part>,
    /// Who is told the next line, from the first to the last.
    pub(crate) order: Vec<Seat>,
}

impl Rehearsed {
    /// The lines and the bytes that a bot is told for each answer, on average.
    pub(crate) fn question(&self, line_end: &str) -> (usize, usize) {
        let parts = self.parts.0.iter();
        let answers: usize = parts.clone().map(Part::answers).sum();
        let bytes = parts.flat_map(|part| &part.told).map(|line| line.len() + line_end.len());
        (self.order.len() / answers.max(1), bytes.sum::<usize>() / answers.max(1))
    }
}

/// What one seat is told and says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) told: Vec<String>,
    pub(crate) script: Script,
    /// The files that come before each line that is answered: name and size.
    pub(crate) files: Vec<Vec<(String, usize)>>,
}

impl Part {
    fn answers(&self) -> usize {
        self.script.0.iter().filter(|said| !said.is_empty()).count()
    }
}

/// The longest of many random matches, as both bots play it.
pub(crate) fn rehearse(game: &dyn AnyGame) -> anyhow::Result<Rehearsed> {
    let mut longest = 0;
    let mut longest_seed = 0;
    let started = Instant::now();
    for seed in 0.. {
        if seed > 0 && started.elapsed() >= REHEARSAL_TIME {
            break;
        }
        let (report, _) = rehearse_once(game, seed)?;
        if report.turns > longest {
            (longest, longest_seed) = (report.turns, seed);
        }
    }
    Ok(rehearse_once(game, longest_seed)?.1)
}

fn rehearse_once(game: &dyn AnyGame, seed: i64) -> anyhow::Result<(MatchReport, Rehearsed)> {
    let make = game
        .facts()
        .abilities
        .client
        .context("expected house bots that can connect, found none")?;
    let parts = PerSeat::default();
    let rehearsed = Arc::new(Mutex::new(Rehearsed { seed, parts, order: Vec::new() }));
    let actors = PerSeat::from_fn(|seat| -> Box<dyn Actor> {
        let own_seed = seed.wrapping_mul(2) + seat.index() as i64;
        let name = ["a", "b"][seat.index()];
        let dialogue = make(QUICK_BOT, name, own_seed, None);
        Box::new(Rehearsing {
            seat,
            dialogue: dialogue.expect("the quick bot is a house bot of every game"),
            rehearsed: Arc::clone(&rehearsed),
            files: Vec::new(),
            state: Vec::new(),
        })
    });
    let report =
        game.play(&spec(game, seed, None), &mut SimWorld::new(actors), &mut NoSpectator)?;
    let rehearsed = rehearsed.lock().expect("the rehearsal is over").clone();
    Ok((report, rehearsed))
}

struct Rehearsing {
    seat: Seat,
    dialogue: Box<dyn Dialogue>,
    rehearsed: Arc<Mutex<Rehearsed>>,
    /// Those sent since the last line.
    files: Vec<(String, usize)>,
    /// The newest state, on one line.
    state: Vec<u8>,
}

impl Rehearsing {
    fn take_file(&mut self, path: &str, bytes: &[u8]) {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.files.push((name.to_owned(), bytes.len()));
        if name == "state.json" {
            self.state.clear();
            compact_json(bytes, &mut self.state);
        }
    }
}

impl Actor for Rehearsing {
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>) {
        let line = match item {
            Item::Line(line) => line,
            Item::File { path, bytes } => return self.take_file(path, bytes),
        };
        let mut said = Vec::new();
        self.dialogue.hear(line, &mut no_time, &mut said);
        if !self.state.is_empty() {
            // A bot that is told the state in files hears it on a line of its own.
            self.dialogue.hear(&String::from_utf8_lossy(&self.state), &mut no_time, &mut said);
        }
        answers.extend(
            said.iter().map(|line| (Duration::ZERO, Heard::Line(line.as_bytes().to_vec()))),
        );
        let mut rehearsed = self.rehearsed.lock().expect("nobody panics while holding it");
        rehearsed.order.push(self.seat);
        let part = &mut rehearsed.parts[self.seat];
        part.told.push(line.clone());
        part.script.0.push(said);
        part.files.push(std::mem::take(&mut self.files));
    }
}
