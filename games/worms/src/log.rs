//! What the original runner's match log holds about a match: CSV lines, the state with nothing hidden,
//! the referee's notes, the line at the end.

use quintain_core::decimal::push_field;
use quintain_core::entelect::RunnerLog;
use quintain_core::{Game, Seat};

use crate::cell::Cell;
use crate::event::{Event, Missile, ThrowResult};
use crate::json;
use crate::render::{csv_command, push};
use crate::rows::Rows;
use crate::rules::Worms;
use crate::view::Side;

impl RunnerLog for Worms {
    const CSV_HEADER_END: &'static str = "\n";
    const STDERR_STICKS: bool = false;

    fn csv_header(&self) -> String {
        let mut columns: Vec<String> =
            ["Round", "LastCommandType", "LastCommand", "ActiveWorm", "Score", "Health"]
                .map(str::to_owned)
                .to_vec();
        for id in 1..=self.game_config().worm_count() {
            columns.extend(["Health", "x", "y"].map(|name| format!("Worm{id} {name}")));
        }
        columns.join(&self.game_config().csv_separator)
    }

    fn csv_line(&self, seat: Seat) -> String {
        let player = &self.players()[seat];
        let (kind, command) = csv_command(&player.last);
        let mut columns = vec![
            (self.turn() + 1).to_string(),
            kind.to_owned(),
            format!("\"{command}\""),
            player.previous_id().to_string(),
            player.score().to_string(),
            player.health().to_string(),
        ];
        for worm in player.worms() {
            columns.extend([worm.hp.to_string(), worm.at.x.to_string(), worm.at.y.to_string()]);
        }
        columns.join(&self.game_config().csv_separator)
    }

    fn global_state(before: &Self, after: &Self, events: &[Event], out: &mut Vec<u8>) {
        let config = after.game_config();
        let sides = Seat::BOTH.map(|seat| {
            let mut side = Side::new(after, seat, true);
            // The original has not yet made the round's commands the previous ones.
            side.last = before.players()[seat].last.clone();
            side
        });
        json::push_match(out, config, after.turn());
        push(out, ",\"opponents\":[");
        json::push_side(out, config, &sides[0], true);
        out.push(b',');
        json::push_side(out, config, &sides[1], true);
        push(out, "],\"map\":");
        let (sides, mut rows) = ([&sides[0], &sides[1]], Rows::default());
        json::push_map(out, config, after.ground(), sides, after.packs(), &mut rows);
        push(out, ",\"visualizerEvents\":[");
        push_events(out, after, events);
        push(out, "]}");
    }

    fn remark_subject(seat: Seat, name: &str) -> String {
        format!("Player: {} ({name})", seat.index() + 1)
    }

    fn remarks(&self, out: &mut Vec<String>) {
        for seat in Seat::BOTH {
            if self.is_reminded(seat) {
                let (player, round) = (seat.index() + 1, self.turn());
                out.push(format!(
                    "DoNothingsCount for @Player({player}) reached a count of 3 @Round({round})"
                ));
            }
        }
    }

    fn end_line(&self, seat: Seat, name: &str) -> String {
        let player = &self.players()[seat];
        format!("{name}- score:{} health:{}", player.score(), player.health())
    }
}

/// What the original shows its viewer, one object for each command that was carried out or frozen.
fn push_events(out: &mut Vec<u8>, game: &Worms, events: &[Event]) {
    let mut is_first = true;
    for (index, event) in events.iter().enumerate() {
        let Some(shown) = Shown::new(game, event, &events[index + 1..]) else {
            continue;
        };
        if !std::mem::replace(&mut is_first, false) {
            out.push(b',');
        }
        shown.push(out, game);
    }
}

/// An event as the viewer is shown it.
struct Shown {
    kind: &'static str,
    result: Option<&'static str>,
    start: Option<(i32, i32)>,
    end: Option<(i32, i32)>,
    worm: (u8, Seat),
    cells: Option<Vec<Cell>>,
}

impl Shown {
    fn new(game: &Worms, event: &Event, following: &[Event]) -> Option<Shown> {
        let pair = |cell: Cell| Some((i32::from(cell.x), i32::from(cell.y)));
        let plain = |kind, seat: Seat, worm: u8| Shown {
            kind,
            result: None,
            start: None,
            end: None,
            worm: (worm, seat),
            cells: None,
        };
        Some(match *event {
            Event::Selected { seat, worm } => plain("select", seat, worm),
            Event::Idled { seat, worm, .. } => plain("nothing", seat, worm),
            Event::Ignored { seat, worm, .. } => {
                Shown { result: Some("frozen"), ..plain("nothing", seat, worm) }
            }
            Event::Moved { seat, worm, from, to } => Shown {
                result: Some("MOVED"),
                start: pair(from),
                end: pair(to),
                ..plain("move", seat, worm)
            },
            Event::Collided { seat, worm, from, is_swap, .. } => Shown {
                result: Some(if is_swap { "SWAPPED" } else { "PUSHEDBACK" }),
                start: pair(from),
                end: pair(from),
                ..plain("move", seat, worm)
            },
            Event::Dug { seat, worm, at } => Shown { end: pair(at), ..plain("dig", seat, worm) },
            Event::Shot { seat, worm, from, at, result, .. } => Shown {
                result: Some(result.name()),
                start: pair(from),
                end: Some(at),
                ..plain("shoot", seat, worm)
            },
            Event::Threw { seat, worm, missile, from, at, result } => {
                let (kind, cells) = match missile {
                    Missile::Banana => ("banana", blasted(following)),
                    Missile::Snowball if result == ThrowResult::DeepSpace => {
                        ("snowball", Vec::new())
                    }
                    Missile::Snowball => ("snowball", game.snowball_square(worm, at)),
                };
                Shown {
                    result: Some(result.name()),
                    start: pair(from),
                    end: pair(at),
                    cells: Some(cells),
                    ..plain(kind, seat, worm)
                }
            }
            _ => return None,
        })
    }

    fn push(&self, out: &mut Vec<u8>, game: &Worms) {
        push(out, "{\"type\":\"");
        push(out, self.kind);
        out.push(b'"');
        if let Some(result) = self.result {
            push(out, ",\"result\":\"");
            push(out, result);
            out.push(b'"');
        }
        for (key, place) in [("positionStart", self.start), ("positionEnd", self.end)] {
            if let Some((x, y)) = place {
                push(out, &format!(",\"{key}\":{{\"x\":{x},\"y\":{y}}}"));
            }
        }
        push_field(out, ",\"wormCommanded\":{\"id\":", self.worm.0);
        push_field(out, ",\"playerId\":", self.worm.1.index() as i64 + 1);
        out.push(b'}');
        if let Some(cells) = &self.cells {
            push(out, ",\"affectedCells\":[");
            for (index, &cell) in cells.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                json::push_bare_cell(out, game.ground(), game.packs(), cell);
            }
            out.push(b']');
        }
        out.push(b'}');
    }
}

/// The dirt that a banana destroyed: what follows its throw.
fn blasted(following: &[Event]) -> Vec<Cell> {
    let own = following.iter().take_while(|event| !matches!(event, Event::Scored { .. }));
    own.filter_map(|event| match event {
        Event::Blasted { at } => Some(*at),
        _ => None,
    })
    .collect()
}
