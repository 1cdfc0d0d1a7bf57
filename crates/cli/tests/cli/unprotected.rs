//! Bots of which nobody can tell whether the machine kept them waiting.

use crate::evaluate::{PLAYER, teams};
use crate::support::{Folder, binary, json};

const NOTE: &str = "not protected: late is late for pipeline, however busy this machine is: it consists \
                    of several processes that work at the same time (";

/// A house bot and a shell that passes on what it says, each time after a while.
fn write_pipeline(folder: &Folder) {
    let bot = format!("'{}' bot hockey random --seed 5", binary());
    let script = format!("{bot} | while read -r line; do sleep 0.01; echo \"$line\"; done; true");
    folder.write("pipeline.sh", script);
}

const PIPELINE: &str = "pipeline=bash pipeline.sh";

#[test]
fn play_says_that_a_bot_of_several_processes_is_not_protected() {
    let folder = Folder::new();
    write_pipeline(&folder);
    let words = ["play", "hockey", PIPELINE, "house:random", "--limit", "60s"];
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.stdout.matches(NOTE).count(), 1, "{}", finished.stdout);
    let finished = folder.run_words(&[&words[..], &["--json"]].concat(), "");
    let unprotected = &json(&finished.stdout)["unprotected"];
    assert!(unprotected[0].as_str().is_some_and(|why| why.contains("bash")), "{unprotected}");
    assert!(unprotected[1].is_null(), "{unprotected}");
}

#[test]
fn whoever_plays_many_games_says_it_once() {
    let folder = Folder::new();
    write_pipeline(&folder);
    let tournament = "[[bot]]\nname = \"pipeline\"\nrun = \"bash pipeline.sh\"\n\
                      [[bot]]\nname = \"other\"\nrun = \"house:random\"\n";
    folder.write(
        "t.toml",
        format!("game = \"hockey\"\ngames-per-pair = 4\nlimit = \"60s\"\n{tournament}"),
    );
    let compare = ["compare", "hockey", PIPELINE, "other=house:random", "--games", "4"];
    let compare = [&compare[..], &["--limit", "60s", "--no-replays"]].concat();
    for words in [&compare[..], &["tournament", "t.toml", "--no-replays"]] {
        let finished = folder.run_words(words, "");
        assert_eq!(finished.stderr.matches(NOTE).count(), 1, "{words:?}: {}", finished.stderr);
    }
}

#[test]
fn an_evaluation_says_it_once_of_a_team() {
    let folder = Folder::new();
    let pipeline = r#"# The word QUINTAIN_LINK says that it can talk here.
"$BIN" bot hockey random --seed 5 | while read -r line; do sleep 0.01; echo "$line"; done
true"#;
    teams(&folder, &[("other", Some(PLAYER)), ("pipeline", Some(pipeline))]);
    let call = "evaluate hockey teams --listen 127.0.0.1:0 --games 4 --limit 60s --no-replays";
    let finished = folder.run(call);
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    assert_eq!(finished.stderr.matches(NOTE).count(), 1, "{}", finished.stderr);
}
