//! `quintain tournament`

mod file;
mod watch;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use quintain_arena::results::tournament_report;
use quintain_arena::{Ended, Replays, parse_contestant, play_all};
use quintain_record::Contestant;
use quintain_registry::AnyGame;
use quintain_report::{Advice, tournament as shown};
use quintain_store::{Filter, Run, RunInfo, Store};
use quintain_tournament::{Form, MatchResult, RatingKind, Schedule, Seeds, Settings, TieBreak};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::args::OutputArg;
use crate::failure::Failure;
use crate::output::remark;

use super::many::{
    ManyArgs, ON_REFUSAL, begin, check_name, how_to_go_on, look_up_run, stats_command,
    stop_on_interrupts, stopped_by,
};
use super::replay_folder::replays_of;
use super::seeds;
use watch::Progress;

const TOURNAMENT_HELP: &str = "\
A tournament is written down in a file (`quintain tournament init` writes one to start from) or, if
it is a simple one, given by options: --game, --bot NAME=BOT for each bot, --games-per-pair.
The same command again goes on where it was stopped, and shows the standings when all is played.
A BOT is house:NAME, a folder with a bot.json or a run.sh, or a command line in quotes.";

#[derive(Debug, Args)]
#[command(after_help = TOURNAMENT_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct TournamentArgs {
    #[command(subcommand)]
    command: Option<TournamentCommand>,
    /// The file that describes the tournament
    #[arg(required_unless_present = "game")]
    #[arg(conflicts_with_all = ["league", "edition", "game_config", "limit", "set"])]
    #[arg(conflicts_with_all = ["time_scale", "no_clock", "seed", "ask", "start_limit", "state"])]
    file: Option<PathBuf>,
    /// The game, for instance fencing
    #[arg(long, requires = "bots", conflicts_with = "file")]
    game: Option<String>,
    /// A bot with its name; to be given for each
    #[arg(long = "bot", value_name = "NAME=BOT", conflicts_with = "file", requires = "game")]
    bots: Vec<String>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_enum, conflicts_with = "file")]
    form: Option<FormArg>,
    /// How many games each two bots play when they meet [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "file")]
    games_per_pair: Option<u32>,
    /// Of a gauntlet: how many of the first bots meet all others [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "file")]
    challengers: Option<u32>,
    /// Of a Swiss tournament: how many rounds are played [default: as many as tell the bots apart]
    #[arg(long, value_name = "N", conflicts_with = "file")]
    rounds: Option<u32>,
    /// How strength is computed: from all games at once, or round by round [default: bradley-terry]
    #[arg(long, value_enum)]
    rating: Option<RatingArg>,
    /// How the standings are printed
    #[arg(long, value_enum, default_value = "table")]
    output: OutputArg,
    /// Play nothing: show what is stored
    #[arg(long)]
    standings: bool,
    #[command(flatten)]
    many: ManyArgs,
}

