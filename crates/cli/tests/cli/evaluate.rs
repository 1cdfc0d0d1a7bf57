//! `quintain evaluate`: teams that connect by themselves, and teams that fail in every way.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use quintain_arena::VOIDS_FREE;
use quintain_core::Seat;
use quintain_record::{Ending, VoidReason};
use quintain_store::{Filter, Store};
use quintain_testkit::Postgres;

use crate::support::{Finished, Folder, binary, json, late_answer};

/// A team that shoots when it can, and connects to the port it is told.
pub(crate) const PLAYER: &str =
    r#"exec "$BIN" bot hockey greedy --connect "$QUINTAIN_HOST:$QUINTAIN_PORT""#;
/// Gives its name, then leaves when the game begins.
const CRASHER: &str = r#"exec bash -c '
exec 3<>/dev/tcp/$QUINTAIN_HOST/$QUINTAIN_PORT
read -r question <&3; printf "crasher\r\n" >&3; read -r welcome <&3; read -r on <&3; exit 3'"#;
/// Gives its name and never says anything again.
const SLEEPER: &str = r#"exec bash -c '
exec 3<>/dev/tcp/$QUINTAIN_HOST/$QUINTAIN_PORT
read -r question <&3; printf "sleeper\r\n" >&3; while read -r line <&3; do :; done'"#;
/// Never connects.
const HERMIT: &str = "exec sleep 60";

pub(crate) fn teams(folder: &Folder, teams: &[(&str, Option<&str>)]) {
    for (name, script) in teams {
        let home = folder.path(&format!("teams/{name}"));
        std::fs::create_dir_all(&home).expect("a folder for the team");
        if let Some(script) = script {
            let path = home.join("run.sh");
            let text = format!("#!/usr/bin/env bash\nBIN='{}'\n{script}\n", binary());
            std::fs::write(&path, text).expect("a script");
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, mode).expect("a script that can be run");
        }
    }
    std::fs::write(folder.path("teams/notes.txt"), "no team").expect("a file");
}

fn evaluate(folder: &Folder, options: &str) -> Finished {
    folder.run(&format!("evaluate hockey teams --listen 127.0.0.1:0 {options}"))
}

/// By hand: `a-player` wins two games against each of the four others, which is all that can be won:
/// 8 points. `b-crasher` wins against those who never come, and against the sleeper the second of the
/// two that has to throw loses: whoever has the first seat loses both to a crash and to sleep, so one
/// game each. So b has 1 + 2 + 2 = 5 points, c the same, d and e none: neither is ever ready, so
/// nobody wins their games. Positions 1, 2, 2, 4, 4 are worth 4/4, 3/4, 3/4, 1/4 and 1/4 of 90%. The
/// script of d never brings it to its welcome, so it earns as little as that of e, which has none.
#[test]
fn five_teams_are_marked_as_computed_by_hand() {
    let folder = Folder::new();
    teams(
        &folder,
        &[
            ("a-player", Some(PLAYER)),
            ("b-crasher", Some(CRASHER)),
            ("c-sleeper", Some(SLEEPER)),
            ("d-hermit", Some(HERMIT)),
            ("e-empty", None),
        ],
    );
    let finished = evaluate(&folder, "--games 2 --limit 500ms --start-limit 2s --output json");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let report = json(&finished.stdout);
    assert_eq!(report["complete"], true);
    let line = |index: usize| {
        let team = &report["teams"][index];
        (
            team["position"].as_u64().expect("a position"),
            team["team"].as_str().expect("a name").to_owned(),
            team["points"].as_u64().expect("points"),
            team["ranking_percent"].as_f64().expect("a share"),
            team["script_percent"].as_f64().expect("a share"),
            team["total_percent"].as_f64().expect("a share"),
        )
    };
    let expected = [
        (1, "a-player".to_owned(), 8, 90.0, 10.0, 100.0),
        (2, "b-crasher".to_owned(), 5, 67.5, 10.0, 77.5),
        (2, "c-sleeper".to_owned(), 5, 67.5, 10.0, 77.5),
        (4, "d-hermit".to_owned(), 0, 22.5, 0.0, 22.5),
        (4, "e-empty".to_owned(), 0, 22.5, 0.0, 22.5),
    ];
    let lines: Vec<_> = (0..5).map(line).collect();
    assert_eq!(lines, expected, "{report:#}");
    let errors = |index: usize| report["teams"][index]["errors"].clone();
    assert_eq!(errors(0), serde_json::json!({}));
    assert_eq!(
        errors(3),
        serde_json::json!({ "not-started": 7 }),
        "one was not called: {report:#}"
    );
    let pairing = report["pairings"].as_array().expect("pairings");
    assert_eq!(pairing.len(), 10);
    let dead = pairing.last().expect("the last pairing");
    assert_eq!(dead["teams"], serde_json::json!(["d-hermit", "e-empty"]));
    assert_eq!((&dead["games"], &dead["wins"]), (&2.into(), &serde_json::json!([0, 0])));
    assert_eq!(dead["reasons"], serde_json::json!({ "never became ready": 2 }));
}

