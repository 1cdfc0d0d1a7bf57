//! `quintain stats`: the games behind a number.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use comfy_table::{Table, presets};
use quintain_arena::replay_path;
use quintain_core::{PerSeat, Seat, Verdict, printable};
use quintain_store::{Ending, Errors, Filter, Game, RunInfo, Store, TagFilter, TagTest};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::HEADING;

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The store: a file, or postgres://...
    #[arg(long, value_name = "STORE")]
    store: String,
    /// Only games of this run
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Only games of this bot; results and tags are its own then
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Only games against this bot
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// Only games with this seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<i64>,
    /// Only games that ended so, in the game's own words
    #[arg(long)]
    reason: Option<String>,
    /// Only games with this verdict for --bot, or for either bot without it
    #[arg(long, value_enum)]
    verdict: Option<VerdictArg>,
    /// Only games in which --bot, or either bot, failed: any, or a fault such as late
    #[arg(long, value_name = "FAULT", num_args = 0..=1, default_missing_value = "any")]
    error: Option<String>,
    /// Only games with a tag, as bots give them on stderr: depth, depth=7, depth>=7 or depth<=7
    #[arg(long, value_name = "TAG", value_parser = tag)]
    tag: Vec<TagFilter>,
    /// Only void games, which were disturbed too often
    #[arg(long)]
    void: bool,
    /// How the games are shown
    #[arg(long, value_enum, default_value = "table")]
    output: OutputArg,
    /// Print the paths of the replays and nothing else
    #[arg(long)]
    list_replays: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutputArg {
    Table,
    Csv,
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum VerdictArg {
    Win,
    Draw,
    Loss,
    Disqualified,
}

impl From<VerdictArg> for Verdict {
    fn from(verdict: VerdictArg) -> Verdict {
        match verdict {
            VerdictArg::Win => Verdict::Win,
            VerdictArg::Draw => Verdict::Draw,
            VerdictArg::Loss => Verdict::Loss,
            VerdictArg::Disqualified => Verdict::Disqualified,
        }
    }
}

/// `name`, `name=value`, `name>=number` or `name<=number`.
fn tag(text: &str) -> Result<TagFilter, String> {
    const EXPECTED: &str = "expected a tag such as depth, depth=7, depth>=7 or depth<=7";
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| EXPECTED.to_owned());
    let (name, test) = if let Some((name, least)) = text.split_once(">=") {
        (name, TagTest::AtLeast(number(least)?))
    } else if let Some((name, most)) = text.split_once("<=") {
        (name, TagTest::AtMost(number(most)?))
    } else if let Some((name, value)) = text.split_once('=') {
        (name, TagTest::Is(value.to_owned()))
    } else {
        (text, TagTest::Present)
    };
    match name.trim() {
        "" => Err(EXPECTED.to_owned()),
        name => Ok(TagFilter { name: name.to_owned(), test, turn: None }),
    }
}

/// A game with the words for everything that the store keeps as a number.
struct Row {
    run: String,
    number: u64,
    bots: PerSeat<String>,
    game: Game,
    replay: Option<String>,
}

pub(super) fn run(args: &StatsArgs) -> Result<(), Failure> {
    let store = Store::open_existing(&args.store)?;
    let rows = find_games(args, &store)?;
    let mut out = anstream::stdout().lock();
    if args.list_replays {
        for replay in rows.iter().filter_map(|row| row.replay.as_deref()) {
            writeln!(out, "{replay}")?;
        }
        return Ok(());
    }
    let summary = Summary::of(&rows, args.bot.as_deref());
    match args.output {
        OutputArg::Table => {
            print_table(&rows, &mut out)?;
            summary.print(&mut out)?;
        }
        OutputArg::Csv => print_csv(&rows, &mut out)?,
        OutputArg::Json => {
            let games: Value = rows.iter().map(row_json).collect();
            writeln!(out, "{}", json!({ "games": games, "summary": summary.as_json() }))?;
        }
    }
    Ok(())
}

