//! Machines that lack something: no user namespaces, a root without the rights of one. What is left must hold, and
//! daemons must end.

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::sandbox::{Field, NOBODY, Who, attacks};
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
        if let Some(less) = quintain_sandbox::landlock_lacks() {
            eprintln!("not tried: {host:?} with a Landlock that knows signals: {less}");
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
            let replay = Field::new(host.who()).use_up(host.command(), deed, &limit);
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

/// A part of the control groups (version 2) that belongs to an ordinary user, as systemd gives it to a service.
struct Part(PathBuf);

impl Part {
    /// A new one for every arena: one whose parts are bounded can be joined by nobody. It is said why if there can be
    /// none.
    fn new(name: &str) -> Option<Part> {
        const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpu"];
        let root = Path::new("/sys/fs/cgroup");
        let offered = fs::read_to_string(root.join("cgroup.controllers")).unwrap_or_default();
        let is_offered = |name: &&str| offered.split_whitespace().any(|word| word == *name);
        if !rustix::process::geteuid().is_root() || !CONTROLLERS.iter().all(is_offered) {
            eprintln!(
                "not tried: a part of the control groups that is an ordinary user's, which takes root and \
                 version 2 (`cargo xtask vm` has both)"
            );
            return None;
        }
        let wish = CONTROLLERS.map(|name| format!("+{name}")).join(" ");
        fs::write(root.join("cgroup.subtree_control"), wish).expect("root divides what it likes");
        let part = root.join(format!("quintain-part-{}-{name}", std::process::id()));
        fs::create_dir(&part).expect("a group");
        for file in ["", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control"] {
            chown(part.join(file), Some(NOBODY), Some(NOBODY)).expect("root gives it away");
        }
        Some(Part(part))
    }

    /// An arena in the part, of the user who owns it.
    fn command(&self) -> Command {
        let script = "echo $$ > \"$0/cgroup.procs\" && exec setpriv --reuid=65534 --regid=65534 \
                      --clear-groups env -u PYENV_ROOT PATH=/usr/local/bin:/usr/bin:/bin \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(&self.0).arg(binary());
        command
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Empty a moment after those in it have ended.
        for _ in 0..1000 {
            let _ = fs::remove_dir(self.0.join("quintain-own"));
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn an_ordinary_user_with_a_part_of_the_groups_has_all_of_strict() {
    let Some(part) = Part::new("attacks") else { return };
    let strict = ["--sandbox", "strict", "--require-sandbox", "strict"];
    let replay = Field::new(Who::Ordinary).play_by(part.command(), "", &strict);
    assert!(replay[0]["sandbox"].as_str().is_some_and(|held| held.contains("cgroup")));
    for (name, has_succeeded) in attacks(&replay) {
        assert!(!has_succeeded, "{name}");
    }
    let cases = [
        ("eat-memory", ["--memory", "200M"], "memory"),
        ("share-memory", ["--memory", "200M"], "memory"),
        ("fork", ["--processes", "40"], "processes"),
        ("threads", ["--processes", "40"], "processes"),
    ];
    for (deed, limit, verdict) in cases {
        let options = [&limit[..], &strict].concat();
        let part = Part::new(deed).expect("there was one before");
        let replay = Field::new(Who::Ordinary).use_up(part.command(), deed, &options);
        let end = replay.last().expect("an end");
        assert_eq!(end["exits"][0]["limit"], verdict, "{deed}: {end}");
    }
}
