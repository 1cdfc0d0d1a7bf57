//! The pages of persons at play: the choice of a game, its form, an invitation, the game itself.

use askama::Template;
use quintain_core::{Edition, HouseBot, PerSeat, Seat, Unit};
use quintain_registry::{AnyGame, GAMES};

use crate::limits::NAME_LETTERS_MAX;
use crate::manual::first_sentence;
use crate::page::{CachePolicy, Page};
use crate::people::{CLOCKS, Opponent, Room};

/// Which game.
#[derive(Template)]
#[template(path = "choose.html")]
pub(crate) struct ChoosePage {
    games: Vec<GameChoice>,
}

struct GameChoice {
    id: &'static str,
    title: &'static str,
    /// The game in a sentence.
    about: String,
}

impl ChoosePage {
    pub(crate) fn new() -> ChoosePage {
        let games = GAMES.iter().map(|game| {
            let facts = game.facts();
            let about = first_sentence(facts.abilities.manual.unwrap_or_default());
            GameChoice { id: facts.id, title: facts.title, about }
        });
        ChoosePage { games: games.collect() }
    }
}

impl Page for ChoosePage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

/// How a game is to be played, and against whom.
#[derive(Template)]
#[template(path = "setup.html")]
pub(crate) struct SetupPage {
    id: &'static str,
    title: &'static str,
    origin: &'static str,
    /// The strongest first, and whether it is the one that is offered.
    opponents: Vec<(&'static HouseBot, bool)>,
    editions: &'static [Edition],
    leagues: Vec<i64>,
    clocks: Vec<(u64, String)>,
    name_letters_max: usize,
    /// Whether whoever begins must know the token of this server.
    needs_token: bool,
}

impl SetupPage {
    pub(crate) fn new(game: &dyn AnyGame, needs_token: bool) -> SetupPage {
        let facts = game.facts();
        let offered = facts.quick_house_bot();
        let league = facts.settings.iter().find(|setting| setting.name == "league");
        let leagues = match league.map(|setting| setting.unit) {
            Some(Unit::Whole { from, to }) => (from..=to).rev().collect(),
            _ => Vec::new(),
        };
        SetupPage {
            id: facts.id,
            title: facts.title,
            origin: facts.origin,
            opponents: facts
                .house_bots
                .iter()
                .rev()
                .map(|bot| (bot, bot.name == offered))
                .collect(),
            editions: facts.editions,
            leagues,
            clocks: CLOCKS.into_iter().map(|seconds| (seconds, clock_words(seconds))).collect(),
            name_letters_max: NAME_LETTERS_MAX,
            needs_token,
        }
    }
}

fn clock_words(seconds: u64) -> String {
    match seconds {
        60 => "1 minute".to_owned(),
        seconds if seconds % 60 == 0 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} seconds"),
    }
}

impl Page for SetupPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

/// Somebody is invited.
#[derive(Template)]
#[template(path = "join.html")]
pub(crate) struct JoinPage {
    title: &'static str,
    answers: &'static str,
    host: String,
    clock: Option<String>,
    token: String,
    name_letters_max: usize,
}

impl JoinPage {
    pub(crate) fn new(room: &Room, token: &str) -> JoinPage {
        let (wish, facts) = (&room.wish, room.wish.game.facts());
        JoinPage {
            title: facts.title,
            answers: facts.answers,
            host: wish.name.clone(),
            clock: wish.clock.map(|clock| clock_words(clock.as_secs())),
            token: token.to_owned(),
            name_letters_max: NAME_LETTERS_MAX,
        }
    }
}

impl Page for JoinPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

/// A game, for the person on one of its seats.
#[derive(Template)]
#[template(path = "play.html")]
pub(crate) struct PlayPage {
    game: &'static str,
    title: &'static str,
    line: String,
    names: PerSeat<String>,
    seat: usize,
    /// The name of the other one.
    other: String,
    token: String,
    /// Whether the other one is a person.
    is_against_person: bool,
    /// What the other person is sent.
    invitation: Option<String>,
}

impl PlayPage {
    pub(crate) fn new(
        room: &Room,
        seat: Seat,
        token: &str,
        invitation: Option<String>,
    ) -> PlayPage {
        let (wish, facts) = (&room.wish, room.wish.game.facts());
        let names = room.names();
        let line = format!("{} edition, seed {}", wish.rules.edition.name(), wish.seed);
        let clock =
            wish.clock.map(|clock| format!(", {} for each answer", clock_words(clock.as_secs())));
        PlayPage {
            game: facts.id,
            title: facts.title,
            line: format!("{line}{}", clock.unwrap_or_default()),
            other: names[seat.other()].clone(),
            names,
            seat: seat.index(),
            token: token.to_owned(),
            is_against_person: wish.opponent == Opponent::Person,
            invitation,
        }
    }
}

impl Page for PlayPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}
