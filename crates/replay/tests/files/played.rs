//! Replays to work with.

use std::collections::BTreeMap;
use std::path::Path;

use quintain_core::{ConfigChoice, Game as _, Item, Manner, PerSeat};
use quintain_hockey::{Config, Hockey, Setup};
use quintain_record::Contestant;
use quintain_referee::{Actor, Ask, Heard, MatchRules, SimWorld};
use quintain_registry::{AnyGame, MatchSpec, NoSpectator, find};
use quintain_replay::{FORMAT_VERSION, Header, PlayerLine};

pub(crate) fn hockey() -> &'static dyn AnyGame {
    find("hockey").expect("hockey is registered")
}

/// The start of a match of hockey.
pub(crate) fn start() -> Hockey {
    Hockey::new(&Config::default(), Setup::default()).expect("the default setup is possible")
}

/// A header that belongs to [`start`].
pub(crate) fn header() -> Header {
    let files = BTreeMap::from([("bot.py".to_owned(), "00ff".to_owned())]);
    let json = |value: Result<_, serde_json::Error>| value.expect("plain data");
    Header {
        format: FORMAT_VERSION,
        quintain: "1.2.3".to_owned(),
        game: "hockey".to_owned(),
        rules_version: Hockey::RULES_VERSION,
        edition: quintain_core::Edition::Document,
        config: json(serde_json::to_value(Config::default())),
        seed: -9_007_199_254_740_993,
        setup: json(serde_json::to_value(Setup::default())),
        own_setup: true,
        names: PerSeat(["Bob".to_owned(), "d'équipe \u{1b}[1m\"2\"".to_owned()]),
        first_message_id: 3000,
        manners: PerSeat([Manner::Lines, Manner::Files]),
        bots: PerSeat(["one".to_owned(), "two".to_owned()]),
        players: PerSeat([PlayerLine::default(), PlayerLine { house: None, files }]),
        ask: "in-turn".to_owned(),
        time_scale: 0.25,
        machine_scale: 1.25,
        clock: PerSeat([true, false]),
        sandbox: Some("basic: landlock".to_owned()),
        signer: None,
        from: None,
        started_ms: 1_700_000_000_000,
    }
}

struct Absent;

impl Actor for Absent {
    fn receive(&mut self, _item: &Item, _answers: &mut Vec<(std::time::Duration, Heard)>) {}
}

/// Plays a match of house bots of hockey into a file.
pub(crate) fn play(path: &Path, seed: i64) {
    play_of(hockey(), path, seed);
}

/// Plays a match of house bots into a file.
pub(crate) fn play_of(game: &dyn AnyGame, path: &Path, seed: i64) {
    let spec = MatchSpec {
        config: game.configure(&ConfigChoice::default()).expect("the usual config"),
        seed,
        seats: PerSeat(["greedy", "random"]).map(|_, bot| Contestant::house(bot).into()),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([None, None]),
        opening: None,
        replay: Some(path.to_owned()),
        match_log: None,
        sandbox: None,
        signer: None,
    };
    let mut world = SimWorld::new(PerSeat([Box::new(Absent), Box::new(Absent)]));
    let report = game.play(&spec, &mut world, &mut NoSpectator).expect("a match");
    assert!(report.replay_error.is_none());
}

/// A played match as the text of a plain file.
pub(crate) fn played_text(seed: i64) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("match.jsonl");
    play(&path, seed);
    std::fs::read(path).expect("the file was written")
}
