//! `--open` and `--serve`: what is played is shown in the browser.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use quintain_arena::REPLAYS_FOLDER;
use quintain_arena::run::{Progress, RunMeans};
use quintain_referee::Stop;
use quintain_registry::AnyGame;
use quintain_server::{Hub, Neighbours, Plan, Shelf, Watched, WatchedRun};
use quintain_store::Store;
use tempfile::TempDir;

use super::serve::{address_of, bind, show};
use crate::args::OpenArgs;
use crate::failure::Failure;
use crate::output::remark;
use crate::status_line::say;

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
    hub: Hub,
    title: &'static str,
    replays: PathBuf,
    films_all: bool,
    store: Option<Store>,
    address: String,
    /// The store of a run that is kept nowhere else; it goes with this.
    meanwhile: Option<TempDir>,
}

/// What is shown.
pub(super) struct Shown<'a> {
    pub(super) game: &'a dyn AnyGame,
    /// Where the replays will be.
    pub(super) replays: PathBuf,
    /// Where a browser begins to look.
    pub(super) page: String,
    /// What it is called in a sentence.
    pub(super) what: &'static str,
    pub(super) films_all: bool,
    /// Whose runs are shown.
    pub(super) store: Option<Store>,
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
        let shown = Shown {
            game,
            replays: PathBuf::from(REPLAYS_FOLDER),
            page: "/now".to_owned(),
            what: "this run",
            films_all: false,
            store,
        };
        let opened = Opened::start(args, shown)?;
        Ok(opened.map(|opened| Opened { meanwhile: folder, ..opened }))
    }

    /// Serves what will be played, if that is wanted, and says where. To be called after interrupts are told.
    pub(super) fn start(args: &OpenArgs, shown: Shown<'_>) -> Result<Option<Opened>, Failure> {
        if !args.is_wanted() {
            return Ok(None);
        }
        let hub = Hub::new()?;
        let shelf = shelf_of(&shown.replays, shown.store.as_ref());
        let server = bind(
            Plan {
                listen: args.serve.clone().unwrap_or_else(|| "127.0.0.1:0".to_owned()),
                shelf,
                neighbours: Neighbours::default(),
                work: None,
                token: None,
                live: Some(hub.clone()),
            },
            "serve",
        )?;
        let address = format!("{}{}", address_of(&server), shown.page);
        remark(format_args!("{} is on {address} until Ctrl-C", shown.what));
        thread::Builder::new().name("server".to_owned()).spawn(move || {
            if let Err(error) = server.run() {
                say(format_args!("the pages are gone: {error}"));
            }
        })?;
        if args.open {
            show(&address);
        }
        let (title, films_all) = (shown.game.facts().title, shown.films_all);
        let Shown { replays, store, .. } = shown;
        Ok(Some(Opened { hub, title, replays, films_all, store, address, meanwhile: None }))
    }

    fn run(&self) -> WatchedRun {
        WatchedRun {
            hub: self.hub.clone(),
            title: self.title,
            shelf: shelf_of(&self.replays, self.store.as_ref()),
            films_all: self.films_all,
        }
    }

    /// Shows what was played until somebody has seen enough.
    fn stay(&self, stop: &Stop) {
        IS_OVER.store(true, Ordering::Relaxed);
        self.hub.close();
        remark(format_args!("still on {} until Ctrl-C", self.address));
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

fn shelf_of(replays: &Path, store: Option<&Store>) -> Shelf {
    let shelf = Shelf::of_folder(replays);
    match store {
        Some(store) => shelf.with_store(store.clone()),
        None => shelf,
    }
}

/// Plays, and tells the browser of it if it is shown there.
pub(super) fn watched<T>(
    opened: Option<&Opened>,
    screen: &mut dyn Progress,
    play: impl FnOnce(&mut dyn Progress) -> T,
) -> T {
    match opened {
        Some(opened) => play(&mut Watched::new(opened.run(), screen)),
        None => play(screen),
    }
}

/// Goes on showing what was played, if it is shown at all.
pub(super) fn stay(opened: Option<&Opened>, stop: &Stop) {
    if let Some(opened) = opened {
        opened.stay(stop);
    }
}
