//! `quintain tune`: parameters of a bot, by games.

use serde_json::Value;

use crate::support::{Finished, Folder, json};

/// Plays fencing until its answer has no meaning, which loses: the later, the nearer KNOB is to 7. Until then
/// it parries now and then, so that its games are not all the same.
const BOT: &str = r#"
for word in "$@"; do case $word in --KNOB=*) KNOB=${word#--KNOB=};; esac; done
off=$(awk "BEGIN { d = ($KNOB) - 7; if (d < 0) d = -d; printf \"%d\", 4 * d }")
turn=0
while read -r own && read -r other; do
    turn=$((turn + 1))
    if [ $((turn + off)) -gt 40 ]; then echo NONSENSE
    elif [ $((turn % 2 * RANDOM % 2)) = 1 ]; then echo PARRY
    else echo BREAK; fi
done
"#;

const PARAMS: &str = "pass = \"environment\"

[KNOB]
start = 2.0
min = 0.0
max = 10.0
step = 0.5

[IDLE]
start = 5
min = 0
max = 10
step = 1
whole = true
";

/// A folder with the bot and its parameters.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("bot.sh", BOT);
    folder.write("params.toml", PARAMS);
    folder
}

fn tune(folder: &Folder, options: &str) -> Finished {
    let words = ["tune", "fencing", "bot=bash bot.sh", "--params", "params.toml", "--no-clock"];
    let words = words.into_iter().chain(options.split_whitespace()).collect::<Vec<_>>();
    folder.run_words(&words, "")
}

fn report(finished: &Finished) -> Value {
    assert_eq!(finished.code, 0, "{finished:?}");
    json(&finished.stdout)
}

fn tuned_value(report: &Value, name: &str) -> f64 {
    let parameters = report["parameters"].as_array().expect("parameters");
    let parameter = parameters.iter().find(|parameter| parameter["name"] == name);
    parameter.and_then(|parameter| parameter["tuned"].as_f64()).expect("a number")
}

#[test]
fn a_parameter_is_tuned_towards_its_optimum_and_the_gain_is_proved() {
    for pass in ["environment", "arguments"] {
        let folder = folder();
        folder.write("params.toml", PARAMS.replace("environment", pass));
        let tuned = tune(
            &folder,
            "--iterations 40 --games 2 --sprt 0,200 --proof-games 60 --svg a.svg --json",
        );
        let report = report(&tuned);
        let knob = tuned_value(&report, "KNOB");
        assert!((knob - 7.0).abs() < 1.5, "{pass}: {knob}");
        assert_eq!(report["proof"]["verdict"], "new-is-stronger", "{pass}: {}", report["proof"]);
        assert_eq!(tuned_value(&report, "IDLE").fract(), 0.0, "whole numbers stay whole");
        let drawn = String::from_utf8(folder.read("a.svg")).expect("SVG is text");
        assert!(drawn.contains("KNOB") && drawn.contains("polyline"), "{drawn}");
    }
}

#[test]
fn a_tuning_goes_on_where_it_was_stopped() {
    let options = "--iterations 6 --games 2 --proof-games 2 --json";
    let whole = folder();
    let expected = report(&tune(&whole, options));
    let history = String::from_utf8(whole.read("fencing-tune.jsonl")).expect("text");
    assert_eq!(history.lines().count(), 7, "{history}");
    // As a power cut leaves it: three iterations, and a piece of the fourth.
    let cut = folder();
    let kept: String = history.split_inclusive('\n').take(4).collect();
    cut.write("fencing-tune.jsonl", format!("{kept}{{\"iteration\":4,"));
    let goes_on = report(&tune(&cut, options));
    assert_eq!(goes_on["parameters"], expected["parameters"]);
    assert_eq!(cut.read("fencing-tune.jsonl"), whole.read("fencing-tune.jsonl"));
    let other = tune(&cut, "--iterations 6 --games 4 --proof-games 2");
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("another tuning: the number of games differs"), "{other:?}");
}

#[test]
fn the_curve_of_every_parameter_is_shown() {
    let folder = folder();
    let shown = tune(&folder, "--iterations 3 --games 2 --proof-games 2 --quiet").stdout;
    assert!(shown.starts_with("bot of fencing: 3 of 3 iterations, 6 games"), "{shown}");
    for part in ["KNOB", "IDLE", "0 to 10", "▅"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn parameters_that_cannot_be_meant_are_refused_with_their_line() {
    let folder = folder();
    for (params, expected) in [
        ("", "expected a parameter, such as [depth], found none"),
        ("[a]\nstart = 1\nmin = 0\nmax = 2", "params.toml:1: a: missing key `step`"),
        ("[a]\nstart = 3\nmin = 0\nmax = 2\nstep = 1", "a: expected start between min and max"),
        ("[a]\nstart = 1\nmin = 0\nmax = 2\nstep = 0", "a: expected a step above 0"),
        ("[a]\nstart = 1\nmin = 0\nmax = 2\nstep = 0.5\nwhole = true", "a step of at least 1"),
        ("pass = \"mail\"", "expected one of `environment`, `arguments`, found `mail`"),
        ("[a]\nstart = 1\nmin = 0\nmax = 2\nstep = 1\nstride = 2", "unknown key `stride`"),
    ] {
        folder.write("params.toml", params);
        let finished = tune(&folder, "");
        assert_eq!(finished.code, 2, "{params}: {finished:?}");
        assert!(finished.stderr.contains(expected), "{params}: {}", finished.stderr);
    }
    folder.write("params.toml", PARAMS);
    let house = folder.run("tune fencing house:greedy --params params.toml");
    assert_eq!(house.code, 2);
    assert!(house.stderr.contains("found the house bot `house:greedy`"), "{}", house.stderr);
    assert!(!folder.path("fencing-tune.jsonl").exists());
}
