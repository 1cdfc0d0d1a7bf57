//! Bots that answer at once: they know from a rehearsal what they will say after which line, and
//! only count lines.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quintain_core::{Dialogue, Item, PerSeat};
use quintain_referee::{Actor, Heard, SimWorld};
use quintain_registry::{AnyGame, MatchReport, Nobody};
use serde::{Deserialize, Serialize};

use super::matches::{QUICK_BOT, spec};

/// Whole matches are short; the longest of those rehearsed in this time is long enough to measure
/// turns.
const REHEARSAL_TIME: Duration = Duration::from_secs(1);

/// For each line heard, the lines said.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Script(pub(super) Vec<Vec<String>>);

/// A match that can be played again by heart.
pub(super) struct Rehearsed {
    pub(super) seed: i64,
    pub(super) scripts: PerSeat<Script>,
}

/// The longest of many random matches, as both bots play it.
pub(super) fn rehearse(game: &dyn AnyGame) -> anyhow::Result<Rehearsed> {
    let mut longest = 0;
    let mut longest_seed = 0;
    let started = Instant::now();
    for seed in 0.. {
        if seed > 0 && started.elapsed() >= REHEARSAL_TIME {
            break;
        }
        let (report, _) = rehearse_once(game, seed)?;
        if report.turns > longest {
            (longest, longest_seed) = (report.turns, seed);
        }
    }
    let (_, scripts) = rehearse_once(game, longest_seed)?;
    Ok(Rehearsed { seed: longest_seed, scripts })
}

fn rehearse_once(game: &dyn AnyGame, seed: i64) -> anyhow::Result<(MatchReport, PerSeat<Script>)> {
    let scripts = PerSeat::from_fn(|_| Arc::new(Mutex::new(Script::default())));
    let actors = PerSeat::from_fn(|seat| -> Box<dyn Actor> {
        let own_seed = seed.wrapping_mul(2) + seat.index() as i64;
        let name = ["a", "b"][seat.index()];
        let dialogue = game.dialogue(QUICK_BOT, name, own_seed, None);
        Box::new(Rehearsing {
            dialogue: dialogue.expect("the quick bot is a house bot of every game"),
            script: Arc::clone(&scripts[seat]),
        })
    });
    let report = game.play(&spec(seed, None), &mut SimWorld::new(actors), &mut Nobody)?;
    let scripts = scripts.map(|_, script| {
        let script = script.lock().expect("the rehearsal is over");
        script.clone()
    });
    Ok((report, scripts))
}

struct Rehearsing {
    dialogue: Box<dyn Dialogue>,
    script: Arc<Mutex<Script>>,
}

impl Actor for Rehearsing {
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>) {
        let Item::Line(line) = item else { return };
        let mut said = Vec::new();
        self.dialogue.hear(line, &mut said);
        answers.extend(
            said.iter().map(|line| (Duration::ZERO, Heard::Line(line.as_bytes().to_vec()))),
        );
        let mut script = self.script.lock().expect("nobody panics while holding a script");
        script.0.push(said);
    }
}
