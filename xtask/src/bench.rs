//! Instructions per turn, counted by callgrind and compared with a budget.
//!
//! A count of instructions is the same on a busy machine and on an idle one, so a budget can be
//! tight. Each workload is run twice with different counts and the difference is taken: what the
//! program does before and after the turns cancels out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::workspace;

const BUDGET_PATH: &str = "benches/budget.toml";

/// A budget is the measured value and this much more, for other compilers and systems.
const MARGIN: f64 = 1.05;

/// A measured value this far below what the budget was made from asks for a lower budget.
const LOOSE_BELOW: f64 = 0.95;

/// What becomes of budgets that are wider than they need to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budgets {
    Keep,
    Lower,
}

/// A workload's row in the file.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    instructions_per_turn: f64,
    /// How often the workload is played in the first and in the second run.
    counts: [u64; 2],
}

/// What one run of a workload took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    turns: u64,
    instructions: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Above,
    Within,
    /// So far below that the budget can be lowered to this.
    Loose(f64),
}

/// Measures every workload of the file and prints a table; an error if one is above its budget.
pub(crate) fn run(budgets: Budgets) -> Result<()> {
    let path = workspace::root().join(BUDGET_PATH);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {BUDGET_PATH}"))?;
    let rows = parse_budgets(&text)?;
    let program = build()?;
    println!("{:<28}{:>12}{:>12}{:>8}", "workload", "measured", "budget", "ratio");
    let mut lowered = text.clone();
    let mut above = Vec::new();
    for (name, budget) in &rows {
        let measured = measure(&program, name, budget)?;
        let allowed = budget.instructions_per_turn;
        let ratio = measured / allowed;
        println!("{name:<28}{measured:>12.1}{allowed:>12.1}{ratio:>8.3}");
        match judge(measured, allowed) {
            Verdict::Above => above.push(name.as_str()),
            Verdict::Loose(lower) if budgets == Budgets::Keep => println!(
                "{name}: the budget can be lowered to {lower:.1} with `cargo xtask bench --update`"
            ),
            Verdict::Within | Verdict::Loose(_) => {}
        }
        if budgets == Budgets::Lower && tightened(measured) < allowed {
            lowered = with_budget(&lowered, name, tightened(measured))?;
            println!("{name}: the budget is now {:.1}", tightened(measured));
        }
    }
    if lowered != text {
        fs::write(&path, lowered).with_context(|| format!("cannot write {BUDGET_PATH}"))?;
    }
    if !above.is_empty() {
        bail!("more instructions per turn than {BUDGET_PATH} allows: {}", above.join(", "));
    }
    Ok(())
}

fn build() -> Result<std::path::PathBuf> {
    let arguments = ["build", "--release", "--package", "quintain-cli"];
    let status = workspace::cargo().args(arguments).status().context("cannot start cargo")?;
    if !status.success() {
        bail!("`cargo {}` ended with {status}", arguments.join(" "));
    }
    Ok(workspace::metadata()?.target_directory.join("release").join("quintain"))
}

fn measure(program: &Path, name: &str, budget: &Budget) -> Result<f64> {
    let [few, many] = budget.counts;
    let runs = [run_once(program, name, few)?, run_once(program, name, many)?];
    instructions_per_turn(runs).with_context(|| format!("workload {name}"))
}

fn run_once(program: &Path, name: &str, count: u64) -> Result<Run> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["bench", "--workload", name, "--count", &count.to_string()])
        // Recordings are found from here.
        .current_dir(workspace::root())
        .output()
        .context("cannot start valgrind; `cargo xtask test --only setup` installs it")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("workload {name} under valgrind ended with {}:\n{}", output.status, errors.trim());
    }
    let turns = parse_turns(&String::from_utf8_lossy(&output.stdout), name)?;
    let instructions = parse_instructions(&errors)?;
    Ok(Run { turns, instructions })
}

