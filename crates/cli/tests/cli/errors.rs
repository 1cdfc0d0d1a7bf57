//! Illegal answers in every game: the rules name them, and every command counts the same.

use quintain_registry::GAMES;

use crate::support::{Folder, json};

/// Answers each turn of Code Royale, whose first line alone has two words, with a training that is
/// ignored with a warning.
const WARNED_BOT: &str = "while read -r gold touched more; do
    if [ -n \"$touched\" ] && [ -z \"$more\" ]; then echo WAIT; echo 'TRAIN 0'; fi
done\n";

/// A bot of each game that answers at once, and against the rules.
fn illegal_bot(game: &str) -> &'static str {
    match game {
        "fencing" => "while read -r line; do echo FLY; done\n",
        "code-royale" => "while read -r line; do echo JUMP; echo TRAIN; done\n",
        "worms" => "while read -r round; do echo \"C;$round;dig 99 99\"; done\n",
        "overdrive" => "while read -r round; do echo \"C;$round;USE_BOOST\"; done\n",
        // Tries to throw the puck back to where it came from, then every other way.
        "hockey" => {
            "while read -r line; do
                 case \"$line\" in
                 *name*) echo me ;;
                 *'did go north -'*) back=south ;;
                 *'did go south -'*) back=north ;;
                 *'did go east -'*) back=west ;;
                 *'did go west -'*) back=east ;;
                 *'did go north east -'*) back='south west' ;;
                 *'did go north west -'*) back='south east' ;;
                 *'did go south east -'*) back='north west' ;;
                 *'did go south west -'*) back='north east' ;;
                 esac
                 case \"$line\" in *'me is active'*)
                     for way in \"$back\" north south east west 'north east' 'north west' \\
                         'south east' 'south west'; do echo \"$way\"; done ;;
                 esac
             done\n"
        }
        // In a new game what has no meaning is against the rules too.
        _ => "while read -r line; do echo '?'; done\n",
    }
}

#[test]
fn illegal_answers_are_counted_in_every_game_by_every_command() {
    for game in GAMES {
        let id = game.facts().id;
        check_counts(id, illegal_bot(id));
    }
}

#[test]
fn orders_that_are_ignored_with_a_warning_are_counted_as_all_others() {
    check_counts("code-royale", WARNED_BOT);
}

/// Every command counts the illegal answers of this bot.
fn check_counts(id: &str, bot: &str) {
    let folder = Folder::new();
    folder.write("bot.sh", bot);
    let call = ["compare", id, "bash bot.sh", "house:greedy", "--games", "2", "--json"];
    let more = ["--limit", "5s", "--store", "t.db", "--name", "one"];
    let finished = folder.run_words(&[&call[..], &more].concat(), "");
    assert_eq!(finished.code, 0, "{id}: {}", finished.stderr);
    let compared = json(&finished.stdout);
    let illegal = compared["errors"]["old"]["illegal"].as_u64().expect("a count");
    // A game of hockey can be lost before the bot is asked with a line behind the puck.
    assert!(illegal == 2 || (id == "hockey" && illegal == 1), "{id}: {compared}");
    assert_eq!(compared["errors"]["new"]["illegal"], 0, "{id}: {compared}");
    assert!(finished.stderr.contains("old gave an illegal answer in game"), "{id}");

    let stats = json(&folder.ok("stats --store t.db --bot old --error illegal --output json"));
    let listed = stats["games"].as_array().expect("a list");
    assert_eq!(listed.len() as u64, illegal, "{id}: {stats}");
    for game in listed {
        let errors = game["errors"].as_array().expect("a list");
        let illegal = errors.iter().find(|error| error["error"] == "illegal");
        let illegal = illegal.unwrap_or_else(|| panic!("{id}: {game}"));
        assert!(illegal["times"].as_u64() >= Some(1) && illegal["bot"] == "old", "{illegal}");
    }

    let call = ["tournament", "--game", id, "--bot", "old=bash bot.sh", "--bot"];
    let more = ["new=house:greedy", "--games-per-pair", "2", "--limit", "5s", "--output"];
    let finished = folder.run_words(&[&call[..], &more, &["json"]].concat(), "");
    let report = json(&finished.stdout);
    let lines = report["standings"].as_array().expect("a list");
    let old = lines.iter().find(|line| line["bot"] == "old").expect("it played");
    assert!(old["error_kinds"]["illegal"].as_u64() >= Some(1), "{id}: {report}");
    if id != "hockey" {
        assert_eq!(old["error_kinds"], compared["errors"]["old"], "{id}: {report}");
    }

    let checked = folder.run_words(&["check", "bash bot.sh", id, "--json"], "");
    let checked = json(&checked.stdout);
    let turns = checked["turns"].as_array().expect("a list");
    let is_told = |turn: &serde_json::Value| {
        !turn["illegal"].is_null() || turn["answer"]["fault"].is_object()
    };
    assert!(turns.iter().any(is_told), "{id}: {}", checked["fault"]);
}

#[test]
fn twenty_failed_games_are_one_cause_with_one_command() {
    let folder = Folder::new();
    for (game, script, cause) in
        [("hockey", "exit 3", "did not start"), ("fencing", "exit 3", "crashed")]
    {
        folder.write("bot.sh", script);
        let store = format!("{game}.db");
        let words = ["compare", game, "bash bot.sh", "house:random", "--games", "20", "--store"];
        let finished = folder.run_words(&[&words[..], &[&store, "-j", "2"]].concat(), "");
        assert_eq!(finished.code, 0, "{finished:?}");
        let told: Vec<&str> = finished.stderr.lines().filter(|line| line.contains(cause)).collect();
        let [first, all] = told[..] else { panic!("{game}: {finished:?}") };
        assert!(first.contains("; show it again: quintain replay "), "{first}");
        assert!(all.starts_with(&format!("old {cause} in 20 games; the first of them")), "{all}");
        let lines = finished.stderr.lines().chain(finished.stdout.lines()).count();
        assert!(lines < 10, "{finished:?}");
        let list = format!("list them: quintain stats --store {store} --run ");
        assert_eq!(finished.stdout.matches(&list).count(), 1, "{finished:?}");
    }
}
