//! The published strength of a game's house bots: what a ladder is measured by.
//!
//! A scale is data: made by games of the rungs against each other, kept in a file with its date, its machine
//! and how many games it rests on. A game may bring one along ([`quintain_registry::Abilities::scale`]).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use quintain_core::HouseBot;
use quintain_registry::AnyGame;
use quintain_tournament::{ELO_MAX, Rating};
use serde::{Deserialize, Serialize};

use crate::plan::GameRules;

/// The rung that has [`Scale::ANCHOR_ELO`] by definition, in games that have one of this name; elsewhere it is
/// the weakest.
const ANCHOR: &str = "greedy";

/// The strength of the rungs of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    pub game: String,
    /// The day on which the games ended, such as 2026-11-17.
    pub date: String,
    /// The processor, and how many cores there were.
    pub machine: String,
    /// By which rules was played.
    pub rules: String,
    /// All games of the rungs against each other.
    pub games: u64,
    /// The rung whose strength is known by definition.
    pub anchor: String,
    /// Weakest first, as the house lists them.
    #[serde(rename = "rung")]
    pub rungs: Vec<ScaleRung>,
    /// Who met whom.
    #[serde(rename = "meeting")]
    pub meetings: Vec<ScaleMeeting>,
}

/// A rung with the ends of its 95% interval. An end that is left out is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleRung {
    pub name: String,
    pub elo: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// The games of two rungs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleMeeting {
    pub lower: String,
    pub higher: String,
    pub games: u64,
    /// Of the higher one.
    pub points: f64,
    /// Games that are no copies of others.
    pub different: u64,
    /// After how many of the games the sequential test of a ladder had shown that the higher one is stronger,
    /// if it had.
    pub stronger_after: Option<u64>,
}

/// Where a scale and a house do not fit together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ScaleGaps {
    /// Rungs of the house that the scale does not know.
    pub lacking: Vec<String>,
    /// Rungs of the scale that the house does not have any more.
    pub gone: Vec<String>,
}

/// What is wrong with the text of a scale.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScaleError {
    #[error("expected the scale of a ladder, found: {0}")]
    NoScale(String),
    #[error("expected a scale of {expected}, found one of {found}")]
    OtherGame { expected: String, found: String },
    #[error("expected finite numbers, found {found} for {rung}")]
    NoNumber { rung: String, found: f64 },
}

impl Scale {
    /// What the anchor has.
    pub const ANCHOR_ELO: f64 = 1_000.0;

    /// # Errors
    /// Says what was expected.
    pub fn read(text: &str, game: &str) -> Result<Scale, ScaleError> {
        let scale: Scale =
            toml::from_str(text).map_err(|error| ScaleError::NoScale(error.to_string()))?;
        if scale.game != game {
            return Err(ScaleError::OtherGame { expected: game.to_owned(), found: scale.game });
        }
        match scale.rungs.iter().find(|rung| !rung.elo.is_finite()) {
            Some(rung) => Err(ScaleError::NoNumber { rung: rung.name.clone(), found: rung.elo }),
            None => Ok(scale),
        }
    }

    /// The one that the game brings along, if there is one.
    ///
    /// # Errors
    /// As [`Scale::read`].
    pub fn of(game: &dyn AnyGame) -> Result<Option<Scale>, ScaleError> {
        let facts = game.facts();
        facts.abilities.scale.map(|text| Scale::read(text, facts.id)).transpose()
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let written = toml::to_string(self).expect("names and numbers can be written");
        format!(
            "# How strong the house bots of {} are, in Elo points: made by games of each against its\n\
             # neighbours. The intervals hold 95 times in a hundred.\n\n{written}",
            self.game
        )
    }

    pub fn rung(&self, name: &str) -> Option<&ScaleRung> {
        self.rungs.iter().find(|rung| rung.name == name)
    }

    /// The games of a rung and the one below it.
    pub fn step_to(&self, name: &str) -> Option<&ScaleMeeting> {
        let place = self.rungs.iter().position(|rung| rung.name == name)?;
        let below = &self.rungs.get(place.checked_sub(1)?)?.name;
        self.meetings.iter().find(|met| met.lower == *below && met.higher == name)
    }

    pub fn gaps(&self, house: &[HouseBot]) -> ScaleGaps {
        let has = |name: &str| house.iter().any(|bot| bot.name == name);
        let lacking = house.iter().filter(|bot| self.rung(bot.name).is_none());
        let gone = self.rungs.iter().filter(|rung| !has(&rung.name));
        ScaleGaps {
            lacking: lacking.map(|bot| bot.name.to_owned()).collect(),
            gone: gone.map(|rung| rung.name.clone()).collect(),
        }
    }

    /// Which rung of a house is the anchor.
    pub(crate) fn anchor_of(house: &[HouseBot]) -> usize {
        house.iter().position(|bot| bot.name == ANCHOR).unwrap_or(0)
    }
}

