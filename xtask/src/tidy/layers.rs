//! Who may depend on whom.

use super::Finding;
use super::project::{Member, Project};
use crate::workspace::Kind;

/// What each folder may use of ours, tests left out. `games/*` stands for every game. A folder
/// without a row is a finding: a new crate argues its place here.
const LAYERS: &[(&str, &[&str])] = &[
    ("crates/core", &[]),
    ("games/*", &["crates/core"]),
    ("crates/record", &["crates/core"]),
    ("crates/referee", &["crates/core"]),
    ("crates/sandbox", &[]),
    ("crates/links", &["crates/core", "crates/record", "crates/referee", "crates/sandbox"]),
    ("crates/replay", &["crates/core", "crates/referee"]),
    ("crates/draw", &["crates/core"]),
    (
        "crates/registry",
        &["crates/core", "crates/record", "crates/referee", "crates/replay", "games/*"],
    ),
    ("crates/store", &["crates/core", "crates/record"]),
    ("crates/testkit", &["crates/core", "crates/record", "crates/referee", "crates/replay"]),
    ("crates/tournament", &["crates/core", "crates/record"]),
    (
        "crates/arena",
        &[
            "crates/core",
            "crates/record",
            "crates/referee",
            "crates/links",
            "crates/registry",
            "crates/replay",
            "crates/sandbox",
            "crates/store",
            "crates/tournament",
        ],
    ),
    ("crates/report", &["crates/core", "crates/record", "crates/tournament", "crates/arena"]),
    ("crates/terminal", &["crates/core", "crates/referee", "crates/registry", "crates/replay"]),
    (
        "crates/server",
        &[
            "crates/arena",
            "crates/core",
            "crates/draw",
            "crates/record",
            "crates/referee",
            "crates/registry",
            "crates/replay",
            "crates/report",
            "crates/store",
            "crates/tournament",
        ],
    ),
    ("crates/remote", &["crates/arena", "crates/links", "crates/record"]),
    (
        "crates/bench",
        &[
            "crates/arena",
            "crates/core",
            "crates/draw",
            "crates/links",
            "crates/record",
            "crates/referee",
            "crates/registry",
            "crates/remote",
            "crates/sandbox",
            "crates/server",
            "crates/store",
            "crates/tournament",
        ],
    ),
    (
        "crates/cli",
        &[
            "crates/bench",
            "crates/server",
            "crates/remote",
            "crates/arena",
            "crates/report",
            "crates/terminal",
            "crates/store",
            "crates/tournament",
            "crates/core",
            "crates/record",
            "crates/referee",
            "crates/links",
            "crates/sandbox",
            "crates/replay",
            "crates/draw",
            "crates/registry",
        ],
    ),
    ("bots/*", &[]),
    ("xtask", &[]),
];

/// What a game may use of others, tests left out.
const OUTSIDE_OF_GAMES: &[&str] = &["arrayvec", "libm", "serde", "serde_json"];

/// What draws whole screens, and the only crate that does.
const SCREEN_LIBRARY: &str = "ratatui";
const SCREENS: &str = "crates/terminal";

/// The only crate that may name more than one game, in tests neither.
const REGISTRY: &str = "crates/registry";

/// Nobody builds on this one, in tests neither.
const TOP: &str = "crates/cli";

/// The direction of dependencies, as the manifests state them.
pub(super) fn dependencies(project: &Project) -> Vec<Finding> {
    project.packages.iter().flat_map(|member| dependencies_of(project, member)).collect()
}

fn dependencies_of(project: &Project, member: &Member) -> Vec<Finding> {
    let layer = layer_of(&member.folder);
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
        let wrong = format!("`{layer}` has no place among the layers");
        return vec![finding(project, member, &member.package.name, wrong, "a row in LAYERS")];
    };
    let mut findings = Vec::new();
    let mut games = 0;
    for dependency in &member.package.dependencies {
        let name = dependency.name.as_str();
        let is_test = dependency.kind == Some(Kind::Dev);
        let target = project.packages.iter().find(|other| other.package.name == name);
        let target = target.map(|other| layer_of(&other.folder));
        games += usize::from(target.as_deref() == Some("games/*"));
        if let Some(expected) = refusal(&layer, allowed, target.as_deref(), name, is_test) {
            let wrong = format!("`{}` depends on `{name}`", member.package.name);
            findings.push(finding(project, member, name, wrong, &expected));
        }
    }
    if games > 1 && member.folder != REGISTRY {
        let wrong = format!("`{}` names {games} games", member.package.name);
        let expected = "only the registry names more than one game";
        findings.push(finding(project, member, &member.package.name, wrong, expected));
    }
    findings
}

/// Why a dependency is not allowed; `None` if it is. `target` is the layer of one of ours.
fn refusal(
    layer: &str,
    allowed: &[&str],
    target: Option<&str>,
    name: &str,
    is_test: bool,
) -> Option<String> {
    match target {
        Some(TOP) => Some("nothing builds on the command line".to_owned()),
        Some("games/*") if layer == "games/*" => Some("games that do not know each other".into()),
        Some(target) if !is_test && !allowed.contains(&target) => Some(match allowed {
            [] => "nothing of ours".to_owned(),
            _ => format!("of ours only {}", allowed.join(", ")),
        }),
        None if layer == "games/*" && !is_test && !OUTSIDE_OF_GAMES.contains(&name) => {
            Some(format!("of others only {}", OUTSIDE_OF_GAMES.join(", ")))
        }
        None if name == SCREEN_LIBRARY && layer != SCREENS => {
            Some(format!("screens are drawn by {SCREENS} alone"))
        }
        _ => None,
    }
}