fn parse_budgets(text: &str) -> Result<BTreeMap<String, Budget>> {
    let rows: BTreeMap<String, Budget> =
        toml::from_str(text).with_context(|| format!("{BUDGET_PATH} cannot be read"))?;
    for (name, budget) in &rows {
        if budget.counts[0] >= budget.counts[1] {
            let [few, many] = budget.counts;
            bail!("{BUDGET_PATH}: {name}: expected counts that grow, got {few} and {many}");
        }
        if !budget.instructions_per_turn.is_finite() || budget.instructions_per_turn <= 0.0 {
            let got = budget.instructions_per_turn;
            bail!("{BUDGET_PATH}: {name}: expected a positive number of instructions, got {got}");
        }
    }
    Ok(rows)
}

/// Reads the one line of JSON that a workload prints.
fn parse_turns(output: &str, name: &str) -> Result<u64> {
    #[derive(Deserialize)]
    struct Report {
        workload: String,
        turns: u64,
    }
    let report: Report = serde_json::from_str(output.trim()).with_context(|| {
        format!("expected {{\"workload\":\"{name}\",\"turns\":N}}, got `{}`", output.trim())
    })?;
    if report.workload != name {
        bail!("expected a report of workload {name}, got one of {}", report.workload);
    }
    Ok(report.turns)
}

/// Finds the sum in what callgrind says at its end.
fn parse_instructions(errors: &str) -> Result<u64> {
    let value = errors.lines().find_map(|line| {
        let text = line.rsplit("== ").next().unwrap_or(line);
        let (name, value) = text.split_once(':')?;
        let is_sum = matches!(
            name.split_whitespace().collect::<Vec<_>>()[..],
            ["Collected"] | ["I", "refs"]
        );
        is_sum.then(|| value.trim().replace(',', ""))
    });
    let value = value.with_context(|| {
        format!("expected a line `Collected : N` from callgrind, got:\n{}", errors.trim())
    })?;
    value.parse().with_context(|| format!("expected a count of instructions, got `{value}`"))
}

fn instructions_per_turn([few, many]: [Run; 2]) -> Result<f64> {
    if many.turns <= few.turns || many.instructions <= few.instructions {
        bail!("expected the second run to take longer, got {few:?} and {many:?}");
    }
    let instructions = (many.instructions - few.instructions) as f64;
    Ok(instructions / (many.turns - few.turns) as f64)
}

fn judge(measured: f64, budget: f64) -> Verdict {
    if measured > budget {
        Verdict::Above
    } else if measured < LOOSE_BELOW * budget / MARGIN {
        Verdict::Loose(tightened(measured))
    } else {
        Verdict::Within
    }
}

/// The budget for a measured value, with one decimal.
fn tightened(measured: f64) -> f64 {
    (measured * MARGIN * 10.0).ceil() / 10.0
}

