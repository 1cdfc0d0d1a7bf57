//! What is seen on a real terminal, and the live line on one of 80 columns.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::{Folder, PATIENCE, binary, send_signal};

/// Columns and rows.
pub(crate) const USUAL: (u16, u16) = (80, 24);
/// The sizes at which screens are looked at, with their names.
pub(crate) const SIZES: [((u16, u16), &str); 2] = [(USUAL, "80x24"), ((120, 40), "120x40")];
/// How a program asks where the cursor is.
const WHERE: &str = "\x1b[6n";

/// A bot that leaves at once when it is started for the first few times (once before the first game),
/// and then waits until a file is gone.
const BOT: &str = "#!/bin/bash
echo >> starts
[ \"$(wc -l < starts)\" -le 3 ] && exit
while [ -e hold ]; do sleep 0.02; done
";

/// Whether the terminal is where the binary reads, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    Terminal,
    /// The terminal, which also says where its cursor is when it is asked.
    Answering,
    Nothing,
}

/// The binary with a terminal for what it prints.
pub(crate) struct OnTerminal {
    child: Child,
    keyboard: File,
    printed: Receiver<Vec<u8>>,
    text: String,
    seen: vt100::Parser,
    /// How many questions for the cursor have been answered, if they are.
    answered: Option<usize>,
}

impl OnTerminal {
    pub(crate) fn start(
        folder: &Folder,
        words: &str,
        (columns, rows): (u16, u16),
        reads: Reads,
    ) -> OnTerminal {
        OnTerminal::start_with(folder, words, (columns, rows), reads, &[])
    }

    /// With these in its environment.
    pub(crate) fn start_with(
        folder: &Folder,
        words: &str,
        (columns, rows): (u16, u16),
        reads: Reads,
        environment: &[(&str, &str)],
    ) -> OnTerminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is ours");
        let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("text");
        let theirs = File::options().read(true).write(true).open(name).expect("its other end");
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&theirs, size).expect("a size");
        let child = Command::new(binary())
            .args(words.split_whitespace())
            .current_dir(folder.path("."))
            .env_remove("NO_COLOR")
            .envs(environment.iter().copied())
            .stdin(match reads {
                Reads::Terminal | Reads::Answering => {
                    theirs.try_clone().expect("another handle").into()
                }
                Reads::Nothing => Stdio::null(),
            })
            .stdout(theirs.try_clone().expect("another handle"))
            .stderr(theirs)
            .spawn()
            .expect("the binary can be started");
        let keyboard = File::from(ours);
        let mut terminal = keyboard.try_clone().expect("another handle");
        let (sender, printed) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The system says that the other end is closed with an error.
            while let Ok(count @ 1..) = terminal.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let [rows, columns] = [rows, columns].map(|size| NonZero::new(size).expect("a size"));
        let seen = vt100::Parser::new(rows, columns, 0);
        let answered = (reads == Reads::Answering).then_some(0);
        OnTerminal { child, keyboard, printed, text: String::new(), seen, answered }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("somebody reads");
    }

    /// Waits until the screen is as it should be.
    pub(crate) fn until(&mut self, is_so: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is_so(&self.contents()) {
            let goes_on = begun.elapsed() < PATIENCE && self.read();
            assert!(goes_on, "expected something else on the screen:\n{}", self.contents());
        }
    }

    /// Waits until the screen is as it should be and stays so for a moment: a screen is drawn in pieces, and
    /// keys that are pressed at a half of one come too early.
    pub(crate) fn until_settled(&mut self, is_so: impl Fn(&str) -> bool) {
        const MOMENT: Duration = Duration::from_millis(60);
        self.until(&is_so);
        while let Ok(bytes) = self.printed.recv_timeout(MOMENT) {
            self.take(&bytes);
            self.until(&is_so);
        }
    }

    /// Waits until all of these are seen.
    pub(crate) fn until_shown(&mut self, parts: &[&str]) {
        self.until(|screen| parts.iter().all(|part| screen.contains(part)));
    }

    /// The rows of the screen that have something in them, from the first on.
    pub(crate) fn contents(&self) -> String {
        self.screen().contents().trim_end().to_owned()
    }

    /// All that was printed, with what moves the cursor.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.seen.screen()
    }

    /// Waits for its end.
    pub(crate) fn end(&mut self) {
        self.end_with(0);
    }

    /// Waits for its end, with this exit code.
    pub(crate) fn end_with(&mut self, code: i32) {
        while self.read() {}
        assert_eq!(self.child.wait().expect("it is ours").code(), Some(code), "{}", self.text);
    }

    pub(crate) fn signal(&self, name: &str) {
        send_signal(&self.child, name);
    }

    fn take(&mut self, bytes: &[u8]) {
        self.seen.process(bytes);
        self.text += &String::from_utf8_lossy(bytes);
        let asked = self.text.matches(WHERE).count();
        if let Some(answered) = self.answered.filter(|answered| *answered < asked) {
            let (row, column) = self.screen().cursor_position();
            let answer = format!("\x1b[{};{}R", row + 1, column + 1);
            self.press(&answer.repeat(asked - answered));
            self.answered = Some(asked);
        }
    }

    /// Reads more; there is none when it has ended.
    fn read(&mut self) -> bool {
        match self.printed.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                self.take(&bytes);
                true
            }
            Err(RecvTimeoutError::Disconnected) => false,
            Err(RecvTimeoutError::Timeout) => {
                self.child.kill().expect("it is ours");
                panic!("expected an end, found this on the screen:\n{}", self.contents());
            }
        }
    }
}

