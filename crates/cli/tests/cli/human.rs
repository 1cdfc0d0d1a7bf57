//! A person at the terminal, as far as a pipe can be one.

use crate::support::Folder;

fn play(stdin: &str) -> String {
    let folder = Folder::new();
    let words = ["play", "hockey", "human", "house:random", "--seed", "1", "--no-replay"];
    let finished = folder.run_words(&words, stdin);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
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
    let gone = "human (me) was gone: its connection was closed";
    assert!(
        last.starts_with("random beat human (me): timeout after") && last.ends_with(gone),
        "{last}"
    );
}

#[test]
fn a_person_who_leaves_at_once_never_became_ready() {
    let said = play("");
    let last = said.lines().last().expect("a sentence");
    assert!(last.starts_with("random beat human: never became ready after 0 throws"), "{last}");
}

#[test]
fn a_person_who_repeats_every_word_plays_a_whole_match() {
    // Whatever the position, some of eight directions is a throw.
    let words = "north\nnorth east\nnorth west\neast\nwest\nsouth\nsouth east\nsouth west\n";
    let said = play(&format!("me\n{}", words.repeat(60)));
    let last = said.lines().last().expect("a sentence");
    assert!(last.contains("a goal was made") || last.contains("checkmate"), "{last}");
}
