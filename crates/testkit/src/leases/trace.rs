//! Whether what a real queue was asked and what it answered is something that the model can do.
//!
//! A call happened at some moment between the line of the log that says it was asked and the one that says it was
//! answered; a call without an answer, since its server was killed or its database was away, happened at some moment
//! after it was asked, or never. So for each job all states are followed that fit what was answered, and none may be
//! left only where no order of the calls explains the log.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::job::{Answer, Call, Job, Rules};

/// Who claimed a job is unknown if nobody was told.
const NOBODY: u8 = u8::MAX;
/// How often a job may have been handed out without anybody learning of it.
const HIDDEN_MAX: usize = 3;

/// What was found to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    pub jobs: usize,
    pub calls: usize,
    /// Calls whose answer nobody wrote down.
    pub unanswered: usize,
}

/// One call that concerns a job.
#[derive(Clone, Debug)]
struct Spoken {
    what: What,
    worker: u8,
    reads: u32,
    asked: usize,
    answered: Option<(usize, Option<Answer>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Call(Call),
    /// Whoever wanted the games wants them no more.
    Withdraw,
}

/// All that a log says.
#[derive(Default)]
struct Log {
    jobs: BTreeMap<i64, Vec<Spoken>>,
    workers: Vec<String>,
    calls: usize,
    unanswered: usize,
    /// Claims and withdrawals that may have concerned any job.
    hidden_claims: usize,
    hidden_withdrawals: usize,
    /// The first line in which an order is withdrawn: from there on what was counted may be forgotten.
    forgets_from: Option<usize>,
}

/// Replays the log of a server, or of several that ran one after the other: JSON lines, of which others are skipped.
///
/// # Errors
/// Names the job and the call that no order of the calls explains.
pub fn replay(runs: &[String]) -> Result<Replayed, String> {
    let log = Log::read(runs);
    for (number, calls) in &log.jobs {
        log.follow(calls).map_err(|(call, states)| {
            format!("job {number}: {call:?} does not fit; before it was one of {states:#?}")
        })?;
    }
    Ok(Replayed { jobs: log.jobs.len(), calls: log.calls, unanswered: log.unanswered })
}

/// A call that was asked and is not answered yet.
struct Open {
    what: String,
    worker: u8,
    lease: Option<(i64, u32)>,
    asked: usize,
}

impl Log {
    fn read(runs: &[String]) -> Log {
        let mut log = Log::default();
        let mut line_number = 0;
        for run in runs {
            let mut open: BTreeMap<u64, Open> = BTreeMap::new();
            for line in run.lines() {
                line_number += 1;
                let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
                let Some(call) = line["call"].as_u64() else { continue };
                match line["answer"].as_str() {
                    Some(answer) => {
                        log.answered(&line, answer, &open, line_number);
                        // Whoever found a hopeless job goes on looking.
                        if answer != "gave-up" {
                            open.remove(&call);
                        }
                    }
                    None if line["message"] == "asked" => {
                        open.insert(call, log.asked(&line, line_number));
                    }
                    None => {}
                }
            }
            open.into_values().for_each(|call| log.leave(call));
        }
        log
    }

    fn asked(&mut self, line: &Value, asked: usize) -> Open {
        let name = line["worker"].as_str().unwrap_or_default().to_owned();
        let known = self.workers.iter().position(|worker| *worker == name);
        let worker = known.unwrap_or_else(|| {
            self.workers.push(name);
            self.workers.len() - 1
        });
        if line["what"] == "withdraw" {
            self.forgets_from.get_or_insert(asked);
        }
        let lease = line["job"].as_i64().zip(line["reads"].as_u64());
        Open {
            what: line["what"].as_str().unwrap_or_default().to_owned(),
            worker: u8::try_from(worker).expect("a test has few workers"),
            lease: lease.map(|(job, reads)| (job, reads as u32)),
            asked,
        }
    }

