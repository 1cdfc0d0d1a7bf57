//! Real processes in the games with state files: a missing answer costs the round and not the match,
//! whatever the bot does, and everything can be played again from the replay.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::{ConfigChoice, Edition, ErrorKind, Fault, Manner, PerSeat, Seat};
use quintain_links::{Child, Link, Quarters, RealWorld};
use quintain_record::Launch;
use quintain_referee::{Ask, Input, MatchRules};
use quintain_registry::{AnyGame, GAMES, MatchReport, MatchSpec, NoSpectator};
use quintain_replay::{RecordedStep, Replay};
use quintain_testkit::{Mark, program, program_on_stdin};
use rustix::process::{Resource, getrlimit, setrlimit};
use tempfile::TempDir;

/// Answers every round, the first ones after a look at the files. Overdrive takes the first piece of the
/// answer and Worms the last, so that it drives on in the one and is never idle in the other.
const SOUND: &str = r#"
while read n; do
  if [ $n -le 9 ]; then
    cmp -s rounds/$n/textMap.txt rounds/$n/state.txt || exit 8
    [ "$(tail -c 1 rounds/$n/state.json)" = "}" ] || exit 9
  fi
  echo "C;$n;nothing;shoot N"
done"#;

fn games() -> Vec<&'static dyn AnyGame> {
    let found: Vec<_> =
        GAMES.iter().copied().filter(|game| game.facts().abilities.state_files).collect();
    assert!(!found.is_empty(), "there are games with state files");
    found
}

/// A played match, with its files.
struct Played {
    report: MatchReport,
    replay: Replay,
    folder: TempDir,
}

impl Played {
    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// The rounds in which the first seat was found wanting, and why.
    fn faults(&self) -> Vec<(u32, Fault)> {
        let of_step = |step: &RecordedStep| {
            let mut faults = step.record.faults();
            let found = faults.find(|(seat, _)| *seat == Seat::First);
            found.map(|(_, fault)| (step.record.turn + 1, fault))
        };
        self.replay.steps.iter().filter_map(of_step).collect()
    }

    /// Whether report and replay say that the first seat meddled, in this way among others, and that
    /// nobody else did.
    fn is_charged_with(&self, meddling: &str) -> bool {
        let all = self.report.errors.iter().filter(|error| error.kind == ErrorKind::Meddling);
        let steps = self.replay.steps.iter();
        let told: Vec<&String> =
            steps.flat_map(|step| &step.record.meddling[Seat::First]).collect();
        told.iter().any(|text| text.starts_with(meddling))
            && matches!(all.collect::<Vec<_>>()[..], [error] if error.seat == Seat::First
                && error.text.starts_with(told[0])
                && error.times as usize == told.len())
    }

    /// The command of the first seat, as the match log has it.
    fn command(&self, round: u32) -> String {
        let file = format!("Round {round:03}/A - one/PlayerCommand.txt");
        let text = std::fs::read_to_string(self.log().join(file)).expect("the round was played");
        let line = text.lines().next().expect("it has lines");
        line.strip_prefix("Command: ").expect("the command comes first").to_owned()
    }
}

fn limited(limit_ms: u64) -> ConfigChoice {
    ConfigChoice::default().with_time("limit", Duration::from_millis(limit_ms))
}

/// Plays a match of the first seat's place against a sound bot.
fn play(game: &dyn AnyGame, first: Link, choice: ConfigChoice) -> Played {
    play_and_log(game, first, choice, true)
}

/// The same; a match log takes most of the time.
fn play_and_log(game: &dyn AnyGame, first: Link, choice: ConfigChoice, has_log: bool) -> Played {
    let folder = tempfile::tempdir().expect("a folder");
    let replay = folder.path().join("match.replay.jsonl");
    let spec = MatchSpec {
        config: game.configure(&choice).expect("a possible choice"),
        seed: 5,
        seats: PerSeat([program("one"), program("two")]),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([None, None]),
        opening: None,
        replay: Some(replay.clone()),
        match_log: has_log.then(|| folder.path().join("log")),
        signer: None,
        sandbox: None,
    };
    let mut world = RealWorld::new(game.framing(), PerSeat([first, script(SOUND)]));
    let report = game.play(&spec, &mut world, &mut NoSpectator).expect("the match is played");
    assert!(report.replay_error.is_none() && report.match_log_error.is_none(), "{report:?}");
    let id = game.facts().id;
    let of_second = |(seat, fault): &&(Seat, Fault)| *seat == Seat::Second && fault.is_lasting();
    assert_eq!(report.faults.iter().find(of_second), None, "{id}: the sound bot has its files");
    let replay = quintain_replay::read(&replay).expect("it was written");
    let ended = game.verify(&mut replay.playback()).unwrap_or_else(|error| panic!("{id}: {error}"));
    assert_eq!(ended.outcome, Some(report.outcome), "{id}");
    Played { report, replay, folder }
}

