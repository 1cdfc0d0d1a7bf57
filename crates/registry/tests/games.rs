//! What must hold of every registered game.

use std::time::Duration;

use quintain_core::{Absence, ConfigChoice, Effort, HouseBot, Item, PerSeat, Seat, paths_of};
use quintain_record::Contestant;
use quintain_referee::{
    Actor, Ask, Capped, Counts, Departure, Heard, MatchRules, SimWorld, Unprotected, Wait, World,
};
use quintain_registry::{
    Abilities, AnyGame, Decided, Facts, FilmHead, GAMES, MatchError, MatchReport, MatchSpec,
    NoSpectator, ReadyConfig, Spectator, find, known_games, prepare,
};
use quintain_replay::{Header, read};
use quintain_testkit::program;
use serde_json::{Value, json};

/// Nobody is behind the world: both bots are inside the process.
struct Absent;

impl Actor for Absent {
    fn receive(&mut self, _item: &Item, _answers: &mut Vec<(Duration, Heard)>) {}
}

fn world() -> SimWorld {
    SimWorld::new(PerSeat([Box::new(Absent), Box::new(Absent)]))
}

fn usual(game: &dyn AnyGame) -> ReadyConfig {
    game.configure(&ConfigChoice::default()).expect("the usual config")
}

fn spec(game: &dyn AnyGame, bots: [&str; 2], seed: i64) -> MatchSpec {
    MatchSpec {
        config: usual(game),
        seed,
        seats: PerSeat(bots).map(|_, bot| Contestant::house(bot).into()),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([None, None]),
        opening: None,
        replay: None,
        match_log: None,
        sandbox: None,
        signer: None,
    }
}

fn play(game: &dyn AnyGame, spec: &MatchSpec) -> MatchReport {
    game.play(spec, &mut world(), &mut NoSpectator).expect("a match")
}

#[test]
fn a_config_of_another_game_is_refused() {
    let [one, other, ..] = GAMES else { panic!("two games") };
    let spec = spec(*other, [one.facts().house_bots[0].name, one.facts().house_bots[0].name], 1);
    let refused = one.play(&spec, &mut world(), &mut NoSpectator).expect_err("not its config");
    let [one, other] = [one, other].map(|game| game.facts().id);
    assert_eq!(refused.to_string(), format!("config: expected one of {one}, got one of {other}"));
}

/// Who writes a game looks at that one alone: `QUINTAIN_GAME=NAME`.
fn each(check: impl Fn(&'static dyn AnyGame, Facts)) {
    let wanted = std::env::var("QUINTAIN_GAME").ok();
    let is_wanted = |id: &str| wanted.as_ref().is_none_or(|wanted| id == wanted);
    let mut checked = 0;
    for &game in GAMES.iter().filter(|game| is_wanted(game.facts().id)) {
        check(game, game.facts());
        checked += 1;
    }
    assert!(checked > 0, "there is no game to check");
}

/// People at the terminal are told, and so is the author of a bot that says something else.
#[test]
fn every_game_says_what_an_answer_is() {
    for game in GAMES {
        assert!(!game.facts().answers.is_empty(), "{}", game.facts().id);
    }
}

#[test]
fn every_game_is_found_by_its_name_and_no_other_is() {
    each(|_, facts| {
        let found = find(facts.id).expect("a registered game");
        assert_eq!(found.facts().id, facts.id);
        assert!(known_games().split(", ").any(|id| id == facts.id));
        assert!(find(facts.title).is_none(), "the title is for people");
    });
    assert_eq!(known_games().split(", ").count(), GAMES.len());
    for unknown in ["", "Hockey", "hockey ", "chess"] {
        assert!(find(unknown).is_none(), "{unknown:?}");
    }
}

#[test]
fn names_are_unique_and_fit_into_files_and_sentences() {
    let mut ids: Vec<&str> = GAMES.iter().map(|game| game.facts().id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), GAMES.len());
    each(|_, facts| {
        let is_plain = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(facts.id.chars().all(is_plain), "{}", facts.id);
        for text in [facts.title, facts.origin, facts.turn_name] {
            assert!(!text.is_empty() && text.trim() == text, "{}", facts.id);
        }
    });
}

