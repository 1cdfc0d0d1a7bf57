//! How a match starts: the organiser's choices, and the position.

use quintain_core::codingame::TimeLimits;
use quintain_core::{FieldError, PerSeat, Seat, SetupError, require_within};
use serde::{Deserialize, Serialize};

use crate::fencer::{DRUGS_MAX, ENERGY_START, PISTE_END};
use crate::rules::{TURNS_MAX, is_decisive};
use crate::{Ability, Action, Fencer, ParryDrug, Switches};

/// Where the fencers stand at the start and after every respawn.
pub const SPAWN: PerSeat<i16> = PerSeat([200, 300]);
const LEAGUES: &[u8] = &[1, 2, 3];
/// The document's last league, with all of its rules.
const LEAGUE_DEFAULT: u8 = 3;
/// The first league with drugs.
const LEAGUE_OF_DRUGS: u8 = 3;
/// More than 200 turns can give, and few enough never to overflow when counted on.
pub(crate) const POINTS_MAX: i16 = 1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub switches: Switches,
    /// Only decides which commands there are.
    pub league: u8,
    pub time_limits: TimeLimits,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            switches: Switches::DOCUMENT,
            league: LEAGUE_DEFAULT,
            time_limits: TimeLimits::default(),
        }
    }
}

impl Config {
    pub(crate) fn check(&self) -> Result<(), FieldError> {
        self.time_limits.check()?;
        if !LEAGUES.contains(&self.league) {
            return Err(FieldError::new("league", "1, 2 or 3", self.league));
        }
        if self.switches.score_gap == 0 {
            return Err(FieldError::new("switches.score_gap", "more than 0", 0));
        }
        Ok(())
    }
}

/// A whole position. The default is the document's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub fencers: PerSeat<FencerSetup>,
    /// Turns played before, respawns included.
    pub turn: u32,
    /// Whether the next turn is a respawn.
    pub respawn: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { fencers: PerSeat(SPAWN.0.map(FencerSetup::at)), turn: 0, respawn: false }
    }
}

/// The twelve numbers of a fencer, by their names in the protocol. The position is absolute, not
/// mirrored. Whatever is left out is as at the start of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FencerSetup {
    pub position: i16,
    #[serde(default = "energy_start")]
    pub energy: i16,
    #[serde(default)]
    pub score: i16,
    #[serde(default)]
    pub drug_count: u8,
    #[serde(default = "energy_start")]
    pub energy_max: i16,
    #[serde(default)]
    pub break_skill: i16,
    #[serde(default)]
    pub walk_skill: i16,
    #[serde(default)]
    pub double_walk_skill: i16,
    #[serde(default)]
    pub retreat_skill: i16,
    #[serde(default)]
    pub double_retreat_skill: i16,
    #[serde(default)]
    pub lunge_distance_skill: i16,
    #[serde(default)]
    pub parry_distance_skill: i16,
}

fn energy_start() -> i16 {
    ENERGY_START
}

impl FencerSetup {
    /// A fencer at the start of a match.
    pub const fn at(position: i16) -> FencerSetup {
        FencerSetup {
            position,
            energy: ENERGY_START,
            score: 0,
            drug_count: 0,
            energy_max: ENERGY_START,
            break_skill: 0,
            walk_skill: 0,
            double_walk_skill: 0,
            retreat_skill: 0,
            double_retreat_skill: 0,
            lunge_distance_skill: 0,
            parry_distance_skill: 0,
        }
    }

    const fn ability(&self, ability: Ability) -> i16 {
        match ability {
            Ability::EnergyMax => self.energy_max,
            Ability::Break => self.break_skill,
            Ability::Walk => self.walk_skill,
            Ability::DoubleWalk => self.double_walk_skill,
            Ability::Retreat => self.retreat_skill,
            Ability::DoubleRetreat => self.double_retreat_skill,
            Ability::LungeDistance => self.lunge_distance_skill,
            Ability::ParryDistance => self.parry_distance_skill,
        }
    }

    fn to_fencer(self, config: &Config) -> Result<Fencer, SetupError> {
        let mut fencer = Fencer::new(self.position);
        (fencer.energy, fencer.points, fencer.drugs) = (self.energy, self.score, self.drug_count);
        require_within("a position", self.position, 0, PISTE_END)?;
        require_within("a score", self.score, 0, POINTS_MAX)?;
        let mut doses = 0;
        for drug in Action::ALL.into_iter().filter(|action| action.is_drug()) {
            doses += self.take_doses(drug, config, &mut fencer)?;
        }
        if doses != i16::from(self.drug_count) || self.drug_count > DRUGS_MAX {
            let expected = format!("as many drugs as show, at most {DRUGS_MAX}: {doses}");
            return Err(SetupError::new(&expected, self.drug_count));
        }
        if doses > 0 && config.league < LEAGUE_OF_DRUGS {
            return Err(SetupError::new("no drugs below league 3", doses));
        }
        require_within("energy", self.energy, 0, fencer.energy_max())?;
        Ok(fencer)
    }