/// The rows of a screen without the blanks at their ends, which are drawn or not.
pub(crate) fn rows_of(terminal: &OnTerminal) -> String {
    let screen = terminal.contents();
    screen.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // It has ended already unless the test looked at its screen only.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_comparison_shows_all_of_its_line_on_a_narrow_terminal_and_takes_it_away() {
    let folder = Folder::new();
    let script = folder.write("bot.sh", BOT);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(script, mode).expect("it is ours");
    folder.write("hold", "");
    let call = "compare fencing old=house:greedy new=./bot.sh --sandbox off --games 4 --sprt 0,10 --limit 300s \
                -j 1 --no-replays";
    let mut terminal = OnTerminal::start(&folder, call, USUAL, Reads::Nothing);
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
    terminal.until_shown(&parts);
    let screen = terminal.contents();
    let line: Vec<&str> = screen.lines().skip_while(|row| !row.starts_with("2 games")).collect();
    assert_eq!(line.len(), 2, "two rows: {screen}");
    assert!(line.iter().all(|row| row.len() < usize::from(USUAL.0)), "{screen}");
    std::fs::remove_file(folder.path("hold")).expect("it was made");
    terminal.end();
    let screen = terminal.contents();
    assert!(!screen.contains("games/s"), "the line is gone: {screen}");
    assert_eq!(screen.matches("new crashed in game").count(), 1, "{screen}");
    assert_eq!(screen.matches("new crashed in 4 games; the first").count(), 1, "{screen}");
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
        let mut terminal = OnTerminal::start(&folder, call, USUAL, reads);
        terminal.end();
        let text = terminal.text();
        assert!(text.contains(result), "{reads:?}: expected `{result}` in {text}");
        assert_eq!(text.matches(" throws ").count(), 12, "{reads:?}: every throw is told: {text}");
        assert!(!text.contains("cursor position"), "{reads:?}: {text}");
    }
}

#[test]
fn nothing_is_drawn_on_a_terminal_that_prints_lines_only() {
    let folder = Folder::new();
    let dumb = [("TERM", "dumb"), ("CI", "true")];
    let printed = |words: &str, keys: &str| {
        let mut terminal = OnTerminal::start_with(&folder, words, USUAL, Reads::Terminal, &dumb);
        if !keys.is_empty() {
            terminal.until_shown(&["What's your name?"]);
            terminal.press(keys);
        }
        terminal.end();
        assert!(!terminal.text().contains('\x1b'), "{words}: {:?}", terminal.text());
        terminal.text().to_owned()
    };
    let played = printed("play hockey house:greedy house:random --seed 7 --replay a.jsonl", "");
    assert!(played.contains("greedy beat random: "), "{played}");
    let told = printed("replay a.jsonl", "");
    assert!(told.contains("greedy throws ") && told.contains("greedy beat random: "), "{told}");
    // A person answers by lines, and the end of input is the end.
    let lines = printed("play hockey human house:random --seed 3 --no-replay", "Zoe\nnorth\n\x04");
    assert!(lines.contains("human (Zoe)"), "{lines}");
    let compared = printed("compare hockey house:random house:greedy --games 4 --no-replays", "");
    assert!(compared.contains("after 4 games"), "{compared}");
}