#[test]
fn the_same_match_has_the_same_content_and_another_one_has_not() {
    each(|game, facts| {
        let content = |bots, seed| play(game, &spec(game, bots, seed)).content;
        let random = ["random", "random"];
        assert_eq!(content(random, 3), content(random, 3), "{}", facts.id);
        assert_ne!(content(random, 3), content(random, 4), "{}", facts.id);
        assert_ne!(content(random, 3), content(["greedy", "random"], 3), "{}", facts.id);
    });
}

#[test]
fn random_play_ends_and_depends_on_the_seed_alone() {
    each(|game, facts| {
        let random = &game.workloads()[0];
        assert_eq!(random.name, "random");
        let play = |matches, seed| prepare(game, random, seed, None).unwrap().play(matches);
        let turns = play(50, 1);
        assert!(turns > 50, "{}", facts.id);
        assert_eq!(play(50, 1), turns, "{}", facts.id);
        assert_ne!(play(50, 2), turns, "{}", facts.id);
        assert_eq!(play(0, 1), 0, "{}", facts.id);
    });
}

#[test]
fn what_a_game_says_it_can_do_it_can_do() {
    each(|game, facts| {
        assert_eq!(game.lobby(None).is_some(), facts.abilities.lobby, "{}", facts.id);
    });
    // A new game has what it has.
    const CONTESTS: [&str; 5] = ["hockey", "fencing", "code-royale", "worms", "overdrive"];
    let having = |ability: fn(&Abilities) -> bool| {
        let games = CONTESTS.map(|id| find(id).expect("a game").facts()).into_iter();
        games.filter(|facts| ability(&facts.abilities)).map(|facts| facts.id).collect::<Vec<_>>()
    };
    assert_eq!(having(|abilities| abilities.lobby), ["hockey"]);
    assert_eq!(having(|abilities| abilities.perft.is_some()), ["hockey", "fencing"]);
    assert_eq!(having(|abilities| abilities.state_files), ["worms", "overdrive"]);
    assert_eq!(having(|abilities| abilities.match_log.is_some()), ["worms", "overdrive"]);
    assert_eq!(having(|abilities| abilities.conform.is_some()), CONTESTS);
    assert_eq!(having(|abilities| abilities.client.is_some()), CONTESTS);
}

#[test]
fn there_are_more_sequences_the_longer_they_are() {
    each(|game, facts| {
        let Some(perft) = game.facts().abilities.perft else { return };
        let leaves = |depth| {
            let counted = perft(&usual(game), 0, depth);
            counted.unwrap_or_else(|error| panic!("{}: {error}", facts.id))
        };
        assert_eq!(leaves(0), 1, "{}", facts.id);
        let counts: Vec<u64> = (1..=3).map(leaves).collect();
        assert!(counts.is_sorted() && counts[0] > 1, "{}: {counts:?}", facts.id);
    });
}

#[test]
fn every_house_bot_that_is_quick_plays_whole_matches_on_both_seats() {
    each(|game, facts| {
        let id = facts.id;
        let first = facts.house_bots[0].name;
        let quick = facts.house_bots.iter().filter(|bot| is_quick(bot));
        assert!(quick.clone().count() >= 2, "{id}");
        for HouseBot { name: bot, .. } in quick {
            for bots in [[first, *bot], [*bot, first]] {
                let report = play(game, &spec(game, bots, 11));
                assert!(report.turns > 0, "{id}: {bots:?}");
                assert!(report.faults.is_empty(), "{id}: {:?}", report.faults);
                let again = play(game, &spec(game, bots, 11));
                assert_eq!(again.outcome, report.outcome, "{id}: {bots:?}");
                assert_eq!(again.turns, report.turns, "{id}: {bots:?}");
                let answers: u32 = report.answers.0.iter().map(|stats| stats.count).sum();
                assert!(answers >= report.turns, "{id}: {bots:?}");
            }
        }
        for HouseBot { name: bot, .. } in facts.house_bots {
            let client =
                game.facts().abilities.client.map(|make| make(bot, "a name", 1, None).is_some());
            assert_ne!(client, Some(false), "{id}: {bot}");
        }
    });
}

