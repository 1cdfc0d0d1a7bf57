//! What the commands that play many games have in common: their options, the arena that follows from
//! them, and how they are stopped.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quintain_arena::plan::{BuildWish, MatchSettings, SandboxWish, check_name};
use quintain_arena::run::{ReplayWish, RunMeans};
use quintain_arena::{Concurrency, REPLAYS_FOLDER, cores};
use quintain_links::{Quarters, end_interrupted, tell_interrupts};
use quintain_record::Contestant;
use quintain_referee::{Ask, Stop};
use quintain_registry::{AnyGame, ReadyConfig};

use crate::args::{
    BuildArgs, PassEnvArgs, RulesArgs, SandboxArgs, StateArg, build_bots, duration, named,
    sandbox_for, seed,
};
use crate::failure::Failure;
use crate::output::say;
use crate::words::{plan_failure, this_command};

use super::elsewhere::elsewhere;
use super::opened::is_over;

#[derive(Clone, Debug, Args)]
pub(crate) struct ManyArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The seed that those of all games follow from, spread over all that give different matches
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: i64,
    /// Play this many games at a time [default: as many as have their cores to themselves]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) concurrency: Option<NonZero<usize>>,
    /// Play more games at a time than there are cores for, and say what came out even if many games
    /// were void or played again
    #[arg(long)]
    pub(crate) force: bool,
    /// Whether the bots of a game think one after the other, or at the same time on a core each
    #[arg(long, value_parser = named(Ask::ALL, Ask::name), value_name = "WAY", default_value = "in-turn")]
    pub(crate) ask: Ask,
    /// How long a bot may take to become ready; in worms and overdrive, how much longer its first
    /// answer may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(crate) start_limit: Duration,
    /// How programs are told the state, in games with state files
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) state: Option<StateArg>,
    #[command(flatten)]
    pub(crate) pass_env: PassEnvArgs,
    /// Keep the games in this file or database (postgres://USER@HOST/DATABASE), and go on with those
    /// that it holds
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE")]
    pub(crate) store_password_file: Option<PathBuf>,
    /// What the games are called in the store
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Keep all replays in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) replays: Option<PathBuf>,
    /// Keep no replays
    #[arg(long, conflicts_with = "replays")]
    pub(crate) no_replays: bool,
    /// Sign the replays with this key, which `quintain key new` makes
    #[arg(long, value_name = "KEY", conflicts_with = "no_replays")]
    pub(crate) sign: Option<PathBuf>,
    /// Have the games played by the workers of this server instead of this machine [default: those of
    /// the server that hands out jobs of the same PostgreSQL store, if there are some]
    #[arg(long, value_name = "URL", requires = "token_file")]
    #[arg(conflicts_with_all = ["concurrency", "sign", "names"])]
    pub(crate) on: Option<String>,
    /// The file with the token of an organiser at that server
    #[arg(long, value_name = "FILE", requires = "on")]
    pub(crate) token_file: Option<PathBuf>,
    /// Trust that server if a certificate of this file vouches for it, beside those that the system
    /// trusts
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// Show no progress while games are played
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    #[command(flatten)]
    pub(crate) build: BuildArgs,
    /// What the file of a tournament says where these options say nothing.
    #[arg(skip)]
    pub(crate) file: (SandboxWish, BuildWish),
}

impl ManyArgs {
    /// Everything that can be wrong about a call is found here, before anything is written.
    pub(crate) fn checked_config(&self, game: &dyn AnyGame) -> Result<ReadyConfig, Failure> {
        let config = self.settings(game.facts().id).config(game).map_err(plan_failure)?;
        if let Some(name) = &self.name {
            check_name(name).map_err(|error| Failure::usage(format!("--name: {error}")))?;
        }
        Ok(config)
    }

    /// How every match is played.
    pub(crate) fn settings(&self, game: &str) -> MatchSettings {
        MatchSettings {
            game: game.to_owned(),
            rules: self.rules.rules(),
            ask: self.ask,
            start_limit: self.start_limit,
            state: self.state.map(|state| state.state(None)),
            seed: self.seed,
        }
    }

    /// What results do not depend on. `store` is where the games are kept, and `ask` how they are played.
    pub(crate) fn means(&self, store: Option<&str>, ask: Ask) -> Result<RunMeans, Failure> {
        let here = self.means_to_look(store, ask)?;
        Ok(RunMeans { elsewhere: elsewhere(self, here.store.as_deref())?, ..here })
    }

    /// The same where nothing is played.
    pub(crate) fn means_to_look(&self, store: Option<&str>, ask: Ask) -> Result<RunMeans, Failure> {
        let address = |place| crate::secret::address(place, self.store_password_file.as_deref());
        let password = self.store_password_file.as_deref();
        let replays = self.replays.as_deref().or(Some(Path::new(REPLAYS_FOLDER)));
        let hidden = [store.map(Path::new), password, self.sign.as_deref(), replays];
        Ok(RunMeans {
            store: store.map(address).transpose()?,
            name: self.name.clone(),
            replays: ReplayWish::of(self.replays.as_deref(), self.no_replays),
            concurrency: self.concurrency(ask)?,
            is_forced: self.force,
            signer: super::key::signer(self.sign.as_deref())?,
            sandbox: sandbox_for(&self.sandbox.wish().or(&self.file.0), &hidden)?,
            command: Some(this_command()),
            ..RunMeans::default()
        })
    }

    /// Builds the bots that are folders, if that is wished.
    pub(crate) fn build_bots<'a>(
        &self,
        bots: impl IntoIterator<Item = &'a Contestant>,
        means: &RunMeans,
    ) -> Result<(), Failure> {
        build_bots(&self.build.wish().or(&self.file.1), bots, means.sandbox.as_deref())
    }

    pub(crate) fn concurrency(&self, ask: Ask) -> Result<Concurrency, Failure> {
        let made = Concurrency::new(self.concurrency, ask, cores(), self.force);
        made.map_err(|error| Failure::usage(format!("{error}; --force plays them all the same")))
    }
}

/// Makes a folder for replays unless it is there, or says why that cannot be.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
}

/// Ctrl-C once lets the running games finish, twice abandons them. To be called before anything
/// starts a thread.
pub(crate) fn stop_on_interrupts(how_to_go_on: String) -> Result<Stop, Failure> {
    let stop = Stop::default();
    let request = stop.clone();
    tell_interrupts(move |times| {
        if times == 1 {
            request.no_more_matches();
            if is_over() {
                return;
            }
            say("finishing the games that run; Ctrl-C again abandons them");
            return;
        }
        Quarters::remove_all();
        say(&how_to_go_on);
        end_interrupted();
    })?;
    Ok(stop)
}
