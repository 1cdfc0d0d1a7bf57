//! What both bots were sent and answered in every step, for the panel beside the board.

use std::time::Duration;

use quintain_core::scene::Eye;
use quintain_core::{Fault, Item, PerSeat, Seat};
use quintain_registry::{AnyGame, Exchange};
use quintain_replay::{Header, Reader, Recording as _, RerunError};
use serde::Serialize;

use crate::limits::FILE_LETTERS_MAX;

/// How much of a step is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detail {
    pub(crate) lines_max: usize,
    pub(crate) letters_max: usize,
    pub(crate) stderr_letters_max: usize,
}

impl Detail {
    /// For whoever asks a server.
    pub(crate) const FULL: Detail =
        Detail { lines_max: 600, letters_max: 2000, stderr_letters_max: 16_000 };
    /// For a page that is mailed.
    pub(crate) const SHORT: Detail =
        Detail { lines_max: 30, letters_max: 300, stderr_letters_max: 1500 };
}

/// Which of all state files of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FilePlace {
    pub(crate) step: usize,
    pub(crate) seat: Seat,
    pub(crate) part: usize,
}

/// One step: who was asked what, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Explained {
    turn: u32,
    /// What happened, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    seats: PerSeat<Option<Said>>,
}

/// What a seat was sent and answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Said {
    sent: Vec<Sent>,
    /// Lines and files that are not told.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
    answered: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// What the rules did not accept of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    stderr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<f64>,
    /// None if the seat had no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit_ms: Option<f64>,
}

/// A part of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Sent {
    Line(String),
    /// A state file. Its text is told to whoever asks for it by the number of this part ([`file_text`]).
    File {
        file: String,
        bytes: usize,
        part: usize,
    },
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// All steps of a match, as `eye` may know them.
pub(crate) fn explain(
    game: &dyn AnyGame,
    eye: Eye,
    detail: Detail,
    replay: &mut Reader<'static>,
) -> Result<Vec<Explained>, RerunError> {
    let header = replay.header().clone();
    let mut steps: Vec<Explained> = Vec::new();
    game.exchanges(replay, 0..usize::MAX, &mut |asked| {
        let mut step = Explained::default();
        for (seat, exchange) in asked.iter() {
            let Some(exchange) = exchange.as_ref().filter(|_| eye != Eye::Seat(seat.other()))
            else {
                continue;
            };
            step.turn = exchange.turn;
            // Events are told to spectators; a seat is not one.
            if eye == Eye::All {
                step.notes.clone_from(&exchange.notes);
            }
            step.seats[seat] = Some(said(exchange, seat, &header, detail));
        }
        steps.push(step);
    })?;
    Ok(steps)
}

/// The text of a state file: that part of what a seat was sent in a step. `None` if there is no such file.
pub(crate) fn file_text(
    game: &dyn AnyGame,
    place: FilePlace,
    replay: &mut Reader<'static>,
) -> Result<Option<String>, RerunError> {
    let FilePlace { step, seat, part } = place;
    let mut text = None;
    game.exchanges(replay, step..step.saturating_add(1), &mut |asked| {
        let told = asked[seat].as_ref().and_then(|exchange| exchange.told.get(part));
        if let Some(Item::File { bytes, .. }) = told {
            text = Some(shortened(&String::from_utf8_lossy(bytes), FILE_LETTERS_MAX));
        }
    })?;
    Ok(text)
}

fn said(exchange: &Exchange, seat: Seat, header: &Header, detail: Detail) -> Said {
    let short = |text: &str| shortened(text, detail.letters_max);
    let parts = exchange.told.iter().enumerate().take(detail.lines_max);
    let sent = parts.map(|(part, item)| match item {
        Item::Line(line) => Sent::Line(short(line)),
        Item::File { path, bytes } => Sent::File { file: short(path), bytes: bytes.len(), part },
    });
    let recorded = &exchange.recorded;
    let lines = |lines: &[String]| lines.iter().take(detail.lines_max).map(|l| short(l)).collect();
    let limit =
        header.clock[seat].then(|| exchange.limit.mul_f64(header.time_scale.clamp(0.0, 1e6)));
    Said {
        sent: sent.collect(),
        left_out: exchange.told.len().saturating_sub(detail.lines_max),
        answered: lines(&recorded.lines),
        ignored: lines(&recorded.ignored),
        fault: recorded.fault.as_ref().map(Fault::to_string),
        refusal: exchange.refusal.as_deref().map(short),
        stderr: shortened(&recorded.stderr, detail.stderr_letters_max),
        time_ms: recorded.wall.map(milliseconds),
        limit_ms: limit.map(milliseconds),
    }
}

/// To a hundredth.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 100_000.0).round() / 100.0
}

fn shortened(text: &str, letters_max: usize) -> String {
    match text.char_indices().nth(letters_max) {
        Some((end, _)) => format!("{}… ({} bytes more)", &text[..end], text.len() - end),
        None => text.to_owned(),
    }
}
