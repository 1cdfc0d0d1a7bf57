//! The lines of a match: one out and one in per turn.

use quintain_core::{Notation, ParseError, Plain, PlainWire, Spoken};
use serde::Serialize;

use crate::TakeAway;

impl Spoken for TakeAway {
    type Protocol = PlainWire<TakeAway>;
}

impl Plain for TakeAway {
    const ANSWERS: &'static str = "how many stones are taken, such as 2";

    fn question(view: &TakeAway) -> Vec<String> {
        vec![view.stones().to_string()]
    }
}

impl Notation for TakeAway {
    fn write(action: &u8) -> String {
        action.to_string()
    }

    fn read(text: &str) -> Result<u8, ParseError> {
        text.trim().parse().map_err(|_| ParseError::new("a number of stones", text))
    }

    fn data(view: &TakeAway) -> impl Serialize {
        serde_json::json!({ "stones": view.stones(), "active": view.active() })
    }
}