fn script(text: &str) -> Link {
    let launch = Launch {
        program: "/bin/sh".to_owned(),
        args: vec!["-c".to_owned(), text.to_owned()],
        ..Launch::default()
    };
    start(&launch)
}

fn misbehave(flag: &str, mark: &Mark) -> Link {
    start(&misbehaviour(flag, mark))
}

fn misbehaviour(flag: &str, mark: &Mark) -> Launch {
    let program = env!("CARGO_BIN_EXE_misbehave").to_owned();
    let env = vec![mark.variable()];
    Launch { program, args: vec![flag.to_owned()], env, ..Launch::default() }
}

fn start(launch: &Launch) -> Link {
    Link::process(spawn(launch))
}

fn spawn(launch: &Launch) -> Child {
    let quarters = Quarters::empty().expect("a folder can be made");
    Child::spawn_in(quarters, launch, None).expect("the bot starts")
}

#[test]
fn a_missing_answer_costs_the_round_and_not_the_match() {
    for game in games() {
        let silent_once = "while read n; do [ $n = 2 ] || echo \"C;$n;nothing\"; done";
        let played = play(game, script(silent_once), limited(500));
        assert_eq!(played.faults().first(), Some(&(2, Fault::Late)), "{}", game.facts().id);
        assert_eq!(played.command(2), "No Command");
        assert_eq!(played.command(3), "nothing");
        assert!(played.report.turns > 5);
    }
}

#[test]
fn a_late_line_is_not_taken_for_the_next_round() {
    for game in games() {
        let slow_once = "while read n; do [ $n != 2 ] || sleep 1.5; echo \"C;$n;cmd$n\"; done";
        let played = play(game, script(slow_once), limited(1000));
        assert_eq!(played.faults().first(), Some(&(2, Fault::Late)));
        assert_eq!(played.command(2), "No Command");
        assert_eq!(played.command(3), "cmd3");
        let third = &played.replay.steps[2].record.inputs;
        let is_stale =
            |input: &Input| matches!(input, Input::Line { line, .. } if line == "C;2;cmd2");
        assert!(third.iter().any(is_stale), "it came in the third round: {third:?}");
    }
}

#[test]
fn stale_and_foreign_lines_are_ignored_and_the_first_answer_counts() {
    for game in games() {
        let chatter = r#"
while read n; do
  echo "C;$((n-1));stale"; echo "- C;$n;dash"; echo "c;$n;small"; echo "C;0$n;zero"; echo "hello"
  printf 'C;%s;nothing\r\nC;%s;second\n' $n $n
done"#;
        let played = play(game, script(chatter), limited(2000));
        assert_eq!(played.faults(), []);
        for round in [1, 2, 5] {
            assert_eq!(played.command(round), "nothing");
        }
    }
}

#[test]
fn an_answer_after_a_blank_is_one_for_the_document_and_none_for_the_original() {
    for game in games() {
        for (edition, expected) in [(Edition::Document, "blank"), (Edition::Original, "plain")] {
            let both = "while read n; do echo \" C;$n;blank\"; echo \"C;$n;plain\"; done";
            let played = play(game, script(both), ConfigChoice { edition, ..limited(2000) });
            assert_eq!(played.faults(), []);
            assert_eq!(played.command(1), expected, "{} {edition:?}", game.facts().id);
        }
    }
}

#[test]
fn a_bot_that_ends_is_missed_at_once_in_every_round() {
    for game in games() {
        let mortal = "while read n; do [ $n != 3 ] || exit 4; echo \"C;$n;nothing\"; done";
        let played = play(game, script(mortal), limited(60_000));
        let faults = played.faults();
        let rounds: Vec<u32> = faults.iter().map(|(round, _)| *round).collect();
        assert_eq!(rounds, (3..=played.report.turns).collect::<Vec<_>>());
        assert!(faults.iter().all(|(_, fault)| fault.code() == "gone"));
        let closing = &played.report.closing;
        assert!(
            closing.contains("; one was gone: its process ended with exit code 4"),
            "{closing}"
        );
        assert_eq!(played.report.outcome.winner(), Some(Seat::Second), "{closing}");
    }
}

