//! A whole position as plain data: how a match starts, and what a replay keeps of its start.

use quintain_core::{PerSeat, SetupError, require};
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, Ground, Terrain};
use crate::config::{Config, PACKS_MAX, WormClass};
use crate::edition::Switches;

/// Amounts that a position can begin with; far from any overflow.
const AMOUNT_MAX: i64 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Rounds played before.
    #[serde(default)]
    pub round: u32,
    /// Row by row: `.` air, `#` dirt, `*` deep space, `L` lava.
    pub map: Vec<String>,
    pub packs: Vec<PackSetup>,
    pub players: PerSeat<PlayerSetup>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackSetup {
    pub at: Cell,
    pub value: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSetup {
    #[serde(default)]
    pub command_score: i64,
    #[serde(default)]
    pub do_nothings: i32,
    pub tokens: i32,
    /// The id of the worm whose turn it is.
    pub active: u8,
    /// The id of the worm whose turn it was.
    pub previous: u8,
    /// In the order of their ids, from 1. One without health is off the map.
    pub worms: Vec<WormSetup>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WormSetup {
    pub hp: i32,
    pub at: Cell,
    pub came_from: Cell,
    #[serde(default)]
    pub frozen: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bananas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snowballs: Option<i32>,
}

impl Setup {
    pub(crate) fn rows_of(ground: &Ground) -> Vec<String> {
        let size = ground.size();
        let letter = |x, y| ground.at(Cell { x, y }).letter();
        (0..size).map(|y| (0..size).map(|x| letter(x, y)).collect()).collect()
    }

    pub(crate) fn to_ground(&self, config: &Config) -> Result<Ground, SetupError> {
        let size = config.game.map_size as u8;
        let mut ground = Ground::new(size);
        require(self.map.len() == usize::from(size), "as many rows as mapSize", self.map.len())?;
        for (row, y) in self.map.iter().zip(0..) {
            let count = row.chars().count();
            require(count == usize::from(size), "rows as long as mapSize", count)?;
            for (letter, x) in row.chars().zip(0..) {
                let terrain = Terrain::from_letter(letter)
                    .ok_or_else(|| SetupError::new("the letters . # * L", letter))?;
                ground.set(Cell { x, y }, terrain);
            }
        }
        Ok(ground)
    }

    /// Whether everything that is not terrain is where and what it can be.
    pub(crate) fn check(&self, config: &Config, ground: &Ground) -> Result<(), SetupError> {
        let rounds = config.game.max_rounds as u32;
        require(self.round < rounds, "a round below maxRounds", self.round)?;
        require(self.packs.len() <= PACKS_MAX, "at most 16 health packs", self.packs.len())?;
        for (index, pack) in self.packs.iter().enumerate() {
            check_cell(ground, pack.at)?;
            let is_amount = (0..=AMOUNT_MAX).contains(&i64::from(pack.value));
            require(is_amount, "a pack's value from 0 to 1000000", pack.value)?;
            let is_first = self.packs[..index].iter().all(|other| other.at != pack.at);
            require(is_first, "one pack in a cell", index)?;
        }
        let mut taken: Vec<Cell> = Vec::new();
        for (_, player) in self.players.iter() {
            player.check(config, ground)?;
            for worm in player.worms.iter().filter(|worm| worm.hp > 0) {
                require(!taken.contains(&worm.at), "one worm in a cell", taken.len())?;
                taken.push(worm.at);
            }
        }
        Ok(())
    }
}

impl PlayerSetup {
    fn check(&self, config: &Config, ground: &Ground) -> Result<(), SetupError> {
        let game = &config.game;
        let is_score = (-AMOUNT_MAX..=AMOUNT_MAX).contains(&self.command_score);
        require(is_score, "a score within 1000000", self.command_score)?;
        let idle = u32::try_from(self.do_nothings).unwrap_or(u32::MAX);
        let is_player = idle < Switches::of(config.edition).do_nothings_limit(game);
        require(is_player, "do-nothings within the limit", self.do_nothings)?;
        let is_amount = (0..=AMOUNT_MAX).contains(&i64::from(self.tokens));
        require(is_amount, "tokens from 0 to 1000000", self.tokens)?;
        let count = self.worms.len();
        require(count == game.worm_count(), "as many worms as the config has", count)?;
        for id in [self.active, self.previous] {
            let is_worm = (1..=count).contains(&usize::from(id));
            require(is_worm, "the id of a worm", id)?;
        }
        require(self.worms.iter().any(|worm| worm.hp > 0), "a worm with health", 0)?;
        let classes = game.classes().into_iter();
        let classes = classes.flat_map(|class| (0..class.count).map(move |_| class));
        self.worms.iter().zip(classes).try_for_each(|(worm, class)| worm.check(class, ground))
    }
}

impl WormSetup {
    fn check(&self, class: &WormClass, ground: &Ground) -> Result<(), SetupError> {
        check_cell(ground, self.at)?;
        check_cell(ground, self.came_from)?;
        let is_health = (-AMOUNT_MAX..=AMOUNT_MAX).contains(&i64::from(self.hp));
        require(is_health, "health within 1000000", self.hp)?;
        require((0..=1000).contains(&self.frozen), "a timer from 0 to 1000", self.frozen)?;
        let is_open = self.hp <= 0 || ground.at(self.at).is_open();
        require(is_open, "worms in air or lava", ground.at(self.at).name())?;
        let check_count = |count: Option<i32>, is_armed: bool| {
            require(count.is_some() == is_armed, "the weapons of the profession", "others")?;
            let count = i64::from(count.unwrap_or(0));
            require((0..=AMOUNT_MAX).contains(&count), "a count from 0 to 1000000", count)
        };
        check_count(self.bananas, class.bananas.is_some())?;
        check_count(self.snowballs, class.snowballs.is_some())
    }
}

fn check_cell(ground: &Ground, cell: Cell) -> Result<(), SetupError> {
    let is_inside = cell.x < ground.size() && cell.y < ground.size();
    require(is_inside, "places on the map", format_args!("{} {}", cell.x, cell.y))
}
