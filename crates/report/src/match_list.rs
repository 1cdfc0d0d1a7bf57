//! Lists of matches, and what they come to.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::Table;
use quintain_arena::results::{DisturbedAnswer, ListedMatch, MatchSums, TagSums};
use quintain_core::{Seat, Verdict, printable};
use quintain_tournament::grouped;
use serde_json::{Value, json};

use crate::table::unbroken_rows;
use crate::words::{Line, counted, headed};
use crate::{disturbed, spreadsheet};

const COLUMNS: [&str; 10] =
    ["run", "game", "first", "second", "seed", "winner", "reason", "errors", "disturbed", "replay"];

/// Writes a line per match below a header: a million of them need not be in memory.
///
/// # Errors
/// A match cannot be read, or a line not written.
pub fn write_csv<E: From<io::Error>>(
    matches: impl Iterator<Item = Result<ListedMatch, E>>,
    out: &mut impl Write,
) -> Result<(), E> {
    write!(out, "{}", spreadsheet::line(COLUMNS))?;
    for listed in matches {
        write!(out, "{}", spreadsheet::line(cells(&listed?)))?;
    }
    Ok(())
}

/// Writes one object, match by match; `sums` are read when all matches are written.
///
/// # Errors
/// As [`write_csv`].
pub fn write_json<E: From<io::Error>>(
    matches: impl Iterator<Item = Result<ListedMatch, E>>,
    sums: impl FnOnce() -> Result<MatchSums, E>,
    out: &mut impl Write,
) -> Result<(), E> {
    write!(out, "{{\"games\":[")?;
    for (index, listed) in matches.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}{}", json(&listed?))?;
    }
    writeln!(out, "],\"summary\":{}}}", json!(sums()?))?;
    Ok(())
}

/// A match for programs.
pub fn json(listed: &ListedMatch) -> Value {
    let mut object = json!(listed);
    object["winner"] = json!(winner(listed));
    object
}

/// The matches, and below them the late answers that were the machine's fault. Columns that say nothing are
/// left out; what lies below the folder `here` is named from there on.
pub fn tables(matches: &[ListedMatch], here: &Path) -> String {
    if matches.is_empty() {
        return String::new();
    }
    let rows: Vec<[String; 10]> = matches.iter().map(|one| short_cells(one, here)).collect();
    let is_telling = |column: usize| {
        let mut values = rows.iter().map(|cells| cells[column].as_str());
        match COLUMNS[column] {
            "run" => values.any(|value| value != rows[0][column]),
            "errors" | "disturbed" => values.any(|value| !value.is_empty()),
            _ => true,
        }
    };
    let columns: Vec<usize> = (0..COLUMNS.len()).filter(|column| is_telling(*column)).collect();
    let header = columns.iter().map(|column| COLUMNS[*column]);
    let cells = |row: &[String; 10]| columns.iter().map(|column| row[*column].clone()).collect();
    let mut text = in_lines(unbroken_rows(header, rows.iter().map::<Vec<String>, _>(cells)));
    let answers: Vec<&DisturbedAnswer> = matches.iter().flat_map(|one| &one.disturbed).collect();
    if !answers.is_empty() {
        let late = answers.into_iter().map(disturbed::cells);
        text += "\nanswers that were late because this machine was busy:\n";
        text += &in_lines(unbroken_rows(disturbed::COLUMNS, late));
    }
    text
}

/// What the matches come to.
pub fn sums_in_words(sums: &MatchSums) -> Vec<Line> {
    let void = match sums.void {
        0 => String::new(),
        void => format!(", {} of them void", grouped(void)),
    };
    let mut lines = vec![format!("{}{void}", counted(sums.games, "game"))];
    for bot in &sums.bots {
        let [wins, draws, losses] = [bot.wins, bot.draws, bot.losses].map(grouped);
        lines.push(format!("{}: {wins} won, {draws} drawn, {losses} lost", printable(&bot.bot)));
    }
    for TagSums { bot, name, count, mean, deviation, least, most } in &sums.tags {
        let (bot, name, values) = (printable(bot), printable(name), counted(*count, "value"));
        lines.push(format!(
            "{bot}: {name} {mean:.2} ± {deviation:.2} ({least} to {most}, {values})"
        ));
    }
    headed(lines)
}

fn cells(listed: &ListedMatch) -> [String; 10] {
    [
        listed.run.clone(),
        listed.id.clone(),
        listed.bots[Seat::First].clone(),
        listed.bots[Seat::Second].clone(),
        listed.seed.to_string(),
        winner(listed),
        listed.reason.clone(),
        errors(listed),
        listed.disturbed.len().to_string(),
        listed.replay.clone().unwrap_or_default(),
    ]
}

/// The cells for a table: no disturbed answer is not worth a number.
fn short_cells(listed: &ListedMatch, here: &Path) -> [String; 10] {
    let mut cells = cells(listed);
    let [.., disturbed, replay] = &mut cells;
    if listed.disturbed.is_empty() {
        disturbed.clear();
    }
    if let Ok(below) = Path::new(replay).strip_prefix(here) {
        *replay = below.display().to_string();
    }
    cells
}

fn winner(listed: &ListedMatch) -> String {
    let Some(verdicts) = listed.verdicts else { return "void".to_owned() };
    let won = Seat::BOTH.into_iter().find(|&seat| verdicts[seat] == Verdict::Win);
    let nobody = if verdicts.0.contains(&Verdict::Draw) { "draw" } else { "nobody" };
    won.map_or_else(|| nobody.to_owned(), |seat| listed.bots[seat].clone())
}

fn errors(listed: &ListedMatch) -> String {
    let words = listed.errors.iter().map(|error| format!("{}: {}", error.bot, error.error.code()));
    words.collect::<Vec<_>>().join("; ")
}

/// However narrow the terminal is: whoever looks for a game searches in the lines.
fn in_lines(table: Table) -> String {
    format!("{}\n", table.trim_fmt())
}