    fn answered(&mut self, line: &Value, answer: &str, open: &BTreeMap<u64, Open>, number: usize) {
        let Some(call) = line["call"].as_u64().and_then(|call| open.get(&call)) else { return };
        let reads = line["reads"].as_u64().unwrap_or_default() as u32;
        let what = what_of(&call.what, answer == "other-games");
        let answer = match answer {
            "claimed" => Some(Answer::Claimed(reads)),
            "gave-up" => Some(Answer::GaveUp),
            "yes" | "other-games" => Some(Answer::Yes),
            "before" => Some(Answer::Before),
            "lost" => Some(Answer::Lost),
            "never" => Some(Answer::Never),
            _ => None,
        };
        self.calls += 1;
        let (worker, asked) = (call.worker, call.asked);
        let removed = line["jobs"].as_str().into_iter().flat_map(str::split_whitespace);
        let removed = removed.filter_map(|job| job.parse().ok());
        for job in line["job"].as_i64().into_iter().chain(removed) {
            let spoken = Spoken { what, worker, reads, asked, answered: Some((number, answer)) };
            self.jobs.entry(job).or_default().push(spoken);
        }
    }

    /// A call that nobody answered.
    fn leave(&mut self, call: Open) {
        self.unanswered += 1;
        let what = what_of(&call.what, false);
        match (what, call.lease) {
            (What::Withdraw, _) => self.hidden_withdrawals += 1,
            (_, Some((job, reads))) => {
                let (worker, asked) = (call.worker, call.asked);
                let spoken = Spoken { what, worker, reads, asked, answered: None };
                self.jobs.entry(job).or_default().push(spoken);
            }
            (_, None) => self.hidden_claims += 1,
        }
    }

    /// Follows all states that a job can be in, call by call.
    fn follow(&self, calls: &[Spoken]) -> Result<(), (Spoken, BTreeSet<Possible>)> {
        let mut points: Vec<(usize, usize, bool)> = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            points.push((call.asked, index, false));
            points.extend(call.answered.iter().map(|(line, _)| (*line, index, true)));
        }
        points.sort_unstable();
        let mut open: Vec<usize> = Vec::new();
        let mut states = BTreeSet::from([Possible::default()]);
        for (line, index, is_answer) in points {
            if !is_answer {
                open.push(index);
                continue;
            }
            let forgets = self.forgets_from.is_some_and(|first| first < line);
            states = self.reach(calls, &open, states, forgets);
            let answer = calls[index].answered.and_then(|(_, answer)| answer);
            let fits = |state: &Possible| state.happened.get(&index) == Some(&answer);
            let mut fitting: BTreeSet<Possible> =
                states.iter().filter(|state| fits(state)).cloned().collect();
            if fitting.is_empty() {
                return Err((calls[index].clone(), states));
            }
            open.retain(|other| *other != index);
            fitting = fitting.into_iter().map(|state| state.without(index)).collect();
            states = fitting;
        }
        Ok(())
    }

    /// All states that can be reached by calls that are open, and by claims that nobody learned of.
    fn reach(
        &self,
        calls: &[Spoken],
        open: &[usize],
        states: BTreeSet<Possible>,
        forgets: bool,
    ) -> BTreeSet<Possible> {
        let mut reached = states.clone();
        let mut fresh: Vec<Possible> = states.into_iter().collect();
        while let Some(state) = fresh.pop() {
            let by_calls = open.iter().filter_map(|index| state.after(*index, &calls[*index]));
            let next = by_calls.chain(state.after_hidden_claim(self.hidden_claims));
            let next = next.chain(state.after_hidden_withdrawal(self.hidden_withdrawals));
            let next = next.chain(state.forgotten().filter(|_| forgets));
            for next in next {
                if reached.insert(next.clone()) {
                    fresh.push(next);
                }
            }
        }
        reached
    }
}

fn what_of(word: &str, is_refused: bool) -> What {
    match word {
        "claim" => What::Call(Call::Claim),
        "look" => What::Call(Call::Look),
        // Other games than those of the job change nothing but the lease.
        "complete" if is_refused => What::Call(Call::Beat),
        "complete" => What::Call(Call::Complete),
        "fail" => What::Call(Call::Fail),
        "give-back" => What::Call(Call::GiveBack),
        "recall" | "withdraw" => What::Withdraw,
        _ => What::Call(Call::Beat),
    }
}

/// A state that fits what was answered so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Possible {
    job: Job,
    /// Calls that have happened and are not answered yet.
    happened: BTreeMap<usize, Option<Answer>>,
    hidden: usize,
}

impl Possible {
    fn after(&self, index: usize, call: &Spoken) -> Option<Possible> {
        if self.happened.contains_key(&index) {
            return None;
        }
        let mut next = self.clone();
        let answer = match call.what {
            // A lease may run out at any time; what is gone cannot be claimed.
            What::Call(Call::Claim) if !self.job.is_queued => return None,
            What::Call(what) => {
                Some(next.job.hear(what, call.worker, call.reads, Rules::default()))
            }
            What::Withdraw => {
                next.job.remove();
                None
            }
        };
        if let Some((_, expected)) = call.answered
            && expected != answer
        {
            return None;
        }
        next.happened.insert(index, answer);
        Some(next)
    }

