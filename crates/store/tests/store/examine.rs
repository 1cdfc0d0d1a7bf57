//! What an examination finds in a store that was edited behind its back.

use quintain_core::{ErrorKind, Seat};
use quintain_record::MatchRecord;
use quintain_store::Store;

use crate::suite::{
    Engine, begin, disturbance, execute, fault, game, identity, on_both_engines, void,
};

on_both_engines! {
    an_untouched_store_is_sound,
    each_edit_is_found,
}

/// A run with two pairs of games, one with an error and one that is void.
fn stored(engine: Engine, name: &str) -> Option<crate::suite::Place> {
    let place = engine(name)?;
    let (store, run) = begin(&place, "a");
    let failed = MatchRecord {
        errors: vec![fault(Seat::First, ErrorKind::Timeout, 3)],
        disturbances: vec![disturbance(1, Seat::Second)],
        ..game(identity(0, 0, 0, true))
    };
    let games = [
        game(identity(0, 0, 0, false)),
        failed,
        void(identity(0, 1, 0, false)),
        game(identity(0, 1, 0, true)),
    ];
    for game in games {
        run.record(&game).unwrap();
    }
    drop((store, run));
    Some(place)
}

fn an_untouched_store_is_sound(engine: Engine) {
    let Some(place) = stored(engine, "untouched") else { return };
    let examination = Store::open_existing(&place.url).unwrap().examine().unwrap();
    assert_eq!((examination.runs, examination.games), (1, 4));
    assert_eq!(examination.findings, []);
}

fn each_edit_is_found(engine: Engine) {
    let edits = [
        (
            "UPDATE games SET first_verdict = 'loss', second_verdict = 'win' WHERE number = 1",
            "game 1: its result is not the one of its verdicts",
        ),
        (
            "UPDATE games SET result = 0, first_verdict = 'loss', second_verdict = 'win' \
             WHERE number = 1",
            "game 2: its copy of the result of the same seed's other game is another one",
        ),
        (
            "UPDATE games SET disturbed = 0 WHERE number = 2",
            "game 2: its disturbed answers are not as many as it says",
        ),
        ("DELETE FROM faults", "game 2: its errors are not those that are listed"),
        (
            "UPDATE games SET first_bot = 7 WHERE number = 4",
            "game 4: its bots are not two of the run",
        ),
        (
            "DELETE FROM games WHERE number = 3",
            "game 4: the game that was recorded before it is missing",
        ),
        (
            "UPDATE bots SET spec = './other' WHERE place = 1",
            "its settings or bots are not those that it was begun with",
        ),
        ("UPDATE runs SET summed = 4", "its sums are not those of its games"),
        ("UPDATE games SET turns = -5 WHERE number = 3", "is damaged: cannot list the games: "),
    ];
    for (number, (edit, expected)) in edits.into_iter().enumerate() {
        let name = format!("edit_{number}");
        let Some(place) = stored(engine, &name) else { return };
        execute(&place, &name, edit);
        let examination = Store::open_existing(&place.url).unwrap().examine().unwrap();
        let told = |finding: &quintain_store::Finding| {
            let game = finding.game.map_or(String::new(), |number| format!("game {number}: "));
            format!("{game}{}", finding.text)
        };
        let told: Vec<String> = examination.findings.iter().map(told).collect();
        assert!(told.iter().any(|text| text.contains(expected)), "{edit}: {told:?}");
        assert_eq!(examination.findings[0].run.as_deref(), Some("a"));
    }
}
