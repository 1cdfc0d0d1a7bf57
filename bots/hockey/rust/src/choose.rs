//! The choice of a throw: the part to improve.

use crate::board::{Board, Direction, Goal, MIDDLE, is_net};

/// Picks the throw with the best value. `None` if none is left, which ends a game before anyone is
/// asked.
///
/// It looks at a single throw. A stronger bot follows its own bounces to their end and asks what
/// the opponent can do from there.
pub fn choose(board: &Board, goal: Goal, refused: &[Direction]) -> Option<Direction> {
    let throws = board.legal().filter(|direction| !refused.contains(direction));
    // Of equal throws the first one counts, so the list is turned around for `max_by_key`.
    let throws: Vec<Direction> = throws.collect();
    throws.into_iter().rev().max_by_key(|direction| value(board, goal, *direction))
}

/// Compared from left to right: how good the throw is by itself, the way that remains to the net,
/// whether we may throw again, how far from the middle we are.
fn value(board: &Board, goal: Goal, direction: Direction) -> (Rank, i32, bool, i32) {
    let node = board.target(direction);
    let rank = if node.y == goal.net_row() {
        Rank::Goal
    } else if is_net(node) || board.is_dead_end(direction) {
        Rank::Loss
    } else {
        Rank::Usual
    };
    let aside = (node.x - MIDDLE).abs();
    let throws_to_net = aside.max((node.y - goal.net_row()).abs());
    (rank, -throws_to_net, board.bounces(direction), -aside)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Loss,
    Usual,
    Goal,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choice after these throws.
    fn choice(throws: &str, goal: Goal) -> &'static str {
        let mut board = Board::new();
        for word in throws.split_terminator(", ") {
            board.throw(Direction::from_word(word).unwrap());
        }
        choose(&board, goal, &[]).unwrap().word()
    }

    #[test]
    fn it_goes_towards_its_own_goal() {
        assert_eq!(choice("", Goal::North), "north");
        assert_eq!(choice("", Goal::South), "south");
    }

    #[test]
    fn it_scores_when_it_can_and_never_in_the_wrong_net() {
        let to_the_mouth = "north, north, north, north, north";
        assert_eq!(choice(to_the_mouth, Goal::North), "north");
        assert_eq!(choice(to_the_mouth, Goal::South), "south east");
    }

    #[test]
    fn it_shuns_the_corner_even_if_nothing_else_is_as_near() {
        // At (1, 1), with all that leads nearer to the net refused.
        let mut board = Board::new();
        for _ in 0..4 {
            board.throw(Direction::NorthWest);
        }
        let others: Vec<Direction> = board
            .legal()
            .filter(|direction| !matches!(direction.word(), "north west" | "south west"))
            .collect();
        assert_eq!(choose(&board, Goal::North, &others), Some(Direction::SouthWest));
    }

    #[test]
    fn a_refused_throw_is_not_tried_again() {
        let board = Board::new();
        assert_eq!(choose(&board, Goal::North, &[]), Some(Direction::North));
        assert_eq!(choose(&board, Goal::North, &[Direction::North]), Some(Direction::NorthEast));
        assert_eq!(choose(&board, Goal::North, &Direction::ALL), None);
    }

    #[test]
    fn two_of_them_reach_the_end_of_a_game_with_legal_throws_only() {
        let mut board = Board::new();
        let mut goal = Goal::North;
        for throws in 1.. {
            let direction =
                choose(&board, goal, &[]).expect("a throw is left while the game goes on");
            let bounces = board.bounces(direction);
            let is_over = is_net(board.target(direction)) || board.is_dead_end(direction);
            assert!(board.legal().any(|legal| legal == direction));
            board.throw(direction);
            if is_over {
                assert!(throws >= 6, "the net is six throws away, reached after {throws}");
                return;
            }
            if !bounces {
                goal = if goal == Goal::North { Goal::South } else { Goal::North };
            }
        }
    }
}
