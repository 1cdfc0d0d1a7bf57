//! Positions without types play as the games do, and are saved as replays that anyone can verify.

use quintain_code_royale::CodeRoyale;
use quintain_core::scene::Eye;
use quintain_core::{
    ConfigChoice, Effort, Exit, Fault, HouseBot, NoChance, Notation, PerSeat, Reply, Sample, Seat,
    Seats, SplitMix64,
};
use quintain_fencing::Fencing;
use quintain_hockey::Hockey;
use quintain_overdrive::Overdrive;
use quintain_registry::{
    AdvanceError, AnyGame, AnyPosition, Choice, GAMES, LoadError, Question, ReadyConfig, SaveError,
    find,
};
use quintain_replay::{Reader, Replay};
use quintain_testkit::check_golden;
use quintain_worms::Worms;
use serde_json::{Value, json};

/// Of each so many matches one is saved and loaded.
const SAVE_EVERY: i64 = 50;

/// How many matches are played: `QUINTAIN_MATCHES`, or as many as an unoptimised build plays in seconds.
fn matches(usual: i64) -> i64 {
    let text = std::env::var("QUINTAIN_MATCHES").ok();
    text.map_or(usual, |text| text.parse().expect("QUINTAIN_MATCHES is a number"))
}

fn usual_config(game: &dyn AnyGame) -> ReadyConfig {
    game.configure(&ConfigChoice::default()).expect("its usual config")
}

fn start(game: &'static dyn AnyGame, seed: i64) -> Box<dyn AnyPosition> {
    let position = game.position(&usual_config(game), seed);
    position.unwrap_or_else(|error| panic!("{}: {error}", game.facts().id))
}

fn choices<'a>(texts: &'a PerSeat<Option<String>>) -> PerSeat<Option<Choice<'a>>> {
    texts.as_ref().map(|_, text| text.as_deref().map(Choice::Text))
}

/// A legal action of everybody who is to act.
fn sampled(position: &dyn AnyPosition, luck: &mut SplitMix64) -> PerSeat<Option<String>> {
    PerSeat::from_fn(|seat| position.sample(seat, luck))
}

fn play_turns(position: &mut dyn AnyPosition, turns: u32, luck: &mut SplitMix64) {
    while position.turn() < turns && position.outcome().is_none() {
        let texts = sampled(position, luck);
        position.advance(choices(&texts), None).expect("samples are legal");
    }
}

fn verified(game: &dyn AnyGame, bytes: &[u8]) -> Replay {
    let mut reader = Reader::new(bytes).expect("a replay");
    game.verify(&mut reader).unwrap_or_else(|error| panic!("{}: {error}", game.facts().id));
    Replay::of(&mut Reader::new(bytes).expect("a replay")).expect("a replay")
}

/// What is saved is loaded: the same position, the same picture, the same way to go on.
fn check_saved(position: &dyn AnyPosition) {
    let (game, turn) = (position.game(), position.turn());
    let bytes = position.save().expect("the luck is that of the seed");
    let replay = verified(game, &bytes);
    assert_eq!(replay.end.is_some(), position.outcome().is_some());
    let mut loaded = game.load(&replay, None).expect("it was verified");
    assert_eq!((loaded.turn(), loaded.fingerprint()), (turn, position.fingerprint()));
    assert_eq!(loaded.save().expect("it was saved before"), bytes);
    assert_eq!(loaded.text(Eye::All), position.text(Eye::All));
    let mut original = position.boxed_clone();
    let [mut one, mut other] = [SplitMix64::new(9); 2];
    play_turns(&mut *loaded, turn + 3, &mut one);
    play_turns(&mut *original, turn + 3, &mut other);
    assert_eq!(loaded.fingerprint(), original.fingerprint(), "{} goes on", game.facts().id);
}

/// Plays a match by its type and by texts, step by step.
fn play_both_ways<G: Sample + Notation>(seed: i64, config: &G::Config) {
    let mut game = G::new(config, G::generate(config, seed)).expect("a generated setup is valid");
    let mut position = start(find(G::ID).expect("it is in the list"), seed);
    let mut chance = G::chance(seed);
    let mut luck = SplitMix64::new(seed as u64);
    let saved_at = u32::try_from(seed).expect("few matches") % 20;
    while game.outcome().is_none() {
        let turn = game.turn();
        assert_eq!((position.turn(), position.to_act()), (turn, game.to_act()), "{} {seed}", G::ID);
        if seed % SAVE_EVERY == 0 && turn == saved_at {
            check_saved(&*position);
        }
        let asked = game.to_act();
        let actions =
            PerSeat::from_fn(|seat| asked.contains(seat).then(|| game.sample(seat, &mut luck)));
        let texts = actions.as_ref().map(|_, action| action.as_ref().map(G::write));
        position.advance(choices(&texts), None).expect("samples are legal");
        chance.begin_turn(turn);
        game.advance(&actions.map(|_, action| action.map(Reply::Act)), &mut *chance, &mut ());
        assert_eq!(position.fingerprint(), game.fingerprint(), "{} {seed}, turn {turn}", G::ID);
    }
    assert_eq!(position.outcome(), game.outcome(), "{} {seed}", G::ID);
    if seed % SAVE_EVERY == 0 {
        check_saved(&*position);
    }
}

