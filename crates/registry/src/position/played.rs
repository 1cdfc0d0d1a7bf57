//! A position that is played on, and what was played before it.

use std::sync::Arc;

use quintain_core::scene::{Eye, Scene, Spectate, Stage, TextScene, Viewing};
use quintain_core::{
    Bot, Chance, Fault, Luck, Manner, Notation, Opening, Opine, Outcome, PerSeat, Protocol as _,
    Replies, Reply, Seat, Seats, Spoken,
};
use quintain_referee::{Recorder, Table};
use quintain_replay::{
    EndLine, Header, Mismatch, RecordedStep, Replay, open_table, replay_input, take_step,
};
use serde_json::Value;

use super::said::say_step;
use super::seated::AtSeats;
use super::{AdvanceError, AnyPosition, Choice, Happened, SaveError, Seated};
use crate::question::Asked;
use crate::roots::Roots;
use crate::{AnyGame, Entry, Question};

/// A step that was played, and those before it. Clones of a position share it.
struct Past<A> {
    replies: Replies<A>,
    before: Option<Arc<Past<A>>>,
}

impl<A> Drop for Past<A> {
    /// In a loop: a match can be longer than a stack is deep.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut past) = before.and_then(Arc::into_inner) {
            before = past.before.take();
        }
    }
}

/// What an entry of the list must be able to do for [`Position`].
pub(crate) trait Positioned: Spectate + Opine + Spoken + Notation {}

impl<G: Spectate + Opine + Spoken + Notation> Positioned for G {}

/// A position of a game's own type, with all that led to it.
pub(crate) struct Position<G: Positioned> {
    entry: &'static Entry<G>,
    roots: Arc<Roots>,
    started_ms: u64,
    names: PerSeat<String>,
    pub(super) game: G,
    luck: Box<dyn Luck>,
    has_own_luck: bool,
    has_left: PerSeat<bool>,
    trail: G::Trail,
    /// What happened in the latest step.
    last: Vec<G::Event>,
    /// The latest step, if nothing came of it: then it is no part of the past.
    in_vain: Option<Replies<G::Action>>,
    past: Option<Arc<Past<G::Action>>>,
}

impl<G: Positioned> Clone for Position<G> {
    fn clone(&self) -> Self {
        Position {
            entry: self.entry,
            roots: Arc::clone(&self.roots),
            started_ms: self.started_ms,
            names: self.names.clone(),
            game: self.game.clone(),
            luck: self.luck.clone_luck(),
            has_own_luck: self.has_own_luck,
            has_left: self.has_left,
            trail: self.trail.clone(),
            last: self.last.clone(),
            in_vain: self.in_vain.clone(),
            past: self.past.clone(),
        }
    }
}

impl<G: Positioned> Position<G> {
    pub(super) fn new(
        entry: &'static Entry<G>,
        roots: Roots,
        started_ms: u64,
        names: PerSeat<String>,
        game: G,
    ) -> Self {
        Position {
            entry,
            luck: G::chance(roots.seed),
            roots: Arc::new(roots),
            started_ms,
            names,
            game,
            has_own_luck: false,
            has_left: PerSeat::default(),
            trail: G::Trail::default(),
            last: Vec::new(),
            in_vain: None,
            past: None,
        }
    }

    /// Plays a step of a replay.
    pub(super) fn follow(
        &mut self,
        table: &mut Table<G>,
        step: &RecordedStep,
    ) -> Result<(), Mismatch> {
        for input in &step.record.inputs {
            replay_input(table, input)?;
        }
        let replies = table.replies().clone();
        let before = (table.game.turn(), table.game.fingerprint());
        take_step(table, step, &mut *self.luck)?;
        let has_changed = !step.record.draws.is_empty()
            || before != (table.game.turn(), table.game.fingerprint());
        // Nobody is there to read it.
        table.send_messages(|_| {});
        self.game.remember(&mut self.trail);
        self.game = table.game.clone();
        self.keep(replies, table.events().to_vec(), has_changed);
        Ok(())
    }

    /// Keeps what was played and what came of it. Where nothing came of it, as of a refused throw in
    /// hockey, it is no part of the match: nobody could tell, and there is no bound to how many there are.
    fn keep(&mut self, replies: Replies<G::Action>, events: Vec<G::Event>, has_changed: bool) {
        for (seat, reply) in replies.iter() {
            let fault = match reply {
                Some(Reply::Fault(fault)) => fault,
                Some(Reply::Act(_)) | None => continue,
            };
            self.has_left[seat] |= fault.is_lasting();
        }
        G::follow(&mut self.trail, &events);
        self.last = events;
        self.in_vain = None;
        if has_changed {
            let before = self.past.take();
            self.past = Some(Arc::new(Past { replies, before }));
        } else {
            self.in_vain = Some(replies);
        }
    }

