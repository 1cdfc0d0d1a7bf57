//! Nothing that a bot sends and no config file can panic, and random play keeps its promises.

mod common;

use common::*;
use proptest::collection::vec;
use proptest::prelude::*;
use quintain_core::{
    ConfigChoice, ConfigText, Conform, Edition, Game, Intake, NoChance, Outbox, PerSeat, Protocol,
    ReadsConfigFile, Replies, Reply, Sample, Seat, SplitMix64, configure,
};
use quintain_overdrive::{Action, Config, Figures, Overdrive};
use quintain_testkit::{battery, house_answers};

/// Words of the game, words near them, and anything else.
fn command() -> impl Strategy<Value = Vec<u8>> {
    let words = vec![
        "NOTHING",
        "ACCELERATE",
        "DECELERATE",
        "TURN_LEFT",
        "TURN_RIGHT",
        "USE_BOOST",
        "USE_OIL",
        "USE_LIZARD",
        "USE_TWEET",
        "USE_EMP",
        "FIX",
        "DO_NOTHING",
        "fix",
        ";",
        "",
        "\t",
        "+",
        "é",
    ];
    let word = prop_oneof![
        4 => proptest::sample::select(words).prop_map(str::to_owned),
        2 => (-2..1_510_i32).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
    ];
    prop_oneof![
        4 => vec(word, 0..5).prop_map(|words| words.join(" ").into_bytes()),
        1 => vec(any::<u8>(), 0..40),
    ]
}

/// What stands before it.
fn prefix() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => Just("now".to_owned()),
        1 => Just(String::new()),
        1 => (0..400_u32).prop_map(|round| format!("C;{round};")),
    ]
}

fn armed(lane: u8) -> quintain_overdrive::CarSetup {
    let all = ["BOOST", "OIL", "LIZARD", "TWEET", "EMP"];
    with(at(lane, 1 + u16::from(lane), 5), &[all; 8].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_line_to_a_match_is_survived(
        original in any::<bool>(),
        lines in vec((any::<bool>(), any::<bool>(), prefix(), command()), 0..80),
    ) {
        let mut race = Race::new(Edition::ALL[usize::from(original)], setup(armed(2), armed(3)));
        let (mut wire, mut out) = (wire(), Outbox::default());
        let mut replies: Replies<Action> = PerSeat::default();
        for seat in Seat::BOTH {
            told(&mut wire, &race.game.view(seat));
        }
        for (second, asked, prefix, command) in lines {
            if race.game.outcome().is_some() {
                break;
            }
            let seat = if second { SECOND } else { FIRST };
            let is_now = prefix == "now";
            let prefix = if is_now { format!("C;{};", race.game.turn() + 1) } else { prefix };
            let line = prefix + &String::from_utf8_lossy(&command);
            let is_asked = asked && replies[seat].is_none();
            match wire.hear(seat, is_asked, &line, &mut out) {
                Intake::Action(action) => {
                    prop_assert!(is_asked);
                    let said = wire.say(&race.game.view(seat), &action);
                    let again = wire.hear(seat, true, &said[0], &mut out);
                    prop_assert_eq!(again, Intake::Action(action));
                    replies[seat] = Some(Reply::Act(action));
                }
                Intake::Ignored => prop_assert!(!(is_asked && is_now), "{:?}", line),
                other => prop_assert!(false, "there is no {:?}", other),
            }
            prop_assert!(out.0.is_empty(), "nothing is said but what is prompted");
            if replies.0.iter().all(Option::is_some) {
                race.game.advance(&std::mem::take(&mut replies), &mut NoChance, &mut Vec::new());
                for seat in Seat::BOTH {
                    told(&mut wire, &race.game.view(seat));
                }
            }
        }
    }

    #[test]
    fn any_line_to_a_house_bot_is_survived(lines in vec("[0-9]{1,3}|[-{}\\[\\]\":,a-z0-9]{0,40}", 0..30)) {
        prop_assert!(house_answers::<Overdrive>(&lines).is_empty());
    }

    #[test]
    fn any_recording_is_survived(lines in vec(".{0,60}", 0..6)) {
        prop_assert!(Overdrive::conform(&lines).is_err());
    }

    #[test]
    fn any_config_file_is_playable_or_refused_by_its_name(
        chosen in vec((proptest::sample::select(Figures::KEYS), number()), 0..8),
        seed in any::<i32>(),
        original in any::<bool>(),
    ) {
        let members: Vec<String> =
            chosen.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        let text = format!("{{{}}}", members.join(", "));
        match configured(&text, Edition::ALL[usize::from(original)]) {
            Ok(config) => play_out(&config, i64::from(seed)),
            Err(message) => {
                prop_assert!(message.contains("in game.json"), "{}", message);
                prop_assert!(chosen.iter().any(|(key, _)| message.contains(key)) || depends(&message));
            }
        }
    }

    #[test]
    fn any_text_as_a_config_file_is_survived(text in ".{0,80}") {
        if let Err(message) = configured(&text, Edition::Document) {
            prop_assert!(message.starts_with("game-config: expected in game.json "));
        }
    }
}

/// A key that was not chosen can be refused because of one that was: a start beyond a short track.
fn depends(message: &str) -> bool {
    ["MIN_LANE", "MAX_LANE", "START_LANE", "START_BLOCK"].iter().any(|key| message.contains(key))
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..12_i32).prop_map(|number| number.to_string()),
        3 => (-60..200_i32).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => (-5.0..200.0_f64).prop_map(|number| number.to_string()),
        1 => Just("\"4\"".to_owned()),
        1 => Just("null".to_owned()),
    ]
}

fn configured(text: &str, edition: Edition) -> Result<Config, String> {
    let file = ConfigText { path: "game.json".to_owned(), text: text.to_owned() };
    let choice = ConfigChoice { file: Some(file), ..ConfigChoice::of(edition) };
    configure::<Overdrive>(&choice, Some(Overdrive::read_config)).map_err(|error| error.to_string())
}

/// A random race, everything rendered now and then.
fn play_out(config: &Config, seed: i64) {
    let setup = Overdrive::generate(config, seed);
    let mut game = Overdrive::new(config, setup).expect("a generated setup is valid");
    let (mut wire, mut luck) = (wire(), SplitMix64::new(seed as u64));
    while game.outcome().is_none() {
        if game.turn().is_multiple_of(16) {
            for seat in Seat::BOTH {
                told(&mut wire, &game.view(seat));
            }
        }
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
        game.advance(&replies, &mut NoChance, &mut ());
    }
}

#[test]
fn random_play_keeps_its_promises() {
    for edition in Edition::ALL {
        battery::<Overdrive>(&config(edition), 0..4);
    }
}

#[test]
fn every_number_at_both_ends_of_its_range_is_playable_or_refused() {
    for key in Figures::KEYS {
        let mut is_accepted = false;
        for value in [-1000, -1, 0, 1, 2, 4, 50, 99, 100, 1000, 10_000, 20_000] {
            if let Ok(config) = configured(&format!("{{\"{key}\": {value}}}"), Edition::Document) {
                is_accepted = true;
                play_out(&config, 3);
            }
        }
        assert!(is_accepted, "{key}");
    }
}
