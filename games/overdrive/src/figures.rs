//! The numbers of the game, by the names that the original's config file has for them.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Declares every number once: its field, its key in the file, its usual value and what it may be.
macro_rules! figures {
    ($($(#[$attribute:meta])* $field:ident $key:literal = $usual:literal in $range:expr;)*) => {
        /// Every number of the config file. The usual values are the document's, and the engine's
        /// where the document is silent.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Figures {
            $($(#[$attribute])* #[serde(rename = $key)] pub $field: i32,)*
        }

        impl Default for Figures {
            fn default() -> Self {
                Figures { $($field: $usual,)* }
            }
        }

        impl Figures {
            /// The keys of the file that hold a number.
            pub const KEYS: &'static [&'static str] = &[$($key,)*];

            /// The number of that key; `None` if there is no such key.
            pub fn get_mut(&mut self, key: &str) -> Option<&mut i32> {
                match key {
                    $($key => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            /// Each key with its value and what that may be.
            fn rows(&self) -> [(&'static str, i32, RangeInclusive<i32>); Figures::KEYS.len()] {
                [$(($key, self.$field, $range),)*]
            }
        }
    };
}

/// No car is faster, so that a path fits into one machine word.
pub(crate) const SPEED_MAX: i32 = 50;
pub(crate) const LANES_MAX: i32 = 9;
pub(crate) const LENGTH_MAX: i32 = 20_000;
pub(crate) const DAMAGE_LIMIT: i32 = 100;
/// With paths this short and scores this small no sum can overflow.
const ROUNDS_MAX: i32 = 10_000;
const SCORE_STEP_MAX: i32 = 1_000;
const VISIBILITY_MAX: i32 = 1_000;

figures! {
    number_of_lanes "NUMBER_OF_LANES" = 4 in 1..=LANES_MAX;
    /// Cars cannot leave the lanes from this one on.
    min_lane "MIN_LANE" = 1 in 1..=LANES_MAX;
    max_lane "MAX_LANE" = 4 in 1..=LANES_MAX;
    track_length "TRACK_LENGTH" = 1500 in 2..=LENGTH_MAX;
    max_rounds "MAX_ROUNDS" = 600 in 1..=ROUNDS_MAX;
    /// What `occupiedByPlayerId` shows where there is no car.
    empty_player "EMPTY_PLAYER" = 0 in 0..=99;
    /// Shown at the end of the runner's log; nothing else has health.
    default_health "DEFAULT_HEALTH" = 0 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    default_score "DEFAULT_SCORE" = 0 in -1_000_000..=1_000_000;
    minimum_speed "MINIMUM_SPEED" = 0 in 0..=SPEED_MAX;
    speed_state_1 "SPEED_STATE_1" = 3 in 0..=SPEED_MAX;
    initial_speed "INITIAL_SPEED" = 5 in 0..=SPEED_MAX;
    speed_state_2 "SPEED_STATE_2" = 6 in 0..=SPEED_MAX;
    speed_state_3 "SPEED_STATE_3" = 8 in 0..=SPEED_MAX;
    maximum_speed "MAXIMUM_SPEED" = 9 in 0..=SPEED_MAX;
    boost_speed "BOOST_SPEED" = 15 in 0..=SPEED_MAX;
    player_one_start_lane "PLAYER_ONE_START_LANE" = 1 in 1..=LANES_MAX;
    player_one_start_block "PLAYER_ONE_START_BLOCK" = 1 in 1..=LENGTH_MAX;
    player_two_start_lane "PLAYER_TWO_START_LANE" = 4 in 1..=LANES_MAX;
    player_two_start_block "PLAYER_TWO_START_BLOCK" = 1 in 1..=LENGTH_MAX;
    starting_block_for_generated_map_objects "STARTING_BLOCK_FOR_GENERATED_MAP_OBJECTS"
        = 6 in 1..=LENGTH_MAX;
    /// How many blocks in front of an EMP are not reached by it.
    emp_block_gap "EMP_BLOCK_GAP" = 0 in 0..=LENGTH_MAX;
    mud_generation_percentage "MUD_GENERATION_PERCENTAGE" = 5 in 0..=100;
    boost_generation_percentage "BOOST_GENERATION_PERCENTAGE" = 1 in 0..=100;
    oil_item_generation_percentage "OIL_ITEM_GENERATION_PERCENTAGE" = 1 in 0..=100;
    /// The original's file has 1.25 and its engine reads 1.
    wall_generation_percentage "WALL_GENERATION_PERCENTAGE" = 1 in 0..=100;
    tweet_generation_percentage "TWEET_GENERATION_PERCENTAGE" = 1 in 0..=100;
    lizard_generation_percentage "LIZARD_GENERATION_PERCENTAGE" = 1 in 0..=100;
    emp_generation_percentage "EMP_GENERATION_PERCENTAGE" = 1 in 0..=100;
    empty_map_object "EMPTY_MAP_OBJECT" = 0 in 0..=99;
    mud_map_object "MUD_MAP_OBJECT" = 1 in 0..=99;
    oil_spill_map_object "OIL_SPILL_MAP_OBJECT" = 2 in 0..=99;
    oil_item_map_object "OIL_ITEM_MAP_OBJECT" = 3 in 0..=99;
    finish_line_map_object "FINISH_LINE_MAP_OBJECT" = 4 in 0..=99;
    boost_map_object "BOOST_MAP_OBJECT" = 5 in 0..=99;
    wall_map_object "WALL_MAP_OBJECT" = 6 in 0..=99;
    lizard_map_object "LIZARD_MAP_OBJECT" = 7 in 0..=99;
    tweet_map_object "TWEET_MAP_OBJECT" = 8 in 0..=99;
    emp_map_object "EMP_MAP_OBJECT" = 9 in 0..=99;
    boost_duration "BOOST_DURATION" = 5 in 1..=ROUNDS_MAX;
    /// By how many blocks a turn is shorter than a straight way.
    change_lane_penalty "CHANGE_LANE_PENALTY" = 1 in 0..=SPEED_MAX;
    backward_visibility "BACKWARD_VISIBILITY" = 5 in 0..=VISIBILITY_MAX;
    forward_visibility "FORWARD_VISIBILITY" = 20 in 0..=VISIBILITY_MAX;
    hit_mud_score_penalty "HIT_MUD_SCORE_PENALTY" = -3 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    hit_oil_score_penalty "HIT_OIL_SCORE_PENALTY" = -4 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    hit_wall_score_penalty "HIT_WALL_SCORE_PENALTY" = -5 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    hit_cybertruck_score_penalty "HIT_CYBERTRUCK_SCORE_PENALTY"
        = -7 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    hit_emp_score_penalty "HIT_EMP_SCORE_PENALTY" = -7 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    pickup_powerup_bonus "PICKUP_POWERUP_BONUS" = 4 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    use_powerup_bonus "USE_POWERUP_BONUS" = 4 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    /// The document's; the original's file has -3, which its engine never uses.
    invalid_command_penalty "INVALID_COMMAND_PENALTY" = -5 in -SCORE_STEP_MAX..=SCORE_STEP_MAX;
    /// The original can sort players by name. Ours sit where they are put.
    racer_placement_sorting "RACER_PLACEMENT_SORTING" = -1 in -1..=-1;
    damage_mud "DAMAGE_MUD" = 1 in 0..=DAMAGE_LIMIT;
    damage_oil "DAMAGE_OIL" = 1 in 0..=DAMAGE_LIMIT;
    damage_wall "DAMAGE_WALL" = 2 in 0..=DAMAGE_LIMIT;
    damage_cybertruck "DAMAGE_CYBERTRUCK" = 2 in 0..=DAMAGE_LIMIT;
    damage_repair_value "DAMAGE_REPAIR_VALUE" = 2 in 0..=DAMAGE_LIMIT;
    damage_max_value "DAMAGE_MAX_VALUE" = 5 in 0..=DAMAGE_LIMIT;
}

/// A number that cannot be played with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    pub key: &'static str,
    pub expected: String,
    pub got: i32,
}

impl Figures {
    /// Every speed that a car can have, from the lowest to the boost.
    pub(crate) fn speeds(&self) -> [i32; 7] {
        [
            self.minimum_speed,
            self.speed_state_1,
            self.initial_speed,
            self.speed_state_2,
            self.speed_state_3,
            self.maximum_speed,
            self.boost_speed,
        ]
    }

    /// # Errors
    /// The first number that is out of its range, or does not go with the others.
    pub fn check(&self) -> Result<(), Misfit> {
        for (key, got, range) in self.rows() {
            fits(key, got, range)?;
        }
        fits("MAX_LANE", self.max_lane, 1..=self.number_of_lanes)?;
        fits("MIN_LANE", self.min_lane, 1..=self.max_lane)?;
        let lanes = self.min_lane..=self.max_lane;
        // Nobody starts on the finish line.
        let blocks = 1..=self.track_length - 1;
        fits("PLAYER_ONE_START_LANE", self.player_one_start_lane, lanes.clone())?;
        fits("PLAYER_TWO_START_LANE", self.player_two_start_lane, lanes)?;
        fits("PLAYER_ONE_START_BLOCK", self.player_one_start_block, blocks.clone())?;
        fits("PLAYER_TWO_START_BLOCK", self.player_two_start_block, blocks)?;
        let first = (self.player_one_start_lane, self.player_one_start_block);
        let second = (self.player_two_start_lane, self.player_two_start_block);
        if first == second {
            return Err(Misfit {
                key: "PLAYER_TWO_START_BLOCK",
                expected: "a place that is not the first player's".to_owned(),
                got: self.player_two_start_block,
            });
        }
        Ok(())
    }
}

fn fits(key: &'static str, got: i32, range: RangeInclusive<i32>) -> Result<(), Misfit> {
    if range.contains(&got) {
        return Ok(());
    }
    let (low, high) = (range.start(), range.end());
    let expected = if low == high { low.to_string() } else { format!("{low} to {high}") };
    Err(Misfit { key, expected, got })
}
