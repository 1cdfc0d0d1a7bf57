//! What an earlier version wrote is shown as that version showed it, and goes on: stores, tournament files,
//! teams and replays in `tests/data/before`, whose README says how they were made. Each transcript beside
//! them is what the earlier version said.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use quintain_testkit::check_golden_file;

use crate::support::{Folder, games_in};

const COMPARE: &str = "compare fencing house:random 'new=bash lunger.sh' --league 2 --limit 60s \
                       --store compare.db -j 1 -q";
const COMPARE_WORMS: &str = "compare worms house:greedy house:random --game-config config.json \
                             --edition original --ask together --time-scale 2 --seed -7 \
                             --store compare.db --no-replays --name worms -j 1 -q";
const EVALUATE: &str = "evaluate hockey teams --games 2 --limit 1s --listen 127.0.0.1:0 \
                        --network host --store evaluate.db --sample 2 --weight 4 -q";
/// What stands before a number of seconds.
const BEFORE_SECONDS: [&str; 2] = ["\"seconds\":", " games in "];

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/before")
}

/// A copy of all that was written, with its stores unpacked.
fn before() -> Folder {
    let folder = Folder::new();
    copy(&data(), &folder.path(""));
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the data is there") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("entries have names"));
        if path.is_dir() {
            std::fs::create_dir(&target).expect("a folder");
            copy(&path, &target);
        } else if path.to_string_lossy().ends_with(".db.zst") {
            let packed = std::fs::read(&path).expect("a store");
            let store = zstd::decode_all(packed.as_slice()).expect("it is compressed");
            std::fs::write(target.with_extension(""), store).expect("there is room");
        } else {
            std::fs::copy(&path, &target).expect("there is room");
        }
    }
}

/// The words of a command: parted by blanks, unless they stand between quotes.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().collect::<Vec<_>>(),
        _ => vec![part],
    });
    words.collect()
}

/// Runs commands one after the other and compares all that they say, and how they end, with
/// `NAME.transcript`.
fn check(folder: &Folder, name: &str, commands: &[String]) {
    let mut transcript = String::new();
    for command in commands {
        let finished = folder.run_words(&words(command), "");
        let _ = writeln!(transcript, "$ quintain {command}\n{}", finished.stdout);
        if (finished.code, finished.stderr.as_str()) != (0, "") {
            let _ = writeln!(transcript, "exit code {}: {}", finished.code, finished.stderr);
        }
    }
    let place = folder.path("").to_str().expect("a path").to_owned();
    let mut transcript = transcript.replace(&place, "[FOLDER]/");
    for before in BEFORE_SECONDS {
        transcript = without_number_after(before, &transcript);
    }
    check_golden_file(&data().join(name).with_extension("transcript"), &transcript);
}

/// Times are this machine's.
fn without_number_after(before: &str, text: &str) -> String {
    let mut parts = text.split(before);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        result += &format!("{before}[TIME]{rest}");
    }
    result
}

/// A command in each form of output.
fn in_every_form(command: &str, forms: &[&str]) -> Vec<String> {
    forms.iter().map(|form| format!("{command} --output {form}")).collect()
}

/// What can be asked of a store.
fn questions(store: &str, bot: &str) -> Vec<String> {
    let stats = format!("stats --store {store}");
    let mut commands = in_every_form(&stats, &["table", "csv", "json"]);
    let filters = ["--error", "--void", "--disturbed", "--list-replays", "--verdict draw"];
    commands.extend(filters.map(|filter| format!("{stats} {filter}")));
    commands.push(format!("{stats} --bot {bot}"));
    commands.push(format!("{stats} --bot {bot} --json"));
    for check in ["--check", "--check --replays", "--check --json"] {
        commands.push(format!("{stats} {check}"));
    }
    for json in ["", " --json"] {
        commands.push(format!("verify --store {store}{json}"));
    }
    commands
}

#[test]
fn a_stored_comparison_is_shown_as_it_was() {
    let mut commands = questions("compare.db", "new");
    commands.push("stats --store compare.db --tag lunges>=9 --json".to_owned());
    for command in [format!("{COMPARE} --games 8"), format!("{COMPARE_WORMS} --games 2")] {
        commands.extend([format!("{command} --json"), format!("{command} --force"), command]);
    }
    check(&before(), "compare", &commands);
}

