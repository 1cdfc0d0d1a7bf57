//! What bots say about themselves on their error output, for leagues and statistics.
//!
//! `[TDATA] key = value` is about the match, `[PDATA] key = value` about the player, and
//! `[PDATA+] key = value` adds to what the player said before. A turn can stand behind the tag:
//! `[PDATA][17] depth = 9`. Every other line is just a line.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use quintain_core::{PerSeat, Seat};
use quintain_record::{RESERVED_PREFIX, Tag, TagList};
use quintain_referee::Capped;

/// Values of one bot in a match. One that writes more has a fault, not something to say.
const VALUES_MAX: usize = 5_000;
const NAME_BYTES_MAX: usize = 64;
const VALUE_BYTES_MAX: usize = 256;

/// Collects the tags of a match. Of values with the same name, player and turn the last counts, or
/// their sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags {
    /// By name, player and turn.
    collected: BTreeMap<(String, Option<Seat>, Option<u32>), String>,
    /// How many of them each bot was the first to give.
    given: PerSeat<usize>,
    /// How many each bot gave beyond that.
    dropped: PerSeat<u64>,
    /// The begun line of each bot: error output is taken turn by turn, not line by line.
    begun: PerSeat<String>,
}

impl Tags {
    /// Takes what a bot wrote since the last call.
    pub(crate) fn hear(&mut self, seat: Seat, stderr: &Capped) {
        if stderr.is_empty() {
            return;
        }
        let mut text = std::mem::take(&mut self.begun[seat]);
        if stderr.dropped > 0 {
            // The beginning is lost, so what was begun does not go on here.
            text.clear();
        }
        text.push_str(&stderr.text);
        let end = text.rfind('\n').map_or(0, |position| position + 1);
        for line in text[..end].lines() {
            self.hear_line(seat, line);
        }
        let rest = &text[end..];
        if rest.len() <= LINE_BYTES_MAX {
            self.begun[seat] = rest.to_owned();
        }
    }

    /// All that was said. A last line without an end counts.
    pub(crate) fn finish(mut self) -> TagList {
        for seat in Seat::BOTH {
            let line = std::mem::take(&mut self.begun[seat]);
            self.hear_line(seat, &line);
        }
        let tag = |((name, seat, turn), value)| Tag { name, seat, turn, value };
        TagList { tags: self.collected.into_iter().map(tag).collect(), dropped: self.dropped }
    }

    fn hear_line(&mut self, seat: Seat, line: &str) {
        let Some(parsed) = parse(line) else { return };
        let about = match parsed.kind {
            Kind::Match => None,
            Kind::Player | Kind::PlayerSum => Some(seat),
        };
        match self.collected.entry((parsed.name.to_owned(), about, parsed.turn)) {
            Entry::Occupied(mut known) if parsed.kind == Kind::PlayerSum => {
                let before = known.get().parse().unwrap_or(0.0);
                known.insert((before + parsed.number().unwrap_or(0.0)).to_string());
            }
            Entry::Occupied(mut known) => {
                known.insert(parsed.value.to_owned());
            }
            Entry::Vacant(_) if self.given[seat] >= VALUES_MAX => self.dropped[seat] += 1,
            Entry::Vacant(new) => {
                new.insert(parsed.value.to_owned());
                self.given[seat] += 1;
            }
        }
    }
}

/// The longest line that can hold a tag: brackets, turn, blanks and the two limits.
const LINE_BYTES_MAX: usize = NAME_BYTES_MAX + VALUE_BYTES_MAX + 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Match,
    Player,
    PlayerSum,
}

#[derive(Debug, PartialEq)]
struct Parsed<'a> {
    kind: Kind,
    turn: Option<u32>,
    name: &'a str,
    value: &'a str,
}

impl Parsed<'_> {
    fn number(&self) -> Option<f64> {
        self.value.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// Reads a line, or finds that it is no tag.
fn parse(line: &str) -> Option<Parsed<'_>> {
    let (kind, rest) = bracketed(line.trim())?;
    let kind = match kind.to_ascii_uppercase().as_str() {
        "TDATA" => Kind::Match,
        "PDATA" => Kind::Player,
        "PDATA+" => Kind::PlayerSum,
        _ => return None,
    };
    let (turn, rest) = match bracketed(rest) {
        // No match has more turns than fit in 16 bits; league runners rely on it.
        Some((turn, rest)) => (Some(u32::from(turn.parse::<u16>().ok()?)), rest),
        None => (None, rest),
    };
    let (name, value) = rest.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let is_name = !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && !name.starts_with(RESERVED_PREFIX)
        && !name.contains(|c: char| c.is_whitespace() || c.is_control());
    let is_value = !value.is_empty()
        && value.len() <= VALUE_BYTES_MAX
        && !value.contains(|c: char| c.is_control());
    let parsed = Parsed { kind, turn, name, value };
    let adds_up = kind != Kind::PlayerSum || parsed.number().is_some();
    (is_name && is_value && adds_up).then_some(parsed)
}