fn find_games(args: &StatsArgs, store: &Store) -> Result<Vec<Row>, Failure> {
    let mut runs = store.runs()?;
    if let Some(name) = &args.run {
        let known: Vec<String> = runs.iter().map(|run| run.plan.name.clone()).collect();
        runs.retain(|run| run.plan.name == *name);
        if runs.is_empty() {
            let known = known.join(", ");
            return Err(Failure::usage(format!("--run: expected one of {known}, found `{name}`")));
        }
    }
    check_bots(args, &runs)?;
    let mut rows = Vec::new();
    for run in &runs {
        let Some(filter) = filter_of(args, run) else { continue };
        for listed in store.games(run.id, &filter) {
            let number = listed?.number;
            let Some(game) = store.game(run.id, number)? else { continue };
            let name = |place: u32| match run.plan.bots.get(place as usize) {
                Some(bot) => bot.name.clone(),
                None => format!("bot {place}"),
            };
            let replay = game.summary.replay.as_deref().map(|path| replay_path(store, path));
            rows.push(Row {
                run: run.plan.name.clone(),
                number,
                bots: PerSeat::from_fn(|seat| name(game.summary.bots[seat])),
                replay: replay.map(|path| path.display().to_string()),
                game,
            });
        }
    }
    Ok(rows)
}

fn check_bots(args: &StatsArgs, runs: &[RunInfo]) -> Result<(), Failure> {
    for (option, name) in [("bot", &args.bot), ("opponent", &args.opponent)] {
        let Some(name) = name else { continue };
        if runs.iter().any(|run| run.place_of(name).is_some()) {
            continue;
        }
        let bots = runs.iter().flat_map(|run| &run.plan.bots).map(|bot| bot.name.as_str());
        let known: std::collections::BTreeSet<&str> = bots.collect();
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(format!("--{option}: expected one of {known}, found `{name}`")));
    }
    Ok(())
}

/// `None` if nobody who is asked for plays in the run.
fn filter_of(args: &StatsArgs, run: &RunInfo) -> Option<Filter> {
    let place = |name: &Option<String>| match name {
        Some(name) => run.place_of(name).map(Some),
        None => Some(None),
    };
    Some(Filter {
        bot: place(&args.bot)?,
        opponent: place(&args.opponent)?,
        seed: args.seed,
        reason: args.reason.clone(),
        verdict: args.verdict.map(Verdict::from),
        errors: args.error.as_deref().map(|kind| match kind {
            "any" => Errors::Any,
            kind => Errors::Kind(kind.to_owned()),
        }),
        tags: args.tag.clone(),
        void: args.void.then_some(true),
        ..Filter::default()
    })
}

const COLUMNS: [&str; 9] =
    ["run", "game", "first", "second", "seed", "winner", "reason", "errors", "replay"];

fn cells(row: &Row) -> [String; 9] {
    let summary = &row.game.summary;
    [
        row.run.clone(),
        row.number.to_string(),
        row.bots[Seat::First].clone(),
        row.bots[Seat::Second].clone(),
        summary.seed.to_string(),
        winner(row),
        summary.ending.reason().to_owned(),
        errors(row),
        row.replay.clone().unwrap_or_default(),
    ]
}

fn winner(row: &Row) -> String {
    match &row.game.summary.ending {
        Ending::Void { .. } => "void".to_owned(),
        Ending::Scored { verdicts, .. } => {
            let won = Seat::BOTH.into_iter().find(|&seat| verdicts[seat] == Verdict::Win);
            won.map_or_else(|| "draw".to_owned(), |seat| row.bots[seat].clone())
        }
    }
}

fn errors(row: &Row) -> String {
    let words: Vec<String> = row
        .game
        .faults
        .iter()
        .map(|fault| format!("{}: {}", row.bots[fault.seat], fault.kind))
        .collect();
    words.join("; ")
}

fn print_table(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(COLUMNS);
    for row in rows {
        table.add_row(cells(row).map(|cell| printable(&cell).into_owned()));
    }
    writeln!(out, "{}", table.trim_fmt())
}

fn print_csv(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for row in rows {
        writeln!(out, "{}", cells(row).map(|cell| quoted(&cell)).join(","))?;
    }
    Ok(())
}

/// A cell of a CSV file, with quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn row_json(row: &Row) -> Value {
    let summary = &row.game.summary;
    let (verdicts, scores) = match &summary.ending {
        Ending::Scored { verdicts, scores, .. } => (
            json!(verdicts.0.map(|verdict| format!("{verdict:?}").to_lowercase())),
            json!(scores.0),
        ),
        Ending::Void { .. } => (Value::Null, Value::Null),
    };
    json!({
        "run": row.run,
        "number": row.number,
        "bots": row.bots.0,
        "seed": summary.seed,
        "winner": winner(row),
        "verdicts": verdicts,
        "scores": scores,
        "reason": summary.ending.reason(),
        "turns": summary.turns,
        "errors": row.game.faults.iter().map(|fault| json!({
            "bot": row.bots[fault.seat], "fault": fault.kind, "times": fault.times,
            "text": fault.text,
        })).collect::<Value>(),
        "tags": row.game.tags.iter().map(|tag| json!({
            "name": tag.name, "bot": tag.seat.map(|seat| row.bots[seat].clone()),
            "turn": tag.turn, "value": tag.value,
        })).collect::<Value>(),
        "replay": row.replay,
    })
}

