//! What a player can do in a turn, and why an answer is refused.

use std::fmt;

use crate::actions::{Row, TABLE};

/// A command, in the order of the document's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Action {
    Break,
    Walk,
    Retreat,
    Lunge,
    Parry,
    DoubleWalk,
    DoubleRetreat,
    LungeDrug,
    ParryDrug,
    EnergyMaxDrug,
    WalkDrug,
    RetreatDrug,
    DoubleWalkDrug,
    DoubleRetreatDrug,
    BreakDrug,
}

impl Action {
    pub const ALL: [Action; 15] = {
        let mut all = [Action::Break; 15];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].action;
            index += 1;
        }
        all
    };

    /// The commands of a league, in the table's order.
    pub fn of_league(league: u8) -> &'static [Action] {
        let count = TABLE.iter().filter(|row| row.league <= league).count();
        &Action::ALL[..count]
    }

    /// The action's figures in the document.
    #[inline]
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The document's word.
    pub const fn code(self) -> &'static str {
        self.row().code
    }

    /// The inverse of [`Action::code`]: exactly the word, nothing around it.
    pub fn from_code(code: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.code() == code)
    }

    #[inline]
    pub const fn is_drug(self) -> bool {
        self as u8 >= Action::LungeDrug as u8
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Why an answer is no command. It costs the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A command of a higher league.
    Locked(Action),
    /// A text that is no command at all.
    Unreadable,
    /// No answer in time, or nobody there to give one.
    Silent,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Locked(action) => {
                write!(f, "{action} is a command of league {}", action.row().league)
            }
            Refusal::Unreadable => f.write_str("no command"),
            Refusal::Silent => f.write_str("no answer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_and_nothing_else_is() {
        for action in Action::ALL {
            assert_eq!(Action::from_code(action.code()), Some(action));
        }
        for code in ["", "walk", " WALK", "WALK ", "DOUBLE-WALK", "SUPPRESS", "0"] {
            assert_eq!(Action::from_code(code), None, "{code:?}");
        }
    }

    #[test]
    fn leagues_are_beginnings_of_the_table() {
        assert_eq!(Action::of_league(1).last(), Some(&Action::Parry));
        assert_eq!(Action::of_league(2).last(), Some(&Action::DoubleRetreat));
        assert_eq!(Action::of_league(3), Action::ALL);
        for action in Action::ALL {
            assert_eq!(action.is_drug(), action.row().drug != 0, "{action}");
        }
    }
}
