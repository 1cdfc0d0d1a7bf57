//! The standings of a tournament, for spreadsheets and for programs.

use std::time::Duration;

use quintain_arena::{Arena, replay_path};
use quintain_record::BotId;
use quintain_store::{Filter, RunId, Store, StoreError};
use quintain_tournament::{
    Book, DisturbedGames, Encounter, ErrorKind, Form, Place, Row, Schedule, Standings, Tally,
    copies_in_words, grouped,
};
use serde_json::{Value, json};

use crate::commands::disturbed::{
    DisturbedAnswer, VoidGame, disturbed_answers, disturbed_bots_json, played_again,
};
use crate::commands::many::{
    REFUSED, errors_as_json, errors_in_words, forced, refusal, stats_command,
};
use crate::output::{counted, csv_cell};

use super::rounds::{RoundReport, rounds_of};
use super::{Plan, RatingArg};

pub(super) const SWISS_TITLE: &str =
    "Points of pairings, byes included, and those of the opponents";
pub(super) const SWISS_COLUMNS: [&str; 4] = ["", "bot", "Swiss points", "Buchholz"];

/// How wide the columns of a cross table may be together if they are to have names.
const NAMED_COLUMNS_MAX: usize = 60;
/// A usual score, and what stands between two columns.
const SCORE_WIDTH: usize = 7;
const GAP: usize = 3;

/// Everything that is shown of a tournament.
pub(super) struct Report {
    pub(super) name: String,
    pub(super) game: &'static str,
    pub(super) kind: &'static str,
    pub(super) rating: RatingArg,
    pub(super) games: u64,
    /// `None` where it follows from results.
    pub(super) planned: Option<u64>,
    pub(super) lines: Vec<Line>,
    /// Games that are no copies of others.
    pub(super) different: u64,
    pub(super) copies: Vec<CopiesLine>,
    /// What is said about games that the machine disturbed, if they are too many.
    pub(super) doubt: Option<String>,
    /// Whether places and ratings are left out because of that.
    pub(super) is_refused: bool,
    /// In the order of the lines: the games of each against each.
    pub(super) cross: Vec<Vec<Option<Tally>>>,
    /// Where they follow from results.
    pub(super) rounds: Vec<RoundReport>,
    pub(super) void: Vec<VoidGame>,
    pub(super) disturbed: Vec<DisturbedAnswer>,
    /// How to see the games in which bots failed.
    pub(super) how_to_list_errors: String,
    /// All sessions together.
    pub(super) played: Duration,
}

/// Two bots that played some game more than once.
pub(super) struct CopiesLine {
    bots: [String; 2],
    games: u64,
    different: u64,
}

/// What is read from the store beside the sums.
pub(super) struct Troubles {
    pub(super) void: Vec<VoidGame>,
    pub(super) disturbed: Vec<DisturbedAnswer>,
    pub(super) played: Duration,
}

/// One bot.
pub(super) struct Line {
    /// `None` where nothing is concluded from the games; the rating is not shown then either.
    pub(super) place: Option<u32>,
    pub(super) name: String,
    pub(super) row: Row,
    /// What the place rests on in a Swiss tournament.
    swiss: Option<Place>,
}

impl Report {
    pub(super) fn new(
        plan: &Plan,
        arena: &Arena,
        book: &Book,
        mut standings: Standings,
        schedule: &Schedule,
        troubles: Troubles,
        is_forced: bool,
    ) -> Report {
        let disturbed = troubles.disturbed_games(standings.games);
        let is_refused = disturbed.are_too_many() && !is_forced;
        let doubt = disturbed.are_too_many().then(|| match is_forced {
            true => forced(&disturbed),
            false => refusal(&disturbed),
        });
        let places = places(schedule, &standings);
        let place_of = |bot: BotId| {
            places.iter().find(|place| place.bot == bot).map_or(u32::MAX, |place| place.place)
        };
        match is_refused {
            true => standings.rows.sort_by_key(|row| row.bot),
            false => standings.rows.sort_by_key(|row| place_of(row.bot)),
        }
        let cross = standings.cross_table(book);
        let is_swiss = matches!(schedule.settings().form, Form::Swiss { .. });
        let line = |row: &Row| Line {
            place: (!is_refused).then(|| place_of(row.bot)),
            name: arena.name(row.bot).to_owned(),
            row: *row,
            swiss: places.iter().copied().find(|place| is_swiss && place.bot == row.bot),
        };
        Report {
            name: plan.name.clone(),
            game: plan.game.facts().id,
            kind: plan.kind,
            rating: plan.rating,
            games: standings.games,
            planned: schedule.planned(),
            lines: standings.rows.iter().map(line).collect(),
            different: book.different(),
            copies: copies(book, arena),
            doubt,
            is_refused,
            cross,
            rounds: rounds_of(schedule, |bot| arena.name(bot).to_owned()),
            how_to_list_errors: match &plan.store {
                Some(store) => {
                    format!("list those games: {}", stats_command(store, &plan.name, "--error"))
                }
                None => "with --store FILE such games are kept and can be listed".to_owned(),
            },
            void: troubles.void,
            disturbed: troubles.disturbed,
            played: troubles.played,
        }
    }