/// The text of the file with one budget replaced; comments and order stay.
fn with_budget(text: &str, name: &str, value: f64) -> Result<String> {
    let mut section = "";
    let mut replaced = false;
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if let Some(header) = content.strip_prefix('[') {
            section = header.trim_end_matches(']');
        }
        let is_value =
            content.split('=').next().is_some_and(|key| key.trim() == "instructions_per_turn");
        if section == name && is_value {
            result.push_str(&format!("instructions_per_turn = {value:.1}\n"));
            replaced = true;
        } else {
            result.push_str(line);
        }
    }
    if !replaced {
        bail!("{BUDGET_PATH}: expected a line `instructions_per_turn = N` below [{name}]");
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGETS: &str = "\
# A comment.
[hockey-random]
instructions_per_turn = 100.0
counts = [2000, 12000]

[other]
# Another comment.
instructions_per_turn = 7.5
counts = [1, 2]
";

    #[test]
    fn budgets_are_read_and_nonsense_is_named() {
        let rows = parse_budgets(BUDGETS).unwrap();
        let expected = Budget { instructions_per_turn: 100.0, counts: [2000, 12000] };
        assert_eq!(rows["hockey-random"], expected);
        assert_eq!(rows.len(), 2);

        let refused = |text: &str| format!("{:#}", parse_budgets(text).unwrap_err());
        let message = refused("[a]\ninstructions_per_turn = 1.0\ncounts = [5, 5]\n");
        assert!(message.ends_with("a: expected counts that grow, got 5 and 5"), "{message}");
        let message = refused("[a]\ninstructions_per_turn = 0.0\ncounts = [1, 5]\n");
        assert!(
            message.ends_with("expected a positive number of instructions, got 0"),
            "{message}"
        );
        let message = refused("[a]\ninstructions_per_turn = 1.0\ncounts = [1, 5]\nslack = 2\n");
        assert!(message.contains("unknown field `slack`"), "{message}");
    }

    #[test]
    fn the_count_is_found_in_what_callgrind_says() {
        let said = "\
==71== Callgrind, a call-graph generating cache profiler
==71== Command: target/release/quintain bench --workload hockey-random --count 10
==71== For interactive control, run 'callgrind_control -h'.
==71==
==71== Events    : Ir
==71== Collected : 1234567
==71==
==71== I   refs:      1,234,567
";
        assert_eq!(parse_instructions(said).unwrap(), 1_234_567);
        assert_eq!(parse_instructions("==9== I   refs:      89,123\n").unwrap(), 89_123);
        let message = parse_instructions("valgrind: not found\n").unwrap_err().to_string();
        assert!(message.ends_with("got:\nvalgrind: not found"), "{message}");
        assert!(parse_instructions("==9== Collected : many\n").is_err());
    }

    #[test]
    fn the_report_must_be_of_the_workload_that_was_asked_for() {
        let report = "{\"workload\":\"hockey-random\",\"turns\":42}\n";
        assert_eq!(parse_turns(report, "hockey-random").unwrap(), 42);
        let message = parse_turns(report, "other").unwrap_err().to_string();
        assert_eq!(message, "expected a report of workload other, got one of hockey-random");
        let message = parse_turns("42\n", "other").unwrap_err().to_string();
        assert_eq!(message, "expected {\"workload\":\"other\",\"turns\":N}, got `42`");
    }

    #[test]
    fn what_both_runs_share_cancels_out() {
        let start = 9_000_000;
        let run = |turns| Run { turns, instructions: start + 130 * turns };
        assert_eq!(instructions_per_turn([run(1_000), run(6_000)]).unwrap(), 130.0);
        assert!(instructions_per_turn([run(1_000), run(1_000)]).is_err());
        assert!(instructions_per_turn([run(6_000), run(1_000)]).is_err());
    }

    #[test]
    fn above_within_and_loose() {
        assert_eq!(judge(105.1, 105.0), Verdict::Above);
        assert_eq!(judge(105.0, 105.0), Verdict::Within);
        assert_eq!(judge(95.1, 105.0), Verdict::Within);
        assert_eq!(judge(94.0, 105.0), Verdict::Loose(98.7));
    }

    #[test]
    fn a_fresh_budget_is_within_itself_and_not_loose() {
        for measured in [0.3, 12.0, 130.17, 98_765.4] {
            let budget = tightened(measured);
            assert!(budget >= measured * MARGIN);
            assert_ne!(judge(measured * MARGIN, budget), Verdict::Above);
        }
    }

    #[test]
    fn only_the_named_value_is_replaced() {
        let lowered = with_budget(BUDGETS, "other", 6.25).unwrap();
        assert_eq!(lowered, BUDGETS.replace("= 7.5", "= 6.2"));
        let lowered = with_budget(BUDGETS, "hockey-random", 90.0).unwrap();
        assert_eq!(lowered, BUDGETS.replace("= 100.0", "= 90.0"));
        assert!(with_budget(BUDGETS, "missing", 1.0).is_err());
    }
}
