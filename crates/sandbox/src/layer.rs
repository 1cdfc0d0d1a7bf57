//! The layers of a sandbox, as data: what each stops, and what to do where it is missing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Level;

/// One thing that is taken away from a program. Each works without the others as far as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    Session,
    Limits,
    Rights,
    User,
    Landlock,
    Seccomp,
    Processes,
    Files,
    Names,
    Network,
    Cgroup,
}

impl Layer {
    pub const ALL: [Layer; 11] = [
        Layer::Session,
        Layer::Limits,
        Layer::Rights,
        Layer::User,
        Layer::Landlock,
        Layer::Seccomp,
        Layer::Processes,
        Layer::Files,
        Layer::Names,
        Layer::Network,
        Layer::Cgroup,
    ];

    /// The layer's name in files and in sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Session => "session",
            Layer::Limits => "limits",
            Layer::Rights => "rights",
            Layer::User => "user",
            Layer::Landlock => "landlock",
            Layer::Seccomp => "seccomp",
            Layer::Processes => "processes",
            Layer::Files => "files",
            Layer::Names => "names",
            Layer::Network => "network",
            Layer::Cgroup => "cgroup",
        }
    }

    /// The lowest level that it belongs to.
    pub const fn level(self) -> Level {
        match self {
            Layer::Network | Layer::Cgroup => Level::Strict,
            _ => Level::Basic,
        }
    }

    /// What a program cannot do because of it.
    pub const fn stops(self) -> &'static str {
        match self {
            Layer::Session => "joining the process groups of others, signals of a terminal",
            Layer::Limits => {
                "endless processor time, huge files, too many processes and open files"
            }
            Layer::Rights => "more rights through setuid programs, and every right of root",
            Layer::User => "being root, and being the same user as another bot",
            Layer::Landlock => {
                "files, TCP ports, abstract sockets and signals that are none of its business"
            }
            Layer::Seccomp => {
                "tracing, mounting, BPF, io_uring, keys, sockets, changing other processes"
            }
            Layer::Processes => {
                "seeing or signalling the processes of others, and leaving any behind"
            }
            Layer::Files => "seeing files of others at all, and filling the disk",
            Layer::Names => "shared memory and queues of others, the name of the machine",
            Layer::Network => "every connection, that to the host of its match excepted",
            Layer::Cgroup => {
                "more memory, processes and processor time than allowed, counted exactly"
            }
        }
    }

    /// What an organiser can do where the system does not have it.
    pub const fn advice(self) -> &'static str {
        match self {
            Layer::Session | Layer::Limits | Layer::Rights => "this should work on every Linux",
            Layer::User => {
                "the user namespace or container has no other users: run as an ordinary user instead"
            }
            Layer::Landlock => {
                "Linux 5.13 or newer with `landlock` in the kernel's list lsm=; containers may hide it"
            }
            Layer::Seccomp => "a kernel with CONFIG_SECCOMP_FILTER, on x86-64, AArch64 or RISC-V",
            Layer::Processes | Layer::Files | Layer::Names | Layer::Network => {
                "user namespaces for this user, or root with the right to mount (in a container \
                 the capability SYS_ADMIN)"
            }
            Layer::Cgroup => {
                "control groups that this user may change: root, or a part of them that systemd delegates"
            }
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLayer;

impl FromStr for Layer {
    type Err = UnknownLayer;

    fn from_str(name: &str) -> Result<Layer, UnknownLayer> {
        Layer::ALL.into_iter().find(|layer| layer.name() == name).ok_or(UnknownLayer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_a_name_of_its_own() {
        for layer in Layer::ALL {
            assert_eq!(layer.name().parse(), Ok(layer));
        }
        assert_eq!("sulking".parse::<Layer>(), Err(UnknownLayer));
    }

    #[test]
    fn strict_has_all_that_basic_has_and_only_root_needs_another_user() {
        let layers = |level: Level, is_root| level.layers(is_root).collect::<Vec<_>>();
        assert!(layers(Level::Off, true).is_empty());
        let basic = layers(Level::Basic, false);
        assert!(!basic.contains(&Layer::User) && !basic.contains(&Layer::Network));
        assert!(layers(Level::Basic, true).contains(&Layer::User));
        assert_eq!(layers(Level::Strict, true), Layer::ALL);
    }
}
