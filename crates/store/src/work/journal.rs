//! What the board was asked and what it answered, for the log: one line for the question and one for each answer, with
//! the same number. What is missing from a log was not committed, or nobody learned of it; so a model of the leases can
//! be held against what really happened.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::{Held, JobBoard, Lease};

/// A call that was asked.
pub(super) struct Asked<'a> {
    number: u64,
    what: &'static str,
    worker: &'a str,
}

impl JobBoard {
    pub(super) fn ask<'a>(
        &self,
        what: &'static str,
        worker: &'a str,
        lease: Option<Lease>,
    ) -> Asked<'a> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let (job, reads) = (lease.map(|lease| lease.job), lease.map(|lease| lease.reads));
        tracing::debug!(call = number, what, worker, job, reads, "asked");
        Asked { number, what, worker }
    }
}

impl Asked<'_> {
    /// Something that people want to know.
    pub(super) fn answer(&self, answer: &'static str, lease: Lease) {
        let Asked { number: call, what, worker } = *self;
        let Lease { job, reads } = lease;
        tracing::info!(call, worker, job, reads, answer, "{what}");
    }

    /// Something that happens all the time.
    pub(super) fn answer_quietly(&self, answer: &'static str, lease: Option<Lease>) {
        let Asked { number: call, what, worker } = *self;
        let (job, reads) = (lease.map(|lease| lease.job), lease.map(|lease| lease.reads));
        tracing::debug!(call, worker, job, reads, answer, "{what}");
    }

    /// These jobs left the queue unplayed.
    pub(super) fn removed(&self, jobs: &BTreeSet<i64>) {
        let Asked { number: call, what, .. } = *self;
        let jobs: Vec<String> = jobs.iter().map(ToString::to_string).collect();
        let jobs = jobs.join(" ");
        tracing::info!(call, jobs, answer = "removed", "{what}");
    }
}

impl Held {
    /// As logs and figures have it.
    pub fn code(&self) -> &'static str {
        match self {
            Held::Yes => "yes",
            Held::Before => "before",
            Held::Lost => "lost",
            Held::Never => "never",
            Held::OtherGames { .. } => "other-games",
        }
    }
}
