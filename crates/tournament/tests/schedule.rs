//! Whole tournaments of every form, played by made-up bots.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quintain_core::{PerSeat, Seat, SplitMix64};
use quintain_record::BotId;
use quintain_tournament::{
    Finish, Form, MatchResult, PlannedMatch, RecordError, Schedule, Seeds, Settings, TieBreak,
};

fn settings(bots: u32, form: Form, games: u32) -> Settings {
    Settings { bots, form, games, seeds: Seeds::Derived { from: 5, bits: 31 } }
}

fn knockout(third_place: bool, at_most: u32) -> Form {
    Form::Knockout { tie_break: TieBreak::ExtraPairs { at_most }, third_place }
}

/// All forms that the number of bots allows.
fn forms(bots: u32) -> Vec<Form> {
    let rounds = (bots - 1 + bots % 2).min(5);
    vec![
        Form::RoundRobin,
        Form::Gauntlet { challengers: 1 + (bots - 1) / 3 },
        Form::Swiss { rounds },
        knockout(true, 3),
        Form::Knockout { tie_break: TieBreak::BetterSeed, third_place: false },
    ]
}

fn result(game: &PlannedMatch, finish: Finish) -> MatchResult {
    MatchResult { id: game.id, bots: game.bots, finish, errors: PerSeat::default(), content: None }
}

/// The bot that stands higher in the list wins.
fn by_list(game: &PlannedMatch) -> Finish {
    let first_is_better = game.bots[Seat::First] < game.bots[Seat::Second];
    Finish::Won(if first_is_better { Seat::First } else { Seat::Second })
}

/// A finish that is the same whenever this game is played, with draws and void games.
fn by_luck(game: &PlannedMatch, luck: u64) -> Finish {
    let id = game.id;
    let parts = [id.round, id.pairing, id.seed_index, u32::from(id.swapped)];
    let mix = |state: u64, part: u32| SplitMix64::new(state ^ u64::from(part)).next_u64();
    match parts.into_iter().fold(luck, mix) % 20 {
        0 => Finish::Void,
        1 => Finish::BothLost,
        2..=6 => Finish::Drawn,
        7..=13 => Finish::Won(Seat::First),
        _ => Finish::Won(Seat::Second),
    }
}

/// Plays to the end, one game at a time.
fn play(schedule: &mut Schedule, finish: impl Fn(&PlannedMatch) -> Finish) -> Vec<PlannedMatch> {
    let mut played = Vec::new();
    while let Some(game) = schedule.take() {
        schedule.record(&result(&game, finish(&game))).expect("a game of this tournament");
        played.push(game);
    }
    assert!(schedule.is_over() && schedule.running() == 0);
    assert_eq!(schedule.finished(), played.len() as u64);
    played
}

fn schedule(settings: &Settings) -> Schedule {
    Schedule::new(settings.clone()).expect("settings in order")
}

#[test]
fn every_game_has_an_identity_of_its_own_and_pairs_share_a_seed() {
    for bots in 2..=9 {
        for form in forms(bots) {
            let settings = settings(bots, form, 4);
            let mut tournament = schedule(&settings);
            let played = play(&mut tournament, by_list);
            let ids: BTreeSet<_> = played.iter().map(|game| game.id).collect();
            assert_eq!(ids.len(), played.len(), "{settings:?}");
            if let Some(planned) = tournament.planned() {
                assert_eq!(played.len() as u64, planned, "{settings:?}");
            }
            let by_id: BTreeMap<_, _> = played.iter().map(|game| (game.id, game)).collect();
            for game in &played {
                let partner = by_id[&game.id.partner()];
                let [first, second] = game.bots.0;
                assert_eq!((partner.seed, partner.bots.0), (game.seed, [second, first]));
            }
            assert_eq!(played, play(&mut schedule(&settings), by_list), "the same each time");
        }
    }
}

