//! The example that evaluates two teams does so.

#[path = "../examples/evaluation.rs"]
#[allow(dead_code, reason = "its own `main` is not called here")]
mod example;

/// Throws in every direction when it is asked: one of them is free.
const SCRIPT: &str = r#"# It is spoken to on standard input and output, since it names QUINTAIN_LINK.
read -r question; echo "$QUINTAIN_NAME"
while read -r line; do
    case $line in *"is active player"*)
        printf '%s\n' north "north east" east "south east" south "south west" west "north west" ;;
    esac
done
"#;

#[test]
fn two_teams_are_evaluated_without_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    for team in ["alpha", "beta"] {
        let home = folder.path().join(team);
        std::fs::create_dir(&home).expect("a folder for the team");
        std::fs::write(home.join("run.sh"), SCRIPT).expect("a script");
    }
    let report = example::evaluate(folder.path()).expect("an evaluation");
    assert!(report.is_complete);
    let [pairing] = &report.pairings[..] else { panic!("two teams meet once: {report:?}") };
    assert_eq!((pairing.games, pairing.wins.iter().sum::<u64>()), (4, 4));
    assert_eq!(pairing.failures, [None, None]);
    assert_eq!(report.teams.iter().map(|team| team.script_percent).sum::<f64>(), 20.0);
}