/// `games/chess` is `games/*`, `bots/chess/rust` is `bots/*`, the rest is itself.
fn layer_of(folder: &str) -> String {
    match folder.split_once('/') {
        Some((group @ ("games" | "bots"), _)) => format!("{group}/*"),
        _ => folder.to_owned(),
    }
}

/// A finding at the line of the manifest that names `word` first.
fn finding(
    project: &Project,
    member: &Member,
    word: &str,
    wrong: String,
    expected: &str,
) -> Finding {
    let path = format!("{}/Cargo.toml", member.folder);
    let text = project.file(&path).map_or("", |file| file.text.as_str());
    let names = |line: &str| line.starts_with(word) || line.contains(&format!("\"{word}\""));
    let line = text.lines().position(names).map_or(1, |index| index + 1);
    Finding { path, line, wrong, expected: expected.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::project::samples::{member, project};
    use super::*;

    /// Checks one more package beside these: a core, two games and the command line.
    fn check(folder: &str, name: &str, dependencies_of_it: &[&str], expected: &[&str]) {
        let mut sample = project(&[]);
        sample.packages = vec![
            member("crates/core", "quintain-core", &["serde", "sha2"]),
            member("crates/testkit", "quintain-testkit", &["quintain-core"]),
            member("crates/cli", "quintain-cli", &["clap"]),
            member("games/chess", "quintain-chess", &["quintain-core", "serde_json"]),
            member("games/go", "quintain-go", &["quintain-core"]),
        ];
        assert_eq!(dependencies(&sample), [], "the sample itself is in order");
        sample.packages.push(member(folder, name, dependencies_of_it));
        let found: Vec<String> = dependencies(&sample)
            .into_iter()
            .map(|f| format!("{}: {}", f.wrong, f.expected))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_game_uses_core_and_a_few_others() {
        check("games/draughts", "d", &["quintain-core", "serde", "arrayvec"], &[]);
        check("games/draughts", "d", &["dev:quintain-testkit", "dev:proptest"], &[]);
        check(
            "games/draughts",
            "d",
            &["rand"],
            &["`d` depends on `rand`: of others only arrayvec, libm, serde, serde_json"],
        );
        let other_game = ["`d` depends on `quintain-go`: games that do not know each other"];
        check("games/draughts", "d", &["quintain-go"], &other_game);
        check("games/draughts", "d", &["dev:quintain-go"], &other_game);
    }

    #[test]
    fn lower_layers_do_not_use_higher_ones() {
        check("crates/referee", "r", &["quintain-core", "anyhow"], &[]);
        check(
            "crates/referee",
            "r",
            &["quintain-chess"],
            &["`r` depends on `quintain-chess`: of ours only crates/core"],
        );
        check(
            "xtask",
            "x",
            &["quintain-core"],
            &["`x` depends on `quintain-core`: nothing of ours"],
        );
        check(
            "bots/chess/rust",
            "b",
            &["quintain-chess"],
            &["`b` depends on `quintain-chess`: nothing of ours"],
        );
    }

    #[test]
    fn the_testkit_is_for_tests_and_nobody_builds_on_the_command_line() {
        check("crates/draw", "d", &["dev:quintain-testkit"], &[]);
        check(
            "crates/draw",
            "d",
            &["quintain-testkit"],
            &["`d` depends on `quintain-testkit`: of ours only crates/core"],
        );
        check(
            "crates/draw",
            "d",
            &["dev:quintain-cli"],
            &["`d` depends on `quintain-cli`: nothing builds on the command line"],
        );
    }

    #[test]
    fn screens_are_drawn_in_one_place() {
        check("crates/terminal", "t", &["quintain-core", "ratatui"], &[]);
        check(
            "crates/report",
            "r",
            &["ratatui"],
            &["`r` depends on `ratatui`: screens are drawn by crates/terminal alone"],
        );
    }

    #[test]
    fn only_the_registry_names_several_games() {
        check("crates/registry", "r", &["quintain-chess", "quintain-go"], &[]);
        check("crates/replay", "r", &["dev:quintain-chess"], &[]);
        check(
            "crates/replay",
            "r",
            &["dev:quintain-chess", "dev:quintain-go"],
            &["`r` names 2 games: only the registry names more than one game"],
        );
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        check(
            "crates/casino",
            "c",
            &[],
            &["`crates/casino` has no place among the layers: a row in LAYERS"],
        );
    }

    #[test]
    fn the_finding_points_at_the_dependency() {
        let mut sample = project(&[(
            "xtask/Cargo.toml",
            "[package]\nname = \"x\"\n\nquintain-core.workspace = 1\n",
        )]);
        sample.packages = vec![
            member("crates/core", "quintain-core", &[]),
            member("xtask", "x", &["quintain-core"]),
        ];
        assert_eq!(dependencies(&sample)[0].line, 4);
    }
}
