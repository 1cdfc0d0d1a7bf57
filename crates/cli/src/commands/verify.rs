//! `quintain verify`

use std::io::Write as _;
use std::path::Path;

use quintain_arena::audit::{AuditError, Audited, AuditedGame, Proof, audit, audit_store};
use quintain_replay::SetupOrigin;
use quintain_store::Store;
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::secret;

pub(super) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let signer = args.signer.as_deref().map(super::key::expected_signer).transpose()?;
    let mut out = std::io::stdout().lock();
    let mut count = Count::default();
    let mut tell = |path: &Path, audited: &Audited| {
        count.add(audited);
        let path = path.display().to_string();
        if args.json {
            writeln!(out, "{}", as_json(audited, &path))
        } else {
            writeln!(out, "{path}: {}", sentence(audited))
        }
    };
    for file in &args.files {
        tell(file, &audit(file, signer))?;
    }
    if let Some(place) = &args.store {
        Store::be_wary();
        let store = Store::open_existing(&secret::address(place, None)?)?;
        audit_store(&store, signer, &mut |AuditedGame { path, audited, .. }| {
            Ok::<(), Failure>(tell(&path, &audited)?)
        })?;
    }
    if !args.json {
        writeln!(out, "{}", count.sentence())?;
    }
    if count.incomplete + count.failed == 0 { Ok(()) } else { Err(Failure::Told) }
}

fn status(audited: &Audited) -> &'static str {
    match audited {
        Audited::Verified(_) => "verified",
        Audited::Incomplete(_) => "incomplete",
        Audited::Failed(_) => "failed",
    }
}

pub(super) fn sentence(audited: &Audited) -> String {
    let parts = match audited {
        Audited::Verified(proof) => [vec![result(proof)], remarks(proof)].concat(),
        Audited::Incomplete(proof) => [vec![break_off(proof)], remarks(proof)].concat(),
        Audited::Failed(error) => vec![in_words(error)],
    };
    format!("{}: {}", status(audited), parts.join("; "))
}

fn as_json(audited: &Audited, file: &str) -> Value {
    let mut object = match audited {
        Audited::Verified(proof) | Audited::Incomplete(proof) => proof_json(proof),
        Audited::Failed(error) => json!({ "error": in_words(error) }),
    };
    object["file"] = json!(file);
    object["status"] = json!(status(audited));
    object
}

fn in_words(error: &AuditError) -> String {
    let causes: Vec<String> = anyhow::Chain::new(error).map(ToString::to_string).collect();
    causes.join(": ")
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
    let Proof { header, reached, .. } = proof;
    let mut remarks = Vec::new();
    if reached.setup == SetupOrigin::Own {
        remarks.push(format!("its setup is its own, not that of seed {}", header.seed));
    }
    if let Some(from) = &header.from {
        let (turn, source) = (from.turn, quintain_core::printable(&from.replay));
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
        "setup": match reached.setup {
            SetupOrigin::Seed => "seed",
            SetupOrigin::Own => "own",
        },
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
#[derive(Default)]
struct Count {
    verified: usize,
    incomplete: usize,
    failed: usize,
}

impl Count {
    fn add(&mut self, audited: &Audited) {
        match audited {
            Audited::Verified(_) => self.verified += 1,
            Audited::Incomplete(_) => self.incomplete += 1,
            Audited::Failed(_) => self.failed += 1,
        }
    }

    fn sentence(&self) -> String {
        let Count { verified, incomplete, failed } = self;
        let incomplete = match incomplete {
            0 => String::new(),
            count => format!(", {count} incomplete"),
        };
        format!("{verified} verified{incomplete}, {failed} failed")
    }
}
