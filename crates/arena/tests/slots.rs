//! What slots do when the machine, a match or the store fails them: a game that fails by plan, behind
//! the same face as every game.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use quintain_arena::plan::MatchSettings;
use quintain_arena::{
    Arena, Concurrency, Forgiveness, PlayedGame, REPEATS_MAX, Replays, RunEnd, Supervisor,
    VOIDS_FREE, Wish, book_of, parse_contestant, play_all, try_start,
};
use quintain_core::{ConfigChoice, ErrorKind, FieldError, Framing, Seat};
use quintain_record::{BotId, Contestant, Disturbance, Ending, Launch, SeatError, State};
use quintain_referee::{Ask, Stop, Unprotected, World};
use quintain_registry::{
    Facts, MatchError, MatchReport, MatchSpec, Playable, ReadyConfig, Spectator, find,
};
use quintain_store::{BotEntry, Filter, Run, RunPlan, Store};
use quintain_tournament::{Book, Finish, Form, MatchResult, Schedule, Seeds, Settings};

/// Hockey, with matches that go wrong.
struct Shaky {
    inner: &'static dyn Playable,
    matches: AtomicU32,
    wrong: fn(number: u32, report: &mut MatchReport),
}

impl Shaky {
    fn game(wrong: fn(u32, &mut MatchReport)) -> &'static Shaky {
        let inner = find("hockey").expect("hockey is registered");
        Box::leak(Box::new(Shaky { inner, matches: AtomicU32::new(0), wrong }))
    }
}

impl Playable for Shaky {
    fn facts(&self) -> Facts {
        self.inner.facts()
    }

    fn framing(&self) -> Framing {
        self.inner.framing()
    }

    fn configure(&self, choice: &ConfigChoice) -> Result<ReadyConfig, FieldError> {
        self.inner.configure(choice)
    }

    fn play(
        &self,
        spec: &MatchSpec,
        world: &mut dyn World,
        spectator: &mut dyn Spectator,
    ) -> Result<MatchReport, MatchError> {
        let mut report = self.inner.play(spec, world, spectator)?;
        (self.wrong)(self.matches.fetch_add(1, Ordering::Relaxed), &mut report);
        Ok(report)
    }
}

/// A bot that answered in 60 ms of 50 and had to wait 15 of them.
fn kept_waiting(seat: Seat, turn: u32) -> Disturbance {
    let ms = Duration::from_millis;
    Disturbance {
        attempt: 1,
        seat,
        turn,
        limit: ms(50),
        wall: ms(60),
        cpu: Some(ms(40)),
        waited: Some(ms(15)),
        replay: None,
    }
}

fn finish_of(game: &PlayedGame) -> Finish {
    MatchResult::from(&game.record).finish
}

/// Keeps what it is told, and has enough after some games.
struct Notes {
    games: Vec<PlayedGame>,
    enough: usize,
}

impl Supervisor for Notes {
    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.games.push(game.clone());
        if self.games.len() >= self.enough { Wish::Enough } else { Wish::GoOn }
    }
}

fn arena(game: &'static dyn Playable, replays: Replays) -> Arena {
    let bot = |text: &str| parse_contestant(text, game, State::default()).expect("a house bot");
    Arena {
        game,
        contestants: vec![bot("a=house:random"), bot("b=house:greedy")],
        digests: vec![BTreeMap::new(); 2],
        settings: MatchSettings::of(game.facts().id),
        config: game.configure(&ConfigChoice::default()).expect("the usual config"),
        replays,
        forgiveness: Forgiveness::default(),
        machine_scale: 1.0,
        store_folder: None,
        sandbox: None,
        signer: None,
    }
}

fn schedule(games: u32) -> Schedule {
    let seeds = Seeds::Derived { from: 1, bits: 31 };
    let settings = Settings { bots: 2, form: Form::RoundRobin, games, seeds };
    Schedule::new(settings).expect("two bots can meet")
}

fn slots(number: usize) -> Concurrency {
    Concurrency::new(NonZero::new(number), Ask::InTurn, 1, true).expect("forced")
}

fn play(arena: &Arena, games: u32, enough: usize) -> (RunEnd, Vec<PlayedGame>) {
    let mut notes = Notes { games: Vec::new(), enough };
    let stop = Stop::default();
    let ended = play_all(arena, &mut schedule(games), None, slots(1), &stop, &mut notes);
    (ended.expect("nothing stops it"), notes.games)
}

/// Remembers how many games ran at a time.
struct Crowd(u64);

impl Supervisor for Crowd {
    fn game(&mut self, _game: &PlayedGame) -> Wish {
        Wish::GoOn
    }

    fn tick(&mut self, running: u64) {
        self.0 = self.0.max(running);
    }
}

