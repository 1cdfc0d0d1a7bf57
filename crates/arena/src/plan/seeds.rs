//! The seeds of the games of a run, and what its settings say about them.

use quintain_core::SEED_BITS_USUAL;
use quintain_registry::AnyGame;
use quintain_store::{RunInfo, RunPlan, Store, StoreError};
use quintain_tournament::Seeds;
use serde_json::{Map, Value, json};

/// The key of a run's settings under which the bits of its seeds stand. Without it they have as many
/// as usual: so had all of them before games could say otherwise.
const SEED_BITS: &str = "seed-bits";

/// Seeds that all follow from one, among those that give different matches of the game.
pub fn derived_seeds(from: i64, game: &dyn AnyGame) -> Seeds {
    Seeds::Derived { from: from.cast_unsigned(), bits: game.facts().seed_bits }
}

/// What a run's settings say about its seeds besides the one that they follow from.
pub(crate) fn settings_of(seeds: &Seeds) -> Map<String, Value> {
    let settings = match seeds {
        Seeds::Listed(list) => json!({ "seeds": list }),
        Seeds::Derived { bits: SEED_BITS_USUAL, .. } => json!({}),
        Seeds::Derived { bits, .. } => json!({ SEED_BITS: bits }),
    };
    settings.as_object().cloned().unwrap_or_default()
}

/// The plan, to be compared with the run of its name: one that was begun with usual seeds goes on with
/// those.
pub(super) fn as_begun(plan: &RunPlan, store: &Store) -> Result<RunPlan, StoreError> {
    let mut plan = plan.clone();
    if let Some(run) = store.find_run(&plan.name)?
        && bits_in(&run.plan.settings).is_none()
        && let Ok(Value::Object(mut settings)) = serde_json::from_str(&plan.settings)
    {
        settings.remove(SEED_BITS);
        plan.settings = Value::Object(settings).to_string();
    }
    Ok(plan)
}

/// The seeds as a run was begun with them.
pub(crate) fn of_run(seeds: Seeds, run: &RunInfo) -> Seeds {
    match seeds {
        Seeds::Derived { from, .. } => {
            let bits = bits_in(&run.plan.settings).unwrap_or(SEED_BITS_USUAL);
            Seeds::Derived { from, bits }
        }
        listed => listed,
    }
}

fn bits_in(settings: &str) -> Option<u32> {
    let settings: Value = serde_json::from_str(settings).ok()?;
    let bits = u32::try_from(settings.get(SEED_BITS)?.as_u64()?).ok()?;
    (1..=SEED_BITS_USUAL).contains(&bits).then_some(bits)
}