#[test]
fn a_round_robin_of_an_odd_number_of_games_is_played_to_the_last_one() {
    let settings = settings(5, Form::RoundRobin, 3);
    let played = play(&mut schedule(&settings), by_list);
    let mut met: BTreeMap<(BotId, BotId), u32> = BTreeMap::new();
    for game in &played {
        let [first, second] = game.bots.0;
        *met.entry((first.min(second), first.max(second))).or_default() += 1;
    }
    assert_eq!(met.len(), 10);
    assert!(met.values().all(|&games| games == 3), "{met:?}");
    for bot in BotId::all(5) {
        let seated = |seat: Seat| played.iter().filter(|game| game.bots[seat] == bot).count();
        assert_eq!((seated(Seat::First), seated(Seat::Second)), (6, 6));
    }
}

#[test]
fn wherever_a_round_robin_is_stopped_all_pairings_have_played_about_as_much() {
    let mut tournament = schedule(&settings(6, Form::RoundRobin, 100));
    let mut games = vec![0_u32; 6];
    for _ in 0..200 {
        let game = tournament.take().expect("it is not over");
        for bot in game.bots.0 {
            games[bot.index()] += 1;
        }
        let (least, most) = (games.iter().min().copied(), games.iter().max().copied());
        assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 4), "{games:?}");
    }
}

#[test]
fn games_that_are_given_back_are_played_later() {
    for form in forms(6) {
        let mut tournament = schedule(&settings(6, form, 2));
        let first = tournament.take().expect("a game");
        let second = tournament.take().expect("a game");
        assert_eq!(tournament.running(), 2);
        tournament.put_back(first.id);
        tournament.put_back(first.id);
        assert_eq!(tournament.running(), 1);
        assert_eq!(tournament.take(), Some(first));
        for game in [second, first] {
            tournament.record(&result(&game, by_list(&game))).expect("a game of this tournament");
        }
        play_rest(&mut tournament);
    }
}

fn play_rest(tournament: &mut Schedule) {
    while let Some(game) = tournament.take() {
        tournament.record(&result(&game, by_list(&game))).expect("a game of this tournament");
    }
    assert!(tournament.is_over());
}

#[test]
fn results_of_other_tournaments_are_refused() {
    for form in forms(4) {
        let mut tournament = schedule(&settings(4, form, 2));
        let game = tournament.take().expect("a game");
        let good = result(&game, by_list(&game));
        let mut other_bots = good;
        other_bots.bots.0.reverse();
        assert_eq!(tournament.record(&other_bots), Err(RecordError::OtherBots(game.id)));
        let mut unplanned = good;
        unplanned.id.pairing = 99;
        assert_eq!(tournament.record(&unplanned), Err(RecordError::Unplanned(unplanned.id)));
        unplanned = good;
        unplanned.id.round = 99;
        assert_eq!(tournament.record(&unplanned), Err(RecordError::Unplanned(unplanned.id)));
        unplanned = good;
        unplanned.id.seed_index = u32::MAX;
        assert_eq!(tournament.record(&unplanned), Err(RecordError::Unplanned(unplanned.id)));
        assert_eq!(tournament.record(&good), Ok(()));
        assert_eq!(tournament.record(&good), Err(RecordError::Twice(game.id)));
        play_rest(&mut tournament);
        assert_eq!(tournament.record(&good), Err(RecordError::Twice(game.id)));
    }
}

/// Whether all can be paired with somebody whom they have not met.
fn can_pair(rest: &[BotId], met: &BTreeSet<[BotId; 2]>) -> bool {
    let Some((&one, others)) = rest.split_first() else { return true };
    others.iter().any(|&other| {
        let left: Vec<BotId> = others.iter().copied().filter(|&bot| bot != other).collect();
        !met.contains(&[one.min(other), one.max(other)]) && can_pair(&left, met)
    })
}

