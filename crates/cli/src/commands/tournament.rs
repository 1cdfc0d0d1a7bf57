//! `quintain tournament`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use quintain_arena::RunEnd;
use quintain_arena::plan::{
    FormKind, PlanError, PlanFile, PlanFileError, TOURNAMENT_EXAMPLE, TournamentDraft,
    TournamentPlan, check_name,
};
use quintain_arena::results::TournamentReport;
use quintain_arena::run::{Progress, RunMeans, RunResult, run_tournament, standings};
use quintain_report::{Advice, tournament as shown};
use quintain_tournament::RatingKind;

use crate::args::{OpenArgs, OutputArg, PassEnvArgs, examples, named};
use crate::failure::Failure;
use crate::output::{remark, wrapped_output};
use crate::words::{ON_REFUSAL, Origin, how_to_go_on, plan_failure, run_failure, stats_command};

use super::many::{ManyArgs, make_folder, stop_on_interrupts};
use super::opened::{Opened, stay, watched};
use super::run_screen::RunScreen;

const TOURNAMENT_HELP: &str = "\
A tournament is written down in a file (`quintain tournament init` writes one to start from) or, \
    if it is a simple one, given by options: --game, --bot NAME=BOT for each bot, --games-per-pair. \
    The same command again goes on where it was stopped, and shows the standings when all is played. \
    A BOT is house:NAME, a folder with a bot.json or a run.sh, or a command line in quotes.";

#[derive(Debug, Args)]
#[command(after_help = [TOURNAMENT_HELP, examples::TOURNAMENT].join("\n\n"))]
#[command(args_conflicts_with_subcommands = true)]
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
    #[arg(long, value_parser = named(FormKind::ALL, FormKind::name), conflicts_with = "file")]
    form: Option<FormKind>,
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
    #[arg(long, value_parser = named(RatingKind::ALL, RatingKind::key))]
    rating: Option<RatingKind>,
    /// How the standings are printed
    #[arg(long, value_enum, default_value = "table")]
    output: OutputArg,
    /// Play nothing: show what is stored
    #[arg(long, conflicts_with_all = ["open", "serve"])]
    standings: bool,
    #[command(flatten)]
    open: OpenArgs,
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

/// A tournament as it was described, in a file or by options, with everything checked.
struct Described {
    plan: TournamentPlan,
    name: String,
    /// Where each bot is named, as messages begin.
    origins: Vec<String>,
    /// Without one the games are forgotten.
    store: Option<String>,
    /// Where it is named, as messages begin; empty if nobody has to be told.
    store_origin: String,
    /// The options, and what the file says where they say nothing.
    many: ManyArgs,
}

pub(super) fn run(args: &TournamentArgs) -> Result<(), Failure> {
    if let Some(TournamentCommand::Init { file }) = &args.command {
        return init(file);
    }
    let mut described = match &args.file {
        Some(path) => described_by_file(path, args)?,
        None => described_by_options(args)?,
    };
    let variables = described.many.pass_env.variables()?;
    described.plan.bots.iter_mut().for_each(|bot| bot.give(&variables));
    let Described { plan, name, origins, store, store_origin, many } = &described;
    let means = match args.standings {
        true => many.means_to_look(store.as_deref(), plan.settings.ask)?,
        false => many.means(store.as_deref(), plan.settings.ask)?,
    };
    let mut means = RunMeans { name: Some(name.clone()), ..means };
    plan.check().map_err(plan_failure)?;
    if !args.standings {
        many.build_bots(&plan.bots, &means)?;
    }
    let go_on = how_to_go_on(store.is_some());
    let stop = stop_on_interrupts(go_on.clone())?;
    let game = plan.settings.game().map_err(plan_failure)?;
    let opened = Opened::start_run(&args.open, game, &mut means)?;
    let play = |progress: &mut dyn Progress| run_tournament(plan, &means, progress, &stop);
    let played = match args.standings {
        true => standings(plan, &means).map(|report| RunResult { report, ended: RunEnd::Over }),
        false => watched(opened.as_ref(), &mut RunScreen::new(None, many.quiet), play),
    };
    let origin = Origin { bots: origins, store: store_origin };
    let played = played.map_err(|error| run_failure(error, &go_on, &origin))?;
    print(args, &described, &played.report)?;
    if played.ended == RunEnd::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    stay(opened.as_ref(), &stop);
    Ok(())
}

