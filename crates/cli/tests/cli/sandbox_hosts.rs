//! Machines that lack something: no user namespaces, a root without the rights of one. What is left must hold, and
//! daemons must end.

use std::process::Command;

use crate::sandbox::{Field, Who, attacks};
use crate::support::binary;

/// What only a PID namespace stops: that others exist can be seen.
const SEEN: [&str; 1] = ["see another process"];

/// A machine that lacks something, by what starts the arena on it.
#[derive(Clone, Copy, Debug)]
enum Host {
    /// Root may neither mount nor make namespaces.
    RootWithoutMounts,
    /// Nor may it give files away.
    RootWithoutGifts,
    /// An ordinary user may make no user namespace.
    OrdinaryWithoutNamespaces,
}

impl Host {
    const ALL: [Host; 3] =
        [Host::RootWithoutMounts, Host::RootWithoutGifts, Host::OrdinaryWithoutNamespaces];

    fn who(self) -> Who {
        match self {
            Host::RootWithoutMounts | Host::RootWithoutGifts => Who::Root,
            Host::OrdinaryWithoutNamespaces => Who::Ordinary,
        }
    }

    fn command(self) -> Command {
        let without = |rights: &str| {
            let words = [format!("--bounding-set={rights}"), format!("--inh-caps={rights}")];
            let mut command = self.who().command("setpriv");
            command.args(words).arg(binary());
            command
        };
        match self {
            Host::RootWithoutMounts => without("-sys_admin"),
            Host::RootWithoutGifts => without("-sys_admin,-chown"),
            Host::OrdinaryWithoutNamespaces => {
                // In a namespace of its own a user can say that there are to be no more of them.
                let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv \
                              --ambient-caps=-all --inh-caps=-all --bounding-set=-all -- \"$@\"";
                let mut command = self.who().command("unshare");
                command.args(["--user", "--map-user=65534", "--map-group=65534", "--keep-caps"]);
                command.args(["bash", "-c", script, "bash", binary()]);
                command
            }
        }
    }

    /// Those that can be had here. It is said which cannot.
    fn at_hand() -> Vec<Host> {
        let is_root = rustix::process::geteuid().is_root();
        let is_at_hand = |host: &Host| {
            let may = is_root || host.who() == Who::Ordinary;
            let works = may
                && host.command().arg("games").output().is_ok_and(|output| output.status.success());
            if !works {
                eprintln!("not tried: {host:?}, which cannot be made here");
            }
            works
        };
        Host::ALL.into_iter().filter(is_at_hand).collect()
    }
}

#[test]
fn without_namespaces_no_attack_succeeds_but_that_others_are_seen() {
    for host in Host::at_hand() {
        let replay = Field::new(host.who()).play_by(host.command(), "", &[]);
        let held = replay[0]["sandbox"].as_str().expect("a sandbox");
        assert!(!held.contains("processes"), "{host:?} is no such machine: {held}");
        if !held.contains("landlock") {
            eprintln!("not tried: {host:?} with Landlock, which this machine does not have");
            continue;
        }
        for (name, has_succeeded) in attacks(&replay) {
            assert!(!has_succeeded || SEEN.contains(&name.as_str()), "{host:?}: {name}");
        }
    }
}

#[test]
fn without_namespaces_limits_hold_and_daemons_end() {
    let cases = [
        ("eat-memory", ["--memory", "200M"], "memory"),
        ("fork", ["--processes", "40"], "processes"),
        ("fill-disk", ["--disk", "32M"], "disk"),
        ("fill-inodes", ["--disk", "16M"], "disk"),
        ("fill-removed", ["--disk", "32M"], "disk"),
        ("share-memory", ["--memory", "200M"], "memory"),
    ];
    for host in Host::at_hand() {
        for (deed, limit, verdict) in cases {
            // That nothing is left is seen to by the field.
            let replay = Field::new(host.who()).play_by(host.command(), deed, &limit);
            let end = replay.last().expect("an end");
            assert_eq!(end["exits"][0]["limit"], verdict, "{host:?} {deed}: {end}");
        }
        Field::new(host.who()).play_by(host.command(), "daemon=x", &[]);
    }
}

/// In games with state files it works in a private folder, which must be its own here too.
#[test]
fn without_namespaces_a_bot_with_state_files_plays() {
    for host in Host::at_hand() {
        let field = Field::new(host.who());
        let bot = format!("{} bot worms random --seed 1", binary());
        let output = host
            .command()
            .args(["play", "worms", &bot, "house:random", "--seed", "1", "--json", "--no-replay"])
            .args(["--limit", "20s", "--set", "game.maxRounds=10"])
            .current_dir(field.folder.path(""))
            .output()
            .expect("the binary can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let result: serde_json::Value = serde_json::from_str(&text).expect("a result");
        assert_eq!(result["errors"], serde_json::json!([0, 0]), "{host:?}: {output:?}");
    }
}