/// Two teams that play: all games are played, the seats alternate, and the points are all games.
#[test]
fn teams_that_play_share_the_games() {
    let folder = Folder::new();
    let stdio = r#"# The word QUINTAIN_LINK says that it can talk here.
exec "$BIN" bot hockey random"#;
    teams(&folder, &[("one", Some(PLAYER)), ("two", Some(PLAYER)), ("three", Some(stdio))]);
    let finished = evaluate(&folder, "--games 6 --output json");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let report = json(&finished.stdout);
    let pairings = report["pairings"].as_array().expect("pairings");
    assert_eq!(pairings.len(), 3);
    for pairing in pairings {
        let wins: u64 = (0..2).map(|team| pairing["wins"][team].as_u64().expect("wins")).sum();
        assert_eq!((wins, &pairing["games"], &pairing["ended"]), (6, &6.into(), &"games".into()));
        assert_eq!(pairing["failures"], serde_json::json!([null, null]), "{pairing:#}");
    }
}

#[test]
fn a_pairing_that_leads_to_nothing_is_given_up_and_time_ends_one() {
    let folder = Folder::new();
    teams(&folder, &[("dead", None), ("gone", Some("exit 7"))]);
    let finished = evaluate(&folder, "--give-up 3");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    assert!(finished.stdout.contains("given up"), "{}", finished.stdout);
    assert!(finished.stdout.contains("exit code 7"), "{}", finished.stdout);

    let folder = Folder::new();
    teams(&folder, &[("hermit", Some(HERMIT)), ("player", Some(PLAYER))]);
    let finished = evaluate(&folder, "--time 300ms --output json");
    let report = json(&finished.stdout);
    let pairing = &report["pairings"][0];
    assert_eq!((&pairing["games"], &pairing["ended"]), (&0.into(), &"time".into()), "{report:#}");
}

#[test]
fn wrong_calls_are_explained() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("teams")).expect("a folder");
    let finished = evaluate(&folder, "");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("expected a folder for each team in teams, found none"));
    let finished = folder.run("evaluate fencing teams");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("found fencing"), "{}", finished.stderr);
    let finished = folder.run("evaluate hockey nowhere");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("nowhere"), "{}", finished.stderr);
}

/// Connects again and again under a false name, from its own processes and from one that left them
/// behind, and plays as well.
const THIEF: &str = r#"thief='while exec 3<>/dev/tcp/$QUINTAIN_HOST/$QUINTAIN_PORT; do
read -r -t 1 question <&3; printf "thief\r\n" >&3; read -r -t 1 welcome <&3; exec 3>&-; done'
bash -c "$thief" 2>/dev/null &
(setsid bash -c "$thief" 2>/dev/null >/dev/null </dev/null &)
exec "$BIN" bot hockey random --connect "$QUINTAIN_HOST:$QUINTAIN_PORT""#;

