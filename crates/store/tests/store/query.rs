//! Counting and listing.

use std::collections::{BTreeMap, BTreeSet};

use crate::suite::{
    Engine, begin, disturbance, fault, game, identity, on_both_engines, scored, tag, void,
};
use quintain_core::{ErrorKind, Seat, Verdict};
use quintain_record::{BotId, Ending, MatchRecord, Scored};
use quintain_store::{
    Copies, Errors, FaultTally, Filter, PairTally, Results, RunId, Store, TagFilter, TagTest,
};

use Verdict::{Disqualified, Draw, Loss, Win};

on_both_engines! {
    pairs_are_counted_by_points,
    the_tally_agrees_with_counting_by_hand,
    faults_are_counted_by_bot_and_kind,
    faults_of_many_games_are_counted,
    copies_are_counted_by_who_had_which_seat,
    filters_let_through_what_fits,
    tags_are_compared_as_text_and_as_numbers,
    disturbances_are_listed,
    a_long_list_is_whole_and_in_order,
    nothing_is_known_of_an_empty_run,
    results_are_those_of_the_games_and_the_latest_come_first,
    results_of_many_pages_come_in_their_order,
}

fn results_of_many_pages_come_in_their_order(engine: Engine) {
    /// Two whole pages and a bit.
    const GAMES: u32 = 2 * 2048 + 3;
    let Some(place) = engine("result_pages") else { return };
    let (store, run) = begin(&place, "a");
    let games: Vec<MatchRecord> =
        (0..GAMES).map(|seed| scored(identity(0, 0, seed, false), Win, Loss)).collect();
    for some in games.chunks(1000) {
        run.record_all(some).unwrap();
    }
    let numbers = |after| -> Vec<u64> {
        store.results(run.id(), after).map(|row| row.unwrap().number).collect()
    };
    for after in [0, 3, 2048, 2051, 4096] {
        assert!(numbers(after).into_iter().eq(after + 1..=u64::from(GAMES)), "after {after}");
    }
    assert!(numbers(u64::from(GAMES)).is_empty());
    // Whoever has seen enough is not waited for.
    assert_eq!(store.results(run.id(), 0).take(3).count(), 3);
}

fn results_are_those_of_the_games_and_the_latest_come_first(engine: Engine) {
    let Some(place) = engine("results") else { return };
    let (store, run) = begin(&place, "a");
    for seed in 0..5 {
        let mut one = scored(identity(seed, 0, seed, seed % 2 == 1), Win, Loss);
        one.errors = vec![
            fault(Seat::Second, ErrorKind::Timeout, 2),
            fault(Seat::Second, ErrorKind::Crash, 1),
        ];
        one.tags = vec![tag("depth", Some(Seat::First), &seed.to_string())];
        run.record(&one).unwrap();
    }
    run.record(&void(identity(9, 0, 9, false))).unwrap();
    let all = Filter::default();
    let rows: Vec<_> = store.results(run.id(), 0).map(Result::unwrap).collect();
    let games: Vec<_> = store.games(run.id(), &all).map(Result::unwrap).collect();
    assert_eq!((rows.len(), games.len()), (6, 6));
    for (row, listed) in rows.iter().zip(&games) {
        assert_eq!(
            (row.number, row.id, row.bots),
            (listed.number, listed.head.id, listed.head.bots)
        );
        assert_eq!((row.errors, row.content), (listed.errors, listed.head.content));
    }
    assert_eq!((rows[0].half_points, rows[5].half_points), (Some(2), None));
    assert_eq!(store.results(run.id(), 5).count(), 1);
    let latest = store.latest_games(run.id(), &all, 2..6, 3).unwrap();
    assert_eq!(latest.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [5, 4, 3]);
    assert_eq!((latest[0].1.errors.len(), latest[0].1.tags[0].value.as_str()), (2, "4"));
    let spread = store.tag_spreads_of(run.id(), BotId(0)).unwrap();
    assert_eq!((spread[0].count, spread[0].least, spread[0].most), (3, 0.0, 4.0));
    let parts = store.tag_parts(run.id(), BotId(0), "depth", [0.0, 4.0], 4).unwrap();
    assert_eq!(parts, [1, 0, 1, 1]);
    assert_eq!(store.is_played(run.id()), Ok(true));
    let id = run.id();
    drop(run);
    assert_eq!(store.is_played(id), Ok(false));
}

