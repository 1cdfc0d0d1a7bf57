//! What uses up the machine, or is to be there when the match is over.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};

const PIECE: usize = 64 * 1024 * 1024;

pub(crate) fn do_it(deed: &str) {
    match deed.split_once('=').unwrap_or((deed, "")) {
        ("eat-memory", _) => eat_memory(),
        ("fork", _) => fork(),
        ("fill-disk", _) => fill_disk(),
        ("fill-inodes", _) => fill_inodes(),
        ("daemon", word) => leave_daemon(word),
        _ => loop {
            std::hint::spin_loop();
        },
    }
}

/// 32 GB, touched.
fn eat_memory() {
    let pieces: Vec<Vec<u8>> = (0..512).map(|_| vec![1; PIECE]).collect();
    std::hint::black_box(pieces);
}

fn fork() {
    let start = || Command::new("sleep").arg("600").stdin(Stdio::null()).spawn();
    let started: Vec<_> = (0..10_000).map_while(|_| start().ok()).collect();
    std::thread::sleep(std::time::Duration::from_secs(600));
    drop(started);
}

fn fill_disk() {
    let folder = std::env::temp_dir();
    for number in 0_u32.. {
        let Ok(mut file) = File::create(folder.join(format!("fill-{number}"))) else { break };
        if file.write_all(&vec![0; PIECE / 4]).is_err() {
            break;
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(600));
}

fn fill_inodes() {
    let folder = std::env::temp_dir();
    let make = |number: u32| File::create(folder.join(format!("fill-{number}")));
    (0..10_000_000).map_while(|number| make(number).ok()).for_each(drop);
    std::thread::sleep(std::time::Duration::from_secs(600));
}

/// A process in a session of its own, whose parent has ended, which holds none of the bot's pipes and computes.
fn leave_daemon(word: &str) {
    let script =
        format!("setsid bash -c 'while :; do : {word}; done' </dev/null >/dev/null 2>&1 &");
    let _ = Command::new("bash").args(["-c", &script]).status();
}
