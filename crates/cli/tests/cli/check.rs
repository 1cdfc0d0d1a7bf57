//! What is said about bots that keep to the protocol, and about those that do not: `check`.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Finished, Folder, binary, games, json, program_of_tests, sample};

/// Time enough for a bot that does something at once, however busy the machine is.
const PLENTY: [&str; 2] = ["--time-scale", "40"];

fn check(folder: &Folder, bot: &str, game: &str, more: &[&str]) -> Finished {
    folder.run_words(&[&["check", bot, game], more].concat(), "")
}

fn python(folder: &Folder, script: &str) -> String {
    folder.write("bot.py", script);
    "python3 bot.py".to_owned()
}

fn failed(folder: &Folder, bot: &str, game: &str, more: &[&str]) -> Value {
    let finished = check(folder, bot, game, &[more, &["--json"]].concat());
    assert_eq!((finished.code, finished.stderr.as_str()), (1, ""), "{bot}");
    let report = json(&finished.stdout);
    assert_eq!(report["ok"], json!(false), "{bot}");
    report
}

fn causes(report: &Value) -> String {
    report["fault"]["causes"].to_string()
}

#[test]
fn the_sample_bots_have_no_fault() {
    let folder = Folder::new();
    for game in games() {
        let bot = &sample(game, "python");
        let finished = check(&folder, bot, game, &PLENTY);
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{game}");
        let said = &finished.stdout;
        for part in ["started: ", "turn 1: it was sent", "understood", "no fault in ", " ms of "] {
            assert!(said.contains(part), "{game}: {part}: {said}");
        }
        assert_eq!(said.contains("introduced itself"), game == "hockey", "{said}");
        let turned = folder.run_words(&["check", game, bot, "--json", "--time-scale", "40"], "");
        assert_eq!(json(&turned.stdout)["ok"], json!(true), "{game}: in the other order");
    }
}

#[test]
fn a_house_bot_is_checked_as_a_program() {
    let folder = Folder::new();
    let bot = format!("{} bot fencing greedy", binary());
    for bot in [bot.as_str(), "house:greedy"] {
        let finished = check(&folder, bot, "fencing", &PLENTY);
        assert_eq!(finished.code, 0, "{}", finished.stdout);
        assert!(finished.stdout.contains("no fault in "), "{}", finished.stdout);
    }
}

#[test]
fn output_that_is_not_flushed_is_recognised() {
    let folder = Folder::new();
    let bot = python(&folder, "import sys\nfor line in sys.stdin:\n    print('BREAK')\n");
    let report = failed(&folder, &bot, "fencing", &[]);
    assert_eq!(report["fault"]["turn"], json!(1), "{report}");
    let causes = causes(&report);
    assert!(causes.contains("only when its input ended"), "{causes}");
    assert!(causes.contains("flush=True"), "{causes}");
    let bot = python(&folder, "import sys\nfor line in sys.stdin:\n    print('me')\n");
    let report = failed(&folder, &bot, "hockey", &["--start-limit", "500ms"]);
    assert_eq!(report["fault"]["turn"], Value::Null, "{report}");
    assert!(self::causes(&report).contains("flush=True"), "{report}");
}

#[test]
fn a_silent_bot_gets_the_usual_causes_for_every_language() {
    let folder = Folder::new();
    folder.write("bot.sh", "while read line; do :; done\nsleep 9\n");
    let causes = causes(&failed(&folder, "sh bot.sh", "fencing", &[]));
    for word in ["flush=True", "fflush(stdout)", "std::endl", "System.out.flush()"] {
        assert!(causes.contains(word), "{word}: {causes}");
    }
}

#[test]
fn a_bot_that_computes_without_end_is_not_told_to_flush() {
    let folder = Folder::new();
    folder.write("bot.py", "import sys\nsys.stdin.readline()\nwhile True:\n    pass\n");
    let causes = causes(&failed(&folder, "python3 bot.py", "fencing", &[]));
    assert!(causes.contains("a loop that does not end"), "{causes}");
    assert!(!causes.contains("flush"), "{causes}");
}