    fn replies(
        &self,
        choices: PerSeat<Option<Choice<'_>>>,
    ) -> Result<Replies<G::Action>, AdvanceError> {
        let asked = self.game.to_act();
        let mut replies = Replies::default();
        for (seat, choice) in choices.iter() {
            replies[seat] = match choice {
                Some(_) if !asked.contains(seat) => return Err(AdvanceError::NotAsked(seat)),
                None if asked.contains(seat) => return Err(AdvanceError::Missing(seat)),
                Some(choice) => Some(self.reply(seat, *choice)?),
                None => None,
            };
        }
        Ok(replies)
    }

    fn reply(&self, seat: Seat, choice: Choice<'_>) -> Result<Reply<G::Action>, AdvanceError> {
        let has_left = self.has_left[seat];
        match choice {
            Choice::Fault(fault @ Fault::Malformed(_)) => {
                Err(AdvanceError::NoFaultOfAStep(seat, fault))
            }
            Choice::Fault(fault @ Fault::NotStarted(_)) if self.past.is_some() && !has_left => {
                Err(AdvanceError::NoFaultOfAStep(seat, fault))
            }
            Choice::Fault(fault) => Ok(Reply::Fault(fault)),
            Choice::Text(_) | Choice::Index(_) if has_left => Err(AdvanceError::HasLeft(seat)),
            Choice::Text(text) => {
                let unreadable = |error| AdvanceError::Unreadable(seat, error);
                G::read(text).map(Reply::Act).map_err(unreadable)
            }
            Choice::Index(index) => {
                let mut actions = self.listed(seat).unwrap_or_default();
                if index >= actions.len() {
                    return Err(AdvanceError::NoSuchAction(seat, index));
                }
                Ok(Reply::Act(actions.swap_remove(index)))
            }
        }
    }

    fn listed(&self, seat: Seat) -> Option<Vec<G::Action>> {
        let list = self.entry.actions?;
        let mut actions = Vec::new();
        if self.game.to_act().contains(seat) {
            list(&self.game, seat, &mut actions);
        }
        Some(actions)
    }

    fn watch(&self, eye: Eye) -> Viewing<'_, G> {
        let latest = self.past.as_ref().map(|past| &past.replies);
        let replies = self.in_vain.as_ref().or(latest).unwrap_or(&PerSeat([None, None]));
        Viewing { eye, names: &self.names, trail: &self.trail, replies, last: &self.last }
    }

    /// All steps, the first one first.
    fn steps(&self) -> Vec<&Replies<G::Action>> {
        let steps = std::iter::successors(self.past.as_deref(), |past| past.before.as_deref());
        let mut steps: Vec<_> = steps.map(|past| &past.replies).collect();
        steps.reverse();
        steps
    }

    /// Lets bots see the match so far, each from its seat. What was played with luck that somebody brought
    /// cannot be shown again.
    fn show_past(&self, bots: &mut PerSeat<Box<dyn Bot<G>>>) {
        let header = self.header();
        let opened = open_table::<G>(&header, &header.opening());
        let Some(table) = opened.ok().filter(|_| !self.has_own_luck) else { return };
        let (mut game, mut luck) = (table.game, G::chance(header.seed));
        for replies in self.steps() {
            for seat in game.to_act().iter() {
                let answer = match &replies[seat] {
                    Some(Reply::Act(action)) => Some(action),
                    Some(Reply::Fault(_)) | None => None,
                };
                bots[seat].watch(&game.view(seat), answer);
            }
            luck.begin_turn(game.turn());
            game.advance(replies, &mut *luck, &mut ());
        }
    }

    fn header(&self) -> Header {
        let manner = if G::Protocol::HAS_FILES { Manner::Inside } else { Manner::default() };
        let manners = PerSeat([manner; 2]);
        let opening = Opening { manners, ..Opening::new(self.names.clone()) };
        Roots::clone(&self.roots).header::<G>(&opening, self.started_ms)
    }
}