#[test]
fn stored_tournaments_are_shown_as_they_were() {
    let mut commands = questions("swiss.db", "lunger");
    let forms = ["table", "csv", "json"];
    for file in ["swiss", "every-key", "knockout"] {
        let standings = format!("tournament {file}.toml --standings -q");
        commands.extend(in_every_form(&standings, &forms));
    }
    commands.extend(in_every_form("tournament knockout.toml -q", &["csv"]));
    commands.extend(in_every_form("tournament every-key.toml -q", &["csv"]));
    check(&before(), "swiss", &commands);
}

#[test]
fn a_stored_evaluation_is_shown_as_it_was() {
    let mut commands = questions("evaluate.db", "carl");
    let forms = ["table", "csv", "json"];
    commands.extend(in_every_form(&format!("{EVALUATE} --standings"), &forms));
    check(&before(), "evaluate", &commands);
}

#[test]
fn replays_are_verified_and_told_as_they_were() {
    let mut commands = Vec::new();
    for game in ["hockey", "fencing", "code-royale", "worms", "overdrive"] {
        let replay = format!("{game}.replay.jsonl.zst");
        commands.push(format!("verify {replay}"));
        commands.push(format!("verify {replay} --json"));
        commands.push(format!("replay {replay}"));
    }
    check(&before(), "replays", &commands);
}

/// Digests of Worms are made of facts since version 3 of its rules: what was written before cannot be
/// verified, and says so.
const WORMS_REFUSED: &str = "expected version 3 of the rules of worms, found version 2";

#[test]
fn replays_of_worms_of_an_earlier_version_are_refused_with_the_reason() {
    let folder = before();
    for command in ["verify", "replay"] {
        let finished = folder.run(&format!("{command} worms.replay.jsonl.zst"));
        assert_eq!(finished.code, 1, "{command}");
        let said = finished.stdout + &finished.stderr;
        assert!(said.contains(WORMS_REFUSED), "{command}: {said}");
    }
}

#[test]
fn a_stored_comparison_goes_on() {
    let folder = before();
    let go_on =
        [format!("{COMPARE} --games 12 --json"), format!("{COMPARE_WORMS} --games 6 --json")];
    check(&folder, "compare-gone-on", &go_on);
    assert_eq!(games_in(folder.path("compare.db").to_str().expect("a path")), 12);
    folder.ok("stats --check compare.db --replays");
}

#[test]
fn a_stored_swiss_tournament_goes_on() {
    let folder = before();
    let go_on = "tournament swiss.toml -q -j 1";
    check(&folder, "swiss-gone-on", &in_every_form(go_on, &["csv", "json"]));
    assert_eq!(games_in(folder.path("swiss.db").to_str().expect("a path")), 24);
    let checked = folder.run("stats --check swiss.db --replays").stdout;
    let is_worms = |line: &&str| line.contains("every-key") && line.ends_with(WORMS_REFUSED);
    assert_eq!(checked.lines().filter(is_worms).count(), 6, "{checked}");
    assert!(checked.contains("not sound, 6 findings"), "{checked}");
}

#[test]
fn a_stored_evaluation_goes_on() {
    let folder = before();
    check(&folder, "evaluate-gone-on", &in_every_form(EVALUATE, &["csv", "json"]));
    assert_eq!(games_in(folder.path("evaluate.db").to_str().expect("a path")), 12);
    folder.ok("stats --check evaluate.db --replays");
}

/// A tournament that was written down before is played from its beginning as it was then.
#[test]
fn tournament_files_are_read_as_they_were() {
    let folder = before();
    std::fs::remove_file(folder.path("swiss.db")).expect("it was unpacked");
    let commands = ["every-key", "knockout"].map(|file| format!("tournament {file}.toml -q -j 1"));
    let commands: Vec<String> =
        commands.iter().flat_map(|command| in_every_form(command, &["csv", "json"])).collect();
    check(&folder, "toml", &commands);
}
