//! The plan of a tournament.

use quintain_core::SEED_BITS_USUAL;
use quintain_record::Contestant;
use quintain_store::RunInfo;
use quintain_tournament::{Form, RatingKind, Seeds, Settings, SettingsError, TieBreak};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{MatchSettings, PlanError, RunWish, check_name, derived_seeds, of_run, settings_of};
use crate::occupant::parse_contestant;

/// How many games each two bots play when they meet.
const GAMES: u32 = 10;
const TIE_BREAK_PAIRS: u32 = 5;

/// A tournament as it was described, with everything checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentPlan {
    pub settings: MatchSettings,
    pub bots: Vec<Contestant>,
    /// Who meets whom, how often, and with which seeds.
    pub schedule: Settings,
    pub rating: RatingKind,
}

/// Who meets whom, before it is known how many bots there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormKind {
    #[default]
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
}

impl FormKind {
    pub const ALL: [FormKind; 4] =
        [FormKind::RoundRobin, FormKind::Gauntlet, FormKind::Swiss, FormKind::Knockout];

    /// As files and reports name it.
    pub fn name(self) -> &'static str {
        match self {
            FormKind::RoundRobin => "round-robin",
            FormKind::Gauntlet => "gauntlet",
            FormKind::Swiss => "swiss",
            FormKind::Knockout => "knockout",
        }
    }
}

/// A tournament as somebody describes it. What is left out is as usual.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentDraft {
    pub settings: MatchSettings,
    /// As they are written: `[NAME=]BOT`.
    pub bots: Vec<String>,
    pub form: FormKind,
    pub games_per_pair: Option<u32>,
    /// Of a gauntlet: how many of the first bots meet all others.
    pub challengers: Option<u32>,
    /// Of a Swiss tournament; usually as many as tell the bots apart.
    pub rounds: Option<u32>,
    /// Of a knock-out: how many pairs are played to break a tie; without any the better seed goes on.
    pub tie_break_pairs: Option<u32>,
    pub third_place: bool,
    /// The seeds themselves; usually they follow from that of the settings.
    pub seeds: Option<Vec<i64>>,
    pub rating: RatingKind,
}

impl TournamentDraft {
    /// A round-robin tournament without bots.
    pub fn of(game: &str) -> TournamentDraft {
        TournamentDraft {
            settings: MatchSettings::of(game),
            bots: Vec::new(),
            form: FormKind::default(),
            games_per_pair: None,
            challengers: None,
            rounds: None,
            tie_break_pairs: None,
            third_place: false,
            seeds: None,
            rating: RatingKind::BradleyTerry,
        }
    }

    /// Reads the bots and checks everything.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn plan(&self) -> Result<TournamentPlan, PlanError> {
        let game = self.settings.game()?;
        let state = self.settings.state.unwrap_or_default();
        let mut bots: Vec<Contestant> = Vec::new();
        for text in &self.bots {
            bots.push(parse_contestant(text, game, state)?);
        }
        self.plan_of(bots)
    }

    /// The same with bots that were read before.
    ///
    /// # Errors
    /// As [`TournamentDraft::plan`].
    pub fn plan_of(&self, bots: Vec<Contestant>) -> Result<TournamentPlan, PlanError> {
        let game = self.settings.game()?;
        for (index, bot) in bots.iter().enumerate() {
            check_name(&bot.name).map_err(|wrong| PlanError::wrong("bot", wrong))?;
            if bots[..index].iter().any(|other| other.name == bot.name) {
                return Err(PlanError::SameName { name: bot.name.clone() });
            }
        }
        self.check_form()?;
        let seeds = match &self.seeds {
            Some(list) => Seeds::Listed(list.clone()),
            None => derived_seeds(self.settings.seed, game),
        };
        let schedule = self.schedule(u32::try_from(bots.len()).unwrap_or(u32::MAX), seeds);
        Ok(TournamentPlan { settings: self.settings.clone(), bots, schedule, rating: self.rating })
    }

    /// Refuses what another form has, which would mean nothing here.
    fn check_form(&self) -> Result<(), PlanError> {
        let belongs = [
            ("challengers", self.challengers.is_some(), FormKind::Gauntlet),
            ("rounds", self.rounds.is_some(), FormKind::Swiss),
            ("tie-break-pairs", self.tie_break_pairs.is_some(), FormKind::Knockout),
            ("third-place", self.third_place, FormKind::Knockout),
        ];
        let wrong = belongs.into_iter().find(|(_, is_set, form)| *is_set && *form != self.form);
        let Some((key, _, form)) = wrong else { return Ok(()) };
        let (expected, found) = (form.name(), self.form.name());
        let wrong = format!("expected only in a {expected} tournament, found in a {found}");
        Err(PlanError::wrong(key, wrong))
    }

    fn schedule(&self, bots: u32, seeds: Seeds) -> Settings {
        let form = match self.form {
            FormKind::RoundRobin => Form::RoundRobin,
            FormKind::Gauntlet => Form::Gauntlet { challengers: self.challengers.unwrap_or(1) },
            // Enough for one bot to be alone without a defeat.
            FormKind::Swiss => {
                let enough = bots.next_power_of_two().trailing_zeros().max(1);
                Form::Swiss { rounds: self.rounds.unwrap_or(enough) }
            }
            FormKind::Knockout => {
                let at_most = self.tie_break_pairs.unwrap_or(TIE_BREAK_PAIRS);
                let tie_break = match at_most {
                    0 => TieBreak::BetterSeed,
                    at_most => TieBreak::ExtraPairs { at_most },
                };
                Form::Knockout { tie_break, third_place: self.third_place }
            }
        };
        Settings { bots, form, games: self.games_per_pair.unwrap_or(GAMES), seeds }
    }
}

