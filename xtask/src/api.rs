//! The API as its OpenAPI document promises it: schemathesis makes requests of all kinds from the document, and holds
//! every answer of a real server against it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::{tools, workspace};

const PACKAGE: &str = "schemathesis==4.32.5";
/// Requests for each address beside those that try the edges of every parameter.
const EXAMPLES: &str = "40";
const SEED: &str = "2017";

/// What the server shows: a comparison and a tournament, with their replays.
const PLAYED: [&str; 2] = [
    "compare fencing old=house:random new=house:greedy --games 12",
    "tournament --game hockey --bot ann=house:random --bot bob=house:greedy --form swiss --rounds 1",
];

fn target() -> Result<PathBuf> {
    Ok(workspace::metadata()?.target_directory)
}

fn environment(target: &Path) -> PathBuf {
    target.join("schemathesis")
}

/// Installs schemathesis into a folder of its own below `target`.
pub(crate) fn set_up() -> Result<()> {
    let folder = environment(&target()?);
    let stamp = folder.join("installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == PACKAGE) {
        println!("{PACKAGE}: there");
        return Ok(());
    }
    println!("{PACKAGE}: installing");
    let path = folder.to_str().context("the project lies below a strange name")?;
    tools::run(&["python3", "-m", "venv", path])?;
    let python = format!("{path}/bin/python");
    let quiet = ["--quiet", "--disable-pip-version-check"];
    tools::run(&[&[&python, "-m", "pip", "install"], &quiet[..], &[PACKAGE]].concat())?;
    std::fs::write(&stamp, PACKAGE).with_context(|| format!("cannot write {}", stamp.display()))
}

pub(crate) fn run() -> Result<()> {
    let built = workspace::cargo().args(["build", "-p", "quintain-cli"]).status();
    if !built.context("cannot start cargo")?.success() {
        bail!("the binary that is asked cannot be built");
    }
    let target = target()?;
    let folder = target.join("api");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("the last store cannot be removed")?;
    }
    std::fs::create_dir_all(&folder)?;
    let binary = target.join("debug/quintain");
    fill(&binary, &folder)?;
    let (server, address) = serve(&binary, &folder)?;
    let _server = Stopped(server);
    let document = format!("{address}api/v1/openapi.json");
    let status = Command::new(environment(&target).join("bin/schemathesis"))
        .args(["run", &document, "--phases", "examples,coverage,fuzzing", "--no-shrink"])
        .args(["--max-examples", EXAMPLES, "--seed", SEED])
        // Which names there are in a store no document can say, nor that a queue is full.
        .args(["--exclude-checks", "positive_data_acceptance"])
        .args(["--request-timeout", "30", "--suppress-health-check", "all", "--warnings", "off"])
        .current_dir(&folder)
        .status()
        .context("cannot start schemathesis: `cargo xtask test --only setup` installs it")?;
    if !status.success() {
        bail!("schemathesis ended with {status}");
    }
    Ok(())
}

fn fill(binary: &Path, folder: &Path) -> Result<()> {
    for line in PLAYED {
        let mut play = Command::new(binary);
        play.args(line.split(' ')).args(["--store", "games.db", "--replays", "replays", "--quiet"]);
        let status = play.current_dir(folder).stdout(Stdio::null()).status();
        if !status.context("cannot start quintain")?.success() {
            bail!("`quintain {line}` failed");
        }
    }
    Ok(())
}

/// A server on a free port, and its address.
fn serve(binary: &Path, folder: &Path) -> Result<(Child, String)> {
    let mut serve = Command::new(binary);
    serve.args(["serve", "--store", "games.db", "--replays", "replays", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = serve.spawn().context("cannot start the server")?;
    let said = server.stdout.take().context("it has an output")?;
    let mut address = String::new();
    BufReader::new(said).read_line(&mut address).context("the server says where it is")?;
    Ok((server, address.trim_end().to_owned()))
}

/// A process that does not outlive the step.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        // One that is gone needs no end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