/// Whoever is not started by a team cannot take its seat, neither before it nor instead of it.
#[test]
fn a_team_that_connects_twice_never_takes_the_seat_of_the_other() {
    let folder = Folder::new();
    teams(
        &folder,
        &[("honest", Some(PLAYER)), ("thief", Some(THIEF)), ("wallflower", Some(HERMIT))],
    );
    let finished = evaluate(&folder, "--games 4 --start-limit 2s --output json");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let report = json(&finished.stdout);
    let pairing = |names: [&str; 2]| {
        let pairings = report["pairings"].as_array().expect("pairings");
        let found = pairings.iter().find(|pairing| pairing["teams"] == serde_json::json!(names));
        found.unwrap_or_else(|| panic!("no pairing of {names:?}: {report:#}")).clone()
    };
    let honest = pairing(["honest", "thief"]);
    assert_eq!((&honest["games"], &honest["failures"][0]), (&4.into(), &().into()), "{honest:#}");
    let absent = pairing(["thief", "wallflower"]);
    assert_eq!((&absent["wins"][1], &absent["games"]), (&0.into(), &4.into()), "{absent:#}");
    let failure = absent["failures"][1].as_str().expect("it never comes");
    assert!(failure.contains("sent away a connection: it belongs to a process that"), "{failure}");
}

/// Sends a signal to an evaluation that has played its first game, and reads what it says of that.
fn stop_evaluation(folder: &Folder, options: &str, signal: &str) {
    let words = format!("evaluate hockey teams --listen 127.0.0.1:0 {options}");
    let running = folder.start(&words.split_whitespace().collect::<Vec<_>>());
    // The first game's replay is a sample.
    let replays = folder.path("marks.replays");
    while !std::fs::read_dir(&replays).is_ok_and(|mut files| files.next().is_some()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal(signal);
    let stopped = running.finish();
    assert_eq!(stopped.code, 1, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("to go on: quintain evaluate hockey teams"), "{stopped:?}");
    assert_eq!(json(&stopped.stdout)["complete"], false);
}

#[test]
fn a_signal_to_end_stops_an_evaluation_as_an_interrupt_does() {
    let folder = Folder::new();
    teams(&folder, &[("a", Some(PLAYER)), ("b", Some(PLAYER))]);
    let options = "--games 400 --store marks.db --sample 1 --output json";
    stop_evaluation(&folder, options, "TERM");
}

/// The same command again goes on, and then the marks are those of a run that nobody stopped.
#[test]
fn an_evaluation_that_was_stopped_goes_on_where_it_stopped() {
    let folder = Folder::new();
    let all = [("a", Some(PLAYER)), ("b", Some(PLAYER)), ("c", Some(CRASHER)), ("d", None)];
    teams(&folder, &all);
    let options = "--games 8 --give-up 4 --store marks.db --sample 4 --output json";
    stop_evaluation(&folder, options, "INT");
    let finished = evaluate(&folder, options);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let report = json(&finished.stdout);
    assert_eq!(report["complete"], true, "{report:#}");
    for pairing in report["pairings"].as_array().expect("pairings") {
        let failing = pairing["teams"][1] == "c" || pairing["teams"][1] == "d";
        let games = if failing { 4 } else { 8 };
        assert_eq!(pairing["games"], games, "{pairing:#}");
    }
    let again = evaluate(&folder, options);
    let strip = |text: &str| {
        let mut report = json(text);
        // What is known of the playing alone.
        for key in ["network", "notes", "replays", "side_by_side"] {
            report[key] = serde_json::Value::Null;
        }
        for pairing in report["pairings"].as_array_mut().expect("pairings") {
            pairing["seconds"] = serde_json::Value::Null;
        }
        report
    };
    assert_eq!(strip(&again.stdout), strip(&finished.stdout), "nothing is left to be played");
    let shown = evaluate(&folder, &format!("{options} --standings"));
    assert_eq!(strip(&shown.stdout), strip(&finished.stdout));

    let replay = report["pairings"][1]["failure_replays"][1].as_str().expect("a failed game");
    assert!(folder.ok(&format!("verify {replay}")).contains("verified: "));
    let listed = folder.ok("stats --store marks.db --bot a --opponent b --list-replays");
    assert_eq!(listed.lines().count(), 2, "games 0 and 4 of 8: {listed}");

    let other = evaluate(&folder, "--games 9 --store marks.db");
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("games was `8`, now `9`"), "{}", other.stderr);
}

