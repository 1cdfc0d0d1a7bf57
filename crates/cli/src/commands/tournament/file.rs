//! A tournament that is written down in a file. Whatever is wrong with it is said with its line, and
//! before anything is played or written.

use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use quintain_arena::parse_contestant;
use quintain_arena::plan::{MatchSettings, PlanError, TournamentDraft, TournamentPlan, check_name};
use quintain_core::paths_of;
use quintain_record::{Contestant, State};
use quintain_registry::{AnyGame, find, known_games};
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

use crate::args::{EditionArg, PassEnvArgs, RulesArgs, StateArg, duration, time_scale};
use crate::commands::many::{AskArg, ManyArgs, make_folder};
use crate::failure::Failure;

use super::{Described, FormArg, RatingArg, TournamentArgs};

/// What `init` writes.
pub(super) const EXAMPLE: &str = include_str!("example.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    game: Spanned<String>,
    form: Option<Spanned<String>>,
    games_per_pair: Option<u32>,
    challengers: Option<u32>,
    rounds: Option<u32>,
    tie_break_pairs: Option<u32>,
    #[serde(default)]
    third_place: bool,
    seed: Option<i64>,
    seeds: Option<Spanned<Vec<i64>>>,
    league: Option<u8>,
    edition: Option<Spanned<String>>,
    limit: Option<Spanned<String>>,
    start_limit: Option<Spanned<String>>,
    time_scale: Option<Spanned<f64>>,
    game_config: Option<PathBuf>,
    state: Option<Spanned<String>>,
    #[serde(default)]
    pass_env: Vec<String>,
    ask: Option<Spanned<String>>,
    concurrency: Option<NonZero<usize>>,
    name: Option<String>,
    store: Option<String>,
    replays: Option<PathBuf>,
    #[serde(default)]
    no_replays: bool,
    rating: Option<Spanned<String>>,
    #[serde(default)]
    set: Map<String, Value>,
    #[serde(default)]
    bot: Vec<BotText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BotText {
    name: Spanned<String>,
    run: Spanned<String>,
}

/// A file, for messages that name its lines.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    /// File and line, as messages begin.
    fn place(&self, span: &Range<usize>) -> String {
        let start = span.start.min(self.text.len());
        let before = &self.text.as_bytes()[..start];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("{}:{line}: ", self.path.display())
    }

    fn line_at(&self, span: &Range<usize>) -> &str {
        let start = span.start.min(self.text.len());
        let begin = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        self.text[begin..].lines().next().unwrap_or_default()
    }

    /// Where a key of the tournament stands, if the file has it.
    fn key_span(&self, key: &str) -> Option<Range<usize>> {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let rest = line.trim_start().strip_prefix(key);
            if rest.is_some_and(|rest| rest.trim_start().starts_with('=')) {
                return Some(start..start);
            }
            start += line.len();
        }
        None
    }

    /// The same for a field of the game's config: tables may name it in parts.
    fn field_span(&self, field: &str) -> Option<Range<usize>> {
        let last = field.rsplit('.').next().unwrap_or(field);
        let written = [field.to_owned(), format!("\"{field}\""), last.to_owned()];
        written.iter().find_map(|key| self.key_span(key))
    }

    /// What is wrong with a key, at its line or, if it is left out, at the first one.
    fn wrong_key(&self, key: &str, what: impl std::fmt::Display) -> Failure {
        self.wrong(self.field_span(key).unwrap_or_default(), format!("{key}: {what}"))
    }

    /// What the game does not have was asked for in the file, not on the command line.
    fn in_file(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Field { field, wrong } => self.wrong_key(&field.0, wrong),
            Failure::Usage(text) => Failure::usage(format!("{}: {text}", self.path.display())),
            other => other,
        }
    }

    fn plan_failure(&self, error: PlanError) -> Failure {
        match error {
            PlanError::Wrong { field, wrong } => self.wrong_key(&field.0, wrong),
            error => self.wrong(0..0, error),
        }
    }

    fn wrong(&self, span: Range<usize>, what: impl std::fmt::Display) -> Failure {
        Failure::usage(format!("{}{what}", self.place(&span)))
    }

    /// One of the words that the option of the same name takes.
    fn choice<T: ValueEnum>(
        &self,
        key: &str,
        word: Option<&Spanned<String>>,
    ) -> Result<Option<T>, Failure> {
        let Some(word) = word else { return Ok(None) };
        let parsed = T::from_str(word.get_ref(), false);
        parsed.map(Some).map_err(|_| {
            let known = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let known: Vec<String> = known.map(|value| format!("`{}`", value.get_name())).collect();
            let found = word.get_ref();
            let known = known.join(", ");
            self.wrong(word.span(), format!("{key}: expected one of {known}, found `{found}`"))
        })
    }

    fn time(&self, key: &str, word: Option<&Spanned<String>>) -> Result<Option<Duration>, Failure> {
        let Some(word) = word else { return Ok(None) };
        duration(word.get_ref()).map(Some).map_err(|expected| {
            let found = word.get_ref();
            self.wrong(word.span(), format!("{key}: {expected}, found `{found}`"))
        })
    }
}

