//! A tournament that is written down in a file. What is wrong with it is found before anything is played or
//! written.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use quintain_core::{Edition, paths_of};
use quintain_record::{Contestant, State};
use quintain_referee::Ask;
use quintain_registry::AnyGame;
use quintain_tournament::RatingKind;

use super::toml::{FileTable, PlanFileError, Source};
use super::{FormKind, TournamentDraft, TournamentPlan, check_name, check_time_scale};
use crate::occupant::parse_contestant;

/// A tournament file with comments, to start from.
pub const TOURNAMENT_EXAMPLE: &str = include_str!("example.toml");

/// What a tournament file says, with everything checked that results depend on.
#[derive(Debug)]
pub struct TournamentFile {
    pub plan: TournamentPlan,
    pub wishes: FileWishes,
    source: Source,
}

/// What a tournament file says about what results do not depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileWishes {
    /// Variables that bots are given.
    pub pass_env: Vec<String>,
    pub concurrency: Option<NonZero<usize>>,
    pub name: Option<String>,
    pub store: Option<String>,
    pub replays: Option<PathBuf>,
    pub no_replays: bool,
}

/// The keys of a file, before they are compared with each other.
struct Keys {
    draft: TournamentDraft,
    has_seed: bool,
    wishes: FileWishes,
    /// Name and what is run.
    bots: Vec<(String, String)>,
}

impl TournamentFile {
    /// # Errors
    /// What is wrong, and on which line.
    pub fn read(path: &Path) -> Result<TournamentFile, PlanFileError> {
        let source = Source::read(path)?;
        let Keys { draft, has_seed, wishes, bots } = Keys::of(source.table()?)?;
        let settings = &draft.settings;
        let game = settings.game().map_err(|error| source.wrong_plan(error))?;
        let bots = contestants(&source, &bots, game, settings.state.unwrap_or_default())?;
        if has_seed && draft.seeds.is_some() {
            return Err(source.wrong_line("seeds", "expected `seed` or `seeds`, found both"));
        }
        for &seed in draft.seeds.iter().flatten() {
            game.check_seed(seed).map_err(|error| source.wrong_line("seeds", error))?;
        }
        let plan = draft.plan_of(bots).map_err(|error| source.wrong_plan(error))?;
        plan.check().map_err(|error| source.wrong_plan(error))?;
        check_time_scale(settings.rules.time_scale)
            .map_err(|error| source.wrong("time-scale", error))?;
        settings.config(game).map_err(|error| source.wrong_plan(error))?;
        Ok(TournamentFile { plan, wishes, source })
    }

    /// What turned out to be wrong with a key.
    pub fn wrong(&self, key: &str, wrong: impl std::fmt::Display) -> PlanFileError {
        self.source.wrong(key, wrong)
    }

    /// Where a key stands, as messages begin.
    pub fn place(&self, key: &str) -> String {
        self.source.place(key)
    }

    /// The same of what is run for a bot.
    pub fn bot_place(&self, index: usize) -> String {
        self.place(&format!("bot[{index}].run"))
    }
}

impl Keys {
    /// In the order in which messages list them.
    fn of(mut table: FileTable<'_>) -> Result<Keys, PlanFileError> {
        const COUNT: std::ops::RangeInclusive<i64> = 0..=0xffff_ffff;
        let mut draft = TournamentDraft::of(&table.needed("game")?);
        draft.form = table.choice("form", FormKind::ALL, FormKind::name)?.unwrap_or_default();
        draft.games_per_pair = table.whole("games-per-pair", COUNT)?;
        draft.challengers = table.whole("challengers", COUNT)?;
        draft.rounds = table.whole("rounds", COUNT)?;
        draft.tie_break_pairs = table.whole("tie-break-pairs", COUNT)?;
        draft.third_place = table.truth("third-place")?;
        let settings = &mut draft.settings;
        let seed = table.whole("seed", i64::MIN..=i64::MAX)?;
        settings.seed = seed.unwrap_or(settings.seed);
        draft.seeds = table.wholes("seeds")?;
        settings.rules.league = table.whole("league", 0..=255)?;
        let edition = table.choice("edition", Edition::ALL, Edition::name)?;
        settings.rules.edition = edition.unwrap_or_default();
        settings.rules.limit = table.time("limit")?;
        settings.start_limit = table.time("start-limit")?.unwrap_or(settings.start_limit);
        settings.rules.time_scale = table.number("time-scale")?.unwrap_or(1.0);
        settings.rules.game_config = table.text("game-config")?.map(PathBuf::from);
        let states = [State::default(), State::Stdin];
        settings.state = table.choice("state", states, State::name)?;
        let pass_env = table.texts("pass-env")?;
        settings.ask = table.choice("ask", Ask::ALL, Ask::name)?.unwrap_or_default();
        let wishes = FileWishes {
            pass_env,
            concurrency: table.whole("concurrency", 1..=i64::MAX)?.and_then(NonZero::<usize>::new),
            name: table.text("name")?,
            store: table.text("store")?,
            replays: table.text("replays")?.map(PathBuf::from),
            no_replays: table.truth("no-replays")?,
        };
        let rating = table.choice("rating", RatingKind::ALL, RatingKind::key)?;
        draft.rating = rating.unwrap_or_default();
        settings.rules.set = paths_of(&table.object("set")?);
        let mut bots = Vec::new();
        for mut bot in table.tables("bot", "[[bot]] with `name` and `run` for each bot")? {
            bots.push((bot.needed("name")?, bot.needed("run")?));
            bot.end()?;
        }
        table.end()?;
        Ok(Keys { draft, has_seed: seed.is_some(), wishes, bots })
    }
}

