//! The workload by which the original was measured: recorded whole matches, with their commands read
//! beforehand, played through the rules alone and with both players' `state.json`.

use quintain_core::entelect::Rendering;
use quintain_core::measure::{NamedWorkload, Recorded, Source, recorded, recorded_shown};

use crate::rules::Worms;

/// The same matches twice: the rules alone, and with what bots are shown.
pub static WORKLOADS: [NamedWorkload; 2] = [
    NamedWorkload { name: "recorded", source: Source::Recordings(recorded::<Worms>) },
    NamedWorkload { name: "recorded-json", source: Source::Recordings(recorded_shown::<Worms>) },
];

impl Recorded for Worms {
    const WANTED: &'static str = "a whole match on a generated map";

    fn is_typical(_note: &str) -> bool {
        true
    }

    fn show(sheet: &mut impl Rendering, out: &mut Vec<u8>) {
        sheet.json(out);
    }
}