/// The tournament of a file, and how its games are played. Options go before what the file says.
pub(super) fn read(
    path: &Path,
    args: &TournamentArgs,
) -> Result<(Described, Option<ManyArgs>), Failure> {
    let text = text_of(path)?;
    let source = Source { path, text: &text };
    let parsed: Text = toml::from_str(&text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        let words = in_words(error.message(), source.line_at(&span));
        source.wrong(span, words)
    })?;
    let game = find(parsed.game.get_ref()).ok_or_else(|| {
        let (known, found) = (known_games(), parsed.game.get_ref());
        source.wrong(parsed.game.span(), format!("game: expected one of {known}, found `{found}`"))
    })?;
    let state: Option<StateArg> = source.choice("state", parsed.state.as_ref())?;
    let contestants = contestants(&source, &parsed, game, state)?;
    let origins = parsed.bot.iter().map(|bot| source.place(&bot.run.span())).collect();
    let seeds = seeds_of(&source, &parsed, game)?;
    let form = source.choice("form", parsed.form.as_ref())?.unwrap_or(FormArg::RoundRobin);
    let seed = parsed.seed.unwrap_or(1);
    let draft = TournamentDraft {
        settings: MatchSettings { seed, ..MatchSettings::of(game.facts().id) },
        form: form.into(),
        games_per_pair: parsed.games_per_pair,
        challengers: parsed.challengers,
        rounds: parsed.rounds,
        tie_break_pairs: parsed.tie_break_pairs,
        third_place: parsed.third_place,
        seeds,
        ..TournamentDraft::of(game.facts().id)
    };
    let plan = draft.plan_of(contestants).map_err(|error| source.plan_failure(error))?;
    plan.check().map_err(|error| source.plan_failure(error))?;
    let rating: Option<RatingArg> = source.choice("rating", parsed.rating.as_ref())?;
    let beside = || path.with_extension("db").display().to_string();
    let store = args.many.store.clone().or_else(|| parsed.store.clone()).unwrap_or_else(beside);
    let is_store_in_file = args.many.store.is_none() && parsed.store.is_some();
    let store_span = source.key_span("store").filter(|_| is_store_in_file);
    let has_concurrency = args.many.concurrency.is_none() && parsed.concurrency.is_some();
    let stem = || path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let name = args.many.name.clone().or_else(|| parsed.name.clone()).unwrap_or_else(stem);
    if args.many.name.is_none() {
        check_name(&name).map_err(|error| source.wrong_key("name", error))?;
    }
    let many = many_args(&source, parsed, state, args)?;
    many.checked_config(game).map_err(|failure| source.in_file(failure))?;
    let described = Described {
        plan: TournamentPlan {
            settings: many.settings(game.facts().id),
            rating: args.rating.or(rating).unwrap_or(RatingArg::BradleyTerry).into(),
            ..plan
        },
        name,
        origins,
        store: Some(store),
        store_origin: store_span.map_or_else(String::new, |span| source.place(&span)),
    };
    if args.many.replays.is_none()
        && let Some(folder) = &many.replays
    {
        make_folder(folder).map_err(|error| source.wrong_key("replays", error))?;
    }
    if has_concurrency {
        many.concurrency().map_err(|failure| match failure {
            Failure::Usage(text) => source.wrong_key("concurrency", text),
            other => other,
        })?;
    }
    Ok((described, Some(many)))
}