fn pairs_are_counted_by_points(engine: Engine) {
    let Some(place) = engine("by_points") else { return };
    let (store, run) = begin(&place, "a");
    let pair = |seed: u32, straight: [Verdict; 2], swapped: [Verdict; 2]| {
        let record = |is_swapped, [first, second]: [Verdict; 2]| {
            run.record(&scored(identity(0, 0, seed, is_swapped), first, second)).unwrap();
        };
        // Whichever is finished first.
        if seed.is_multiple_of(2) {
            record(false, straight);
            record(true, swapped);
        } else {
            record(true, swapped);
            record(false, straight);
        }
    };
    pair(0, [Win, Loss], [Loss, Win]);
    pair(1, [Win, Loss], [Disqualified, Win]);
    pair(2, [Win, Loss], [Draw, Draw]);
    pair(3, [Loss, Win], [Loss, Win]);
    pair(4, [Loss, Win], [Draw, Draw]);
    pair(5, [Loss, Win], [Win, Loss]);
    pair(6, [Disqualified, Loss], [Draw, Draw]);
    run.record(&scored(identity(0, 0, 7, true), Loss, Win)).unwrap();
    run.record(&scored(identity(0, 0, 8, false), Win, Loss)).unwrap();
    run.record(&void(identity(0, 0, 8, true))).unwrap();
    run.record(&void(identity(0, 0, 9, true))).unwrap();
    run.record(&scored(identity(0, 0, 9, false), Draw, Draw)).unwrap();
    run.record(&game(identity(2, 0, 0, false))).unwrap();
    let tally = store.tally(run.id()).unwrap();
    let first = Results { wins: 5, draws: 1, losses: 3, lost_by_both: 1 };
    let second = Results { wins: 4, draws: 3, losses: 1, lost_by_both: 0 };
    let expected = PairTally {
        bots: [BotId(0), BotId(1)],
        by_seat: [first, second],
        pairs: [1, 1, 2, 1, 2],
        singles: [0, 1, 3],
        voids: 2,
    };
    assert_eq!(expected.games(), 18);
    assert_eq!(tally, [expected]);
}

/// A number that looks like chance, the same every time.
fn dice(state: &mut u64, sides: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % sides
}

fn random_game(state: &mut u64, seed_index: u32, swapped: bool) -> MatchRecord {
    let id = identity(dice(state, 2) as u32, dice(state, 3) as u32, seed_index, swapped);
    let results = [[Win, Loss], [Loss, Win], [Draw, Draw], [Disqualified, Win], [Loss, Loss]];
    match dice(state, 6) as usize {
        5 => void(id),
        result => scored(id, results[result][0], results[result][1]),
    }
}

/// Half points of the lower bot, `None` if void.
fn points(game: &MatchRecord) -> Option<usize> {
    let Ending::Scored(Scored { verdicts, .. }) = &game.head.ending else { return None };
    let own = if game.head.id.swapped { Seat::Second } else { Seat::First };
    Some(match (verdicts[own], verdicts[own.other()]) {
        (Win, _) => 2,
        (_, Win) => 0,
        _ => 1,
    })
}

/// By pairing: pairs, singles and voids.
type Counts = BTreeMap<u32, ([u64; 5], [u64; 3], u64)>;

/// The first ones are in the sums that are kept, the last ones are not.
const MANY_GAMES: u32 = 5_000;

