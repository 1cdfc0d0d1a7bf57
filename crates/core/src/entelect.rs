//! The conventions that both Entelect games share: state files, round numbers, prefixed answers,
//! and what their runner's match log holds.
//!
//! A game implements [`Rendering`] for what it shows a seat, [`Rounds`], by which [`RoundWire`] is its
//! protocol, and [`RunnerLog`]; its config has [`TimeLimits`].

mod rounds;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use rounds::{Asked, RoundClient, RoundWire, Rounds, state_value};

use crate::{FieldError, Framing, LineEnds, Manner, Opening, Outbox, PerSeat, Seat, Setting, Unit};

/// Bots paste the number they read into a path, so no CR goes out; it is tolerated coming in.
pub const FRAMING: Framing =
    Framing { line_ends_in: LineEnds::LfOrCrLf, line_end_out: "\n", line_bytes_max: 16384 };

/// For the answer of a round.
pub const ROUND_LIMIT_MS: u32 = 1000;
/// The first answer has this much more: their tournament runner waited as long before round 1.
pub const START_LIMIT_MS: u32 = 5000;

/// The text that stands for a missing answer in the runner's files.
pub const NO_COMMAND: &str = "No Command";

/// # Errors
/// The runner's seeds are 32-bit numbers, and maps are made from nothing else.
pub fn check_seed(seed: i64) -> Result<(), FieldError> {
    match i32::try_from(seed) {
        Ok(_) => Ok(()),
        Err(_) => Err(FieldError::new(
            "seed",
            format!("a whole number from {} to {}", i32::MIN, i32::MAX),
            seed,
        )),
    }
}

/// Where the prefix of an answer may stand in its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prefix {
    /// The runner takes no line that does not begin with it.
    #[default]
    AtLineStart,
    /// White space before it is overlooked: a document prints its examples so.
    AfterWhiteSpace,
}

/// The time for an answer, in a game's config.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeLimits {
    pub round_ms: u32,
    /// How much more the first answer has.
    pub start_ms: u32,
}

impl Default for TimeLimits {
    fn default() -> Self {
        TimeLimits { round_ms: ROUND_LIMIT_MS, start_ms: START_LIMIT_MS }
    }
}

/// The settings of every game whose config has [`TimeLimits`] as `time_limits`.
pub const SETTINGS: [Setting; 2] = [
    Setting {
        name: "limit",
        path: "time_limits.round_ms",
        raises: None,
        unit: Unit::Time { least_ms: 1 },
        help: "time for the answer of a round",
    },
    Setting {
        name: "start-limit",
        path: "time_limits.start_ms",
        raises: None,
        unit: Unit::Time { least_ms: 0 },
        help: "how much more the first answer has",
    },
];

impl TimeLimits {
    /// # Errors
    /// If there is no time to answer at all.
    pub fn check(self) -> Result<(), FieldError> {
        if self.round_ms > 0 {
            return Ok(());
        }
        Err(FieldError::new("time_limits.round_ms", "more than 0 ms", 0))
    }

    pub fn limit(self, is_first_answer: bool) -> Duration {
        let more = if is_first_answer { self.start_ms } else { 0 };
        Duration::from_millis(u64::from(self.round_ms) + u64::from(more))
    }
}

/// What a seat is shown before a round, in every form. Each method appends UTF-8 to `out`; none
/// adds a line end after the last line. Only the forms that somebody reads are asked for.
pub trait Rendering {
    /// `state.json`
    fn json(&mut self, out: &mut Vec<u8>);

    /// `textMap.txt`
    fn text(&mut self, out: &mut Vec<u8>);

    /// What a person is shown, in lines that end in LF or CR LF.
    fn console(&mut self, out: &mut Vec<u8>);

    /// The question that follows the console rendering; it may have several lines.
    fn console_prompt(&mut self, out: &mut Vec<u8>);

    /// The object of `state.json` without a line break. A game whose file has none says so by
    /// calling [`Rendering::json`].
    fn json_line(&mut self, out: &mut Vec<u8>) {
        let mut json = Vec::new();
        self.json(&mut json);
        compact_json(&json, out);
    }
}

/// Leaves out the white space between the tokens of a JSON text.
pub fn compact_json(json: &[u8], out: &mut Vec<u8>) {
    for (byte, in_string) in with_strings(json) {
        if in_string || !byte.is_ascii_whitespace() {
            out.push(byte);
        }
    }
}