impl ScaleRung {
    /// A rating, rounded as it is published.
    pub(crate) fn new(name: &str, rating: &Rating) -> ScaleRung {
        let is_open = |end: f64| (end - rating.value).abs() > ELO_MAX - 1e-3;
        let end = |end: f64| (!is_open(end)).then(|| end.round());
        let elo = rating.value.round();
        ScaleRung { name: name.to_owned(), elo, low: end(rating.low), high: end(rating.high) }
    }

    pub fn rating(&self) -> Rating {
        let ScaleRung { elo: value, low, high, .. } = *self;
        Rating { value, low: low.unwrap_or(value - ELO_MAX), high: high.unwrap_or(value + ELO_MAX) }
    }
}

impl ScaleGaps {
    pub fn is_none(&self) -> bool {
        self.lacking.is_empty() && self.gone.is_empty()
    }
}

/// Rules as a scale names them: what differs from the usual ones, behind the edition.
pub fn rules_in_words(rules: &GameRules) -> String {
    let mut words = vec![format!("edition {}", rules.edition.name())];
    words.extend(rules.league.map(|league| format!("league {league}")));
    words.extend(rules.game_config.as_ref().map(|path| format!("config {}", path.display())));
    words.extend(rules.limit.map(|limit| format!("limit {} ms", limit.as_millis())));
    words.extend(rules.set.iter().map(|(key, value)| format!("{key}={value}")));
    if rules.time_scale != 1.0 {
        words.push(format!("times multiplied by {}", rules.time_scale));
    }
    if !rules.clock {
        words.push("no clock".to_owned());
    }
    words.join(", ")
}

/// The day, as calendars of our time count it.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_of(since)
}

/// The day of a moment as stores keep it, in milliseconds since 1970.
pub fn date_of_ms(milliseconds: i64) -> String {
    date_of(Duration::from_millis(milliseconds.max(0).cast_unsigned()))
}

/// The day so long after the beginning of 1970. Years are counted from March, so that a leap day is the last
/// of its year, and in cycles of 400 years, which all have as many days.
fn date_of(since_1970: Duration) -> String {
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let days = since_1970.as_secs() / 86_400 + DAYS_TO_1970;
    let (cycle, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (400 * cycle + year, month + 3),
        _ => (400 * cycle + year + 1, month - 9),
    };
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_core::Effort;

    fn rung(name: &str, elo: f64) -> ScaleRung {
        ScaleRung { name: name.to_owned(), elo, low: Some(elo - 30.0), high: None }
    }

    fn scale() -> Scale {
        Scale {
            game: "hockey".to_owned(),
            date: "2026-11-17".to_owned(),
            machine: "a processor, 2 cores".to_owned(),
            rules: "edition document".to_owned(),
            games: 200,
            anchor: "greedy".to_owned(),
            rungs: vec![rung("random", 400.0), rung("greedy", 1_000.0)],
            meetings: vec![ScaleMeeting {
                lower: "random".to_owned(),
                higher: "greedy".to_owned(),
                games: 200,
                points: 190.5,
                different: 198,
                stronger_after: Some(12),
            }],
        }
    }

    #[test]
    fn a_scale_is_read_as_it_is_written() {
        assert_eq!(Scale::read(&scale().text(), "hockey"), Ok(scale()));
    }

    #[test]
    fn every_rung_but_the_lowest_has_met_the_one_below() {
        assert_eq!(scale().step_to("greedy"), scale().meetings.first());
        assert_eq!(scale().step_to("random"), None);
        assert_eq!(scale().step_to("champion"), None);
    }

    #[test]
    fn what_is_no_scale_of_the_game_is_refused_in_words() {
        let other = Scale::read(&scale().text(), "worms").expect_err("it is of hockey");
        assert_eq!(other.to_string(), "expected a scale of worms, found one of hockey");
        let broken = Scale::read("game = 3", "hockey").expect_err("no scale").to_string();
        assert!(broken.starts_with("expected the scale of a ladder"), "{broken}");
        let endless = scale().text().replace("elo = 400.0", "elo = nan");
        let endless = Scale::read(&endless, "hockey").expect_err("no number").to_string();
        assert_eq!(endless, "expected finite numbers, found NaN for random");
    }

    #[test]
    fn rungs_that_only_one_of_scale_and_house_has_are_named() {
        let bot = |name| HouseBot { name, about: "", effort: Effort::AtOnce };
        let gaps = scale().gaps(&[bot("random"), bot("search-1k")]);
        assert_eq!(gaps.lacking, ["search-1k"]);
        assert_eq!(gaps.gone, ["greedy"]);
        assert!(scale().gaps(&[bot("random"), bot("greedy")]).is_none());
    }

    #[test]
    fn days_are_counted_with_leap_years() {
        let date = |days: u64| date_of(Duration::from_secs(86_400 * days));
        assert_eq!([date(0), date(59), date(60)], ["1970-01-01", "1970-03-01", "1970-03-02"]);
        assert_eq!([date(11_016), date(11_017)], ["2000-02-29", "2000-03-01"]);
        assert_eq!(date(20_774), "2026-11-17");
    }
}
