//! A person at the terminal, as far as a pipe can be one.

use crate::support::Folder;

fn play(stdin: &str) -> String {
    let folder = Folder::new();
    let words = ["play", "hockey", "human", "house:random", "--seed", "1", "--no-replay"];
    let finished = folder.run_words(&words, stdin);
    assert_eq!(finished.code, 0);
    let hint = "When it is your turn, answer north, north east, east, south east, south, south \
                west, west or north west\n";
    assert_eq!(finished.stderr, hint);
    finished.stdout
}

#[test]
fn a_person_is_asked_and_answered() {
    let said = play("me\nnorth\nup, please\nsouth\n");
    for expected in [
        "What's your name?",
        "Welcome, me you're player 0!",
        "me is active player - 7",
        "me did go north - ",
        "human (me) throws north",
        "Invalid action",
        "invalid move - ",
    ] {
        assert!(said.contains(expected), "expected `{expected}` in {said}");
    }
    let last = said.lines().last().expect("a sentence");
    let gone = "random beat human (me): human (me) was gone: its connection was closed after ";
    assert!(last.starts_with(gone), "{last}");
}

#[test]
fn a_person_who_leaves_at_once_never_became_ready() {
    let said = play("");
    let last = said.lines().last().expect("a sentence");
    assert!(last.starts_with("random beat human: human left before the match: "), "{last}");
}

#[test]
fn a_person_who_repeats_every_word_plays_a_whole_match() {
    // Whatever the position, some of eight directions is a throw.
    let words = "north\nnorth east\nnorth west\neast\nwest\nsouth\nsouth east\nsouth west\n";
    let said = play(&format!("me\n{}", words.repeat(60)));
    let last = said.lines().last().expect("a sentence");
    assert!(last.contains("a goal was made") || last.contains("checkmate"), "{last}");
}

#[test]
fn a_person_and_one_object_do_not_share_a_terminal() {
    let finished = Folder::new().run("play hockey human house:random --json");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("found a human at the terminal"), "{}", finished.stderr);
}
