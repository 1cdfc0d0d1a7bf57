//! What a worker plays is what a server finds proven, in every game and whatever bots do.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use quintain_arena::work::wire::ReportedGame;
use quintain_arena::work::{
    JobGame, Order, OrderedBot, OrderedMind, arena_of, check_game, play_game,
};
use quintain_core::{ConfigChoice, Edition, PerSeat};
use quintain_record::{BotId, MatchId, State};
use quintain_registry::{AnyGame, GAMES};

/// An order in which a house bot meets somebody.
fn order(game: &dyn AnyGame, mind: OrderedMind) -> Order {
    let config = game.configure(&ConfigChoice::default()).expect("the usual config");
    let house = OrderedMind::House { bot: game.facts().quick_house_bot().to_owned() };
    let bot =
        |name: &str, mind| OrderedBot { name: name.to_owned(), mind, files: Default::default() };
    Order {
        game: game.facts().id.to_owned(),
        edition: Edition::default(),
        config: (*config.value).clone(),
        ask: "in-turn".to_owned(),
        time_scale: 1.0,
        machine_scale: 1.0,
        clock: true,
        start_limit_ms: 5000,
        bots: vec![bot("one", house), bot("two", mind)],
    }
}

fn game() -> JobGame {
    let id = MatchId { round: 3, pairing: 0, seed_index: 0, swapped: false };
    JobGame { id, bots: PerSeat([BotId(0), BotId(1)]), seed: 12345 }
}

/// The order as it comes to a worker, played there.
fn play(order: &Order, folder_of: &dyn Fn(&str) -> PathBuf) -> ReportedGame {
    let sent = serde_json::to_string(order).expect("plain data");
    let order: Order = serde_json::from_str(&sent).expect("it was written by us");
    let replays = tempfile::tempdir().expect("a folder");
    let arena = arena_of(&order, folder_of, replays.path(), None).expect("it can be played");
    let played = play_game(&arena, &game()).expect("it can be set up");
    let replay = fs::read(played.replay.expect("a replay")).expect("it is there");
    let sent = serde_json::to_string(&ReportedGame { record: played.record, replay });
    serde_json::from_str(&sent.expect("plain data")).expect("it was written by us")
}

#[test]
fn games_of_house_bots_are_proven_by_their_replays() {
    for known in GAMES {
        let order = order(*known, OrderedMind::House { bot: "random".to_owned() });
        let reported = play(&order, &|_| unreachable!("house bots have no folder"));
        assert_eq!(check_game(&order, &game(), &reported), Ok(()), "{}", order.game);
        let mut forged = reported;
        forged.record.head.content = forged.record.head.content.map(|content| content ^ 1);
        let why = check_game(&order, &game(), &forged).expect_err("another content");
        assert!(why.starts_with("content: expected"), "{}: {why}", order.game);
    }
}

/// A folder whose bot is a script.
fn script(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.sh");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("room");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    folder
}

#[test]
fn what_bots_did_wrong_is_proven_too() {
    let scripts =
        ["exit 3", "while read line; do echo nonsense; done", "echo early; cat > /dev/null"];
    for known in GAMES {
        for text in scripts {
            let folder = script(text);
            let digest = "0".repeat(64);
            let (args, env) = (vec!["--depth=2".to_owned()], Vec::new());
            let mut order =
                order(*known, OrderedMind::Archive { digest, state: State::Stdin, args, env });
            // Nobody waits for seconds here.
            order.time_scale = 0.02;
            order.start_limit_ms = 20_000;
            let place: &Path = folder.path();
            let reported = play(&order, &|_| place.to_owned());
            let checked = check_game(&order, &game(), &reported);
            assert_eq!(
                checked,
                Ok(()),
                "{} with `{text}`: {:?}",
                order.game,
                reported.record.errors
            );
            if let Some(error) = reported.record.errors.first() {
                let mut forged = reported.clone();
                forged.record.errors[0].times = error.times + 1;
                let why = check_game(&order, &game(), &forged).expect_err("another count");
                assert!(why.starts_with("errors: expected"), "{}: {why}", order.game);
            }
        }
    }
}
