//! The sample bots of the games of CodinGame, in matches against house bots.

use std::process::Command;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::support::{Folder, json, replay_lines, sample, workspace};

/// The games with the number of their leagues.
const GAMES: [(&str, u8); 2] = [("fencing", 3), ("code-royale", 4)];
const LANGUAGES: [&str; 2] = ["python", "cpp"];

/// What a folder in C++ is made of. It can hold a compiled bot as well, which is no part of it.
const CPP_FILES: [&str; 3] = ["bot.cpp", "build.sh", "run.sh"];

/// A busy machine must not decide a match here.
const SLOWLY: [&str; 2] = ["--time-scale", "40"];

/// The folder of a sample bot, ready to play.
fn ready(folder: &Folder, game: &str, language: &str) -> String {
    if language == "cpp" {
        let copy = copy_cpp(folder, game);
        build(folder, &copy);
        return copy;
    }
    sample(game, language)
}

/// Copies a sample bot in C++ without compiling it, and returns the copy's name.
fn copy_cpp(folder: &Folder, game: &str) -> String {
    let copy = format!("./{game}-cpp");
    std::fs::create_dir(folder.path(&copy)).expect("a new folder");
    for file in CPP_FILES {
        let original = workspace().join("bots").join(game).join("cpp").join(file);
        std::fs::copy(original, folder.path(&copy).join(file)).expect("a copy");
    }
    copy
}

fn build(folder: &Folder, bot: &str) {
    let script = folder.path(bot).join("build.sh");
    let built = Command::new("bash").arg(script).output().expect("bash can be started");
    let said = String::from_utf8_lossy(&built.stderr);
    assert_eq!((built.status.code(), &*said), (Some(0), ""), "it compiles without a warning");
}

/// Plays a match in which no bot may have a fault, and returns its result.
fn play(folder: &Folder, game: &str, bots: [&str; 2], options: &[&str]) -> Value {
    let words = [&["play", game], &bots[..], &SLOWLY, options, &["--json"]].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{words:?}");
    let result = json(&finished.stdout);
    assert_eq!(result["faults"], json!([]), "{words:?}: {result}");
    result
}

/// The two ways to seat a bot and its opponent, with the bot's seat.
fn seatings<'a>(bot: &'a str, opponent: &'a str) -> [(usize, [&'a str; 2]); 2] {
    [(0, [bot, opponent]), (1, [opponent, bot])]
}

#[test]
fn sample_bots_beat_random_nine_times_of_ten() {
    let folder = Folder::new();
    for (game, _) in GAMES {
        for language in LANGUAGES {
            let bot = ready(&folder, game, language);
            let mut wins = 0;
            for seed in ["1", "2", "3", "4", "5"] {
                for (seat, bots) in seatings(&bot, "house:random") {
                    let result = play(&folder, game, bots, &["--seed", seed, "--no-replay"]);
                    wins += u32::from(
                        result["ranks"][seat].as_u64() < result["ranks"][1 - seat].as_u64(),
                    );
                }
            }
            assert!(wins >= 9, "{game} in {language} won {wins} of 10");
        }
    }
}

/// No bot is told its league, and a command that the league lacks costs the match and scores -1.
#[test]
fn sample_bots_know_what_every_league_allows() {
    let folder = Folder::new();
    for (game, leagues) in GAMES {
        let bot = sample(game, "python");
        for league in 1..=leagues {
            for (seat, bots) in seatings(&bot, "house:greedy") {
                let options = ["--seed", "6", "--no-replay", "--league", &league.to_string()];
                let result = play(&folder, game, bots, &options);
                let score = result["scores"][seat].as_i64().expect("a number");
                assert!(score >= 0, "{game}, league {league}: {result}");
            }
        }
    }
}

#[test]
fn sample_bots_give_the_same_answers_in_both_languages() {
    let folder = Folder::new();
    for (game, _) in GAMES {
        let bots = LANGUAGES.map(|language| ready(&folder, game, language));
        for league in ["1", "3"] {
            let [python, cpp] = bots.each_ref().map(|bot| answers(&folder, game, bot, league));
            assert!(python.len() > 30, "a whole match was expected, got {python:?}");
            assert_eq!(python, cpp, "{game}, league {league}");
        }
    }
}

/// Everything that a bot says in the first seat of a match against `house:greedy`.
fn answers(folder: &Folder, game: &str, bot: &str, league: &str) -> Vec<String> {
    let options = ["--seed", "7", "--league", league, "--replay", "match.jsonl"];
    play(folder, game, [bot, "house:greedy"], &options);
    let mut answers = Vec::new();
    for step in replay_lines(&folder.read("match.jsonl")) {
        let heard = step["heard"].as_array().into_iter().flatten();
        let own = heard.filter(|heard| heard["seat"] == 0);
        answers.extend(own.map(|heard| heard["line"].as_str().expect("a line").to_owned()));
    }
    answers
}