/// Checks a Swiss tournament round by round, and gives the number of rounds with a meeting that had
/// been played before.
fn rematches(tournament: &Schedule, bots: u32) -> u32 {
    let mut met: BTreeSet<[BotId; 2]> = BTreeSet::new();
    let mut byes: BTreeSet<BotId> = BTreeSet::new();
    let mut rematches = 0;
    for (_, round) in tournament.rounds() {
        let mut pairs: Vec<[BotId; 2]> = round.pairings().iter().map(|p| p.bots()).collect();
        pairs.iter_mut().for_each(|pair| pair.sort());
        assert_eq!(round.byes().len() as u32, bots % 2);
        if pairs.iter().any(|pair| met.contains(pair)) {
            rematches += 1;
            let all: Vec<BotId> = BotId::all(bots).collect();
            let without = |bye: BotId| all.iter().copied().filter(|&bot| bot != bye).collect();
            let mut ways: Vec<Vec<BotId>> =
                all.iter().copied().filter(|bot| !byes.contains(bot)).map(without).collect();
            if bots.is_multiple_of(2) {
                ways = vec![all.clone()];
            }
            assert!(!ways.iter().any(|rest| can_pair(rest, &met)), "{pairs:?} after {met:?}");
        }
        met.extend(pairs);
        for &bye in round.byes() {
            assert!(byes.insert(bye), "a second bye for {bye:?}");
        }
    }
    rematches
}

#[test]
fn nobody_meets_twice_in_a_swiss_tournament_while_it_can_be_helped() {
    let mut cornered = 0;
    for bots in 2..=9_u32 {
        for luck in 0..20 {
            let rounds = bots - 1 + bots % 2;
            let mut tournament = schedule(&settings(bots, Form::Swiss { rounds }, 2));
            play(&mut tournament, |game: &PlannedMatch| by_luck(game, luck));
            cornered += rematches(&tournament, bots);
        }
    }
    assert!(cornered > 0, "some tournaments come to where it cannot be helped");
    for bots in [15, 16, 40, 41] {
        for luck in 0..3 {
            let mut tournament = schedule(&settings(bots, Form::Swiss { rounds: 7 }, 2));
            play(&mut tournament, |game: &PlannedMatch| by_luck(game, luck));
            assert_eq!(rematches(&tournament, bots), 0, "{bots} bots, luck {luck}");
        }
    }
}

#[test]
fn a_swiss_tournament_finds_the_best_and_pairs_equals() {
    let mut tournament = schedule(&settings(16, Form::Swiss { rounds: 4 }, 2));
    let strongest_last = |game: &PlannedMatch| match by_list(game) {
        Finish::Won(seat) => Finish::Won(seat.other()),
        other => other,
    };
    play(&mut tournament, strongest_last);
    let ranking = tournament.ranking();
    assert_eq!((ranking[0].bot, ranking[0].points, ranking[0].place), (BotId(15), 4.0, 1));
    assert_eq!((ranking[15].bot, ranking[15].points), (BotId(0), 0.0));
    let drawn: Vec<Vec<[u32; 2]>> = tournament
        .rounds()
        .map(|(_, round)| round.pairings().iter().map(|p| p.bots().map(|bot| bot.0)).collect())
        .collect();
    let halves = |pair: &[u32; 2]| pair[0].abs_diff(pair[1]);
    assert!(drawn[0].iter().all(|pair| halves(pair) == 8), "{drawn:?}");
    assert!(drawn[1].iter().all(|pair| (pair[0] < 8) == (pair[1] < 8)), "{drawn:?}");
}