#[derive(Debug, Subcommand)]
enum TournamentCommand {
    /// Write a tournament file with comments, to be changed
    Init {
        /// The file to write
        #[arg(default_value = "tournament.toml")]
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormArg {
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RatingArg {
    BradleyTerry,
    Glicko,
}

impl From<RatingArg> for RatingKind {
    fn from(rating: RatingArg) -> RatingKind {
        match rating {
            RatingArg::BradleyTerry => RatingKind::BradleyTerry,
            RatingArg::Glicko => RatingKind::Glicko,
        }
    }
}

/// A tournament as it was described, in a file or by options, with everything checked.
struct Plan {
    name: String,
    game: &'static dyn AnyGame,
    contestants: Vec<Contestant>,
    /// Where each of them is named, as messages begin.
    origins: Vec<String>,
    kind: &'static str,
    settings: Settings,
    rating: RatingArg,
    /// Without one the games are forgotten.
    store: Option<String>,
    /// Where it is named, as messages begin; empty if nobody has to be told.
    store_origin: String,
}

/// How the games of a tournament are made, before it is known how many bots there are.
struct Draft {
    form: FormArg,
    games_per_pair: Option<u32>,
    challengers: Option<u32>,
    rounds: Option<u32>,
    tie_break_pairs: Option<u32>,
    third_place: bool,
    seeds: Seeds,
}

pub(super) fn run(args: &TournamentArgs) -> Result<(), Failure> {
    if let Some(TournamentCommand::Init { file }) = &args.command {
        return init(file);
    }
    let (mut plan, many) = match &args.file {
        Some(path) => file::read(path, args)?,
        None => (plan_of_options(args)?, None),
    };
    let many = many.as_ref().unwrap_or(&args.many);
    many.pass_on(&mut plan.contestants)?;
    plan.store = plan.store.map(|place| many.address(&place)).transpose()?;
    let plan = &plan;
    many.checked_config(plan.game)?;
    let concurrency = many.concurrency()?;
    plan.settings
        .check()
        .map_err(|error| Failure::usage(format!("--{}: {error}", file::key_of(&error))))?;
    let go_on = how_to_go_on(plan.store.is_some());
    let stop = stop_on_interrupts(go_on.clone())?;
    let stored = if args.standings {
        Stored::look_up(plan)?
    } else {
        many.rehearse(plan.game, &plan.contestants, |place| plan.origins[place].clone())?;
        Stored::open(plan, many)?
    };
    let seeds = seeds::of_run(plan.settings.seeds.clone(), &stored.info);
    let mut schedule = Schedule::new(Settings { seeds, ..plan.settings.clone() })?;
    let store = &stored.store;
    let replays = match stored.temporary {
        Some(_) => Replays::None,
        None => Replays::All(replays_of(store, &stored.info)),
    };
    let arena = many.arena(plan.game, plan.contestants.clone(), Some(store), replays)?;
    let is_complete = stored.is_complete(&schedule);
    // The places of some forms follow from the rounds, so who looks needs them too.
    if !is_complete && (stored.run.is_some() || !is_simple(plan.settings.form)) {
        recall(&stored, &mut schedule)?;
    }
    let ended = match &stored.run {
        Some(run) if !is_complete => {
            arena.forgiveness.recall(store, run.id())?;
            let mut progress = Progress::new(&arena, &schedule, many.quiet);
            let run = Some(run);
            let played = play_all(&arena, &mut schedule, run, concurrency, &stop, &mut progress);
            progress.close();
            played.map_err(|error| stopped_by(&error, &go_on))?
        }
        _ => Ended::Over,
    };
    print(args, plan, &stored, &schedule, many.force)?;
    if ended == Ended::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

/// Tells the schedule what was played before.
fn recall(stored: &Stored, schedule: &mut Schedule) -> Result<(), Failure> {
    for listed in stored.store.games(stored.info.id, &Filter::default()) {
        schedule.record(&MatchResult::from(&listed?)).map_err(|error| does_not_fit(&error))?;
    }
    Ok(())
}

fn does_not_fit(error: &quintain_tournament::RecordError) -> Failure {
    Failure::Failed(anyhow::anyhow!(
        "the store holds games that this tournament does not have: {error}; play at least as many \
         games for each pair as before, or add --name NAME to begin anew beside them"
    ))
}

fn init(path: &Path) -> Result<(), Failure> {
    let made = std::fs::File::create_new(path);
    let written = made.and_then(|mut file| file.write_all(file::EXAMPLE.as_bytes()));
    written.map_err(|error| anyhow::anyhow!("cannot write {}: {error}", path.display()))?;
    remark(format_args!(
        "{0} is written; change it, then: quintain tournament {0}",
        path.display()
    ));
    Ok(())
}

fn plan_of_options(args: &TournamentArgs) -> Result<Plan, Failure> {
    let id = args.game.as_deref().expect("clap asks for a file or a game");
    let game = super::game_named(id)?;
    let parse = |bot: &String| {
        parse_contestant(bot, game, args.many.state())
            .map_err(|error| Failure::usage(format!("--bot: {error}")))
    };
    let contestants: Vec<Contestant> = args.bots.iter().map(parse).collect::<Result<_, _>>()?;
    for (index, bot) in contestants.iter().enumerate() {
        check_name(&bot.name).map_err(|error| Failure::usage(format!("--bot: {error}")))?;
        if contestants[..index].iter().any(|other| other.name == bot.name) {
            let name = &bot.name;
            return Err(Failure::usage(format!(
                "--bot: expected different names, found `{name}` twice; write --bot NAME=BOT"
            )));
        }
    }
    let draft = Draft {
        form: args.form.unwrap_or(FormArg::RoundRobin),
        games_per_pair: args.games_per_pair,
        challengers: args.challengers,
        rounds: args.rounds,
        tie_break_pairs: None,
        third_place: false,
        seeds: seeds::derived(args.many.seed, game),
    };
    draft.check().map_err(|(key, error)| Failure::usage(format!("--{key}: {error}")))?;
    let bots = u32::try_from(contestants.len()).unwrap_or(u32::MAX);
    Ok(Plan {
        name: args.many.name.clone().unwrap_or_else(|| format!("tournament {id}")),
        game,
        origins: vec!["--bot: ".to_owned(); contestants.len()],
        contestants,
        kind: draft.kind(),
        settings: draft.settings(bots),
        rating: args.rating.unwrap_or(RatingArg::BradleyTerry),
        store: args.many.store.clone(),
        store_origin: String::new(),
    })
}

impl Draft {
    /// Refuses what another form has, which would mean nothing here: the key, and why.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let belongs = [
            ("challengers", self.challengers.is_some(), FormArg::Gauntlet),
            ("rounds", self.rounds.is_some(), FormArg::Swiss),
            ("tie-break-pairs", self.tie_break_pairs.is_some(), FormArg::Knockout),
            ("third-place", self.third_place, FormArg::Knockout),
        ];
        let wrong = belongs.into_iter().find(|(_, is_set, form)| *is_set && *form != self.form);
        match wrong {
            Some((key, _, form)) => {
                let (expected, found) = (kind_of(form), self.kind());
                Err((key, format!("expected only in a {expected} tournament, found in a {found}")))
            }
            None => Ok(()),
        }
    }

    fn kind(&self) -> &'static str {
        kind_of(self.form)
    }

    fn settings(&self, bots: u32) -> Settings {
        const GAMES: u32 = 10;
        const TIE_BREAK_PAIRS: u32 = 5;
        let form = match self.form {
            FormArg::RoundRobin => Form::RoundRobin,
            FormArg::Gauntlet => Form::Gauntlet { challengers: self.challengers.unwrap_or(1) },
            // Enough for one bot to be alone without a defeat.
            FormArg::Swiss => {
                let enough = bots.next_power_of_two().trailing_zeros().max(1);
                Form::Swiss { rounds: self.rounds.unwrap_or(enough) }
            }
            FormArg::Knockout => {
                let at_most = self.tie_break_pairs.unwrap_or(TIE_BREAK_PAIRS);
                let tie_break = match at_most {
                    0 => TieBreak::BetterSeed,
                    at_most => TieBreak::ExtraPairs { at_most },
                };
                Form::Knockout { tie_break, third_place: self.third_place }
            }
        };
        let games = self.games_per_pair.unwrap_or(GAMES);
        Settings { bots, form, games, seeds: self.seeds.clone() }
    }
}

fn kind_of(form: FormArg) -> &'static str {
    match form {
        FormArg::RoundRobin => "round-robin",
        FormArg::Gauntlet => "gauntlet",
        FormArg::Swiss => "swiss",
        FormArg::Knockout => "knockout",
    }
}