/// Whole matches of the others take minutes where nothing is optimised; that each answers is tried on
/// positions.
fn is_quick(bot: &HouseBot) -> bool {
    match bot.effort {
        Effort::AtOnce => true,
        Effort::Nodes(nodes) => nodes <= 1_000,
        Effort::Clock => false,
    }
}

#[test]
fn a_house_bot_that_does_not_exist_is_named() {
    each(|game, facts| {
        let client =
            game.facts().abilities.client.and_then(|make| make("nobody", "a name", 1, None));
        assert!(client.is_none());
        for bots in [["nobody", facts.house_bots[0].name], [facts.house_bots[0].name, "nobody"]] {
            let refused = game.play(&spec(game, bots, 1), &mut world(), &mut NoSpectator);
            let error = refused.expect_err("there is no such bot");
            assert!(matches!(error, MatchError::House { .. }), "{error}");
            let text = error.to_string();
            assert!(text.contains("`nobody`") && text.contains(facts.house_bots[0].name), "{text}");
        }
    });
}

#[test]
fn every_setting_stands_in_the_config_and_takes_its_default() {
    each(|game, facts| {
        let usual = usual(game);
        let paths = paths_of(&usual.value);
        for setting in facts.settings {
            let id = format!("{} {}", facts.id, setting.name);
            let (_, value) = paths.iter().find(|(path, _)| path == setting.path).expect(&id);
            for (key, value) in [
                (setting.name, setting.unit.show(value).into()),
                (setting.path, value.clone()),
                (setting.path, value.to_string().into()),
            ] {
                let choice = ConfigChoice::default().with(key, value);
                let config = game.configure(&choice).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(config.value, usual.value, "{id}");
            }
            assert!(!setting.help.is_empty() && !setting.unit.values().is_empty(), "{id}");
        }
    });
}

#[test]
fn every_path_of_a_config_takes_its_own_value() {
    each(|game, facts| {
        let usual = usual(game);
        let mut all = ConfigChoice::default();
        for (path, value) in paths_of(&usual.value) {
            all = all.with(&path, value);
        }
        assert!(all.set.len() >= facts.settings.len(), "{}", facts.id);
        assert_eq!(game.configure(&all).expect("as it is").value, usual.value, "{}", facts.id);
    });
}

#[test]
fn wishes_that_a_game_cannot_grant_are_refused_by_field() {
    each(|game, facts| {
        for &edition in facts.editions {
            let config = game.configure(&ConfigChoice::of(edition)).expect("an edition");
            assert_eq!(config.edition, edition, "{}", facts.id);
        }
        let refused = |key: &str, value: Value| {
            let choice = ConfigChoice::default().with(key, value);
            let error = game.configure(&choice).expect_err(key);
            assert_eq!(error.field, key.to_owned().into(), "{}: {error}", facts.id);
            error.to_string()
        };
        refused("league", 250.into());
        refused("edition", "original".into());
        let unknown = refused("lemit", "5s".into());
        let names = format!("({} has ", facts.id);
        assert!(unknown.contains(&names) && unknown.contains("limit, "), "{unknown}");
        assert!(refused("limit", "soon".into()).contains("a time such as"), "{}", facts.id);
        assert!(refused("limit", 5.into()).contains("a time such as"), "{}", facts.id);
        assert!(
            refused("limit", "0.2ms".into()).ends_with("expected 1 to 4294967295 ms, got 0 ms")
        );
        let is_named = |path: &str| facts.settings.iter().any(|setting| setting.name == path);
        let mut paths = paths_of(&usual(game).value);
        paths.retain(|(path, value)| value.is_number() && !is_named(path));
        for (path, value) in &paths {
            let error = refused(path, "much".into());
            assert_eq!(error, format!("{path}: expected a value like {value}, got much"));
            let below = refused(&format!("{path}.more"), 1.into());
            assert!(below.contains(&format!("({path} has nothing below it)")), "{below}");
        }
    });
}