#[test]
fn who_watches_sees_every_slot_busy() {
    let arena = arena(Shaky::game(|_, _| {}), Replays::None);
    let (mut crowd, stop) = (Crowd(0), Stop::default());
    let ended = play_all(&arena, &mut schedule(9), None, slots(3), &stop, &mut crowd);
    assert_eq!((ended.expect("nothing stops it"), crowd.0), (RunEnd::Over, 3));
}

#[test]
fn a_disturbed_game_is_played_again_and_counts() {
    let game = Shaky::game(|number, report| {
        if number < REPEATS_MAX {
            report.disturbed.push(kept_waiting(Seat::Second, 4));
        }
    });
    let (ended, games) = play(&arena(game, Replays::None), 2, 2_000);
    assert_eq!(ended, RunEnd::Over);
    assert_eq!(game.matches.load(Ordering::Relaxed), REPEATS_MAX + 2);
    let attempts: Vec<u32> = games[0].record.disturbances.iter().map(|d| d.attempt).collect();
    assert_eq!(attempts, [1, 2, 3]);
    let first = &games[0].record.disturbances[0];
    let ms = |span: Option<Duration>| span.map(|span| span.as_millis());
    assert_eq!((first.seat, first.turn), (Seat::Second, 4));
    assert_eq!((ms(Some(first.wall)), ms(Some(first.limit))), (Some(60), Some(50)));
    assert_eq!((ms(first.cpu), ms(first.waited)), (Some(40), Some(15)));
    assert!(matches!(games[0].record.head.ending, Ending::Scored { .. }));
    assert!(games[1].record.disturbances.is_empty());
}

#[test]
fn a_game_that_is_disturbed_each_time_is_void_and_its_attempts_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = Shaky::game(|_, report| report.disturbed.push(kept_waiting(Seat::First, 0)));
    let arena = arena(game, Replays::Troubled(folder.path().to_owned()));
    let (ended, games) = play(&arena, 1, 2_000);
    assert_eq!((ended, games.len()), (RunEnd::Over, 1));
    assert_eq!(finish_of(&games[0]), Finish::Void);
    assert_eq!(games[0].record.disturbances.len(), 1 + REPEATS_MAX as usize);
    let files = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(files, 1 + REPEATS_MAX as usize);
}

/// Whoever is late in every game, and always says that the machine was busy, is believed a few times.
#[test]
fn late_answers_of_a_bot_with_too_many_void_games_count() {
    let late_second = |_, report: &mut MatchReport| {
        report.disturbed = vec![kept_waiting(Seat::Second, 3)];
    };
    let arena = arena(Shaky::game(late_second), Replays::None);
    let (_, games) = play(&arena, 20, usize::MAX);
    let voids = |bot: BotId| {
        let is_charged = |game: &&PlayedGame| game.record.head.bots[Seat::Second] == bot;
        let charged = games.iter().filter(is_charged);
        charged.filter(|game| finish_of(game) == Finish::Void).count() as u64
    };
    assert_eq!([BotId(0), BotId(1)].map(voids), [VOIDS_FREE; 2], "each is late in ten games");
    let last = games.last().expect("twenty games");
    assert_ne!(finish_of(last), Finish::Void);
    assert_eq!(
        last.unprotected[Seat::Second],
        Some(Unprotected::UsedUp { voids: VOIDS_FREE }),
        "and it is told"
    );
    assert_eq!(last.record.disturbances, [], "the first attempt counts");
}

#[test]
fn a_bug_in_one_match_is_void_and_leaves_the_others_alone() {
    let game = Shaky::game(|number, _| assert_ne!(number, 1, "a bug that this test makes"));
    let (ended, games) = play(&arena(game, Replays::None), 4, 2_000);
    assert_eq!((ended, games.len()), (RunEnd::Over, 4));
    let void: Vec<bool> = games.iter().map(|game| finish_of(game) == Finish::Void).collect();
    assert_eq!(void, [false, true, false, false]);
    assert_eq!(games[1].record.head.ending.reason(), "aborted");
}

#[test]
fn replays_of_games_without_trouble_are_not_kept_unless_all_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = || std::fs::read_dir(folder.path()).expect("the folder").count();
    let game = Shaky::game(|_, _| {});
    play(&arena(game, Replays::Troubled(folder.path().to_owned())), 2, 2_000);
    assert_eq!(count(), 0);
    let (_, games) = play(&arena(game, Replays::All(folder.path().to_owned())), 2, 2_000);
    assert_eq!(count(), 2);
    assert!(games.iter().all(|game| game.replay.as_deref().is_some_and(Path::exists)));
}

#[test]
fn who_has_seen_enough_or_asks_to_stop_gets_the_running_games_and_no_more() {
    let arena = arena(Shaky::game(|_, _| {}), Replays::None);
    let (ended, games) = play(&arena, 1_000, 3);
    assert_eq!((ended, games.len()), (RunEnd::Enough, 3));
    let stop = Stop::default();
    stop.no_more_matches();
    let mut notes = Notes { games: Vec::new(), enough: 2_000 };
    let ended = play_all(&arena, &mut schedule(10), None, slots(2), &stop, &mut notes);
    assert_eq!((ended.expect("a wish"), notes.games.len()), (RunEnd::Stopped, 0));
}

