//! What every test needs to play one match of the toy on virtual time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::{
    Bot, Game as _, Item, NoChance, Opening, Outcome, PerSeat, Seat, SeededChance, SetupError,
    Thinking,
};
use quintain_referee::{
    Actor, Ask, Follower, Heard, MatchEnd, MatchRules, Meeting, Message, Player, SimWorld, Step,
    StepRecord, Table, World, play,
};

use crate::toy::{Config, Event, Setup, Toy, Wire};

pub(crate) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) fn line(text: &str) -> Heard {
    Heard::Line(text.as_bytes().to_vec())
}

/// A bot that says what its script holds for each line it receives.
pub(crate) struct Scripted(VecDeque<Vec<(Duration, Heard)>>);

/// Answers to the greeting, to the first prompt, to the second, and so on.
pub(crate) fn scripted(
    answers: impl IntoIterator<Item = Vec<(Duration, Heard)>>,
) -> Box<dyn Actor> {
    Box::new(Scripted(answers.into_iter().collect()))
}

/// Says nothing to the greeting and the same to each prompt, at once.
pub(crate) fn steady(text: &str) -> Box<dyn Actor> {
    let answer = vec![(ms(1), line(text))];
    scripted(std::iter::once(Vec::new()).chain(std::iter::repeat_n(answer, 20)))
}

impl Actor for Scripted {
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>) {
        let is_known =
            matches!(item, Item::Line(line) if line == "hello" || line.starts_with("turn"));
        if is_known {
            answers.extend(self.0.pop_front().unwrap_or_default());
        }
    }
}

/// A world that writes down what is sent through it.
pub(crate) struct Watched {
    world: SimWorld,
    pub(crate) sent: Vec<(Seat, String)>,
}

impl World for Watched {
    delegate!(world: now prepare flush next is_stopped absence hang_up cpu counts referee_waited);
    delegate!(world: wants_to_run has_said unprotected stderr meddling finish);

    fn send(&mut self, seat: Seat, item: &Item) {
        if let Item::Line(line) = item {
            self.sent.push((seat, line.clone()));
        }
        self.world.send(seat, item);
    }
}

/// Everything that is known of a match afterwards.
pub(crate) struct Played {
    pub(crate) outcome: Outcome,
    pub(crate) steps: Vec<StepRecord>,
    pub(crate) events: Vec<Vec<Event>>,
    /// Before the first step, and in each.
    pub(crate) said: Vec<Vec<Message>>,
    /// Turns completed after each step, as the follower saw them.
    pub(crate) turns_seen: Vec<u32>,
    pub(crate) idles: u32,
    pub(crate) sent: Vec<(Seat, String)>,
    pub(crate) ended_at: Duration,
    pub(crate) messages: u64,
}

impl Played {
    pub(crate) fn all_events(&self) -> Vec<Event> {
        self.events.concat()
    }
}

#[derive(Default)]
pub(crate) struct Notebook {
    pub(crate) steps: Vec<StepRecord>,
    pub(crate) events: Vec<Vec<Event>>,
    pub(crate) said: Vec<Vec<Message>>,
    pub(crate) turns_seen: Vec<u32>,
    pub(crate) idles: u32,
}

impl<const AT_ONCE: bool> Follower<Toy<AT_ONCE>> for Notebook {
    fn begin(&mut self, _game: &Toy<AT_ONCE>, said: &[Message]) {
        self.said.push(said.to_vec());
    }

    fn step(&mut self, step: &Step<'_, Toy<AT_ONCE>>) {
        self.steps.push(step.record.clone());
        self.events.push(step.events.to_vec());
        self.said.push(step.said.to_vec());
        self.turns_seen.push(step.game.turn());
    }

    fn idle(&mut self) {
        self.idles += 1;
    }
}

/// A match to be played; the defaults are those of a quiet match.
pub(crate) struct Match<const AT_ONCE: bool> {
    pub(crate) setup: Setup,
    pub(crate) ask: Ask,
    pub(crate) rules: MatchRules,
    pub(crate) actors: PerSeat<Box<dyn Actor>>,
    pub(crate) players: PerSeat<Player<Toy<AT_ONCE>>>,
    pub(crate) meeting: Meeting,
    pub(crate) seed: i64,
}

