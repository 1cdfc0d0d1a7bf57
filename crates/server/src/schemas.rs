//! The formats that others may build on, as JSON Schemas. They are kept by hand beside the code: what is promised
//! is a decision, and types that are drawn or played with need not know of it. Real files of all games are held
//! against them in tests, and no object may have a key that they do not name.

use std::borrow::Cow;

use crate::api::document;

/// The names of all schemas, in the order of the alphabet; `api` is the OpenAPI document, of which the others are parts.
pub const SCHEMA_NAMES: [&str; 5] = ["api", "plan", "replay", "result", "scene"];

/// By name, in the order of the alphabet.
pub(crate) const SCHEMAS: [(&str, &str); 4] = [
    ("plan", include_str!("../schemas/plan.json")),
    ("replay", include_str!("../schemas/replay.json")),
    ("result", include_str!("../schemas/result.json")),
    ("scene", include_str!("../schemas/scene.json")),
];

/// The schema of that name.
pub fn schema(name: &str) -> Option<Cow<'static, str>> {
    if name == "api" {
        return Some(format!("{:#}\n", document()).into());
    }
    SCHEMAS.iter().find(|(known, _)| *known == name).map(|(_, text)| Cow::Borrowed(*text))
}
