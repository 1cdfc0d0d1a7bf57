//! Whether the parts of a header agree with each other: the setup with the seed, the names with the
//! bots, the edition with the config.

use quintain_core::{Protocol, Spoken};
use quintain_referee::Meeting;
use serde_json::Value;

use crate::format::Header;

/// Where the setup of a match comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupOrigin {
    /// It is the usual one of the match's seed.
    Seed,
    /// Somebody chose it. Nothing ties it to the seed.
    Own,
}

/// Looks at a header from which a match can be started.
///
/// # Errors
/// Says which parts do not agree.
pub(crate) fn check_header<G: Spoken>(
    header: &Header,
    config: &G::Config,
    setup: &G::Setup,
) -> Result<SetupOrigin, String> {
    let usual = G::check_seed(header.seed).is_ok().then(|| G::generate(config, header.seed));
    let origin = if usual.as_ref() == Some(setup) { SetupOrigin::Seed } else { SetupOrigin::Own };
    // Files of format 1 do not say that their setup is their own.
    if header.format == 1 {
        return Ok(origin);
    }
    if origin == SetupOrigin::Own && !header.own_setup {
        let seed = header.seed;
        return Err(format!(
            "the header's setup is not that of seed {seed}, and is not said to be one of its own"
        ));
    }
    check_edition(header)?;
    check_names::<G>(header)?;
    if !header.time_scale.is_finite() || header.time_scale < 0.0 {
        let found = header.time_scale;
        return Err(format!("expected a time_scale of at least 0, found {found}"));
    }
    if !header.machine_scale.is_normal() || header.machine_scale < 0.0 {
        let found = header.machine_scale;
        return Err(format!("expected a machine_scale above 0, found {found}"));
    }
    Ok(origin)
}

fn check_edition(header: &Header) -> Result<(), String> {
    let named = Value::from(header.edition.name());
    match header.config.get("edition") {
        Some(found) if *found != named => {
            Err(format!("the header names edition {named}, its config {found}"))
        }
        _ => Ok(()),
    }
}

/// Where bots do not introduce themselves, what they are called follows from what sat there. Where they
/// do, their names are part of the messages.
fn check_names<G: Spoken>(header: &Header) -> Result<(), String> {
    if G::Protocol::lobby(None).is_some() {
        return Ok(());
    }
    let expected = Meeting::by_label(&header.bots).opening.names;
    if header.names == expected {
        return Ok(());
    }
    let (expected, found) = (expected.0.join(" and "), header.names.0.join(" and "));
    Err(format!("the header's names do not belong to its bots: expected {expected}, found {found}"))
}