/// The store of a tournament, opened.
struct Stored {
    // Ended before the folder is removed. `None` if nothing is to be played.
    run: Option<Run>,
    info: RunInfo,
    store: Store,
    temporary: Option<TempDir>,
}

impl Stored {
    fn open(plan: &Plan, many: &ManyArgs) -> Result<Stored, Failure> {
        let temporary = match plan.store {
            Some(_) => None,
            None => Some(tempfile::Builder::new().prefix("quintain-tournament-").tempdir()?),
        };
        let place = match (&plan.store, &temporary) {
            (Some(place), _) => place.clone(),
            (None, Some(folder)) => folder.path().join("games.db").display().to_string(),
            (None, None) => unreachable!("a folder is made where no store is named"),
        };
        let store = Store::open(&place).map_err(|error| match plan.store_origin.as_str() {
            "" => error.into(),
            origin => Failure::Failed(anyhow::anyhow!("{origin}store: {error}")),
        })?;
        let Settings { form, games, seeds, .. } = &plan.settings;
        let mut more = form_settings(form);
        more.extend(seeds::settings_of(seeds));
        // Where everybody meets everybody, more games can be added to those that were played.
        if !is_simple(*form) {
            more.insert("games-per-pair".to_owned(), json!(games));
        }
        let run_plan =
            many.run_plan(plan.name.clone(), plan.kind, plan.game, &plan.contestants, more)?;
        let run = begin(&store, &run_plan)?;
        Ok(Stored { info: run.info().clone(), run: Some(run), store, temporary })
    }

