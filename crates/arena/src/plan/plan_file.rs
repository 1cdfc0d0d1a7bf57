//! Plans that are written down in files, key by key. What is wrong with one is found before anything is played
//! or written.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::{Edition, paths_of};
use quintain_record::{Contestant, State};
use quintain_referee::Ask;
use quintain_registry::AnyGame;
use quintain_tournament::{RatingKind, Sprt};

use super::toml::{FileTable, PlanFileError, Source};
use super::{
    BuildWish, ComparisonPlan, EvaluationLimits, EvaluationPlan, FormKind, GameRules, HostPlan,
    MatchPlan, MatchSettings, SandboxWish, TeamLink, TournamentDraft, TournamentPlan, check_name,
    check_time_scale, find_teams,
};
use crate::cores::{Concurrency, CoresError, cores};
use crate::occupant::parse_contestant;
use crate::run::{ReplayWish, RunMeans};

/// A tournament file with comments, to start from.
pub const TOURNAMENT_EXAMPLE: &str = include_str!("example.toml");

const COUNT: std::ops::RangeInclusive<i64> = 0..=0xffff_ffff;
const AT_LEAST_ONE: std::ops::RangeInclusive<i64> = 1..=i64::MAX;

/// What a file says, with everything checked that results depend on.
#[derive(Debug)]
pub struct PlanFile<P> {
    pub plan: P,
    pub wishes: FileWishes,
    source: Source,
}

/// A plan with what is wished beside it, or what is wrong with the file.
type Taken<P> = Result<(P, FileWishes), PlanFileError>;

/// What can be written down in a file.
pub trait WrittenPlan: Sized {
    /// What such a file is called.
    const FILE: &'static str;

    /// Takes every key that such a file can have.
    ///
    /// # Errors
    /// What is wrong, and on which line.
    fn take(source: &Source, table: FileTable<'_>) -> Taken<Self>;
}

/// What a file says about what results do not depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileWishes {
    /// Variables that bots are given.
    pub pass_env: Vec<String>,
    pub concurrency: Option<NonZero<usize>>,
    pub name: Option<String>,
    pub store: Option<String>,
    pub replays: Option<PathBuf>,
    pub no_replays: bool,
    /// Where clients and teams connect.
    pub listen: Option<String>,
    pub sandbox: SandboxWish,
    pub build: BuildWish,
}

