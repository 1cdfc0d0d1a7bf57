//! The lines of a match: two out per turn, one in.

use quintain_core::decimal::number_line;
use quintain_core::{ParseError, Plain, PlainWire, Spoken};

use crate::fencer::PISTE_END;
use crate::setup::POINTS_MAX;
use crate::{Ability, Action, Fencer, Fencing, View};

/// The protocol of one match. Nothing is said before the first turn, after a turn, or about a
/// respawn.
pub type Wire = PlainWire<Fencing>;

impl Spoken for Fencing {
    type Protocol = Wire;
}

impl Plain for Fencing {
    const ANSWERS: &'static str =
        "one command in capitals: BREAK, WALK, RETREAT, LUNGE, PARRY, or one that the league adds";

    fn question(view: &View) -> Vec<String> {
        vec![fencer_line(&view.own), fencer_line(&view.opponent)]
    }
}

/// Exactly one command. The original splits at blanks and drops what is empty at the end, so
/// trailing blanks are accepted, and nothing else is.
pub(crate) fn read_action(line: &str) -> Result<Action, ParseError> {
    let expected = "one command in capitals";
    let action = Action::from_code(without_trailing_blanks(line));
    action.ok_or_else(|| ParseError::new(expected, line))
}

pub(crate) fn without_trailing_blanks(line: &str) -> &str {
    line.trim_end_matches(' ')
}

/// `position energy score drugCount energyMax breakSkill walkSkill doubleWalkSkill retreatSkill
/// doubleRetreatSkill lungeDistanceSkill parryDistanceSkill`
fn fencer_line(fencer: &Fencer) -> String {
    let Fencer { position, energy, points, drugs, abilities } = *fencer;
    let mut numbers = [0; 4 + Ability::ALL.len()];
    let (first, last) = numbers.split_at_mut(4);
    first.copy_from_slice(&[position.into(), energy.into(), points.into(), drugs.into()]);
    for (number, ability) in last.iter_mut().zip(Ability::ALL) {
        *number = abilities[ability].into();
    }
    number_line(numbers)
}

/// The inverse of [`fencer_line`], for the far side of the wire. Numbers that no match can have are
/// not read, so that a bot can calculate with what it is told.
pub(crate) fn read_fencer(line: &str) -> Option<Fencer> {
    let mut numbers = line.split(' ');
    let mut next = || numbers.next()?.parse::<i16>().ok();
    let mut fencer = Fencer::new(next().filter(|position| (0..=PISTE_END).contains(position))?);
    fencer.energy = next().filter(|&energy| energy.abs() <= i16::from(i8::MAX))?;
    fencer.points = next().filter(|points| (0..=POINTS_MAX).contains(points))?;
    fencer.drugs = next()?.try_into().ok()?;
    for ability in Ability::ALL {
        fencer.abilities[ability] = next()?.try_into().ok()?;
    }
    numbers.next().is_none().then_some(fencer)
}

#[cfg(test)]
mod tests {
    use quintain_core::{Intake, Opening, Outbox, PerSeat, Protocol, Seat};

    use super::*;

    fn wire() -> Wire {
        Wire::new(&Opening::new(PerSeat::default()))
    }

    #[test]
    fn a_fencer_is_read_back_from_its_line() {
        let mut fencer = Fencer::new(260);
        (fencer.energy, fencer.points, fencer.drugs) = (7, 19, 3);
        fencer.abilities[Ability::EnergyMax] = 25;
        fencer.abilities[Ability::DoubleWalk] = 10;
        fencer.abilities[Ability::ParryDistance] = -5;
        let line = fencer_line(&fencer);
        assert_eq!(line, "260 7 19 3 25 0 0 10 0 0 0 -5");
        assert_eq!(read_fencer(&line), Some(fencer));
    }

    #[test]
    fn lines_that_are_no_fencer_are_not_read() {
        let lines = [
            "",
            "200 20 0 0 20 0 0 0 0 0 0",
            "200 20 0 0 20 0 0 0 0 0 0 0 0",
            "200 20 0 0 20 0 0 0 0 0 0 0 ",
            "200  20 0 0 20 0 0 0 0 0 0 0",
            "501 20 0 0 20 0 0 0 0 0 0 0",
            "200 30000 0 0 20 0 0 0 0 0 0 0",
            "200 20 -1 0 20 0 0 0 0 0 0 0",
            "200 20 0 0 20 0 0 0 0 0 0 128",
            "x 20 0 0 20 0 0 0 0 0 0 0",
        ];
        for line in lines {
            assert_eq!(read_fencer(line), None, "{line:?}");
        }
    }

    #[test]
    fn what_a_bot_says_is_heard_again() {
        let mut wire = wire();
        let view = View { own: Fencer::new(200), opponent: Fencer::new(300), league: 3 };
        for seat in Seat::BOTH {
            for action in Action::ALL {
                let lines = wire.say(&view, &action);
                assert_eq!(lines.len(), 1);
                let intake = wire.hear(seat, true, &lines[0], &mut Outbox::default());
                assert_eq!(intake, Intake::Action(action));
            }
        }
    }
}
