//! `quintain ladder`: how far a bot climbs, and where the scale comes from.

use std::fs;

use quintain_core::HouseBot;
use quintain_registry::GAMES;
use quintain_store::Store;
use quintain_testkit::check_golden_file;
use serde_json::Value;

use crate::support::{Folder, json, workspace};

/// Without a word about its progress.
const CLIMB: &str = "ladder fencing house:greedy --games 20 --quiet";

/// A scale of fencing that knows one rung of the house, and one that it does not have.
const OLD_SCALE: &str = r#"
game = "fencing"
date = "2020-02-29"
machine = "a machine, 1 core"
rules = "edition original"
games = 10
anchor = "random"
meeting = []
rung = [{ name = "random", elo = 1000.0 }, { name = "boss", elo = 1200.0, low = 1150.0 }]
"#;

#[test]
fn greedy_climbs_over_random_and_no_further_than_to_itself() {
    let folder = Folder::new();
    let finished = folder.run(CLIMB);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let first = finished.stdout.lines().next().unwrap_or_default();
    assert!(first.starts_with("greedy is stronger than "), "{first}");
    assert!(first.contains(", and not shown to be stronger than "), "{first}");
    assert!(finished.stdout.contains("on the scale of "), "{}", finished.stdout);
    let report = json(&folder.ok(&format!("{CLIMB} --json")));
    let place = |rung: &Value| house_of("fencing").iter().position(|bot| *rung == bot.name);
    let [reached, failed] = ["reached", "failed"].map(|key| place(&report[key]).expect("a rung"));
    assert_eq!(failed, reached + 1, "{report}");
    assert!(Some(failed) <= place(&"greedy".into()), "{report}");
    let rungs = report["rungs"].as_array().expect("rungs");
    let outcomes: Vec<&Value> = rungs.iter().map(|rung| &rung["outcome"]).collect();
    let (last, others) = outcomes.split_last().expect("some rungs");
    assert!(*last == "failed" && others.iter().all(|&one| one == "passed"), "{outcomes:?}");
    let (low, high) = (&report["rating"]["low"], &report["rating"]["high"]);
    let elo = report["rating"]["elo"].as_f64().expect("a rating");
    assert!(low.as_f64() < Some(elo) && Some(elo) < high.as_f64(), "{report}");
}

#[test]
fn lost_games_can_be_shown_again_with_the_command_that_is_told() {
    let folder = Folder::new();
    let finished = folder.run("ladder fencing house:random --games 40 --quiet");
    let (_, command) = finished.stdout.split_once(": quintain ").expect("a lost game");
    let command = command.lines().next().expect("a command");
    assert!(command.starts_with("replay replays/ladder-fencing-random/random/"), "{command}");
    assert!(!folder.ok(&format!("{command} --text")).is_empty());
    let folder = Folder::new();
    folder.ok("ladder fencing house:random --games 4 --quiet --no-replays");
    assert!(!folder.path("replays").exists());
}

#[test]
fn a_climb_goes_on_where_it_was_stopped() {
    let folder = Folder::new();
    let stored = format!("{CLIMB} --from greedy-60 --store climb.db --json");
    let first = json(&folder.ok(&stored));
    let games = |folder: &Folder| -> Vec<(String, u64)> {
        let place = folder.path("climb.db");
        let store = Store::open_existing(place.to_str().expect("a path")).expect("a store");
        let runs = store.runs().expect("runs");
        runs.into_iter().map(|run| (run.plan.name, run.games)).collect()
    };
    let played = games(&folder);
    let names: Vec<&str> = played.iter().map(|(name, _)| name.as_str()).collect();
    let rungs = house_of("fencing").iter().map(|bot| bot.name);
    let rungs = rungs.skip_while(|name| *name != "greedy-60").take(played.len());
    let expected: Vec<String> = rungs.map(|rung| format!("ladder fencing greedy {rung}")).collect();
    assert_eq!(names, expected);
    assert!(names.len() > 1, "{names:?}");
    assert_eq!(json(&folder.ok(&stored))["rating"], first["rating"]);
    assert_eq!(games(&folder), played, "nothing is played twice");
    let more = stored.replace("--games 20", "--games 24");
    folder.ok(&more);
    let (after, last) = (games(&folder), played.len() - 1);
    assert_eq!(after[..last], played[..last], "a rung that was passed is not climbed again");
    assert!(after[last].1 > played[last].1, "{after:?}");
}

#[test]
fn a_climb_can_begin_further_up_and_be_drawn() {
    let folder = Folder::new();
    let report = json(&folder.ok(&format!("{CLIMB} --from greedy --svg climb.svg --json")));
    assert_eq!(report["reached"], Value::Null);
    assert_eq!(report["rungs"].as_array().map(Vec::len), Some(1));
    let drawn = String::from_utf8(folder.read("climb.svg")).expect("SVG is text");
    assert!(drawn.contains("class=\"own\"") && drawn.ends_with("</svg>\n"), "{drawn}");
}