/// The schedule of a stored tournament; `None` if the run is none that can be read. Where everybody meets
/// everybody, how many games two bots play is as wished, or as usual if nobody knows the wish.
pub(crate) fn stored_schedule(run: &RunInfo, wish: &RunWish) -> Option<Settings> {
    let form = FormKind::ALL.into_iter().find(|form| form.name() == run.plan.kind)?;
    let settings: Value = serde_json::from_str(&run.plan.settings).ok()?;
    let number = |key: &str| settings[key].as_u64()?.try_into().ok();
    let seeds = match settings["seeds"].as_array() {
        Some(list) => Seeds::Listed(list.iter().filter_map(Value::as_i64).collect()),
        None => {
            let from = settings["seed"].as_i64().unwrap_or_default().cast_unsigned();
            of_run(Seeds::Derived { from, bits: SEED_BITS_USUAL }, run)
        }
    };
    let draft = TournamentDraft {
        form,
        games_per_pair: number("games-per-pair").or(wish.games_per_pair),
        challengers: number("challengers"),
        rounds: number("rounds"),
        tie_break_pairs: number("tie-break-pairs"),
        third_place: settings["third-place"].as_bool().unwrap_or_default(),
        ..TournamentDraft::of(&run.plan.game)
    };
    let bots = u32::try_from(run.plan.bots.len()).ok()?;
    Some(draft.schedule(bots, seeds))
}

impl TournamentPlan {
    /// Whether so many bots can play so many games in this form.
    ///
    /// # Errors
    /// Names what is to be changed.
    pub fn check(&self) -> Result<(), PlanError> {
        self.schedule.check().map_err(|error| PlanError::wrong(field_of(&error), error))
    }

    /// What its games are called in a store, unless they have a name.
    pub fn usual_name(&self) -> String {
        format!("tournament {}", self.settings.game)
    }

    /// Whether it is known beforehand who meets whom.
    pub(crate) fn is_simple(&self) -> bool {
        matches!(self.schedule.form, Form::RoundRobin | Form::Gauntlet { .. })
    }

    /// What a run's settings hold beside those of its matches, by the keys of a tournament file.
    pub(crate) fn form_settings(&self) -> Map<String, Value> {
        let settings = match self.schedule.form {
            Form::RoundRobin => json!({}),
            Form::Gauntlet { challengers } => json!({ "challengers": challengers }),
            Form::Swiss { rounds } => json!({ "rounds": rounds }),
            Form::Knockout { tie_break, third_place } => {
                let pairs = match tie_break {
                    TieBreak::BetterSeed => 0,
                    TieBreak::ExtraPairs { at_most } => at_most,
                };
                json!({ "tie-break-pairs": pairs, "third-place": third_place })
            }
        };
        let mut settings = settings.as_object().cloned().unwrap_or_default();
        settings.extend(settings_of(&self.schedule.seeds));
        // Where everybody meets everybody, more games can be added to those that were played.
        if !self.is_simple() {
            settings.insert("games-per-pair".to_owned(), json!(self.schedule.games));
        }
        settings
    }
}

/// What is to be changed.
fn field_of(error: &SettingsError) -> &'static str {
    match error {
        SettingsError::Bots { .. } => "bot",
        SettingsError::Games | SettingsError::OddGames { .. } => "games-per-pair",
        SettingsError::Challengers { .. } => "challengers",
        SettingsError::Rounds { .. } => "rounds",
        SettingsError::Seeds => "seeds",
    }
}