    /// What each bot did wrong, if it did.
    pub(super) fn errors(&self) -> Vec<String> {
        let failed = self.lines.iter().filter(|line| line.row.tally.errors.total() > 0);
        let told = failed
            .map(|line| format!("{}: {}", line.name, errors_in_words(&line.row.tally.errors)));
        told.collect()
    }

    /// What is said about games that are copies of others: of all, and of each pairing as long as these
    /// are few.
    pub(super) fn copies_in_words(&self) -> Vec<String> {
        const LISTED_MAX: usize = 10;
        let Some(all) = copies_in_words(self.games, self.different) else { return Vec::new() };
        let of_pairing = |line: &CopiesLine| {
            let [one, other] = &line.bots;
            let copies = copies_in_words(line.games, line.different)?;
            Some(format!("{one} and {other}: {copies}"))
        };
        let mut lines = vec![format!("{all}, and copies make no rating surer")];
        if self.lines.len() > 2 && self.copies.len() <= LISTED_MAX {
            lines.extend(self.copies.iter().filter_map(of_pairing));
        }
        lines
    }

    /// Who lost games together with their opponents.
    pub(super) fn both_lost(&self) -> Vec<String> {
        let lost = self.lines.iter().filter(|line| line.row.tally.both_lost > 0);
        let told = lost.map(|line| {
            let games = counted(line.row.tally.both_lost, "game");
            format!("{}: {games} lost by both sides, among the lost ones", line.name)
        });
        told.collect()
    }

    /// What was played, behind the name.
    pub(super) fn subtitle(&self) -> String {
        let games = match self.planned {
            Some(planned) if planned != self.games + self.void.len() as u64 => {
                format!("{} of {} games", grouped(self.games), grouped(planned))
            }
            _ => counted(self.games, "game"),
        };
        let void = match self.void.len() {
            0 => String::new(),
            void => format!(", {void} void"),
        };
        let (game, kind, rating) = (self.game, self.kind, self.rating.name());
        let interval = match self.rating {
            RatingArg::BradleyTerry => "95% intervals",
            RatingArg::Glicko => "1.96 of its deviations either way",
        };
        format!("{game}, {kind}, {games}{void}; ratings by {rating} with {interval}")
    }

    /// What stands above the fields of a line.
    pub(super) fn columns(&self) -> [&'static str; 10] {
        // What Glicko-2 calls a deviation is no promise.
        let interval = match self.rating {
            RatingArg::BradleyTerry => "95%",
            RatingArg::Glicko => "\u{b1}1.96 RD",
        };
        ["", "bot", "games", "won", "drawn", "lost", "points", "rating", interval, "errors"]
    }

    /// What stands before the rows and above the columns of the cross table: the names of the bots,
    /// above the columns only if they fit, else the numbers of the rows.
    pub(super) fn cross_labels(&self) -> (Vec<String>, Vec<String>) {
        let widths = self.lines.iter().map(|line| line.name.chars().count().max(SCORE_WIDTH) + GAP);
        let are_numbered = widths.sum::<usize>() > NAMED_COLUMNS_MAX;
        let label = |(index, line): (usize, &Line)| match are_numbered {
            true => (format!("{} {}", index + 1, line.name), (index + 1).to_string()),
            false => (line.name.clone(), line.name.clone()),
        };
        self.lines.iter().enumerate().map(label).unzip()
    }

    /// What the places of a Swiss tournament rest on, below [`SWISS_COLUMNS`]; nothing for others.
    pub(super) fn swiss_rows(&self) -> Vec<[String; 4]> {
        let row = |line: &Line| {
            let place = line.swiss.as_ref()?;
            let (points, buchholz) = (place.points.to_string(), place.tie_break.to_string());
            Some([line.place?.to_string(), line.name.clone(), points, buchholz])
        };
        self.lines.iter().filter_map(row).collect()
    }

    pub(super) fn as_csv(&self) -> String {
        let mut text =
            "place,bot,games,wins,draws,losses,both_lost,points,rating,low,high,errors".to_owned();
        for kind in ErrorKind::ALL {
            text += &format!(",{}", kind.code());
        }
        text.push('\n');
        for Line { place, name, row, .. } in &self.lines {
            let Tally { wins, draws, losses, both_lost, errors } = &row.tally;
            let (games, points, total) = (row.tally.games(), row.tally.points(), errors.total());
            let (place, name) =
                (place.map_or_else(String::new, |it| it.to_string()), csv_cell(name));
            text += &format!("{place},{name},{games},{wins},{draws},{losses},{both_lost},{points}");
            let rating = [row.rating.value, row.rating.low, row.rating.high];
            match self.is_refused {
                true => text += ",,,",
                false => text += &rating.map(|value| format!(",{value:.1}")).concat(),
            }
            text += &format!(",{total}");
            for (_, count) in errors.iter() {
                text += &format!(",{count}");
            }
            text.push('\n');
        }
        text
    }

