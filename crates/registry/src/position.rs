//! A position of any game without its types: for pages, other languages and analysis.
//!
//! A step costs about a microsecond more than one of the game itself, for texts and events; whoever plays
//! millions of matches does so on the game's own type.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use quintain_core::scene::{Eye, Mark, Scene, Spectate, Stage, TextScene, Viewing};
use quintain_core::{
    Chance, Fault, FieldError, House, Luck, Manner, Notation, Opening, Opinion, Outcome,
    ParseError, PerSeat, Protocol as _, Replies, Reply, Sample, Seat, Seats, SetupError, Spoken,
    Thinking,
};
use quintain_referee::{Input, Recorder, StepRecord, Table, Timing};
use quintain_replay::{
    Divergence, EndLine, Header, RecordedStep, Recording as _, Replay, RerunError, open_table,
    replay_input, rerun, take_step, unix_ms,
};
use serde::Deserialize as _;
use serde_json::Value;

use crate::question::Asked;
use crate::roots::Roots;
use crate::{AnyGame, Entry, MatchError, Question, ReadyConfig};

/// A position of some game. [`AnyGame::position`] makes one, [`AnyGame::load`] finds one in a replay.
///
/// ```
/// use quintain_core::{ConfigChoice, PerSeat, SplitMix64};
/// use quintain_registry::{AnyPosition, Choice, find};
///
/// // A page's handler: a text from a browser is played, and what follows is shown.
/// fn throw(position: &mut dyn AnyPosition, text: &str) -> Result<serde_json::Value, String> {
///     let seat = position.to_act().single().ok_or("nobody is asked")?;
///     let mut choices = PerSeat([None, None]);
///     choices[seat] = Some(Choice::Text(text));
///     position.advance(choices, None).map_err(|error| error.to_string())?;
///     Ok(position.view(seat))
/// }
///
/// let hockey = find("hockey").expect("it is in the list");
/// let config = hockey.configure(&ConfigChoice::default()).expect("its usual config");
/// let mut position = hockey.position(&config, 1).expect("its usual start");
/// assert_eq!(throw(&mut *position, "north east").expect("a throw")["ball"][0], 6);
/// assert!(throw(&mut *position, "upwards").is_err());
/// assert_eq!(position.turn(), 1);
///
/// // A class for another language: it holds a position, copies it, saves it and goes on later.
/// struct Episode(Box<dyn AnyPosition>);
///
/// impl Episode {
///     fn play_at_random(&mut self, seed: u64) {
///         let mut luck = SplitMix64::new(seed);
///         while self.0.outcome().is_none() {
///             let texts = PerSeat::from_fn(|seat| self.0.sample(seat, &mut luck));
///             let choices = texts.as_ref().map(|_, text| text.as_deref().map(Choice::Text));
///             self.0.advance(choices, None).expect("samples are legal");
///         }
///     }
/// }
///
/// let mut episode = Episode(position.boxed_clone());
/// episode.play_at_random(5);
/// let saved = episode.0.save().expect("nobody brought luck of their own");
/// let loaded = hockey.load_bytes(&saved, Some(1)).expect("a replay");
/// assert_eq!(loaded.fingerprint(), position.fingerprint());
/// ```
pub trait AnyPosition: Send {
    fn game(&self) -> &'static dyn AnyGame;

    /// Turns completed.
    fn turn(&self) -> u32;

    /// The seats that must choose. Empty without an outcome: the position advances without choices.
    fn to_act(&self) -> Seats;

    fn outcome(&self) -> Option<Outcome>;

    /// All that a seat may know, by the names of the game's document.
    fn view(&self, seat: Seat) -> Value;

    /// What stays the same in all pictures of the match.
    fn stage(&self) -> Stage;

    fn scene(&self, eye: Eye) -> Scene;

    /// The position as plain text.
    fn text(&self, eye: Eye) -> TextScene;

    /// The texts of all that a seat can legally do, in a fixed order; none if it is not to act. `None` if
    /// the game's actions are too many to be listed.
    fn actions(&self, seat: Seat) -> Option<Vec<String>>;

    /// The text of a legal action, each of them possible; `None` if the seat is not to act.
    fn sample(&self, seat: Seat, chance: &mut dyn Chance) -> Option<String>;

    /// What a person on a seat is asked; `None` if the seat is not to act.
    fn question(&self, seat: Seat) -> Option<Box<dyn Question>>;

    /// What a house bot would do; `None` for an unknown one, or if the seat is not to act.
    fn house_move(&self, seat: Seat, bot: &str, seed: i64) -> Option<String>;