/// Lays out a JSON text without white space as the original of Overdrive prints it: members and
/// elements on lines of their own, two blanks deeper than what holds them, and no blank after a colon.
pub fn pretty_json(compact: &[u8], out: &mut Vec<u8>) {
    const BLANKS_PER_LEVEL: usize = 2;
    let break_line = |out: &mut Vec<u8>, depth: usize| {
        out.push(b'\n');
        out.resize(out.len() + depth * BLANKS_PER_LEVEL, b' ');
    };
    let (mut depth, mut is_after_opening) = (0, false);
    for (byte, in_string) in with_strings(compact) {
        let opens = !in_string && matches!(byte, b'{' | b'[');
        let closes = !in_string && matches!(byte, b'}' | b']');
        if closes {
            depth -= 1;
        }
        // What is empty stays on its line.
        if is_after_opening != closes {
            break_line(out, depth);
        }
        out.push(byte);
        if opens {
            depth += 1;
        } else if byte == b',' && !in_string {
            break_line(out, depth);
        }
        is_after_opening = opens;
    }
}

/// The bytes of a JSON text, each with whether it belongs to a string. Of the two quotes only the
/// closing one does, so what is no string is structure.
fn with_strings(json: &[u8]) -> impl Iterator<Item = (u8, bool)> {
    let (mut in_string, mut is_escaped) = (false, false);
    json.iter().map(move |&byte| {
        let was_in_string = in_string;
        if byte == b'"' && !is_escaped {
            in_string = !in_string;
        }
        is_escaped = in_string && byte == b'\\' && !is_escaped;
        (byte, was_in_string)
    })
}

/// The conversation of one match: round numbers out, prefixed commands in.
#[derive(Clone, Debug)]
pub struct RoundDialogue {
    manners: PerSeat<Manner>,
    /// The round that each seat was last told of.
    rounds: PerSeat<u32>,
    prefix: Prefix,
    /// How much room the largest state has taken so far, so that the next is written in one piece.
    json_bytes: usize,
    text_bytes: usize,
}

impl RoundDialogue {
    pub fn new(opening: &Opening) -> Self {
        RoundDialogue {
            manners: opening.manners,
            rounds: PerSeat::default(),
            prefix: Prefix::default(),
            json_bytes: 0,
            text_bytes: 0,
        }
    }

    /// Tells a seat the state before a round, in its manner, and asks for its command.
    pub fn tell(&mut self, asked: Asked, state: &mut impl Rendering, out: &mut Outbox) {
        let Asked { seat, round, prefix } = asked;
        self.rounds[seat] = round;
        self.prefix = prefix;
        match self.manners[seat] {
            Manner::Inside => {}
            Manner::Files => {
                let json = written(&mut self.json_bytes, |out| state.json(out));
                let text = written(&mut self.text_bytes, |out| state.text(out));
                out.file(seat, format!("rounds/{round}/state.json"), json);
                out.file(seat, format!("rounds/{round}/textMap.txt"), text.clone());
                out.file(seat, format!("rounds/{round}/state.txt"), text);
                out.line(seat, round.to_string());
            }
            Manner::Lines => {
                let json = written(&mut self.json_bytes, |out| state.json_line(out));
                out.line(seat, round.to_string());
                out.line(seat, into_text(json));
            }
            Manner::Console => {
                let mut shown = Vec::new();
                state.console(&mut shown);
                shown.push(b'\n');
                state.console_prompt(&mut shown);
                for line in into_text(shown).lines() {
                    out.line(seat, line);
                }
            }
        }
    }

    /// The command in a line of a seat; `None` if the line is to be ignored: the seat is not
    /// asked, or the prefix of the current round is not where it may stand.
    pub fn command<'a>(&self, seat: Seat, asked: bool, line: &'a str) -> Option<&'a str> {
        if !asked {
            return None;
        }
        command_in(self.manners[seat], self.rounds[seat], self.prefix, line)
    }

    /// The line by which a seat gives this command now. The inverse of [`RoundDialogue::command`].
    pub fn say(&self, seat: Seat, command: &str) -> String {
        match self.manners[seat] {
            Manner::Console => command.to_owned(),
            _ => prefixed(self.rounds[seat], command),
        }
    }
}

/// A command with the prefix of its round.
pub fn prefixed(round: u32, command: &str) -> String {
    format!("C;{round};{command}")
}