#[test]
fn a_bot_that_is_started_again_is_held_as_in_the_match() {
    let folder = Folder::new();
    let secret = folder.path("secret");
    std::fs::create_dir(&secret).expect("a folder");
    std::fs::write(secret.join("key"), "hidden").expect("a file");
    std::fs::create_dir(folder.path("bot")).expect("a folder");
    // It answers only when its input ends, and then with what it is not to see.
    let script = format!("cat >&2; cat '{}' || echo nothing\n", secret.join("key").display());
    folder.write("bot/run.sh", &script);
    let causes = causes(&failed(&folder, "bot", "fencing", &[]));
    assert!(causes.contains("it said `nothing` only when its input ended"), "{causes}");
}

#[test]
fn faults_are_told_apart() {
    let folder = Folder::new();
    let cases = [
        ("sh -c 'read a; echo oh no >&2; exit 7'", "exit code 7", "stderr"),
        ("sh -c 'read a; read b; echo HELLO; cat'", "HELLO", "standard error"),
        ("sh -c 'read a; read b; echo BREAK; exit 0'", "exit code 0", "in a loop"),
        ("sh -c 'head -c 100000 /dev/zero | tr \\\\0 x; cat >&2'", "longer", "line ends"),
    ];
    for (bot, what, cause) in cases {
        let report = failed(&folder, bot, "fencing", &PLENTY);
        let text = report["fault"]["text"].as_str().expect("text");
        assert!(text.contains(what), "{bot}: {text}");
        assert!(causes(&report).contains(cause), "{bot}: {report}");
    }
    let finished = check(&folder, "sh -c 'read a; echo oh no >&2; exit 7'", "fencing", &PLENTY);
    assert_eq!(finished.code, 1);
    for part in ["failed in turn 1", "stderr: oh no", "usual causes:"] {
        assert!(finished.stdout.contains(part), "{part}: {}", finished.stdout);
    }
}

#[test]
fn a_line_too_many_is_a_warning_or_worse() {
    let folder = Folder::new();
    let script = "import sys\nwhile sys.stdin.readline() and sys.stdin.readline():\n    \
                  print('BREAK', flush=True)\n    print('BREAK', flush=True)\n";
    let bot = python(&folder, script);
    let finished = check(&folder, &bot, "fencing", &["--json", "--time-scale", "40"]);
    let report = json(&finished.stdout);
    assert!(report["warnings"].to_string().contains("before it was asked"), "{report}");
}

#[test]
fn an_answer_in_another_form_is_explained() {
    let folder = Folder::new();
    folder.write("bot.sh", "while read n; do echo \"nothing\"; done");
    let report = failed(&folder, "sh bot.sh", "worms", &["--limit", "50ms", "--start-limit", "5s"]);
    assert!(causes(&report).contains("C;N;COMMAND"), "{report}");
}

#[test]
fn notes_between_answers_are_told_where_they_belong() {
    let folder = Folder::new();
    let script = "import sys\nfor line in sys.stdin:\n    if 'your name' in line:\n        \
                  print('noisy', flush=True)\n    elif 'active player' in line:\n        \
                  print('thinking about it', flush=True)\n";
    let bot = python(&folder, script);
    let report = failed(&folder, &bot, "hockey", &["--limit", "200ms", "--start-limit", "20s"]);
    let causes = causes(&report);
    assert!(causes.contains("thinking about it"), "{report}");
    assert!(causes.contains("they belong on standard error"), "{report}");
}

#[test]
fn a_bot_that_cannot_be_started_is_a_bot_that_failed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    for (bot, part) in
        [("empty", "run.sh"), ("./no/such/bot", "found nothing"), ("no-such-program", "")]
    {
        let report = failed(&folder, bot, "hockey", &[]);
        let text = report["fault"]["text"].as_str().expect("text");
        assert!(text.contains(part), "{bot}: {text}");
        assert!(causes(&report).contains("chmod +x"), "{bot}: {report}");
    }
}

