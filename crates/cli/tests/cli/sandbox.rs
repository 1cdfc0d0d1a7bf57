//! What holds programs that nobody trusts: attacks by a real program, as root and as an ordinary user.

use std::fmt::Write as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::chown;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use quintain_sandbox::Layer;
use quintain_testkit::Mark;
use serde_json::Value;

use crate::support::{Folder, binary, json, program_of_tests, replay_lines, wait_until, workspace};

/// The user that is nobody.
pub(crate) const NOBODY: u32 = 65534;

/// The game in which a bot uses up the machine: who is gone has lost at once, so that the clock can be long. In hockey
/// everybody waits for the clock.
const QUICK: &str = "fencing";

/// The time for an answer where something else than the clock ends the match: a machine may be busy, or emulated.
const PATIENCE: [&str; 4] = ["--limit", "2m", "--start-limit", "2m"];

/// The same where a bot that plays on is late in the end.
const SHORT: [&str; 4] = ["--limit", "3s", "--start-limit", "2m"];

/// Levels under which nothing may succeed.
pub(crate) const LEVELS: [&str; 2] = ["basic", "strict"];

/// Who starts a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Root,
    Ordinary,
}

impl Who {
    /// Root can be both; anybody else is who they are, and says which half was not tried.
    pub(crate) fn all() -> Vec<Who> {
        if rustix::process::geteuid().is_root() {
            return vec![Who::Root, Who::Ordinary];
        }
        eprintln!("not tried: a match that root starts, since this is not root");
        vec![Who::Ordinary]
    }

    pub(crate) fn command(self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if self == Who::Ordinary && rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY).env_remove("PYENV_ROOT");
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
        command
    }
}

/// A folder with a bot that attacks, and with everything that it attacks.
pub(crate) struct Field {
    pub(crate) folder: Folder,
    mark: Mark,
    victim: Child,
    _sockets: (std::net::TcpListener, UnixListener, UnixListener, UnixDatagram),
}

impl Field {
    pub(crate) fn new(who: Who) -> Field {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.path("bot")).expect("a folder");
        std::fs::create_dir_all(folder.path("other")).expect("a folder");
        std::fs::create_dir_all(folder.path("temporary")).expect("a folder");
        std::fs::copy(hostile(), folder.path("bot/hostile")).expect("a copy");
        folder.write("other/secret", "a secret");
        folder.write("other/sacrifice", "");
        folder.write("games.db", "the store");
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let socket = UnixListener::bind(folder.path("other/socket")).expect("a socket");
        let name = format!("quintain-test-{}", folder.path("").display());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let named = UnixListener::bind_addr(&address).expect("a socket");
        let mailbox = format!("{name}-mailbox");
        let address = SocketAddr::from_abstract_name(&mailbox).expect("a name");
        let letters = UnixDatagram::bind_addr(&address).expect("a socket");
        let mut victim = who.command("sleep");
        let victim = victim.arg("600").stdout(Stdio::piped()).spawn().expect("sleep");
        let at = |name: &str| folder.path(name).display().to_string();
        let port = tcp.local_addr().expect("an address").port();
        let targets = format!(
            "secret {}\nfolder {}\nsacrifice {}\nreplay {}\nstore {}\nvictim {}\nport {port}\nsocket {}\n\
             abstract {name}\nmailbox {mailbox}\n",
            at("other/secret"),
            at("other"),
            at("other/sacrifice"),
            at("match.jsonl"),
            at("games.db"),
            victim.id(),
            at("other/socket"),
        );
        folder.write("bot/targets", targets);
        if who == Who::Ordinary {
            give_away(&folder.path(""));
        }
        let mark = Mark::new(&folder.path("").display().to_string());
        Field { folder, mark, victim, _sockets: (tcp, socket, named, letters) }
    }

    /// Plays a match of the hostile bot and returns the lines of its replay.
    fn play(&self, who: Who, deed: &str, options: &[&str]) -> Vec<Value> {
        self.play_by(who.command(binary()), deed, options)
    }

    /// The same with a command that starts the arena.
    pub(crate) fn play_by(&self, arena: Command, deed: &str, options: &[&str]) -> Vec<Value> {
        let clock = if options.contains(&"--limit") { &[][..] } else { &SHORT };
        self.play_game(arena, "hockey", deed, &[clock, options].concat())
    }

    /// Plays a match in which the bot comes to a limit. Returns the lines of its replay.
    pub(crate) fn use_up(&self, arena: Command, deed: &str, options: &[&str]) -> Vec<Value> {
        self.play_game(arena, QUICK, deed, &[&PATIENCE, options].concat())
    }

    fn play_game(
        &self,
        mut arena: Command,
        game: &str,
        deed: &str,
        options: &[&str],
    ) -> Vec<Value> {
        let bot = format!("evil=bot/hostile bot/targets {deed}");
        let good = format!("good={} bot {game} greedy --seed 1", binary());
        let (name, value) = self.mark.variable();
        let arena = arena
            .args(["play", game, bot.trim(), &good, "--seed", "1", "--quiet"])
            .env(name, value)
            .args(["--replay", "match.jsonl"])
            .args(options)
            .env("HOME", self.folder.path("other"))
            .env("TMPDIR", self.folder.path("temporary"))
            .current_dir(self.folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        let number = arena.id();
        let output = arena.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{deed} {options:?}: {output:?}");
        assert_eq!(self.mark.running(), Vec::<String>::new(), "{deed} {options:?}: still running");
        if !options.contains(&"off") {
            let left = self.left_by(number);
            assert!(left.is_empty(), "{deed} {options:?}: {left:?}");
        }
        replay_lines(&self.folder.read("match.jsonl"))
    }

    /// What a match has left in folders and control groups, whose arena had this number.
    fn left_by(&self, number: u32) -> Vec<PathBuf> {
        let temporary = entries(&self.folder.path("temporary"));
        let in_memory = entries(Path::new("/dev/shm")).into_iter();
        let whose = self.folder.path("bot/targets");
        let is_of_bot = |path: &PathBuf| {
            let marks = [path.clone(), path.join("hostile-mark")];
            let mut marks = marks.iter().filter_map(|path| std::fs::read(path).ok());
            marks.any(|mark| mark == whose.as_os_str().as_encoded_bytes())
        };
        let groups = entries(Path::new("/sys/fs/cgroup")).into_iter();
        let groups = groups.flat_map(|group| [entries(&group), vec![group]].concat());
        let is_of_arena = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with(&format!("quintain-bot-{number}-"))
        };
        let left = in_memory.filter(is_of_bot).chain(groups.filter(is_of_arena));
        temporary.into_iter().chain(left).collect()
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// The program that attacks, built once.
fn hostile() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| program_of_tests("hostile"))
}

