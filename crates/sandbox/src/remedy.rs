//! What an organiser has to do on this machine so that it has a layer that is missing, word for word.

use std::fs;
use std::path::Path;

use crate::Layer;

/// Set where a program without an AppArmor profile may make no user namespaces (Ubuntu 23.10 and newer).
const RESTRICTED: &str = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/// How many user namespaces there may be.
const NAMESPACES_MAX: &str = "/proc/sys/user/max_user_namespaces";

/// Set to 0 where only root may make user namespaces (Debian and its kin).
const FOR_EVERYBODY: &str = "/proc/sys/kernel/unprivileged_userns_clone";

/// What is known about the machine.
struct Machine {
    is_restricted: bool,
    is_for_root: bool,
    has_namespaces: bool,
    has_systemd: bool,
    is_root: bool,
}

impl Machine {
    fn this() -> Machine {
        let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
        Machine {
            is_restricted: number(RESTRICTED) == Some(1),
            is_for_root: number(FOR_EVERYBODY) == Some(0),
            has_namespaces: number(NAMESPACES_MAX) != Some(0),
            has_systemd: Path::new("/run/systemd/system").is_dir(),
            is_root: rustix::process::geteuid().is_root(),
        }
    }
}

/// What is to be done on this machine about layers that are missing, as lines that can be typed. `program` is this
/// one, by its path.
pub fn remedies(missing: &[Layer], program: &Path) -> Vec<String> {
    remedies_on(&Machine::this(), missing, program)
}

fn remedies_on(machine: &Machine, missing: &[Layer], program: &Path) -> Vec<String> {
    let of_namespaces = [Layer::Processes, Layer::Files, Layer::Names, Layer::Network];
    let mut lines = Vec::new();
    if of_namespaces.iter().any(|layer| missing.contains(layer)) && !machine.is_root {
        if !machine.has_namespaces {
            lines.push("user namespaces are switched off; as root:".to_owned());
            lines.push("  sysctl -w user.max_user_namespaces=10000".to_owned());
        } else if machine.is_for_root {
            lines.push("user namespaces are for root alone; as root:".to_owned());
            lines.push("  sysctl -w kernel.unprivileged_userns_clone=1".to_owned());
        } else if machine.is_restricted {
            lines.extend(profile(program));
        }
    }
    if missing.contains(&Layer::Cgroup) && machine.has_systemd {
        let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
        lines.push("a part of the control groups is given to a command by systemd:".to_owned());
        lines.push(format!("  systemd-run --user --scope -p Delegate=yes {name} ..."));
        lines.push("and to a service by a line in its unit:".to_owned());
        lines.push("  Delegate=cpu memory pids".to_owned());
    }
    lines
}

/// AppArmor keeps user namespaces from programs without a profile.
fn profile(program: &Path) -> Vec<String> {
    let program = program.display();
    [
        "AppArmor keeps user namespaces from this program; as root write".to_owned(),
        "/etc/apparmor.d/quintain:".to_owned(),
        "  abi <abi/4.0>,".to_owned(),
        "  include <tunables/global>".to_owned(),
        format!("  profile quintain {program} flags=(unconfined) {{"),
        "    userns,".to_owned(),
        "  }".to_owned(),
        "and load it:".to_owned(),
        "  apparmor_parser -r /etc/apparmor.d/quintain".to_owned(),
    ]
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UBUNTU: Machine = Machine {
        is_restricted: true,
        is_for_root: false,
        has_namespaces: true,
        has_systemd: true,
        is_root: false,
    };

    fn lines(machine: &Machine, missing: &[Layer]) -> String {
        remedies_on(machine, missing, Path::new("/opt/quintain")).join("\n")
    }

    #[test]
    fn the_profile_is_printed_where_apparmor_is_what_is_missing() {
        let text = lines(&UBUNTU, &[Layer::Processes, Layer::Files]);
        assert!(text.contains("profile quintain /opt/quintain flags=(unconfined) {"), "{text}");
        assert!(text.contains("userns,") && text.contains("apparmor_parser -r"), "{text}");
        let elsewhere = Machine { is_restricted: false, ..UBUNTU };
        assert_eq!(lines(&elsewhere, &[Layer::Processes]), "");
        let switched_off = Machine { has_namespaces: false, ..UBUNTU };
        assert!(lines(&switched_off, &[Layer::Network]).contains("max_user_namespaces"));
        let for_root = Machine { is_restricted: false, is_for_root: true, ..UBUNTU };
        assert!(lines(&for_root, &[Layer::Files]).contains("unprivileged_userns_clone=1"));
        assert_eq!(lines(&UBUNTU, &[Layer::Landlock]), "");
    }

    #[test]
    fn delegation_is_printed_where_control_groups_are_missing() {
        let text = lines(&UBUNTU, &[Layer::Cgroup]);
        assert!(text.contains("systemd-run --user --scope -p Delegate=yes quintain"), "{text}");
        assert!(text.contains("Delegate=cpu memory pids"), "{text}");
        let without = Machine { has_systemd: false, ..UBUNTU };
        assert_eq!(lines(&without, &[Layer::Cgroup]), "");
    }
}