    /// What is stored, for who only looks.
    fn look_up(plan: &Plan) -> Result<Stored, Failure> {
        let Some(place) = &plan.store else {
            return Err(Failure::usage("--standings: expected --store with the games"));
        };
        let bots = plan.contestants.iter().map(|bot| bot.name.as_str());
        let (store, info) = look_up_run(place, &plan.name, bots)?;
        Ok(Stored { run: None, info, store, temporary: None })
    }

    /// Whether there is nothing to play. Where rounds follow from results only playing them again
    /// tells; they are few.
    fn is_complete(&self, schedule: &Schedule) -> bool {
        is_simple(schedule.settings().form) && schedule.planned() == Some(self.info.games)
    }
}

/// Whether it is known beforehand who meets whom.
fn is_simple(form: Form) -> bool {
    matches!(form, Form::RoundRobin | Form::Gauntlet { .. })
}

/// What only some forms have, by the keys of a tournament file.
fn form_settings(form: &Form) -> Map<String, Value> {
    let settings = match form {
        Form::RoundRobin => json!({}),
        Form::Gauntlet { challengers } => json!({ "challengers": challengers }),
        Form::Swiss { rounds } => json!({ "rounds": rounds }),
        Form::Knockout { tie_break, third_place } => {
            let pairs = match tie_break {
                TieBreak::BetterSeed => 0,
                TieBreak::ExtraPairs { at_most } => *at_most,
            };
            json!({ "tie-break-pairs": pairs, "third-place": third_place })
        }
    };
    settings.as_object().cloned().unwrap_or_default()
}

fn print(
    args: &TournamentArgs,
    plan: &Plan,
    stored: &Stored,
    schedule: &Schedule,
    is_forced: bool,
) -> Result<(), Failure> {
    let rating = plan.rating.into();
    let report = tournament_report(&stored.store, &stored.info, schedule, rating, is_forced)?;
    let on_errors = match &plan.store {
        Some(store) => {
            format!("list those games: {}", stats_command(store, &plan.name, "--error"))
        }
        None => "with --store FILE such games are kept and can be listed".to_owned(),
    };
    let advice = Advice { on_refusal: ON_REFUSAL, on_errors: &on_errors };
    let text = match args.output {
        OutputArg::Table => shown::tables(&report, &advice),
        OutputArg::Csv => shown::csv(&report),
        OutputArg::Json => format!("{}\n", shown::json(&report, &advice)),
        OutputArg::Html => shown::page(&report, &advice),
    };
    anstream::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
