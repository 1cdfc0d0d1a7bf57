//! The recorded conversation of the original server with two clients, acted out again.
//!
//! The file decides what is said and what is expected. It leaves out some of its second game, which
//! is filled in here: how its second client gave its name.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::client::RawClient;
use crate::server::{Server, Turn, serve};

/// The limit of the recording.
const TIME_LIMIT: Duration = Duration::from_secs(2);

const TRANSCRIPT: &str = "../../games/hockey/tests/vectors/tcp-transcript.txt";
const QUESTION: &str = "What's your name?\r\n";
const END: &str = "<EOF>";

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    /// A client says this.
    Says(usize, String),
    /// A client hears this, and then perhaps the end.
    Hears { client: usize, text: String, is_end: bool },
}

/// The games of the file, in order.
fn games() -> [Vec<Act>; 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TRANSCRIPT);
    let text = std::fs::read_to_string(path).expect("the transcript is part of the project");
    let mut games = [Vec::new(), Vec::new()];
    let mut game = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.contains("(game 2)") {
            game = 1;
        }
        games[game].extend(parse(line));
    }
    games
}

/// A line reads `S>0 note "text"` or `0>S note "text"`; the note is for people. `None` for what is
/// no conversation: the clock, and what did not come.
fn parse(line: &str) -> Option<Act> {
    let (head, quoted) = line.split_once(" \"").expect("a text in quotes");
    let text = unescape(quoted.strip_suffix('"').expect("a closing quote"));
    let (way, _note) = head.split_once(' ').unwrap_or((head, ""));
    match way.split_once('>') {
        // With us a bare LF ends a line: the answer to it comes at once, not never.
        Some(("S", _)) if text.starts_with("<nothing ") => None,
        Some(("S", client)) => Some(Act::Hears {
            client: client.parse().expect("the number of a client"),
            is_end: text.ends_with(END),
            text: text.trim_end_matches(END).to_owned(),
        }),
        Some((client, "S")) => {
            Some(Act::Says(client.parse().expect("the number of a client"), text))
        }
        _ => {
            assert_eq!(way, "clock", "{line}");
            None
        }
    }
}

/// The escapes of Python that a text of this protocol can have.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('r') => '\r',
                Some('n') => '\n',
                Some('t') => '\t',
                Some(same @ ('\\' | '\'' | '"')) => same,
                other => panic!("unknown escape {other:?} in {text}"),
            },
            letter => letter,
        });
    }
    plain
}

/// Acts out one game; a client connects when it is first mentioned.
fn act_out(server: &Server, game: &[Act]) {
    let mut clients: [Option<RawClient>; 2] = [None, None];
    for act in game {
        match act {
            Act::Says(client, text) => {
                let speaker = clients[*client].as_mut();
                speaker.expect("it was asked for its name").say(text);
            }
            Act::Hears { client, text, is_end } => {
                let listener =
                    clients[*client].get_or_insert_with(|| introduce(server.connect(), text));
                listener.expect(text);
                if *is_end {
                    listener.expect_end();
                }
            }
        }
    }
}

/// A client that hears first of all what the file says. If that is its welcome, the file does not
/// tell how it gave the name in it.
fn introduce(mut client: RawClient, hears: &str) -> RawClient {
    if let Some(welcomed) = hears.strip_prefix("Welcome, ") {
        let (name, _) = welcomed.split_once(" you're").expect("a name");
        client.expect(QUESTION);
        client.say(&format!("{name}\r\n"));
    }
    client
}

#[test]
fn the_recorded_games_are_acted_out_byte_for_byte() {
    let _turn = Turn::shared();
    let [first, second] = games();
    assert_eq!((first.len(), second.len()), (33, 7), "the file was read");
    let server = serve(TIME_LIMIT);
    act_out(&server, &first);
    let begun = Instant::now();
    act_out(&server, &second);
    assert!(begun.elapsed() >= TIME_LIMIT, "the time-out came too early");

    let played = server.stop();
    let ids = played.iter().map(|game| game.first_message_id());
    assert_eq!(ids.collect::<Vec<_>>(), [1, 27]);
    let reasons = played.iter().map(|game| game.report.outcome.reason);
    assert_eq!(reasons.collect::<Vec<_>>(), ["a goal was made", "timeout"]);
}

#[test]
fn lines_of_the_transcript_are_read_as_they_were_written() {
    assert_eq!(
        parse(r#"0>S bare LF "it\'s\\ \"x\"\r\n""#),
        Some(Act::Says(0, "it's\\ \"x\"\r\n".to_owned()))
    );
    let ended = Act::Hears { client: 1, text: "Bob won\r\n".to_owned(), is_end: true };
    assert_eq!(parse(r#"S>1 "Bob won\r\n<EOF>""#), Some(ended));
    assert_eq!(parse(r#"S>0 "<nothing within 1 s>""#), None);
    assert_eq!(parse(r#"clock "2.19 s""#), None);
}
