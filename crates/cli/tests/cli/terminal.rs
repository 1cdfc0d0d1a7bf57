//! The live line on a real terminal of 80 columns.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{Folder, PATIENCE, binary};

const COLUMNS: u16 = 80;

/// A bot that leaves at once when it is started for the first few times (once before the first game),
/// and then waits until a file is gone.
const BOT: &str = "#!/bin/bash
echo >> starts
[ \"$(wc -l < starts)\" -le 3 ] && exit
while [ -e hold ]; do sleep 0.02; done
";

/// What is seen on a terminal, as far as a live line makes use of one.
#[derive(Debug, Default)]
struct Screen {
    rows: Vec<String>,
    row: usize,
    column: usize,
    /// The beginning of a control sequence.
    pending: String,
}

impl Screen {
    fn write(&mut self, text: &str) {
        for c in text.chars() {
            if !self.pending.is_empty() || c == '\x1b' {
                self.control(c);
                continue;
            }
            match c {
                '\r' => self.column = 0,
                '\n' => self.row += 1,
                c => self.put(c),
            }
        }
    }

    fn control(&mut self, c: char) {
        self.pending.push(c);
        if !c.is_ascii_alphabetic() {
            return;
        }
        match std::mem::take(&mut self.pending).as_str() {
            "\x1b[A" => self.row = self.row.checked_sub(1).expect("there is a row above"),
            "\x1b[J" => {
                let row = self.rows.get_mut(self.row);
                row.into_iter().for_each(|row| row.truncate(self.column));
                self.rows.truncate(self.row + 1);
            }
            style => assert!(style.ends_with('m'), "expected a known sequence, found {style:?}"),
        }
    }

    fn put(&mut self, c: char) {
        assert!(c.is_ascii(), "the line is plain text, found {c}");
        self.rows.resize(self.rows.len().max(self.row + 1), String::new());
        let row = &mut self.rows[self.row];
        row.truncate(self.column);
        row.push(c);
        self.column += 1;
    }
}

/// Whether the terminal is where the binary reads, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Terminal,
    Nothing,
}

/// Starts the binary with a terminal for what it prints, and gives what it prints. Nobody answers what
/// the terminal is asked.
fn start_on_terminal(
    folder: &Folder,
    words: &str,
    reads: Reads,
) -> (std::process::Child, Receiver<String>) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is ours");
    let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("text");
    let theirs = File::options().read(true).write(true).open(name).expect("its other end");
    let size = Winsize { ws_row: 24, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).expect("a size");
    let child = Command::new(binary())
        .args(words.split_whitespace())
        .current_dir(folder.path("."))
        .stdin(match reads {
            Reads::Terminal => theirs.try_clone().expect("another handle").into(),
            Reads::Nothing => Stdio::null(),
        })
        .stdout(theirs.try_clone().expect("another handle"))
        .stderr(theirs)
        .spawn()
        .expect("the binary can be started");
    let (sender, printed) = mpsc::channel();
    thread::spawn(move || {
        let (mut terminal, mut buffer) = (File::from(ours), [0; 4096]);
        // The system says that the other end is closed with an error.
        while let Ok(count @ 1..) = terminal.read(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
            if sender.send(text).is_err() {
                return;
            }
        }
    });
    (child, printed)
}

#[test]
fn a_comparison_shows_all_of_its_line_on_a_narrow_terminal_and_takes_it_away() {
    let folder = Folder::new();
    let script = folder.write("bot.sh", BOT);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(script, mode).expect("it is ours");
    folder.write("hold", "");
    let call = "compare fencing old=house:greedy new=./bot.sh --games 4 --sprt 0,10 --limit 300s \
                -j 1 --no-replays";
    let (mut child, printed) = start_on_terminal(&folder, call, Reads::Nothing);
    let mut screen = Screen::default();
    let parts = [
        "2 games  ",
        "  0.0%  ",
        " Elo (95%: ",
        "new -",
        "old 0.",
        " of 3.69",
        "neither -",
        " of 3.00",
        " games/s  ",
        " left",
    ];
    while !parts.iter().all(|part| screen.rows.iter().any(|row| row.contains(part))) {
        screen.write(&printed.recv_timeout(PATIENCE).expect("the whole line is shown"));
    }
    let shown = screen.rows.iter().position(|row| row.starts_with("2 games")).expect("it is there");
    assert_eq!(screen.rows.len(), shown + 2, "two rows: {:?}", screen.rows);
    assert!(screen.rows[shown..].iter().all(|row| row.len() < usize::from(COLUMNS)));
    std::fs::remove_file(folder.path("hold")).expect("it was made");
    for text in printed {
        screen.write(&text);
    }
    assert!(child.wait().expect("it is ours").success());
    let screen = screen.rows.join("\n");
    assert!(!screen.contains("games/s"), "the line is gone: {screen}");
    assert_eq!(screen.matches("new crashed in game").count(), 4, "{screen}");
    assert!(screen.contains("no difference shown: ") && screen.contains("new: 4 crashes"));
}

/// As under `script` and on the consoles of some services.
#[test]
fn a_match_on_a_terminal_that_never_says_where_its_cursor_is_is_told_in_plain_text() {
    let folder = Folder::new();
    let call = "play hockey house:greedy house:random --seed 3 --no-replay";
    let piped = folder.ok(call);
    let result = piped.lines().last().expect("a sentence");
    for reads in [Reads::Terminal, Reads::Nothing] {
        let (mut child, printed) = start_on_terminal(&folder, call, reads);
        let mut text = String::new();
        loop {
            match printed.recv_timeout(PATIENCE) {
                Ok(more) => text += &more,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    child.kill().expect("it is ours");
                    panic!("{reads:?}: expected an end, found {text}");
                }
            }
        }
        assert!(child.wait().expect("it is ours").success(), "{reads:?}: {text}");
        assert!(text.contains(result), "{reads:?}: expected `{result}` in {text}");
        assert_eq!(text.matches(" throws ").count(), 12, "{reads:?}: every throw is told: {text}");
        assert!(!text.contains("cursor position"), "{reads:?}: {text}");
    }
}
