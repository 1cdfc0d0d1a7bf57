//! What a match comes to: its end, and -1, 0 or 1 for each player.

use quintain_core::{Outcome, PerSeat, Seat, Verdict};

use super::Fencing;
use crate::{Ending, ScorelessDoping};

/// Points from which a victory can be decisive.
pub(crate) const POINTS_DECISIVE: i16 = 20;

/// "The victory is decisive when you score 20 points at least 2 points apart."
#[inline]
pub(crate) fn is_decisive(first: i16, second: i16, gap: u8) -> bool {
    (first.max(second) >= POINTS_DECISIVE) & ((first - second).abs() >= i16::from(gap))
}

impl Fencing {
    /// Who is disqualified gets -1, whatever the points are. Otherwise a win is 1, by points or
    /// because the other is disqualified; anything else is 0, a draw too (D11).
    #[cold]
    pub(super) fn result(&self) -> Outcome {
        let is_non_combative = self.is_non_combative();
        let penalised = PerSeat::from_fn(|seat| is_non_combative || self.offences[seat].is_some());
        let points = PerSeat::from_fn(|seat| self.fencers[seat].points);
        let verdict = |seat: Seat| {
            let (own, others) = (points[seat], points[seat.other()]);
            match (penalised[seat], penalised[seat.other()]) {
                (true, _) => Verdict::Disqualified,
                (false, true) => Verdict::Win,
                (false, false) if own > others => Verdict::Win,
                (false, false) if own == others => Verdict::Draw,
                (false, false) => Verdict::Loss,
            }
        };
        let verdicts = PerSeat::from_fn(verdict);
        let score = |verdict| match verdict {
            Verdict::Win => 1,
            Verdict::Draw | Verdict::Loss => 0,
            Verdict::Disqualified => -1,
        };
        Outcome {
            verdicts,
            scores: verdicts.map(|_, verdict| score(verdict)),
            reason: self.conclusion().reason(),
        }
    }

    pub(super) fn conclusion(&self) -> Ending {
        let [first, second] = &self.fencers.0;
        let offence = self.offences.0.iter().flatten().next();
        match offence {
            Some(offence) => Ending::Offence(*offence),
            None if is_decisive(first.points, second.points, self.switches.score_gap) => {
                Ending::Decisive
            }
            None if self.is_non_combative() => Ending::NonCombativity,
            None => Ending::TurnLimit,
        }
    }

    /// Both are disqualified if neither has scored. The original also takes a doper's early end for
    /// that (D5), but not a forfeit or a bad answer.
    fn is_non_combative(&self) -> bool {
        let spares = |offence| match offence {
            crate::Offence::Doping => self.switches.scoreless_doping == ScorelessDoping::DoperOnly,
            crate::Offence::Invalid | crate::Offence::Silent | crate::Offence::Forfeit => true,
        };
        let is_scoreless = self.fencers.0.iter().all(|fencer| fencer.points == 0);
        is_scoreless && !self.offences.0.iter().flatten().any(|&offence| spares(offence))
    }
}