#[test]
fn a_match_is_written_verified_and_filmed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    each(|game, facts| {
        let bots = [facts.house_bots[0].name, facts.house_bots[1].name];
        for &edition in facts.editions {
            let path = folder.path().join(format!("{}.jsonl.zst", facts.id));
            let mut spec = spec(game, bots, -3);
            spec.config = game.configure(&ConfigChoice::of(edition)).expect("an edition");
            spec.replay = Some(path.clone());
            let report = play(game, &spec);
            assert!(report.replay_error.is_none());
            let replay = read(&path).expect("a replay");
            assert_eq!((replay.header.seed, replay.header.edition), (-3, edition));
            let ended = game.verify(&mut replay.playback()).expect("the match is as it was");
            assert_eq!(ended.outcome, Some(report.outcome));
            assert_eq!(ended.turn, report.turns);
            let film = game.film(&mut replay.playback()).expect("a film");
            assert_eq!(film.frames.len(), replay.steps.len() + 1);
            assert_eq!(film.ending, report.closing);
        }
    });
}

/// A world that wraps another and counts what is prepared.
struct Wrapping {
    world: SimWorld,
    prepared: u32,
}

impl World for Wrapping {
    fn now(&self) -> Duration {
        self.world.now()
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        self.world.send(seat, item);
    }

    fn prepare(&mut self, seat: Seat, item: &Item) {
        self.prepared += 1;
        self.world.prepare(seat, item);
    }

    fn flush(&mut self) {
        self.world.flush();
    }

    fn next(&mut self, until: Option<Duration>) -> Wait {
        self.world.next(until)
    }

    fn is_stopped(&self) -> bool {
        self.world.is_stopped()
    }

    fn absence(&self, seat: Seat) -> Option<Absence> {
        self.world.absence(seat)
    }

    fn hang_up(&mut self, seat: Seat) {
        self.world.hang_up(seat);
    }

    fn cpu(&mut self, seat: Seat) -> Option<Duration> {
        self.world.cpu(seat)
    }

    fn counts(&mut self, seat: Seat) -> Option<Counts> {
        self.world.counts(seat)
    }

    fn referee_waited(&mut self) -> Duration {
        self.world.referee_waited()
    }

    fn wants_to_run(&mut self, seat: Seat) -> bool {
        self.world.wants_to_run(seat)
    }

    fn has_said(&mut self, seat: Seat) -> bool {
        self.world.has_said(seat)
    }

    fn unprotected(&mut self, seat: Seat) -> Option<Unprotected> {
        self.world.unprotected(seat)
    }

    fn stderr(&mut self, seat: Seat) -> Capped {
        self.world.stderr(seat)
    }

    fn meddling(&mut self, seat: Seat) -> Vec<String> {
        self.world.meddling(seat)
    }

    fn finish(&mut self) -> PerSeat<Departure> {
        self.world.finish()
    }
}

/// A world without a method cannot be compiled, so one that wraps another prepares what the other does.
#[test]
fn files_are_prepared_through_a_world_that_wraps_another() {
    each(|game, facts| {
        if !facts.abilities.state_files {
            return;
        }
        let bots = [facts.house_bots[0].name; 2];
        let remote = PerSeat([program("one"), program("two")]);
        let spec = MatchSpec { seats: remote, ..spec(game, bots, 3) };
        let mut wrapping = Wrapping { world: world(), prepared: 0 };
        let report = game.play(&spec, &mut wrapping, &mut NoSpectator).expect("a match");
        assert!(wrapping.prepared >= report.turns, "{}: {}", facts.id, wrapping.prepared);
    });
}