/// Two bots behind the world.
pub(crate) fn remote<const AT_ONCE: bool>(
    first: Box<dyn Actor>,
    second: Box<dyn Actor>,
) -> Match<AT_ONCE> {
    Match {
        setup: Setup::default(),
        ask: Ask::InTurn,
        rules: MatchRules::default(),
        actors: PerSeat([first, second]),
        players: PerSeat([Player::Outside, Player::Outside]),
        meeting: Meeting::opened(opening()),
        seed: 1,
    }
}

pub(crate) fn opening() -> Opening {
    Opening::new(PerSeat(["one".to_owned(), "two".to_owned()]))
}

impl<const AT_ONCE: bool> Match<AT_ONCE> {
    pub(crate) fn play(mut self) -> Played {
        let game: Result<Toy<AT_ONCE>, SetupError> = Toy::new(&Config, self.setup);
        let mut table = Table::new(
            game.expect("every setup of the toy is possible"),
            <Wire as quintain_core::Protocol<Toy<AT_ONCE>>>::new(&opening()),
            self.ask,
        );
        let mut world = Watched { world: SimWorld::new(self.actors), sent: Vec::new() };
        let mut notebook = Notebook::default();
        let end = play(
            &mut table,
            &mut self.players,
            self.meeting,
            &mut world,
            &self.rules,
            &mut SeededChance::new(self.seed),
            &mut notebook,
        );
        let MatchEnd::Over(outcome) = end else { panic!("nobody stops it") };
        Played {
            outcome,
            steps: notebook.steps,
            events: notebook.events,
            said: notebook.said,
            turns_seen: notebook.turns_seen,
            idles: notebook.idles,
            ended_at: world.now(),
            sent: world.sent,
            messages: table.messages_fingerprint(),
        }
    }
}

/// Plays a match of two remote bots in a world of the test's own.
pub(crate) fn play_in(
    world: &mut dyn World,
    turns_max: u32,
    ask: Ask,
    follower: &mut dyn Follower<Toy<true>>,
) -> MatchEnd {
    play_with(PerSeat([Player::Outside, Player::Outside]), world, turns_max, ask, follower)
}

/// The same with any players.
pub(crate) fn play_with(
    mut players: PerSeat<Player<Toy<true>>>,
    world: &mut dyn World,
    turns_max: u32,
    ask: Ask,
    follower: &mut dyn Follower<Toy<true>>,
) -> MatchEnd {
    let setup = Setup { turns_max, ..Setup::default() };
    let game: Toy<true> = Toy::new(&Config, setup).expect("every setup of the toy is possible");
    let wire = <Wire as quintain_core::Protocol<Toy<true>>>::new(&opening());
    play(
        &mut Table::new(game, wire, ask),
        &mut players,
        Meeting::opened(opening()),
        world,
        &MatchRules::default(),
        &mut NoChance,
        follower,
    )
}

/// A world in which nobody says anything.
pub(crate) fn nobody() -> SimWorld {
    SimWorld::new(PerSeat([scripted([]), scripted([])]))
}

/// A bot inside the process, which counts how often it was asked.
pub(crate) struct Inside {
    answers: VecDeque<u32>,
    asked: Arc<Mutex<u32>>,
}

/// Gives these answers one after the other, then 1 for ever.
pub(crate) fn inside<const AT_ONCE: bool>(
    answers: &[u32],
) -> (Player<Toy<AT_ONCE>>, Arc<Mutex<u32>>) {
    let asked = Arc::new(Mutex::new(0));
    let bot = Inside { answers: answers.iter().copied().collect(), asked: Arc::clone(&asked) };
    (Player::Inside(Box::new(bot)), asked)
}

impl<const AT_ONCE: bool> Bot<Toy<AT_ONCE>> for Inside {
    fn act(&mut self, _view: &u32, _: &mut Thinking<'_>) -> u32 {
        *self.asked.lock().expect("no test panics with this lock") += 1;
        self.answers.pop_front().unwrap_or(1)
    }
}
