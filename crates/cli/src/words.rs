//! How the command line names what libraries know by other names.

use quintain_core::Field;

/// The fields that have a flag of their name. Every other one is a field of a game's config.
const FLAGS: [&str; 14] = [
    "bot",
    "challengers",
    "edition",
    "game-config",
    "games-per-pair",
    "keep-rounds",
    "league",
    "limit",
    "pass-env",
    "rounds",
    "seed",
    "start-limit",
    "state",
    "turn",
];

/// The flag by which somebody wished what a field holds.
pub(crate) fn flag(field: &Field) -> String {
    if FLAGS.contains(&&*field.0) { format!("--{field}") } else { format!("--set {field}") }
}
