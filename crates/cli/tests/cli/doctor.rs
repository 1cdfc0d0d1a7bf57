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