fn check_matches<G: Sample + Notation>(usual: i64) {
    let config = G::Config::default();
    for seed in 0..matches(usual) {
        play_both_ways::<G>(seed, &config);
    }
}

#[test]
fn hockey_by_texts_is_hockey() {
    check_matches::<Hockey>(1_000);
}

#[test]
fn fencing_by_texts_is_fencing() {
    check_matches::<Fencing>(300);
}

#[test]
fn code_royale_by_texts_is_code_royale() {
    check_matches::<CodeRoyale>(10);
}

#[test]
fn worms_by_texts_is_worms() {
    check_matches::<Worms>(10);
}

#[test]
fn overdrive_by_texts_is_overdrive() {
    check_matches::<Overdrive>(10);
}

#[test]
fn an_error_leaves_a_position_as_it_was() {
    let hockey = find("hockey").expect("it is in the list");
    let mut position = start(hockey, 1);
    let before = position.fingerprint();
    let north = Some(Choice::Text("north"));
    let mut refuse = |choices, expected: fn(&AdvanceError) -> bool| {
        let error = position.advance(PerSeat(choices), None).expect_err("it cannot be played");
        assert!(expected(&error), "{error}");
        assert_eq!((position.fingerprint(), position.turn()), (before, 0), "{error}");
    };
    refuse([None, None], |error| matches!(error, AdvanceError::Missing(Seat::First)));
    refuse([north, north], |error| matches!(error, AdvanceError::NotAsked(Seat::Second)));
    let nowhere = Some(Choice::Text("upwards"));
    refuse([nowhere, None], |error| matches!(error, AdvanceError::Unreadable(Seat::First, _)));
    let ninth = Some(Choice::Index(8));
    refuse([ninth, None], |error| matches!(error, AdvanceError::NoSuchAction(Seat::First, 8)));
    position.advance(PerSeat([Some(Choice::Fault(Fault::Late)), None]), None).expect("a fault");
    let over = position.advance(PerSeat([None, None]), None);
    assert_eq!(over, Err(AdvanceError::Over));
}

#[test]
fn who_has_left_answers_no_more() {
    let worms = find("worms").expect("it is in the list");
    let mut position = start(worms, 3);
    let gone = Some(Choice::Fault(Fault::Gone(Exit::Code(1))));
    let nothing = Some(Choice::Text("nothing"));
    position.advance(PerSeat([gone, nothing]), None).expect("a step");
    let error = position.advance(PerSeat([nothing, nothing]), None);
    assert_eq!(error, Err(AdvanceError::HasLeft(Seat::First)));
    position.advance(PerSeat([gone, nothing]), None).expect("it is asked to the end");
    check_saved_without_going_on(&*position);
}

fn check_saved_without_going_on(position: &dyn AnyPosition) {
    let bytes = position.save().expect("the luck is that of the seed");
    verified(position.game(), &bytes);
    let loaded = position.game().load_bytes(&bytes, None).expect("it was verified");
    assert_eq!(loaded.fingerprint(), position.fingerprint(), "{}", position.game().facts().id);
}

#[test]
fn faults_of_every_kind_are_saved() {
    for game in GAMES {
        for fault in [Fault::Late, Fault::Gone(Exit::Closed), Fault::Flooded] {
            let mut position = start(*game, 5);
            play_turns(&mut *position, 2, &mut SplitMix64::new(5));
            let asked = position.to_act();
            let given = |seat| asked.contains(seat).then_some(Choice::Fault(fault));
            position.advance(PerSeat::from_fn(given), None).expect("a fault is a reply");
            check_saved_without_going_on(&*position);
        }
    }
}

#[test]
fn refused_throws_have_no_bound_and_are_no_part_of_what_is_saved() {
    let mut position = start(find("hockey").expect("it is in the list"), 1);
    position.advance(PerSeat([Some(Choice::Text("north")), None]), None).expect("a throw");
    let seat = position.to_act().single().expect("one seat throws");
    let mut back = PerSeat([None, None]);
    back[seat] = Some(Choice::Text("south"));
    for _ in 0..2_000 {
        let happened = position.advance(back, None).expect("it can be read");
        assert!(happened.refused[seat] && !happened.notes.is_empty());
    }
    check_saved(&*position);
}

