//! What is said of a machine, from what is measured on this one.

use std::process::Command;
use std::time::Duration;

use quintain_arena::machine::{MachineReport, examine};
use quintain_report::machine::{MachineAdvice, json, problems, rows, verdict};

const ADVICE: MachineAdvice<'static> =
    MachineAdvice { on_short_limits: "buy another", in_turn: "alone", together: "in pairs" };

fn row(report: &MachineReport, name: &str) -> String {
    rows(report, &ADVICE).into_iter().find(|(row, _)| *row == name).expect("it is told").1
}

#[test]
fn a_healthy_machine_is_fit_and_every_problem_of_another_is_named() {
    let mut report = examine(&mut Command::new("cat")).expect("this machine can be examined");
    (report.system.online, report.system.usable, report.busy) = (1, 1, 0.2);
    (report.sleep.p99, report.pipe.p99) = (Duration::from_micros(200), Duration::from_micros(30));
    (report.system.counts_waits, report.system.state_files.is_in_memory) = (true, true);
    assert_eq!(row(&report, "safe"), "alone: 1 at a time; in pairs: none, it takes two cores");
    assert_eq!(verdict(&report), "this machine is fit to compare bots");
    assert_eq!(json(&report, &ADVICE)["fit"], true);

    report.busy = 0.97;
    (report.sleep.p99, report.pipe.p99) = (Duration::from_millis(12), Duration::from_millis(7));
    (report.system.counts_waits, report.system.state_files.is_in_memory) = (false, false);
    let problems = problems(&report, &ADVICE);
    let expected =
        ["1.0 of 1 cores", "a sleeper comes 12 ms", "a pipe comes 7.0 ms", "count", "disk"];
    assert_eq!(problems.len(), expected.len(), "{problems:?}");
    for (problem, part) in problems.iter().zip(expected) {
        assert!(problem.contains(part), "{problem}: {part}");
    }
    assert!(problems[1].ends_with("too short for this machine, buy another"), "{problems:?}");
    assert_eq!(row(&report, "safe now"), "alone: 0; in pairs: 0");
    assert_eq!(verdict(&report), "results of this machine need care");
}
