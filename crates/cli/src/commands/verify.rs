//! `quintain verify`

use std::io::Write as _;
use std::path::Path;

use quintain_arena::audit::{Audited, AuditedGame, audit, audit_store};
use quintain_report::audit::{Count, json, sentence};
use quintain_store::Store;

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
            writeln!(out, "{}", json(audited, &path))
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
