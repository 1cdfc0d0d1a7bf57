//! Bots that are started from a folder, each in a private one, and the files they are sent.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::{Absence, Framing, Item, LineEnds, PerSeat, Seat};
use quintain_links::{Child, LaunchError, Link, Quarters, RealWorld, read_launch};
use quintain_record::Launch;
use quintain_referee::{Heard, Wait, World};
use tempfile::TempDir;

const FRAMING: Framing =
    Framing { line_ends_in: LineEnds::LfOrCrLf, line_end_out: "\n", line_bytes_max: 16384 };

/// Far more than anything here takes, so that a busy machine does not fail a test.
const LONG: Duration = Duration::from_secs(30);

/// Answers every number with the state of that round.
const CAT: &str = "while read n; do cat rounds/$n/state.json; echo; done";

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, text).expect("a file can be written");
    }
    folder
}

fn manifest(language: &str, location: &str, file: &str) -> String {
    format!(
        r#"{{"author":"A","email":"a@b","nickName":"Nick","botLocation":"{location}",
            "botFileName":"{file}","botLanguage":"{language}"}}"#
    )
}

fn launch(folder: &Path) -> Launch {
    read_launch(folder.to_str().expect("a plain path")).expect("it holds a bot")
}

fn spawn(launch: &Launch, keep_rounds: Option<u32>) -> Child {
    let (root, folder) = (launch.root.as_deref(), launch.folder.as_deref());
    let quarters = Quarters::copy_of(root.expect("a root"), folder.expect("a folder"));
    Child::spawn_in(quarters.expect("a copy can be made"), launch, keep_rounds).expect("it starts")
}

fn ask(world: &mut RealWorld, seat: Seat, round: u32, state: &str) -> String {
    for name in ["state.json", "textMap.txt"] {
        let path = format!("rounds/{round}/{name}");
        world.send(seat, &Item::File { path, bytes: state.as_bytes().to_vec() });
    }
    world.send(seat, &Item::Line(round.to_string()));
    hear(world, seat)
}

fn hear(world: &mut RealWorld, seat: Seat) -> String {
    let until = world.now() + LONG;
    let incoming = world.next(Some(until)).incoming().expect("something is heard in time");
    assert_eq!(incoming.seat, seat);
    match incoming.heard {
        Heard::Line(line) => String::from_utf8(line).expect("a text"),
        other => panic!("expected a line, heard {other:?}"),
    }
}

#[test]
fn files_are_complete_when_their_number_arrives() {
    let folder = folder_with(&[("run.sh", CAT)]);
    let child = spawn(&launch(folder.path()), None);
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    for round in 1..=20 {
        let state = format!("{round} ").repeat(4000);
        assert_eq!(ask(&mut world, Seat::First, round, &state), state);
    }
    world.finish();
}

#[test]
fn what_is_prepared_is_there_before_it_is_sent_and_is_written_once() {
    let folder = folder_with(&[("run.sh", CAT)]);
    let child = spawn(&launch(folder.path()), None);
    let place = child.folder().to_owned();
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    let state = |round: u32, text: &str| Item::File {
        path: format!("rounds/{round}/state.json"),
        bytes: text.as_bytes().to_vec(),
    };
    world.prepare(Seat::First, &state(1, "early"));
    world.prepare(Seat::First, &Item::Line("1".to_owned()));
    assert_eq!(fs::read_to_string(place.join("rounds/1/state.json")).expect("there"), "early");
    world.send(Seat::First, &state(1, "the same file is not written again"));
    world.send(Seat::First, &Item::Line("1".to_owned()));
    assert_eq!(hear(&mut world, Seat::First), "early");
    world.prepare(Seat::First, &state(2, "never asked"));
    assert_eq!(ask(&mut world, Seat::First, 3, "another question"), "another question");
    assert_eq!(ask(&mut world, Seat::First, 2, "asked after all"), "asked after all");
    world.finish();
}