#[test]
fn the_page_holds_the_marks_and_escapes_names() {
    let folder = Folder::new();
    teams(&folder, &[("<b>one", Some(PLAYER)), ("two", Some("exit 7"))]);
    let finished = evaluate(&folder, "--games 2 --output html");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let page = finished.stdout;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>"), "{page}");
    assert!(
        page.contains("<th scope=\"row\">&#60;b&#62;one</th>") && !page.contains("<b>one"),
        "{page}"
    );
    assert!(page.contains("exit code 7"), "{page}");
}

/// Who only looks needs no port, gives no limits, and does not hinder who plays. What the machine
/// disturbed is listed with its times.
#[test]
fn stored_marks_are_shown_beside_whoever_plays() {
    let folder = Folder::new();
    let tagged = format!("echo '[PDATA] depth = 7' >&2\n{PLAYER}");
    teams(&folder, &[("ada", Some(&tagged)), ("bob", Some(PLAYER))]);
    let missing = evaluate(&folder, "--store missing.db --standings");
    assert_eq!(missing.code, 1, "{}", missing.stderr);
    assert!(missing.stderr.contains("there is no store at"), "{}", missing.stderr);
    assert!(!folder.path("missing.db").exists(), "looking makes no store");

    let played = evaluate(&folder, "--games 4 --store marks.db --json");
    assert_eq!((played.code, played.stderr.as_str()), (0, ""));
    let tagged = folder.ok("stats --store marks.db --bot ada --tag depth>=7");
    assert!(tagged.contains("4 games"), "{tagged}");
    let path = folder.path("marks.db");
    let store = Store::open(path.to_str().expect("a path")).expect("the store");
    let info = store.runs().expect("runs").remove(0);
    let run = store.begin(&info.plan).expect("the run");
    let first = store.whole_games(info.id, &Filter::default()).next().expect("games");
    let (_, mut game) = first.expect("a game");
    game.head.id.seed_index = 77;
    game.head.ending = Ending::Void(VoidReason::Disturbed);
    game.disturbances = vec![late_answer(4, None)];
    run.record(&game).expect("a game");

    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address");
    let look = format!("evaluate hockey teams --listen {address} --store marks.db --standings");
    let report = json(&folder.ok(&format!("{look} --json")));
    assert_eq!(report["pairings"][0]["void"], 1, "{report:#}");
    assert_eq!(report["pairings"][0]["ended"], "games", "{report:#}");
    assert_eq!(report["disturbed"][0]["late_by_ms"], 11.5, "{report:#}");
    for (form, parts) in [
        ("table", ["games, 1 void", "void (disturbed): game 0-0-77-a", "61.5"]),
        ("html", ["games, 1 void", "void (disturbed): game 0-0-77-a", "<td>61.5</td>"]),
    ] {
        let text = folder.ok(&format!("{look} --output {form}"));
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    drop(run);
    let other = folder.run(&format!("{look} --name other"));
    assert_eq!(other.code, 2, "{}", other.stderr);
    assert!(other.stderr.contains("(evaluate hockey), found `other`"), "{}", other.stderr);
}

/// Takes all but the first two games of an evaluation out of its store, as if it had been stopped there, and adds
/// some in which the second seat of the first was late because of the machine. Returns that seat's team.
fn stop_early_with_voids(folder: &Folder, voids: u64) -> String {
    let python = "import sqlite3; store = sqlite3.connect('marks.db'); \
        [store.execute(f'DELETE FROM {table} WHERE number > 2') for table in ('games', 'faults', 'tags')]; \
        store.commit()";
    let edited = std::process::Command::new("python3")
        .args(["-c", python])
        .current_dir(folder.path(""))
        .status();
    assert!(edited.expect("python can be started").success());
    let path = folder.path("marks.db");
    let store = Store::open(path.to_str().expect("a path")).expect("the store");
    let info = store.runs().expect("runs").remove(0);
    let run = store.begin(&info.plan).expect("the run");
    let first = store.whole_games(info.id, &Filter::default()).next().expect("games");
    let (_, mut game) = first.expect("a game");
    game.head.ending = Ending::Void(VoidReason::Disturbed);
    game.disturbances = vec![late_answer(4, None)];
    for number in 0..voids {
        game.head.id.seed_index = 70 + u32::try_from(number).expect("a few");
        run.record(&game).expect("a game");
    }
    let late = game.head.bots[Seat::Second].index();
    ["ada", "bob"][late].to_owned()
}

/// What a team was excused for in the games of the store counts when the evaluation goes on.
#[test]
fn a_team_that_was_excused_too_often_is_told_so_after_going_on() {
    for voids in [VOIDS_FREE - 1, VOIDS_FREE] {
        let folder = Folder::new();
        teams(&folder, &[("ada", Some(PLAYER)), ("bob", Some(PLAYER))]);
        let options = "--games 8 --store marks.db --no-replays";
        assert_eq!(evaluate(&folder, options).stderr, "");
        let late = stop_early_with_voids(&folder, voids);
        let finished = evaluate(&folder, options);
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        let note = format!(
            "not protected: late is late for {late}, however busy this machine is: {voids} of its \
             games are void already because it was late"
        );
        let told = usize::from(voids == VOIDS_FREE);
        assert_eq!(finished.stderr.matches(&note).count(), told, "{}", finished.stderr);
        assert_eq!(finished.stderr.matches("not protected").count(), told, "{}", finished.stderr);
    }
}

#[test]
fn an_evaluation_is_kept_in_a_database_too() {
    let Some(server) = Postgres::shared() else { return };
    let folder = Folder::new();
    folder.write("password", server.password());
    let store = server.database_without_password("evaluation");
    let store = format!("{store} --store-password-file password");
    teams(&folder, &[("ada", Some(PLAYER)), ("bob", Some(PLAYER)), ("none", None)]);
    let call = format!("--games 4 --store {store} --json");
    let finished = evaluate(&folder, &call);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let report = json(&finished.stdout);
    assert_eq!(report["complete"], true, "{report:#}");
    let shown = json(&evaluate(&folder, &format!("--store {store} --standings --json")).stdout);
    assert_eq!(shown["teams"], report["teams"]);
    let listed = folder.ok(&format!("stats --store {store} --bot ada --opponent bob"));
    assert!(listed.contains("4 games"), "{listed}");
    let replays = folder.ok(&format!("stats --store {store} --list-replays"));
    for replay in replays.lines() {
        assert!(folder.ok(&format!("verify {replay}")).contains("verified: "), "{replay}");
    }
    assert!(!replays.is_empty(), "the first game of a pairing is a sample");
}

#[test]
fn scripts_that_cannot_start_are_told_what_helps() {
    let folder = Folder::new();
    teams(
        &folder,
        &[("ada", Some(PLAYER)), ("late", Some(HERMIT)), ("win", Some("exec sleep 60\r\n"))],
    );
    let finished = evaluate(&folder, "--games 2 --give-up 1 --start-limit 2s");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    assert!(finished.stdout.contains("give more with --start-limit"), "{}", finished.stdout);
    assert!(finished.stdout.contains("win: its run.sh has the line ends"), "{}", finished.stdout);
}

fn team<'a>(report: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let teams = report["teams"].as_array().expect("teams");
    let found = teams.iter().find(|team| team["team"] == name);
    found.unwrap_or_else(|| panic!("no team {name}: {report:#}"))
}

