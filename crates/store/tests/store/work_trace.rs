//! What the queue of jobs really did, held against the model of its leases.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::SplitMix64;
use quintain_store::Store;
use quintain_store::work::{Claimed, Held, JobBoard, NewGame, NewOrder, NewResult, Terms, Trouble};
use quintain_testkit::leases::replay;
use tracing::Dispatch;
use tracing::level_filters::LevelFilter;

use crate::suite::{Engine, identity, on_both_engines};

on_both_engines! {
    what_really_happens_to_jobs_is_something_that_the_model_can_do,
}

const ORDER: NewOrder<'_> = NewOrder { key: "a", owner: "ann", body: "{}", is_timed: true };
const JOBS: u32 = 24;
const WORKERS: u64 = 5;
const LEASE: Duration = Duration::from_secs(1);
const TIME_MAX: Duration = Duration::from_secs(60);

/// A log in memory.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn log(&self) -> Dispatch {
        let lines = self.clone();
        let log = tracing_subscriber::fmt().json().flatten_event(true);
        let log = log.with_max_level(LevelFilter::DEBUG).with_writer(move || lines.clone());
        Dispatch::new(log.finish())
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn what_really_happens_to_jobs_is_something_that_the_model_can_do(engine: Engine) {
    let Some(place) = engine("trace") else { return };
    let board = JobBoard::open(&Store::open(&place.url).unwrap()).unwrap();
    let order = board.place_order(&ORDER).unwrap();
    let job = |index| [false, true].map(|swapped| new_game(index, swapped)).to_vec();
    board.add_jobs(order, &(0..JOBS).map(job).collect::<Vec<_>>()).unwrap();
    let lines = Lines::default();
    let end = Instant::now() + TIME_MAX;
    thread::scope(|scope| {
        for number in 0..WORKERS {
            let (board, log) = (&board, lines.log());
            scope.spawn(move || {
                let worker = Worker { board, name: format!("w{number}") };
                tracing::dispatcher::with_default(&log, || worker.run(number, end));
            });
        }
    });
    assert_eq!(board.length().unwrap(), 0, "everything was played or given up");
    let replayed = replay(&[lines.text()]).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!((replayed.jobs as u32, replayed.unanswered), (JOBS, 0));
    assert!(replayed.calls as u32 > 4 * JOBS, "{replayed:?}");
}

fn new_game(index: u32, swapped: bool) -> NewGame {
    let id = identity(0, 0, index, swapped);
    NewGame { id, body: id.to_string() }
}

/// One that now and then fails, is late, gives back, says things twice, or is not heard of again.
struct Worker<'a> {
    board: &'a JobBoard,
    name: String,
}

impl Worker<'_> {
    fn run(&self, seed: u64, end: Instant) {
        self.board.note_worker(&self.name, "0.1.0", 1).unwrap();
        let mut random = SplitMix64::new(seed);
        while self.board.length().unwrap() > 0 && Instant::now() < end {
            match self.board.claim(&self.name, LEASE, Terms::default()).unwrap() {
                Some(claimed) => self.play(&claimed, random.next_u64() % 16),
                None => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    fn play(&self, claimed: &Claimed, luck: u64) {
        let lease = claimed.lease;
        let failed = Trouble::Failed { log: "no luck".to_owned() };
        match luck {
            0 => drop(self.board.take_back(&self.name, lease, &failed).unwrap()),
            1 => drop(self.board.take_back(&self.name, lease, &Trouble::GivenBack).unwrap()),
            2 => {}
            3 => {
                thread::sleep(LEASE + Duration::from_millis(300));
                self.report(claimed);
            }
            4 => {
                self.report(claimed);
                self.report(claimed);
            }
            5 => {
                self.board.take_back(&self.name, lease, &Trouble::GivenBack).unwrap();
                assert_ne!(self.report(claimed), Held::Yes);
            }
            6 => thread::scope(|scope| {
                // The same report twice at the same time, as after an answer that was late.
                let log = tracing::dispatcher::get_default(Dispatch::clone);
                scope.spawn(move || {
                    tracing::dispatcher::with_default(&log, || self.report(claimed));
                });
                self.report(claimed);
            }),
            _ => {
                self.board.beat(&self.name, lease, LEASE).unwrap();
                self.report(claimed);
            }
        }
    }

    fn report(&self, claimed: &Claimed) -> Held {
        match self.board.claimed(&self.name, claimed.lease, LEASE).unwrap() {
            Ok(_) => self.board.complete(&self.name, claimed.lease, &results(claimed)).unwrap(),
            Err(held) => held,
        }
    }
}

fn results(claimed: &Claimed) -> Vec<NewResult> {
    let result = |game: &String| NewResult {
        game: game.parse().unwrap(),
        body: "{}".to_owned(),
        is_void: false,
        is_disturbed: false,
        half_points: None,
    };
    claimed.games.iter().map(result).collect()
}