#[test]
fn a_bot_with_state_files_that_cannot_be_started_plays_no_match() {
    let folder = Folder::new();
    let report = failed(&folder, "no-such-program", "worms", &[]);
    let text = report["fault"]["text"].as_str().expect("text");
    assert!(text.contains("no such program on the search path"), "{text}");
    assert_eq!((&report["turns"], &report["started_ms"]), (&Value::Null, &Value::Null));
}

/// What is said again and again is summed up, what nobody was told is not shown, and no answer is not
/// called one that is not allowed.
#[test]
fn the_story_is_short_and_true() {
    let folder = Folder::new();
    folder.write("bot.sh", "while read line; do echo hello; done");
    let finished = check(&folder, "sh bot.sh", "hockey", &[]);
    assert!(finished.stdout.lines().count() < 40, "{}", finished.stdout);
    let late = "did not answer in time); the limit is 2000 ms";
    for part in ["> Invalid action (", " times)", "< hello (", late] {
        assert!(finished.stdout.contains(part), "{part}: {}", finished.stdout);
    }
    let finished = check(&folder, "sh -c 'exit 3'", "hockey", &PLENTY);
    assert!(!finished.stdout.contains("turn 1"), "it was never ready: {}", finished.stdout);
    let by_hand = "wrote nothing to stderr: start it by hand with sh -c exit 3";
    assert!(finished.stdout.contains(by_hand), "{}", finished.stdout);
    let finished = check(&folder, "sleep 9", "fencing", &["--limit", "300ms"]);
    assert!(!finished.stdout.contains("not allowed"), "{}", finished.stdout);
    let finished = check(&folder, "sh -c 'read a; exit'", "fencing", &PLENTY);
    assert!(finished.stdout.contains("it ended before its first answer"), "{}", finished.stdout);
}

/// What the rules refuse is not called understood, and is said once.
#[test]
fn an_answer_that_the_rules_refuse_is_said_once() {
    let folder = Folder::new();
    let finished = check(&folder, "sh -c 'yes hello'", "code-royale", &PLENTY);
    assert_eq!(finished.code, 1, "{}", finished.stdout);
    for part in [": refused by the rules", "it is not written as the game expects: an answer is"] {
        assert!(finished.stdout.contains(part), "{part}: {}", finished.stdout);
    }
    for part in ["understood", "warning: 1 answer"] {
        assert!(!finished.stdout.contains(part), "{part}: {}", finished.stdout);
    }
}

/// Each game says by what a match can be lost beside faults, and what helps.
#[test]
fn the_forfeits_of_every_game_are_named_as_causes() {
    let folder = Folder::new();
    let rounds = |command: &str| format!("sh -c 'while read n; do echo \"C;$n;{command}\"; done'");
    let doper =
        "sh -c 'while :; do echo BREAK; echo BREAK; echo BREAK; echo ENERGY_MAX_DRUG; done'";
    // The name of a hockey bot is its first line.
    let north = "sh -c 'echo north; yes north'";
    for (game, bot, wrong, cause) in [
        ("fencing", "yes LUNGE", "forfeit, out of energy", "cost more energy than the fencer had"),
        ("fencing", doper, "doping", "one drug too many: a match allows seven"),
        ("fencing", "yes hello", "without meaning", "or one of a higher league"),
        (
            "code-royale",
            "sh -c 'yes hello'",
            "is out: ",
            "a site that does not exist loses at once",
        ),
        ("worms", &rounds("nothing"), "disqualified", "too many rounds in a row (maxDoNothings"),
        ("overdrive", &rounds("USE_EMP"), "has no EMP", "too many invalid commands in a row"),
        ("hockey", north, "did not answer in time", "a throw was refused and no other came"),
    ] {
        // That of hockey is waited for.
        let scale = if game == "hockey" { &["--time-scale", "3"] } else { &PLENTY };
        let report = failed(&folder, bot, game, scale);
        let told = report["fault"]["text"].to_string();
        assert!(told.contains(wrong), "{game}: {bot}: {report:#}");
        let first = report["fault"]["causes"][0].to_string();
        assert!(first.contains(cause), "{game}: {bot}: {}", causes(&report));
    }
    // An answer that was in order is not called badly written.
    let report = failed(&folder, "yes LUNGE", "fencing", &PLENTY);
    assert!(!causes(&report).contains("not written as the game expects"), "{report:#}");
}