fn contestants(
    source: &Source,
    bots: &[(String, String)],
    game: &dyn AnyGame,
    state: State,
) -> Result<Vec<Contestant>, PlanFileError> {
    let mut contestants: Vec<Contestant> = Vec::new();
    for (index, (name, run)) in bots.iter().enumerate() {
        let wrong =
            |key: &str, wrong: String| source.wrong_line(&format!("bot[{index}].{key}"), wrong);
        check_name(name).map_err(|error| wrong("name", format!("name: {error}")))?;
        if contestants.iter().any(|other| other.name == *name) {
            let found = format!("expected bots with different names, found `{name}` twice");
            return Err(wrong("name", found));
        }
        let contestant = parse_contestant(&format!("bot={run}"), game, state)
            .map_err(|error| wrong("run", error.to_string()))?;
        contestants.push(Contestant { name: name.clone(), ..contestant });
    }
    let text =
        |found| format!("expected at least two [[bot]] with `name` and `run`, found {found}");
    match bots.len() {
        0 => Err(source.wrong_end(text(0))),
        1 => Err(source.wrong_line("bot[0].run", text(1))),
        _ => Ok(contestants),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys_of(text: &str) -> Result<Keys, PlanFileError> {
        Keys::of(Source::new(Path::new("t.toml"), text.to_owned()).table()?)
    }

    #[test]
    fn wrong_types_are_told_in_words() {
        let check = |text: &str, expected: &str| {
            let error = keys_of(&format!("game = \"fencing\"\n{text}")).err().expect(text);
            assert_eq!(error.to_string(), format!("t.toml:2: {expected}"));
        };
        check("league = \"x\"", "league: expected a whole number from 0 to 255, found \"x\"");
        check("rounds = -3", "rounds: expected a whole number from 0 to 4294967295, found `-3`");
        check("concurrency = 0", "concurrency: expected a whole number of at least 1, found `0`");
        check("time-scale = true", "time-scale: expected a number, found `true`");
        check("seed = 2.5", "seed: expected a whole number, found `2.5`");
        check("[bot]", "expected [[bot]] with `name` and `run` for each bot, found [bot]");
        check("seeds = 3", "seeds: expected a list in brackets, found `3`");
        check("seeds = [3, \"x\"]", "seeds: expected a whole number, found \"x\"");
        check("no-replays = 1", "no-replays: expected true or false, found `1`");
        check("limit = 5", "limit: expected a text in quotes, found `5`");
        check("game = \"worms\"", "game: expected once, found a second time");
        check("[[bot]]\nbotname = 3", "missing key `name`");
    }

    #[test]
    fn the_example_is_a_tournament_whatever_is_uncommented() {
        let parsed = keys_of(TOURNAMENT_EXAMPLE).expect("the example is well-formed");
        assert_eq!(parsed.bots.len(), 2);
        // The first word behind `# ` with an equals sign behind it is a key that is commented out.
        let is_key = |line: &str| {
            let key = line.split(" = ").next().unwrap_or_default();
            line.contains(" = ") && key.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        let mut keys = 0;
        let uncommented: Vec<&str> = TOURNAMENT_EXAMPLE
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
        keys_of(&uncommented.join("\n")).expect("every commented key is known");
    }
}