fn executable(folder: &Folder, name: &str, text: &str) {
    let path = folder.write(name, format!("#!/usr/bin/env bash\nBIN='{}'\n{text}\n", binary()));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).expect("a program that can be run");
}

#[test]
fn the_share_for_the_script_is_earned_by_coming_to_the_welcome() {
    let folder = Folder::new();
    teams(&folder, &[("ada", Some(PLAYER)), ("bob", Some("exit 1")), ("cy", Some(CRASHER))]);
    let report = json(&evaluate(&folder, "--games 2 --json").stdout);
    let earned = ["ada", "bob", "cy"].map(|name| team(&report, name)["script_percent"].clone());
    assert_eq!(earned, [10.0, 0.0, 10.0].map(serde_json::Value::from), "{report:#}");
    let table = evaluate(&folder, "--games 2").stdout;
    assert!(table.contains("bob: its run.sh never brought it to its welcome"), "{table}");

    // Without an opponent it is started all the same.
    for (script, share) in [(PLAYER, 10.0), ("exit 1", 0.0)] {
        let folder = Folder::new();
        teams(&folder, &[("solo", Some(script))]);
        let report = json(&evaluate(&folder, "--json").stdout);
        assert_eq!(team(&report, "solo")["script_percent"], share, "{report:#}");
        assert_eq!(team(&report, "solo")["ranking_percent"], 90.0, "{report:#}");
    }
}

