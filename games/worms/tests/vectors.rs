//! Replays every recorded match of the original engine, and recordings that were tampered with.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use quintain_core::Conform;
use quintain_worms::Worms;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

fn recording(path: &Path) -> Vec<String> {
    let file = File::open(path).expect("the recording is there");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("the recording is gzip'd text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_recording_replays_without_a_difference() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).expect("the folder of recordings") {
        let path = entry.expect("an entry of the folder").path();
        let result = Worms::conform(&recording(&path));
        assert!(result.is_ok(), "{}: {:.3000}", path.display(), format!("{result:?}"));
        count += 1;
    }
    assert_eq!(count, 41);
}
