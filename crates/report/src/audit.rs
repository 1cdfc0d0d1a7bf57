//! What came of looking at replays and stores, in sentences and for programs.

use std::error::Error;

use quintain_arena::audit::{AuditError, Audited, AuditedGame, Examination, Finding, Proof};
use quintain_core::printable;
use serde_json::{Value, json};

use crate::words::counted;

fn status(audited: &Audited) -> &'static str {
    match audited {
        Audited::Verified(_) => "verified",
        Audited::Incomplete(_) => "incomplete",
        Audited::Failed(_) => "failed",
    }
}

/// What was found, as the end of a line that begins with the file.
pub fn sentence(audited: &Audited) -> String {
    let parts = match audited {
        Audited::Verified(proof) => [vec![result(proof)], remarks(proof)].concat(),
        Audited::Incomplete(proof) => [vec![break_off(proof)], remarks(proof)].concat(),
        Audited::Failed(error) => vec![in_words(error)],
    };
    format!("{}: {}", status(audited), parts.join("; "))
}

/// What was found, for programs.
pub fn json(audited: &Audited, file: &str) -> Value {
    let mut object = match audited {
        Audited::Verified(proof) | Audited::Incomplete(proof) => proof_json(proof),
        Audited::Failed(error) => json!({ "error": in_words(error) }),
    };
    object["file"] = json!(file);
    object["status"] = json!(status(audited));
    object
}

/// An error and all that is behind it.
fn in_words(error: &AuditError) -> String {
    let causes = std::iter::successors(Some(error as &dyn Error), |&error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn result(proof: &Proof) -> String {
    let reason = proof.tail.end.as_ref().map_or("", |end| &end.reason);
    format!("{} turns, {reason}", proof.reached.turn)
}

fn break_off(proof: &Proof) -> String {
    let (turn, steps) = (proof.reached.turn, proof.reached.steps);
    let why = proof.tail.cut.as_deref().unwrap_or("the match was not finished");
    format!("ends after turn {turn}: {why}; its {steps} steps are right")
}

/// What the file proves less, or more, than others.
fn remarks(proof: &Proof) -> Vec<String> {
    let header = &proof.header;
    let mut remarks = Vec::new();
    if proof.has_own_setup() {
        remarks.push(format!("its setup is its own, not that of seed {}", header.seed));
    }
    if let Some(from) = &header.from {
        let (turn, source) = (from.turn, printable(&from.replay));
        remarks.push(format!("its turns before {turn} are those of {source}"));
    }
    if header.format == 1 {
        let said = "of format 1, so that times, names and the lines as a whole are not proved";
        remarks.push(said.to_owned());
    }
    if let Some(signer) = &proof.signer {
        remarks.push(format!("signed by {signer}"));
    }
    remarks
}

fn proof_json(proof: &Proof) -> Value {
    let Proof { header, tail, reached, signer } = proof;
    let end = tail.end.as_ref();
    json!({
        "game": header.game,
        "format": header.format,
        "rules_version": header.rules_version,
        "edition": header.edition,
        "seed": header.seed.to_string(),
        "setup": if proof.has_own_setup() { "own" } else { "seed" },
        "from": header.from,
        "names": header.names,
        "bots": header.bots,
        "players": header.players,
        "turns": reached.turn,
        "steps": reached.steps,
        "verdicts": end.map(|end| &end.verdicts),
        "scores": end.map(|end| &end.scores),
        "reason": end.map(|end| &end.reason),
        "cut": tail.cut,
        "signer": signer.map(|key| key.to_string()),
        "sha256": tail.content,
    })
}

/// How many files there were of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub verified: usize,
    pub incomplete: usize,
    pub failed: usize,
}

impl Count {
    pub fn add(&mut self, audited: &Audited) {
        match audited {
            Audited::Verified(_) => self.verified += 1,
            Audited::Incomplete(_) => self.incomplete += 1,
            Audited::Failed(_) => self.failed += 1,
        }
    }

    pub fn sentence(&self) -> String {
        let Count { verified, incomplete, failed } = self;
        let incomplete = match incomplete {
            0 => String::new(),
            count => format!(", {count} incomplete"),
        };
        format!("{verified} verified{incomplete}, {failed} failed")
    }
}

/// What the replay of a stored game speaks against the store; nothing if it is verified.
pub fn finding(game: &AuditedGame<'_>) -> Option<Finding> {
    let AuditedGame { run, number, path, audited } = game;
    let is_verified = matches!(audited, Audited::Verified(_));
    (!is_verified).then(|| Finding {
        run: Some(run.plan.name.clone()),
        game: Some(*number),
        text: format!("{}: {}", path.display(), sentence(audited)),
    })
}

/// What was found in a store, and whether it is sound.
pub fn examination_lines(place: &str, examination: &Examination) -> Vec<String> {
    let mut lines: Vec<String> = examination.findings.iter().map(finding_in_words).collect();
    let games = counted(examination.games, "game");
    let runs = counted(examination.runs, "run");
    let verdict = match lines.len() as u64 {
        0 => "sound".to_owned(),
        found => format!("not sound, {}", counted(found, "finding")),
    };
    lines.push(format!("{place}: {games} of {runs} examined: {verdict}"));
    lines
}

fn finding_in_words(Finding { run, game, text }: &Finding) -> String {
    let text = printable(text);
    match (run, game) {
        (Some(run), Some(game)) => format!("run `{}`, game {game}: {text}", printable(run)),
        (Some(run), None) => format!("run `{}`: {text}", printable(run)),
        (None, _) => text.into_owned(),
    }
}

pub fn examination_json(place: &str, examination: &Examination) -> Value {
    let finding =
        |Finding { run, game, text }: &Finding| json!({ "run": run, "game": game, "text": text });
    json!({
        "store": place,
        "runs": examination.runs,
        "games": examination.games,
        "findings": examination.findings.iter().map(finding).collect::<Value>(),
    })
}