impl<P: WrittenPlan> PlanFile<P> {
    /// # Errors
    /// What is wrong, and on which line.
    pub fn read(path: &Path) -> Result<PlanFile<P>, PlanFileError> {
        let source = Source::read(P::FILE, path)?;
        let (plan, wishes) = P::take(&source, source.table()?)?;
        Ok(PlanFile { plan, wishes, source })
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

impl FileWishes {
    fn take(table: &mut FileTable<'_>) -> Result<FileWishes, PlanFileError> {
        Ok(FileWishes {
            pass_env: table.texts("pass-env")?,
            concurrency: table.whole("concurrency", AT_LEAST_ONE)?.and_then(NonZero::<usize>::new),
            sandbox: SandboxWish::take(table)?,
            build: BuildWish::take(table)?,
            ..FileWishes::take_kept(table)?
        })
    }

    /// What programs are given and held by, and where others connect.
    fn take_programs(table: &mut FileTable<'_>) -> Result<FileWishes, PlanFileError> {
        Ok(FileWishes {
            pass_env: table.texts("pass-env")?,
            listen: table.text("listen")?,
            sandbox: SandboxWish::take(table)?,
            build: BuildWish::take(table)?,
            ..FileWishes::default()
        })
    }

    /// Where games and replays are kept.
    fn take_kept(table: &mut FileTable<'_>) -> Result<FileWishes, PlanFileError> {
        let (name, store) = (table.text("name")?, table.text("store")?);
        Ok(FileWishes { name, store, ..FileWishes::take_replays(table)? })
    }

    fn take_replays(table: &mut FileTable<'_>) -> Result<FileWishes, PlanFileError> {
        Ok(FileWishes {
            replays: table.text("replays")?.map(PathBuf::from),
            no_replays: table.truth("no-replays")?,
            ..FileWishes::default()
        })
    }

    /// As means of a run whose bots are asked so.
    ///
    /// # Errors
    /// There are not enough cores for so many games at a time.
    pub fn means(&self, ask: Ask) -> Result<RunMeans, CoresError> {
        let usual = RunMeans::default();
        Ok(RunMeans {
            store: self.store.clone(),
            name: self.name.clone(),
            replays: ReplayWish::of(self.replays.as_deref(), self.no_replays),
            listen: self.listen.clone().unwrap_or(usual.listen),
            concurrency: Concurrency::new(self.concurrency, ask, cores(), false)?,
            ..usual
        })
    }
}

impl MatchSettings {
    /// All of them but the seed.
    fn take(&mut self, table: &mut FileTable<'_>) -> Result<(), PlanFileError> {
        self.rules.take(table)?;
        self.start_limit = table.time("start-limit")?.unwrap_or(self.start_limit);
        let states = [State::default(), State::Stdin];
        self.state = table.choice("state", states, State::name)?;
        self.ask = table.choice("ask", Ask::ALL, Ask::name)?.unwrap_or_default();
        Ok(())
    }

    fn take_seed(&mut self, table: &mut FileTable<'_>) -> Result<bool, PlanFileError> {
        let seed = table.whole("seed", i64::MIN..=i64::MAX)?;
        self.seed = seed.unwrap_or(self.seed);
        Ok(seed.is_some())
    }
}

impl GameRules {
    fn take(&mut self, table: &mut FileTable<'_>) -> Result<(), PlanFileError> {
        self.league = table.whole("league", 0..=255)?;
        self.edition = table.choice("edition", Edition::ALL, Edition::name)?.unwrap_or_default();
        self.limit = table.time("limit")?;
        self.time_scale = table.number("time-scale")?.unwrap_or(1.0);
        check_time_scale(self.time_scale).map_err(|wrong| table.wrong("time-scale", wrong))?;
        self.game_config = table.text("game-config")?.map(PathBuf::from);
        self.set = paths_of(&table.object("set")?);
        Ok(())
    }
}

impl WrittenPlan for MatchPlan {
    const FILE: &'static str = "match file";

    fn take(source: &Source, mut table: FileTable<'_>) -> Taken<MatchPlan> {
        let mut settings = MatchSettings::of(&table.needed("game")?);
        let bots = [table.needed("first")?, table.needed("second")?];
        let both_sides = table.truth("swap")?;
        let times_persons = table.truth("human-clock")?;
        settings.take_seed(&mut table)?;
        settings.take(&mut table)?;
        let FileWishes { replays, no_replays, .. } = FileWishes::take_replays(&mut table)?;
        let wishes = FileWishes { replays, no_replays, ..FileWishes::take_programs(&mut table)? };
        table.end()?;
        let plan = MatchPlan::new(settings, &bots).map_err(|error| source.wrong_plan(error))?;
        plan.check(None).map_err(|error| source.wrong_plan(error))?;
        Ok((MatchPlan { both_sides, times_persons, ..plan }, wishes))
    }
}

impl WrittenPlan for ComparisonPlan {
    const FILE: &'static str = "comparison file";

    fn take(source: &Source, mut table: FileTable<'_>) -> Taken<ComparisonPlan> {
        let mut settings = MatchSettings::of(&table.needed("game")?);
        let (old, new) = (table.needed("old")?, table.needed("new")?);
        let test = table.text("sprt")?.map(|text| text.parse::<Sprt>()).transpose();
        let sprt = test.map_err(|error| source.wrong("sprt", error))?;
        let games_max = table.whole("games", AT_LEAST_ONE)?;
        settings.take_seed(&mut table)?;
        settings.take(&mut table)?;
        let wishes = FileWishes::take(&mut table)?;
        table.end()?;
        let plan = ComparisonPlan::new(settings, &old, &new);
        let plan = plan.map_err(|error| source.wrong_plan(error))?;
        let checked = plan.settings.game().and_then(|game| plan.settings.config(game));
        checked.map_err(|error| source.wrong_plan(error))?;
        Ok((ComparisonPlan { sprt, games_max, ..plan }, wishes))
    }
}

impl WrittenPlan for HostPlan {
    const FILE: &'static str = "host file";

    fn take(source: &Source, mut table: FileTable<'_>) -> Taken<HostPlan> {
        let mut plan = HostPlan::of(&table.needed("game")?);
        plan.games_max = table.whole("games", 0..=i64::MAX)?;
        plan.tables_max = table.whole("tables", AT_LEAST_ONE)?;
        plan.settings.rules.take(&mut table)?;
        let listen = table.text("listen")?;
        let wishes = FileWishes { listen, ..FileWishes::take_replays(&mut table)? };
        table.end()?;
        plan.check().map_err(|error| source.wrong_plan(error))?;
        Ok((plan, wishes))
    }
}

/// Teams are found in a folder.
impl WrittenPlan for EvaluationPlan {
    const FILE: &'static str = "evaluation file";

    fn take(source: &Source, mut table: FileTable<'_>) -> Taken<EvaluationPlan> {
        let mut plan = EvaluationPlan::new(&table.needed("game")?, Vec::new());
        let folder = PathBuf::from(table.needed("teams")?);
        let file = table.text("teams-file")?.map(PathBuf::from);
        let link = table.choice("link", TeamLink::ALL, TeamLink::name)?;
        let usual = EvaluationLimits::default();
        plan.limits = EvaluationLimits {
            games_max: table.whole("games", 1..=0xffff_ffff)?.unwrap_or(usual.games_max),
            time_max: table.time("time")?.unwrap_or(usual.time_max),
            give_up_after: table.whole("give-up", COUNT)?.map_or(usual.give_up_after, NonZero::new),
        };
        plan.weight = table.number("weight")?;
        plan.settings.rules.take(&mut table)?;
        let start_limit: Option<Duration> = table.time("start-limit")?;
        plan.settings.start_limit = start_limit.unwrap_or(plan.settings.start_limit);
        let FileWishes { pass_env, listen, sandbox, build, .. } =
            FileWishes::take_programs(&mut table)?;
        let concurrency = table.whole("concurrency", AT_LEAST_ONE)?.and_then(NonZero::<usize>::new);
        let kept = FileWishes { concurrency, ..FileWishes::take_kept(&mut table)? };
        let wishes = FileWishes { pass_env, listen, sandbox, build, ..kept };
        table.end()?;
        plan.check().map_err(|error| source.wrong_plan(error))?;
        plan.teams = find_teams(&folder, file.as_deref(), link)
            .map_err(|error| source.wrong("teams", error))?;
        Ok((plan, wishes))
    }
}

impl WrittenPlan for TournamentPlan {
    const FILE: &'static str = "tournament file";

    fn take(source: &Source, table: FileTable<'_>) -> Taken<TournamentPlan> {
        let Keys { draft, has_seed, wishes, bots } = Keys::of(table)?;
        let settings = &draft.settings;
        let game = settings.game().map_err(|error| source.wrong_plan(error))?;
        let bots = contestants(source, &bots, game, settings.state.unwrap_or_default())?;
        if has_seed && draft.seeds.is_some() {
            return Err(source.wrong_line("seeds", "expected `seed` or `seeds`, found both"));
        }
        for &seed in draft.seeds.iter().flatten() {
            game.check_seed(seed).map_err(|error| source.wrong_line("seeds", error))?;
        }
        let plan = draft.plan_of(bots).map_err(|error| source.wrong_plan(error))?;
        plan.check().map_err(|error| source.wrong_plan(error))?;
        settings.config(game).map_err(|error| source.wrong_plan(error))?;
        Ok((plan, wishes))
    }
}

/// The keys of a tournament file, before they are compared with each other.
struct Keys {
    draft: TournamentDraft,
    has_seed: bool,
    wishes: FileWishes,
    /// Name and what is run.
    bots: Vec<(String, String)>,
}

impl Keys {
    fn of(mut table: FileTable<'_>) -> Result<Keys, PlanFileError> {
        let mut draft = TournamentDraft::of(&table.needed("game")?);
        draft.form = table.choice("form", FormKind::ALL, FormKind::name)?.unwrap_or_default();
        draft.games_per_pair = table.whole("games-per-pair", COUNT)?;
        draft.challengers = table.whole("challengers", COUNT)?;
        draft.rounds = table.whole("rounds", COUNT)?;
        draft.tie_break_pairs = table.whole("tie-break-pairs", COUNT)?;
        draft.third_place = table.truth("third-place")?;
        let has_seed = draft.settings.take_seed(&mut table)?;
        draft.seeds = table.wholes("seeds")?;
        draft.settings.take(&mut table)?;
        let wishes = FileWishes::take(&mut table)?;
        let rating = table.choice("rating", RatingKind::ALL, RatingKind::key)?;
        draft.rating = rating.unwrap_or_default();
        let mut bots = Vec::new();
        for mut bot in table.tables("bot", "[[bot]] with `name` and `run` for each bot")? {
            bots.push((bot.needed("name")?, bot.needed("run")?));
            bot.end()?;
        }
        table.end()?;
        Ok(Keys { draft, has_seed, wishes, bots })
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
        let unit = "with its unit: 5ms for milliseconds, 5s for seconds or 5m for minutes";
        let time = format!("limit: expected a time such as 500ms, 2s or 1.5s, {unit}, found `5`");
        check("limit = 5", &time);
        check("game = \"worms\"", "game: expected once, found a second time");
        check("[[bot]]\nname = \"a\"", "missing key `run`");
    }

    #[test]
    fn a_misspelt_key_is_told_before_the_one_that_is_missing_for_it() {
        let check = |text: &str, expected: &str| {
            let error = keys_of(text).err().expect(text).to_string();
            assert!(error.starts_with(expected), "{error}");
            assert!(error.ends_with(expected) || error.contains("did you mean"), "{error}");
        };
        check("[[bot]]\nname = \"a\"", "t.toml:1: missing key `run`");
        check("gaem = \"fencing\"", "t.toml:1: unknown key `gaem`, expected one of `game`, ");
        check("zeed = 3\ngame = \"fencing\"\nfrom = 1", "t.toml:1: unknown key `zeed`");
        let bot = "game = \"fencing\"\n[[bot]]\nname = \"a\"\nrum = \"house:random\"";
        let wrong = "t.toml:4: unknown key `rum`, expected `name` or `run`; did you mean `run`?";
        check(bot, wrong);
        check("frm = 1", "t.toml:1: unknown key `frm`");
        check("", "t.toml:1: missing key `game`");
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
        assert_eq!(keys, 32);
        keys_of(&uncommented.join("\n")).expect("every commented key is known");
    }
}