/// The command in a line that came while its seat was asked for that of `round`. A person types the
/// bare command, and one who only presses return has not answered yet.
pub fn command_in(manner: Manner, round: u32, prefix: Prefix, line: &str) -> Option<&str> {
    if manner == Manner::Console {
        return (!line.trim().is_empty()).then_some(line);
    }
    let line = match prefix {
        Prefix::AtLineStart => line,
        Prefix::AfterWhiteSpace => line.trim_start(),
    };
    let (number, command) = line.strip_prefix("C;")?.split_once(';')?;
    // Compared as text: `C;07;` is no answer to round 7.
    (number == round.to_string()).then_some(command)
}

/// What `write` appends, with a bit more room from the start than was ever needed: states grow.
fn written(bytes_most: &mut usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(*bytes_most + *bytes_most / 8);
    write(&mut out);
    *bytes_most = out.len().max(*bytes_most);
    out
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("renderings are UTF-8")
}

/// What the original runner's match-log folder holds about a game, beyond what a seat is shown.
/// Driven by a follower, live or over a replay; `conform` uses it too.
pub trait RunnerLog: Rounds {
    /// The first line of a seat's CSV file, without its line end.
    fn csv_header(&self) -> String;

    /// The seat's CSV line before the next round, without its line end.
    fn csv_line(&self, seat: Seat) -> String;

    /// What stands between the header and the first line: LF, or CR LF.
    const CSV_HEADER_END: &'static str;

    /// What the seat's CSV file has before the next round: its line, and before the first round its
    /// header.
    fn csv(&self, seat: Seat, is_first: bool) -> String {
        let line = self.csv_line(seat);
        if is_first { self.csv_header() + Self::CSV_HEADER_END + &line } else { line }
    }

    /// Whether the last line of error output counts for every later round too.
    const STDERR_STICKS: bool;

    /// Appends `GlobalState.json` of the round that led from `before` to `after`.
    fn global_state(before: &Self, after: &Self, events: &[Self::Event], out: &mut Vec<u8>);

    /// How the runner's remarks name a player, for instance `Player: 1 (A - nick)`.
    fn remark_subject(seat: Seat, name: &str) -> String;

    /// Pushes the remarks of the game's own referee on the round that led to this position, in full.
    /// Any remark asks for the match to be verified by a person.
    fn remarks(&self, out: &mut Vec<String>);

    /// The player's line in `endGameState.txt`, without its line end.
    fn end_line(&self, seat: Seat, name: &str) -> String;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;

    struct Sheet;

    impl Rendering for Sheet {
        fn json(&mut self, out: &mut Vec<u8>) {
            out.extend_from_slice(b"{\n  \"a b\":\"\\\" c\",\r\n  \"d\":[ 1,\t2 ]\n}");
        }

        fn text(&mut self, out: &mut Vec<u8>) {
            out.extend_from_slice("░1\r\n▓2".as_bytes());
        }

        fn console(&mut self, out: &mut Vec<u8>) {
            self.text(out);
        }

        fn console_prompt(&mut self, out: &mut Vec<u8>) {
            out.extend_from_slice(b"enter a command");
        }
    }

    fn talk(first: Manner, second: Manner) -> RoundDialogue {
        let manners = PerSeat([first, second]);
        RoundDialogue::new(&Opening { manners, ..Opening::new(PerSeat::default()) })
    }

    fn asked(seat: Seat, prefix: Prefix) -> Asked {
        Asked { seat, round: 7, prefix }
    }

    fn told(manner: Manner) -> Vec<Item> {
        let mut out = Outbox::default();
        let mut talk = talk(manner, Manner::Inside);
        talk.tell(asked(Seat::First, Prefix::AtLineStart), &mut Sheet, &mut out);
        out.0.into_iter().map(|(_, item)| item).collect()
    }

    #[test]
    fn files_come_before_the_number() {
        let items = told(Manner::Files);
        let paths: Vec<&str> = items
            .iter()
            .map(|item| match item {
                Item::File { path, .. } => path.as_str(),
                Item::Line(line) => line.as_str(),
            })
            .collect();
        let expected = ["rounds/7/state.json", "rounds/7/textMap.txt", "rounds/7/state.txt", "7"];
        assert_eq!(paths, expected);
        let bytes = |index: usize| match &items[index] {
            Item::File { bytes, .. } => bytes.clone(),
            Item::Line(line) => panic!("expected a file, found {line}"),
        };
        assert_eq!(bytes(1), bytes(2));
        assert_eq!(bytes(1), "░1\r\n▓2".as_bytes());
    }

