//! The end of a race, in which the rear car stops the front one again and again: played out to the line, in a tree
//! of what both cars may do at the same time.
//!
//! Each simulation goes down the tree, where every car chooses on its own by what its commands came to so far
//! (decoupled, with the reflex as a prior), then on to the line by reflex, EMPs included. The tree knows commands
//! and no positions, since each simulation has a track of its own beyond what was seen.

use quintain_core::{Chance, Game, NoChance, PerSeat, Replies, Seat, SplitMix64};

use super::memory::{Memory, Outlook};
use super::meter::Meter;
use super::reflex::reflex;
use super::search::{Commands, drawn, on_track};
use super::worth::reaches;
use crate::{Action, Overdrive, Place, Powerup, View};

/// How many tracks are imagined at most, each for some simulations before the next is drawn.
const TRACKS_MAX: usize = 24;
const SIMULATIONS_PER_TRACK: usize = 2;
/// A tree of this size grows no more.
const NODES_MAX: usize = 60_000;
/// A simulation that has not come to the line after so many rounds is judged by the lead.
const ROUNDS_MAX: u32 = 60;
const LEAD_SURE: f32 = 100.0;
/// How much a command that was tried little is tried for that.
const CURIOSITY: f32 = 1.0;
/// Of 100 rounds in a simulation, in how many a car uses an EMP if it can, and in how many it does anything.
const EMP_SHARE: u32 = 75;
const STRAY_SHARE: u32 = 10;

/// What a car may be told, by what the tree counts it as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Straight,
    Left,
    Right,
    Fix,
    Boost,
    Lizard,
    Emp,
    Tweet,
    Oil,
}

const KINDS: usize = 9;

impl Kind {
    const ALL: [Kind; KINDS] = [
        Kind::Straight,
        Kind::Left,
        Kind::Right,
        Kind::Fix,
        Kind::Boost,
        Kind::Lizard,
        Kind::Emp,
        Kind::Tweet,
        Kind::Oil,
    ];

    fn of(action: Action) -> Kind {
        match action {
            Action::TurnLeft => Kind::Left,
            Action::TurnRight => Kind::Right,
            Action::Fix => Kind::Fix,
            Action::UseBoost => Kind::Boost,
            Action::UseLizard => Kind::Lizard,
            Action::UseEmp => Kind::Emp,
            Action::UseTweet(_) => Kind::Tweet,
            Action::UseOil => Kind::Oil,
            _ => Kind::Straight,
        }
    }

    /// How likely it is to be good before anything was tried.
    fn prior(self, reflex: Kind) -> f32 {
        match self {
            _ if self == reflex => 0.35,
            Kind::Emp => 0.35,
            Kind::Tweet | Kind::Oil => 0.08,
            _ => 0.12,
        }
    }
}

/// The commands of a car that are worth a thought, by kind.
type Options = [Option<Action>; KINDS];

fn options(position: &Overdrive, seat: Seat) -> Options {
    let (car, other) = (&position.cars()[seat], &position.cars()[seat.other()]);
    let mut options = [None; KINDS];
    let mut offer = |action: Action| options[Kind::of(action) as usize] = Some(action);
    Commands::of(position, seat).as_slice().iter().copied().for_each(&mut offer);
    // Who was stopped is fast again at once with a boost, also if damage leaves it no more than the usual speed.
    let cap = position.course().cap[usize::from(car.damage)];
    if car.powerups.has(Powerup::Boost) && cap > car.speed && car.boost_counter <= 1 {
        offer(Action::UseBoost);
    }
    let truck = Place::new(other.place.lane, other.place.block + u16::from(other.speed) + 1);
    if car.powerups.has(Powerup::Tweet) && truck.block < position.track().length() {
        offer(Action::tweet(truck));
    }
    let is_followed = other.place.block < car.place.block && other.place.lane == car.place.lane;
    if car.powerups.has(Powerup::Oil) && is_followed {
        offer(Action::UseOil);
    }
    options
}

/// What a command came to.
#[derive(Clone, Copy, Default)]
struct Tried {
    times: u32,
    won: f32,
}

/// What was tried after some commands of both cars.
#[derive(Default)]
struct Node {
    is_known: bool,
    tried: PerSeat<[Tried; KINDS]>,
    /// Where a pair of commands leads to.
    next: Vec<(PerSeat<Kind>, usize)>,
}

impl Node {
    /// What a car tries next: what has won most often, and what has hardly been tried.
    fn choice(&self, options: &Options, seat: Seat, reflex: Kind) -> Kind {
        let tried = &self.tried[seat];
        let times: u32 = tried.iter().map(|tried| tried.times).sum();
        let won: f32 = tried.iter().map(|tried| tried.won).sum();
        let mean = if times > 0 { won / times as f32 } else { 0.5 };
        let curiosity = CURIOSITY * (times as f32 + 1.0).sqrt();
        let mut best = (f32::NEG_INFINITY, Kind::Straight);
        for kind in Kind::ALL.into_iter().filter(|&kind| options[kind as usize].is_some()) {
            let Tried { times, won } = tried[kind as usize];
            let value = if times > 0 { won / times as f32 } else { mean };
            let worth = value + curiosity * kind.prior(reflex) / (times as f32 + 1.0);
            if worth > best.0 {
                best = (worth, kind);
            }
        }
        best.1
    }

    fn learn(&mut self, kinds: PerSeat<Kind>, won_by_first: f32) {
        self.is_known = true;
        for (seat, won) in Seat::BOTH.into_iter().zip([won_by_first, 1.0 - won_by_first]) {
            let tried = &mut self.tried[seat][kinds[seat] as usize];
            tried.times += 1;
            tried.won += won;
        }
    }
}

