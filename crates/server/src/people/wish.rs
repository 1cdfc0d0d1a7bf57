//! What a person wants to play, as a form says it.

use std::collections::HashMap;
use std::time::Duration;

use quintain_arena::plan::{GameRules, MatchPlan, MatchSettings, PlanError};
use quintain_core::{Client, Edition, LobbyStep, PerSeat, Seat, drawn_seed, printable};
use quintain_record::{CLIENT_START_LIMIT, Contestant, Occupant};
use quintain_referee::Ask;
use quintain_registry::{AnyGame, find};
use serde_json::Value;

use super::random_bytes;
use crate::error::Refusal;
use crate::limits::NAME_LETTERS_MAX;

/// The clocks that are offered: seconds for each answer.
pub(crate) const CLOCKS: [u64; 5] = [10, 30, 60, 180, 600];

/// Who sits on the other seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opponent {
    House(String),
    /// Somebody who is sent a link.
    Person,
}

/// A game that somebody wants to play.
#[derive(Clone)]
pub(crate) struct Wish {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) rules: GameRules,
    pub(crate) seed: i64,
    /// The seat of whoever wishes.
    pub(crate) seat: Seat,
    pub(crate) name: String,
    pub(crate) opponent: Opponent,
    /// How long a person may take for an answer; `None` waits.
    pub(crate) clock: Option<Duration>,
}

impl Wish {
    /// Reads a form. A field that is empty is not said.
    ///
    /// # Errors
    /// Says what was expected.
    pub(crate) fn read(
        game: &'static dyn AnyGame,
        fields: &HashMap<String, String>,
    ) -> Result<Wish, Refusal> {
        let said = |name: &str| fields.get(name).map(|text| text.trim()).filter(|t| !t.is_empty());
        let opponent = match said("opponent") {
            None => Opponent::House(game.facts().quick_house_bot().to_owned()),
            Some("person") => Opponent::Person,
            Some(text) => Opponent::House(house_bot(game, text)?),
        };
        let wish = Wish {
            game,
            rules: rules(&said)?,
            seed: match said("seed") {
                Some(text) => text.parse().map_err(|_| expected("seed", "a whole number", text))?,
                None => drawn_seed(game.facts().seed_bits, u64::from_ne_bytes(random_bytes()?)),
            },
            seat: match said("seat") {
                None | Some("first") => Seat::First,
                Some("second") => Seat::Second,
                Some(text) => return Err(expected("seat", "first or second", text)),
            },
            name: name(game, said("name").unwrap_or("human"))?,
            opponent,
            clock: match said("clock") {
                None | Some("off") => None,
                Some(text) => Some(clock(text)?),
            },
        };
        let wrong = |error: PlanError| Refusal::BadRequest(error.to_string());
        wish.plan(&wish.names("guest")).check(None).map_err(wrong)?;
        Ok(wish)
    }

    /// What both are called if the guest has this name.
    pub(crate) fn names(&self, guest: &str) -> PerSeat<String> {
        let other = match &self.opponent {
            Opponent::House(bot) => bot,
            Opponent::Person => guest,
        };
        let mut names = PerSeat([self.name.clone(), self.name.clone()]);
        names[self.seat.other()] = match *other == self.name {
            true => format!("{other} 2"),
            false => other.to_owned(),
        };
        names
    }

    /// Whether a person plays on the seat.
    pub(crate) fn is_person(&self, seat: Seat) -> bool {
        seat == self.seat || self.opponent == Opponent::Person
    }

    pub(crate) fn plan(&self, names: &PerSeat<String>) -> MatchPlan {
        let occupant = |seat: Seat| match &self.opponent {
            Opponent::House(bot) if seat != self.seat => {
                Occupant::from(Contestant::house(bot)).named(&names[seat])
            }
            _ => Occupant::Person { name: names[seat].clone() },
        };
        // Two persons think at the same time.
        let ask = if self.opponent == Opponent::Person { Ask::Together } else { Ask::InTurn };
        let settings = MatchSettings {
            rules: self.rules.clone(),
            ask,
            seed: self.seed,
            ..MatchSettings::of(self.game.facts().id)
        };
        MatchPlan {
            settings,
            seats: PerSeat::from_fn(occupant),
            both_sides: false,
            times_persons: false,
            client_limit: CLIENT_START_LIMIT,
            branch: None,
        }
    }

    /// The same with the seats swapped and other luck.
    ///
    /// # Errors
    /// The system has no luck to give.
    pub(crate) fn again(&self) -> Result<Wish, Refusal> {
        let bits = self.game.facts().seed_bits;
        let seed = drawn_seed(bits, u64::from_ne_bytes(random_bytes()?));
        Ok(Wish { seat: self.seat.other(), seed, ..self.clone() })
    }
}

/// The game of an address.
pub(crate) fn game_named(id: &str) -> Result<&'static dyn AnyGame, Refusal> {
    find(id).ok_or(Refusal::NoPage)
}

fn expected(field: &str, expected: &str, found: &str) -> Refusal {
    Refusal::BadRequest(format!("{field}: expected {expected}, found `{}`", printable(found)))
}

fn house_bot(game: &dyn AnyGame, text: &str) -> Result<String, Refusal> {
    let name = text.strip_prefix("house:").unwrap_or(text);
    match game.facts().has_house_bot(name) {
        true => Ok(name.to_owned()),
        false => Err(expected("opponent", "a house bot of this game or `person`", text)),
    }
}

fn rules<'a>(said: &impl Fn(&str) -> Option<&'a str>) -> Result<GameRules, Refusal> {
    let edition = match said("edition") {
        None => Edition::default(),
        Some(text) => Edition::ALL
            .into_iter()
            .find(|edition| edition.name() == text)
            .ok_or_else(|| expected("edition", "document or original", text))?,
    };
    let league = said("league")
        .map(|text| text.parse().map_err(|_| expected("league", "the number of a league", text)));
    let pair = |text: &str| match text.split_once('=') {
        Some((key, value)) => Ok((key.to_owned(), Value::from(value))),
        None => Err(expected("set", "NAME=VALUE", text)),
    };
    let set = said("set").unwrap_or_default().split_whitespace().map(pair);
    Ok(GameRules {
        edition,
        league: league.transpose()?,
        set: set.collect::<Result<_, _>>()?,
        ..GameRules::default()
    })
}

fn clock(text: &str) -> Result<Duration, Refusal> {
    let seconds = text.parse().ok().filter(|seconds| CLOCKS.contains(seconds));
    let seconds = seconds.ok_or_else(|| expected("clock", "off or one that is offered", text))?;
    Ok(Duration::from_secs(seconds))
}

/// A name that the game lets in.
pub(crate) fn name(game: &dyn AnyGame, text: &str) -> Result<String, Refusal> {
    let text = printable(text.trim()).into_owned();
    if text.is_empty() || text.chars().count() > NAME_LETTERS_MAX {
        let wanted = format!("a name of at most {NAME_LETTERS_MAX} letters");
        return Err(expected("name", &wanted, &text));
    }
    let Some(mut lobby) = game.lobby(None) else { return Ok(text) };
    let (client, mut said) = (Client(0), Vec::new());
    lobby.connect(client, &mut said);
    lobby.line(client, text.as_bytes(), &mut said);
    match (lobby.has_name(client), said.pop()) {
        (true, _) => Ok(text),
        (false, Some(LobbyStep::Say(_, refusal))) => Err(Refusal::BadRequest(refusal)),
        (false, _) => Err(expected("name", "another name", &text)),
    }
}
