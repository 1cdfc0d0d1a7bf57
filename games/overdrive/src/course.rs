//! What does not change during a match: the config, the track, and tables made of both.

use quintain_core::{Digest, SetupError};

use crate::figures::{DAMAGE_LIMIT, SPEED_MAX};
use crate::{Config, Setup, Surface, Track};

const SPEEDS: usize = SPEED_MAX as usize + 1;
const DAMAGES: usize = DAMAGE_LIMIT as usize + 1;

/// Shared by all positions of a match.
#[derive(Debug, PartialEq)]
pub(crate) struct Course {
    pub(crate) config: Config,
    pub(crate) track: Track,
    /// The next speed up, by speed.
    pub(crate) faster: [u8; SPEEDS],
    /// The next speed down when the driver brakes.
    pub(crate) slower: [u8; SPEEDS],
    /// The next speed down in mud or oil, which never stops a car.
    pub(crate) stuck: [u8; SPEEDS],
    /// The highest speed, by damage.
    pub(crate) cap: [u8; DAMAGES],
    /// The digest of all of this.
    pub(crate) fingerprint: u64,
}

impl Course {
    pub(crate) fn new(config: &Config, setup: &Setup) -> Result<Course, SetupError> {
        config.check()?;
        let track = Track::new(&setup.lanes(&config.figures)?);
        let figures = &config.figures;
        let [minimum, first, initial, second, third, maximum, boost] =
            figures.speeds().map(|speed| speed as u8);
        let slower = [
            (boost, maximum),
            (maximum, third),
            (third, second),
            (second, first),
            (initial, first),
            (first, minimum),
        ];
        let faster = [
            (minimum, first),
            (first, second),
            (initial, second),
            (second, third),
            (third, maximum),
        ];
        let cap = [boost, maximum, third, second, first, minimum];
        let fingerprint = fingerprint(config, &track);
        Ok(Course {
            config: *config,
            track,
            faster: steps(&faster),
            slower: steps(&slower),
            stuck: steps(&slower[..5]),
            cap: std::array::from_fn(|damage| cap[damage.min(cap.len() - 1)]),
            fingerprint,
        })
    }

    /// The speed that walls, trucks and EMPs leave to a car: it is slow, or stands if it stood.
    #[inline]
    pub(crate) fn struck(&self, speed: u8) -> u8 {
        let figures = &self.config.figures;
        let minimum = figures.minimum_speed as u8;
        if speed == minimum { minimum } else { figures.speed_state_1 as u8 }
    }

    /// The number of a surface in state files.
    pub(crate) fn numbers(&self) -> [u8; Surface::ALL.len()] {
        let figures = &self.config.figures;
        Surface::ALL.map(|surface| {
            let number = match surface {
                Surface::Empty => figures.empty_map_object,
                Surface::Mud => figures.mud_map_object,
                Surface::OilSpill => figures.oil_spill_map_object,
                Surface::OilItem => figures.oil_item_map_object,
                Surface::FinishLine => figures.finish_line_map_object,
                Surface::Boost => figures.boost_map_object,
                Surface::Wall => figures.wall_map_object,
                Surface::Lizard => figures.lizard_map_object,
                Surface::Tweet => figures.tweet_map_object,
                Surface::Emp => figures.emp_map_object,
            };
            number as u8
        })
    }
}

/// A table from speed to speed. What is not named stays; of two rows for one speed the first counts.
fn steps(rows: &[(u8, u8)]) -> [u8; SPEEDS] {
    std::array::from_fn(|speed| {
        let row = rows.iter().find(|&&(from, _)| usize::from(from) == speed);
        row.map_or(speed as u8, |&(_, to)| to)
    })
}

fn fingerprint(config: &Config, track: &Track) -> u64 {
    let mut digest = Digest::new();
    let text = serde_json::to_string(config).expect("a config is plain data that JSON can hold");
    digest.text(&text);
    let digits: Vec<u8> = track.surfaces().iter().map(|surface| surface.digit()).collect();
    digest.u8(track.lanes()).bytes(&digits);
    digest.finish()
}