#[test]
fn listed_actions_are_those_that_can_be_chosen_by_number() {
    for game in GAMES {
        let position = start(*game, 2);
        let seat = position.to_act().iter().next().expect("somebody acts");
        assert_eq!(position.actions(seat).is_some(), game.facts().abilities.perft.is_some());
        let Some(actions) = position.actions(seat) else { continue };
        assert!(actions.len() > 1, "{actions:?}");
        for (index, text) in actions.iter().enumerate() {
            let after = |choice| {
                let mut position = position.boxed_clone();
                let asked = position.to_act();
                let given = PerSeat::from_fn(|seat| asked.contains(seat).then_some(choice));
                position.advance(given, None).expect("it is listed");
                position.fingerprint()
            };
            assert_eq!(after(Choice::Index(index)), after(Choice::Text(text)), "{text}");
        }
    }
}

/// Two worms on either side of a cell, and the text by which both want it: who gets it is drawn.
fn worms_that_want_one_cell() -> (Box<dyn AnyPosition>, String) {
    let worms = find("worms").expect("it is in the list");
    let usual = start(worms, 1).save().expect("nothing was drawn");
    let mut setup = verified(worms, &usual).header.setup;
    let rows = setup["map"].as_array().expect("rows").iter().map(|row| row.as_str().expect("text"));
    let (y, x) = (0..).zip(rows).find_map(|(y, row)| Some((y, row.find("...")?))).expect("air");
    for (player, x) in [(0, x), (1, x + 2)] {
        let worm = &mut setup["players"][player]["worms"][0];
        (worm["at"], worm["came_from"]) = ([x, y].into(), [x, y].into());
    }
    let position = worms.position_from(&usual_config(worms), &setup, 1).expect("a setup");
    (position, format!("move {} {y}", x + 1))
}

#[test]
fn luck_that_somebody_brought_is_not_saved_and_clones_share_that_of_the_seed() {
    let worms = find("worms").expect("it is in the list");
    let mut luck = SplitMix64::new(1);
    let mut position = start(worms, 1);
    play_turns(&mut *position, 10, &mut luck);
    let mut clone = position.boxed_clone();
    let [mut one, mut other] = [luck; 2];
    play_turns(&mut *position, 40, &mut one);
    play_turns(&mut *clone, 40, &mut other);
    assert_eq!(position.fingerprint(), clone.fingerprint());

    let (mut own, text) = worms_that_want_one_cell();
    let both = PerSeat([Some(Choice::Text(&text)); 2]);
    let mut usual = own.boxed_clone();
    usual.advance(both, None).expect("they may want it");
    check_saved(&*usual);
    own.advance(both, Some(&mut SplitMix64::new(1))).expect("they may want it");
    assert_eq!(own.save(), Err(SaveError::OwnLuck));
    // Where nothing is drawn it makes no difference.
    let mut hockey = start(find("hockey").expect("it is in the list"), 1);
    let north = PerSeat([Some(Choice::Text("north")), None]);
    hockey.advance(north, Some(&mut NoChance)).expect("a throw");
    check_saved(&*hockey);
}

#[test]
fn a_replay_is_loaded_at_any_of_its_turns() {
    let fencing = find("fencing").expect("it is in the list");
    let mut position = start(fencing, 4);
    let mut luck = SplitMix64::new(4);
    let mut fingerprints = vec![position.fingerprint()];
    while position.outcome().is_none() {
        let texts = sampled(&*position, &mut luck);
        position.advance(choices(&texts), None).expect("samples are legal");
        fingerprints.push(position.fingerprint());
    }
    let bytes = position.save().expect("the luck is that of the seed");
    let replay = verified(fencing, &bytes);
    for (turn, fingerprint) in (0..).zip(&fingerprints) {
        let loaded = fencing.load(&replay, Some(turn)).expect("there is such a turn");
        assert_eq!((loaded.turn(), loaded.fingerprint()), (turn, *fingerprint));
    }
    let beyond = u32::try_from(fingerprints.len()).expect("few turns");
    let error = fencing.load(&replay, Some(beyond)).err().expect("there is no such turn");
    assert!(matches!(error, LoadError::NoTurn(_)), "{error}");
    assert!(fencing.load_bytes(&bytes[..40], None).is_err());
    assert!(find("hockey").expect("it is in the list").load(&replay, None).is_err());
}

