//! Landlock: which files, ports, sockets and processes a program reaches.

use std::io;
use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, NetPort,
    PathBeneath, PathFd, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _,
    RulesetError, RulesetStatus, Scope,
};

use crate::fork::landlock_version;
use crate::plan::Plan;

/// The newest version of the rules that is asked for. A system that knows fewer of them keeps those.
const NEWEST: ABI = ABI::V6;

/// What came with later versions, with the version and the Linux that brought it.
const LATER: [(&str, u32, &str); 3] =
    [("TCP ports", 4, "6.7"), ("abstract sockets", 6, "6.12"), ("signals", 6, "6.12")];

/// What Landlock does not know on this machine although it is there, in words.
pub fn landlock_lacks() -> Option<String> {
    lacks(landlock_version()?)
}

fn lacks(version: u32) -> Option<String> {
    let later = LATER.iter().filter(|(_, since, _)| version < *since);
    let later: Vec<String> =
        later.map(|(what, _, linux)| format!("{what} (Linux {linux})")).collect();
    let what = later.join(", ");
    (!later.is_empty()).then(|| format!("version {version} of it does not know {what}"))
}

/// Devices that hold nothing. Programs open them for writing.
pub(crate) const DEVICES: [&str; 5] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Keeps this process and all that it starts to the plan. `sees_own_files` says that whatever it does not
/// see is out of reach already.
pub(crate) fn restrict(plan: &Plan, sees_own_files: bool) -> io::Result<()> {
    match try_restrict(plan, sees_own_files).map_err(io::Error::other)? {
        RulesetStatus::NotEnforced => Err(io::Error::other("this kernel has no Landlock")),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}

fn try_restrict(plan: &Plan, sees_own_files: bool) -> Result<RulesetStatus, RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let reading = AccessFs::from_read(NEWEST);
    if sees_own_files {
        rules = allow(rules, Path::new("/"), reading)?;
    } else {
        for path in plan.system.iter().chain(&plan.own) {
            rules = allow(rules, path, reading)?;
        }
        for path in
            ["/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/kernel"]
        {
            rules = allow(rules, Path::new(path), reading)?;
        }
    }
    for path in plan.writable.iter().map(AsRef::as_ref).chain([plan.scratch_folder()]) {
        rules = allow(rules, path, changing())?;
    }
    for device in
        DEVICES.iter().chain(&["/dev/shm"]).take(DEVICES.len() + usize::from(sees_own_files))
    {
        rules = allow(rules, Path::new(device), changing())?;
    }
    if let Some(port) = plan.port {
        rules = rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
    }
    Ok(rules.restrict_self()?.ruleset)
}

/// Everything but devices and sockets, which nobody needs in a folder of a bot.
fn changing() -> BitFlags<AccessFs> {
    let none_of = AccessFs::MakeBlock | AccessFs::MakeChar | AccessFs::MakeSock;
    AccessFs::from_all(NEWEST) & !none_of
}

/// What is not there needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(handle) = PathFd::new(path) else { return Ok(rules) };
    let is_folder = path.is_dir();
    let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(handle, access))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_version_does_not_know_is_named_with_the_system_that_does() {
        let text = lacks(2).expect("it lacks something");
        assert!(text.contains("version 2") && text.contains("TCP ports (Linux 6.7)"), "{text}");
        assert!(text.contains("signals (Linux 6.12)"), "{text}");
        assert!(lacks(5).is_some_and(|text| !text.contains("TCP")));
        assert_eq!(lacks(6), None);
    }
}