impl Drop for Field {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// Gives everything in a folder to the ordinary user, if that is not who owns it already.
pub(crate) fn give_away(path: &Path) {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    chown(path, Some(NOBODY), Some(NOBODY)).expect("root gives away what it likes");
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        give_away(&entry.path());
    }
}

/// Every attack with whether it succeeded, as the bot itself saw it.
pub(crate) fn attacks(replay: &[Value]) -> Vec<(String, bool)> {
    let texts = replay.iter().filter_map(|line| line["stderr"][0]["text"].as_str());
    let lines = texts.flat_map(str::lines).filter_map(|line| line.strip_prefix("attack "));
    let read = |line: &str| {
        let (name, result) = line.rsplit_once(": ").expect("a name and a result");
        (name.to_owned(), result == "SUCCEEDED")
    };
    lines.map(read).collect()
}

/// Says which layers of a level this machine does not have, so that nobody takes them for tried.
fn tell_what_is_missing(who: Who, level: &str, header: &Value) {
    let held = header["sandbox"].as_str().expect("a sandbox").to_owned();
    assert!(held.starts_with(&format!("{level}: ")), "{held}");
    let is_wanted = |layer: &Layer| layer.level().name() == "basic" || level == "strict";
    let is_missing = |layer: &Layer| !held.split(' ').any(|name| name == layer.name());
    for layer in Layer::ALL.into_iter().filter(is_wanted).filter(is_missing) {
        if layer != Layer::User || who == Who::Root {
            eprintln!(
                "not tried: layer {layer} of {level} as {who:?}, which this machine does not have"
            );
        }
    }
}

