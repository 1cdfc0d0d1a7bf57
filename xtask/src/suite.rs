//! Everything that CI runs, step by step.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{api, bench, browser, tidy, tools, workspace};

/// One step; they run in the order of [`STEPS`].
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Selection) -> Result<()>,
}

/// All steps that build use the same features, and all but the last the same profile, so that
/// nothing is built twice.
const STEPS: &[Step] = &[
    Step { name: "setup", about: "tools that the later steps need", run: set_up },
    Step { name: "fmt", about: "the format of the sources", run: |_| check_format() },
    Step { name: "clippy", about: "lints, warnings denied", run: |_| check_lints() },
    Step { name: "doc", about: "documentation, warnings denied", run: |_| check_docs() },
    Step { name: "tidy", about: "the project's own rules", run: |_| tidy::run() },
    Step { name: "test", about: "all tests, and allocations per turn", run: |_| run_tests() },
    Step { name: "browser", about: "the pages in Chromium", run: |_| browser::run() },
    Step { name: "api", about: "the API, against its document", run: |_| api::run() },
    Step { name: "bench", about: "the budget of instructions per turn", run: |_| check_budget() },
];

/// The names of the steps, in order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(|step| step.name)
}

/// Which steps are run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selection(Vec<&'static str>);

impl Selection {
    /// Reads `--only a,b`, `--skip a,b` and `--no-browser`; without them all steps are run.
    pub(crate) fn parse(options: &[&str]) -> Result<Selection> {
        let mut chosen: Vec<&str> = names().collect();
        let mut words = options.iter().flat_map(|word| word.splitn(2, '='));
        while let Some(option) = words.next() {
            let keeps = match option {
                "--only" => true,
                "--skip" => false,
                "--no-browser" => {
                    chosen.retain(|name| *name != "browser");
                    continue;
                }
                other => bail!("expected --only, --skip or --no-browser, got `{other}`"),
            };
            let list = words.next().with_context(|| format!("{option} needs a list of steps"))?;
            let listed: Vec<&str> = list.split(',').collect();
            if let Some(unknown) = listed.iter().find(|name| !names().any(|known| known == **name))
            {
                let known: Vec<&str> = names().collect();
                bail!("{option}: expected some of {}, got `{unknown}`", known.join(","));
            }
            chosen.retain(|name| listed.contains(name) == keeps);
        }
        if chosen.is_empty() {
            bail!("--only and --skip together leave no step to run");
        }
        Ok(Selection(chosen))
    }

    /// Whether a step is run.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    /// Whether tools are all that is wanted: then those of all steps are.
    pub(crate) fn is_setup_alone(&self) -> bool {
        self.0 == ["setup"]
    }

    fn left_out(&self) -> Vec<&'static str> {
        names().filter(|name| !self.has(name)).collect()
    }

    fn steps(&self) -> impl Iterator<Item = &'static Step> {
        STEPS.iter().filter(|step| self.0.contains(&step.name))
    }
}

/// Runs the selected steps up to the first failure and says how long each took.
pub(crate) fn run(selection: &Selection) -> Result<()> {
    let mut times: Vec<(&str, Duration)> = Vec::new();
    for step in selection.steps() {
        println!("\n==> {}: {}", step.name, step.about);
        let start = Instant::now();
        let result = (step.run)(selection);
        let time = start.elapsed();
        times.push((step.name, time));
        if let Err(error) = result {
            println!("\n{}", summary(&times));
            return Err(error).with_context(|| {
                format!("step `{0}` failed (alone: `cargo xtask test --only {0}`)", step.name)
            });
        }
        println!("==> {}: passed in {:.1} s", step.name, time.as_secs_f64());
    }
    println!("\n{}", summary(&times));
    match selection.left_out().as_slice() {
        [] => println!("all {} steps passed", times.len()),
        left_out => println!("{} steps passed; left out: {}", times.len(), left_out.join(", ")),
    }
    Ok(())
}

/// A table of the steps with their durations and the sum.
fn summary(times: &[(&str, Duration)]) -> String {
    let total = times.iter().map(|(_, time)| *time).sum();
    let rows = times.iter().copied().chain([("total", total)]);
    let rows: Vec<String> =
        rows.map(|(name, time)| format!("{name:<8}{:>8.1} s", time.as_secs_f64())).collect();
    rows.join("\n")
}

fn set_up(selection: &Selection) -> Result<()> {
    tools::set_up(selection)?;
    if selection.has("browser") || selection.is_setup_alone() {
        browser::set_up()?;
    }
    if selection.has("api") || selection.is_setup_alone() {
        api::set_up()?;
    }
    Ok(())
}

fn check_format() -> Result<()> {
    cargo(&["fmt", "--all", "--check"], &[])
}

fn check_lints() -> Result<()> {
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
}

fn check_docs() -> Result<()> {
    cargo(
        &["doc", "--workspace", "--no-deps", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )
}

/// Tests with generated inputs take the same ones every time, unless the caller names a seed.
fn run_tests() -> Result<()> {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| "2017".to_owned());
    cargo(&["test", "--workspace"], &[("PROPTEST_RNG_SEED", &seed)])
}

fn check_budget() -> Result<()> {
    bench::run(bench::Budgets::Keep)
}

fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    let mut command = workspace::cargo();
    command.args(arguments).envs(environment.iter().copied());
    let line = format!("cargo {}", arguments.join(" "));
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` ended with {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(options: &[&str], expected: &[&str]) {
        let selection = Selection::parse(options).unwrap();
        assert_eq!(selection.steps().map(|step| step.name).collect::<Vec<_>>(), expected);
    }

    fn check_refused(options: &[&str], expected: &str) {
        assert_eq!(Selection::parse(options).unwrap_err().to_string(), expected);
    }

    #[test]
    fn without_options_all_steps_run_in_order() {
        let steps = ["setup", "fmt", "clippy", "doc", "tidy", "test", "browser", "api", "bench"];
        check(&[], &steps);
    }

    #[test]
    fn steps_can_be_chosen_and_left_out_but_keep_their_order() {
        check(&["--only", "tidy,clippy"], &["clippy", "tidy"]);
        let steps = ["setup", "fmt", "clippy", "doc", "tidy", "test"];
        check(&["--skip", "bench,browser,api"], &steps);
        check(&["--no-browser", "--skip", "bench,api"], &steps);
        check(&["--only=fmt,tidy", "--skip=fmt"], &["tidy"]);
    }

    #[test]
    fn wrong_options_are_named() {
        check_refused(&["--all"], "expected --only, --skip or --no-browser, got `--all`");
        check_refused(&["--only"], "--only needs a list of steps");
        check_refused(
            &["--skip", "bench,lint"],
            "--skip: expected some of setup,fmt,clippy,doc,tidy,test,browser,api,bench, got `lint`",
        );
        check_refused(
            &["--only", "fmt", "--skip", "fmt"],
            "--only and --skip together leave no step to run",
        );
    }

    #[test]
    fn what_is_left_out_is_told() {
        let selection = Selection::parse(&["--no-browser"]).unwrap();
        assert_eq!(selection.left_out(), ["browser"]);
        assert!(Selection::parse(&["--only", "setup"]).unwrap().is_setup_alone());
    }

    #[test]
    fn the_summary_ends_with_the_sum() {
        let times =
            [("fmt", Duration::from_millis(400)), ("clippy", Duration::from_millis(12_600))];
        let expected = "fmt          0.4 s\nclippy      12.6 s\ntotal       13.0 s";
        assert_eq!(summary(&times), expected);
    }
}
