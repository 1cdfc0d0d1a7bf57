//! The plans of a ladder: a bot that climbs it, and the games that make its scale.

use std::time::Duration;

use quintain_core::{HouseBot, did_you_mean};
use quintain_record::{Contestant, Mind};
use quintain_tournament::Sprt;
use serde::Serialize;

use super::{ComparisonPlan, MatchSettings, PlanError, check_name};
use crate::occupant::parse_contestant;
use crate::results::{as_milliseconds, as_text_always};

/// Rungs are 100 to 200 points apart: who is not shown to be stronger by then stands on the same one.
const RUNG_ELO: f64 = 100.0;
const RISK: f64 = 0.05;

/// What decides who is stronger, usually: a bot or a rung, or one rung or another.
fn rung_test() -> Sprt {
    Sprt::new(0.0, RUNG_ELO, RISK, RISK).expect("the usual test can be meant")
}

/// A part of a ladder; all of it unless told otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LadderPart {
    /// The weakest rung of the part.
    pub from: Option<String>,
    /// The strongest.
    pub to: Option<String>,
}

impl LadderPart {
    /// Weakest first.
    ///
    /// # Errors
    /// An end is no rung of this house, or they are the wrong way round.
    pub fn rungs(&self, house: &'static [HouseBot]) -> Result<&'static [HouseBot], PlanError> {
        let place = |field: &'static str, name: &Option<String>, usual: usize| {
            let Some(name) = name else { return Ok(usual) };
            house.iter().position(|bot| bot.name == name).ok_or_else(|| {
                let known = HouseBot::list(house);
                let meant = did_you_mean(name, house.iter().map(|bot| bot.name));
                let wrong = format!("expected a rung of {known}, found `{name}`{meant}");
                PlanError::wrong(field, wrong)
            })
        };
        let first = place("from", &self.from, 0)?;
        let last = place("to", &self.to, house.len() - 1)?;
        if first > last {
            let (above, found) = (house[first].name, house[last].name);
            let wrong = format!("expected {above} or a stronger rung, found `{found}`");
            return Err(PlanError::wrong("to", wrong));
        }
        Ok(&house[first..=last])
    }
}

/// Everything that a climb depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderPlan {
    pub settings: MatchSettings,
    pub bot: Contestant,
    pub part: LadderPart,
    /// What decides on every rung.
    #[serde(serialize_with = "as_text_always")]
    pub sprt: Sprt,
    /// How many games are played at most on a rung.
    pub games_max: Option<u32>,
}

impl LadderPlan {
    /// # Errors
    /// Says what was expected in place of the bot.
    pub fn new(settings: MatchSettings, bot: &str) -> Result<Self, PlanError> {
        let game = settings.game()?;
        let bot = parse_contestant(bot, game, settings.state.unwrap_or_default())?;
        check_name(&bot.name).map_err(|wrong| PlanError::wrong("bot", wrong))?;
        let (part, sprt) = (LadderPart::default(), rung_test());
        Ok(LadderPlan { settings, bot, part, sprt, games_max: None })
    }

    /// The rungs that are climbed, weakest first.
    ///
    /// # Errors
    /// As [`LadderPart::rungs`].
    pub fn rungs(&self) -> Result<&'static [HouseBot], PlanError> {
        self.part.rungs(self.settings.game()?.facts().house_bots)
    }

    /// What its games are called in a store, unless they have a name; behind it stands the rung.
    pub fn usual_name(&self) -> String {
        format!("ladder {} {}", self.settings.game, self.bot.name)
    }

    /// The games on a rung: is the bot better?
    pub(crate) fn on(&self, rung: &HouseBot) -> ComparisonPlan {
        let old = contestant_of(rung);
        let mut new = self.bot.clone();
        if new.name == old.name {
            // A house bot climbs the ladder that it is a rung of.
            new.name.push_str(" 2");
        }
        ComparisonPlan {
            sprt: Some(self.sprt),
            games_max: self.games_max,
            ..ComparisonPlan::between(self.settings.clone(), old, new)
        }
    }
}

/// Everything that a scale depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibrationPlan {
    pub settings: MatchSettings,
    pub part: LadderPart,
    /// How many games two neighbours play at most; rungs that are two steps apart play half of them.
    pub games: u32,
    /// For how long two rungs play at most, in a session.
    #[serde(rename = "time_max_ms", serialize_with = "as_milliseconds")]
    pub time_max: Duration,
}

impl CalibrationPlan {
    /// Neighbours of 150 points are known to 35 then.
    pub const GAMES: u32 = 400;
    /// So that a ladder of ten rungs takes at most twenty minutes.
    pub const TIME_MAX: Duration = Duration::from_secs(60);

    pub fn new(settings: MatchSettings) -> CalibrationPlan {
        let (games, time_max) = (CalibrationPlan::GAMES, CalibrationPlan::TIME_MAX);
        CalibrationPlan { settings, part: LadderPart::default(), games, time_max }
    }

    /// The rungs that meet, weakest first.
    ///
    /// # Errors
    /// As [`LadderPart::rungs`].
    pub fn rungs(&self) -> Result<&'static [HouseBot], PlanError> {
        self.part.rungs(self.settings.game()?.facts().house_bots)
    }

    /// What its games are called in a store, unless they have a name; behind it stand the two rungs.
    pub fn usual_name(&self) -> String {
        format!("scale {}", self.settings.game)
    }

    /// Who meets whom, by their places, the weaker first: neighbours, and then rungs two steps apart.
    pub(crate) fn meetings(rungs: usize) -> Vec<[usize; 2]> {
        let apart = |steps: usize| (steps..rungs).map(move |higher| [higher - steps, higher]);
        apart(1).chain(apart(2)).collect()
    }

    /// The games of two rungs that are so many steps apart.
    pub(crate) fn meeting(&self, [old, new]: [&HouseBot; 2], steps: usize) -> ComparisonPlan {
        let games = if steps == 1 { self.games } else { (self.games / 2).max(1) };
        let [old, new] = [old, new].map(contestant_of);
        ComparisonPlan {
            alongside: Some(rung_test()),
            games_max: Some(games),
            time_max: Some(self.time_max),
            ..ComparisonPlan::between(self.settings.clone(), old, new)
        }
    }
}

fn contestant_of(rung: &HouseBot) -> Contestant {
    let name = rung.name.to_owned();
    let mind = Mind::House { bot: name.clone() };
    Contestant { written: format!("house:{name}"), name, mind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_meet_and_then_rungs_two_steps_apart() {
        let meetings = CalibrationPlan::meetings(4);
        assert_eq!(meetings, [[0, 1], [1, 2], [2, 3], [0, 2], [1, 3]]);
        assert_eq!(CalibrationPlan::meetings(2), [[0, 1]]);
    }
}
