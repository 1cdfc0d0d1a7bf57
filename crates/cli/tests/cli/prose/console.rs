//! The console blocks of README and book, run in the order in which they stand.
//!
//! A document is run in a folder of its own, in which `bots` are the project's sample bots and `quintain`
//! is the binary. A line that begins with `$ ` is a command, which must succeed; it goes on in the next
//! line if it ends in a backslash. The lines behind it are what it says, be it on standard output or as
//! an error; nothing behind it means that what it says is not told. What varies is written as three dots:
//! within a line they stand for any text, as a line of their own for any lines.
//!
//! A block with the class `file=NAME` is written to that file. One with `ignore=REASON` is not run.

use std::path::{Path, PathBuf};

use super::{BOOK, Block, Document, documents};
use crate::support::{Folder, PATIENCE, assert_calm, binary, workspace};

/// What cannot be run: it waits for others, or for a person.
const IGNORED_MAX: usize = 3;
/// What stands for what varies.
const DOTS: &str = "...";

/// A command and what it is shown to say.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    line: usize,
    command: String,
    shown: Vec<String>,
}

/// The calls of a block.
fn calls(block: &Block) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut goes_on = false;
    for (index, line) in block.text.lines().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            calls.push(Call {
                line: block.line + 1 + index,
                command: command.to_owned(),
                shown: Vec::new(),
            });
        } else {
            let call = calls.last_mut().expect("a console block begins with a command");
            if goes_on {
                call.command += "\n";
                call.command += line;
            } else {
                call.shown.push(line.to_owned());
            }
        }
        goes_on = (goes_on || line.starts_with("$ ")) && line.ends_with('\\');
    }
    calls
}

/// Whether a command said what is shown.
fn is_as_shown(shown: &[String], said: &[&str]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((dots, rest)) if dots == DOTS => {
            (0..=said.len()).any(|skipped| is_as_shown(rest, &said[skipped..]))
        }
        Some((line, rest)) => said
            .split_first()
            .is_some_and(|(first, said)| is_line_as_shown(line, first) && is_as_shown(rest, said)),
    }
}

fn is_line_as_shown(shown: &str, said: &str) -> bool {
    let said = said.trim_end();
    let Some((before, rest)) = shown.split_once(DOTS) else {
        return shown == said;
    };
    let Some(said) = said.strip_prefix(before) else {
        return false;
    };
    let starts = said.char_indices().map(|(at, _)| at).chain([said.len()]);
    starts.into_iter().any(|at| is_line_as_shown(rest, &said[at..]))
}

/// Runs a command; what it said, or what was wrong.
fn run(folder: &Folder, call: &Call) -> Result<(), String> {
    let path = std::env::var("PATH").expect("the system's path is text");
    let folder_of_binary = Path::new(binary()).parent().expect("it lies in a folder");
    let output = assert_cmd::Command::new("bash")
        .args(["-c", &format!("set -o pipefail\nexec 2>&1\n{}", call.command)])
        .current_dir(folder.path(""))
        .env("PATH", format!("{}:{path}", folder_of_binary.display()))
        .env_remove("QUINTAIN_NAME")
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .timeout(PATIENCE)
        .output()
        .expect("bash can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_calm(&said);
    if !output.status.success() {
        return Err(format!("{}, it said\n{said}", output.status));
    }
    let lines: Vec<&str> = said.lines().collect();
    if call.shown.is_empty() || is_as_shown(&call.shown, &lines) {
        return Ok(());
    }
    Err(format!("it is shown to say\n{}\nand said\n{said}", call.shown.join("\n")))
}

/// Runs what a document shows; what was wrong, each with its place, and how many calls were made.
fn run_document(document: &Document) -> (Vec<String>, usize) {
    let folder = Folder::new();
    std::os::unix::fs::symlink(workspace().join("bots"), folder.path("bots")).expect("a link");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for block in document.blocks.iter().filter(|block| block.class("ignore").is_none()) {
        if let Some(name) = block.class("file") {
            folder.write(name, &block.text);
        }
        if block.language != "console" {
            continue;
        }
        for call in calls(block) {
            count += 1;
            if let Err(what) = run(&folder, &call) {
                let path = document.path.display();
                wrong.push(format!("{path}:{}: {}\n{what}", call.line, call.command));
            }
        }
    }
    (wrong, count)
}

/// What a newcomer reads: README and book.
fn of_readers(root: &Path) -> Vec<Document> {
    let is_of_readers = |path: &PathBuf| path == Path::new("README.md") || path.starts_with(BOOK);
    documents(root).into_iter().filter(|document| is_of_readers(&document.path)).collect()
}

#[test]
fn every_console_block_does_what_it_shows() {
    let mut count = 0;
    for document in of_readers(&workspace()) {
        let (wrong, calls) = run_document(&document);
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        count += calls;
    }
    assert!(count >= 30, "{count} commands were run");
}

#[test]
fn few_blocks_are_not_run_and_all_say_why() {
    let documents = of_readers(&workspace());
    let blocks = || documents.iter().flat_map(|document| &document.blocks);
    let reasons: Vec<&str> = blocks().filter_map(|block| block.class("ignore")).collect();
    assert!(reasons.len() <= IGNORED_MAX, "{reasons:?}");
    assert!(reasons.iter().all(|reason| !reason.is_empty()), "{reasons:?}");
    for (class, _) in blocks().flat_map(|block| &block.classes) {
        assert!(["file", "ignore"].contains(&class.as_str()), "there is no class `{class}`");
    }
}

/// What is wrong with a document of one text.
fn wrong_with(text: &str) -> Vec<String> {
    run_document(&Document::parse(Path::new("a.md"), text)).0
}

#[test]
fn a_block_that_does_not_do_what_it_shows_is_found() {
    let right = [
        "```console\n$ quintain --version\nquintain ...\n```\n",
        "```console\n$ echo a; \\\n    echo b >&2\na\nb\n$ true\n```\n",
        "```sh,file=a.sh\necho a\n```\n\n```console\n$ bash a.sh\na\n```\n\n```console\n$ ls\na.sh\nbots\n```\n",
        "```console\n$ seq 9\n1\n...\n8\n9\n```\n",
        "```console,ignore=long\n$ false\n```\n",
        "```console\n$ false || echo not told\n```\n",
    ];
    for text in right {
        assert_eq!(wrong_with(text), [""; 0], "{text}");
    }
    let wrong = [
        "```console\n$ quintain --version\nquintain\n```\n",
        "```console\n$ false\n```\n",
        "```console\n$ false | cat\n```\n",
        "```console\n$ seq 3\n1\n2\n```\n",
        "```console\n$ seq 3\n...\n2\n```\n",
        "```console\n$ quintain play chess\n```\n",
    ];
    for text in wrong {
        assert_eq!(wrong_with(text).len(), 1, "{text}");
    }
    let place = &wrong_with("# A\n\n```console\n$ true\n$ echo a\nb\n```\n")[0];
    assert_eq!(place, "a.md:5: echo a\nit is shown to say\nb\nand said\na\n");
}

#[test]
fn three_dots_stand_for_what_varies() {
    for (shown, said, is_so) in [
        ("in ... s", "in 0.3 s", true),
        ("in ... s", "in  s", true),
        ("in ... s", "in 0.3 ms", false),
        ("...: a ...", "x: y: a b", true),
        ("a", "a  ", true),
        ("a ...", "b a", false),
    ] {
        assert_eq!(is_line_as_shown(shown, said), is_so, "{shown} {said}");
    }
}
