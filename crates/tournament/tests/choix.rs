//! The strengths agree with those of choix, a published implementation from PyPI.
//!
//! Its figures are recorded in `data/contests.json`, together with the contests; where choix is
//! installed, they are computed anew as well.

use std::io::Write;
use std::process::{Command, Stdio};

use quintain_record::BotId;
use quintain_tournament::{Contest, FitError, fit};
use serde::Deserialize;

const RECORDED: &str = include_str!("data/contests.json");

/// What the script exits with where choix is missing.
const MISSING: i32 = 77;

#[derive(Deserialize)]
struct Case {
    name: String,
    bots: u32,
    contests: Vec<(u32, u32, f64, f64)>,
    /// Without a prior; nothing where there is no maximum.
    plain: Option<Vec<f64>>,
    with_prior: Vec<f64>,
}

impl Case {
    fn contests(&self) -> Vec<Contest> {
        let contest = |&(one, other, games, points): &(u32, u32, f64, f64)| Contest {
            bots: [BotId(one), BotId(other)],
            games,
            points,
        };
        self.contests.iter().map(contest).collect()
    }
}

fn cases(text: &str) -> Vec<Case> {
    serde_json::from_str(text).expect("the file of contests is in order")
}

fn check(name: &str, actual: &[f64], expected: &[f64]) {
    assert_eq!(actual.len(), expected.len(), "{name}");
    for (actual, expected) in actual.iter().zip(expected) {
        assert!((actual - expected).abs() < 1e-6, "{name}: {actual}, choix has {expected}");
    }
}

#[test]
fn strengths_are_those_that_choix_finds() {
    let cases = cases(RECORDED);
    assert!(cases.len() >= 6, "all contests were read");
    for case in cases {
        let contests = case.contests();
        match &case.plain {
            Some(expected) => {
                let plain = fit(case.bots, &contests, 0.0).expect("there is a maximum");
                check(&case.name, &plain, expected);
            }
            None => assert_eq!(fit(case.bots, &contests, 0.0), Err(FitError), "{}", case.name),
        }
        let with_prior = fit(case.bots, &contests, 1.0).expect("a prior");
        check(&case.name, &with_prior, &case.with_prior);
    }
}

#[test]
fn the_recorded_figures_are_those_of_choix() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/figures.py");
    let child =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: no python3");
        return;
    };
    let mut input = child.stdin.take().expect("the input is piped");
    // Without choix the script ends before it reads.
    let written = input.write_all(RECORDED.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("the script ends");
    if output.status.code() == Some(MISSING) {
        println!("skipped: choix is not installed");
        return;
    }
    written.expect("the script reads its input");
    assert!(output.status.success(), "the script fails: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    for (recorded, fresh) in cases(RECORDED).iter().zip(cases(&text)) {
        check(&recorded.name, &recorded.with_prior, &fresh.with_prior);
        let plain = |case: &Case| case.plain.clone().unwrap_or_default();
        check(&recorded.name, &plain(recorded), &plain(&fresh));
    }
}