/// The command that most simulations chose; `None` if there was no time for any.
pub(crate) fn best_command(memory: &Memory, view: &View, meter: Meter<'_, '_>) -> Option<Action> {
    let mut draws = SplitMix64::new(u64::from(view.round));
    let chance = SplitMix64::new(draws.next_u64());
    let mut duel = Duel { meter, chance, tree: vec![Node::default()] };
    let mut tracks: Vec<Outlook> = Vec::new();
    let mut simulations = 0;
    while !duel.meter.is_over() {
        if tracks.len() < TRACKS_MAX && simulations >= tracks.len() * SIMULATIONS_PER_TRACK {
            tracks.push(memory.present_to_line(view, &mut || drawn(&mut draws))?);
        }
        duel.simulate(tracks[simulations % tracks.len()].position.clone());
        simulations += 1;
    }
    let outlook = tracks.first()?;
    let tried = &duel.tree[0].tried[view.seat];
    let mut best: Option<(u32, Action)> = None;
    for (kind, option) in options(&outlook.position, view.seat).into_iter().enumerate() {
        let Some(action) = option else { continue };
        if best.is_none_or(|(times, _)| tried[kind].times > times) {
            best = Some((tried[kind].times, action));
        }
    }
    best.map(|(_, action)| on_track(action, outlook))
}

/// What is known of the end of a race, and what it may still cost to know more.
struct Duel<'a, 'b> {
    meter: Meter<'a, 'b>,
    chance: SplitMix64,
    tree: Vec<Node>,
}

impl Duel<'_, '_> {
    /// Plays one race to its end and remembers what its first rounds came to. One that is cut short by the clock
    /// teaches nothing.
    fn simulate(&mut self, mut position: Overdrive) {
        let mut way: Vec<(usize, PerSeat<Kind>)> = Vec::new();
        let mut node = 0;
        while position.outcome().is_none() {
            let is_known = self.tree[node].is_known;
            let Some(kinds) = self.play_by_tree(&mut position, node) else { return };
            way.push((node, kinds));
            match self.next_node(node, kinds) {
                Some(next) if is_known => node = next,
                _ => break,
            }
        }
        let Some(won_by_first) = self.play_by_reflex(position) else { return };
        for (node, kinds) in way {
            self.tree[node].learn(kinds, won_by_first);
        }
    }

    /// Where a pair of commands leads to; `None` if the tree is full.
    fn next_node(&mut self, node: usize, kinds: PerSeat<Kind>) -> Option<usize> {
        let known = self.tree[node].next.iter().find(|(pair, _)| *pair == kinds);
        if let Some(&(_, next)) = known {
            return Some(next);
        }
        let next = self.tree.len();
        (next < NODES_MAX).then(|| {
            self.tree.push(Node::default());
            self.tree[node].next.push((kinds, next));
            next
        })
    }

    /// One round; `None` if there was no time for it.
    fn advance(&mut self, position: &mut Overdrive, actions: PerSeat<Action>) -> Option<()> {
        let PerSeat([first, second]) = actions;
        self.meter.allows_another().then(|| {
            position.advance(&Replies::both(first, second), &mut NoChance, &mut ());
        })
    }

    /// A round in which both cars choose by what the tree knows.
    fn play_by_tree(&mut self, position: &mut Overdrive, node: usize) -> Option<PerSeat<Kind>> {
        let options = PerSeat::from_fn(|seat| options(position, seat));
        let kinds = PerSeat::from_fn(|seat| {
            let reflex = Kind::of(reflex(position, seat));
            self.tree[node].choice(&options[seat], seat, reflex)
        });
        let action = |seat: Seat| options[seat][kinds[seat] as usize].unwrap_or(Action::Nothing);
        self.advance(position, PerSeat::from_fn(action))?;
        Some(kinds)
    }

    /// Rounds without thinking up to the end, and what they come to for the first seat.
    fn play_by_reflex(&mut self, mut position: Overdrive) -> Option<f32> {
        for _ in 0..ROUNDS_MAX {
            if position.outcome().is_some() {
                break;
            }
            let actions = PerSeat::from_fn(|seat| self.quick_command(&position, seat));
            self.advance(&mut position, actions)?;
        }
        Some(match position.outcome().map(|outcome| outcome.winner()) {
            Some(Some(winner)) => f32::from(winner == Seat::First),
            Some(None) => 0.5,
            None => by_lead(&position),
        })
    }

    /// The reflex, but for EMPs, of which it knows nothing, and for some whims.
    fn quick_command(&mut self, position: &Overdrive, seat: Seat) -> Action {
        let dice = self.chance.below(100);
        let (car, other) = (&position.cars()[seat], &position.cars()[seat.other()]);
        let can_stop = car.powerups.has(Powerup::Emp) && reaches(car.place, other.place);
        if dice < EMP_SHARE && can_stop {
            return Action::UseEmp;
        }
        if dice >= 100 - STRAY_SHARE {
            let whim = self.chance.below(KINDS as u32) as usize;
            if let Some(action) = options(position, seat)[whim] {
                return action;
            }
        }
        reflex(position, seat)
    }
}

/// What a race that goes on is worth to the first seat.
fn by_lead(position: &Overdrive) -> f32 {
    let [first, second] = &position.cars().0;
    let lead = f32::from(first.place.block) - f32::from(second.place.block);
    (0.5 + lead / LEAD_SURE).clamp(0.05, 0.95)
}