/// A run of two bots that has just begun.
fn stored_run(folder: &Path) -> (Store, Run) {
    let store = Store::open(folder.join("a.db").to_str().expect("a path")).expect("a store");
    let plan = RunPlan {
        name: "a".to_owned(),
        kind: "test".to_owned(),
        game: "hockey".to_owned(),
        settings: "{}".to_owned(),
        bots: vec![BotEntry::new("a", "house:random"), BotEntry::new("b", "house:greedy")],
    };
    let run = store.begin(&plan).expect("a run");
    (store, run)
}

#[test]
fn what_is_stored_is_what_was_played_and_goes_on_from_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, run) = stored_run(folder.path());
    let arena = arena(Shaky::game(|_, _| {}), Replays::None);
    let stop = Stop::default();
    let mut notes = Notes { games: Vec::new(), enough: 7 };
    play_all(&arena, &mut schedule(20), Some(&run), slots(2), &stop, &mut notes).expect("games");
    let stored: Vec<_> = store.games(run.id(), &Filter::default()).map(Result::unwrap).collect();
    let mut results: Vec<_> = stored.iter().map(MatchResult::from).collect();
    let mut played: Vec<_> =
        notes.games.iter().map(|game| MatchResult::from(&game.record)).collect();
    results.sort_by_key(|result| result.id);
    played.sort_by_key(|result| result.id);
    assert_eq!(results, played);
    let mut rest = schedule(20);
    for result in &results {
        rest.record(result).expect("it belongs to the schedule");
    }
    let mut notes = Notes { games: Vec::new(), enough: 2_000 };
    let ended = play_all(&arena, &mut rest, Some(&run), slots(2), &stop, &mut notes);
    assert_eq!((ended.expect("games"), notes.games.len()), (RunEnd::Over, 20 - results.len()));
    let book = book_of(&store, run.id(), 2).expect("sums");
    assert_eq!((book.games(), book.void()), (20, 0));
}

/// Two bots of which one gives two kinds of error: standings and comparisons count the same.
#[test]
fn errors_are_counted_alike_from_games_and_from_the_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, run) = stored_run(folder.path());
    let game = Shaky::game(|number, report| {
        let mut err = |kind, times| {
            let (seat, text) = (Seat::First, "by plan".to_owned());
            report.errors.push(SeatError { seat, kind, times, cause: None, text });
        };
        err(ErrorKind::Illegal, 7);
        if number % 2 == 0 {
            err(ErrorKind::Timeout, 1);
        }
    });
    let mut notes = Notes { games: Vec::new(), enough: 2_000 };
    let stop = Stop::default();
    let arena = arena(game, Replays::None);
    play_all(&arena, &mut schedule(6), Some(&run), slots(2), &stop, &mut notes).expect("games");
    let mut added = Book::new(2);
    store.games(run.id(), &Filter::default()).for_each(|listed| {
        added.add(&MatchResult::from(&listed.expect("a game")));
    });
    let mut played = Book::new(2);
    notes.games.iter().for_each(|game| played.add(&MatchResult::from(&game.record)));
    let summed = book_of(&store, run.id(), 2).expect("sums");
    assert_eq!(summed.tallies(), played.tallies());
    assert_eq!(added.tallies(), played.tallies());
    let total = |kind| played.tallies().iter().map(|tally| tally.errors[kind]).sum::<u64>();
    assert_eq!((total(ErrorKind::Illegal), total(ErrorKind::Timeout)), (6, 3));
}

/// The bot of the first seat is there for the first game, and gone from the second on.
#[test]
fn a_bot_that_cannot_be_started_loses_its_game_and_the_others_go_on() {
    for id in ["hockey", "fencing", "worms"] {
        let game = find(id).expect("a game of ours");
        let mut arena = arena(game, Replays::None);
        let launch = Launch { program: "./no/such/program".to_owned(), ..Launch::default() };
        let has_files = game.facts().abilities.state_files;
        arena.contestants[0] = Contestant::program("a", launch, State::default());
        assert!(try_start(&arena.contestants[0], has_files, None).is_err());
        let (ended, games) = play(&arena, 2, 2_000);
        assert_eq!((ended, games.len()), (RunEnd::Over, 2), "{id}");
        for game in games {
            let seat = Seat::BOTH.into_iter().find(|seat| game.record.head.bots[*seat].0 == 0);
            let seat = seat.expect("it plays in every game");
            assert_eq!(finish_of(&game), Finish::Won(seat.other()), "{id}");
            assert_eq!(game.record.error_kinds()[seat].to_string(), "not-started", "{id}");
            let text = &game.record.errors[0].text;
            assert!(text.contains("./no/such/program"), "{id}: {text}");
        }
    }
}
