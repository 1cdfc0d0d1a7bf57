//! Recorded matches of a game's original, as the game's tests use them: every one must pass, and one in
//! which anything was changed must not.

use std::fs::{self, File};
use std::io::Read;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use quintain_core::measure::{NamedWorkload, Recording, Source};
use quintain_core::{Conform, Difference};

/// How the name of a recording ends.
const ENDING: &str = ".jsonl.gz";
/// A difference can be a whole map; this much of it is shown.
const MESSAGE_BYTES_MAX: usize = 3_000;

/// The recordings in `tests/vectors` of a game's package.
pub struct Vectors<G> {
    package: &'static str,
    game: PhantomData<G>,
}

impl<G: Conform> Vectors<G> {
    /// `package` is the package's folder: `env!("CARGO_MANIFEST_DIR")`.
    pub const fn of(package: &'static str) -> Self {
        Vectors { package, game: PhantomData }
    }

    /// All recordings, in the order of their names. Other files in the folder are none.
    ///
    /// # Panics
    /// If there is no such folder.
    pub fn all(&self) -> Vec<Recording> {
        let entries = fs::read_dir(self.folder()).expect("the folder of recordings");
        let mut names: Vec<String> = entries
            .filter_map(|entry| {
                let name = entry.expect("an entry of the folder").file_name();
                let name = name.to_str().expect("a plain name");
                name.strip_suffix(ENDING).map(str::to_owned)
            })
            .collect();
        names.sort();
        names.into_iter().map(|name| Recording { lines: self.named(&name), name }).collect()
    }

    /// The lines of the recording of that name.
    ///
    /// # Panics
    /// If there is none.
    pub fn named(&self, name: &str) -> Vec<String> {
        let file = File::open(self.folder().join(format!("{name}{ENDING}")));
        let mut text = String::new();
        GzDecoder::new(file.expect("the recording is there"))
            .read_to_string(&mut text)
            .expect("the recording is gzip'd text");
        text.lines().map(str::to_owned).collect()
    }

    /// Replays all recordings and returns them, so that the test can say how many of which there are.
    ///
    /// # Panics
    /// If any differs; the message names all that do.
    pub fn check_all(&self) -> Vec<Recording> {
        let recordings = self.all();
        let differences = recordings.iter().filter_map(|recording| {
            let difference = G::conform(&recording.lines).err()?;
            let mut text = format!("{}: {difference}", recording.name);
            text.truncate(text.floor_char_boundary(MESSAGE_BYTES_MAX));
            Some(text)
        });
        let differences: Vec<String> = differences.collect();
        assert!(differences.is_empty(), "{}", differences.join("\n"));
        recordings
    }

    /// The difference that is found in a recording after a change.
    ///
    /// # Panics
    /// If nothing is noticed.
    pub fn difference(&self, name: &str, change: impl Fn(&mut Vec<String>)) -> Difference {
        let mut lines = self.named(name);
        change(&mut lines);
        G::conform(&lines).expect_err("the change must be noticed")
    }

    /// The line that is blamed for a change.
    ///
    /// # Panics
    /// If nothing is noticed.
    pub fn noticed(&self, name: &str, change: impl Fn(&mut Vec<String>)) -> usize {
        self.difference(name, change).line
    }

    /// Cuts a recording off after each of its lines.
    ///
    /// # Panics
    /// If a part passes, or if anything but its end is blamed.
    pub fn check_cut_off_anywhere(&self, name: &str) {
        let lines = self.named(name);
        for length in 0..lines.len() {
            let difference = G::conform(&lines[..length]).expect_err("a part is not the whole");
            assert_eq!(difference.line, length + 1);
            assert_eq!(difference.got, "the end of the file");
        }
    }

    fn folder(&self) -> PathBuf {
        Path::new(self.package).join("tests/vectors")
    }
}

/// A change of one text in one line, which is counted from 1.
///
/// # Panics
/// The change does, if the text is not there.
pub fn replace(line: usize, from: &str, to: &str) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let changed = lines[line - 1].replacen(from, to, 1);
        assert_ne!(lines[line - 1], changed, "the test must change something: {from}");
        lines[line - 1] = changed;
    }
}

/// Checks that each workload plays all of these recordings to their ends, which takes so many turns, and
/// that without any it says what it wanted.
///
/// # Panics
/// If one does not.
pub fn check_recorded_workloads(
    workloads: &[NamedWorkload],
    recordings: &[Recording],
    turns: u64,
    wanted: &str,
) {
    for workload in workloads {
        let Source::Recordings(prepare) = workload.source else {
            panic!("{}: expected recordings", workload.name);
        };
        let mut all = recordings.iter().cloned();
        let prepared = prepare(&mut all).expect("all of them end as they should");
        assert_eq!(prepared.round(), recordings.len() as u64, "{}", workload.name);
        assert_eq!(prepared.play(prepared.round()), turns, "{}", workload.name);
        let none = prepare(&mut std::iter::empty()).err().expect("nothing to play");
        assert_eq!(
            none.to_string(),
            format!("expected {wanted} among the recordings, got none"),
            "{}",
            workload.name
        );
    }
}