#[test]
fn a_setup_of_ones_own_is_a_start() {
    for game in GAMES {
        let usual = start(*game, 8).save().expect("nothing was drawn");
        let setup = verified(*game, &usual).header.setup;
        let position = game.position_from(&usual_config(*game), &setup, 8).expect("a setup");
        check_saved(&*position);
        let odd = serde_json::json!({ "nothing": "of the kind" });
        assert!(game.position_from(&usual_config(*game), &odd, 8).is_err(), "{}", game.facts().id);
    }
}

#[test]
fn every_house_bot_can_play_on_from_a_position() {
    for game in GAMES {
        let position = start(*game, 6);
        for HouseBot { name: bot, .. } in game.facts().house_bots {
            let mut seated = position.seated(bot, 1).expect("a house bot");
            let answers = seated.step().expect("a match that goes on");
            let asked = position.to_act();
            assert_eq!(answers.texts.map(|_, text| text.is_some()), asked_of(asked), "{bot}");
            assert!(seated.position().turn() <= 1, "{bot}");
        }
        assert!(position.seated("nobody", 1).is_none());
    }
}

fn asked_of(seats: Seats) -> PerSeat<bool> {
    PerSeat::from_fn(|seat| seats.contains(seat))
}

/// A bot that sits down in the middle of a match answers as if it had played it.
#[test]
fn house_bots_that_sit_down_later_know_what_happened_before() {
    for game in GAMES {
        let house = game.facts().house_bots;
        let searching = |bot: &&HouseBot| matches!(bot.effort, Effort::Nodes(..=1_000));
        let bot = house.iter().rfind(searching).expect("a bot that counts positions").name;
        let mut seated = start(*game, 6).seated(bot, 3).expect("a house bot");
        for _ in 0..12 {
            seated.step().expect("a match that goes on");
        }
        let late = seated.position().seated(bot, 3).expect("a house bot");
        if game.facts().id != "worms" && game.facts().id != "fencing" {
            // In those two it goes on with luck of its own, which begins anew.
            let texts = [late, seated].map(|mut bots| bots.step().expect("it goes on").texts);
            assert_eq!(texts[0], texts[1], "{}", game.facts().id);
        }
    }
}

#[test]
fn every_house_has_an_opinion_of_every_position() {
    for game in GAMES {
        let mut position = start(*game, 6);
        let mut luck = SplitMix64::new(3);
        for _ in 0..10 {
            let opinion = position.opinion(60);
            assert!((-1.0..=1.0).contains(&opinion), "{}: {opinion}", game.facts().id);
            assert_eq!(position.opinion(60), opinion, "it is always the same");
            play_turns(&mut *position, 1, &mut luck);
        }
    }
}

/// Pages and programs in other languages read these names.
#[test]
fn views_have_the_names_of_the_documents() {
    for game in GAMES {
        let mut position = start(*game, 1);
        play_turns(&mut *position, 3, &mut SplitMix64::new(1));
        let text = serde_json::to_string_pretty(&position.view(Seat::Second)).expect("it is JSON");
        let head: Vec<&str> = text.lines().take(120).collect();
        check_golden(env!("CARGO_MANIFEST_DIR"), game.facts().id, &(head.join("\n") + "\n"));
    }
}

/// Every answer that can be reached by following what is offered from here on, as a person would who picks
/// the first few of each list.
fn offered(question: &dyn Question, typed: &str, answers: &mut Vec<String>) {
    const FOLLOWED: usize = 6;
    for suggestion in question.suggestions(typed) {
        assert!(suggestion.text.starts_with(typed), "{typed:?}: {suggestion:?}");
        assert_ne!(suggestion.text, typed, "a list leads somewhere");
        if !suggestion.is_beginning() {
            answers.push(suggestion.text);
        } else if typed.is_empty() || answers.len() < 8 * FOLLOWED {
            offered(question, &suggestion.text, answers);
        }
    }
}

#[test]
fn what_a_person_is_offered_is_legal_in_every_game_and_reaches_the_rules_as_it_was_meant() {
    for game in GAMES {
        let config = game.configure(&ConfigChoice::default()).expect("its usual config");
        for seed in 1..=3 {
            let mut position = game.position(&config, seed).expect("its usual start");
            let mut luck = SplitMix64::new(seed as u64);
            while position.outcome().is_none() && position.turn() < 60 {
                for seat in position.to_act().iter() {
                    let question = position.question(seat).expect("it is to act");
                    assert_eq!(question.seat(), seat);
                    let mut answers = Vec::new();
                    offered(&*question, "", &mut answers);
                    assert!(!answers.is_empty(), "{}", game.facts().id);
                    for answer in &answers {
                        let place =
                            format!("{} turn {}: {answer}", game.facts().id, position.turn());
                        assert_eq!(question.objection(answer), None, "{place}");
                        assert!(!question.lines(answer).is_empty(), "{place}");
                    }
                }
                let texts = PerSeat::from_fn(|seat| position.sample(seat, &mut luck));
                let choices = texts.as_ref().map(|_, text| text.as_deref().map(Choice::Text));
                position.advance(choices, None).expect("samples are legal");
            }
        }
    }
}

