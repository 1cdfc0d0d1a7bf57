//! The figures in a game's README are what `export` draws of a match, or of a small position, that is
//! written down beside them. `QUINTAIN_UPDATE=1` draws them anew; look at them before keeping them.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use quintain_testkit::check_golden_file;
use serde::Deserialize;
use serde_json::Value;

use crate::support::{Folder, replay_lines, workspace};

/// Says the throws of its seat, from a file in which every line is a seat and a throw.
const THROWER: &str = r#"name=$1 seat=$2 file=$3
read -r question; echo "$name"
exec 3< <(sed -n "s/^$seat //p" "$file")
while read -r line; do case $line in
"$name is active player"*) read -r throw <&3 && echo "$throw";;
esac; done"#;

/// A figure, the match that it is of, and the turn if it is not the last one.
const HOCKEY: [(&str, &str, Option<u32>); 4] = [
    ("empty-rink", "goal", Some(0)),
    ("goal", "goal", None),
    ("mate-corner", "mate-corner", None),
    ("mate-wall", "mate-wall", None),
];

#[test]
fn the_figures_of_the_hockey_readme_are_drawn_by_export() {
    let home = workspace().join("games/hockey");
    let readme = std::fs::read_to_string(home.join("README.md")).expect("a README");
    let folder = Folder::new();
    folder.write("thrower.sh", THROWER);
    for (figure, played, turn) in HOCKEY {
        let throws = home.join(format!("figures/{played}.throws"));
        let thrower = |name: &str, seat: u32| {
            format!("{name}=bash thrower.sh {name} {seat} '{}'", throws.display())
        };
        let bots = [thrower("P1", 1), thrower("P2", 2)];
        let words = ["play", "hockey", &bots[0], &bots[1], "--replay", "a.jsonl", "--quiet"];
        let finished = folder.run_words(&words, "");
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{figure}");
        let turn = turn.map_or_else(String::new, |turn| format!("--turn {turn}"));
        folder.export(&format!("a.jsonl --svg a.svg {turn}"));
        let drawn = String::from_utf8(folder.read("a.svg")).expect("SVG is text");
        check_golden_file(&home.join(format!("figures/{figure}.svg")), &drawn);
        assert!(readme.contains(&format!("(figures/{figure}.svg)")), "{figure} is not shown");
    }
    assert_eq!(readme.matches("(figures/").count(), HOCKEY.len(), "figures that nobody draws");
}

/// A position made by hand, and what is played from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    /// What its figures show, for who cannot see them.
    about: String,
    /// What differs from the game's usual config file, if it has one.
    config: Option<Value>,
    setup: Value,
    /// The commands of both bots, round by round.
    commands: Vec<[String; 2]>,
    /// By the names of their files.
    figures: BTreeMap<String, Figure>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    turn: u32,
    size: String,
}

fn positions(folder: &Path) -> Vec<Position> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    let paths = entries.map(|entry| entry.path());
    let positions = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let read = |path: PathBuf| {
        let text = fs::read(&path).expect("the file");
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    positions.map(read).collect()
}

/// How a bot of a game waits for its turn, and how it says `$1`. The lines of an answer have `\n`
/// between them.
fn manners(game: &str) -> (&'static str, &'static str) {
    match game {
        "worms" | "overdrive" => ("read -r round", "echo \"C;$round;$1\""),
        "fencing" => ("read -r own && read -r other", "echo \"$1\""),
        // Of all lines only the first of a turn has two words.
        "code-royale" => (
            "while read -r one two more; do
                 if [ -n \"$two\" ] && [ -z \"$more\" ]; then return 0; fi
             done
             return 1",
            "printf '%b\\n' \"$1\"",
        ),
        other => panic!("nobody knows how bots of {other} speak"),
    }
}

/// A bot that says these commands and leaves.
fn write_speaker(folder: &Folder, game: &str, name: &str, commands: &[&str]) {
    let words: Vec<String> = commands.iter().map(|command| format!("'{command}'")).collect();
    let (wait, say) = manners(game);
    let text = format!(
        "#!/bin/sh\nset -- {}\nis_asked() {{\n{wait}\n}}\n\
         while [ $# -gt 0 ] && is_asked; do {say}; shift; done\n",
        words.join(" ")
    );
    let path = folder.write(name, text);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
}

/// Plays from the position into `played.jsonl`. A position is the start of a replay without steps, and
/// the usual start has everything else that belongs to one.
fn play_from(folder: &Folder, game: &str, position: &Position) {
    let config = match &position.config {
        Some(config) => {
            folder.write("config.json", config.to_string());
            "--game-config config.json"
        }
        None => "",
    };
    let house = "house:random house:random --seed 1 --replay usual.jsonl";
    folder.ok(&format!("play {game} {house} {config}"));
    let mut header = replay_lines(&folder.read("usual.jsonl")).remove(0);
    header["setup"] = position.setup.clone();
    header["own_setup"] = true.into();
    folder.write("position.jsonl", format!("{header}\n"));
    for (seat, name) in ["first", "second"].into_iter().enumerate() {
        let commands: Vec<&str> =
            position.commands.iter().map(|both| both[seat].as_str()).collect();
        write_speaker(folder, game, name, &commands);
    }
    // A busy machine must not decide what is drawn.
    let from = "--from position.jsonl --turn 1 --replay played.jsonl --time-scale 40";
    folder.ok(&format!("play {game} ./first ./second {from}"));
}

#[test]
fn the_figures_of_positions_made_by_hand_are_drawn_by_export() {
    for game in ["fencing", "code-royale", "worms", "overdrive"] {
        let home = workspace().join("games").join(game);
        let readme = fs::read_to_string(home.join("README.md")).expect("a README");
        let mut shown = 0;
        for position in positions(&home.join("figures")) {
            let folder = Folder::new();
            play_from(&folder, game, &position);
            for (name, Figure { turn, size }) in &position.figures {
                folder.export(&format!("played.jsonl --svg {name} --turn {turn} --size {size}"));
                let drawn = String::from_utf8(folder.read(name)).expect("SVG is text");
                check_golden_file(&home.join("figures").join(name), &drawn);
                let figure = format!("![{}](figures/{name})", position.about);
                assert!(readme.contains(&figure), "{game}: expected {figure}");
                shown += 1;
            }
        }
        assert_eq!(readme.matches("(figures/").count(), shown, "figures that nobody draws");
    }
}