/// The file's text; what is no text is named with its line.
fn text_of(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::usage(format!("cannot read the tournament file {}: {error}", path.display()))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[start];
        let text = String::from_utf8_lossy(error.as_bytes());
        let source = Source { path, text: &text };
        source.wrong(start..start, format!("expected text in UTF-8, found the byte 0x{byte:02x}"))
    })
}

/// The parser's message in the words of someone who writes such a file.
fn in_words(message: &str, line: &str) -> String {
    let key = line.split_once('=').map(|(key, _)| key.trim());
    if message == "duplicate key" {
        return format!("{}: expected once, found a second time", key.unwrap_or(line.trim()));
    }
    let wrong = ["invalid type: ", "invalid value: "];
    let rest = wrong.into_iter().find_map(|start| message.strip_prefix(start));
    let Some((found, expected)) = rest.and_then(|rest| rest.rsplit_once(", expected ")) else {
        return message.replace("field", "key");
    };
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "u32" => "a whole number from 0 to 4294967295",
        "usize" | "a nonzero usize" => "a whole number of at least 1",
        "i64" => "a whole number",
        "f64" => "a number",
        "a string" | "path string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" if key == Some("bot") || line.trim() == "[bot]" => {
            "[[bot]] with `name` and `run` for each bot"
        }
        "a sequence" => "a list in brackets",
        other => other,
    };
    let kinds = ["string ", "integer ", "boolean ", "floating point "];
    let found = kinds.iter().find_map(|kind| found.strip_prefix(kind)).unwrap_or(found);
    let found = if found == "map" { line.trim() } else { found };
    match key {
        Some(key) => format!("{key}: expected {expected}, found {found}"),
        None => format!("expected {expected}, found {found}"),
    }
}

fn contestants(
    source: &Source<'_>,
    parsed: &Text,
    game: &dyn AnyGame,
    state: Option<StateArg>,
) -> Result<Vec<Contestant>, Failure> {
    let told = state.map_or_else(State::default, |state| state.state(None));
    let mut contestants: Vec<Contestant> = Vec::new();
    for bot in &parsed.bot {
        let (name, run) = (bot.name.get_ref(), bot.run.get_ref());
        check_name(name)
            .map_err(|error| source.wrong(bot.name.span(), format!("name: {error}")))?;
        if contestants.iter().any(|other| other.name == *name) {
            let found = format!("expected bots with different names, found `{name}` twice");
            return Err(source.wrong(bot.name.span(), found));
        }
        let contestant = parse_contestant(&format!("bot={run}"), game, told)
            .map_err(|error| source.wrong(bot.run.span(), error))?;
        contestants.push(Contestant { name: name.clone(), ..contestant });
    }
    if contestants.len() < 2 {
        let found = contestants.len();
        let text = format!("expected at least two [[bot]] with `name` and `run`, found {found}");
        let last = parsed.bot.last().map_or(source.text.len(), |bot| bot.run.span().start);
        return Err(source.wrong(last..last, text));
    }
    Ok(contestants)
}

