//! What a page is told, and what it knows already.
//!
//! The answer is lines of JSON: what is to be known now, the head of the film if the page begins anew, and the
//! new frames as `film_text.rs` says them.

use std::collections::HashMap;

use quintain_core::{PerSeat, Seat, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::offers::Offer;
use super::room::Phase;
use super::side::Footage;
use crate::url::of_replay;

/// What a page has been told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub(super) number: u64,
    pub(super) film: u32,
    pub(super) frames: u64,
}

impl Known {
    /// What an address says; whatever it does not say is not known.
    pub(super) fn read(wishes: &HashMap<String, String>) -> Known {
        let number = |name: &str| wishes.get(name).and_then(|text| text.parse::<u64>().ok());
        Known {
            number: number("number").unwrap_or_default(),
            film: number("film").and_then(|film| u32::try_from(film).ok()).unwrap_or_default(),
            frames: number("frames").unwrap_or_default(),
        }
    }
}

/// What is to be known now.
pub(super) struct News<'a> {
    pub(super) number: u64,
    pub(super) phase: &'a Phase,
    pub(super) seat: Seat,
    /// Tells questions apart.
    pub(super) question: u64,
    /// Set if the person is to act.
    pub(super) asked: Option<Vec<Offer>>,
    pub(super) left_ms: Option<u64>,
    pub(super) has_left: bool,
    pub(super) can_take_back: bool,
    /// The token of the game that follows.
    pub(super) next: Option<String>,
}

/// News with their film, as text.
pub(super) struct Newsreel(pub(super) String);

/// The first line.
#[derive(Serialize)]
struct FirstLine<'a> {
    number: u64,
    film: u32,
    frames: u64,
    is_anew: bool,
    turns: &'a [u32],
    phase: &'static str,
    ending: Option<&'a str>,
    /// `won`, `lost` or `drawn`.
    result: Option<&'static str>,
    replay: Option<String>,
    question: u64,
    asked: Option<&'a [Offer]>,
    left_ms: Option<u64>,
    has_left: bool,
    can_take_back: bool,
    next: Option<String>,
}

impl Newsreel {
    pub(super) fn new(news: &News<'_>, footage: &Footage<'_>) -> Newsreel {
        let (phase, ending, result, replay) = match news.phase {
            Phase::Inviting => ("inviting", None, None, None),
            Phase::Playing => ("playing", None, None, None),
            Phase::Over { closing, verdicts, replay } => {
                let address = replay.as_ref().map(|id| of_replay("/match/", id));
                ("over", Some(closing.as_str()), Some(result(verdicts, news.seat)), address)
            }
            Phase::BrokenOff { why } => ("broken-off", Some(why.as_str()), None, None),
        };
        let first = FirstLine {
            number: news.number,
            film: footage.film,
            frames: footage.frames,
            is_anew: footage.head.is_some(),
            turns: &footage.turns,
            phase,
            ending,
            result,
            replay,
            question: news.question,
            asked: news.asked.as_deref(),
            left_ms: news.left_ms,
            has_left: news.has_left,
            can_take_back: news.can_take_back,
            next: news.next.as_deref().map(address_of),
        };
        let mut text = json!(first).to_string();
        for line in footage.head.into_iter().chain(footage.lines.iter().map(String::as_str)) {
            text.push('\n');
            text.push_str(line);
        }
        Newsreel(text)
    }

    /// Nothing is new.
    pub(super) fn none() -> Newsreel {
        Newsreel(Value::Null.to_string())
    }
}

fn result(verdicts: &PerSeat<Verdict>, seat: Seat) -> &'static str {
    match verdicts[seat] {
        Verdict::Win => "won",
        Verdict::Draw => "drawn",
        _ => "lost",
    }
}

/// The page of a seat.
pub(super) fn address_of(token: &str) -> String {
    format!("/play/at/{token}")
}