#[test]
fn a_script_with_the_line_ends_of_windows_is_recognised() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("bot")).expect("a folder");
    folder.write("bot/run.sh", "#!/usr/bin/env bash\r\nexec cat\r\n");
    let report = failed(&folder, "bot", "fencing", &PLENTY);
    assert!(causes(&report).contains("has the line ends of Windows"), "{report}");
}

#[test]
fn calls_that_cannot_be_meant() {
    let folder = Folder::new();
    for (words, part) in [
        ("check cat chess", "expected a game"),
        ("check human hockey", "human"),
        ("check cat hockey --state stdin", "state files"),
        ("check cat fencing --league 9", "league"),
    ] {
        let finished = folder.run(words);
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(part), "{words}: {}", finished.stderr);
    }
}

/// The program that misbehaves on purpose, of a package whose programs are not built with these
/// tests.
fn misbehave() -> PathBuf {
    program_of_tests("misbehave")
}

/// Bots that do something are given time to do it, those that do nothing little time to do so.
#[test]
fn every_misbehaviour_is_named() {
    const ACTS: [&str; 4] = ["--limit", "3s", "--start-limit", "30s"];
    const WAITS: [&str; 4] = ["--limit", "300ms", "--start-limit", "30s"];
    const WAITS_EARLY: [&str; 4] = ["--limit", "300ms", "--start-limit", "2s"];
    let folder = Folder::new();
    let program = misbehave();
    let cases = [
        ("exit-at-once=3", ACTS, "exit code 3", "stderr"),
        ("exit-at-once", ACTS, "exit code 0", "in a loop"),
        ("never-read", WAITS, "did not answer in time", "flush"),
        ("never-answer", WAITS, "did not answer in time", "flush"),
        ("late=900", WAITS, "did not answer in time", "--time-scale 10"),
        ("flood-stdout", ACTS, "longer than the protocol allows", "line ends"),
        ("flood-lines", ACTS, "did not answer in time", "means nothing here: `x`"),
        ("close-stdout", ACTS, "closed", "standard output"),
        ("fork-holder", ACTS, "exit code 0", "in a loop"),
        ("ignore-sigterm", WAITS, "did not answer in time", "flush"),
        ("not-utf8", ACTS, "did not answer in time", "means nothing here"),
        ("echo=hello", ACTS, "did not answer in time", "means nothing here: `hello`"),
        ("early-exit-at-once=4", ACTS, "exit code 4", "stderr"),
        ("early-never-answer", WAITS_EARLY, "gave no name in time", "flush"),
        ("early-flood-stdout", ACTS, "name", "standard error"),
    ];
    let examine = |(flag, limits, what, cause): (&str, [&str; 4], &str, &str)| {
        let bot = format!("{} {flag}", program.display());
        let report = failed(&folder, &bot, "hockey", &limits);
        let text = report["fault"]["text"].as_str().expect("text");
        assert!(text.contains(what), "{flag}: {text}");
        assert!(causes(&report).contains(cause), "{flag}: {report}");
    };
    // Most of them only wait.
    std::thread::scope(|scope| {
        let examine = &examine;
        for case in cases {
            scope.spawn(move || examine(case));
        }
    });
    let all = "north,north east,east,south east,south,south west,west,north west";
    let bot = format!("{} flood-stderr 'play={all}'", program.display());
    let finished = check(&folder, &bot, "hockey", &["--time-scale", "20", "--json"]);
    assert_eq!(finished.code, 0, "{}", finished.stdout);
    let warnings = json(&finished.stdout)["warnings"].to_string();
    assert!(warnings.contains("not allowed by the rules"), "{warnings}");
}
