//! Real runtimes start and play at every level, in all games, whoever starts the match. In each language there is
//! a program that stands between the arena and a house bot which it starts: whatever is said in a game goes
//! through it, both ways, so that a match without any fault shows that nothing is in its way.

use std::process::Command;

use serde_json::Value;

use crate::sandbox::{LEVELS, Who, give_away};
use crate::support::{Folder, binary};

/// A runtime: what must be installed, the source, how that is compiled, and how the program is started.
struct Runtime {
    name: &'static str,
    tool: &'static str,
    file: &'static str,
    source: &'static str,
    build: &'static str,
    run: &'static str,
}

const RUNTIMES: [Runtime; 8] = [
    Runtime {
        name: "bash",
        tool: "bash",
        file: "relay.sh",
        source: include_str!("relays/relay.sh"),
        build: "",
        run: "bash relay.sh",
    },
    Runtime {
        name: "CPython",
        tool: "python3",
        file: "relay.py",
        source: include_str!("relays/relay.py"),
        build: "",
        run: "python3 relay.py",
    },
    Runtime {
        name: "Node",
        tool: "node",
        file: "relay.js",
        source: include_str!("relays/relay.js"),
        build: "",
        run: "node relay.js",
    },
    Runtime {
        name: "the JVM",
        tool: "javac",
        file: "Relay.java",
        source: include_str!("relays/Relay.java"),
        build: "javac Relay.java",
        run: "java -cp . Relay",
    },
    Runtime {
        name: "Mono",
        tool: "mcs",
        file: "relay.cs",
        source: include_str!("relays/relay.cs"),
        build: "mcs relay.cs",
        run: "mono relay.exe",
    },
    Runtime {
        name: "Go",
        tool: "go",
        file: "relay.go",
        source: include_str!("relays/relay.go"),
        build: "HOME=$PWD GOFLAGS=-mod=mod go build -o relay relay.go",
        run: "./relay",
    },
    Runtime {
        name: "Rust",
        tool: "rustc",
        file: "relay.rs",
        source: include_str!("relays/relay.rs"),
        build: "rustc -o relay relay.rs",
        run: "./relay",
    },
    Runtime {
        name: "C++",
        tool: "g++",
        file: "relay.cpp",
        source: include_str!("relays/relay.cpp"),
        build: "g++ -pthread -o relay relay.cpp",
        run: "./relay",
    },
];

/// The games, and what makes their matches short.
const GAMES: [(&str, &[&str]); 5] = [
    ("hockey", &[]),
    ("fencing", &[]),
    ("code-royale", &[]),
    ("worms", &["--set", "game.maxRounds=20"]),
    ("overdrive", &[]),
];

#[test]
fn real_runtimes_start_and_play_at_every_level() {
    std::thread::scope(|scope| {
        for halves in [&RUNTIMES[..4], &RUNTIMES[4..]] {
            scope.spawn(move || halves.iter().for_each(play_all_games));
        }
    });
}

fn play_all_games(runtime: &Runtime) {
    let folder = Folder::new();
    folder.write(runtime.file, runtime.source);
    let shell = |script: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).current_dir(folder.path("")).output().expect("bash")
    };
    if !shell(&format!("command -v {}", runtime.tool)).status.success() {
        eprintln!("not tried: {}, since {} is not installed", runtime.name, runtime.tool);
        return;
    }
    if !runtime.build.is_empty() {
        let built = shell(runtime.build);
        assert!(built.status.success(), "{}: {built:?}", runtime.build);
    }
    give_away(&folder.path(""));
    let mut users = Who::all().into_iter().cycle();
    for (game, options) in GAMES {
        for level in ["off"].into_iter().chain(LEVELS) {
            // Three levels and two users: each level is played by everybody.
            let who = users.next().expect("there is somebody");
            let result = play(&folder, runtime, who, &[&[game, level], options].concat());
            let is_clean = result["faults"].as_array().is_some_and(Vec::is_empty)
                && result["errors"] == serde_json::json!([0, 0]);
            let what = format!("{} in {game} at {level} as {who:?}", runtime.name);
            assert!(is_clean && result["turns"].as_u64() > Some(1), "{what}: {result:#}");
        }
    }
}

/// The result of a match in which the runtime stands before a house bot.
fn play(folder: &Folder, runtime: &Runtime, who: Who, words: &[&str]) -> Value {
    let [game, level, options @ ..] = words else { panic!("a game and a level") };
    let bot = format!("{} {} bot {game} random --seed 1", runtime.run, binary());
    let output = who
        .command(binary())
        .args(["play", game, &bot, "house:random", "--seed", "1", "--no-replay", "--json"])
        .args(["--limit", "20s", "--start-limit", "60s", "--sandbox", level])
        .args(options)
        .env("HOME", "/nonexistent")
        .current_dir(folder.path(""))
        .output()
        .expect("the binary can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}
