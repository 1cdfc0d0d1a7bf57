//! `quintain stats --check`: whether a store still holds what was written to it.

use std::io::Write;

use quintain_arena::audit::{Audited, AuditedGame, audit_store};
use quintain_core::printable;
use quintain_report::audit::sentence;
use quintain_store::{Examination, Finding, Store};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::counted;

/// Examines the store, and its replays if wanted, and tells what was found; a finding is a failure.
pub(super) fn check(
    store: &Store,
    with_replays: bool,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut examination = store.examine()?;
    if with_replays {
        examine_replays(store, &mut examination)?;
    }
    if as_json {
        writeln!(out, "{}", in_json(store, &examination))?;
    } else {
        print(store, &examination, out)?;
    }
    out.flush()?;
    if examination.findings.is_empty() { Ok(()) } else { Err(Failure::Told) }
}

/// Plays every replay again and compares it with what the store says of its game.
fn examine_replays(store: &Store, examination: &mut Examination) -> Result<(), Failure> {
    audit_store(store, None, &mut |AuditedGame { run, number, path, audited }| {
        if !matches!(audited, Audited::Verified(_)) {
            let text = format!("{}: {}", path.display(), sentence(&audited));
            let (run, game) = (Some(run.plan.name.clone()), Some(number));
            examination.findings.push(Finding { run, game, text });
        }
        Ok(())
    })
}

fn print(store: &Store, examination: &Examination, out: &mut impl Write) -> Result<(), Failure> {
    for finding in &examination.findings {
        writeln!(out, "{}", in_words(finding))?;
    }
    let games = counted(examination.games, "game");
    let runs = counted(examination.runs, "run");
    let verdict = match examination.findings.len() as u64 {
        0 => "sound".to_owned(),
        found => format!("not sound, {}", counted(found, "finding")),
    };
    Ok(writeln!(out, "{}: {games} of {runs} examined: {verdict}", store.place())?)
}

fn in_words(Finding { run, game, text }: &Finding) -> String {
    let text = printable(text);
    match (run, game) {
        (Some(run), Some(game)) => format!("run `{}`, game {game}: {text}", printable(run)),
        (Some(run), None) => format!("run `{}`: {text}", printable(run)),
        (None, _) => text.to_string(),
    }
}

fn in_json(store: &Store, examination: &Examination) -> Value {
    let finding =
        |Finding { run, game, text }: &Finding| json!({ "run": run, "game": game, "text": text });
    json!({
        "store": store.place(),
        "runs": examination.runs,
        "games": examination.games,
        "findings": examination.findings.iter().map(finding).collect::<Value>(),
    })
}