    fn after_hidden_claim(&self, most: usize) -> Option<Possible> {
        let is_possible = self.job.is_queued && self.hidden < most.min(HIDDEN_MAX);
        is_possible.then(|| {
            let mut next = Possible { hidden: self.hidden + 1, ..self.clone() };
            next.job.hear(Call::Claim, NOBODY, 0, Rules::default());
            next
        })
    }

    fn after_hidden_withdrawal(&self, most: usize) -> Option<Possible> {
        (most > 0 && self.job.is_queued).then(|| {
            let mut next = self.clone();
            next.job.remove();
            next
        })
    }

    /// Nobody knows any more whose games were counted: their order is gone.
    fn forgotten(&self) -> Option<Possible> {
        self.job.counted_by.map(|_| {
            let mut next = self.clone();
            next.job.counted_by = None;
            next
        })
    }

    fn without(mut self, index: usize) -> Possible {
        self.happened.remove(&index);
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(call: u64, what: &str, worker: &str, lease: (i64, u64)) -> String {
        let (job, reads) = lease;
        let line = match what {
            "claim" => json!({ "message": "asked", "call": call, "what": what, "worker": worker }),
            _ => json!({
                "message": "asked", "call": call, "what": what, "worker": worker, "job": job,
                "reads": reads,
            }),
        };
        line.to_string()
    }

    fn answered(call: u64, lease: (i64, u64), answer: &str) -> String {
        let (job, reads) = lease;
        json!({ "call": call, "job": job, "reads": reads, "answer": answer }).to_string()
    }

    fn whole(call: u64, what: &str, worker: &str, lease: (i64, u64), answer: &str) -> String {
        format!("{}\n{}", asked(call, what, worker, lease), answered(call, lease, answer))
    }

    fn check(lines: &[String]) -> Result<Replayed, String> {
        replay(&[lines.join("\n")])
    }

    #[test]
    fn what_the_protocol_does_fits() {
        let replayed = check(&[
            whole(1, "claim", "a", (7, 1), "claimed"),
            whole(2, "claim", "b", (7, 2), "claimed"),
            whole(3, "complete", "a", (7, 1), "lost"),
            whole(4, "look", "b", (7, 2), "yes"),
            whole(5, "complete", "b", (7, 2), "yes"),
            whole(6, "complete", "b", (7, 2), "before"),
        ]);
        assert_eq!(replayed, Ok(Replayed { jobs: 1, calls: 6, unanswered: 0 }));
    }

    #[test]
    fn what_it_does_not_do_is_found() {
        let claims =
            [whole(1, "claim", "a", (7, 1), "claimed"), whole(2, "claim", "b", (7, 2), "claimed")];
        for wrong in [
            whole(3, "complete", "a", (7, 1), "yes"),
            whole(3, "beat", "a", (7, 1), "yes"),
            whole(3, "complete", "b", (7, 2), "lost"),
            whole(3, "claim", "a", (7, 2), "claimed"),
            whole(3, "claim", "a", (7, 4), "claimed"),
        ] {
            let lines = [&claims[..], std::slice::from_ref(&wrong)].concat();
            assert!(check(&lines).is_err(), "{wrong}");
        }
    }

    #[test]
    fn calls_at_the_same_time_may_have_happened_in_any_order() {
        let late = check(&[
            whole(1, "claim", "a", (7, 1), "claimed"),
            asked(2, "claim", "b", (7, 2)),
            whole(3, "beat", "a", (7, 1), "lost"),
            answered(2, (7, 2), "claimed"),
        ]);
        assert!(late.is_ok(), "{late:?}");
    }

    #[test]
    fn a_call_without_an_answer_happened_or_not() {
        for answer in ["yes", "before"] {
            let replayed = check(&[
                whole(1, "claim", "a", (7, 1), "claimed"),
                asked(2, "complete", "a", (7, 1)),
                whole(3, "complete", "a", (7, 1), answer),
            ]);
            assert_eq!(replayed, Ok(Replayed { jobs: 1, calls: 2, unanswered: 1 }), "{answer}");
        }
    }
}