/// Values that a bot gave one name, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spread {
    count: u64,
    mean: f64,
    /// The sum of squares of the distances from the mean, by Welford's method.
    squares: f64,
    least: f64,
    most: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.least = if self.count == 0 { value } else { self.least.min(value) };
        self.most = if self.count == 0 { value } else { self.most.max(value) };
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
    }

    fn deviation(&self) -> f64 {
        if self.count < 2 { 0.0 } else { (self.squares / (self.count - 1) as f64).sqrt() }
    }
}

/// Wins, draws and losses per bot, and what the bots said about themselves.
#[derive(Debug, Default)]
struct Summary {
    games: usize,
    void: usize,
    results: BTreeMap<String, [u64; 3]>,
    tags: BTreeMap<(String, String), Spread>,
}

impl Summary {
    fn of(rows: &[Row], only: Option<&str>) -> Summary {
        let mut summary = Summary { games: rows.len(), ..Summary::default() };
        for row in rows {
            summary.void += usize::from(row.game.summary.ending.is_void());
            for seat in Seat::BOTH {
                let bot = &row.bots[seat];
                if only.is_none_or(|only| only == bot) {
                    summary.add(row, seat, bot);
                }
            }
        }
        summary
    }

    fn add(&mut self, row: &Row, seat: Seat, bot: &str) {
        if let Ending::Scored { verdicts, .. } = &row.game.summary.ending {
            let index = match verdicts[seat] {
                Verdict::Win => 0,
                Verdict::Draw => 1,
                Verdict::Loss | Verdict::Disqualified => 2,
            };
            self.results.entry(bot.to_owned()).or_default()[index] += 1;
        }
        for tag in row.game.tags.iter().filter(|tag| tag.seat == Some(seat)) {
            if let Ok(value) = tag.value.parse::<f64>() {
                let key = (bot.to_owned(), tag.name.clone());
                self.tags.entry(key).or_default().add(value);
            }
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let void =
            if self.void > 0 { format!(", {} of them void", self.void) } else { String::new() };
        writeln!(out, "{HEADING}{} games{void}{HEADING:#}", self.games)?;
        for (bot, [wins, draws, losses]) in &self.results {
            writeln!(out, "{}: {wins} wins, {draws} draws, {losses} losses", printable(bot))?;
        }
        for ((bot, name), spread) in &self.tags {
            let Spread { count, mean, least, most, .. } = spread;
            let deviation = spread.deviation();
            writeln!(
                out,
                "{}: {} {mean:.2} ± {deviation:.2} ({least} to {most}, {count} values)",
                printable(bot),
                printable(name)
            )?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let bots = self.results.iter().map(|(bot, [wins, draws, losses])| {
            json!({ "bot": bot, "wins": wins, "draws": draws, "losses": losses })
        });
        let tags = self.tags.iter().map(|((bot, name), spread)| {
            json!({
                "bot": bot, "name": name, "count": spread.count, "mean": spread.mean,
                "deviation": spread.deviation(), "least": spread.least, "most": spread.most,
            })
        });
        json!({
            "games": self.games,
            "void": self.void,
            "bots": bots.collect::<Value>(),
            "tags": tags.collect::<Value>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_their_test() {
        let test = |text| tag(text).map(|tag| (tag.name, tag.test));
        assert_eq!(test("depth"), Ok(("depth".to_owned(), TagTest::Present)));
        assert_eq!(test("depth=7"), Ok(("depth".to_owned(), TagTest::Is("7".to_owned()))));
        assert_eq!(test("depth>=7"), Ok(("depth".to_owned(), TagTest::AtLeast(7.0))));
        assert_eq!(test("depth <= 7.5"), Ok(("depth".to_owned(), TagTest::AtMost(7.5))));
        for wrong in ["", "=7", "depth>=deep", ">=7"] {
            assert!(tag(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_spread_has_the_mean_and_the_deviation_of_a_sample() {
        let mut spread = Spread::default();
        for value in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            spread.add(value);
        }
        assert!((spread.mean - 5.0).abs() < 1e-12);
        assert!((spread.deviation() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((spread.least, spread.most, spread.count), (2.0, 9.0, 8));
    }

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
