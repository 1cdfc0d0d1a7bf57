//! What came of a tournament: the standings, and what they rest on.

use quintain_record::BotId;
use quintain_store::{Filter, RunInfo, Store, StoreError};
use quintain_tournament::{
    Book, DisturbedGames, Encounter, ErrorCounts, Form, GlickoLadder, MatchResult, Place, Rating,
    RatingKind, RatingSettings, Row, Schedule, Standings, TAU, Tally, standings, standings_by,
};
use serde::Serialize;

use super::rounds::{RoundReport, rounds_of};
use super::{
    DisturbedAnswer, DisturbedBot, Doubt, VoidMatch, book_of, bot_name, disturbed_answers,
    disturbed_bots, is_refused, played_again, replay_path,
};

/// Everything that is shown of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    pub name: String,
    pub game: String,
    pub form: &'static str,
    pub rating: RatingKind,
    /// Those that count.
    pub games: u64,
    /// `None` where it follows from results.
    pub planned: Option<u64>,
    /// Whether all of it was played.
    #[serde(skip)]
    pub is_over: bool,
    /// Games that are no copies of others.
    pub different_games: u64,
    /// The pairings with games that are copies of others.
    pub copies: Vec<CopiesReport>,
    /// Places and ratings are left out where nothing is concluded.
    pub doubt: Option<Doubt>,
    pub standings: Vec<StandingsRow>,
    /// In the order of the standings: won, drawn and lost games of each against each.
    pub cross_table: Vec<Vec<Option<[u64; 3]>>>,
    /// Where they follow from results.
    pub rounds: Vec<RoundReport>,
    pub void: Vec<VoidMatch>,
    pub disturbed: Vec<DisturbedAnswer>,
    pub disturbed_bots: Vec<DisturbedBot>,
    /// What all sessions took together.
    pub seconds: f64,
}

