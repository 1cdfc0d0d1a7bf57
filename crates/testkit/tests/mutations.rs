//! Files that were changed at random (replays, manifests, configs of the original engines) are refused
//! or read: nothing panics, nothing goes on for ever. Damaged stores are tested beside the store.

use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use quintain_core::{Chance as _, ConfigChoice, ConfigText, Item, PerSeat, SplitMix64};
use quintain_links::Manifest;
use quintain_record::Contestant;
use quintain_referee::{Actor, Ask, Heard, MatchRules, SimWorld};
use quintain_registry::{AnyGame, GAMES, MatchSpec, NoSpectator, find};
use quintain_replay::{Reader, Recording as _};

/// Mutants of the replay of each game.
const REPLAYS: u32 = 1_200;
const MANIFESTS: u32 = 2_000;
/// Mutants of the config of each game that has one.
const CONFIGS: u32 = 1_000;

/// A mutant is dealt with in this, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is put in the place of a number or a word.
const ODD: [&str; 12] = [
    "-1",
    "0",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "null",
    "\"\"",
    "[]",
    "{}",
    "\u{0}",
    "99999",
];

/// Changes a text in one to four places: a bit, a number, a piece taken out, or a piece said twice.
fn mutant(whole: &[u8], draws: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..1 + draws.below(4) {
        let at = draws.below(bytes.len() as u32) as usize;
        let until = (at + 1 + draws.below(40) as usize).min(bytes.len());
        match draws.below(4) {
            0 => bytes[at] ^= 1 << draws.below(8),
            1 => drop(bytes.drain(at..until)),
            2 => {
                let piece = bytes[at..until].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => put_odd(&mut bytes, at, draws),
        }
        if bytes.is_empty() {
            return bytes;
        }
    }
    bytes
}

/// Replaces the next number behind a place.
fn put_odd(bytes: &mut Vec<u8>, at: usize, draws: &mut SplitMix64) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|start| at + start)
    else {
        return;
    };
    let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let odd = ODD[draws.below(ODD.len() as u32) as usize];
    bytes.splice(start..start + digits, odd.bytes());
}

/// Deals with mutants of a text, each within its time; whether it was taken is counted.
fn check_mutants(what: &str, whole: &[u8], count: u32, take: impl Fn(&[u8]) -> bool) {
    let mut draws = SplitMix64::new(u64::from(count));
    assert!(take(whole), "{what}: as it is");
    let mut taken = 0;
    for number in 0..count {
        let bytes = mutant(whole, &mut draws);
        let started = Instant::now();
        let result = panic::catch_unwind(AssertUnwindSafe(|| take(&bytes)));
        let shown = || String::from_utf8_lossy(&bytes[..bytes.len().min(2_000)]).into_owned();
        let Ok(is_taken) = result else { panic!("{what}, mutant {number} panics: {}", shown()) };
        assert!(started.elapsed() < PATIENCE, "{what}, mutant {number} takes long: {}", shown());
        taken += u32::from(is_taken);
    }
    println!("{what}: {count} mutants, {taken} taken, {} refused", count - taken);
    assert!(taken < count, "{what}: nothing was refused");
}

/// Nobody is behind the world: both bots are inside the process.
struct Absent;

impl Actor for Absent {
    fn receive(&mut self, _item: &Item, _answers: &mut Vec<(Duration, Heard)>) {}
}

/// The lines of a match of two house bots.
fn replay_of(game: &dyn AnyGame) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let spec = MatchSpec {
        config: game.configure(&ConfigChoice::default()).expect("the usual config"),
        seed: 7,
        seats: PerSeat(["random", "greedy"]).map(|_, bot| Contestant::house(bot).into()),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([None, None]),
        opening: None,
        replay: Some(path.clone()),
        match_log: None,
        sandbox: None,
        signer: None,
    };
    let mut world = SimWorld::new(PerSeat([Box::new(Absent), Box::new(Absent)]));
    game.play(&spec, &mut world, &mut NoSpectator).expect("a match");
    std::fs::read(path).expect("its replay")
}

fn is_verified(bytes: &[u8]) -> bool {
    let Ok(mut replay) = Reader::new(Cursor::new(bytes)) else { return false };
    find(&replay.header().game.clone()).is_some_and(|game| game.verify(&mut replay).is_ok())
}

#[test]
fn mutants_of_replays_neither_panic_nor_hang() {
    for game in GAMES {
        let id = game.facts().id;
        let lines = replay_of(*game);
        check_mutants(&format!("a replay of {id}"), &lines, REPLAYS, is_verified);
        // The header is where most numbers stand that something is made of.
        let header = lines.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        check_mutants(&format!("the header of a replay of {id}"), &lines[..header], 200, |bytes| {
            is_verified(bytes)
        });
    }
}

#[test]
fn mutants_of_manifests_neither_panic_nor_hang() {
    let manifest = r#"{"author":"Ada","email":"ada@example.org","nickName":"ada 2","botLocation":
        "/bin","botFileName":"bot.jar","botLanguage":"java","coreCount":4}"#;
    check_mutants("a bot.json", manifest.as_bytes(), MANIFESTS, |bytes| {
        Manifest::parse(&String::from_utf8_lossy(bytes)).is_ok()
    });
}

/// A config in the words of the original engine, as the header of a replay keeps it.
fn config_of(game: &dyn AnyGame) -> Option<String> {
    let replay = replay_of(game);
    let reader = Reader::new(Cursor::new(replay.as_slice())).expect("a replay");
    let config = &reader.header().config;
    config.get("game").or(config.get("figures")).map(ToString::to_string)
}

/// Whether a match can be set up with it.
fn is_playable(game: &'static dyn AnyGame, config: &[u8]) -> bool {
    let text = String::from_utf8_lossy(config).into_owned();
    let file = ConfigText { path: "mutant.json".to_owned(), text };
    let choice = ConfigChoice { file: Some(file), ..ConfigChoice::default() };
    game.configure(&choice).is_ok_and(|config| game.position(&config, 7).is_ok())
}

#[test]
fn mutants_of_configs_neither_panic_nor_hang() {
    let mut games = 0;
    for game in GAMES {
        let Some(config) = config_of(*game) else { continue };
        let what = format!("a config of {}", game.facts().id);
        check_mutants(&what, config.as_bytes(), CONFIGS, |bytes| is_playable(*game, bytes));
        games += 1;
    }
    assert_eq!(games, 2, "Worms and Overdrive have configs");
}
