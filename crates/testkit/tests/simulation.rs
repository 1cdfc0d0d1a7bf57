//! Thousands of matches on virtual time with bots that garble, stall, die, flood and shout out of
//! turn. Each ends, has one outcome, and is rebuilt from its replay alone with the same digest and
//! the same messages.
//!
//! The seeds start at `QUINTAIN_SEED` (default 0); a failure names its seed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::{ConfigChoice, Item, PerSeat, Seat, SplitMix64};
use quintain_hockey::Hockey;
use quintain_referee::{Actor, Ask, Follower, Input, MatchRules, Message, SimWorld, Step};
use quintain_registry::{AnyGame, MatchSpec, NoSpectator, find};
use quintain_replay::{RecordedStep, read, rerun};
use quintain_testkit::{Deed, Log, Mischief, Temper, program};

const MATCHES: i64 = 1_500;
/// Drawing every position is slow in an unoptimised build.
const FILM_EVERY: i64 = 50;
const SHOUTS: &[&str] =
    &["north", "SOUTH west", "east", "what?", "", "Malory is active player - 7"];

#[test]
fn every_match_ends_and_is_rebuilt_from_its_replay() {
    let first_seed: i64 =
        std::env::var("QUINTAIN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut reached = BTreeMap::new();
    for seed in first_seed..first_seed + MATCHES {
        let path = folder.path().join("match.replay.jsonl.zst");
        play_and_check(seed, &path, &mut reached);
    }
    for expected in [
        "a goal was made",
        "checkmate was achieved",
        "timeout",
        "late",
        "gone",
        "flooded",
        "not-started",
        "refused",
        "dropped lines",
        "Garble",
        "Stall",
        "Freeze",
        "Die",
        "Flood",
        "Overflow",
        "Shout",
        "won by Some(First)",
        "won by Some(Second)",
    ] {
        let count = reached.get(expected).copied().unwrap_or(0);
        assert!(count >= 5, "the simulation reached `{expected}` only {count} times: {reached:?}");
    }
}

type Logs = PerSeat<Arc<Mutex<Log>>>;
type Reached = BTreeMap<String, u64>;

fn play_and_check(seed: i64, path: &Path, reached: &mut Reached) {
    let game = find("hockey").expect("hockey is registered");
    let mut luck = SplitMix64::new(seed as u64);
    let (actors, logs) = actors(game, seed, &mut luck);
    let mut world = SimWorld::new(actors);
    let spec = spec(game, seed, path);
    let report = game.play(&spec, &mut world, &mut NoSpectator).expect("the match is played");
    assert!(report.replay_error.is_none(), "seed {seed}: {:?}", report.replay_error);

    let replay = read(path).expect("the replay is readable");
    let end = replay.end.as_ref().expect("the replay is whole");
    assert_eq!(end.reason, report.outcome.reason, "seed {seed}");
    assert_eq!(end.turns, report.turns, "seed {seed}");
    let mut told = Told::default();
    let ended = rerun::<Hockey>(&mut replay.playback(), &mut told)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(ended.outcome, Some(report.outcome), "seed {seed}");
    check_messages(seed, &told, &logs);
    if seed % FILM_EVERY == 0 {
        game.film(&mut replay.playback()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }

    let mut reach = |what: String| *reached.entry(what).or_default() += 1;
    reach(report.outcome.reason.to_owned());
    reach(format!("won by {:?}", report.outcome.winner()));
    report.faults.iter().for_each(|(_, fault)| reach(fault.code().to_owned()));
    for log in &logs.0 {
        let log = log.lock().expect("the match is over");
        log.deeds.iter().for_each(|deed: &Deed| reach(format!("{deed:?}")));
    }
    if replay.steps.iter().any(|step| step.record.dropped != PerSeat([0, 0])) {
        reach("dropped lines".to_owned());
    }
    assert!(all_heard_are_kept(&replay.steps), "seed {seed}");
}

fn actors(game: &dyn AnyGame, seed: i64, luck: &mut SplitMix64) -> (PerSeat<Box<dyn Actor>>, Logs) {
    let client = game.facts().abilities.client.expect("its house bots can connect");
    let mut make = |seat: Seat| {
        let bots = game.facts().house_bots;
        let name = ["first", "second"][seat.index()];
        // Greedy bots think for real; a few of them are enough.
        let bot = bots[usize::from(seed % 20 == 0)].name;
        let dialogue = client(bot, name, seed, None).expect("a house bot");
        let calm = seed % 10 == 1;
        let temper = if calm { Temper::calm() } else { Temper::new(luck) };
        let own_luck = SplitMix64::new(luck.next_u64());
        Mischief::new(dialogue, temper, own_luck, Duration::from_secs(7), SHOUTS)
    };
    let [(first, first_log), (second, second_log)] = [make(Seat::First), make(Seat::Second)];
    let actors: PerSeat<Box<dyn Actor>> = PerSeat([Box::new(first), Box::new(second)]);
    (actors, PerSeat([first_log, second_log]))
}

fn spec(game: &dyn AnyGame, seed: i64, path: &Path) -> MatchSpec {
    MatchSpec {
        config: game.configure(&ConfigChoice::default()).expect("the usual config"),
        seed,
        seats: PerSeat::from_fn(|seat| program(format!("bot {}", seat.index()))),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([Some(Duration::from_secs(5)); 2]),
        opening: None,
        replay: Some(path.to_owned()),
        match_log: None,
        sandbox: None,
        signer: None,
    }
}

/// Everything said in a replayed match, per seat.
#[derive(Default)]
struct Told(PerSeat<Vec<Item>>);

impl Told {
    fn take(&mut self, messages: &[Message]) {
        for (seat, item) in messages {
            self.0[*seat].push(item.clone());
        }
    }
}

impl Follower<Hockey> for Told {
    fn begin(&mut self, _game: &Hockey, said: &[Message]) {
        self.take(said);
    }

    fn step(&mut self, step: &Step<'_, Hockey>) {
        self.take(step.said);
    }

    fn idle(&mut self) {}
}

/// What a bot received in the live match is what the replay says, up to the moment it left; the
/// dialogue before the match is not part of the replay.
fn check_messages(seed: i64, told: &Told, logs: &Logs) {
    let is_start = |item: &Item| matches!(item, Item::Line(line) if line.starts_with("Game is on"));
    for (seat, log) in logs.iter() {
        let log = log.lock().expect("the match is over");
        let Some(start) = log.received.iter().position(is_start) else {
            continue;
        };
        let live = &log.received[start..];
        let replayed = &told.0[seat];
        assert!(live.len() <= replayed.len(), "seed {seed}, {seat:?}");
        assert_eq!(live, &replayed[..live.len()], "seed {seed}, {seat:?}");
        if log.deeds.iter().all(|deed| !matches!(deed, Deed::Die | Deed::Overflow)) {
            assert_eq!(live.len(), replayed.len(), "seed {seed}, {seat:?}: nothing is lost");
        }
    }
}

/// A line is kept with its seat and its time, in the order of hearing.
fn all_heard_are_kept(steps: &[RecordedStep]) -> bool {
    let times = steps.iter().flat_map(|step| &step.record.inputs).filter_map(|input| match input {
        Input::Line { at, .. } => Some(*at),
        Input::Fault { .. } => None,
    });
    times.collect::<Vec<_>>().is_sorted()
}
