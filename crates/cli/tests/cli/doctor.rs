//! `quintain doctor`

use crate::support::{Folder, json};

#[test]
fn the_doctor_says_how_many_games_are_safe() {
    let folder = Folder::new();
    let report = json(&folder.ok("doctor --json"));
    let cores = std::thread::available_parallelism().expect("a number of cores").get() as u64;
    assert_eq!(report["cores"]["usable"], cores);
    assert_eq!(report["safe"]["in_turn"], cores);
    assert_eq!(report["safe"]["together"], cores / 2);
    let now = report["safe_now"]["in_turn"].as_u64().expect("a number");
    let busy = report["busy_cores"].as_f64().expect("a number");
    assert!(now <= cores && (now == cores || busy > 0.3), "{report:#}");
    for what in ["sleep", "pipe"] {
        let at = |name: &str| report["latency"][what][name].as_f64().expect("a time");
        assert!(at("p50_us") > 0.0 && at("p50_us") <= at("p99_us"), "{report:#}");
        assert!(at("p99_us") <= at("worst_us"), "{report:#}");
    }
    let problems = report["problems"].as_array().expect("a list");
    assert_eq!(report["fit"], problems.is_empty());
    let text = folder.ok("doctor");
    assert!(text.contains("--ask in-turn") && text.contains("this machine"), "{text}");
}

/// What the doctor calls safe can be chosen for a match, and its replay says so.
#[test]
fn bots_are_asked_in_turn_unless_they_are_asked_together() {
    for (option, expected) in [("", "in-turn"), ("--ask together", "together")] {
        let folder = Folder::new();
        folder.ok(&format!("play fencing --seed 1 --quiet --replay a.jsonl {option}"));
        let header = &crate::support::replay_lines(&folder.read("a.jsonl"))[0];
        assert_eq!(header["ask"], expected, "{header:#}");
    }
}
