//! What has happened to jobs since the server was started, in numbers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::exposition::{Exposition, Kind};

/// Upper ends of the buckets of durations, in seconds.
const BUCKETS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0];

/// What takes time and is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Task {
    /// One look into the queue; the time for which a worker waits is not in it.
    Claim,
    Beat,
    /// From a report that has arrived to its answer.
    Report,
    /// The part of it in which the games are played again.
    Check,
}

impl Task {
    const fn code(self) -> &'static str {
        match self {
            Task::Claim => "claim",
            Task::Beat => "beat",
            Task::Report => "report",
            Task::Check => "check",
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Durations {
    /// How many ended in each bucket, and beyond the last one.
    counts: [u64; BUCKETS.len() + 1],
    sum: Duration,
}

#[derive(Debug, Default)]
pub(crate) struct Tallies(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// By address, as it is registered, and status.
    requests: BTreeMap<(String, u16), u64>,
    /// By call and answer.
    answers: BTreeMap<(&'static str, &'static str), u64>,
    games: u64,
    durations: BTreeMap<Task, Durations>,
}

impl Tallies {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn count_request(&self, path: &str, status: u16) {
        *self.counts().requests.entry((path.to_owned(), status)).or_default() += 1;
    }

    pub(super) fn count_answer(&self, call: &'static str, answer: &'static str) {
        *self.counts().answers.entry((call, answer)).or_default() += 1;
    }

    pub(super) fn count_games(&self, games: usize) {
        self.counts().games += games as u64;
    }

    /// Does something and notes how long it took.
    pub(super) fn time<T>(&self, task: Task, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        let took = began.elapsed();
        let bucket = BUCKETS.iter().position(|most| took.as_secs_f64() <= *most);
        let mut counts = self.counts();
        let durations = counts.durations.entry(task).or_default();
        durations.counts[bucket.unwrap_or(BUCKETS.len())] += 1;
        durations.sum += took;
        done
    }

    pub(super) fn expose(&self, to: &mut Exposition) {
        let counts = self.counts();
        let name = "quintain_requests_total";
        to.family(name, Kind::Counter, "Requests of workers and organisers, by status.");
        for ((path, status), count) in &counts.requests {
            to.sample(name, &[("path", path), ("status", &status.to_string())], count);
        }
        let name = "quintain_answers_total";
        to.family(name, Kind::Counter, "What workers were answered to claims, beats and reports.");
        for ((call, answer), count) in &counts.answers {
            to.sample(name, &[("call", call), ("answer", answer)], count);
        }
        let name = "quintain_games_counted_total";
        to.family(name, Kind::Counter, "Games that were proven and counted since the start.");
        to.sample(name, &[], counts.games);
        let name = "quintain_task_seconds";
        to.family(name, Kind::Histogram, "How long claims, beats, reports and their checks take.");
        for (task, durations) in &counts.durations {
            durations.expose(name, task.code(), to);
        }
    }
}

impl Durations {
    fn expose(&self, name: &str, task: &str, to: &mut Exposition) {
        let mut so_far = 0;
        let ends = BUCKETS.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
        for (end, count) in ends.zip(self.counts) {
            so_far += count;
            to.sample(&format!("{name}_bucket"), &[("task", task), ("le", &end)], so_far);
        }
        to.sample(&format!("{name}_sum"), &[("task", task)], self.sum.as_secs_f64());
        to.sample(&format!("{name}_count"), &[("task", task)], so_far);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_told_as_histograms_that_only_grow() {
        let tallies = Tallies::default();
        tallies.time(Task::Claim, || ());
        tallies.time(Task::Claim, || std::thread::sleep(Duration::from_millis(6)));
        tallies.count_games(3);
        let mut text = Exposition::default();
        tallies.expose(&mut text);
        let text = text.into_text();
        for line in [
            "# TYPE quintain_task_seconds histogram",
            "quintain_task_seconds_bucket{task=\"claim\",le=\"0.001\"} 1",
            "quintain_task_seconds_bucket{task=\"claim\",le=\"+Inf\"} 2",
            "quintain_task_seconds_count{task=\"claim\"} 2",
            "quintain_games_counted_total 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
        }
    }
}