#[test]
fn the_best_of_the_list_wins_a_knock_out_and_the_places_are_shared() {
    let mut tournament = schedule(&settings(8, knockout(true, 0), 2));
    let played = play(&mut tournament, by_list);
    assert_eq!(played.len(), 8 * 2, "seven pairings and one for the third place");
    let places: Vec<_> = tournament.ranking().iter().map(|p| (p.place, p.bot.0)).collect();
    assert_eq!(places, [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (5, 5), (5, 6), (5, 7)]);
    let mut tournament = schedule(&settings(6, knockout(false, 0), 2));
    assert_eq!(play(&mut tournament, by_list).len(), 5 * 2);
    let places: Vec<_> = tournament.ranking().iter().map(|p| (p.place, p.bot.0)).collect();
    assert_eq!(places, [(1, 0), (2, 1), (3, 2), (3, 3), (5, 4), (5, 5)]);
}

#[test]
fn a_pairing_of_a_knock_out_ends_when_it_is_decided() {
    let count = |games, at_most, finish: fn(&PlannedMatch) -> Finish| {
        play(&mut schedule(&settings(2, knockout(false, at_most), games)), finish).len()
    };
    assert_eq!(count(10, 4, by_list), 6, "three pairs of five");
    assert_eq!(count(2, 4, by_list), 2);
    assert_eq!(count(4, 4, |_| Finish::Drawn), 12, "two pairs and four more");
    assert_eq!(count(4, 4, |_| Finish::Won(Seat::First)), 12, "the seat decides: level as well");
    let extra = |game: &PlannedMatch| {
        if game.id.seed_index == 3 { by_list(game) } else { Finish::Drawn }
    };
    assert_eq!(count(4, 4, extra), 8, "the second of the extra pairs decides");
}

#[test]
fn a_level_pairing_goes_to_the_better_seed() {
    for form in
        [knockout(false, 2), Form::Knockout { tie_break: TieBreak::BetterSeed, third_place: false }]
    {
        let mut tournament = schedule(&settings(5, form, 2));
        play(&mut tournament, |_| Finish::Void);
        assert_eq!(tournament.ranking()[0].bot, BotId(0));
    }
}

/// Plays with several games at a time, which end in a random order, and stops after some of them.
fn play_some(
    tournament: &mut Schedule,
    at_a_time: usize,
    stop_after: usize,
    luck: u64,
    results: &mut Vec<MatchResult>,
) {
    let mut random = SplitMix64::new(luck ^ 99);
    let mut running = Vec::new();
    for _ in 0..stop_after {
        while running.len() < at_a_time
            && let Some(game) = tournament.take()
        {
            running.push(game);
        }
        if running.is_empty() {
            return;
        }
        let game = running.swap_remove((random.next_u64() % running.len() as u64) as usize);
        let result = result(&game, by_luck(&game, luck));
        tournament.record(&result).expect("a game of this tournament");
        results.push(result);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Stopped anywhere, with any number of games at a time, started again from what was recorded: the
    /// games that are played in the end are those of a tournament that was never stopped.
    #[test]
    fn a_stopped_tournament_goes_on_as_if_it_had_not_been_stopped(
        bots in 2..11_u32,
        form in 0..5_usize,
        pairs in 1..4_u32,
        stops in prop::collection::vec((1..6_usize, 0..40_usize), 0..6),
        luck: u64,
    ) {
        let settings = settings(bots, forms(bots)[form], 2 * pairs);
        let mut whole = schedule(&settings);
        let mut expected = Vec::new();
        play_some(&mut whole, 1, usize::MAX, luck, &mut expected);
        let mut results = Vec::new();
        let mut tournament = schedule(&settings);
        for (at_a_time, stop_after) in stops {
            play_some(&mut tournament, at_a_time, stop_after, luck, &mut results);
            tournament = schedule(&settings);
            for result in &results {
                prop_assert_eq!(tournament.record(result), Ok(()));
            }
        }
        play_some(&mut tournament, 4, usize::MAX, luck, &mut results);
        prop_assert!(tournament.is_over() && whole.is_over());
        prop_assert_eq!(tournament.ranking(), whole.ranking());
        results.sort_by_key(|result| result.id);
        expected.sort_by_key(|result| result.id);
        prop_assert_eq!(results, expected);
    }
}
