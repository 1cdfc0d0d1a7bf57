//! Whoever has games played by other machines sees what he sees on one: the same line while they are played, and the
//! same report in the end. And whoever keeps them in the store of a server with workers need not name it.

use std::collections::BTreeSet;

use quintain_testkit::Postgres;

use crate::support::wait_until;
use crate::terminal::{OnTerminal, Reads};
use crate::workers::{Arena, local, said};

/// Wide enough for every line and every table.
const SCREEN: (u16, u16) = (160, 60);

/// What is on the terminal: the live lines, without their numbers, and in the end the report.
struct Seen {
    lines: BTreeSet<String>,
    report: Vec<String>,
}

/// `sign` is what every live line has.
fn seen(arena: &Arena, call: &str, sign: &str) -> Seen {
    let mut terminal = OnTerminal::start(&arena.folder, call, SCREEN, Reads::Nothing);
    terminal.end();
    // What takes a line away stands before the next one.
    let pieces = terminal.text().split(['\r', '\n', '\x1b']);
    let live = pieces.map(without_numbers).filter(|piece| piece.contains(sign));
    let report = terminal.contents().lines().map(timeless).collect();
    Seen { lines: live.collect(), report }
}

/// Numbers are what differs from moment to moment.
fn without_numbers(line: &str) -> String {
    let words = line.split_whitespace();
    let plain =
        words.map(|word| if word.contains(|c: char| c.is_ascii_digit()) { "#" } else { word });
    plain.collect::<Vec<_>>().join(" ")
}

/// A row of a report without how long it took.
fn timeless(row: &str) -> String {
    match row.trim_end().rsplit_once(" games in ") {
        Some((before, _)) => before.to_owned(),
        None => row.trim_end().to_owned(),
    }
}

/// The call is made on this machine and on others, with `PLACE` in it for which; every live line of both has all of
/// these parts.
fn check(arena: &Arena, call: &str, sign: &str, parts: &[&str]) {
    let here = seen(arena, &call.replace("PLACE", "here"), sign);
    let away = call.replace("PLACE", "away");
    let there = seen(arena, &format!("{away} --on {} --token-file ann.token", arena.url), sign);
    for (place, seen) in [("here", &here), ("there", &there)] {
        assert!(!seen.lines.is_empty(), "{call}: no line was shown {place}");
        for (line, part) in
            seen.lines.iter().flat_map(|line| parts.iter().map(move |part| (line, part)))
        {
            assert!(line.contains(part), "{call}, {place}: {part:?} is not in {line:?}");
        }
        assert!(!seen.report.concat().contains("games/s"), "{call}, {place}: the line is left");
    }
    assert!(here.report.len() > 1, "{call}: {:?}", here.report);
    let as_here = |row: &String| row.replace("away.", "here.");
    assert_eq!(there.report.iter().map(as_here).collect::<Vec<_>>(), here.report, "{call}");
}

#[test]
fn a_tournament_shows_the_line_and_the_report_of_one_machine() {
    let arena = Arena::new("arena.db");
    let _workers = [arena.worker("w1"), arena.worker("w2")];
    let bots = "--bot a=house:greedy --bot b=house:random --bot c=house:search-1k";
    let call = format!("tournament --game fencing {bots} --games-per-pair 40");
    check(&arena, &call, "games/s", &["# of # games", "# running", "# with errors"]);
}

#[test]
fn comparisons_and_ladders_show_the_lines_and_the_reports_of_one_machine() {
    let arena = Arena::new("arena.db");
    let _workers = [arena.worker("w1"), arena.worker("w2")];
    let compare = "compare fencing house:random house:greedy --games 120 --no-replays";
    check(&arena, compare, "games/s", &["# games #", "Elo"]);
    let ladder = "ladder fencing house:greedy --games 40 --no-replays";
    check(&arena, ladder, "games/s", &["# games #", "Elo", "neither # of #"]);
}

#[test]
fn a_tuning_shows_the_line_and_the_report_of_one_machine() {
    let arena = Arena::new("arena.db");
    let _workers = [arena.worker("w1"), arena.worker("w2")];
    arena.write_tunable_bot();
    let call = "tune fencing bot=bot --params params.toml --iterations 6 --games 8 --proof-games 4 \
                --no-clock --no-replays --history PLACE.jsonl";
    check(&arena, call, "iteration #", &["iteration # of #", "KNOB #"]);
}

#[test]
fn the_store_of_a_server_with_workers_has_its_games_played_by_them() {
    let Some(server) = Postgres::shared() else { return };
    let store = server.database("owned");
    let arena = Arena::new(&store);
    let call = |more: &str| {
        let call = format!("{} {more}", local(&store, 4)).replace(" --quiet", "");
        arena.folder.run(&call)
    };
    let alone = call("--name alone");
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    assert!(
        alone.stderr.contains("no worker is attached to http://127.0.0.1:"),
        "{}",
        alone.stderr
    );
    let _worker = arena.worker("w1");
    let heard = "SELECT COUNT(*) FROM work_canaries WHERE wrong IS NULL";
    wait_until("the worker has proven itself", || server.query("owned", heard) == "2");
    let counted = || server.query("owned", "SELECT games FROM work_workers WHERE name = 'w1'");

    let here = call("--name here -j 1");
    assert_eq!((here.code, counted().as_str()), (0, "0"), "{}", here.stderr);
    assert!(!here.stderr.contains("the server of this store"), "{}", here.stderr);

    let there = call("--name there");
    assert_eq!((there.code, counted().as_str()), (0, "12"), "{}", there.stderr);
    let expected = format!("played by the workers of {}, the server of this store", arena.url);
    assert!(there.stderr.contains(&expected), "{}", there.stderr);
    let games = |name: &str| {
        let columns = "round, pairing, seed_index, swapped, seed, first_verdict, second_verdict, turns, content";
        let sql = format!(
            "SELECT {columns} FROM games WHERE run = (SELECT id FROM runs WHERE name = '{name}') ORDER BY {columns}"
        );
        server.query("owned", &sql)
    };
    assert_eq!(games("there").lines().count(), 12);
    assert_eq!(games("there"), games("here"));
    assert_eq!(games("there"), games("alone"));
    let tokens = said(&arena.folder, &format!("token list --store {store}"));
    assert!(tokens.contains("store-owner\torganiser\tgood"), "{tokens}");
}

#[test]
fn a_server_that_is_not_where_its_store_says_is_told_in_words() {
    let Some(server) = Postgres::shared() else { return };
    let store = server.database("moved");
    let mut arena = Arena::new(&store);
    let worker = arena.worker("w1");
    let heard = "SELECT COUNT(*) FROM work_workers";
    wait_until("the worker was heard of", || server.query("moved", heard) == "1");
    arena.kill_server();
    worker.kill();
    let refused = arena.folder.run(&local(&store, 2));
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    for expected in
        ["nobody listens there", "write --on URL --token-file FILE", "-j N to play here"]
    {
        assert!(refused.stderr.contains(expected), "{expected}: {}", refused.stderr);
    }
    let here = arena.folder.run(&format!("{} -j 1", local(&store, 2)));
    assert_eq!(here.code, 0, "{}", here.stderr);
    let refused = arena.folder.run("compare fencing house:random house:greedy --ca missing.pem");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--ca: expected a server that plays"), "{}", refused.stderr);
}
