//! What a person is asked, without the types of the game: suggestions, objections, the lines of an answer.

use std::time::Duration;

use quintain_core::{
    Game, Manner, Notation, Opening, PerSeat, Protocol as _, Replies, Reply, Sample, Seat,
    Spectate, Spoken, Suggestion,
};

use crate::entry::ListActions;

/// A seat that is to act, in a position that it may know only a part of. Nothing that it says tells more.
pub trait Question: Send {
    fn seat(&self) -> Seat;

    /// How long an answer may take, where there is a clock.
    fn time_limit(&self) -> Duration;

    /// What may be typed after this: texts that begin with it, in any case.
    fn suggestions(&self, typed: &str) -> Vec<Suggestion>;

    /// Why the rules would refuse an answer, or end the match for it; `None` if they would not.
    fn objection(&self, text: &str) -> Option<String>;

    /// The lines by which a person at a terminal gives this answer; none if it cannot be read.
    fn lines(&self, text: &str) -> Vec<String>;
}

/// An answer is objected to if it is refused whatever the other seat does. Nobody knows what that will be: it does
/// several things, and one of them is mostly harmless.
const TRIES: i64 = 4;

/// What a game must be able to do to ask a person.
pub(crate) trait Asking: Spectate + Sample + Spoken + Notation {}

impl<G: Spectate + Sample + Spoken + Notation> Asking for G {}

pub(crate) struct Asked<G: Game> {
    pub(crate) game: G,
    pub(crate) seat: Seat,
    pub(crate) names: PerSeat<String>,
    pub(crate) actions: Option<ListActions<G>>,
}

impl<G: Asking> Asked<G> {
    fn listed(&self) -> Vec<Suggestion> {
        let mut actions = Vec::new();
        if let Some(list) = self.actions {
            list(&self.game, self.seat, &mut actions);
        }
        actions.iter().map(|action| Suggestion::new(G::write(action), "")).collect()
    }

    /// Why the rules would refuse an answer if the other seat did something legal, which depends on luck.
    fn refusal(&self, action: &G::Action, luck: i64) -> Option<String> {
        let (game, events) = self.tried(action.clone(), luck);
        let mut refused = events.iter().filter(|event| G::refused(event) == Some(self.seat));
        if let Some(event) = refused.next() {
            return Some(G::describe(event, &self.names));
        }
        let outcome = game.outcome().filter(|outcome| outcome.is_disqualified(self.seat))?;
        self.can_be_avoided().then(|| format!("it would lose the match: {}", outcome.reason))
    }

    /// What would come of an answer.
    fn tried(&self, action: G::Action, luck: i64) -> (G, Vec<G::Event>) {
        let mut game = self.game.clone();
        let mut luck = G::chance(luck);
        let mut replies = Replies::default();
        let other = self.seat.other();
        if game.to_act().contains(other) {
            replies[other] = Some(Reply::Act(game.sample(other, &mut *luck)));
        }
        replies[self.seat] = Some(Reply::Act(action));
        let mut events = Vec::new();
        game.advance(&replies, &mut *luck, &mut events);
        (game, events)
    }

    /// Whether something that is offered does not end the match at once for breaking the rules. In the last
    /// turn of a match without any fight nothing does.
    fn can_be_avoided(&self) -> bool {
        let is_harmless = |offer: &Suggestion| {
            let action = G::read(&offer.text).ok().filter(|_| !offer.is_beginning());
            action.is_none_or(|action| {
                let (game, _) = self.tried(action, 0);
                game.outcome().is_none_or(|outcome| !outcome.is_disqualified(self.seat))
            })
        };
        self.suggestions("").iter().any(is_harmless)
    }
}

impl<G: Asking> Asked<G> {
    /// What goes on as a person has begun, in whatever letters.
    fn fitting(&self, typed: &str) -> Vec<Suggestion> {
        let mut found = self.game.suggest(self.seat, typed);
        if found.is_empty() && !typed.contains('\n') {
            found = self.listed();
        }
        let begins = |text: &str| {
            text.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
        };
        found.retain(|suggestion| begins(&suggestion.text));
        found
    }
}

impl<G: Asking> Question for Asked<G> {
    fn seat(&self) -> Seat {
        self.seat
    }

    fn time_limit(&self) -> Duration {
        self.game.time_limit(self.seat)
    }

    fn suggestions(&self, typed: &str) -> Vec<Suggestion> {
        let found = self.fitting(typed);
        // A person need not hold the shift key.
        if found.is_empty() { self.fitting(&typed.to_ascii_uppercase()) } else { found }
    }

    fn objection(&self, text: &str) -> Option<String> {
        let action = match G::read(text) {
            Ok(action) => action,
            Err(error) => return Some(error.to_string()),
        };
        let refusals: Option<Vec<String>> =
            (0..TRIES).map(|luck| self.refusal(&action, luck)).collect();
        refusals?.pop()
    }

    fn lines(&self, text: &str) -> Vec<String> {
        let view = self.game.view(self.seat);
        let manners = PerSeat([Manner::Console; 2]);
        let opening = Opening { manners, ..Opening::new(self.names.clone()) };
        let protocol = G::Protocol::new(&opening);
        G::read(text).map_or_else(|_| Vec::new(), |action| protocol.say(&view, &action))
    }
}
