//! The bot that looks a whole turn ahead, and half a turn further.

use std::collections::VecDeque;

use quintain_core::{Bot, Seat, SplitMix64, Thinking};

use crate::{Board, Direction, Hockey, Landing, Node, View};

/// Scores if the turn's rebounds lead to the net. Otherwise it goes as near to the net as it can
/// without giving the opponent a goal in the turn after. Among equals it takes any, so that no two
/// matches need be the same.
pub(super) struct Greedy {
    pub(super) chance: SplitMix64,
}

/// Positions that one turn's search looks at. Most turns have fewer; with many rebounds the
/// shortest are seen.
const TURN_POSITIONS_MAX: usize = 1000;
/// The same for the question whether the opponent can score.
const REPLY_POSITIONS_MAX: usize = 150;
/// How many ends of a turn are examined for the opponent's answer, the most promising first.
const ENDS_EXAMINED_MAX: usize = 12;

impl Bot<Hockey> for Greedy {
    fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> Direction {
        let turn = explore(&view.board, TURN_POSITIONS_MAX);
        if let Some(direction) = turn.goal {
            return direction;
        }
        let mut ends = turn.ends;
        ends.sort_by_cached_key(|end| {
            (distance(end.board.puck(), view.seat), self.chance.next_u64())
        });
        ends.truncate(ENDS_EXAMINED_MAX);
        let is_safe = |end: &&End| explore(&end.board, REPLY_POSITIONS_MAX).goal.is_none();
        let best = ends.iter().find(is_safe).or(ends.first());
        let any = || view.board.exits(view.board.puck()).iter().next();
        best.map(|end| end.first)
            .or(turn.unfinished)
            .or_else(any)
            .expect("the player to throw has a free line")
    }
}

/// What the player to throw can reach before the turn passes.
#[derive(Default)]
struct Turn {
    /// The first throw of the shortest turn that scores.
    goal: Option<Direction>,
    /// Positions in which the turn has passed.
    ends: Vec<End>,
    /// The first throw of a turn whose end was not seen.
    unfinished: Option<Direction>,
}

/// A turn's end, and the throw that it began with.
struct End {
    board: Board,
    first: Direction,
}

/// Walks through a turn, shortest first. Own goals and checkmates are left out: they are no way to
/// go.
fn explore(board: &Board, positions_max: usize) -> Turn {
    let seat = board.active();
    let mut turn = Turn::default();
    let mut open = VecDeque::from([(*board, None)]);
    let mut positions = 1;
    while let Some((board, first)) = open.pop_front() {
        for direction in board.exits(board.puck()).iter() {
            let mut next = board;
            let first = first.unwrap_or(direction);
            match next.throw(direction) {
                Landing::Goal(scorer) if scorer == seat => {
                    turn.goal = Some(first);
                    return turn;
                }
                Landing::Goal(_) | Landing::DeadEnd => {}
                Landing::Passed => turn.ends.push(End { board: next, first }),
                Landing::Bounced if positions < positions_max => {
                    open.push_back((next, Some(first)));
                    positions += 1;
                }
                Landing::Bounced => turn.unfinished = turn.unfinished.or(Some(first)),
            }
        }
    }
    turn
}

/// Throws from a node to the net in which the seat scores, on an empty rink: each goes at most one
/// row and one column, and the net is three columns wide.
fn distance(node: Node, seat: Seat) -> i8 {
    let rows = match seat {
        Seat::First => node.y() + 1,
        Seat::Second => 11 - node.y(),
    };
    let columns = (node.x() - 5).abs() - 1;
    rows.max(columns)
}

#[cfg(test)]
mod tests {
    use quintain_core::{Game, NoChance, PerSeat, Replies};
    use quintain_testkit::{check_house_names, greedy_wins, house_bots, house_match};

    use super::*;
    use crate::{Config, Ending, Event, Setup};

    fn greedy() -> Greedy {
        Greedy { chance: SplitMix64::new(1) }
    }

    /// Plays one game between two house bots.
    fn play(names: [&str; 2], seed: i64) -> Ending {
        let game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
        let (game, events) = house_match(game, house_bots(names, seed), &mut NoChance);
        let refused = events.iter().find(|event| matches!(event, Event::Refused { .. }));
        assert_eq!(refused, None, "house bots throw legally");
        game.ending().expect("the game is over")
    }

    #[test]
    fn greedy_beats_random_from_both_seats() {
        let PerSeat([first, second]) = greedy_wins(0..50, |names, seed| play(names, seed).winner());
        assert!(first >= 48 && second >= 47, "greedy won {first} and {second} of 50 games");
    }

    #[test]
    fn greedy_scores_by_rebounds_when_it_can() {
        use Direction::{NorthEast, NorthWest};
        // The document's example of a goal, one throw before the bounce.
        let throws = [Direction::North, NorthEast, Direction::North, NorthWest];
        let setup = Setup::after(&throws).expect("possible throws");
        let mut game = Hockey::new(&Config::default(), setup).expect("playable");
        for _ in 0..2 {
            let seat = game.board().active();
            assert_eq!(seat, Seat::First);
            let throw = greedy().act_unhurried(&game.view(seat));
            game.advance(&Replies::only(seat, throw), &mut NoChance, &mut ());
        }
        assert_eq!(game.ending(), Some(Ending::Goal { winner: Seat::First }));
    }

    #[test]
    fn greedy_avoids_own_goals_and_dead_ends() {
        // At (1, 1) with only the corner, the own net's side and one more line left.
        let board = |puck: (i8, i8), free: &[Direction]| {
            let used = Direction::ALL.into_iter().filter(|direction| !free.contains(direction));
            let used = used.map(|direction| (puck.0, puck.1, direction)).collect();
            let setup = Setup { puck, used, active: 0, turn: 9 };
            setup.to_board().expect("a playable position")
        };
        let view = |board| View { board, seat: Seat::First };
        let corner = board((1, 1), &[Direction::NorthWest, Direction::South]);
        assert_eq!(greedy().act_unhurried(&view(corner)), Direction::South);
        let own_net = board((5, 10), &[Direction::South, Direction::North]);
        assert_eq!(greedy().act_unhurried(&view(own_net)), Direction::North);
        let lost = board((1, 1), &[Direction::NorthWest]);
        assert_eq!(greedy().act_unhurried(&view(lost)), Direction::NorthWest);
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<Hockey>();
    }
}