fn the_tally_agrees_with_counting_by_hand(engine: Engine) {
    let Some(place) = engine("by_hand") else { return };
    let (store, run) = begin(&place, "a");
    let mut state = 20;
    let mut games: BTreeMap<(u32, u32, u32, bool), MatchRecord> = BTreeMap::new();
    let mut batch = Vec::new();
    for number in 0..MANY_GAMES {
        let game = random_game(&mut state, number % 1_000, number.is_multiple_of(3));
        let id = game.head.id;
        if let std::collections::btree_map::Entry::Vacant(place) =
            games.entry((id.round, id.pairing, id.seed_index, id.swapped))
        {
            batch.push(place.insert(game).clone());
        }
        if batch.len() == 90 || number + 1 == MANY_GAMES {
            run.record_all(&batch).unwrap();
            batch.clear();
        }
    }
    let mut expected: Counts = BTreeMap::new();
    let mut contents: BTreeMap<[BotId; 2], (u64, BTreeSet<Option<u64>>)> = BTreeMap::new();
    for (&(round, pairing, seed, swapped), game) in &games {
        let (pairs, singles, voids) = expected.entry(pairing).or_default();
        let twin = games.get(&(round, pairing, seed, !swapped)).and_then(points);
        match (points(game), twin) {
            (None, _) => *voids += 1,
            (Some(own), None) => singles[own] += 1,
            (Some(own), Some(twin)) => pairs[own + twin] += u64::from(swapped),
        }
        if !game.head.ending.is_void() {
            let (count, different) = contents.entry(game.head.bots.0).or_default();
            *count += 1;
            different.insert(game.head.content);
        }
    }
    let bots = [[0, 1], [0, 2], [1, 2]];
    let found: Counts = store
        .tally(run.id())
        .unwrap()
        .into_iter()
        .map(|pair| {
            let pairing = bots.iter().position(|bots| bots.map(BotId) == pair.bots).unwrap() as u32;
            (pairing, (pair.pairs, pair.singles, pair.voids))
        })
        .collect();
    assert_eq!(found, expected);
    let copies = |(bots, (count, different)): (_, (u64, BTreeSet<_>))| Copies {
        bots,
        games: count - different.len() as u64,
    };
    let copies: Vec<Copies> = contents.into_iter().map(copies).collect();
    assert_eq!(store.copies(run.id()).unwrap(), copies);
    // Without pairs the filtered one says the same.
    let by_seat = |tally: Vec<PairTally>| {
        tally.into_iter().map(|pair| (pair.bots, pair.by_seat)).collect::<Vec<_>>()
    };
    let all = store.tally_of(run.id(), &Filter::default()).unwrap();
    assert_eq!(by_seat(all), by_seat(store.tally(run.id()).unwrap()));
}

/// Errors of many games, of which the last ones are not in the sums that are kept.
fn faults_of_many_games_are_counted(engine: Engine) {
    let Some(place) = engine("many_faults") else { return };
    let (store, run) = begin(&place, "a");
    let failing = |seed: u32| {
        let game = game(identity(0, 0, seed, false));
        MatchRecord { errors: vec![fault(Seat::First, ErrorKind::Timeout, 2)], ..game }
    };
    for seeds in [0..2_500, 2_500..2_600] {
        run.record_all(&seeds.map(failing).collect::<Vec<_>>()).unwrap();
    }
    let lost = MatchRecord { errors: failing(0).errors, ..void(identity(1, 0, 0, false)) };
    run.record(&lost).unwrap();
    let (bot, kind) = (BotId(0), ErrorKind::Timeout);
    let expected = [FaultTally { bot, kind, games: 2_600, times: 5_200 }];
    assert_eq!(store.faults(run.id()).unwrap(), expected);
}

fn faults_are_counted_by_bot_and_kind(engine: Engine) {
    let Some(place) = engine("fault_counts") else { return };
    let (store, run) = begin(&place, "a");
    let record = |seed: u32, swapped: bool, errors| {
        run.record(&MatchRecord { errors, ..game(identity(0, 0, seed, swapped)) }).unwrap();
    };
    record(
        0,
        false,
        vec![fault(Seat::First, ErrorKind::Timeout, 1), fault(Seat::Second, ErrorKind::Crash, 1)],
    );
    record(0, true, vec![fault(Seat::Second, ErrorKind::Timeout, 3)]);
    record(1, false, vec![fault(Seat::First, ErrorKind::Illegal, 2)]);
    let lost = MatchRecord {
        errors: vec![fault(Seat::First, ErrorKind::Timeout, 9)],
        ..void(identity(0, 0, 2, true))
    };
    run.record(&lost).unwrap();
    let tally = |bot, kind, games, times| FaultTally { bot: BotId(bot), kind, games, times };
    let expected = [
        tally(0, ErrorKind::Illegal, 1, 2),
        tally(0, ErrorKind::Timeout, 2, 4),
        tally(1, ErrorKind::Crash, 1, 1),
    ];
    assert_eq!(store.faults(run.id()).unwrap(), expected);
}

/// Over all rounds; void games and games of which nothing is known are no copies.
fn copies_are_counted_by_who_had_which_seat(engine: Engine) {
    let Some(place) = engine("copies") else { return };
    let (store, run) = begin(&place, "a");
    let record = |round, seed, swapped, content| {
        let mut game = game(identity(round, 0, seed, swapped));
        game.head.content = content;
        run.record(&game).unwrap();
    };
    for seed in 0..4 {
        record(0, seed, false, Some(7));
        record(1, seed, false, Some(u64::MAX));
        record(1, seed, true, (seed > 1).then_some(7));
    }
    let mut lost = void(identity(2, 0, 0, false));
    lost.head.content = Some(7);
    run.record(&lost).unwrap();
    let copies = |bots: [u32; 2], games| Copies { bots: bots.map(BotId), games };
    let expected = [copies([0, 1], 6), copies([1, 0], 1)];
    assert_eq!(store.copies(run.id()).unwrap(), expected);
}