#[test]
fn a_team_without_a_script_is_started_by_its_only_program_or_as_the_organiser_says() {
    let folder = Folder::new();
    let both: [(&str, Option<&str>); 4] =
        [("binary", None), ("listed", None), ("many", None), ("wrapped", Some(PLAYER))];
    teams(&folder, &both);
    executable(&folder, "teams/binary/player", PLAYER);
    folder.write("teams/binary/notes.txt", "no program");
    let stdio = r#"[ "$GREETING $1" = "hello there" ] && exec "$BIN" bot hockey greedy"#;
    for name in ["listed", "many"] {
        executable(&folder, &format!("teams/{name}/one"), stdio);
        executable(&folder, &format!("teams/{name}/two"), PLAYER);
    }
    folder.write(
        "teams/teams.toml",
        "[listed]\ncommand = 'one there'\nlink = 'stdio'\nenvironment = { GREETING = 'hello' }\n\
         [wrapped]\ncommand = 'bash run.sh'\nscript = true\n",
    );
    let finished = evaluate(&folder, "--games 2 --json");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let report = json(&finished.stdout);
    for (name, share, started_by) in [
        ("binary", 0.0, Some("./player")),
        ("listed", 0.0, Some("teams.toml: one there")),
        ("many", 0.0, None),
        ("wrapped", 10.0, Some("teams.toml: bash run.sh")),
    ] {
        let team = team(&report, name);
        assert_eq!(team["started_by"], serde_json::json!(started_by), "{team:#}");
        assert_eq!(team["script_percent"], share, "{team:#}");
        assert_eq!(team["welcomed"] == true, started_by.is_some(), "{team:#}");
    }
    let table = evaluate(&folder, "--games 2").stdout;
    for part in ["2 executable files: say which one in teams.toml", "./player", "one there"] {
        assert!(table.contains(part), "{part}: {table}");
    }

    let file = folder.write("other.toml", "[nobody]\nlink = 'tcp'\n");
    let wrong = evaluate(&folder, &format!("--teams-file {}", file.display()));
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    let expected = "expected a team (binary, listed, many, wrapped), found `nobody`";
    assert!(wrong.stderr.contains(expected), "{}", wrong.stderr);
    for (text, meant) in [("[litsed]\n", "listed"), ("[many]\ncomand = 'one'\n", "command")] {
        let file = folder.write("other.toml", text);
        let wrong = evaluate(&folder, &format!("--teams-file {}", file.display()));
        let expected = format!("; did you mean `{meant}`?\n");
        assert_eq!(wrong.code, 2, "{}", wrong.stderr);
        assert!(wrong.stderr.contains(&expected), "{}", wrong.stderr);
    }
    let file = folder.write("other.toml", "[many]\ncommand = './three'\n");
    let wrong = evaluate(&folder, &format!("--teams-file {}", file.display()));
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    assert!(wrong.stderr.contains("the command of many: "), "{}", wrong.stderr);
}

/// Throws anywhere, but leaves as soon as it hears of one rival.
const SPITEFUL: &str = r#"exec bash -c '
exec 3<>/dev/tcp/$QUINTAIN_HOST/$QUINTAIN_PORT
ways=(north "north east" east "south east" south "south west" west "north west")
read -r question <&3; printf "%s\r\n" "$QUINTAIN_NAME" >&3
while read -r line <&3; do case $line in
*victim*) exit 3;;
"$QUINTAIN_NAME is active"*|"invalid move"*) printf "%s\r\n" "${ways[RANDOM % 8]}" >&3;;
esac; done'"#;

