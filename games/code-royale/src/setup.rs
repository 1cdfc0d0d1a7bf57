//! How a match starts: the organiser's choices, and the position.

use std::sync::Arc;

use quintain_core::codingame::TimeLimits;
use quintain_core::{Edition, PerSeat, Seat, SetupError, require};
use serde::{Deserialize, Serialize};

use crate::rules::{TOWER_HP_MAX, TURNS_MAX};
use crate::{
    Creep, CreepKind, Creeps, Field, Player, Plot, Point, SITES_MAX, Site, Structure, Works,
};

/// A league unlocks rules; each has all of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct League(u8);

impl League {
    pub const ALL: &'static [u8] = &[1, 2, 3, 4];

    pub fn new(number: u8) -> Option<League> {
        Self::ALL.contains(&number).then_some(League(number))
    }

    /// Towers, and giants against them.
    pub const fn has_towers(self) -> bool {
        self.0 >= 2
    }

    /// Mines instead of a fixed income, and a full field of sites.
    pub const fn has_mines(self) -> bool {
        self.0 >= 3
    }

    /// Queens with less health, by luck.
    pub const fn has_weak_queens(self) -> bool {
        self.0 >= 4
    }

    pub const fn number(self) -> u8 {
        self.0
    }
}

impl Default for League {
    fn default() -> Self {
        League(4)
    }
}

impl From<League> for u8 {
    fn from(league: League) -> u8 {
        league.0
    }
}

impl TryFrom<u8> for League {
    type Error = String;

