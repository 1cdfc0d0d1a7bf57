//! `quintain verify`

use std::io::Write as _;
use std::path::Path;

use quintain_replay::Recording as _;

use crate::args::VerifyArgs;
use crate::failure::Failure;

pub(super) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut failed = 0;
    for file in &args.files {
        let said = match verify(file) {
            Ok(sentence) => sentence,
            Err(error) => {
                failed += 1;
                format!("failed: {error:#}")
            }
        };
        writeln!(out, "{}: {said}", file.display())?;
    }
    writeln!(out, "{} verified, {failed} failed", args.files.len() - failed)?;
    if failed == 0 { Ok(()) } else { Err(Failure::Told) }
}

/// What was found right, in a few words.
fn verify(file: &Path) -> anyhow::Result<String> {
    let (mut replay, game) = super::open_replay(file)?;
    let ended = game.verify(&mut replay)?;
    let (steps, tail) = (ended.steps, replay.tail());
    if let Some(damage) = &tail.damage {
        anyhow::bail!("the file is damaged after turn {}: {damage}", ended.turn);
    }
    match &tail.end {
        Some(end) => Ok(format!("verified: {} turns, {}", ended.turn, end.reason)),
        None => {
            let why = tail.cut.as_deref().unwrap_or("the match was not finished");
            Ok(format!("ends after turn {}: {why}; its {steps} steps are right", ended.turn))
        }
    }
}