/// By hand: of its six games against `other` the victim has some, and against the spiteful team two
/// that were played and four that were not, so that this pairing too has six games.
#[test]
fn a_team_that_hangs_up_on_one_rival_takes_none_of_its_points_away() {
    let folder = Folder::new();
    let all = [("other", Some(PLAYER)), ("spite", Some(SPITEFUL)), ("victim", Some(PLAYER))];
    teams(&folder, &all);
    let call = "--games 6 --give-up 2 --limit 1s";
    let report = json(&evaluate(&folder, &format!("{call} --json")).stdout);
    let pairings = report["pairings"].as_array().expect("pairings");
    let [fair, victim_fair, spoilt] = &pairings[..] else { panic!("three: {report:#}") };
    assert_eq!((&fair["ended"], &victim_fair["ended"]), (&"games".into(), &"games".into()));
    assert_eq!(spoilt["teams"], serde_json::json!(["spite", "victim"]));
    assert_eq!((&spoilt["games"], &spoilt["ended"]), (&2.into(), &"given up".into()), "{spoilt:#}");
    assert_eq!(spoilt["granted"], serde_json::json!([0, 4]), "{spoilt:#}");
    let won = victim_fair["wins"][1].as_u64().expect("a number");
    let victim = team(&report, "victim");
    assert_eq!((&victim["points"], &victim["granted"]), (&(won + 6).into(), &4.into()));
    let table = evaluate(&folder, call).stdout;
    let note = "spite failed against victim again and again: 4 games that were not played count for \
                victim";
    assert!(table.contains(note) && table.contains("given up, 4 for victim"), "{table}");

    // Whoever wants all games played says so.
    let report = json(&evaluate(&folder, "--games 6 --give-up 0 --limit 1s --json").stdout);
    let spoilt = &report["pairings"][2];
    assert_eq!((&spoilt["games"], &spoilt["ended"]), (&6.into(), &"games".into()), "{spoilt:#}");
}

/// The limits of each are the same, so that a pairing in which both fail counts for nobody.
#[test]
fn a_pairing_in_which_both_fail_counts_for_nobody() {
    let folder = Folder::new();
    teams(&folder, &[("a", Some(CRASHER)), ("b", Some(SLEEPER)), ("dead", None)]);
    let finished = evaluate(&folder, "--games 9 --give-up 2 --limit 300ms --json");
    let report = json(&finished.stdout);
    let granted: Vec<_> = (0..3).map(|pairing| &report["pairings"][pairing]["granted"]).collect();
    // Whoever has the first seat fails first; who never comes is failed against by nobody.
    assert_eq!(granted, [&serde_json::json!([0, 0]), &[7, 0].into(), &[7, 0].into()], "{report:#}");
}

#[test]
fn the_weight_of_the_evaluation_is_a_column_of_its_own() {
    let folder = Folder::new();
    teams(&folder, &[("ada", Some(PLAYER)), ("bob", None)]);
    let report = json(&evaluate(&folder, "--games 2 --weight 4 --json").stdout);
    let parts = ["ada", "bob"].map(|name| team(&report, name)["weighted_percent"].clone());
    assert_eq!(parts, [4.0, 0.0].map(serde_json::Value::from), "{report:#}");
    let table = evaluate(&folder, "--games 2 --weight 4%").stdout;
    assert!(table.contains("of 4%") && table.contains("4.00%"), "{table}");
    let csv = evaluate(&folder, "--games 2 --weight 4 --output csv").stdout;
    assert!(csv.lines().nth(1).is_some_and(|line| line.ends_with("4.0000,0,run.sh")), "{csv}");
    for wrong in ["0", "101", "many"] {
        let finished = evaluate(&folder, &format!("--weight {wrong}"));
        assert_eq!(finished.code, 2, "{wrong}");
    }
}

