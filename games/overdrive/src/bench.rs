//! The workload by which the original was measured: recorded whole races, played through the rules
//! with their commands already read, and once more with everything rendered that bots are shown.

use quintain_core::entelect::Rendering;
use quintain_core::measure::{NamedWorkload, Recorded, Source, recorded, recorded_shown};

use crate::Overdrive;

/// The same races twice: the rules alone, and with both players' `state.json` and text map.
pub static WORKLOADS: [NamedWorkload; 2] = [
    NamedWorkload { name: "recorded", source: Source::Recordings(recorded::<Overdrive>) },
    NamedWorkload {
        name: "recorded-state",
        source: Source::Recordings(recorded_shown::<Overdrive>),
    },
];

/// The note of races whose commands are noise, which say nothing about what racing costs.
const NOISE_NOTE: &str = "fuzz";

impl Recorded for Overdrive {
    const WANTED: &'static str = "a whole race on a generated map";

    fn is_typical(note: &str) -> bool {
        note != NOISE_NOTE
    }

    fn show(sheet: &mut impl Rendering, out: &mut Vec<u8>) {
        sheet.json(out);
        sheet.text(out);
    }
}
