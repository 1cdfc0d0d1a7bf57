//! The figures in a game's README are what `export` draws of a match that is written down beside them.
//! `QUINTAIN_UPDATE=1` draws them anew; look at them before keeping them.

use quintain_testkit::check_golden_file;

use crate::support::{Folder, workspace};

/// Says the throws of its seat, from a file in which every line is a seat and a throw.
const THROWER: &str = r#"name=$1 seat=$2 file=$3
read -r question; echo "$name"
exec 3< <(sed -n "s/^$seat //p" "$file")
while read -r line; do case $line in
"$name is active player"*) read -r throw <&3 && echo "$throw";;
esac; done"#;

/// A figure, the match that it is of, and the turn if it is not the last one.
const HOCKEY: [(&str, &str, Option<u32>); 4] = [
    ("empty-rink", "goal", Some(0)),
    ("goal", "goal", None),
    ("mate-corner", "mate-corner", None),
    ("mate-wall", "mate-wall", None),
];

#[test]
fn the_figures_of_the_hockey_readme_are_drawn_by_export() {
    let home = workspace().join("games/hockey");
    let readme = std::fs::read_to_string(home.join("README.md")).expect("a README");
    let folder = Folder::new();
    folder.write("thrower.sh", THROWER);
    for (figure, played, turn) in HOCKEY {
        let throws = home.join(format!("figures/{played}.throws"));
        let thrower = |name: &str, seat: u32| {
            format!("{name}=bash thrower.sh {name} {seat} '{}'", throws.display())
        };
        let bots = [thrower("P1", 1), thrower("P2", 2)];
        let words = ["play", "hockey", &bots[0], &bots[1], "--replay", "a.jsonl", "--quiet"];
        let finished = folder.run_words(&words, "");
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{figure}");
        let turn = turn.map_or_else(String::new, |turn| format!("--turn {turn}"));
        folder.export(&format!("a.jsonl --svg a.svg {turn}"));
        let drawn = String::from_utf8(folder.read("a.svg")).expect("SVG is text");
        check_golden_file(&home.join(format!("figures/{figure}.svg")), &drawn);
        assert!(readme.contains(&format!("(figures/{figure}.svg)")), "{figure} is not shown");
    }
    assert_eq!(readme.matches("(figures/").count(), HOCKEY.len(), "figures that nobody draws");
}
