//! From the thread of a match to its log: a match hands over its frames and goes on. What they look like in
//! a browser is worked out by a thread that yields to everybody else on this machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use quintain_core::Outcome;
use quintain_core::scene::{Eye, Frame};
use quintain_registry::{Decided, FilmHead, Spectator};

use super::live_match::{LiveMatch, Shot};
use crate::limits::LIVE_QUEUE_BYTES_MAX;
use crate::niceness::yield_to_others;
use crate::served_replays::ending_in_words;

/// Where frames are handed over.
#[derive(Clone)]
pub(super) struct FilmQueue {
    jobs: Sender<Job>,
    /// What the frames that wait take in memory.
    waiting: Arc<AtomicUsize>,
}

enum Job {
    Begin(Arc<LiveMatch>, Box<FilmHead>, Eye),
    Shot(Arc<LiveMatch>, Box<Shot>, usize),
    Decide(Arc<LiveMatch>, String),
    Finish(Arc<LiveMatch>, Option<String>),
}

impl FilmQueue {
    /// Starts the thread, which ends when nobody has anything to hand over any more.
    pub(super) fn open() -> std::io::Result<FilmQueue> {
        let (jobs, work) = mpsc::channel();
        let queue = FilmQueue { jobs, waiting: Arc::default() };
        let waiting = Arc::clone(&queue.waiting);
        thread::Builder::new().name("film".to_owned()).spawn(move || develop(&work, &waiting))?;
        Ok(queue)
    }

    fn hand_over(&self, job: Job) {
        // The thread ends after everybody who could hand something over.
        let _ = self.jobs.send(job);
    }

    /// Nothing more comes of a match. `page` is where it can be seen again.
    pub(super) fn finish(&self, live: Arc<LiveMatch>, page: Option<String>) {
        self.hand_over(Job::Finish(live, page));
    }
}

fn develop(work: &Receiver<Job>, waiting: &AtomicUsize) {
    yield_to_others();
    for job in work {
        match job {
            Job::Begin(live, head, eye) => live.begin(&head, eye),
            Job::Shot(live, shot, bytes) => {
                live.add(*shot);
                waiting.fetch_sub(bytes, Ordering::Relaxed);
            }
            Job::Decide(live, ending) => live.decide(ending),
            Job::Finish(live, page) => live.finish(page),
        }
    }
}

/// Watches a match for everybody who looks on by way of a browser.
pub(super) struct Camera {
    live: Arc<LiveMatch>,
    queue: FilmQueue,
    eye: Eye,
    turn_name: &'static str,
    /// The last frame, if there was no room for it.
    kept_back: Option<(Box<Shot>, usize)>,
}

impl Camera {
    pub(super) fn new(live: Arc<LiveMatch>, queue: FilmQueue, eye: Eye) -> Camera {
        Camera { live, queue, eye, turn_name: "", kept_back: None }
    }

    fn hand_over(&self, shot: Box<Shot>, bytes: usize) {
        self.queue.waiting.fetch_add(bytes, Ordering::Relaxed);
        self.queue.hand_over(Job::Shot(Arc::clone(&self.live), shot, bytes));
    }
}

impl Spectator for Camera {
    fn wants_frames(&self) -> bool {
        true
    }

    fn eyes(&self) -> Vec<Eye> {
        vec![self.eye]
    }

    fn begin(&mut self, head: &FilmHead) {
        self.turn_name = head.turn_name;
        let head = Box::new(head.clone());
        self.queue.hand_over(Job::Begin(Arc::clone(&self.live), head, self.eye));
    }

    /// A match that is faster than anybody could look at loses frames here, but never its last one.
    fn frame(&mut self, _eye: Eye, frame: &Frame) {
        let (shot, bytes) = (Box::new(Shot::of(frame)), frame.bytes());
        if self.queue.waiting.load(Ordering::Relaxed) > LIVE_QUEUE_BYTES_MAX {
            self.kept_back = Some((shot, bytes));
            return;
        }
        self.kept_back = None;
        self.hand_over(shot, bytes);
    }

    fn decided(&mut self, end: &Decided) {
        if let Some((shot, bytes)) = self.kept_back.take() {
            self.hand_over(shot, bytes);
        }
        let Outcome { verdicts, reason, .. } = &end.outcome;
        let names = &self.live.about.names;
        let ending = ending_in_words(verdicts, reason, end.turns, names, self.turn_name);
        self.queue.hand_over(Job::Decide(Arc::clone(&self.live), ending));
    }
}