/// Two positions that look the same to the first seat: of sites that are far from its queen it does not know what
/// is in the ground, nor how much an enemy's mine gives.
fn twins() -> [Box<dyn AnyPosition>; 2] {
    let game = find("code-royale").expect("it is in the list");
    let usual = start(game, 1).save().expect("nothing was drawn");
    let mut setup = verified(game, &usual).header.setup;
    let queen = setup["players"][0]["queen"].clone();
    let number = |value: &Value| value.as_f64().expect("a number");
    let is_far = |site: &Value| {
        let (x, y) =
            (number(&site["x"]) - number(&queen[0]), number(&site["y"]) - number(&queen[1]));
        x.hypot(y) > 400.0
    };
    let sites = setup["sites"].as_array().expect("sites").clone();
    let far: Vec<usize> = (0..sites.len()).filter(|site| is_far(&sites[*site])).collect();
    setup["sites"][far[0]]["structure"] = json!({"type": "MINE", "owner": 0, "rate": 1});
    setup["sites"][far[1]]["structure"] = json!({"type": "MINE", "owner": 1, "rate": 1});
    let rich = |gold: i64, rate_max: u8| {
        let mut setup = setup.clone();
        for site in &far {
            setup["sites"][*site]["gold"] = json!(gold);
            setup["sites"][*site]["rate_max"] = json!(rate_max);
        }
        game.position_from(&usual_config(game), &setup, 1).expect("a setup")
    };
    [rich(1, 1), rich(500, 5)]
}

#[test]
fn what_a_person_cannot_see_is_not_told_by_what_is_offered_or_refused() {
    let twins = twins();
    let [poor, rich] =
        twins.each_ref().map(|twin| twin.question(Seat::First).expect("it is asked"));
    assert_eq!(twins[0].view(Seat::First), twins[1].view(Seat::First), "they look the same");
    assert_ne!(twins[0].view(Seat::Second), twins[1].view(Seat::Second), "and are not");
    let mut texts = vec![String::new(), "WAIT\n".to_owned()];
    for site in 0..24 {
        texts.push(format!("WAIT\nTRAIN {site}"));
        let kinds = ["", " ", " MINE", " TOWER", " BARRACKS-KNIGHT"];
        texts.extend(kinds.map(|kind| format!("BUILD {site}{kind}\nTRAIN")));
        texts.extend(kinds.map(|kind| format!("BUILD {site}{kind}")));
    }
    for text in texts {
        assert_eq!(poor.suggestions(&text), rich.suggestions(&text), "{text:?}");
        assert_eq!(poor.objection(&text), rich.objection(&text), "{text:?}");
    }
}

#[test]
fn what_the_rules_would_refuse_is_objected_to_before_it_is_said() {
    let wrong: [(&str, &[&str]); 5] = [
        ("hockey", &["up", "", "north north"]),
        ("fencing", &["JUMP", "lunge", ""]),
        ("code-royale", &["WAIT", "BUILD 99 MINE\nTRAIN", "MOVE a b\nTRAIN", "WAIT\nTRAIN 0"]),
        ("worms", &["move 0 0", "fly 1 1", "banana 99 99", "select 9;nothing"]),
        ("overdrive", &["FLY", "USE_TWEET x", "USE_EMP 1 2 3 FLY;"]),
    ];
    for (id, texts) in wrong {
        let game = find(id).expect("it is in the list");
        let config = game.configure(&ConfigChoice::default()).expect("its usual config");
        let position = game.position(&config, 5).expect("its usual start");
        let seat = position.to_act().iter().next().expect("somebody is to act");
        let question = position.question(seat).expect("it is to act");
        for text in texts {
            let objection = question.objection(text);
            assert!(objection.is_some_and(|why| !why.is_empty()), "{id}: {text:?}");
        }
        assert!(position.question(Seat::First).is_some());
    }
    let hockey = find("hockey").expect("it is in the list");
    let config = hockey.configure(&ConfigChoice::default()).expect("its usual config");
    let position = hockey.position(&config, 1).expect("its usual start");
    assert!(position.question(Seat::Second).is_none(), "it is not its turn");
}