/// `[inside]rest`
fn bracketed(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.split_once(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Capped {
        Capped { text: text.to_owned(), dropped: 0 }
    }

    fn collect(texts: &[(Seat, &str)]) -> Vec<(Option<Seat>, Option<u32>, String, String)> {
        let mut tags = Tags::default();
        for (seat, text) in texts {
            tags.hear(*seat, &said(text));
        }
        let row = |tag: Tag| (tag.seat, tag.turn, tag.name, tag.value);
        tags.finish().tags.into_iter().map(row).collect()
    }

    fn row(
        seat: Option<Seat>,
        turn: Option<u32>,
        name: &str,
        value: &str,
    ) -> (Option<Seat>, Option<u32>, String, String) {
        (seat, turn, name.to_owned(), value.to_owned())
    }

    #[test]
    fn the_three_kinds_are_told_apart() {
        let text = "[TDATA] sites = 24\n[PDATA] depth = 7\n[PDATA] depth = 9\n[PDATA+] nodes = 100\n\
                    [PDATA+] nodes = 20.5\n[pdata][3] best move=WALK left\n[PDATA][3] eval=-1\n";
        assert_eq!(
            collect(&[(Seat::Second, text)]),
            [
                row(Some(Seat::Second), None, "depth", "9"),
                row(Some(Seat::Second), Some(3), "eval", "-1"),
                row(Some(Seat::Second), None, "nodes", "120.5"),
                row(None, None, "sites", "24"),
            ]
        );
    }

    #[test]
    fn lines_that_are_no_tags_are_left_alone() {
        let lines = [
            "",
            "PDATA depth = 7",
            "[PDATA] depth 7",
            "[PDATA] = 7",
            "[PDATA] depth =",
            "[PDATA][x] depth = 7",
            "[PDATA+] nodes = many",
            "[PDATA+] nodes = inf",
            "[QDATA] depth = 7",
            "[PDATA",
            "x [PDATA] depth = 7",
            "[PDATA] quintain.dropped = 7",
        ];
        for line in lines {
            assert_eq!(parse(line), None, "{line}");
        }
        assert_eq!(parse(&format!("[PDATA] {} = 1", "n".repeat(NAME_BYTES_MAX + 1))), None);
    }

    #[test]
    fn a_line_may_come_in_pieces_and_each_player_has_its_own() {
        let pieces = [
            (Seat::First, "[PDATA] de"),
            (Seat::Second, "[PDATA] depth = 1\r\n"),
            (Seat::First, "pth = 2"),
        ];
        assert_eq!(
            collect(&pieces),
            [
                row(Some(Seat::First), None, "depth", "2"),
                row(Some(Seat::Second), None, "depth", "1"),
            ]
        );
    }

    #[test]
    fn what_was_begun_before_a_gap_does_not_go_on_after_it() {
        let mut tags = Tags::default();
        tags.hear(Seat::First, &said("[PDATA] depth = 1"));
        let after_gap = Capped { text: "2\n[PDATA] width = 3\n".to_owned(), dropped: 9000 };
        tags.hear(Seat::First, &after_gap);
        let names: Vec<String> = tags.finish().tags.into_iter().map(|tag| tag.name).collect();
        assert_eq!(names, ["width"]);
    }

    #[test]
    fn a_flood_of_names_is_cut_off_and_counted_and_leaves_room_for_the_other_bot() {
        let mut tags = Tags::default();
        for (seat, kind) in
            [(Seat::First, "TDATA"), (Seat::First, "PDATA"), (Seat::Second, "PDATA")]
        {
            let line = |number: usize| format!("[{kind}] k{number} = 1\n");
            tags.hear(seat, &said(&(0..VALUES_MAX).map(line).collect::<String>()));
        }
        let TagList { tags, dropped } = tags.finish();
        assert_eq!(dropped, PerSeat([VALUES_MAX as u64, 0]));
        let of_second = tags.iter().filter(|tag| tag.seat == Some(Seat::Second)).count();
        assert_eq!((tags.len(), of_second), (2 * VALUES_MAX, VALUES_MAX));
    }
}