/// The table in the book is what came out here: `QUINTAIN_UPDATE=1` writes it anew.
#[test]
fn no_attack_succeeds_whoever_starts_the_match() {
    let mut table = String::from("| attack | off | basic | strict |\n|---|---|---|---|\n");
    for who in Who::all() {
        let open = attacks(&Field::new(who).play(who, "", &["--sandbox", "off"]));
        let succeeded = open.iter().filter(|(_, has)| *has).count();
        assert!(succeeded * 2 > open.len(), "without a sandbox most attacks succeed: {open:?}");
        let held = LEVELS.map(|level| {
            let replay = Field::new(who).play(who, "", &["--sandbox", level]);
            tell_what_is_missing(who, level, &replay[0]);
            attacks(&replay)
        });
        for (place, (name, has)) in open.iter().enumerate() {
            let words = [&held[0], &held[1]].map(|all| {
                assert_eq!(&all[place].0, name);
                assert!(!all[place].1, "{who:?}: {name} succeeded");
                "stopped"
            });
            let open = if *has { "succeeds" } else { "stopped" };
            if who == Who::Ordinary {
                writeln!(table, "| {name} | {open} | {} | {} |", words[0], words[1]).expect("text");
            }
        }
    }
    check_table(&table);
}

/// A table in the book is what came out here. What succeeds without a sandbox is another matter on another kernel.
fn check_table(table: &str) {
    if std::env::var_os("QUINTAIN_OTHER_KERNEL").is_some() {
        eprintln!("not tried: the table in the book, which is not of this kernel");
        return;
    }
    let path = workspace().join("docs/src/sandbox.md");
    let text = std::fs::read_to_string(&path).expect("the chapter");
    let begin = text.find(table.lines().next().expect("a head")).expect("the table");
    let end = begin + text[begin..].find("\n\n").expect("its end") + 1;
    if std::env::var_os("QUINTAIN_UPDATE").is_some() {
        let text = [&text[..begin], table, &text[end..]].concat();
        std::fs::write(path, text).expect("the chapter can be written");
    } else {
        assert_eq!(&text[begin..end], table, "QUINTAIN_UPDATE=1 writes it anew");
    }
}

/// What uses up the machine: the deed, in words, the limit that it is given, and the verdict.
const LIMITS: [(&str, &str, [&str; 2], &str); 13] = [
    ("eat-memory", "touch 32 GB of memory", ["--memory", "200M"], "memory"),
    ("eat-headless", "touch it when its first thread has ended", ["--memory", "200M"], "memory"),
    ("share-memory", "share memory that nobody seems to have", ["--memory", "200M"], "memory"),
    ("map-nothing", "make the system keep lists of memory", ["--memory", "200M"], "memory"),
    ("fill-sockets", "leave messages in sockets", ["--memory", "100M"], "memory"),
    ("fork", "start 10,000 processes", ["--processes", "40"], "processes"),
    ("threads", "start threads without end", ["--processes", "40"], "processes"),
    ("fill-disk", "fill the disk", ["--disk", "32M"], "disk"),
    ("fill-inodes", "fill the disk with empty files", ["--disk", "16M"], "disk"),
    ("fill-shared", "fill /dev/shm", ["--disk", "32M"], "disk"),
    ("fill-removed", "fill the disk with removed files", ["--disk", "32M"], "disk"),
    ("flood", "flood its error output", ["--output-limit", "1M"], "output"),
    ("spin", "compute for ever", ["--cpu", "1"], "cpu"),
];

/// The table in the book is what came out here: `QUINTAIN_UPDATE=1` writes it anew. Without a sandbox nothing of it is
/// tried, since nothing would hold it.
#[test]
fn each_limit_has_a_verdict_of_its_own() {
    let mut table = String::from("| deed | off | basic | strict |\n|---|---|---|---|\n");
    for (deed, words, limit, verdict) in LIMITS {
        for (who, level) in Who::all().into_iter().flat_map(|who| LEVELS.map(|level| (who, level)))
        {
            let options = [&limit[..], &["--sandbox", level]].concat();
            let replay = Field::new(who).use_up(who.command(binary()), deed, &options);
            let end = replay.last().expect("an end");
            assert_eq!(end["exits"][0]["limit"], verdict, "{who:?} {level} {deed}: {end}");
            assert_undisturbed(&replay, "disqualified", &format!("{who:?} {level} {deed}"));
        }
        writeln!(table, "| {words} | not held | {verdict} | {verdict} |").expect("text");
    }
    check_table(&table);
}

/// The other bot has played to the end, by its own rules, and has won. `verdict` is what the game gives the first.
fn assert_undisturbed(replay: &[Value], verdict: &str, what: &str) {
    let end = replay.last().expect("an end");
    assert_eq!(end["verdicts"], serde_json::json!([verdict, "win"]), "{what}: {end}");
    assert!(end["exits"][1].is_null() || end["exits"][1]["code"] == 0, "{what}: {end}");
    let faults = replay.iter().filter_map(|line| line["faults"].as_array()).flatten();
    assert!(faults.filter(|fault| fault["seat"] == 1).count() == 0, "{what}");
}