#[test]
fn a_bot_that_plays_itself_has_two_folders_and_leaves_its_own_alone() {
    let script = "while read n; do cat rounds/$n/state.json weights; echo; echo x >>weights; done";
    let folder = folder_with(&[("run.sh", script), ("weights", "w"), ("rounds/1/old", "")]);
    let launch = launch(folder.path());
    let children = PerSeat::from_fn(|_| spawn(&launch, None));
    let places: Vec<PathBuf> =
        children.iter().map(|(_, child)| child.folder().to_owned()).collect();
    let mut world = RealWorld::new(FRAMING, children.map(|_, child| Link::process(child)));
    assert_ne!(places[0], places[1]);
    assert!(!places[0].join("rounds/1").exists(), "rounds of earlier matches are not copied");
    assert_eq!(ask(&mut world, Seat::First, 1, "one"), "onew");
    assert_eq!(ask(&mut world, Seat::Second, 1, "two"), "twow");
    assert_eq!(fs::read_to_string(places[0].join("rounds/1/textMap.txt")).expect("kept"), "one");
    world.finish();
    assert_eq!(fs::read_to_string(folder.path().join("weights")).expect("untouched"), "w");
    assert!(folder.path().join("rounds/1/old").exists());
    for place in places {
        assert!(!place.exists(), "{} is left behind", place.display());
    }
}

#[test]
fn every_location_leads_to_the_file() {
    // The same spellings as those of real bots.
    for (location, place) in [
        ("/", ""),
        ("/bin", "bin/"),
        ("/bin/", "bin/"),
        ("/target", "target/"),
        ("", ""),
        (".", ""),
        ("/sloth", "sloth/"),
    ] {
        let folder = folder_with(&[
            ("bot.json", &manifest("python3", location, "bot.py")),
            (&format!("{place}bot.py"), "print(input(), open('data').read(), flush=True)"),
            (&format!("{place}data"), "beside it"),
        ]);
        let launch = launch(folder.path());
        assert_eq!(launch.nick_name.as_deref(), Some("Nick"));
        let child = spawn(&launch, None);
        let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
        world.send(Seat::First, &Item::Line("7".into()));
        assert_eq!(hear(&mut world, Seat::First), "7 beside it", "{location:?}");
    }
}

