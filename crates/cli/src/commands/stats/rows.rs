//! One game as a line of a table, of a spreadsheet, or for programs.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::{Table, presets};
use quintain_arena::results::{DisturbedAnswer, bot_name, disturbed_answers, replay_path};
use quintain_core::{PerSeat, Seat, Verdict, printable};
use quintain_record::{Ending, MatchRecord, Scored};
use quintain_report::{disturbed, spreadsheet};
use quintain_store::{RunInfo, Store};
use serde_json::{Value, json};

/// A game with the words for everything that the store keeps as a number.
pub(super) struct Row {
    run: String,
    number: u64,
    id: String,
    bots: PerSeat<String>,
    game: MatchRecord,
    replay: Option<String>,
    disturbed: Vec<DisturbedAnswer>,
}

pub(super) const COLUMNS: [&str; 10] =
    ["run", "game", "first", "second", "seed", "winner", "reason", "errors", "disturbed", "replay"];

impl Row {
    pub(super) fn new(store: &Store, run: &RunInfo, (number, game): (u64, MatchRecord)) -> Row {
        let bots = PerSeat::from_fn(|seat| bot_name(run, game.head.bots[seat]));
        let id = game.head.id.to_string();
        let path = |stored: &str| replay_path(store, stored);
        let replay = game.head.replay.as_deref().map(path);
        Row {
            run: run.plan.name.clone(),
            number,
            replay: replay.map(|path| path.display().to_string()),
            disturbed: disturbed_answers(&game, |bot| bot_name(run, bot), path),
            id,
            bots,
            game,
        }
    }

    fn cells(&self) -> [String; 10] {
        let head = &self.game.head;
        [
            self.run.clone(),
            self.id.clone(),
            self.bots[Seat::First].clone(),
            self.bots[Seat::Second].clone(),
            head.seed.to_string(),
            self.winner(),
            head.ending.reason().to_owned(),
            self.errors(),
            self.disturbed.len().to_string(),
            self.replay.clone().unwrap_or_default(),
        ]
    }

    /// The cells for a table: what lies below this folder is named from here on, and no disturbed
    /// answer is not worth a number.
    fn short_cells(&self, here: &Path) -> [String; 10] {
        let mut cells = self.cells();
        let [.., disturbed, replay] = &mut cells;
        if self.disturbed.is_empty() {
            disturbed.clear();
        }
        if let Ok(below) = Path::new(replay).strip_prefix(here) {
            *replay = below.display().to_string();
        }
        cells
    }

    fn winner(&self) -> String {
        match &self.game.head.ending {
            Ending::Void(_) => "void".to_owned(),
            Ending::Scored(Scored { verdicts, .. }) => {
                let won = Seat::BOTH.into_iter().find(|&seat| verdicts[seat] == Verdict::Win);
                let is_drawn = verdicts.0.contains(&Verdict::Draw);
                let nobody = if is_drawn { "draw" } else { "nobody" };
                won.map_or_else(|| nobody.to_owned(), |seat| self.bots[seat].clone())
            }
        }
    }

    fn errors(&self) -> String {
        let faults = self.game.errors.iter();
        let words = faults.map(|fault| format!("{}: {}", self.bots[fault.seat], fault.kind.code()));
        words.collect::<Vec<_>>().join("; ")
    }

    pub(super) fn as_csv(&self) -> String {
        spreadsheet::line(self.cells())
    }

    pub(super) fn as_json(&self) -> Value {
        let head = &self.game.head;
        let (verdicts, scores) = match &head.ending {
            Ending::Scored(scored) => (json!(scored.verdicts), json!(scored.scores)),
            Ending::Void(_) => (Value::Null, Value::Null),
        };
        json!({
            "run": self.run,
            "number": self.number,
            "id": self.id,
            "bots": self.bots.0,
            "seed": head.seed,
            "winner": self.winner(),
            "verdicts": verdicts,
            "scores": scores,
            "reason": head.ending.reason(),
            "turns": head.turns,
            "errors": self.game.errors.iter().map(|fault| json!({
                "bot": self.bots[fault.seat], "error": fault.kind.code(), "times": fault.times,
                "text": fault.text,
            })).collect::<Value>(),
            "tags": self.game.tags.iter().map(|tag| json!({
                "name": tag.name, "bot": tag.seat.map(|seat| self.bots[seat].clone()),
                "turn": tag.turn, "value": tag.value,
            })).collect::<Value>(),
            "disturbed": self.disturbed,
            "replay": self.replay,
        })
    }
}

/// The games, and below them the late answers that were the machine's fault. Columns that say nothing
/// are left out.
pub(super) fn print_tables(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let here = std::env::current_dir().unwrap_or_default();
    let cells: Vec<[String; 10]> = rows.iter().map(|row| row.short_cells(&here)).collect();
    let is_telling = |column: usize| {
        let mut values = cells.iter().map(|cells| cells[column].as_str());
        match COLUMNS[column] {
            "run" => values.any(|value| value != cells[0][column]),
            "errors" | "disturbed" => values.any(|value| !value.is_empty()),
            _ => true,
        }
    };
    let columns: Vec<usize> = (0..COLUMNS.len()).filter(|column| is_telling(*column)).collect();
    let mut games = new_table(columns.iter().map(|column| COLUMNS[*column]));
    for cells in &cells {
        games.add_row(columns.iter().map(|column| printable(&cells[*column]).into_owned()));
    }
    let mut late = new_table(disturbed::COLUMNS);
    for answer in rows.iter().flat_map(|row| &row.disturbed) {
        late.add_row(disturbed::cells(answer));
    }
    writeln!(out, "{}", games.trim_fmt())?;
    if late.row_count() > 0 {
        writeln!(out, "\nanswers that were late because this machine was busy:")?;
        writeln!(out, "{}", late.trim_fmt())?;
    }
    Ok(())
}

fn new_table(columns: impl IntoIterator<Item = &'static str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(columns);
    table
}