/// Those that are listed, if they are.
fn seeds_of(
    source: &Source<'_>,
    parsed: &Text,
    game: &dyn AnyGame,
) -> Result<Option<Vec<i64>>, Failure> {
    let Some(list) = &parsed.seeds else { return Ok(None) };
    if parsed.seed.is_some() {
        return Err(source.wrong(list.span(), "expected `seed` or `seeds`, found both"));
    }
    for &seed in list.get_ref() {
        game.check_seed(seed).map_err(|error| source.wrong(list.span(), error))?;
    }
    Ok(Some(list.get_ref().clone()))
}

fn many_args(
    source: &Source<'_>,
    parsed: Text,
    state: Option<StateArg>,
    args: &TournamentArgs,
) -> Result<ManyArgs, Failure> {
    let options = &args.many;
    let scale = match &parsed.time_scale {
        None => 1.0,
        Some(scale) => time_scale(&scale.get_ref().to_string())
            .map_err(|expected| source.wrong(scale.span(), format!("time-scale: {expected}")))?,
    };
    let edition: Option<EditionArg> = source.choice("edition", parsed.edition.as_ref())?;
    let rules = RulesArgs {
        league: parsed.league,
        edition: edition.unwrap_or(EditionArg::Document),
        game_config: parsed.game_config,
        limit: source.time("limit", parsed.limit.as_ref())?,
        set: paths_of(&Value::Object(parsed.set)),
        time_scale: scale,
        no_clock: false,
    };
    let ask: Option<AskArg> = source.choice("ask", parsed.ask.as_ref())?;
    let start_limit = source.time("start-limit", parsed.start_limit.as_ref())?;
    let replays = options.replays.clone().or(parsed.replays);
    let mut pass_env = options.pass_env.clone();
    if pass_env.names.is_empty() {
        pass_env = PassEnvArgs { names: parsed.pass_env };
        pass_env.variables().map_err(|failure| source.in_file(failure))?;
    }
    Ok(ManyArgs {
        rules,
        seed: parsed.seed.unwrap_or(1),
        concurrency: options.concurrency.or(parsed.concurrency),
        force: options.force,
        ask: ask.unwrap_or(AskArg::InTurn),
        start_limit: start_limit.unwrap_or(options.start_limit),
        state,
        pass_env,
        store_password_file: options.store_password_file.clone(),
        store: None,
        name: None,
        quiet: options.quiet,
        no_replays: options.no_replays || (parsed.no_replays && replays.is_none()),
        replays,
        sign: options.sign.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_types_are_told_in_words() {
        let check = |text: &str, expected: &str| {
            let error = toml::from_str::<Text>(text).expect_err(text);
            assert_eq!(in_words(error.message(), text), expected);
        };
        check("league = \"x\"", "league: expected a whole number from 0 to 255, found \"x\"");
        check("rounds = -3", "rounds: expected a whole number from 0 to 4294967295, found `-3`");
        check("concurrency = 0", "concurrency: expected a whole number of at least 1, found `0`");
        check("time-scale = true", "time-scale: expected a number, found `true`");
        check("seed = 2.5", "seed: expected a whole number, found `2.5`");
        check("[bot]", "expected [[bot]] with `name` and `run` for each bot, found [bot]");
        check("seeds = 3", "seeds: expected a list in brackets, found `3`");
        check("no-replays = 1", "no-replays: expected true or false, found `1`");
        check("limit = 5", "limit: expected a text in quotes, found `5`");
    }

    #[test]
    fn the_example_is_a_tournament_whatever_is_uncommented() {
        let parsed: Text = toml::from_str(EXAMPLE).expect("the example is well-formed");
        assert_eq!(parsed.bot.len(), 2);
        // The first word behind `# ` with an equals sign behind it is a key that is commented out.
        let is_key = |line: &str| {
            let key = line.split(" = ").next().unwrap_or_default();
            line.contains(" = ") && key.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        let mut keys = 0;
        let uncommented: Vec<&str> = EXAMPLE
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if is_key(rest) => {
                    keys += 1;
                    rest
                }
                _ => line,
            })
            .collect();
        assert_eq!(keys, 21);
        toml::from_str::<Text>(&uncommented.join("\n")).expect("every commented key is known");
    }
}