/// The numbers of the games that a filter lets through.
fn numbers(store: &Store, run: RunId, filter: Filter) -> Vec<u64> {
    let numbers: Vec<u64> = store.games(run, &filter).map(|game| game.unwrap().number).collect();
    assert_eq!(store.count(run, &filter), Ok(numbers.len() as u64));
    let tally = store.tally_of(run, &filter).unwrap();
    let games: u64 = tally.iter().map(|pair| pair.games() + pair.voids).sum();
    assert_eq!(games, numbers.len() as u64);
    numbers
}

fn filters_let_through_what_fits(engine: Engine) {
    let Some(place) = engine("filters") else { return };
    let (store, run) = begin(&place, "a");
    let mut games = [
        game(identity(0, 0, 0, false)),
        scored(identity(0, 0, 0, true), Draw, Draw),
        scored(identity(0, 1, 1, false), Disqualified, Win),
        game(identity(1, 2, 0, false)),
        void(identity(1, 1, 2, true)),
    ];
    games[2].errors = vec![fault(Seat::First, ErrorKind::Timeout, 1)];
    games[3].errors =
        vec![fault(Seat::Second, ErrorKind::Crash, 1), fault(Seat::Second, ErrorKind::Timeout, 1)];
    games[3].disturbances = vec![disturbance(1, Seat::First)];
    if let Ending::Scored(scored) = &mut games[3].head.ending {
        scored.reason = "crash".to_owned();
    }
    run.record_all(&games).unwrap();
    let check = |filter: Filter, expected: &[u64]| {
        assert_eq!(numbers(&store, run.id(), filter.clone()), expected, "{filter:?}");
    };
    let all = Filter::default;
    check(all(), &[1, 2, 3, 4, 5]);
    check(Filter { bot: Some(BotId(0)), ..all() }, &[1, 2, 3, 5]);
    check(Filter { bot: Some(BotId(1)), opponent: Some(BotId(0)), ..all() }, &[1, 2]);
    check(Filter { opponent: Some(BotId(2)), ..all() }, &[3, 4, 5]);
    check(Filter { bot: Some(BotId(0)), seat: Some(Seat::Second), ..all() }, &[2, 5]);
    check(Filter { round: Some(1), ..all() }, &[4, 5]);
    check(Filter { seed: Some(-1), ..all() }, &[1, 2, 4]);
    check(Filter { reason: Some("crash".to_owned()), ..all() }, &[4]);
    check(Filter { reason: Some("' OR 1 = 1".to_owned()), ..all() }, &[]);
    check(Filter { verdict: Some(Win), ..all() }, &[1, 3, 4]);
    check(Filter { verdict: Some(Win), bot: Some(BotId(2)), ..all() }, &[3]);
    check(Filter { verdict: Some(Disqualified), bot: Some(BotId(0)), ..all() }, &[3]);
    // Who was disqualified has lost too.
    check(Filter { verdict: Some(Loss), bot: Some(BotId(0)), ..all() }, &[3]);
    check(Filter { verdict: Some(Loss), ..all() }, &[1, 3, 4]);
    check(Filter { pair: Some(3), bot: Some(BotId(0)), ..all() }, &[1, 2]);
    check(Filter { pair: Some(1), bot: Some(BotId(1)), ..all() }, &[1, 2]);
    check(Filter { pair: Some(2), bot: Some(BotId(0)), ..all() }, &[]);
    assert_eq!(store.number_of(run.id(), identity(0, 0, 0, true)), Ok(Some(2)));
    assert_eq!(store.number_of(run.id(), identity(7, 0, 0, true)), Ok(None));
    check(Filter { void: Some(true), ..all() }, &[5]);
    check(Filter { void: Some(false), bot: Some(BotId(2)), ..all() }, &[3, 4]);
    check(Filter { disturbed: Some(true), ..all() }, &[4, 5]);
    check(Filter { disturbed: Some(false), ..all() }, &[1, 2, 3]);
    check(Filter { errors: Some(Errors::Any), ..all() }, &[3, 4]);
    check(Filter { errors: Some(Errors::Any), bot: Some(BotId(2)), ..all() }, &[4]);
    check(Filter { errors: Some(Errors::Kind(ErrorKind::Timeout)), ..all() }, &[3, 4]);
    check(
        Filter { errors: Some(Errors::Kind(ErrorKind::Crash)), bot: Some(BotId(0)), ..all() },
        &[],
    );
}