#[test]
fn replays_are_kept_without_asking() {
    let folder = Folder::new();
    teams(&folder, &[("ada", Some(PLAYER)), ("bob", Some(PLAYER))]);
    let report = json(&evaluate(&folder, "--games 3 --sample 2 --json").stdout);
    assert_eq!(report["replays"], "replays/evaluate-hockey");
    let kept = folder.list("replays/evaluate-hockey");
    assert_eq!(kept.len(), 2, "games 0 and 2: {kept:?}");
    assert!(
        folder.ok(&format!("verify replays/evaluate-hockey/{}", kept[0])).contains("verified: ")
    );
    let table = evaluate(&folder, "--games 2").stdout;
    assert!(table.contains("replays are in replays/evaluate-hockey-2"), "{table}");

    let folder = Folder::new();
    teams(&folder, &[("ada", Some(PLAYER)), ("bob", Some(PLAYER))]);
    evaluate(&folder, "--games 2 --no-replays");
    assert!(!folder.path("replays").exists());
}

/// Plays, and before that looks for a way out: to a server outside its network.
fn explorer(port: u16) -> String {
    format!(
        "if (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null; then echo out; else echo in; fi > found
grep -c : /proc/net/dev >> found
{PLAYER}"
    )
}

/// Whether this system lets anybody make a network, by the word of another program.
fn system_makes_networks() -> bool {
    let unshare = std::process::Command::new("unshare").args(["--user", "--net", "true"]).status();
    unshare.is_ok_and(|status| status.success())
}

#[test]
fn pairings_are_played_side_by_side_in_networks_of_their_own_and_else_in_turns() {
    let folder = Folder::new();
    teams(&folder, &[("a", Some(PLAYER)), ("b", Some(PLAYER)), ("c", Some(PLAYER))]);
    let report = |options: &str| {
        let finished = evaluate(&folder, &format!("--games 2 --no-replays --json {options}"));
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        let report = json(&finished.stdout);
        assert_eq!(report["complete"], true, "{report:#}");
        (report["side_by_side"].clone(), report["notes"].to_string())
    };
    let (in_turns, notes) = report("--network host");
    assert_eq!(in_turns, 1);
    assert!(notes.contains("the pairings were played in turns"), "{notes}");
    if !system_makes_networks() || quintain_arena::cores() < 2 {
        eprintln!(
            "not tried: pairings side by side, for which this machine lacks networks or cores"
        );
        return;
    }
    let (side_by_side, notes) = report("-j 2");
    assert_eq!(side_by_side, 2);
    assert!(notes.contains("2 pairings were played at a time"), "{notes}");
}

#[test]
fn teams_have_no_way_out_or_the_organiser_is_told() {
    let outside = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = outside.local_addr().expect("an address").port();
    let folder = Folder::new();
    let explorer = explorer(port);
    teams(&folder, &[("ada", Some(&explorer)), ("bob", Some(&explorer))]);
    let run = |options: &str| {
        folder.run(&format!(
            "evaluate hockey teams --listen localhost:0 --games 2 --json {options} --sandbox off"
        ))
    };
    let found = || String::from_utf8(folder.read("teams/ada/found")).expect("text");
    let finished = run("");
    let report = json(&finished.stdout);
    assert_eq!(report["pairings"][0]["failures"], serde_json::json!([null, null]), "{report:#}");
    if report["network"] == "none" {
        assert_eq!((found().as_str(), finished.stderr.as_str()), ("in\n1\n", ""));
        outside.set_nonblocking(true).expect("it is ours");
        assert!(outside.accept().is_err(), "nobody came out");
        outside.set_nonblocking(false).expect("it is ours");
        assert_eq!(run("--network none").code, 0);
    } else {
        assert!(!system_makes_networks(), "{report:#}");
        assert!(finished.stderr.contains("the organiser's job"), "{}", finished.stderr);
        assert_eq!(run("--network none").code, 1);
    }

    let finished = run("--network host");
    assert!(found().starts_with("out\n"), "{}", found());
    assert_eq!((json(&finished.stdout)["network"].as_str(), finished.code), (Some("host"), 0));
    let finished = run("--connections any");
    assert!(finished.stderr.contains("with --connections any"), "{}", finished.stderr);
    assert!(finished.stderr.contains("the organiser's job"), "{}", finished.stderr);
}