    /// How many doses of a drug lead to these numbers.
    fn take_doses(
        &self,
        drug: Action,
        config: &Config,
        fencer: &mut Fencer,
    ) -> Result<i16, SetupError> {
        let row = drug.row();
        let is_inert = drug == Action::ParryDrug && config.switches.parry_drug == ParryDrug::Inert;
        let ability = &mut fencer.abilities[row.ability];
        let got = self.ability(row.ability);
        let gained = i32::from(got) - i32::from(*ability);
        let dose = i32::from(row.drug);
        let doses_max = if is_inert { 0 } else { i32::from(DRUGS_MAX) };
        if gained % dose != 0 || !(0..=doses_max).contains(&(gained / dose)) {
            let expected = format!("an effect of 0 to {doses_max} times {drug}");
            return Err(SetupError::new(&expected, got));
        }
        *ability = got as i8;
        Ok((gained / dose) as i16)
    }
}

impl Setup {
    pub(crate) fn to_fencers(self, config: &Config) -> Result<PerSeat<Fencer>, SetupError> {
        if self.turn >= TURNS_MAX {
            return Err(SetupError::new("fewer than 200 turns", self.turn));
        }
        let fencers = PerSeat([
            self.fencers[Seat::First].to_fencer(config)?,
            self.fencers[Seat::Second].to_fencer(config)?,
        ]);
        let [first, second] = fencers.0;
        let beyond = first.position - second.position;
        if !self.respawn && beyond >= config.switches.collision as i16 {
            let got = format!("{} and {}", first.position, second.position);
            return Err(SetupError::new("fencers that have not collided", got));
        }
        if is_decisive(first.points, second.points, config.switches.score_gap) {
            let got = format!("{} to {}", first.points, second.points);
            return Err(SetupError::new("an undecided match", got));
        }
        Ok(fencers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_core::Game;

    use crate::Fencing;

    /// What is wrong with a setup of league 3 whose first fencer is this.
    fn refused(first: FencerSetup) -> String {
        let setup = Setup { fencers: PerSeat([first, FencerSetup::at(300)]), ..Setup::default() };
        let error = Fencing::new(&Config::default(), setup).expect_err("the setup is impossible");
        error.to_string()
    }

    #[test]
    fn impossible_setups_are_named() {
        let usual = FencerSetup::at(200);
        let check = |first: FencerSetup, expected: &str| {
            assert_eq!(refused(first), format!("impossible setup: expected {expected}"));
        };
        check(FencerSetup::at(-1), "a position from 0 to 500, got -1");
        check(FencerSetup::at(301), "fencers that have not collided, got 301 and 300");
        check(FencerSetup { energy: 21, ..usual }, "energy from 0 to 20, got 21");
        check(FencerSetup { energy: -1, ..usual }, "energy from 0 to 20, got -1");
        check(FencerSetup { score: -1, ..usual }, "a score from 0 to 1000, got -1");
        check(FencerSetup { score: 20, ..usual }, "an undecided match, got 20 to 0");
        check(FencerSetup { drug_count: 1, ..usual }, "as many drugs as show, at most 7: 0, got 1");
        check(FencerSetup { walk_skill: 3, ..usual }, "an effect of 0 to 7 times WALK_DRUG, got 3");
        check(
            FencerSetup { parry_distance_skill: 5, ..usual },
            "an effect of 0 to 7 times PARRY_DRUG, got 5",
        );
        let doped = FencerSetup { walk_skill: 35, break_skill: 10, drug_count: 8, ..usual };
        check(doped, "as many drugs as show, at most 7: 8, got 8");
    }

    #[test]
    fn what_the_config_forbids_is_refused() {
        let fencer = FencerSetup { walk_skill: 5, drug_count: 1, ..FencerSetup::at(200) };
        let setup = Setup { fencers: PerSeat([fencer, FencerSetup::at(300)]), ..Setup::default() };
        let league = |league| Config { league, ..Config::default() };
        assert!(Fencing::new(&league(3), setup).is_ok());
        assert!(Fencing::new(&league(2), setup).is_err(), "drugs are of league 3");
        let firm = FencerSetup { parry_distance_skill: -5, drug_count: 1, ..FencerSetup::at(200) };
        let setup = Setup { fencers: PerSeat([firm, FencerSetup::at(300)]), ..Setup::default() };
        let original = Config { switches: Switches::ORIGINAL, ..Config::default() };
        assert!(Fencing::new(&Config::default(), setup).is_ok());
        assert!(Fencing::new(&original, setup).is_err(), "PARRY_DRUG changes nothing there");
        let late = Setup { turn: 200, ..Setup::default() };
        assert!(Fencing::new(&Config::default(), late).is_err());
    }

    #[test]
    fn a_setup_is_read_back_from_its_text() {
        let setup = Setup { turn: 7, respawn: true, ..Setup::default() };
        let text = serde_json::to_string(&setup).expect("a setup can be written");
        assert!(
            text.starts_with(r#"{"fencers":[{"position":200,"energy":20,"score":0,"drugCount":0,"#)
        );
        assert_eq!(serde_json::from_str::<Setup>(&text).expect("it can be read"), setup);
        let short = r#"{"fencers":[{"position":200},{"position":300}]}"#;
        assert_eq!(serde_json::from_str::<Setup>(short).expect("readable"), Setup::default());
        assert_eq!(serde_json::from_str::<Setup>("{}").expect("readable"), Setup::default());
    }
}
