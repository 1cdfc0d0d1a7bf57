//! Plans are read from files: those of the book, and with a line and clear words those with a mistake.

use std::fmt::Debug;
use std::path::Path;

use quintain_arena::plan::{
    ComparisonPlan, EvaluationPlan, HostPlan, MatchPlan, PlanFile, TournamentPlan, WrittenPlan,
};
use quintain_arena::run::ReplayWish;
use quintain_referee::Ask;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The block of the book's page that stands behind a line.
fn block(title: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/plans.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let (_, rest) = page.split_once(&format!("\n{title}:\n\n```toml\n")).expect(title);
    rest.split("```").next().expect("a block ends").to_owned()
}

fn written(text: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plan.toml");
    std::fs::write(&path, text).expect("there is room");
    (folder, path)
}

fn read<P: WrittenPlan + Debug>(text: &str) -> PlanFile<P> {
    PlanFile::read(&written(text).1).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refused<P: WrittenPlan + Debug>(text: &str) -> String {
    let (_folder, path) = written(text);
    let error = PlanFile::<P>::read(&path).expect_err(text).to_string();
    error.rsplit_once("plan.toml").expect("the file is named").1.to_owned()
}

#[test]
fn the_files_of_the_book_are_plans() {
    let PlanFile { plan, wishes, .. } = read::<MatchPlan>(&block("A match"));
    assert!(plan.both_sides);
    assert_eq!((plan.settings.seed, plan.settings.ask), (7, Ask::InTurn));
    assert_eq!(plan.seats.0.each_ref().map(|seat| seat.name()), ["ada", "random"]);
    assert_eq!(wishes.pass_env, ["PATH"]);
    let sandbox = wishes.sandbox.sandbox("launcher".into(), &[]).expect("it fits");
    let sandbox = sandbox.expect("it is not off");
    assert_eq!((sandbox.level.name(), sandbox.limits.memory), ("strict", 1 << 30));
    assert!(wishes.build.is_wished);
    let means = wishes.means(plan.settings.ask).expect("there are cores for a game");
    assert_eq!(means.replays, ReplayWish::All("replays".into()));

    let PlanFile { plan, wishes, .. } = read::<ComparisonPlan>(&block("A comparison"));
    assert_eq!((plan.games_max, plan.sprt.is_some()), (Some(1000), true));
    assert_eq!(wishes.store.as_deref(), Some("versions.db"));

    let PlanFile { plan, wishes, .. } = read::<HostPlan>(&block("A host"));
    assert_eq!((plan.games_max, plan.tables_max), (Some(3), Some(2)));
    assert_eq!(wishes.listen.as_deref(), Some("localhost:8023"));

    let teams = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(teams.path().join("alpha")).expect("a folder for a team");
    let text = block("An evaluation").replace("\"teams\"", &json!(teams.path()).to_string());
    let PlanFile { plan, .. } = read::<EvaluationPlan>(&text);
    assert_eq!((plan.teams.len(), plan.weight), (1, Some(4.0)));
    let shown = serde_json::to_value(&plan).expect("plans are plain data");
    assert_eq!(
        shown["limits"],
        json!({"games_max": 50_000, "time_max_ms": 600_000.0, "give_up_after": 10})
    );
    assert_eq!(shown["teams"][0]["starter"], json!({"nothing": {"programs": 0}}));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let bots = "old = \"house:random\"\nnew = \"house:greedy\"\n";
    let head = format!("game = \"fencing\"\n{bots}");
    let compare = |text: &str| refused::<ComparisonPlan>(&format!("{head}{text}"));
    assert_eq!(compare("league = 9"), ":4: league: expected 1, 2 or 3, got 9");
    assert_eq!(
        compare("memory = \"lots\""),
        ":4: memory: expected a number of bytes above 0, such as 512M or 2G, found `lots`"
    );
    assert_eq!(
        compare("sandbox = \"basic\"\nrequire-sandbox = \"strict\""),
        ":5: require-sandbox: expected a sandbox of the level strict that is required, found basic"
    );
    assert_eq!(compare("games = 0"), ":4: games: expected a whole number of at least 1, found `0`");
    assert!(
        compare("sprt = \"5\"").starts_with(":4: sprt: expected"),
        "{}",
        compare("sprt = \"5\"")
    );
    assert!(compare("leage = 3").ends_with("; did you mean `league`?"), "{}", compare("leage = 3"));
    let host = refused::<HostPlan>("game = \"hockey\"\ntabels = 3\n");
    assert!(host.ends_with("; did you mean `tables`?"), "{host}");
    let evaluation = refused::<EvaluationPlan>("game = \"hockey\"\nteam = \"x\"\n");
    assert!(evaluation.contains("teams"), "{evaluation}");
    let one = refused::<MatchPlan>("game = \"fencing\"\nfrist = \"a\"\nsecond = \"b\"\n");
    assert!(one.contains("first"), "{one}");
    assert!(compare("tables = 3").starts_with(":4: unknown key `tables`, expected one of `game`"));
    let nobody =
        refused::<ComparisonPlan>("game = \"fencing\"\nold = \"house:x\"\nnew = \"house:greedy\"");
    let wanted = ":2: old: bot `house:x`: expected a house bot of fencing (random, ";
    assert!(nobody.starts_with(wanted) && nobody.ends_with("), found `x`"), "{nobody}");
    assert_eq!(
        refused::<HostPlan>("game = \"worms\""),
        ":1: game: expected a game whose bots connect by TCP, found worms"
    );
    assert!(
        refused::<MatchPlan>("game = \"chess\"\nfirst = \"a\"\nsecond = \"b\"")
            .starts_with(":1: game: expected one of hockey")
    );
    let unreadable = PlanFile::<HostPlan>::read(Path::new("no/such.toml")).expect_err("no file");
    assert!(unreadable.to_string().starts_with("cannot read the host file no/such.toml: "));
}

#[test]
fn a_plan_that_is_written_down_can_be_shown() {
    let text = "game = \"fencing\"\nform = \"swiss\"\nrounds = 1\nlimit = \"50ms\"\n\
                [[bot]]\nname = \"a\"\nrun = \"house:random\"\n\
                [[bot]]\nname = \"b\"\nrun = \"house:greedy\"\n";
    let shown = serde_json::to_value(read::<TournamentPlan>(text).plan).expect("plain data");
    let rules = &shown["settings"]["rules"];
    assert_eq!((&rules["limit_ms"], &rules["league"]), (&json!(50.0), &Value::Null));
    assert_eq!(shown["schedule"]["form"], json!({"swiss": {"rounds": 1}}));
    assert_eq!(shown["bots"][1]["mind"], json!({"house": {"bot": "greedy"}}));
}