/// `run.sh` finds a program that is older than its source, in both seats at the same time.
#[test]
fn two_copies_of_a_bot_that_has_changed_are_compiled_side_by_side() {
    let folder = Folder::new();
    let bot = copy_cpp(&folder, "fencing");
    folder.write(&format!("{bot}/bot"), "of yesterday");
    let program = std::fs::File::options().write(true).open(folder.path(&bot).join("bot"));
    let program = program.expect("it was written just now");
    program.set_modified(SystemTime::UNIX_EPOCH).expect("its date can be set");
    drop(program);

    let bots = [format!("a={bot}"), format!("b={bot}")];
    // In a sandbox their folder cannot be written.
    let options = ["--no-replay", "--sandbox", "off"];
    let result = play(&folder, "fencing", bots.each_ref().map(String::as_str), &options);
    assert_eq!(result["turns"], 200, "{result}");
    assert_eq!(folder.list(&bot), ["bot", "bot.cpp", "build.sh", "run.sh"], "and nothing is left");
}

#[test]
fn the_tags_of_the_sample_bot_of_fencing_come_into_the_result() {
    let folder = Folder::new();
    let bot = sample("fencing", "python");
    let options = ["--seed", "1", "--replay", "match.jsonl"];
    let result = play(&folder, "fencing", [&bot, "house:random"], &options);
    let steps = replay_lines(&folder.read("match.jsonl"));
    let texts = steps.iter().filter_map(|step| step["stderr"][0]["text"].as_str());
    let said: Vec<&str> = texts.flat_map(str::lines).collect();
    assert_eq!(said[0], "[PDATA] least_energy = 20");
    let lunges = said.iter().filter(|line| **line == "[PDATA+] lunges = 1").count();
    assert!(lunges > 0, "{said:?}");
    let mut least = said.iter().filter_map(|line| line.strip_prefix("[PDATA] least_energy = "));
    let expected = json!({
        "least_energy": least.next_back().expect("the first turn has one"),
        "lunges": lunges.to_string(),
    });
    assert_eq!(result["player_data"], json!([expected, {}]));
}

/// How a match ends for a bot whose answers in every turn are these lines, each filled up with blanks
/// to so many bytes, and what faults it had.
fn filled_up(game: &str, edition: &str, lines: &[(&str, usize)]) -> (Value, Value) {
    let folder = Folder::new();
    let print = |(text, bytes): &(&str, usize)| format!("printf '%-{bytes}s\\n' '{text}'");
    let answer = lines.iter().map(print).collect::<Vec<_>>().join("; ");
    // The last line of what a turn tells: in Code Royale the first of two words, in Fencing each second
    // one.
    let is_asked = match game {
        "fencing" => "read -r other",
        _ => "[ -n \"$two\" ] && [ -z \"$more\" ]",
    };
    let bot = format!("while read -r one two more; do\nif {is_asked}; then\n{answer}\nfi\ndone\n");
    folder.write("bot.sh", bot);
    let call = ["play", game, "bash bot.sh", "house:random", "--edition", edition, "--seed", "3"];
    let words = [&call[..], &SLOWLY, &["--json", "--no-replay"]].concat();
    let result = json(&folder.run_words(&words, "").stdout);
    let winner = result["winner"].clone();
    assert!(winner == 1 || result["faults"] == json!([]), "{result}");
    (result["reason"].clone(), result["faults"].clone())
}

#[test]
fn an_answer_of_more_than_10000_bytes_is_none_in_both_editions() {
    for edition in ["document", "original"] {
        let (reason, faults) = filled_up("code-royale", edition, &[("WAIT", 9_993), ("TRAIN", 5)]);
        assert_ne!(reason, "no answer", "{edition}: {faults}");
        for lines in [[("WAIT", 9_994), ("TRAIN", 5)], [("WAIT", 12_012), ("TRAIN", 5)]] {
            let (reason, faults) = filled_up("code-royale", edition, &lines);
            assert_eq!(reason, "no answer", "{edition}, {lines:?}: {faults}");
        }
        let (_, faults) = filled_up("fencing", edition, &[("BREAK", 9_999)]);
        assert_eq!(faults, json!([]), "{edition}");
        let (reason, faults) = filled_up("fencing", edition, &[("BREAK", 10_000)]);
        assert_eq!(reason, "no answer", "{edition}: {faults}");
    }
}
