//! What holds programs that nobody trusts: attacks by a real program, as root and as an ordinary user, and
//! real runtimes that must not notice.

use std::fmt::Write as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use quintain_sandbox::Layer;
use serde_json::Value;

use crate::support::{Folder, binary, json, program_of_tests, replay_lines, workspace};

/// The user that is nobody.
const NOBODY: u32 = 65534;

/// Levels under which nothing may succeed.
const LEVELS: [&str; 2] = ["basic", "strict"];

/// Who starts a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Root,
    Ordinary,
}

impl Who {
    /// Root can be both; anybody else is who they are, and says which half was not tried.
    fn all() -> Vec<Who> {
        if rustix::process::geteuid().is_root() {
            return vec![Who::Root, Who::Ordinary];
        }
        eprintln!("not tried: a match that root starts, since this is not root");
        vec![Who::Ordinary]
    }

    fn command(self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if self == Who::Ordinary && rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY).env_remove("PYENV_ROOT");
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
        command
    }
}

/// A folder with a bot that attacks, and with everything that it attacks.
struct Field {
    folder: Folder,
    victim: Child,
    _sockets: (std::net::TcpListener, UnixListener, UnixListener),
}

impl Field {
    fn new(who: Who) -> Field {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.path("bot")).expect("a folder");
        std::fs::create_dir_all(folder.path("other")).expect("a folder");
        std::fs::copy(program_of_tests("hostile"), folder.path("bot/hostile")).expect("a copy");
        folder.write("other/secret", "a secret");
        folder.write("other/sacrifice", "");
        folder.write("games.db", "the store");
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let socket = UnixListener::bind(folder.path("other/socket")).expect("a socket");
        let name = format!("quintain-test-{}", folder.path("").display());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let named = UnixListener::bind_addr(&address).expect("a socket");
        let mut victim = who.command("sleep");
        let victim = victim.arg("600").stdout(Stdio::piped()).spawn().expect("sleep");
        let at = |name: &str| folder.path(name).display().to_string();
        let port = tcp.local_addr().expect("an address").port();
        let targets = format!(
            "secret {}\nfolder {}\nsacrifice {}\nreplay {}\nstore {}\nvictim {}\nport {port}\nsocket {}\n\
             abstract {name}\n",
            at("other/secret"),
            at("other"),
            at("other/sacrifice"),
            at("match.jsonl"),
            at("games.db"),
            victim.id(),
            at("other/socket"),
        );
        folder.write("bot/targets", targets);
        if who == Who::Ordinary && rustix::process::geteuid().is_root() {
            give_away(&folder.path(""));
        }
        Field { folder, victim, _sockets: (tcp, socket, named) }
    }

    /// Plays a match of the hostile bot and returns the lines of its replay.
    fn play(&self, who: Who, deed: &str, options: &[&str]) -> Vec<Value> {
        let bot = format!("evil=bot/hostile bot/targets {deed}");
        let words = ["play", "hockey", bot.trim(), "house:greedy", "--seed", "1", "--quiet"];
        let output = who
            .command(binary())
            .args(words)
            .args(["--replay", "match.jsonl", "--limit", "3s"])
            .args(options)
            .env("HOME", self.folder.path("other"))
            .current_dir(self.folder.path(""))
            .output()
            .expect("the binary can be started");
        assert!(output.status.success(), "{who:?} {deed} {options:?}: {output:?}");
        replay_lines(&self.folder.read("match.jsonl"))
    }
}

impl Drop for Field {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn give_away(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).expect("root gives away what it likes");
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        give_away(&entry.path());
    }
}

