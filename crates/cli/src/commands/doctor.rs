//! `quintain doctor`: whether results of this machine can be trusted.

use std::io::Write as _;
use std::process::Command;

use clap::Args;
use quintain_arena::machine::examine;
use quintain_links::{Sandbox, Trial};
use quintain_report::machine;
use quintain_sandbox::{Layer, Level, landlock_lacks, remedies};
use serde_json::{Value, json};

use crate::args::examples;
use crate::failure::Failure;
use crate::output::{HEADING, wrapped_output};
use crate::words::MACHINE;

/// What the doctor is asked.
#[derive(Debug, Args)]
#[command(after_help = examples::DOCTOR)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let report = examine(Command::new(std::env::current_exe()?).arg("echo"))?;
    let trial = Sandbox::new(std::env::current_exe()?, Level::Strict).try_out();
    let mut out = wrapped_output();
    if args.json {
        let mut report = machine::json(&report, &MACHINE);
        report["sandbox"] = layers_json(&trial);
        writeln!(out, "{report}")?;
        return Ok(());
    }
    for (name, text) in machine::rows(&report, &MACHINE) {
        let gap = 16 - name.len();
        writeln!(out, "{HEADING}{name}{HEADING:#}{:gap$}{text}", "")?;
    }
    for (layer, text) in layers(&trial) {
        let gap = 16 - layer.len();
        writeln!(out, "{HEADING}{layer}{HEADING:#}{:gap$}{text}", "")?;
    }
    let missing: Vec<Layer> = trial.missing.iter().map(|missing| missing.layer).collect();
    for line in remedies(&missing, &std::env::current_exe()?) {
        writeln!(out, "{line}")?;
    }
    for problem in machine::problems(&report, &MACHINE) {
        writeln!(out, "problem: {problem}")?;
    }
    Ok(writeln!(out, "{}", machine::verdict(&report))?)
}

/// The layers of a sandbox, each with what it stops here or why it does not.
fn layers(trial: &Trial) -> Vec<(&'static str, String)> {
    if let Some(why) = &trial.failed {
        return vec![("sandbox", format!("cannot be tried: {why}"))];
    }
    let is_root = rustix::process::geteuid().is_root();
    let lacking = |level: Level| {
        let names = level.layers(is_root).filter(|layer| !trial.held.contains(layer));
        let names: Vec<&str> = names.map(Layer::name).collect();
        if names.is_empty() { "whole".to_owned() } else { format!("without {}", names.join(", ")) }
    };
    let levels =
        [Level::Basic, Level::Strict].map(|level| format!("{} {}", level.name(), lacking(level)));
    let mut rows = vec![("sandbox", levels.join("; "))];
    rows.extend(Level::Strict.layers(is_root).map(|layer| {
        let why = trial.missing.iter().find(|missing| missing.layer == layer);
        let text = match why {
            _ if trial.held.contains(&layer) => {
                let less = landlock_lacks().filter(|_| layer == Layer::Landlock);
                let less = less.map(|less| format!("; but {less}")).unwrap_or_default();
                format!("stops {}{less}", layer.stops())
            }
            Some(missing) => format!("missing: {}. {}", missing.why, layer.advice()),
            None => format!("missing. {}", layer.advice()),
        };
        (layer.name(), text)
    }));
    rows
}

fn layers_json(trial: &Trial) -> Value {
    let held: Vec<&str> = trial.held.iter().map(|layer| layer.name()).collect();
    let missing = trial.missing.iter();
    let missing =
        missing.map(|missing| json!({ "layer": missing.layer.name(), "why": missing.why }));
    json!({ "held": held, "missing": missing.collect::<Vec<_>>(), "failed": trial.failed })
}