/// What is no limit's business, and must neither disturb the other bot nor leave anything.
const DEEDS: [&str; 6] = ["stand-still", "lock-folders", "zombies", "rename", "long-words", "dump"];

#[test]
fn whatever_a_bot_does_the_other_one_is_not_disturbed_and_nothing_is_left() {
    for who in Who::all() {
        for (deed, level) in DEEDS.into_iter().flat_map(|deed| LEVELS.map(|level| (deed, level))) {
            let field = Field::new(who);
            let replay = field.play(who, deed, &["--sandbox", level, "--limit", "1s"]);
            assert_undisturbed(&replay, "loss", &format!("{who:?} {level} {deed}"));
            let left = field.folder.list("bot");
            assert_eq!(left, ["hostile", "targets"], "{who:?} {level} {deed}");
        }
    }
}

/// In a game with state files the system does not count what a bot writes, and a folder can be closed to whoever does.
#[test]
fn a_bot_hides_nothing_that_it_writes() {
    const BOT: &str = include_str!("relays/hide.py");
    for who in Who::all() {
        let ways = |level| ["close", "dig", "crowd"].map(|way| (level, way));
        for (level, way) in LEVELS.into_iter().flat_map(ways) {
            let folder = Folder::new();
            folder.write("bot.py", BOT);
            give_away(&folder.path(""));
            let output = who
                .command(binary())
                .args(["play", "overdrive", &format!("python3 bot.py {way}"), "house:random"])
                .args(["--set", "figures.MAX_ROUNDS=900", "--limit", "20s", "--start-limit", "60s"])
                .args(["--sandbox", level, "--disk", "32M", "--replay", "match.jsonl", "--quiet"])
                .env("HOME", "/nonexistent")
                .current_dir(folder.path(""))
                .output()
                .expect("the binary can be started");
            let replay = replay_lines(&folder.read("match.jsonl"));
            let end = replay.last().expect("an end");
            assert_eq!(end["exits"][0]["limit"], "disk", "{who:?} {level} {way}: {end} {output:?}");
        }
    }
}

/// The layers of a container cannot show files as somebody else's.
#[test]
fn root_shows_a_bot_files_of_a_file_system_that_gives_them_nobody_else() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("not tried: a bot on an overlay, which only root can mount");
        return;
    }
    let folder = Folder::new();
    for name in ["lower", "upper", "work", "bots"] {
        std::fs::create_dir_all(folder.path(name)).expect("a folder");
    }
    folder.write(
        "lower/bot.sh",
        "while read n; do echo \"C;$n;ACCELERATE\"; touch own || exit; done",
    );
    let at = |name: &str| folder.path(name).display().to_string();
    let options =
        format!("lowerdir={},upperdir={},workdir={}", at("lower"), at("upper"), at("work"));
    let script = format!(
        "mount -t overlay overlay -o {options} {bots} || exit 77; cd {bots}; for level in basic strict; do \
         TMPDIR={bots} {} play overdrive 'bash bot.sh' house:random --set figures.MAX_ROUNDS=20 --limit 20s \
         --sandbox $level --no-replay --json || exit 1; done",
        binary(),
        bots = at("bots"),
    );
    let mut unshare = Command::new("unshare");
    let output = unshare.args(["--mount", "bash", "-c", &script]).output().expect("unshare");
    if output.status.code() == Some(77) {
        eprintln!("not tried: a bot on an overlay, which this machine cannot mount");
        return;
    }
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let results = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let results: Vec<Value> = results.map(|result| result.expect("a result")).collect();
    assert_eq!(results.len(), 2, "{text}");
    for result in results {
        assert_eq!(result["errors"], serde_json::json!([0, 0]), "{result:#}");
    }
}

/// What it leaves of a program is no room that it takes, and nothing that it hides.
#[test]
fn a_bot_that_waits_for_none_of_its_programs_plays_on() {
    const BOT: &str = "\
import subprocess, sys, time
left = subprocess.Popen(['true'])
for line in sys.stdin:
    time.sleep(0.02)
    print(f'C;{line.strip()};ACCELERATE', flush=True)
";
    for who in Who::all() {
        for level in LEVELS {
            let folder = Folder::new();
            folder.write("bot.py", BOT);
            give_away(&folder.path(""));
            let output = who
                .command(binary())
                .args(["play", "overdrive", "python3 bot.py", "house:random", "--seed", "3"])
                .args(["--set", "figures.MAX_ROUNDS=40", "--limit", "20s", "--start-limit", "60s"])
                .args(["--sandbox", level, "--no-replay", "--json"])
                .env("HOME", "/nonexistent")
                .current_dir(folder.path(""))
                .output()
                .expect("the binary can be started");
            let result = json(&String::from_utf8_lossy(&output.stdout));
            let is_clean = result["faults"].as_array().is_some_and(Vec::is_empty);
            assert!(is_clean && result["turns"] == 40, "{who:?} {level}: {result:#}");
        }
    }
}