fn init(path: &Path) -> Result<(), Failure> {
    let failed = |error| anyhow::anyhow!("cannot write {}: {error}", path.display());
    let mut file = std::fs::File::create_new(path).map_err(failed)?;
    if let Err(error) = file.write_all(TOURNAMENT_EXAMPLE.as_bytes()) {
        // An empty file would only be in the way of the next attempt.
        let _ = std::fs::remove_file(path);
        return Err(failed(error).into());
    }
    remark(format_args!(
        "{0} is written; change it, then: quintain tournament {0}",
        path.display()
    ));
    Ok(())
}

fn described_by_options(args: &TournamentArgs) -> Result<Described, Failure> {
    let id = args.game.as_deref().expect("clap asks for a file or a game");
    let game = super::game_named(id)?;
    let draft = TournamentDraft {
        settings: args.many.settings(id),
        bots: args.bots.clone(),
        form: args.form.unwrap_or_default(),
        games_per_pair: args.games_per_pair,
        challengers: args.challengers,
        rounds: args.rounds,
        rating: args.rating.unwrap_or_default(),
        ..TournamentDraft::of(id)
    };
    let plan = draft.plan().map_err(|error| match error {
        PlanError::SameName { .. } => {
            Failure::usage(format!("--bot: {error}; write --bot NAME=BOT"))
        }
        error => plan_failure(error),
    })?;
    args.many.checked_config(game)?;
    Ok(Described {
        name: args.many.name.clone().unwrap_or_else(|| plan.usual_name()),
        origins: vec!["--bot: ".to_owned(); plan.bots.len()],
        plan,
        store: args.many.store.clone(),
        store_origin: String::new(),
        many: args.many.clone(),
    })
}

/// Options go before what the file says.
fn described_by_file(path: &Path, args: &TournamentArgs) -> Result<Described, Failure> {
    let usage = |error: PlanFileError| Failure::usage(error.to_string());
    let file = PlanFile::<TournamentPlan>::read(path).map_err(usage)?;
    let in_file = |failure: Failure, key: &str| match failure {
        Failure::Usage(wrong) | Failure::Field { wrong, .. } => usage(file.wrong(key, wrong)),
        other => other,
    };
    let options = &args.many;
    let replays = options.replays.clone().or_else(|| file.wishes.replays.clone());
    let mut many = ManyArgs {
        concurrency: options.concurrency.or(file.wishes.concurrency),
        no_replays: options.no_replays || (file.wishes.no_replays && replays.is_none()),
        replays,
        file: (file.wishes.sandbox, file.wishes.build),
        ..options.clone()
    };
    let stem = || path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let name = options.name.clone().or_else(|| file.wishes.name.clone()).unwrap_or_else(stem);
    if options.name.is_none() {
        check_name(&name).map_err(|error| usage(file.wrong("name", error)))?;
    }
    if options.pass_env.names.is_empty() {
        many.pass_env = PassEnvArgs { names: file.wishes.pass_env.clone() };
        many.pass_env.variables().map_err(|failure| in_file(failure, "pass-env"))?;
    }
    if options.replays.is_none()
        && let Some(folder) = &many.replays
    {
        make_folder(folder).map_err(|error| usage(file.wrong("replays", error)))?;
    }
    if options.concurrency.is_none() && many.concurrency.is_some() {
        let made = many.concurrency(file.plan.settings.ask);
        made.map_err(|failure| in_file(failure, "concurrency"))?;
    }
    let store = options.store.clone().or_else(|| file.wishes.store.clone());
    let is_store_in_file = options.store.is_none() && file.wishes.store.is_some();
    let rating = args.rating.unwrap_or(file.plan.rating);
    Ok(Described {
        name,
        origins: (0..file.plan.bots.len()).map(|bot| file.bot_place(bot)).collect(),
        store: Some(store.unwrap_or_else(|| path.with_extension("db").display().to_string())),
        store_origin: if is_store_in_file { file.place("store") } else { String::new() },
        plan: TournamentPlan { rating, ..file.plan },
        many,
    })
}

fn print(
    args: &TournamentArgs,
    described: &Described,
    report: &TournamentReport,
) -> Result<(), Failure> {
    let on_errors = match &described.store {
        Some(store) => {
            format!("list those games: {}", stats_command(store, &described.name, "--error"))
        }
        None => "with --store FILE such games are kept and can be listed".to_owned(),
    };
    let advice = Advice { on_refusal: ON_REFUSAL, on_errors: &on_errors };
    let text = match args.output {
        OutputArg::Table => shown::tables(report, &advice),
        OutputArg::Csv => shown::csv(report),
        OutputArg::Json => format!("{}\n", shown::json(report, &advice)),
        OutputArg::Html => {
            quintain_server::tournament_page(report, &advice).map_err(anyhow::Error::from)?
        }
    };
    let mut out = wrapped_output();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