    fn try_from(number: u8) -> Result<League, String> {
        League::new(number).ok_or_else(|| format!("expected a league from 1 to 4, got {number}"))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub edition: Edition,
    pub league: League,
    pub time_limits: TimeLimits,
}

/// A whole position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Turns played before.
    #[serde(default)]
    pub turn: u32,
    /// By their ids, from 0.
    pub sites: Vec<SiteSetup>,
    pub players: PerSeat<PlayerSetup>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteSetup {
    pub x: f64,
    pub y: f64,
    pub radius: i32,
    pub gold: i32,
    /// The highest rate of a mine.
    pub rate_max: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<StructureSetup>,
}

/// The seat that owns it is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "UPPERCASE", deny_unknown_fields)]
pub enum StructureSetup {
    Mine {
        owner: u8,
        rate: u8,
    },
    Tower {
        owner: u8,
        hp: i32,
        range: i32,
    },
    Barracks {
        owner: u8,
        creep: CreepKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        training: Option<u8>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSetup {
    pub gold: i32,
    /// The queen's health.
    pub hp: i32,
    /// x and y of the queen.
    pub queen: (f64, f64),
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creeps: Vec<CreepSetup>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreepSetup {
    pub kind: CreepKind,
    pub x: f64,
    pub y: f64,
    pub hp: i16,
}

/// A position in parts, checked.
pub(crate) struct Parts {
    pub field: Arc<Field>,
    pub plots: [Plot; SITES_MAX],
    pub players: PerSeat<Player>,
    pub creeps: PerSeat<Creeps>,
}

/// Enough for any match, and far from any overflow.
const GOLD_MAX: i32 = 1_000_000;
const HP_MAX: i32 = 1_000_000;
const CREEPS_MAX: usize = 1000;
/// How far from the field's origin a unit may be set up.
const PLACE_MAX: f64 = 10_000.0;
const SITE_RADIUS_MAX: i32 = 400;

impl Setup {
    pub(crate) fn to_parts(&self) -> Result<Parts, SetupError> {
        let turns = 0..=i64::from(TURNS_MAX) - 1;
        require(turns.contains(&i64::from(self.turn)), "a turn below 200", self.turn)?;
        let count = self.sites.len();
        require((1..=SITES_MAX).contains(&count), "1 to 24 sites", count)?;
        let mut plots = [Plot::default(); SITES_MAX];
        let mut sites = arrayvec::ArrayVec::new();
        for (plot, setup) in plots.iter_mut().zip(&self.sites) {
            sites.push(setup.to_site()?);
            *plot = setup.to_plot()?;
        }
        let creeps = self.players.as_ref().map(|_, player| player.to_creeps());
        let [first, second] = creeps.0;
        let creeps = PerSeat([first?, second?]);
        let players = self.players.as_ref().map(|seat, player| player.to_player(&creeps[seat]));
        let [first, second] = players.0;
        Ok(Parts {
            field: Arc::new(Field::new(sites)),
            plots,
            players: PerSeat([first?, second?]),
            creeps,
        })
    }
}

impl SiteSetup {
    fn to_site(&self) -> Result<Site, SetupError> {
        let radius = self.radius;
        require((1..=SITE_RADIUS_MAX).contains(&radius), "a site's radius from 1 to 400", radius)?;
        require((1..=100).contains(&self.rate_max), "a highest rate from 1 to 100", self.rate_max)?;
        Ok(Site {
            place: place(self.x, self.y)?,
            radius: f64::from(radius),
            rate_max: self.rate_max,
        })
    }

    fn to_plot(&self) -> Result<Plot, SetupError> {
        require((0..=GOLD_MAX).contains(&self.gold), "gold from 0 to 1000000", self.gold)?;
        let structure = match self.structure {
            None => None,
            Some(setup) => Some(setup.to_structure(self.rate_max)?),
        };
        Ok(Plot { gold: self.gold, structure })
    }
}

impl StructureSetup {
    fn to_structure(self, rate_max: u8) -> Result<Structure, SetupError> {
        let (owner, works) = match self {
            StructureSetup::Mine { owner, rate } => {
                require((1..=rate_max).contains(&rate), "a rate up to the site's highest", rate)?;
                (owner, Works::Mine { rate })
            }
            StructureSetup::Tower { owner, hp, range } => {
                require((1..=TOWER_HP_MAX).contains(&hp), "a tower's health from 1 to 800", hp)?;
                require((0..=5000).contains(&range), "a tower's range from 0 to 5000", range)?;
                (owner, Works::Tower { hp, range })
            }
            StructureSetup::Barracks { owner, creep, training } => {
                let turns = creep.stats().training_turns;
                let done = training.unwrap_or(0);
                require(done < turns, "less training done than it takes", done)?;
                (owner, Works::Barracks { creep, training })
            }
        };
        let owner = Seat::from_index(usize::from(owner))
            .ok_or_else(|| SetupError::new("an owner of 0 or 1", owner))?;
        Ok(Structure { owner, works })
    }
}

impl PlayerSetup {
    fn to_player(&self, creeps: &Creeps) -> Result<Player, SetupError> {
        require((0..=GOLD_MAX).contains(&self.gold), "gold from 0 to 1000000", self.gold)?;
        require((1..=HP_MAX).contains(&self.hp), "a queen's health from 1 to 1000000", self.hp)?;
        Ok(Player {
            gold: self.gold,
            hp: self.hp,
            queen: place(self.queen.0, self.queen.1)?,
            creeps_created: creeps.len() as u16,
            out: None,
        })
    }

    fn to_creeps(&self) -> Result<Creeps, SetupError> {
        let count = self.creeps.len();
        require(count <= CREEPS_MAX, "at most 1000 creeps of a player", count)?;
        let mut creeps = Creeps::default();
        for (number, setup) in self.creeps.iter().enumerate() {
            require((1..=1000).contains(&setup.hp), "a creep's health from 1 to 1000", setup.hp)?;
            creeps.push(Creep {
                place: place(setup.x, setup.y)?,
                hp: setup.hp,
                number: number as u16,
                kind: setup.kind,
            });
        }
        Ok(creeps)
    }
}

fn place(x: f64, y: f64) -> Result<Point, SetupError> {
    for value in [x, y] {
        require(value.abs() <= PLACE_MAX, "coordinates within 10000", value)?;
    }
    Ok(Point::new(x, y))
}

#[cfg(test)]
mod tests {

    use quintain_core::Game;

    use super::*;
    use crate::CodeRoyale;

    fn usual() -> Setup {
        CodeRoyale::generate(&Config::default(), 1)
    }

    #[test]
    fn impossible_setups_are_named() {
        let check = |change: &dyn Fn(&mut Setup), expected: &str| {
            let mut setup = usual();
            change(&mut setup);
            let error = CodeRoyale::new(&Config::default(), setup).expect_err("impossible");
            assert_eq!(error.to_string(), format!("impossible setup: expected {expected}"));
        };
        let creep = CreepSetup { kind: CreepKind::Giant, x: 9.0, y: 9.0, hp: 0 };
        let barracks =
            StructureSetup::Barracks { owner: 0, creep: CreepKind::Knight, training: Some(5) };
        check(&|setup| setup.turn = 200, "a turn below 200, got 200");
        check(&|setup| setup.sites.clear(), "1 to 24 sites, got 0");
        check(&|setup| setup.sites.push(setup.sites[0].clone()), "1 to 24 sites, got 25");
        check(&|setup| setup.sites[3].radius = 0, "a site's radius from 1 to 400, got 0");
        check(&|setup| setup.sites[3].rate_max = 0, "a highest rate from 1 to 100, got 0");
        check(&|setup| setup.sites[3].gold = -1, "gold from 0 to 1000000, got -1");
        check(&|setup| setup.sites[3].x = f64::NAN, "coordinates within 10000, got NaN");
        check(
            &|setup| setup.sites[3].structure = Some(StructureSetup::Mine { owner: 0, rate: 9 }),
            "a rate up to the site's highest, got 9",
        );
        check(
            &|setup| setup.sites[3].structure = Some(StructureSetup::Mine { owner: 2, rate: 1 }),
            "an owner of 0 or 1, got 2",
        );
        check(
            &|setup| setup.sites[3].structure = Some(barracks),
            "less training done than it takes, got 5",
        );
        check(&|setup| setup.players.0[1].hp = 0, "a queen's health from 1 to 1000000, got 0");
        check(&|setup| setup.players.0[1].gold = -5, "gold from 0 to 1000000, got -5");
        check(
            &|setup| setup.players.0[1].creeps.push(creep),
            "a creep's health from 1 to 1000, got 0",
        );
    }

    #[test]
    fn a_setup_is_read_back_from_its_text_bit_for_bit() {
        for seed in 0..20 {
            let setup = CodeRoyale::generate(&Config::default(), seed << 40);
            let text = serde_json::to_string(&setup).expect("a setup can be written");
            assert_eq!(serde_json::from_str::<Setup>(&text).expect("it can be read"), setup);
        }
    }

    #[test]
    fn a_config_is_read_back_from_its_text() {
        let league = League::new(2).expect("a league");
        let config = Config { edition: Edition::Original, league, ..Config::default() };
        let text = serde_json::to_string(&config).expect("a config can be written");
        assert_eq!(serde_json::from_str::<Config>(&text).expect("it can be read"), config);
        assert!(serde_json::from_str::<Config>(r#"{"league":5}"#).is_err());
    }
}
