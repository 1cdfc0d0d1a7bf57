//! Has the games of a run played by the workers of a server.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use quintain_arena::work::wire::{
    CollectAnswer, CollectRequest, NewJobs, OrderNumber, OrderRequest, Recalled, Version,
};
use quintain_arena::work::{
    Collected, Elsewhere, ElsewhereError, ElsewhereNews, JobGame, Order, Ordered, RemoteGame,
};
use quintain_record::MatchId;

use crate::archive::{Limits, pack};
use crate::client::{Client, ClientError};

/// Whoever has games played by a server.
pub struct Organiser {
    client: Client,
    tell: fn(&str, ElsewhereNews),
}

impl fmt::Debug for Organiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Organiser({:?})", self.client)
    }
}

impl Organiser {
    /// `tell` is told what happens to the games, with the address of the server.
    pub fn new(client: Client, tell: fn(&str, ElsewhereNews)) -> Organiser {
        Organiser { client, tell }
    }

    fn error(&self, error: ClientError) -> ElsewhereError {
        error_of(&self.client, error)
    }
}

fn error_of(client: &Client, error: ClientError) -> ElsewhereError {
    match error {
        ClientError::Away { server, reason } => ElsewhereError::Away { server, reason },
        error => {
            let (server, reason) = (client.server().to_owned(), error.to_string());
            ElsewhereError::Refused { server, reason }
        }
    }
}

impl Elsewhere for Organiser {
    fn send_bot(&self, folder: &Path) -> Result<String, ElsewhereError> {
        let packed = pack(folder, &Limits::default());
        let packed = packed.map_err(|error| ElsewhereError::Pack(error.to_string()))?;
        let path = format!("/jobs/blob/{}", packed.digest);
        if !self.client.has(&path).map_err(|error| self.error(error))? {
            self.client.put(&path, &packed.bytes).map_err(|error| self.error(error))?;
        }
        Ok(packed.digest)
    }

    fn begin(&self, key: &str, order: &Order) -> Result<Box<dyn Ordered>, ElsewhereError> {
        let (version, key, order) = (Version::own(), key.to_owned(), order.clone());
        let request = OrderRequest { version, key, order };
        let placed = self.client.ask("/jobs/order", &request);
        let OrderNumber { order } = placed.map_err(|error| self.error(error))?;
        let path = format!("/jobs/order/{order}");
        Ok(Box::new(PlacedOrder { client: self.client.clone(), path }))
    }

    fn tell(&self, news: ElsewhereNews) {
        (self.tell)(self.client.server(), news);
    }
}

struct PlacedOrder {
    client: Client,
    path: String,
}

impl PlacedOrder {
    fn error(&self, error: ClientError) -> ElsewhereError {
        error_of(&self.client, error)
    }
}

impl Ordered for PlacedOrder {
    fn add(&mut self, jobs: &[Vec<JobGame>]) -> Result<(), ElsewhereError> {
        let jobs = NewJobs { jobs: jobs.to_vec() };
        let added = self.client.post::<()>(&format!("{}/jobs", self.path), &jobs);
        added.map(|_| ()).map_err(|error| self.error(error))
    }

    fn collect(&mut self, taken: &[MatchId], wait: Duration) -> Result<Collected, ElsewhereError> {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let request = CollectRequest { taken: taken.to_vec(), wait_ms };
        let answer = self.client.ask(&format!("{}/collect", self.path), &request);
        let CollectAnswer { games, running, slots, failures } =
            answer.map_err(|error| self.error(error))?;
        let games = games.into_iter();
        let games = games.map(|game| RemoteGame { record: game.record, replay: game.replay });
        Ok(Collected { games: games.collect(), running, slots, failures })
    }

    fn recall(&mut self) -> Result<Vec<MatchId>, ElsewhereError> {
        let answer = self.client.ask(&format!("{}/recall", self.path), &());
        let Recalled { games } = answer.map_err(|error| self.error(error))?;
        Ok(games)
    }

    fn withdraw(&mut self) -> Result<(), ElsewhereError> {
        self.client.delete(&self.path).map_err(|error| self.error(error))
    }
}
