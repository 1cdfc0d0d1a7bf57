//! The lines of a match: two out per turn, one in.

use quintain_core::codingame::{self, Answers};
use quintain_core::decimal::number_line;
use quintain_core::{
    Excerpt, Framing, Intake, Opening, Outbox, Outcome, ParseError, PerSeat, Protocol, Seat, Spoken,
};

use crate::fencer::PISTE_END;
use crate::setup::POINTS_MAX;
use crate::{Ability, Action, Event, Fencer, Fencing, View};

/// The protocol of one match. Nothing is said before the first turn, after a turn, or about a
/// respawn.
#[derive(Clone, Debug)]
pub struct Wire {
    answers: Answers<1>,
}

impl Spoken for Fencing {
    type Protocol = Wire;
}

impl Protocol<Fencing> for Wire {
    const FRAMING: Framing = codingame::FRAMING;
    const ANSWERS: &'static str =
        "one command in capitals: BREAK, WALK, RETREAT, LUNGE, PARRY, or one that the league adds";

    fn new(_opening: &Opening) -> Self {
        Wire { answers: Answers::default() }
    }

    fn start(&mut self, _views: &PerSeat<View>, _out: &mut Outbox) {}

    fn prompt(&mut self, seat: Seat, view: &View, out: &mut Outbox) {
        out.line(seat, fencer_line(&view.own));
        out.line(seat, fencer_line(&view.opponent));
    }

    fn hear(&mut self, seat: Seat, asked: bool, line: &str, _out: &mut Outbox) -> Intake<Action> {
        self.answers.hear(seat, asked, line, |[line]| match read_action(line) {
            Ok(action) => Intake::Action(action),
            Err(error) => Intake::Malformed(error),
        })
    }

    fn tell(&mut self, _events: &[Event], _outcome: Option<&Outcome>, _out: &mut Outbox) {}

    fn say(&self, _view: &View, action: &Action) -> Vec<String> {
        vec![action.code().to_owned()]
    }
}

/// Exactly one command. The original splits at blanks and drops what is empty at the end, so
/// trailing blanks are accepted, and nothing else is.
pub(crate) fn read_action(line: &str) -> Result<Action, ParseError> {
    let expected = "one command in capitals";
    let action = Action::from_code(without_trailing_blanks(line));
    action.ok_or_else(|| ParseError { expected, got: Excerpt::new(line) })
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
