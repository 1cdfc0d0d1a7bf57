//! A whole match as readable text, kept in a file and compared with it. What a game writes is its own;
//! the parts that all write alike are here.

use std::path::Path;
use std::{env, fs};

use quintain_core::scene::{Eye, Scene, Spectate, Viewing};
use quintain_core::{Bot, NoChance, PerSeat, Replies};

use crate::battery::STEPS_MAX;
use crate::house::answers;

/// Compares a text with `tests/golden/<name>.txt` of a package, whose folder is
/// `env!("CARGO_MANIFEST_DIR")`. With `QUINTAIN_UPDATE=1` the file is written anew first; read the
/// change before keeping it.
///
/// # Panics
/// At the first line that differs, or if the file is not there.
pub fn check_golden(package: &str, name: &str, got: &str) {
    check_golden_file(
        &Path::new(package).join("tests/golden").join(name).with_extension("txt"),
        got,
    );
}

/// The same with a file of any place.
///
/// # Panics
/// As [`check_golden`].
pub fn check_golden_file(path: &Path, got: &str) {
    if env::var_os("QUINTAIN_UPDATE").is_some() {
        fs::write(path, got).expect("the golden file can be written");
    }
    let expected = fs::read_to_string(path).expect("the golden file is there");
    for (number, (expected, got)) in expected.lines().zip(got.lines()).enumerate() {
        assert_eq!(got, expected, "line {} of {}", number + 1, path.display());
    }
    assert_eq!(got.lines().count(), expected.lines().count(), "lines of {}", path.display());
    assert!(got == expected, "{}: the ends of lines differ", path.display());
}

/// A match of two bots in which nothing is left to chance, to be told turn by turn.
pub struct Tale<'a, G: Spectate> {
    pub game: G,
    pub bots: PerSeat<Box<dyn Bot<G>>>,
    pub names: &'a PerSeat<String>,
    /// The position is shown after every so many turns, at the start and at the end.
    pub show_every: u32,
}

impl<G: Spectate> Tale<'_, G> {
    /// Plays to the end. `heading` is written before what happened in a turn; `show` writes a position
    /// and is given what has just been answered and happened.
    ///
    /// # Panics
    /// If the match does not end.
    pub fn tell(
        mut self,
        heading: impl Fn(&G, &Replies<G::Action>) -> String,
        show: impl Fn(&G, &Replies<G::Action>, &[G::Event]) -> String,
    ) -> String {
        let mut lines = vec![show(&self.game, &Replies::default(), &[])];
        let outcome = loop {
            if let Some(outcome) = self.game.outcome() {
                break outcome;
            }
            let replies = answers(&self.game, &mut self.bots);
            lines.push(heading(&self.game, &replies));
            let mut events = Vec::new();
            self.game.advance(&replies, &mut NoChance, &mut events);
            let happened = happenings::<G>(&events, self.names).into_iter();
            lines.extend(happened.map(|sentence| format!("  {sentence}")));
            let turn = self.game.turn();
            assert!(turn < STEPS_MAX, "the match does not end");
            if turn.is_multiple_of(self.show_every) || self.game.outcome().is_some() {
                lines.push(show(&self.game, &replies, &events));
            }
        };
        lines.push(format!("scores {:?}, reason `{}`\n", outcome.scores.0, outcome.reason));
        lines.join("\n")
    }
}

/// How a position looks to a spectator.
pub struct Look {
    pub text: String,
    pub scene: Scene,
    /// Of the position itself.
    pub fingerprint: u64,
}

impl Look {
    pub fn new<G: Spectate>(
        game: &G,
        names: &PerSeat<String>,
        trail: &G::Trail,
        replies: &Replies<G::Action>,
        last: &[G::Event],
    ) -> Look {
        let watch = Viewing { eye: Eye::All, names, trail, replies, last };
        Look {
            text: game.written(Eye::All).plain(),
            scene: game.drawn(&watch),
            fingerprint: game.fingerprint(),
        }
    }

    /// The caption, how much is drawn, and the fingerprint.
    pub fn outline(&self) -> String {
        self.outline_after("")
    }

    /// The same with all panels.
    pub fn outline_with_panels(&self) -> String {
        let panels = self.scene.panels.iter();
        let panels: Vec<String> =
            panels.map(|panel| format!("{} {}", panel.name, panel.value)).collect();
        self.outline_after(&format!("{}; ", panels.join(", ")))
    }

    fn outline_after(&self, first: &str) -> String {
        let (caption, shapes) = (&self.scene.caption, self.scene.shapes.len());
        format!("{caption} ({first}{shapes} shapes, state {:016x})", self.fingerprint)
    }
}

/// What happened, in sentences: one for each event that is worth one, with its mark behind it.
pub fn happenings<G: Spectate>(events: &[G::Event], names: &PerSeat<String>) -> Vec<String> {
    let sentence = |event| {
        let mark = G::mark(event).map_or_else(String::new, |mark| format!(" [{}]", mark.text));
        let sentence = G::describe(event, names);
        (!sentence.is_empty()).then(|| format!("{sentence}{mark}"))
    };
    events.iter().filter_map(sentence).collect()
}
