//! `--open` and `--serve`: what is played is shown in the browser.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use quintain_arena::REPLAYS_FOLDER;
use quintain_arena::run::{Progress, RunMeans};
use quintain_referee::Stop;
use quintain_registry::AnyGame;
use quintain_server::{Showing, ShowingPlan};
use quintain_store::Store;
use tempfile::TempDir;

use super::serve::{serve_failure, show};
use crate::args::OpenArgs;
use crate::failure::Failure;
use crate::output::{remark, say};

/// How often a wish to stop is looked for once everything is played.
const LOOK: Duration = Duration::from_millis(100);

/// Whether everything is played and pages are all that is left.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Whether nothing is played any more, so that there is nothing to finish.
pub(super) fn is_over() -> bool {
    IS_OVER.load(Ordering::Relaxed)
}

/// A run that is shown in the browser.
pub(super) struct Opened {
    showing: Showing,
    /// The store of a run that is kept nowhere else; it goes with this.
    meanwhile: Option<TempDir>,
}

impl Opened {
    /// The same for a run of many games, whose pages are those of its store. If none is named, there is one until
    /// Ctrl-C.
    pub(super) fn start_run(
        args: &OpenArgs,
        game: &dyn AnyGame,
        means: &mut RunMeans,
    ) -> Result<Option<Opened>, Failure> {
        if !args.is_wanted() {
            return Ok(None);
        }
        let folder = match means.store {
            Some(_) => None,
            None => Some(keep_meanwhile(means)?),
        };
        let store = means.store.as_deref().map(Store::open).transpose()?;
        let plan = ShowingPlan {
            listen: args.listen(),
            title: game.facts().title,
            replays: PathBuf::from(REPLAYS_FOLDER),
            page: "/now".to_owned(),
            films_all: false,
            store,
        };
        let opened = Opened::start(args, "this run", plan)?;
        Ok(opened.map(|opened| Opened { meanwhile: folder, ..opened }))
    }

    /// Serves what will be played, if that is wanted, and says where. `what` is how it is called in a sentence.
    /// To be called after interrupts are told.
    pub(super) fn start(
        args: &OpenArgs,
        what: &str,
        plan: ShowingPlan,
    ) -> Result<Option<Opened>, Failure> {
        if !args.is_wanted() {
            return Ok(None);
        }
        let gone = |error| say(format_args!("the pages are gone: {error}"));
        let showing = Showing::begin(plan, gone).map_err(|error| serve_failure(error, "serve"))?;
        let address = showing.address();
        remark(format_args!("{what} is on {address} until Ctrl-C"));
        if args.open {
            show(address);
        }
        Ok(Some(Opened { showing, meanwhile: None }))
    }

    /// Shows what was played until somebody has seen enough.
    fn stay(&self, stop: &Stop) {
        IS_OVER.store(true, Ordering::Relaxed);
        self.showing.close();
        remark(format_args!("still on {} until Ctrl-C", self.showing.address()));
        if self.meanwhile.is_some() {
            remark("its games and replays are forgotten then; --store FILE keeps them");
        }
        while !stop.is_asked() {
            thread::sleep(LOOK);
        }
    }
}

/// A store for a run that names none. Nothing goes on from it, so that no command does.
fn keep_meanwhile(means: &mut RunMeans) -> Result<TempDir, Failure> {
    let folder = tempfile::Builder::new().prefix("quintain-run-").tempdir()?;
    means.store = Some(folder.path().join("games.db").display().to_string());
    means.command = None;
    Ok(folder)
}

/// Plays, and tells the browser of it if it is shown there.
pub(super) fn watched<T>(
    opened: Option<&Opened>,
    screen: &mut dyn Progress,
    play: impl FnOnce(&mut dyn Progress) -> T,
) -> T {
    match opened {
        Some(opened) => opened.showing.watch(screen, play),
        None => play(screen),
    }
}

/// Goes on showing what was played, if it is shown at all.
pub(super) fn stay(opened: Option<&Opened>, stop: &Stop) {
    if let Some(opened) = opened {
        opened.stay(stop);
    }
}
