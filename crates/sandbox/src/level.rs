//! How much is taken away from a program.

use serde::{Deserialize, Serialize};

use crate::Layer;

/// How much is taken away from a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It is trusted, and runs as any program of this user does.
    Off,
    /// It sees what it needs and nothing of others, and ends when it is told to.
    #[default]
    Basic,
    /// It also has no network, and what it uses is counted by the system.
    Strict,
}

impl Level {
    pub const ALL: [Level; 3] = [Level::Off, Level::Basic, Level::Strict];

    /// The level's name in files, on command lines and in sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Basic => "basic",
            Level::Strict => "strict",
        }
    }

    /// What belongs to the level. A user of its own is only needed by somebody who would be root otherwise.
    pub fn layers(self, is_root: bool) -> impl Iterator<Item = Layer> {
        let is_wanted = move |layer: &Layer| *layer != Layer::User || is_root;
        Layer::ALL.into_iter().filter(move |layer| layer.level() <= self).filter(is_wanted)
    }
}