/// A client that connects by itself, on the network of this machine.
#[test]
fn a_client_reaches_its_game_and_nothing_else() {
    const CLIENT: &str = include_str!("relays/reach.py");
    if !has_rules_of_ports() {
        eprintln!(
            "not tried: a client on the network of this machine, whose Landlock knows no ports"
        );
        return;
    }
    let outside = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = outside.local_addr().expect("an address").port();
    for who in Who::all() {
        let folder = Folder::new();
        let script = format!("exec python3 client.py {port} # --connect QUINTAIN_PORT");
        crate::evaluate::teams(&folder, &[("ada", Some(&script)), ("bob", None)]);
        folder.write("teams/ada/client.py", CLIENT);
        folder.write("teams/bob/run.sh", "exec sleep 60");
        give_away(&folder.path(""));
        let output = who
            .command(binary())
            .args(["evaluate", "hockey", "teams", "--listen", "127.0.0.1:0", "--games", "1"])
            .args(["--network", "host", "--sandbox", "basic", "--no-replays", "--json"])
            .args(["--start-limit", "5s"])
            .env("HOME", "/nonexistent")
            .current_dir(folder.path(""))
            .output()
            .expect("the binary can be started");
        let report = json(&String::from_utf8_lossy(&output.stdout));
        let failure = report["pairings"][0]["failures"][0].to_string();
        assert!(failure.contains("reached: game and no more"), "{who:?}: {report:#} {output:?}");
    }
}

/// Whether Landlock is here in its fourth version, that of Linux 6.7.
fn has_rules_of_ports() -> bool {
    let modules = std::fs::read_to_string("/sys/kernel/security/lsm").unwrap_or_default();
    let version = std::fs::read_to_string("/proc/sys/kernel/osrelease").expect("a version");
    let mut numbers = version.split('.').map_while(|word| word.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    // A container may hide the list.
    version >= (6, 7) && (modules.is_empty() || modules.contains("landlock"))
}

#[test]
fn games_that_were_lost_by_a_limit_are_found_in_the_store() {
    let field = Field::new(Who::Root);
    let bot = "evil=bot/hostile bot/targets eat-memory";
    let words = ["compare", QUICK, bot, "house:greedy", "--games", "2", "--store", "kept.db"];
    let words = [&words[..], &PATIENCE, &["--memory", "200M", "--quiet", "--json"]].concat();
    let finished = field.folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let found = json(&field.folder.ok("stats --store kept.db --error memory --output json"));
    assert_eq!(found["games"].as_array().map(Vec::len), Some(2), "{found:#}");
    let text = found["games"][0]["errors"][0]["text"].as_str().expect("words");
    assert!(text.contains("more memory than it may use"), "{text}");
    field.folder.ok("verify --store kept.db");
}

#[test]
fn nothing_of_a_bot_outlives_its_match() {
    for who in Who::all() {
        for level in LEVELS {
            let word = format!("daemon{}{level}{who:?}", std::process::id());
            Field::new(who).play(who, &format!("daemon={word}"), &["--sandbox", level]);
            let lines = std::fs::read_dir("/proc").expect("processes").flatten();
            let is_left = |entry: &std::fs::DirEntry| {
                let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).contains(&format!(": {word};"))
            };
            let left: Vec<_> = lines.filter(is_left).map(|entry| entry.path()).collect();
            assert!(left.is_empty(), "{who:?} {level}: {left:?}");
        }
    }
}