/// Every attack with whether it succeeded, as the bot itself saw it.
fn attacks(replay: &[Value]) -> Vec<(String, bool)> {
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

fn check_table(table: &str) {
    let path = workspace().join("docs/src/sandbox.md");
    let text = std::fs::read_to_string(&path).expect("the chapter");
    let begin = text.find("| attack |").expect("the table");
    let end = begin + text[begin..].find("\n\n").expect("its end") + 1;
    if std::env::var_os("QUINTAIN_UPDATE").is_some() {
        let text = [&text[..begin], table, &text[end..]].concat();
        std::fs::write(path, text).expect("the chapter can be written");
    } else {
        assert_eq!(&text[begin..end], table, "QUINTAIN_UPDATE=1 writes it anew");
    }
}

#[test]
fn each_limit_has_a_verdict_of_its_own() {
    let cases = [
        ("eat-memory", ["--memory", "200M"], "memory"),
        ("fork", ["--processes", "40"], "processes"),
        ("fill-disk", ["--disk", "32M"], "disk"),
        ("fill-inodes", ["--disk", "16M"], "disk"),
        ("spin", ["--cpu", "1"], "cpu"),
    ];
    for who in Who::all() {
        for (deed, limit, verdict) in cases {
            let replay = Field::new(who).play(who, deed, &limit);
            let exit = &replay.last().expect("an end")["exits"][0];
            assert_eq!(exit["limit"], verdict, "{who:?} {deed}: {exit}");
        }
    }
}

#[test]
fn games_that_were_lost_by_a_limit_are_found_in_the_store() {
    let field = Field::new(Who::Root);
    let bot = "evil=bot/hostile bot/targets eat-memory";
    let words = ["compare", "hockey", bot, "house:greedy", "--games", "2", "--store", "kept.db"];
    let words = [&words[..], &["--memory", "200M", "--limit", "3s", "--quiet", "--json"]].concat();
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

/// A bot of hockey in each language, with what starts it, which may have to be compiled.
const BOTS: [(&str, &str, &str, &str, &str); 6] = [
    (
        "bash",
        "bot.sh",
        "while read -r l; do case $l in *name*) echo x;; *) echo north;; esac; done",
        "",
        "bash bot.sh",
    ),
    (
        "python3",
        "bot.py",
        "import sys\nfor l in sys.stdin:\n  print('x' if 'name' in l else 'north', flush=True)\n",
        "",
        "python3 bot.py",
    ),
    (
        "node",
        "bot.js",
        "require('readline').createInterface({input: process.stdin}).on('line', \
         l => console.log(l.includes('name') ? 'x' : 'north'))",
        "",
        "node bot.js",
    ),
    (
        "javac",
        "Bot.java",
        "public class Bot { public static void main(String[] a) throws Exception { var r = new \
         java.io.BufferedReader(new java.io.InputStreamReader(System.in)); String l; while ((l = \
         r.readLine()) != null) System.out.println(l.contains(\"name\") ? \"x\" : \"north\"); } }",
        "javac Bot.java",
        "java Bot",
    ),
    (
        "g++",
        "bot.cpp",
        "#include <iostream>\n#include <string>\nint main() { std::string l; while (std::getline(std::cin, l)) \
         std::cout << (l.find(\"name\") == std::string::npos ? \"north\" : \"x\") << std::endl; }",
        "g++ -o bot bot.cpp",
        "./bot",
    ),
    (
        "go",
        "bot.go",
        "package main\nimport (\"bufio\"; \"fmt\"; \"os\"; \"strings\")\nfunc main() { s := \
         bufio.NewScanner(os.Stdin); for s.Scan() { if strings.Contains(s.Text(), \"name\") { fmt.Println(\"x\") \
         } else { fmt.Println(\"north\") } } }",
        "go build -o bot bot.go",
        "./bot",
    ),
];

#[test]
fn real_runtimes_start_and_play_at_every_level() {
    for (tool, file, source, build, run) in BOTS {
        let folder = Folder::new();
        std::fs::set_permissions(folder.path(""), std::fs::Permissions::from_mode(0o755))
            .expect("ours");
        folder.write(file, source);
        let found = Command::new("bash").args(["-c", &format!("command -v {tool}")]).output();
        if !found.expect("bash").status.success() {
            eprintln!("not tried: {tool}, which is not installed");
            continue;
        }
        if !build.is_empty() {
            let built =
                Command::new("bash").args(["-c", build]).current_dir(folder.path("")).status();
            assert!(built.expect("bash").success(), "{build}");
        }
        // The word that names the folder shows it to a program without any other.
        std::fs::write(folder.path("run.sh"), format!("exec {run}\n")).expect("a script");
        for level in LEVELS {
            let bot = folder.path("").display().to_string();
            let words =
                ["play", "hockey", &format!("bot={bot}"), "house:greedy", "--json", "--no-replay"];
            let words = [
                &words[..],
                &["--seed", "1", "--limit", "1s", "--start-limit", "60s", "--sandbox", level],
            ];
            let finished = folder.run_words(&words.concat(), "");
            let result = json(&finished.stdout);
            let turns = result["turns"].as_u64().unwrap_or(0);
            assert!(turns > 0, "{tool} {level}: {result:#} {}", finished.stderr);
        }
    }
}