    #[test]
    fn every_member_and_element_has_a_line_of_its_own_and_what_is_empty_has_none() {
        let compact = r#"{"a":{"b":[1,[],"{,[\\\""],"c":{}},"d":-2}"#;
        let mut pretty = Vec::new();
        pretty_json(compact.as_bytes(), &mut pretty);
        let lines = [
            "{",
            "  \"a\":{",
            "    \"b\":[",
            "      1,",
            "      [],",
            "      \"{,[\\\\\\\"\"",
            "    ],",
            "    \"c\":{}",
            "  },",
            "  \"d\":-2",
            "}",
        ];
        assert_eq!(String::from_utf8_lossy(&pretty), lines.join("\n"));
        let mut again = Vec::new();
        compact_json(&pretty, &mut again);
        assert_eq!(again, compact.as_bytes());
    }

    #[test]
    fn lines_hold_the_same_object_on_one_line() {
        let json = r#"{"a b":"\" c","d":[1,2]}"#;
        assert_eq!(told(Manner::Lines), ["7", json].map(|line| Item::Line(line.to_owned())));
        assert_eq!(told(Manner::Inside), []);
    }

    #[test]
    fn a_person_sees_the_console_and_the_question() {
        let lines = ["░1", "▓2", "enter a command"];
        assert_eq!(told(Manner::Console), lines.map(|line| Item::Line(line.to_owned())));
    }

    #[test]
    fn only_the_prefix_of_the_round_is_heard() {
        let mut talk = talk(Manner::Files, Manner::Console);
        for seat in Seat::BOTH {
            talk.tell(asked(seat, Prefix::AtLineStart), &mut Sheet, &mut Outbox::default());
        }
        let heard = |line| talk.command(Seat::First, true, line);
        assert_eq!(heard("C;7;select 2;move 5 6"), Some("select 2;move 5 6"));
        assert_eq!(heard("C;7;"), Some(""));
        let foreign = [
            "C;6;nothing",
            "C;07;nothing",
            " C;7;nothing",
            "c;7;nothing",
            "C;7",
            "7",
            "",
            "C;77;x",
        ];
        for line in foreign {
            assert_eq!(heard(line), None, "{line:?}");
        }
        assert_eq!(talk.command(Seat::First, false, "C;7;nothing"), None);
        assert_eq!(talk.command(Seat::Second, true, "move 1 2"), Some("move 1 2"));
        assert_eq!(talk.command(Seat::Second, true, " "), None);
        for seat in Seat::BOTH {
            let line = talk.say(seat, "dig 3 4");
            assert_eq!(talk.command(seat, true, &line), Some("dig 3 4"));
        }
    }

    #[test]
    fn white_space_before_the_prefix_is_overlooked_where_the_rules_say_so() {
        let mut talk = talk(Manner::Files, Manner::Lines);
        for seat in Seat::BOTH {
            talk.tell(asked(seat, Prefix::AfterWhiteSpace), &mut Sheet, &mut Outbox::default());
            for line in ["C;7;dig 3 4", " C;7;dig 3 4", "\t  C;7;dig 3 4"] {
                assert_eq!(talk.command(seat, true, line), Some("dig 3 4"), "{line:?}");
            }
            for line in [" C;6;dig 3 4", " c;7;dig 3 4", "- C;7;dig 3 4", "C; 7;dig 3 4", " "] {
                assert_eq!(talk.command(seat, true, line), None, "{line:?}");
            }
        }
    }

    #[test]
    fn the_first_answer_has_as_much_more_as_was_chosen() {
        let usual = TimeLimits::default();
        assert_eq!(usual.limit(true), Duration::from_secs(6));
        assert_eq!(usual.limit(false), Duration::from_secs(1));
        let hurried = TimeLimits { round_ms: 250, start_ms: 0 };
        assert_eq!(hurried.limit(true), Duration::from_millis(250));
        assert!(usual.check().is_ok());
        assert!(TimeLimits { round_ms: 0, ..usual }.check().is_err());
    }

    #[test]
    fn seeds_are_32_bit_numbers() {
        for seed in [i64::from(i32::MIN), 0, i64::from(i32::MAX)] {
            assert_eq!(check_seed(seed), Ok(()));
        }
        for seed in [i64::from(i32::MIN) - 1, i64::from(i32::MAX) + 1, i64::MAX] {
            let error = check_seed(seed).expect_err("beyond 32 bits");
            assert!(
                error.to_string().starts_with("seed: expected a whole number from -2147483648")
            );
        }
    }
}