    /// What each seat did in the latest step, as the game's notation writes it; nothing where it was not
    /// asked or failed.
    fn played(&self) -> PerSeat<Option<String>>;

    /// What each seat has of what the game counts; `None` where a match is only won or lost.
    fn standing(&self) -> Option<PerSeat<i64>>;

    /// What the game's house thinks of the position for a seat, at so many positions looked at; `None` if
    /// the house has no opinion.
    fn opinion(&self, seat: Seat, nodes: u64) -> Option<Opinion<String>>;

    /// Plays one step. Without `chance` the luck is that of the match's seed.
    ///
    /// # Errors
    /// The step cannot be played; the position is as it was.
    fn advance(
        &mut self,
        choices: PerSeat<Option<Choice<'_>>>,
        chance: Option<&mut dyn Chance>,
    ) -> Result<Happened, AdvanceError>;

    /// The digest of the position alone.
    fn fingerprint(&self) -> u64;

    /// The match so far as a replay, which anyone can verify and `load_bytes` of its game reads.
    ///
    /// # Errors
    /// A replay cannot hold it.
    fn save(&self) -> Result<Vec<u8>, SaveError>;

    fn boxed_clone(&self) -> Box<dyn AnyPosition>;
}

/// What a seat does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// An action, as the game's notation writes it.
    Text(&'a str),
    /// The action at this place of [`AnyPosition::actions`].
    Index(usize),
    /// It does not answer. A malformed answer is a text.
    Fault(Fault),
}

/// Why a step cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvanceError {
    #[error("expected a match that goes on, found one that is over")]
    Over,
    #[error("expected a choice of the {} seat, found none", .0.name())]
    Missing(Seat),
    #[error("expected no choice of the {} seat, which is not to act", .0.name())]
    NotAsked(Seat),
    #[error("expected nothing but faults of the {} seat, which has left", .0.name())]
    HasLeft(Seat),
    #[error("expected a listed action of the {} seat, found number {}", .0.name(), .1)]
    NoSuchAction(Seat, usize),
    #[error("the {} seat: {}", .0.name(), .1)]
    Unreadable(Seat, ParseError),
    /// It is a text, or comes only before the first step.
    #[error("expected a fault of a match that runs, found that the {} seat {}", .0.name(), .1)]
    NoFaultOfAStep(Seat, Fault),
}

/// What came of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// In sentences, with the names of the match.
    pub notes: Vec<String>,
    /// Whose answer the rules refused.
    pub refused: PerSeat<bool>,
    /// What deserves a tick on a seek bar.
    pub marks: Vec<Mark>,
}

/// Why a position cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    #[error("expected draws that follow from the seed, found luck that somebody brought")]
    OwnLuck,
    #[error("expected answers that can be said, found one that cannot")]
    Unsayable,
}

/// Why there is no position at that place of a replay.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error(transparent)]
    NoTurn(FieldError),
}

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
pub(crate) trait Positioned: Spectate + Sample + House + Spoken + Notation {}

impl<G: Spectate + Sample + House + Spoken + Notation> Positioned for G {}

