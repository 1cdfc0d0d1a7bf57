//! How a match starts: the organiser's choices, and the position.

use quintain_core::{Edition, Seat, SetupError};
use serde::{Deserialize, Serialize};

use crate::board::{Board, Node};
use crate::{Direction, Landing};

/// The document gives two seconds for a throw.
pub(crate) const TIME_LIMIT_MS: u32 = 2000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub edition: Edition,
    /// Time for one throw, counted from the throw before.
    pub time_limit_ms: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { edition: Edition::default(), time_limit_ms: TIME_LIMIT_MS }
    }
}

/// A whole position. The default is the document's: an empty rink, the puck at the centre.
///
/// The lines used so far need not form one path, so any puzzle can be set up. A node counts as
/// visited if a used line ends there or the puck lies there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// x and y of the puck.
    pub puck: (i8, i8),
    /// The seat to throw, 0 or 1.
    pub active: u8,
    /// Lines that are used up: x and y of one end, and the direction of the other.
    pub used: Vec<(i8, i8, Direction)>,
    /// Throws made before.
    pub turn: u32,
}

impl Default for Setup {
    fn default() -> Self {
        let centre = Node::CENTRE;
        Setup { puck: (centre.x(), centre.y()), active: 0, used: Vec::new(), turn: 0 }
    }
}

/// More throws than any game can have, and few enough never to overflow when counted on.
const TURNS_MAX: u32 = 1_000_000;

impl Setup {
    pub(crate) fn to_board(&self) -> Result<Board, SetupError> {
        let (x, y) = self.puck;
        let puck = Node::new(x, y)
            .filter(|node| node.net().is_none())
            .ok_or_else(|| SetupError::new("a puck in the field", format!("({x}, {y})")))?;
        let active = Seat::from_index(usize::from(self.active))
            .ok_or_else(|| SetupError::new("seat 0 or 1 to throw", self.active))?;
        if self.turn > TURNS_MAX {
            return Err(SetupError::new(&format!("at most {TURNS_MAX} throws"), self.turn));
        }
        let mut board = Board::empty(puck, active);
        for &(x, y, direction) in &self.used {
            let is_used = Node::new(x, y).is_some_and(|node| board.use_line(node, direction));
            if !is_used {
                let got = format!("{direction} of ({x}, {y})");
                return Err(SetupError::new("each used line to exist and be named once", got));
            }
        }
        if board.exits(puck).is_empty() {
            return Err(SetupError::new(&format!("a free line at ({x}, {y})"), "none"));
        }
        Ok(board)
    }

    /// The usual start followed by these throws, for tests and puzzles.
    ///
    /// # Errors
    /// Names the throw that is not possible, or that ends the game.
    pub fn after(throws: &[Direction]) -> Result<Setup, SetupError> {
        let mut setup = Setup::default();
        let mut board = Board::START;
        for &direction in throws {
            let from = board.puck();
            if !board.exits(from).contains(direction) {
                return Err(SetupError::new("possible throws", direction));
            }
            let landing = board.throw(direction);
            if !matches!(landing, Landing::Passed | Landing::Bounced) {
                return Err(SetupError::new("an open game", format!("{landing:?}")));
            }
            setup.used.push((from.x(), from.y(), direction));
            setup.turn += 1;
        }
        setup.puck = (board.puck().x(), board.puck().y());
        setup.active = board.active().index() as u8;
        Ok(setup)
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn refusal(setup: &Setup) -> String {
        setup.to_board().expect_err("the setup is impossible").to_string()
    }

    #[test]
    fn impossible_setups_are_named() {
        let usual = Setup::default();
        let check = |setup: Setup, expected: &str| assert_eq!(refusal(&setup), expected);
        check(
            Setup { puck: (5, -1), ..usual.clone() },
            "impossible setup: expected a puck in the field, got (5, -1)",
        );
        check(
            Setup { active: 2, ..usual.clone() },
            "impossible setup: expected seat 0 or 1 to throw, got 2",
        );
        check(
            Setup { puck: (0, 0), used: vec![(1, 1, Direction::NorthWest)], ..usual.clone() },
            "impossible setup: expected a free line at (0, 0), got none",
        );
        check(
            Setup { turn: u32::MAX, ..usual.clone() },
            "impossible setup: expected at most 1000000 throws, got 4294967295",
        );
        let twice = vec![(5, 5, Direction::North), (5, 4, Direction::South)];
        check(
            Setup { used: twice, ..usual.clone() },
            "impossible setup: expected each used line to exist and be named once, \
             got south of (5, 4)",
        );
        let wall = vec![(0, 0, Direction::East)];
        check(
            Setup { used: wall, ..usual },
            "impossible setup: expected each used line to exist and be named once, \
             got east of (0, 0)",
        );
    }

    #[test]
    fn a_setup_is_read_back_from_its_text() {
        let setup = Setup::after(&[Direction::North, Direction::NorthEast]).expect("possible");
        let text = serde_json::to_string(&setup).expect("a setup can be written");
        let expected =
            r#"{"puck":[6,3],"active":0,"used":[[5,5,"north"],[5,4,"north east"]],"turn":2}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Setup>(&text).expect("it can be read"), setup);
        assert_eq!(
            serde_json::from_str::<Setup>("{}").expect("all has defaults"),
            Setup::default()
        );
    }

    #[test]
    fn a_setup_equals_the_throws_that_lead_to_it() {
        let throws = [Direction::South, Direction::East, Direction::NorthWest];
        let mut board = Board::START;
        for direction in throws {
            board.throw(direction);
        }
        let setup = Setup::after(&throws).expect("possible");
        assert_eq!(setup.to_board().expect("playable"), board);
        let corner = [Direction::NorthWest; 5];
        assert!(Setup::after(&corner).is_err() && Setup::after(&corner[..4]).is_ok());
    }
}
