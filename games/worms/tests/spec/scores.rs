//! "Scores".

use super::*;

/// "The maximum amount of rounds (400) have passed and there is more than one player left"
#[test]
fn after_400_rounds_the_score_decides() {
    let mut setup = setup();
    setup.round = 398;
    setup.players.0[1].command_score = 10;
    let mut game = Match::document(setup.clone());
    game.round("shoot N", "shoot N");
    assert_eq!(game.reason(), None);
    game.round("shoot N", "shoot N");
    assert_eq!((game.winner(), game.reason()), (Some(SECOND), Some("round limit: score")));
    setup.players.0[1].command_score = 0;
    let mut game = Match::document(setup);
    game.round("shoot N", "shoot N");
    game.round("shoot N", "shoot N");
    assert_eq!((game.winner(), game.reason()), (None, Some("round limit: score")));
}

/// "If both players lost their last worm in the same round"
#[test]
fn both_lose_their_last_worm() {
    let mut setup = setup();
    for player in &mut setup.players.0 {
        for worm in &mut player.worms[1..] {
            worm.hp = 0;
        }
        player.worms[0].hp = 8;
    }
    put(&mut setup, SECOND, 1, 8, 12);
    setup.players.0[0].command_score = 1;
    let mut game = Match::document(setup);
    game.round("shoot E", "shoot W");
    let expected = (Some(FIRST), Some("all worms dead in the same round: score"));
    assert_eq!((game.winner(), game.reason()), expected);
    assert_eq!(game.points(SECOND), 16 + 40);
}

/// "adding together the player's average worm health and the points for every single command" (12)
#[test]
fn the_total_is_points_and_average_health() {
    let mut setup = setup();
    setup.players.0[0].worms[0].hp = -7;
    let game = Match::document(setup);
    let scores = game.game.players().as_ref().map(|_, player| player.score());
    assert_eq!(scores.0, [200 / 3, 350 / 3]);
}

/// "Damaging any worm's health to zero or less gives 40 points"; "reduce your points if they have been
/// done to your own worm". Both can be paid for one worm (9).
#[test]
fn kills() {
    let mut setup = setup();
    put(&mut setup, FIRST, 2, 7, 12);
    put(&mut setup, SECOND, 1, 8, 12);
    setup.players.0[0].worms[1].hp = 5;
    let mut game = Match::document(setup);
    game.round("shoot E", "shoot W");
    assert_eq!((game.points(FIRST), game.points(SECOND)), (-16 - 40, 16 + 40));
}

/// "A missed attack gives 2 points", "Moving gives 5 point", "Digging gives 7 points", "Freezing gives 17
/// points", "Doing nothing gives 0 points", "An invalid command will reduce your points by 4"
#[test]
fn points_of_each_command() {
    let mut setup = setup();
    paint(&mut setup, 7, 12, Terrain::Dirt);
    put(&mut setup, SECOND, 1, 8, 21);
    for (text, points) in [
        ("shoot N", 2),
        ("move 6 11", 5),
        ("dig 7 12", 7),
        ("select 3;snowball 8 21", 17),
        ("nothing", 0),
        (";", 0),
        ("rubbish", -4),
        ("move 7 12", -4),
        ("", -4),
    ] {
        let mut game = Match::document(setup.clone());
        game.round(text, "nothing");
        assert_eq!(game.points(FIRST), points, "{text:?}");
    }
}