pub(crate) struct Position<G: Positioned> {
    entry: &'static Entry<G>,
    roots: Arc<Roots>,
    started_ms: u64,
    names: PerSeat<String>,
    game: G,
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

/// The usual start of a match.
pub(crate) fn usual<G: Positioned>(
    entry: &'static Entry<G>,
    config: &ReadyConfig,
    seed: i64,
) -> Result<Position<G>, MatchError> {
    Ok(begun(entry, Roots::usual(config, seed)?))
}

/// A start that somebody chose.
pub(crate) fn chosen<G: Positioned>(
    entry: &'static Entry<G>,
    config: &ReadyConfig,
    setup: &Value,
    seed: i64,
) -> Result<Position<G>, MatchError> {
    G::check_seed(seed)?;
    let setup = G::Setup::deserialize(setup)
        .map_err(|error| SetupError::new(&format!("a setup of {}", G::ID), error))?;
    Ok(begun(entry, Roots::begin(config, seed, setup, true)?))
}

fn begun<G: Positioned>(entry: &'static Entry<G>, (game, roots): (G, Roots)) -> Position<G> {
    let names = PerSeat::from_fn(|seat: Seat| seat.name().to_owned());
    Position::new(entry, roots, unix_ms(), names, game)
}

/// The position of a replay after so many turns, or its last one. The whole replay is verified first.
pub(crate) fn loaded<G: Positioned>(
    entry: &'static Entry<G>,
    replay: &Replay,
    turn: Option<u32>,
) -> Result<Position<G>, LoadError> {
    let last = rerun::<G>(&mut replay.playback(), &mut ())?.turn;
    if let Some(found) = turn.filter(|turn| *turn > last) {
        let expected = format!("a turn from 0 to {last}");
        return Err(LoadError::NoTurn(FieldError::new("turn", expected, found)));
    }
    let wanted = |position: &Position<G>| turn.is_some_and(|turn| position.turn() >= turn);
    let position = walk(entry, replay, &mut |position| match wanted(position) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?;
    Ok(position)
}

/// Goes through a replay from position to position, as long as `take` says, and gives the last one.
pub(crate) fn walk<G: Positioned>(
    entry: &'static Entry<G>,
    replay: &Replay,
    take: &mut dyn FnMut(&Position<G>) -> ControlFlow<()>,
) -> Result<Position<G>, RerunError> {
    let header = &replay.header;
    let mut table = open_table::<G>(header, &header.opening()).map_err(RerunError::Header)?;
    let (roots, names) = (Roots::of(header), header.shown_names());
    let mut position = Position::new(entry, roots, header.started_ms, names, table.game.clone());
    table.start();
    let mut playback = replay.playback();
    let mut index = 0;
    while take(&position).is_continue()
        && let Some(step) = playback.next_step().map_err(RerunError::Read)?
    {
        position
            .follow(&mut table, &step)
            .map_err(|mismatch| Divergence::in_step(mismatch, &step.record, index))?;
        index += 1;
    }
    Ok(position)
}

impl<G: Positioned> Position<G> {
    fn new(
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
    fn follow(
        &mut self,
        table: &mut Table<G>,
        step: &RecordedStep,
    ) -> Result<(), quintain_replay::Mismatch> {
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

    fn header(&self) -> Header {
        let manner = if G::Protocol::HAS_FILES { Manner::Inside } else { Manner::default() };
        let manners = PerSeat([manner; 2]);
        let opening = Opening { manners, ..Opening::new(self.names.clone()) };
        Roots::clone(&self.roots).header::<G>(&opening, self.started_ms)
    }
}

/// Says the replies of a step at a table, which hears and plays them, and writes them down.
fn say_step<G: Spoken>(
    table: &mut Table<G>,
    replies: &Replies<G::Action>,
    luck: &mut dyn Chance,
) -> Result<RecordedStep, SaveError> {
    let mut record = StepRecord { turn: table.game.turn(), ..StepRecord::default() };
    for (seat, reply) in replies.iter() {
        match reply {
            None => {}
            Some(Reply::Fault(fault)) if !matches!(fault, Fault::Malformed(_)) => {
                let after = Some(table.game.time_limit(seat));
                table.fault(seat, *fault);
                record.inputs.push(Input::Fault { seat, fault: *fault, after });
            }
            Some(reply) => {
                for line in lines_of(table, seat, reply) {
                    let (asked, at) = (table.is_asked(seat), Default::default());
                    table.hear(seat, &line);
                    record.inputs.push(Input::Line { seat, asked, line, at });
                }
                record.answers[seat] = Some(Timing::default());
            }
        }
    }
    if !table.is_ready() {
        return Err(SaveError::Unsayable);
    }
    luck.begin_turn(table.game.turn());
    let mut recorder = Recorder::new(luck);
    table.step(&mut recorder);
    record.draws = recorder.draws;
    // They are counted when they are sent.
    table.send_messages(|_| {});
    Ok(RecordedStep { record, digest: table.game.fingerprint() })
}

fn lines_of<G: Spoken>(table: &Table<G>, seat: Seat, reply: &Reply<G::Action>) -> Vec<String> {
    match reply {
        Reply::Act(action) => table.protocol.say(&table.game.view(seat), action),
        Reply::Fault(Fault::Malformed(error)) => vec![error.got.as_str().to_owned()],
        Reply::Fault(_) => Vec::new(),
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

    fn house_move(&self, seat: Seat, bot: &str, seed: i64) -> Option<String> {
        let mut bot = G::bot(bot, seed).filter(|_| self.game.to_act().contains(seat))?;
        let begun = Instant::now();
        let mut elapsed = || begun.elapsed();
        let mut thinking = Thinking::new(&mut elapsed, self.game.time_limit(seat));
        Some(G::write(&bot.act(&self.game.view(seat), &mut thinking)))
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

    fn opinion(&self, seat: Seat, nodes: u64) -> Option<Opinion<String>> {
        let Opinion { value, line } = (self.entry.opinion?)(&self.game, seat, nodes);
        let line = line.iter().map(|(seat, action)| (*seat, G::write(action))).collect();
        Some(Opinion { value, line })
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