#[test]
fn a_scale_that_does_not_fit_the_house_is_told_and_used_as_far_as_it_goes() {
    let folder = Folder::new();
    folder.write("old.toml", OLD_SCALE);
    let told = folder.ok(&format!("{CLIMB} --scale old.toml"));
    for part in [
        "rungs that the scale does not have, whose games do not count for the Elo: greedy-20",
        "rungs of the scale that the house does not have any more: boss",
        "the scale is one of other rules (edition original) than were played (edition document)",
        "on the scale of 2020-02-29, where random has 1000",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let shown = folder.ok("ladder fencing --scale old.toml");
    assert!(shown.contains("1150 or more") && shown.contains("made by 10 games"), "{shown}");
}

#[test]
fn what_is_no_scale_and_no_rung_is_refused_in_words() {
    let folder = Folder::new();
    folder.write("broken.toml", "game = 3");
    folder.write("old.toml", OLD_SCALE);
    for (words, expected) in [
        (
            "ladder fencing --scale broken.toml",
            "--scale: broken.toml: expected the scale of a ladder",
        ),
        ("ladder hockey --scale old.toml", "expected a scale of hockey, found one of fencing"),
        ("ladder hockey --scale nowhere.toml", "--scale: cannot read nowhere.toml"),
        ("ladder hockey house:greedy --from gredy", "--from: expected a rung of random, "),
        ("ladder hockey house:nobody", "expected a house bot of hockey"),
        ("ladder hockey house:greedy --from greedy --to random", "--to: expected greedy or a"),
        ("ladder hockey house:greedy --calibrate", "--calibrate"),
    ] {
        let finished = folder.run(words);
        assert_eq!(finished.code, 2, "{words}: {finished:?}");
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
    }
}

#[test]
fn a_scale_is_made_by_the_rungs_and_can_be_measured_by() {
    let folder = Folder::new();
    let call = "ladder hockey --calibrate --to greedy --games 6 --store scale.db --json";
    let finished = folder.run(call);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(finished.stderr.ends_with("the scale is in hockey-scale.toml\n"), "{finished:?}");
    let scale = json(&finished.stdout);
    let rungs = scale["rung"].as_array().expect("rungs").iter();
    let rungs: Vec<&str> = rungs.filter_map(|rung| rung["name"].as_str()).collect();
    let house = house_of("hockey").iter().map(|bot| bot.name);
    let greedy = house.clone().position(|name| name == "greedy").expect("a rung");
    assert_eq!(rungs, house.take(greedy + 1).collect::<Vec<_>>());
    assert!(scale["games"].as_u64() >= Some(6), "{scale}");
    let again = folder.run(call);
    assert_eq!(json(&again.stdout)["rung"], scale["rung"], "nothing was played again");
    let more = folder.run(&format!("{call} --games 60 --time 0s").replacen("--games 6 ", "", 1));
    assert_eq!(json(&more.stdout)["games"], scale["games"], "no time, no games");
    folder.ok("ladder hockey house:random --games 2 --quiet --scale hockey-scale.toml");
}

fn house_of(game: &str) -> &'static [HouseBot] {
    let game = GAMES.iter().find(|known| known.facts().id == game).expect("a game of the list");
    game.facts().house_bots
}

/// The published scale of a game as the book has it.
fn table_of(folder: &Folder, game: &str) -> String {
    let scale = json(&folder.ok(&format!("ladder {game} --json")));
    let end = |rung: &Value, key: &str| rung[key].as_f64().map(|end| end.to_string());
    let rungs = scale["rung"].as_array().expect("rungs");
    let row = |(place, rung): (usize, &Value)| {
        let name = rung["name"].as_str().expect("a name");
        let below = place.checked_sub(1).map(|below| &rungs[below]["name"]);
        let step = below.map_or(String::new(), |below| step_of(&scale, below, &rung["name"]));
        let about = house_of(game).iter().find(|bot| bot.name == name).map_or("", |bot| bot.about);
        let interval = match (end(rung, "low"), end(rung, "high")) {
            (Some(low), Some(high)) => format!("{low} to {high}"),
            (Some(low), None) => format!("{low} or more"),
            (None, Some(high)) => format!("{high} or less"),
            (None, None) => "anything".to_owned(),
        };
        let elo = end(rung, "elo").expect("a number");
        format!("| `{name}` | {elo} | {interval} | {step} | {about} |\n")
    };
    let rows: String = rungs.iter().enumerate().map(row).collect();
    let text = |key: &str| scale[key].as_str().expect("a text").to_owned();
    let origin = format!(
        "{} games, {}, {}, {}",
        scale["games"],
        text("date"),
        text("machine"),
        text("rules")
    );
    let header = "| rung | Elo | 95% | stronger than the one below | what it does |";
    format!("{header}\n|---|---|---|---|---|\n{rows}\n{origin}.\n")
}

/// What the games of two neighbours show.
fn step_of(scale: &Value, below: &Value, rung: &Value) -> String {
    let mut meetings = scale["meeting"].as_array().expect("meetings").iter();
    let met = meetings.find(|met| met["lower"] == *below && met["higher"] == *rung);
    let met = met.unwrap_or_else(|| panic!("{below} and {rung} are neighbours"));
    match met["stronger_after"].as_u64() {
        Some(games) => format!("shown by {games} games"),
        None => format!("not shown by {} games", met["games"]),
    }
}

/// `QUINTAIN_UPDATE=1` writes tables and plots anew.
#[test]
fn the_book_shows_the_published_scales() {
    let folder = Folder::new();
    let chapter = workspace().join("docs/src/ladder.md");
    let mut text = fs::read_to_string(&chapter).expect("a chapter");
    for game in
        GAMES.iter().map(|game| game.facts()).filter(|facts| facts.abilities.scale.is_some())
    {
        let id = game.id;
        let plot = format!("ladder-{id}.svg");
        assert!(text.contains(&format!("({plot})")), "{id} has no plot");
        folder.ok(&format!("ladder {id} --svg {plot}"));
        let drawn = String::from_utf8(folder.read(&plot)).expect("SVG is text");
        check_golden_file(&workspace().join("docs/src").join(&plot), &drawn);
        let begin = format!("<!-- scale of {id} -->\n");
        let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{id} has no table"));
        let (_, after) = rest.split_once("<!-- end -->").expect("a table has an end");
        text = format!("{before}{begin}\n{}\n<!-- end -->{after}", table_of(&folder, id));
    }
    check_golden_file(&chapter, &text);
}
