//! Pages of what this process plays, beside it.

use std::path::{Path, PathBuf};
use std::thread;

use quintain_arena::run::Progress;
use quintain_store::Store;

use super::{Hub, Watched, WatchedRun};
use crate::error::ServeError;
use crate::guard::Neighbours;
use crate::listen::{Plan, Server};
use crate::served_replays::ServedReplays;

/// What will be played, and where it is shown.
pub struct ShowingPlan {
    /// As in [`Plan`].
    pub listen: String,
    /// The game's name for people.
    pub title: &'static str,
    /// Where the replays will be.
    pub replays: PathBuf,
    /// Where a browser begins to look.
    pub page: String,
    /// Whether every match is filmed, however many there are.
    pub films_all: bool,
    /// Whose runs are shown.
    pub store: Option<Store>,
}

/// What is played, as it is shown.
pub struct Showing {
    hub: Hub,
    title: &'static str,
    replays: PathBuf,
    store: Option<Store>,
    films_all: bool,
    address: String,
}

fn served_replays(replays: &Path, store: Option<&Store>) -> ServedReplays {
    let replays = ServedReplays::of_folder(replays);
    match store {
        Some(store) => replays.with_store(store.clone()),
        None => replays,
    }
}

impl Showing {
    /// Serves the pages on a thread of their own. `gone` is told why they are not served any more.
    ///
    /// # Errors
    /// The address cannot be listened on, or the system gives no thread.
    pub fn begin(
        plan: ShowingPlan,
        gone: impl FnOnce(ServeError) + Send + 'static,
    ) -> Result<Showing, ServeError> {
        let ShowingPlan { listen, title, replays, page, films_all, store } = plan;
        let hub = Hub::new().map_err(ServeError::Threads)?;
        let server = Server::bind(Plan {
            listen,
            replays: served_replays(&replays, store.as_ref()),
            neighbours: Neighbours::default(),
            work: None,
            token: None,
            live: Some(hub.clone()),
        })?;
        let address = format!("{}{page}", server.url());
        let serve = move || {
            if let Err(error) = server.run() {
                gone(error);
            }
        };
        thread::Builder::new()
            .name("server".to_owned())
            .spawn(serve)
            .map_err(ServeError::Threads)?;
        Ok(Showing { hub, title, replays, store, films_all, address })
    }

    /// Where a browser looks.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Plays, and tells the pages of it beside whoever is told already.
    pub fn watch<T>(
        &self,
        told: &mut dyn Progress,
        play: impl FnOnce(&mut dyn Progress) -> T,
    ) -> T {
        let run = WatchedRun {
            hub: self.hub.clone(),
            title: self.title,
            replays: served_replays(&self.replays, self.store.as_ref()),
            films_all: self.films_all,
        };
        play(&mut Watched::new(run, told))
    }

    /// Tells everybody who looks on that nothing more is played.
    pub fn close(&self) {
        self.hub.close();
    }
}
