//! The figures of a board for whoever watches over it.

use quintain_store::StoreError;
use quintain_store::work::WorkerInfo;

use super::Work;
use crate::exposition::{Exposition, Kind};

type CountOf = fn(&WorkerInfo) -> u64;

/// What is counted of each worker, for as long as it is known.
const WORKER_COUNTS: [(&str, &str, CountOf); 5] = [
    ("quintain_worker_games_total", "Games that a worker played.", |worker| worker.games),
    ("quintain_worker_void_games_total", "Void ones among them.", |worker| worker.void_games),
    ("quintain_worker_disturbed_games_total", "Games in which a machine was busy.", |worker| {
        worker.disturbed_games
    }),
    ("quintain_worker_failed_jobs_total", "Jobs that it claimed and did not play.", |worker| {
        worker.failed_jobs
    }),
    (
        "quintain_worker_refusals_total",
        "What it asked for or reported and was refused.",
        |worker| worker.refused,
    ),
];

impl Work {
    pub(crate) fn expose(&self, to: &mut Exposition) -> Result<(), StoreError> {
        let census = self.board.census()?;
        let jobs = "quintain_jobs";
        to.family(jobs, Kind::Gauge, "Jobs that wait, are being played, or were given up.");
        to.sample(jobs, &[("state", "queued")], census.queued);
        to.sample(jobs, &[("state", "leased")], census.leased);
        to.sample(jobs, &[("state", "failed")], census.failed);
        to.gauge("quintain_orders", "Orders that are open.", census.orders);
        let results = "Games whose results nobody has collected yet.";
        to.gauge("quintain_results_waiting", results, census.waiting_results);
        to.gauge("quintain_workers", "Workers that are there.", census.workers);
        to.gauge("quintain_slots", "Games that they play at a time.", census.slots);
        let workers = self.board.workers()?;
        for (name, help, count) in WORKER_COUNTS {
            to.family(name, Kind::Counter, help);
            for worker in &workers {
                to.sample(name, &[("worker", &worker.name)], count(worker));
            }
        }
        self.tallies.expose(to);
        Ok(())
    }
}