#[test]
fn a_location_beside_the_folder_is_copied_too() {
    let all = folder_with(&[
        ("source/bot.json", &manifest("cplusplus", "../bin", "bot")),
        ("bin/bot", "#!/bin/sh\nread n; echo \"$n $(cat ../source/note)\"; pwd >&2"),
        ("source/note", "noted"),
        ("other/large", "not copied"),
    ]);
    let bot = all.path().join("bin/bot");
    fs::set_permissions(&bot, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode");
    let child = spawn(&launch(all.path()), None);
    let place = child.folder().to_owned();
    assert!(!place.join("../other").exists());
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    world.send(Seat::First, &Item::Line("1".into()));
    assert_eq!(hear(&mut world, Seat::First), "1 noted");
}

#[test]
fn a_program_named_by_its_full_path_is_the_one_of_the_copy() {
    let script = "#!/bin/sh\nread n; echo \"$0\"";
    let folder = folder_with(&[("bot.json", &manifest("golang", "/", "bot")), ("bot", script)]);
    let bot = folder.path().join("bot");
    fs::set_permissions(&bot, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode");
    let child = spawn(&launch(folder.path()), None);
    let expected = child.folder().join("bot");
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    world.send(Seat::First, &Item::Line("1".into()));
    assert_eq!(Path::new(&hear(&mut world, Seat::First)), expected);
}

#[test]
fn the_manifest_is_found_somewhere_below_and_a_script_at_hand_comes_first() {
    let text = manifest("python3", "", "bot.py");
    let folder = folder_with(&[("a/b/bot.json", &text), ("a/b/bot.py", "")]);
    assert_eq!(launch(folder.path()).folder, Some(folder.path().join("a/b")));
    let folder = folder_with(&[("a/bot.json", &text), ("run.sh", "")]);
    assert_eq!(launch(folder.path()).program, "bash");
    // The original runner joins the location to the folder that it was given.
    let text = manifest("python3", "/bin", "bot.py");
    let folder = folder_with(&[("config/bot.json", &text), ("bin/bot.py", "")]);
    assert_eq!(launch(folder.path()).folder, Some(folder.path().join("bin")));
}

#[test]
fn a_broken_manifest_names_file_field_and_reason() {
    let complaint = |text: &str| {
        let folder = folder_with(&[("bot.json", text)]);
        let error = read_launch(folder.path().to_str().expect("plain")).expect_err("broken");
        let file = folder.path().join("bot.json").display().to_string();
        let text = error.to_string();
        assert!(text.starts_with(&file), "{text}");
        text[file.len()..].to_owned()
    };
    assert!(complaint("{").starts_with(": expected an object in JSON, found EOF"));
    assert!(complaint("{}").starts_with(": botLanguage: expected a text, found nothing"));
    let text = complaint(&manifest("java", "/nowhere", "x.jar"));
    assert!(text.starts_with(": botLocation: expected a folder, found none at "), "{text}");
    assert!(complaint(&manifest("cobol", "", "x")).contains("LISP, golang, found `cobol`"));
    let empty = tempfile::tempdir().expect("a folder");
    let error = read_launch(empty.path().to_str().expect("plain")).expect_err("nothing in it");
    assert_eq!(error, LaunchError::NoRunScript(empty.path().to_owned()));
}

#[test]
fn links_lead_where_they_led() {
    let elsewhere = folder_with(&[("model", "outside")]);
    let folder = folder_with(&[("run.sh", ""), ("inner/data", "inside")]);
    symlink("inner/data", folder.path().join("near")).expect("a link");
    symlink(elsewhere.path().join("model"), folder.path().join("far")).expect("a link");
    symlink("nowhere", folder.path().join("broken")).expect("a link");
    let quarters = Quarters::copy_of(folder.path(), folder.path()).expect("a copy");
    let copy = quarters.folder();
    fs::write(copy.join("inner/data"), "changed").expect("the copy can be written");
    assert_eq!(fs::read_to_string(copy.join("near")).expect("a file"), "changed");
    assert_eq!(fs::read_to_string(folder.path().join("near")).expect("a file"), "inside");
    assert_eq!(fs::read_to_string(copy.join("far")).expect("a file"), "outside");
    assert!(copy.join("broken").symlink_metadata().expect("it is there").is_symlink());
}

#[test]
fn nothing_in_the_copy_leads_back_into_the_original() {
    let folder = folder_with(&[("run.sh", ""), ("inner/data", "original")]);
    symlink(folder.path().join("inner/data"), folder.path().join("absolute")).expect("a link");
    symlink("..", folder.path().join("inner/up")).expect("a link");
    // Once files of this size were links to the original.
    let large = fs::File::create(folder.path().join("model")).expect("a file");
    large.set_len(65 * 1024 * 1024).expect("it takes no room");
    let quarters = Quarters::copy_of(folder.path(), folder.path()).expect("a copy");
    let copy = quarters.folder();
    for name in ["absolute", "inner/up/inner/data", "model"] {
        fs::write(copy.join(name), "changed").expect("the copy can be written");
    }
    let original = fs::read_to_string(folder.path().join("inner/data")).expect("a file");
    assert_eq!(original, "original");
    let model = folder.path().join("model").metadata().expect("a file");
    assert_eq!(model.len(), 65 * 1024 * 1024);
}

#[test]
fn what_is_no_file_is_not_copied_and_blocks_nobody() {
    let folder = folder_with(&[("run.sh", ""), ("sub/rounds/kept", "a folder of the bot's own")]);
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.expect("mkfifo can be started").success());
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(socket).expect("a socket");
    symlink("/dev/zero", folder.path().join("zero")).expect("a link");
    let quarters = Quarters::copy_of(folder.path(), folder.path()).expect("a copy");
    let copy = quarters.folder();
    assert!(!copy.join("pipe").exists() && !copy.join("socket").exists());
    assert!(copy.join("zero").is_symlink() && copy.join("sub/rounds/kept").exists());
}

#[test]
fn a_file_called_rounds_is_the_mistake_of_the_bot() {
    let folder = folder_with(&[("run.sh", ""), ("rounds", "a list of rounds")]);
    let error = Quarters::copy_of(folder.path(), folder.path()).expect_err("it is in the way");
    let place = folder.path().join("rounds").display().to_string();
    let expected =
        format!("expected a folder or nothing at {place}, where the bot's state files go");
    assert!(error.to_string().starts_with(&expected), "{error}");
    fs::remove_file(folder.path().join("rounds")).expect("it is there");
    symlink("/nowhere", folder.path().join("rounds")).expect("a link");
    let quarters = Quarters::copy_of(folder.path(), folder.path()).expect("a link is left out");
    assert!(quarters.folder().join("rounds").is_dir());
}

#[test]
fn a_location_that_leaves_the_folder_is_refused() {
    let all = folder_with(&[
        ("bot/bot.json", ""),
        ("bot/inner/x", ""),
        ("outside/bot.py", ""),
        ("outside/x", ""),
    ]);
    let bot = all.path().join("bot");
    symlink("../outside", bot.join("link")).expect("a link");
    symlink("inner", bot.join("near")).expect("a link");
    let parsed = |location: &str, file: &str| {
        fs::write(bot.join("bot.json"), manifest("python3", location, file)).expect("a file");
        read_launch(bot.to_str().expect("plain")).map_err(|error| error.to_string())
    };
    for location in ["../outside", "/../outside", "link", "inner/../../outside", "..\\\\outside"] {
        let error = parsed(location, "bot.py").expect_err(location);
        assert!(error.contains("bot.json: botLocation: expected a folder inside "), "{error}");
        assert!(error.contains("found one that leads out of it"), "{error}");
    }
    let named = bot.join("inner/x");
    for file in ["../outside/bot.py", named.to_str().expect("plain"), "inner/../../x"] {
        let error = parsed("", file).expect_err(file);
        let expected = "bot.json: botFileName: expected a file in the bot's folder, found ";
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(parsed("near", "x").expect("it is inside").folder, Some(bot.join("near")));
    let moved = Quarters::copy_of(&bot, &bot.join("near")).expect("a copy");
    assert!(moved.folder().ends_with("inner"));
}

#[test]
fn a_manifest_has_a_sane_size_and_its_bot_a_sane_name() {
    let complaint = |text: &str| {
        let folder = folder_with(&[("bot.json", text), ("x", "")]);
        let error = read_launch(folder.path().to_str().expect("plain")).expect_err("too much");
        error.to_string().split_once("bot.json: ").expect("the file is named").1.to_owned()
    };
    let with_name = |length: usize| manifest("rust", "", "x").replace("Nick", &"é".repeat(length));
    let expected = "nickName: expected at most 64 characters, found 65";
    assert_eq!(complaint(&with_name(65)), expected);
    let folder = folder_with(&[("bot.json", &with_name(64)), ("x", "")]);
    assert_eq!(launch(folder.path()).nick_name, Some("é".repeat(64)));
    let padded = manifest("rust", "", "x") + &" ".repeat(65536);
    assert_eq!(complaint(&padded), "expected at most 65536 bytes, found more");
    let long = complaint(&manifest(&"x".repeat(50_000), "", "x"));
    assert!(long.ends_with("xxx...`") && long.len() < 300, "{long}");
}

#[test]
fn a_command_works_beside_the_files_of_the_current_folder() {
    let folder = folder_with(&[("bot.py", "x"), ("rounds/9/state.json", "old")]);
    let places = [0, 1].map(|_| Quarters::beside(folder.path()).expect("a folder"));
    for quarters in &places {
        let found = quarters.folder();
        assert_eq!(fs::read_to_string(found.join("bot.py")).expect("a link"), "x");
        assert!(found.join("rounds").is_dir() && !found.join("rounds/9").exists());
        fs::write(found.join("log"), "mine").expect("it can be written");
    }
    assert_ne!(places[0].folder(), places[1].folder());
    assert!(!folder.path().join("log").exists());
    drop(places);
    assert!(folder.path().join("bot.py").exists());
}

#[test]
fn only_the_newest_rounds_are_kept() {
    let folder = folder_with(&[("run.sh", CAT)]);
    let child = spawn(&launch(folder.path()), Some(2));
    let rounds = child.folder().join("rounds");
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    for round in 1..=5 {
        ask(&mut world, Seat::First, round, "state");
    }
    let mut left: Vec<_> = fs::read_dir(&rounds)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a number"))
        .collect();
    left.sort();
    assert_eq!(left, ["4", "5"]);
}

#[test]
fn a_bot_that_removes_its_rounds_is_sent_new_ones() {
    let script =
        "while read n; do cat rounds/$n/state.json; echo; rm -r rounds/$n; : >rounds/$n.done; done";
    let folder = folder_with(&[("run.sh", script)]);
    let child = spawn(&launch(folder.path()), None);
    let rounds = child.folder().join("rounds");
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    for round in [1, 1, 2] {
        assert_eq!(ask(&mut world, Seat::First, round, "state"), "state");
        let begun = Instant::now();
        while !rounds.join(format!("{round}.done")).exists() {
            assert!(begun.elapsed() < LONG, "the bot removes them after its answer");
        }
        fs::remove_file(rounds.join(format!("{round}.done"))).expect("the mark is there");
    }
}

#[test]
fn what_cannot_be_written_is_told_beside_the_bots_own_complaint() {
    // The second round can be neither replaced nor moved aside: the name for that is taken.
    let script = "mkdir -p rounds/2/state.json/x rounds/2/state.json-moved-aside-1; \
                  while read n; do echo $n; done";
    let folder = folder_with(&[("run.sh", script)]);
    let child = spawn(&launch(folder.path()), None);
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    assert_eq!(ask(&mut world, Seat::First, 1, "state"), "1");
    assert_eq!(world.stderr(Seat::First).text, "");
    assert_eq!(ask(&mut world, Seat::First, 2, "state"), "2");
    let told = world.stderr(Seat::First).text;
    assert!(told.starts_with("quintain: cannot write rounds/2/state.json: "), "{told}");
}

#[test]
fn a_removed_round_does_not_take_the_file_of_somebody_else_with_it() {
    let elsewhere = folder_with(&[("state.json", "of the organiser")]);
    let target = elsewhere.path().display();
    let script = format!(
        "while read n; do cat rounds/$n/state.json; echo; \
         [ $n != 1 ] || {{ rm -r rounds/1; ln -s {target} rounds/1; }}; done"
    );
    let folder = folder_with(&[("run.sh", &script)]);
    let child = spawn(&launch(folder.path()), Some(1));
    let rounds = child.folder().join("rounds");
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    for round in 1..=3 {
        assert_eq!(ask(&mut world, Seat::First, round, "state"), "state");
        let begun = Instant::now();
        while round == 1 && !rounds.join("1").is_symlink() {
            assert!(begun.elapsed() < LONG, "the bot makes a link after its answer");
        }
    }
    let kept = fs::read_to_string(elsewhere.path().join("state.json")).expect("still there");
    assert_eq!(kept, "of the organiser");
}

#[test]
#[should_panic(expected = "a protocol names files as rounds/a/b")]
fn a_protocol_that_leaves_the_folder_is_a_bug() {
    let folder = folder_with(&[("run.sh", CAT)]);
    let child = spawn(&launch(folder.path()), None);
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::process(child), Link::inside()]));
    world.send(Seat::First, &Item::File { path: "../x/y".into(), bytes: Vec::new() });
}

#[test]
fn a_bot_that_could_not_be_started_is_known_to_be_absent() {
    let folder = folder_with(&[("bot.json", &manifest("rust", "", "missing"))]);
    let launch = launch(folder.path());
    let quarters = Quarters::copy_of(folder.path(), folder.path()).expect("a copy");
    let error = Child::spawn_in(quarters, &launch, None).expect_err("no such file");
    assert!(error.to_string().starts_with("cannot start `./missing` in "), "{error}");
    let mut world = RealWorld::new(FRAMING, PerSeat([Link::absent(), Link::inside()]));
    assert_eq!(world.absence(Seat::First), Some(Absence::Unstartable));
    assert_eq!(world.absence(Seat::Second), None);
    assert_eq!(world.next(None), Wait::Silent);
}