/// An arena that is killed can remove nothing. Its bots end with it, and the next one sweeps.
#[test]
fn nothing_of_a_match_outlives_an_arena_that_was_killed_and_the_next_one() {
    for who in Who::all() {
        let field = Field::new(who);
        let (name, value) = field.mark.variable();
        let bot = "evil=bot/hostile bot/targets spin";
        let mut arena = who
            .command(binary())
            .args(["play", "hockey", bot, "house:greedy", "--seed", "1", "--quiet", "--no-replay"])
            .args(["--sandbox", "strict"])
            .args(PATIENCE)
            .env(name, value)
            .env("HOME", field.folder.path("other"))
            .env("TMPDIR", field.folder.path("temporary"))
            .current_dir(field.folder.path(""))
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary can be started");
        let is_bot = |pid: &String| {
            let program = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
            program.ends_with("hostile")
        };
        wait_until("the bot runs", || field.mark.running().iter().any(is_bot));
        arena.kill().expect("it runs");
        arena.wait().expect("it was killed");
        wait_until("the bot has ended with its arena", || field.mark.running().is_empty());
        field.play(who, "", &["--sandbox", "strict"]);
        let left = field.left_by(arena.id());
        assert!(left.is_empty(), "{who:?}: {left:?}");
    }
}

#[test]
fn a_level_that_is_required_must_be_asked_for_and_be_there() {
    let folder = Folder::new();
    let wrong = folder.run("play hockey --require-sandbox strict");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("expected --sandbox strict beside it"), "{}", wrong.stderr);
    let doctor = json(&folder.ok("doctor --json"));
    let missing = doctor["sandbox"]["missing"].as_array().expect("a list").clone();
    let words = ["play", "hockey", "true", "house:random", "--no-replay"];
    let words = [&words[..], &["--sandbox", "strict", "--require-sandbox", "strict"]].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code == 0, missing.is_empty(), "{}: {missing:?}", finished.stderr);
    if let Some(layer) = missing.first() {
        let expected =
            format!("the layer `{}` cannot be had", layer["layer"].as_str().expect("a name"));
        assert!(finished.stderr.contains("cannot be had"), "{expected}: {}", finished.stderr);
    }
}

#[test]
fn a_bot_that_misses_a_file_is_told_that_the_sandbox_hides_it() {
    let field = Field::new(Who::Root);
    field.folder.write(
        "bot/bot.sh",
        format!("cat '{}'\nexit 1\n", field.folder.path("other/secret").display()),
    );
    let words = ["play", "hockey", "bash bot/bot.sh", "house:random", "--no-replay"];
    let finished = field.folder.run_words(&words, "");
    let expected = "the sandbox does not let it read or change";
    assert!(finished.stdout.contains(expected), "{finished:?}");
    let trusted = field.folder.run_words(&[&words[..], &["--sandbox", "off"]].concat(), "");
    assert!(!trusted.stdout.contains(expected), "{trusted:?}");
}

#[test]
fn rounds_can_be_read_and_not_changed() {
    let folder = Folder::new();
    let script = "while read n; do test -s rounds/$n/state.json && echo read >&2; \
                  rm -rf rounds/$n 2>/dev/null; mkdir rounds/x 2>/dev/null && echo changed >&2; \
                  touch own && echo wrote >&2; echo \"C;$n;nothing\"; done";
    folder.write("bot.sh", script);
    let words = "play worms --replay a.jsonl --limit 20s --quiet";
    let words: Vec<&str> = words.split(' ').chain(["bash bot.sh", "house:random"]).collect();
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let replay = replay_lines(&folder.read("a.jsonl"));
    let texts = replay.iter().filter_map(|line| line["stderr"][0]["text"].as_str());
    let said: Vec<&str> = texts.flat_map(str::lines).collect();
    assert!(said.contains(&"read") && said.contains(&"wrote"), "{said:?}");
    assert!(!said.contains(&"changed"), "{said:?}");
}

#[test]
fn a_launcher_that_is_killed_is_replaced() {
    let folder = Folder::new();
    let bot = format!("{} bot hockey random --seed 1", binary());
    let words = ["compare", "hockey", &bot, &format!("b={bot}"), "--games", "30", "--json"];
    let arena = Command::new(binary())
        .args(words)
        .args(["--concurrency", "1", "--quiet", "--limit", "20s"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    let launcher = loop {
        match launchers_of(arena.id()).into_iter().min() {
            Some(pid) => break pid,
            None => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    };
    let pid = rustix::process::Pid::from_raw(launcher).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it runs");
    let output = arena.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let report = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(report["games"], 30, "{report:#}");
}

/// The children of a process that are launchers or what came of them.
fn launchers_of(arena: u32) -> Vec<i32> {
    let is_launcher = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).nth(1) == Some(b"__launch")
    };
    let tasks = entries(Path::new(&format!("/proc/{arena}/task"))).into_iter();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.join("children")).ok());
    let children: Vec<i32> = lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()
        })
        .collect();
    children.into_iter().filter(is_launcher).collect()
}