fn tags_are_compared_as_text_and_as_numbers(engine: Engine) {
    let Some(place) = engine("tags") else { return };
    let (store, run) = begin(&place, "a");
    let depths = ["9", "10", "deep", "9.5", "nan"];
    for (seed, depth) in depths.into_iter().zip(0..).map(|(depth, seed)| (seed, depth)) {
        let mut game = game(identity(0, 0, seed, false));
        game.tags = vec![tag("depth", Some(Seat::First), depth), tag("map", None, "small")];
        game.tags.push(tag("depth", Some(Seat::Second), "1"));
        game.tags[0].turn = Some(seed);
        run.record(&game).unwrap();
    }
    let check = |bot, tests: &[(&str, TagTest, Option<u32>)], expected: &[u64]| {
        let tag = |(name, test, turn): &(&str, TagTest, Option<u32>)| TagFilter {
            name: (*name).to_owned(),
            test: test.clone(),
            turn: *turn,
        };
        let filter = Filter { bot, tags: tests.iter().map(tag).collect(), ..Filter::default() };
        assert_eq!(numbers(&store, run.id(), filter), expected, "{tests:?}");
    };
    let is = |value: &str| TagTest::Is(value.to_owned());
    check(None, &[("depth", is("9"), None)], &[1]);
    check(None, &[("depth", TagTest::AtLeast(9.5), None)], &[2, 4]);
    check(Some(BotId(0)), &[("depth", TagTest::AtMost(9.5), None)], &[1, 4]);
    check(Some(BotId(1)), &[("depth", TagTest::AtMost(9.5), None)], &[1, 2, 3, 4, 5]);
    check(Some(BotId(1)), &[("depth", is("deep"), None)], &[]);
    check(Some(BotId(1)), &[("map", is("small"), None)], &[1, 2, 3, 4, 5]);
    check(None, &[("depth", TagTest::Present, Some(2))], &[3]);
    check(None, &[("depth", is("10"), None), ("map", is("large"), None)], &[]);
    check(None, &[("width", TagTest::Present, None)], &[]);
}

fn disturbances_are_listed(engine: Engine) {
    let Some(place) = engine("disturbances") else { return };
    let (store, run) = begin(&place, "a");
    let again = disturbance(1, Seat::First);
    let disturbed =
        MatchRecord { disturbances: vec![again.clone()], ..game(identity(0, 0, 0, true)) };
    run.record(&disturbed).unwrap();
    run.record(&game(identity(0, 0, 1, true))).unwrap();
    run.record(&void(identity(0, 0, 2, true))).unwrap();
    let filter = Filter { disturbed: Some(true), ..Filter::default() };
    let listed: Vec<_> = store.whole_games(run.id(), &filter).map(Result::unwrap).collect();
    assert_eq!(listed.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(listed[0].1.disturbances, [again]);
    let attempts: Vec<_> = listed[1].1.disturbances.iter().map(|d| d.attempt).collect();
    assert_eq!((attempts, listed[1].1.head.ending.is_void()), (vec![1, 2, 3], true));
}

fn a_long_list_is_whole_and_in_order(engine: Engine) {
    let Some(place) = engine("long_list") else { return };
    let (store, run) = begin(&place, "a");
    // Longer than two pages, and the second one exactly full for every second game.
    let games: Vec<MatchRecord> =
        (0..8192).map(|seed| game(identity(0, 0, seed, seed.is_multiple_of(2)))).collect();
    run.record_all(&games).unwrap();
    let listed: Vec<u64> = numbers(&store, run.id(), Filter::default());
    assert_eq!(listed, (1..=8192).collect::<Vec<u64>>());
    let half = Filter { bot: Some(BotId(1)), seat: Some(Seat::First), ..Filter::default() };
    assert_eq!(numbers(&store, run.id(), half).len(), 4096);
}

fn nothing_is_known_of_an_empty_run(engine: Engine) {
    let Some(place) = engine("empty") else { return };
    let (store, run) = begin(&place, "a");
    assert_eq!(store.tally(run.id()), Ok(Vec::new()));
    assert_eq!(store.faults(run.id()), Ok(Vec::new()));
    assert_eq!(numbers(&store, run.id(), Filter::default()), [0; 0]);
    assert_eq!(run.finished().unwrap().count(), 0);
}