impl<G: Positioned> AnyPosition for Position<G> {
    fn game(&self) -> &'static dyn AnyGame {
        self.entry
    }

    fn turn(&self) -> u32 {
        self.game.turn()
    }

    fn to_act(&self) -> Seats {
        self.game.to_act()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn view(&self, seat: Seat) -> Value {
        let data = serde_json::to_value(G::data(&self.game.view(seat)));
        data.expect("views are plain data that JSON can hold")
    }

    fn stage(&self) -> Stage {
        self.game.stage()
    }

    fn scene(&self, eye: Eye) -> Scene {
        self.game.drawn(&self.watch(eye))
    }

    fn text(&self, eye: Eye) -> TextScene {
        self.game.written(eye)
    }

    fn actions(&self, seat: Seat) -> Option<Vec<String>> {
        Some(self.listed(seat)?.iter().map(G::write).collect())
    }

    fn sample(&self, seat: Seat, chance: &mut dyn Chance) -> Option<String> {
        let is_asked = self.game.to_act().contains(seat);
        is_asked.then(|| G::write(&self.game.sample(seat, chance)))
    }

    fn question(&self, seat: Seat) -> Option<Box<dyn Question>> {
        let (game, names, actions) = (self.game.clone(), self.names.clone(), self.entry.actions);
        let asked = Asked { game, seat, names, actions };
        self.game.to_act().contains(seat).then(|| Box::new(asked) as Box<dyn Question>)
    }

    fn seated(&self, bot: &str, seed: i64) -> Option<Box<dyn Seated>> {
        let [first, second] = [G::bot(bot, seed)?, G::bot(bot, seed)?];
        let mut bots = PerSeat([first, second]);
        self.show_past(&mut bots);
        Some(Box::new(AtSeats { position: self.clone(), bots }))
    }

    fn played(&self) -> PerSeat<Option<String>> {
        self.watch(Eye::All).replies.as_ref().map(|_, reply| match reply {
            Some(Reply::Act(action)) => Some(G::write(action)),
            Some(Reply::Fault(_)) | None => None,
        })
    }

    fn standing(&self) -> Option<PerSeat<i64>> {
        self.game.standing()
    }

    fn opinion(&self, nodes: u64) -> f64 {
        match self.game.outcome().map(|outcome| outcome.winner()) {
            Some(Some(Seat::First)) => 1.0,
            Some(Some(Seat::Second)) => -1.0,
            Some(None) => 0.0,
            None => self.game.opinion(nodes).clamp(-1.0, 1.0),
        }
    }

    fn advance(
        &mut self,
        choices: PerSeat<Option<Choice<'_>>>,
        chance: Option<&mut dyn Chance>,
    ) -> Result<Happened, AdvanceError> {
        if self.game.outcome().is_some() {
            return Err(AdvanceError::Over);
        }
        let replies = self.replies(choices)?;
        let before = (self.game.turn(), self.game.fingerprint());
        let is_own = chance.is_some();
        let luck: &mut dyn Chance = chance.unwrap_or(&mut *self.luck);
        luck.begin_turn(before.0);
        let mut recorder = Recorder::new(luck);
        let mut events = Vec::new();
        self.game.remember(&mut self.trail);
        self.game.advance(&replies, &mut recorder, &mut events);
        let has_drawn = !recorder.draws.is_empty();
        self.has_own_luck |= is_own && has_drawn;
        let after = (self.game.turn(), self.game.fingerprint());
        let happened = happened::<G>(&events, &self.names);
        self.keep(replies, events, has_drawn || before != after);
        Ok(happened)
    }

    fn fingerprint(&self) -> u64 {
        self.game.fingerprint()
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        if self.has_own_luck {
            return Err(SaveError::OwnLuck);
        }
        let header = self.header();
        let opened = open_table::<G>(&header, &header.opening());
        let mut table = opened.map_err(|_| SaveError::Unsayable)?;
        table.start();
        table.send_messages(|_| {});
        let mut luck = G::chance(header.seed);
        let mut steps = Vec::new();
        for replies in self.steps() {
            steps.push(say_step(&mut table, replies, &mut *luck)?);
        }
        if table.game.fingerprint() != self.game.fingerprint() {
            return Err(SaveError::Unsayable);
        }
        let messages = table.messages_fingerprint();
        let end = self
            .game
            .outcome()
            .map(|outcome| EndLine::new(&outcome, self.game.turn(), messages, &PerSeat::default()));
        Ok(Replay { header, steps, end, cut: None, damage: None }.to_bytes())
    }

    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
}

fn happened<G: Spectate>(events: &[G::Event], names: &PerSeat<String>) -> Happened {
    let notes = events.iter().map(|event| G::describe(event, names));
    let mut refused = PerSeat::default();
    for seat in events.iter().filter_map(G::refused) {
        refused[seat] = true;
    }
    Happened {
        notes: notes.filter(|note| !note.is_empty()).collect(),
        refused,
        marks: events.iter().filter_map(G::mark).collect(),
    }
}
