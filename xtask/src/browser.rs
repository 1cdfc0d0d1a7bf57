//! The tests of the pages in a real browser: Chromium, driven from Node.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use crate::{tools, workspace};

fn folder() -> PathBuf {
    workspace::root().join("crates/server/tests/browser")
}

/// Installs the packages of the tests, in the versions that are written down beside them.
pub(crate) fn set_up() -> Result<()> {
    let folder = folder();
    let is_there = |name| folder.join("node_modules").join(name).exists();
    if ["playwright-core", "typescript", "axe-core"].into_iter().all(is_there) {
        println!("playwright-core, typescript, axe-core: there");
        return Ok(());
    }
    println!("playwright-core, typescript, axe-core: installing");
    let folder = folder.to_str().context("the project lies below a strange name")?;
    tools::run(&["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder])
}

pub(crate) fn run() -> Result<()> {
    let built = workspace::cargo().args(["build", "-p", "quintain-cli"]).status();
    if !built.context("cannot start cargo")?.success() {
        bail!("the binary that the browser is shown cannot be built");
    }
    let folder = folder();
    let mut node = std::process::Command::new("node");
    let status = node.args(["--test", "--test-concurrency=1"]).current_dir(&folder).status();
    let status = status.context("cannot start `node`")?;
    if !status.success() {
        bail!("`node --test` in {} ended with {status}", folder.display());
    }
    Ok(())
}