/// One bot.
#[derive(Clone, Debug, Serialize)]
pub struct StandingsRow {
    /// `None` where nothing is concluded from the games; the rating is left out then too.
    pub place: Option<u32>,
    pub bot: String,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Those of the losses that the opponent lost as well.
    pub both_lost: u64,
    pub points: f64,
    pub rating: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub errors: u64,
    pub error_kinds: ErrorCounts,
    /// What the place rests on in a Swiss tournament.
    #[serde(flatten)]
    pub swiss: Option<SwissPoints>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct SwissPoints {
    /// Of pairings, byes included.
    pub swiss_points: f64,
    /// Those of the opponents.
    pub buchholz: f64,
}

/// Two bots that played some game more than once.
#[derive(Clone, Debug, Serialize)]
pub struct CopiesReport {
    pub bots: [String; 2],
    pub games: u64,
    pub different: u64,
}

/// What a store has of a tournament. The schedule must have been told of the games where rounds follow from
/// them.
///
/// # Errors
/// The store cannot be read.
pub fn tournament_report(
    store: &Store,
    run: &RunInfo,
    schedule: &Schedule,
    rating: RatingKind,
    is_forced: bool,
) -> Result<TournamentReport, StoreError> {
    let bots = schedule.settings().bots;
    let book = book_of(store, run.id, bots)?;
    let mut standings = match rating {
        RatingKind::BradleyTerry => standings(&book, &RatingSettings::default()),
        RatingKind::Glicko => {
            let mut ladder = GlickoLadder::new(bots, TAU);
            for row in store.results(run.id, 0) {
                ladder.add(&MatchResult::from(&row?));
            }
            let ratings: Vec<_> = ladder.rate().into_iter().map(|rated| rated.rating).collect();
            standings_by(&book, &ratings)
        }
    };
    let name = |bot: BotId| bot_name(run, bot);
    let (void, disturbed) = troubles(store, run)?;
    let doubt = Doubt::of(disturbed_games(standings.games, &void, &disturbed), is_forced);
    let places = places(schedule, &standings);
    let place_of = |bot: BotId| places.iter().find(|place| place.bot == bot).copied();
    standings.rows.sort_by_key(|row| match is_refused(doubt.as_ref()) {
        true => row.bot.0,
        false => place_of(row.bot).map_or(u32::MAX, |place| place.place),
    });
    let row = |row: &Row| {
        let place = place_of(row.bot).filter(|_| !is_refused(doubt.as_ref()));
        let swiss = place_of(row.bot).filter(|_| is_swiss(schedule));
        standings_row(name(row.bot), row, place, swiss)
    };
    let scores = |fields: Vec<Option<Tally>>| fields.into_iter().map(score).collect();
    Ok(TournamentReport {
        name: run.plan.name.clone(),
        game: run.plan.game.clone(),
        form: schedule.settings().form.name(),
        rating,
        games: standings.games,
        planned: schedule.planned(),
        is_over: is_over(schedule, standings.games + void.len() as u64),
        different_games: book.different(),
        copies: copies(&book, name),
        doubt,
        standings: standings.rows.iter().map(row).collect(),
        cross_table: standings.cross_table(&book).into_iter().map(scores).collect(),
        rounds: rounds_of(schedule, name),
        disturbed_bots: disturbed_bots(&disturbed),
        void,
        disturbed,
        seconds: store.played(run.id)?.as_secs_f64(),
    })
}

impl StandingsRow {
    /// `None` where nothing is concluded.
    pub fn rating(&self) -> Option<Rating> {
        Some(Rating { value: self.rating?, low: self.low?, high: self.high? })
    }
}

fn standings_row(
    bot: String,
    row: &Row,
    place: Option<Place>,
    swiss: Option<Place>,
) -> StandingsRow {
    let Tally { wins, draws, losses, both_lost, errors } = row.tally;
    let rating = place.map(|_| row.rating);
    StandingsRow {
        place: place.map(|place| place.place),
        bot,
        games: row.tally.games(),
        wins,
        draws,
        losses,
        both_lost,
        points: row.tally.points(),
        rating: rating.map(|rating| rating.value),
        low: rating.map(|rating| rating.low),
        high: rating.map(|rating| rating.high),
        errors: errors.total(),
        error_kinds: errors,
        swiss: swiss
            .map(|place| SwissPoints { swiss_points: place.points, buchholz: place.tie_break }),
    }
}

fn score(tally: Option<Tally>) -> Option<[u64; 3]> {
    tally.map(|tally| [tally.wins, tally.draws, tally.losses])
}

/// A schedule that is known beforehand need not have been told of its games.
fn is_over(schedule: &Schedule, games: u64) -> bool {
    match schedule.settings().form {
        Form::RoundRobin | Form::Gauntlet { .. } => schedule.planned() == Some(games),
        Form::Swiss { .. } | Form::Knockout { .. } => schedule.is_over(),
    }
}

fn is_swiss(schedule: &Schedule) -> bool {
    matches!(schedule.settings().form, Form::Swiss { .. })
}

/// The places by the rules of the form where it has some of its own, else by rating.
fn places(schedule: &Schedule, standings: &Standings) -> Vec<Place> {
    match schedule.settings().form {
        Form::Swiss { .. } | Form::Knockout { .. } => schedule.ranking(),
        Form::RoundRobin | Form::Gauntlet { .. } => standings
            .rows
            .iter()
            .map(|row| Place { place: row.place, bot: row.bot, points: 0.0, tie_break: 0.0 })
            .collect(),
    }
}

fn copies(book: &Book, name: impl Fn(BotId) -> String) -> Vec<CopiesReport> {
    let met = book.encounters().filter(|(_, _, encounter)| encounter.copies > 0);
    let line = |(lower, higher, encounter): (BotId, BotId, &Encounter)| CopiesReport {
        bots: [lower, higher].map(&name),
        games: encounter.results.games(),
        different: encounter.different(),
    };
    met.map(line).collect()
}

/// Few games have any, so all of them are read.
fn troubles(
    store: &Store,
    run: &RunInfo,
) -> Result<(Vec<VoidMatch>, Vec<DisturbedAnswer>), StoreError> {
    let name = |bot| bot_name(run, bot);
    let path = |stored: &str| replay_path(store, stored);
    let (mut void, mut disturbed) = (Vec::new(), Vec::new());
    let filter = Filter { void: Some(true), ..Filter::default() };
    for listed in store.games(run.id, &filter) {
        void.extend(VoidMatch::new(&listed?.head, name, path));
    }
    let filter = Filter { disturbed: Some(true), ..Filter::default() };
    for numbered in store.whole_games(run.id, &filter) {
        disturbed.extend(disturbed_answers(&numbered?.1, name, path));
    }
    Ok((void, disturbed))
}

/// Beside this many games that count.
fn disturbed_games(
    games: u64,
    void: &[VoidMatch],
    disturbed: &[DisturbedAnswer],
) -> DisturbedGames {
    let void = void.len() as u64;
    DisturbedGames { games: games + void, void, again: played_again(disturbed) }
}
