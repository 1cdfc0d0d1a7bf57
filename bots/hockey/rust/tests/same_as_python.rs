//! Both sample bots are asked the same questions and must give the same answers, byte by byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A bot that runs beside the test, over its standard input and output.
struct Bot {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Bot {
    fn start(command: &mut Command) -> Bot {
        let command = command.args(["--stdio", "Alice"]).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the bot can be started");
        let to = child.stdin.take().expect("its input is a pipe");
        let from = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Bot { child, to, from }
    }

    fn say(&mut self, line: &str) {
        self.to.write_all(format!("{line}\r\n").as_bytes()).expect("the bot listens");
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the bot answers in UTF-8");
        line
    }

    /// Closes its input and waits for it to leave by itself.
    fn leave(self) -> bool {
        let Bot { mut child, to, from } = self;
        drop(to);
        drop(from);
        child.wait().expect("the bot can be waited for").success()
    }
}

fn both() -> [Bot; 2] {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/bot.py");
    [
        Bot::start(&mut Command::new(env!("CARGO_BIN_EXE_hockey-sample-bot"))),
        Bot::start(Command::new("python3").arg(python)),
    ]
}

fn say(bots: &mut [Bot; 2], line: &str) {
    bots.iter_mut().for_each(|bot| bot.say(line));
}

/// The answer on which both agree, without its line end.
fn answer(bots: &mut [Bot; 2]) -> String {
    let [rust, python] = bots.each_mut().map(Bot::answer);
    assert_eq!(rust, python, "Rust on the left, Python on the right");
    rust.strip_suffix("\r\n").expect("lines end with CR LF").to_owned()
}

/// The bots change sides before every throw, so that the puck wanders about the whole rink before
/// it ends in a net. A host would not do that, but the bots need not know.
#[test]
fn both_bots_make_the_same_throws_until_one_side_scores() {
    let mut bots = both();
    say(&mut bots, "What's your name?");
    assert_eq!(answer(&mut bots), "Alice");
    say(&mut bots, "Name taken, please choose another.");
    assert_eq!(answer(&mut bots), "Alice-2");
    say(&mut bots, "Welcome, Alice-2 you're player 0!");
    say(&mut bots, "Game is on - 1");

    let mut row = 5;
    let mut throws = 0;
    while (0..=10).contains(&row) {
        let goal = ["north", "south"][throws % 2];
        say(&mut bots, &format!("your goal is {goal} - 5"));
        say(&mut bots, "Alice-2 is active player - 7");
        let direction = answer(&mut bots);
        row +=
            i32::from(direction.starts_with("south")) - i32::from(direction.starts_with("north"));
        say(&mut bots, &format!("Alice-2 did go {direction} - 9"));
        throws += 1;
    }
    assert!(throws > 30, "a wandering puck was expected, got a goal after {throws} throws");
    assert!(bots.into_iter().all(Bot::leave), "both leave with success when their input ends");
}