#[test]
fn a_match_that_is_stopped_has_no_result_and_leaves_what_was_played() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    each(|game, facts| {
        let path = folder.path().join(format!("{}.jsonl.zst", facts.id));
        let mut spec = spec(game, [facts.house_bots[0].name; 2], 3);
        spec.seats = PerSeat([program("one"), program("two")]);
        spec.replay = Some(path.clone());
        let mut world = world().stopping_at(Duration::from_millis(10));
        let error = game.play(&spec, &mut world, &mut NoSpectator).expect_err("nobody answers");
        assert!(matches!(error, MatchError::Stopped { turns: 0 }), "{error}");
        // Where bots introduce themselves nothing had been played yet.
        assert_eq!(path.exists(), !facts.abilities.lobby, "{}", facts.id);
        if path.exists() {
            assert!(read(&path).expect("it can be read").end.is_none(), "{}", facts.id);
        }
    });
}

/// Where in a value its objects are.
fn objects_of(value: &Value) -> Vec<String> {
    let below = |key: String, value: &Value| {
        objects_of(value).into_iter().map(move |place| format!("/{key}{place}"))
    };
    match value {
        Value::Object(fields) => {
            let deeper = fields.iter().flat_map(|(key, value)| below(key.clone(), value));
            [String::new()].into_iter().chain(deeper).collect()
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.flat_map(|(index, value)| below(index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// The part of a header that its game reads.
fn part_of<'a>(header: &'a mut Header, name: &str) -> &'a mut Value {
    if name == "config" { &mut header.config } else { &mut header.setup }
}

/// A field that nobody reads could tell anything about a match.
#[test]
fn fields_that_a_game_does_not_know_are_refused_in_its_config_and_setup() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    each(|game, facts| {
        let path = folder.path().join(format!("{}.jsonl.zst", facts.id));
        let mut spec = spec(game, [facts.house_bots[0].name; 2], 3);
        spec.replay = Some(path.clone());
        play(game, &spec);
        let mut replay = read(&path).expect("a replay");
        game.verify(&mut replay.playback()).expect("the match is as it was");
        for part in ["config", "setup"] {
            let known = part_of(&mut replay.header, part).clone();
            let places = objects_of(&known);
            assert!(!places.is_empty(), "{}: {part}", facts.id);
            for place in places {
                let mut more = known.clone();
                more.pointer_mut(&place).expect("an object")["sulking"] = json!(1);
                *part_of(&mut replay.header, part) = more;
                let refused = game.verify(&mut replay.playback());
                let refused = refused.map(drop).expect_err("a field that the game does not know");
                let expected = format!("the header's {part} is not one of {}", facts.id);
                let said = refused.to_string();
                assert!(said.contains(&expected), "{} {part}{place}: {said}", facts.id);
            }
            *part_of(&mut replay.header, part) = known;
        }
    });
}

/// Counts what it is shown.
#[derive(Default)]
struct Counter {
    names: Option<PerSeat<String>>,
    frames: u32,
    starts: u32,
    overs: u32,
}

impl Spectator for Counter {
    fn wants_frames(&self) -> bool {
        true
    }

    fn start(&mut self) {
        self.starts += 1;
    }

    fn begin(&mut self, head: &FilmHead) {
        self.names = Some(head.names.clone());
    }

    fn frame(&mut self, _eye: quintain_core::scene::Eye, _frame: &quintain_core::scene::Frame) {
        self.frames += 1;
    }

    fn decided(&mut self, _end: &Decided) {
        self.overs += 1;
    }
}

#[test]
fn a_spectator_sees_the_start_and_every_step() {
    each(|game, facts| {
        let spec = spec(game, [facts.house_bots[0].name, facts.house_bots[1].name], 5);
        let mut counter = Counter::default();
        let report = game.play(&spec, &mut world(), &mut counter).expect("a match");
        assert_eq!((counter.starts, counter.overs), (1, 1), "{}", facts.id);
        assert!(counter.frames > report.turns, "{}", facts.id);
        let names = counter.names.expect("the head comes before the frames");
        assert_eq!(names, report.names);
        assert_ne!(names[Seat::First], names[Seat::Second]);
    });
}