#[test]
fn a_bot_that_could_not_be_started_plays_on_without_commands() {
    for game in games() {
        let played = play(game, Link::absent(), limited(60_000));
        assert_eq!(played.faults().len() as u32, played.report.turns);
        let closing = &played.report.closing;
        assert!(closing.ends_with("; one could not be started"), "{closing}");
        assert_eq!(played.report.outcome.winner(), Some(Seat::Second), "{closing}");
        let told: Vec<&str> = played.report.faults.iter().map(|(_, fault)| fault.code()).collect();
        assert_eq!(told, ["unstartable"], "once is enough in a report");
    }
}

#[test]
fn the_first_answer_has_more_time() {
    for game in games() {
        let slow_start = "while read n; do [ $n -gt 2 ] || sleep 0.8; echo \"C;$n;nothing\"; done";
        let choice = limited(400).with("start-limit", "20s");
        let played = play(game, script(slow_start), choice);
        assert_eq!(played.faults().first(), Some(&(2, Fault::Late)), "{}", game.facts().id);
    }
}

#[test]
fn whatever_a_bot_does_the_match_ends_with_a_result() {
    let cases = [
        ("exit-at-once=3", "gone"),
        ("never-read", "late"),
        ("never-answer", "late"),
        ("flood-stdout", "flooded"),
        ("flood-lines", "late"),
        ("close-stdout", "gone"),
        ("fork-holder", "gone"),
        ("ignore-sigterm", "late"),
        ("join-parent", "late"),
        ("scatter", "late"),
        ("leave-daemon", "gone"),
        ("end-first-thread", "gone"),
        ("not-utf8", "late"),
        ("echo=nothing", "late"),
    ];
    let mark = Mark::new("results");
    for game in games() {
        for (flag, code) in cases {
            let choice = limited(40).with("start-limit", "300ms");
            let played = play(game, misbehave(flag, &mark), choice);
            mark.assert_nothing_is_left(flag);
            let faults = played.faults();
            let last = faults.last().unwrap_or_else(|| panic!("{flag} is found wanting"));
            assert_eq!(last.1.code(), code, "{} {flag}", game.facts().id);
            assert_eq!(played.report.outcome.winner(), Some(Seat::Second), "{flag}");
        }
    }
}

/// What the first seat wrote to its error output by the end of a round, and what was told there of it.
fn errors_by(played: &Played, round: u32) -> String {
    let steps = played.replay.steps.iter().take_while(|step| step.record.turn < round);
    steps.map(|step| step.record.stderr[Seat::First].text.as_str()).collect()
}

#[test]
fn what_a_bot_puts_in_the_way_of_its_state_files_is_told_and_harms_nobody() {
    let bait = tempfile::tempdir().expect("a folder");
    let file = bait.path().join("state.json");
    std::fs::write(&file, "of the organiser").expect("a file");
    let (link, folder) = (file.display(), bait.path().display());
    let cases = [
        ("pipe-in-the-way".to_owned(), 5, "put a pipe at rounds/5/state.json; it was taken away"),
        ("folder-in-the-way".to_owned(), 6, "put a folder at rounds/6/state.json; it was taken"),
        (format!("link-in-the-way={link}"), 5, "put a link at rounds/5/state.json; it was taken"),
        (format!("round-as-link={folder}"), 7, "put a link at rounds/7; it was taken away"),
        (format!("rounds-as-link={folder}"), 2, "put a link at rounds; it was taken away"),
        ("rounds-as-pipe".to_owned(), 2, "put a pipe at rounds; it was taken away"),
        ("rounds-gone".to_owned(), 2, "took rounds away; it was made anew"),
    ];
    for game in games() {
        for (flag, round, told) in &cases {
            let what = format!("{} {flag}", game.facts().id);
            let mark = Mark::new("in-the-way");
            let played = play_and_log(game, misbehave(flag, &mark), limited(60_000), false);
            mark.assert_nothing_is_left(&what);
            assert_eq!(played.faults(), [], "{what}: it answers every round");
            let errors = errors_by(&played, *round);
            assert!(errors.contains(&format!("quintain: the bot {told}")), "{what}: {errors}");
            assert!(played.is_charged_with(told), "{what}: {:?}", played.report.errors);
            assert!(!errors.contains("cannot write"), "{what}: {errors}");
            let left: Vec<_> = std::fs::read_dir(bait.path()).expect("a folder").collect();
            assert_eq!(left.len(), 1, "{what}: nothing was written elsewhere: {left:?}");
            let text = std::fs::read_to_string(&file).expect("a file");
            assert_eq!(text, "of the organiser", "{what}");
        }
    }
}

