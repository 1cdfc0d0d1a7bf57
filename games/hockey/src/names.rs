//! Which names are let in. A name stands in nearly every message, so one that could be taken for
//! something else would mislead opponents, audience and reports.

use std::borrow::Cow;

use quintain_core::{printable, visible};

use crate::protocol::reads_like_a_message;

/// What a refusal begins with; the reason stands behind it, in brackets.
pub(crate) const NAME_NOT_ALLOWED: &str = "Name not allowed";

/// The answer to a name that nobody may have.
pub(crate) fn refusal(name: &str) -> Option<String> {
    let reason = if matches!(printable(name), Cow::Owned(_)) {
        "it holds a control character"
    } else if reads_like_a_message(&visible(name)) {
        "it reads like a message of the server"
    } else {
        return None;
    };
    Some(format!("{NAME_NOT_ALLOWED} ({reason}), please choose another."))
}
