//! What is drawn: the rink, every throw as a line in its thrower's colour, and the puck.
//!
//! One unit is one step of the puck, and node (0, 0) is the origin. A net has the colour of the seat
//! that scores in it, so each player throws towards its own colour; the wire calls that net "your
//! goal". The position does not remember who used a line: [`Trail`] does. Lines that a setup used up
//! belong to nobody and are drawn in the colour of text.

mod rink;
mod throws;

use quintain_core::scene::{
    CAPTION_LETTERS_MAX, Eye, Mark, Panel, Point, Scene, Stage, TextScene, Viewing, deeds_line,
};
use quintain_core::{PerSeat, Seat, Spectate};

use crate::deeds::deeds;
use crate::text::board_text;
use crate::{Direction, Ending, Event, Hockey, Node};

/// The throws of a match, in order.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    throws: Vec<Throw>,
}

impl Trail {
    /// The throws of a seat's latest turn, in order.
    pub(crate) fn run(&self, seat: Seat) -> Vec<Direction> {
        let after = self.throws.iter().rev().skip_while(|throw| throw.seat != seat);
        let mut run: Vec<Direction> =
            after.take_while(|throw| throw.seat == seat).map(|throw| throw.direction).collect();
        run.reverse();
        run
    }

    /// The numbers of the throws of the latest turn, whoever's it is.
    fn latest_run(&self) -> std::ops::Range<usize> {
        let end = self.throws.len();
        let seat = self.throws.last().map(|throw| throw.seat);
        let run = self.throws.iter().rev().take_while(|throw| Some(throw.seat) == seat);
        end - run.count()..end
    }

    /// How long each turn of a seat was, in throws.
    fn runs(&self, seat: Seat) -> impl Iterator<Item = usize> {
        let turns = self.throws.chunk_by(|before, after| before.seat == after.seat);
        turns.filter(move |turn| turn[0].seat == seat).map(<[Throw]>::len)
    }
}

#[derive(Clone, Copy, Debug)]
struct Throw {
    seat: Seat,
    from: Node,
    direction: Direction,
    to: Node,
}

/// Longer names would run over the edge of the picture.
const NAME_LETTERS_MAX: usize = 24;

impl Spectate for Hockey {
    type Trail = Trail;

    const TURN_MS: u32 = 350;

    fn stage(&self) -> Stage {
        rink::stage()
    }

    fn follow(trail: &mut Trail, events: &[Event]) {
        for event in events {
            if let Event::Threw { seat, from, direction, to, .. } = *event {
                trail.throws.push(Throw { seat, from, direction, to });
            }
        }
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        rink::draw_net_names(&names, scene);
        self.draw_old_lines(watch.trail, scene);
        throws::draw_throws(watch, &names, scene);
        self.draw_free_lines(scene);
        self.draw_puck(scene);
        self.add_panels(watch.trail, scene);
        // The puck's row, seen from the second player's net: upwards is where the first one scores.
        scene.curve = PerSeat([5.0 - f64::from(self.board().puck().y()), 0.0]);
        scene.deeds = deeds(watch);
        scene.caption = self.caption(&names, scene);
    }

    fn text(&self, _eye: Eye, out: &mut TextScene) {
        board_text(self.board(), out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        match *event {
            Event::Threw { seat, direction, next, .. } => {
                let bounce = if next == Some(seat) { ", bounce" } else { "" };
                format!("{} throws {direction}{bounce}", names[seat])
            }
            Event::Refused { seat, why } => format!("{} is refused {why}", names[seat]),
            Event::Ended { ending, last } => {
                let own_goal = match ending {
                    Ending::Goal { winner } if winner != last => ", by an own goal",
                    _ => "",
                };
                format!("{}{own_goal}", result(ending, names))
            }
        }
    }

    fn mark(event: &Event) -> Option<Mark> {
        match *event {
            Event::Threw { .. } | Event::Refused { .. } => None,
            Event::Ended { ending, .. } => Some(match ending {
                Ending::Goal { winner } => Mark::event(winner, "goal"),
                Ending::Checkmate { winner } => Mark::event(winner, "checkmate"),
                Ending::Timeout { winner } => Mark::fault(winner.other(), "timeout"),
                Ending::NeverReady { winner } => Mark::fault(winner.other(), "never ready"),
                Ending::NobodyReady => Mark::common("never ready"),
            }),
        }
    }
}

impl Hockey {
    fn caption(&self, names: &PerSeat<String>, scene: &Scene) -> String {
        if let Some(ending) = self.ending() {
            return result(ending, names);
        }
        let next = format!("{} to throw", names[self.board().active()]);
        let room = CAPTION_LETTERS_MAX.saturating_sub(next.chars().count() + 2);
        match deeds_line(&scene.deeds, names, room) {
            done if done.is_empty() => next,
            done => format!("{done}; {next}"),
        }
    }

    fn add_panels(&self, trail: &Trail, scene: &mut Scene) {
        for seat in Seat::BOTH {
            let goal = match seat {
                Seat::First => "north",
                Seat::Second => "south",
            };
            let is_active = self.ending().is_none() && self.board().active() == seat;
            let panel = Panel::new(seat, "goal", goal);
            let panel = if is_active { panel.changed("to throw") } else { panel };
            scene.panels.push(panel);
            let bounces: usize = trail.runs(seat).map(|throws| throws - 1).sum();
            scene.add_panel(seat, "throws", trail.runs(seat).sum::<usize>());
            scene.add_panel(seat, "bounces", bounces);
            scene.add_panel(seat, "longest run", trail.runs(seat).max().unwrap_or(0));
        }
    }
}

fn result(ending: Ending, names: &PerSeat<String>) -> String {
    match (ending, ending.winner()) {
        (Ending::NeverReady { winner }, _) => {
            let loser = &names[winner.other()];
            format!("{} wins: {loser} {}", names[winner], ending.reason())
        }
        (_, Some(winner)) => format!("{} wins: {}", names[winner], ending.reason()),
        (_, None) => "nobody wins: neither player ever became ready".to_owned(),
    }
}

impl From<Node> for Point {
    fn from(node: Node) -> Point {
        Point::new(f64::from(node.x()), f64::from(node.y()))
    }
}