#[test]
fn nothing_that_a_bot_leaves_in_its_folder_keeps_that_folder_alive() {
    // As many as a process usually may have open; folders can be deeper than that.
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = Some(1024);
    setrlimit(Resource::Nofile, limit).expect("less is allowed");
    for game in games() {
        for flag in ["deep-folders", "locked-files"] {
            let mark = Mark::new("left-in-folder");
            let child = spawn(&misbehaviour(flag, &mark));
            let folder = child.folder().to_owned();
            assert!(folder.exists());
            let played = play_and_log(game, Link::process(child), limited(60_000), false);
            mark.assert_nothing_is_left(flag);
            assert_eq!(played.faults(), [], "{flag}: it answers every round");
            assert!(!folder.exists(), "{flag}: {} is left", folder.display());
        }
    }
}

#[test]
fn two_timeouts_in_a_row_ask_for_a_look() {
    for game in games() {
        let silent_twice = "while read n; do [ $n = 2 -o $n = 3 ] || echo \"C;$n;nothing\"; done";
        let played = play(game, script(silent_twice), limited(300));
        let remarks =
            played.report.remarks.clone().expect("these games have a referee of their own");
        let expected = "Consecutive timeouts on rounds 2 and 3";
        assert!(remarks.iter().any(|remark| remark.contains(expected)), "{remarks:?}");
        let last = played.log().join(format!("Round {:03}/endGameState.txt", played.report.turns));
        let text = std::fs::read_to_string(last).expect("it stands in the last round");
        assert!(text.starts_with("Match seed: 5\n\n"), "{text}");
        let rule = "=".repeat(39);
        assert!(text.contains(&format!("{rule}\nReferee messages\n{rule}\n")), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn the_match_log_is_complete_and_the_same_from_the_replay() {
    for game in games() {
        // Idle in Worms, so that its match and its log are short.
        let idle = SOUND.replace(";shoot N", "");
        let played = play(game, script(&format!("echo oops >&2; {idle}")), limited(5000));
        let again = played.folder.path().join("again");
        let write = game.facts().abilities.match_log.expect("games with state files have one");
        write(&mut played.replay.playback(), &again).expect("it can be written");
        let (live, again) = (files_below(&played.log()), files_below(&again));
        assert_eq!(live.keys().collect::<Vec<_>>(), again.keys().collect::<Vec<_>>());
        for (name, bytes) in &live {
            assert!(bytes == &again[name], "{}: {name} differs", game.facts().id);
        }
        for name in ["match.log", "A - one.csv", "B - two.csv", "Round 001/GlobalState.json"] {
            assert!(live.contains_key(name), "{name}");
        }
        for player in ["A - one", "B - two"] {
            for file in ["JsonMap.json", "TextMap.txt", "PlayerCommand.txt", "Console/Console.txt"]
            {
                assert!(live.contains_key(&format!("Round 002/{player}/{file}")), "{file}");
            }
        }
        let lines = String::from_utf8_lossy(&live["A - one.csv"]).lines().count();
        assert_eq!(lines as u32, played.report.turns + 1, "a header and a line for each round");
        let refused = write(&mut played.replay.playback(), &played.log()).expect_err("not empty");
        assert!(refused.to_string().contains("expected a new or empty folder"), "{refused}");
    }
}

fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").to_string_lossy().into_owned();
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

#[test]
fn the_state_comes_on_a_line_where_that_is_wanted() {
    for game in games() {
        let mut world = RealWorld::new(
            game.framing(),
            PerSeat::from_fn(|_| {
                script(
                    "while read n && read s; do case $s in '{'*'}') echo \"C;$n;nothing\"; esac; done",
                )
            }),
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("match.replay.jsonl.zst");
        let spec = MatchSpec {
            config: game.configure(&limited(5000)).expect("a possible choice"),
            seed: 9,
            seats: PerSeat([program_on_stdin("one"), program_on_stdin("two")]),
            files: PerSeat::default(),
            rules: MatchRules::default(),
            ask: Ask::Together,
            start_limit: PerSeat([None, None]),
            opening: None,
            replay: Some(path.clone()),
            match_log: None,
            sandbox: None,
            signer: None,
        };
        let report = game.play(&spec, &mut world, &mut NoSpectator).expect("the match is played");
        assert_eq!(report.faults, []);
        let replay = quintain_replay::read(&path).expect("it was written");
        assert_eq!(replay.header.manners, PerSeat([Manner::Lines; 2]));
        game.verify(&mut replay.playback())
            .unwrap_or_else(|error| panic!("{}: {error}", game.facts().id));
    }
}