    pub(super) fn as_json(&self) -> Value {
        let shown = |value: f64| (!self.is_refused).then_some(value);
        let line = |Line { place, name, row, swiss }: &Line| {
            let mut line = json!({
                "place": place,
                "bot": name,
                "games": row.tally.games(),
                "wins": row.tally.wins,
                "draws": row.tally.draws,
                "losses": row.tally.losses,
                "both_lost": row.tally.both_lost,
                "points": row.tally.points(),
                "rating": shown(row.rating.value),
                "low": shown(row.rating.low),
                "high": shown(row.rating.high),
                "errors": row.tally.errors.total(),
                "error_kinds": errors_as_json(&row.tally.errors),
            });
            if let Some(place) = swiss {
                line["swiss_points"] = place.points.into();
                line["buchholz"] = place.tie_break.into();
            }
            line
        };
        json!({
            "name": self.name,
            "game": self.game,
            "form": self.kind,
            "rating": self.rating.name(),
            "games": self.games,
            "planned": self.planned,
            "different_games": self.different,
            "copies": self.copies.iter().map(CopiesLine::as_json).collect::<Value>(),
            "verdict": if self.is_refused { REFUSED } else { "standings" },
            "doubt": self.doubt,
            "standings": self.lines.iter().map(line).collect::<Value>(),
            "cross_table": self.crosses_as_json(),
            "rounds": self.rounds.iter().map(RoundReport::as_json).collect::<Value>(),
            "void": self.void.iter().map(VoidGame::as_json).collect::<Value>(),
            "disturbed": self.disturbed.iter().map(DisturbedAnswer::as_json).collect::<Value>(),
            "disturbed_bots": disturbed_bots_json(self.disturbed.iter()),
            "seconds": self.played.as_secs_f64(),
        })
    }

    fn crosses_as_json(&self) -> Value {
        let field = |tally: &Option<Tally>| match tally {
            Some(tally) => json!([tally.wins, tally.draws, tally.losses]),
            None => Value::Null,
        };
        let row = |fields: &Vec<Option<Tally>>| fields.iter().map(field).collect::<Value>();
        self.cross.iter().map(row).collect()
    }
}

impl Line {
    /// The fields of the table, the page's too, below [`Report::columns`].
    pub(super) fn cells(&self) -> [String; 10] {
        let Tally { wins, draws, losses, errors, .. } = &self.row.tally;
        let rating = self.row.rating;
        let unless_refused = |text: String| self.place.map_or_else(String::new, |_| text);
        [
            self.place.map_or_else(String::new, |place| place.to_string()),
            self.name.clone(),
            grouped(self.row.tally.games()),
            grouped(*wins),
            grouped(*draws),
            grouped(*losses),
            format!("{:.1}%", 100.0 * self.row.tally.share().unwrap_or_default()),
            unless_refused(format!("{:.0}", rating.value)),
            unless_refused(rating.interval_in_words()),
            grouped(errors.total()),
        ]
    }
}

/// Won-drawn-lost; nothing for two that have not met.
pub(super) fn score(tally: Option<&Tally>) -> String {
    match tally {
        Some(tally) if tally.games() > 0 => {
            format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
        }
        _ => String::new(),
    }
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

impl CopiesLine {
    fn as_json(&self) -> Value {
        json!({ "bots": self.bots, "games": self.games, "different": self.different })
    }
}

/// The pairings with games that are copies of others.
fn copies(book: &Book, arena: &Arena) -> Vec<CopiesLine> {
    let met = book.encounters().filter(|(_, _, encounter)| encounter.copies > 0);
    let line = |(lower, higher, encounter): (BotId, BotId, &Encounter)| CopiesLine {
        bots: [lower, higher].map(|bot| arena.name(bot).to_owned()),
        games: encounter.results.games(),
        different: encounter.different(),
    };
    met.map(line).collect()
}

impl Troubles {
    /// Beside this many games that count.
    fn disturbed_games(&self, games: u64) -> DisturbedGames {
        let void = self.void.len() as u64;
        DisturbedGames { games: games + void, void, again: played_again(&self.disturbed) }
    }

    /// Few games have any, so all of them are read.
    pub(super) fn read(store: &Store, run: RunId, arena: &Arena) -> Result<Troubles, StoreError> {
        let name = |bot| arena.name(bot).to_owned();
        let path = |stored: &str| replay_path(store, stored);
        let mut troubles =
            Troubles { void: Vec::new(), disturbed: Vec::new(), played: store.played(run)? };
        let void = Filter { void: Some(true), ..Filter::default() };
        for listed in store.games(run, &void) {
            troubles.void.push(VoidGame::new(&listed?.head, name, path));
        }
        let disturbed = Filter { disturbed: Some(true), ..Filter::default() };
        for numbered in store.whole_games(run, &disturbed) {
            troubles.disturbed.extend(disturbed_answers(&numbered?.1, name, path));
        }
        Ok(troubles)
    }
}
