//! All that can happen to two jobs and three workers.
//!
//! The network is as bad as can be: whatever a worker was ever handed it may speak of at any time, again, late and in any
//! order. So a worker that crashed is one that says nothing more, one that was started again is one that claims beside
//! what it had, and a lost answer is a report that comes again. The server does one transaction after the other for each
//! worker, in between it may crash, and a lease may run out at any moment.

use stateright::{Model, Property, Representative};

use super::job::{Answer, Call, Counting, Job, Rules};

const WORKERS: usize = 3;
/// As often as it takes to give a job up.
const READS_TO_GIVE_UP: u32 = 3;

/// What the server does for a worker right now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Serving {
    #[default]
    Free,
    /// A report was looked at: it is the worker's job, and its games are proven.
    Checked { job: usize, reads: u32 },
    /// Its replays are written.
    Kept { job: usize, reads: u32 },
    /// One of two transactions is done, where there are two.
    Half { job: usize, reads: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseState {
    pub jobs: Vec<Job>,
    pub serving: [Serving; WORKERS],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Claim {
        worker: usize,
        job: usize,
    },
    /// A call with a lease that the worker was given at some time.
    Say {
        worker: usize,
        job: usize,
        reads: u32,
        call: Call,
    },
    /// The server goes on with what it does for a worker.
    GoOn {
        worker: usize,
    },
    LeaseRunsOut {
        job: usize,
    },
    ServerCrashes,
}

/// The protocol with these rules, and how much of it is searched: one or two jobs, each handed out this often at most.
#[derive(Clone, Copy, Debug)]
pub struct LeaseModel {
    pub rules: Rules,
    pub jobs: usize,
    pub reads_max: u32,
}

impl LeaseModel {
    fn say(&self, state: &mut LeaseState, worker: usize, job: usize, reads: u32, call: Call) {
        let answer = state.jobs[job].hear(call, worker as u8, reads, self.rules);
        if call == Call::Look && answer == Answer::Yes {
            state.serving[worker] = Serving::Checked { job, reads };
        }
    }

    fn go_on(&self, state: &mut LeaseState, worker: usize) {
        state.serving[worker] = match state.serving[worker] {
            Serving::Free => Serving::Free,
            Serving::Checked { job, reads } => {
                state.jobs[job].keep_replay(reads, self.rules);
                Serving::Kept { job, reads }
            }
            Serving::Kept { job, reads } => self.complete(&mut state.jobs[job], worker, job, reads),
            Serving::Half { job, reads } => {
                match self.rules.counting {
                    Counting::RemoveFirst => state.jobs[job].count((worker as u8, reads)),
                    Counting::Together | Counting::CountFirst => state.jobs[job].remove(),
                }
                Serving::Free
            }
        };
    }

    fn complete(&self, held: &mut Job, worker: usize, job: usize, reads: u32) -> Serving {
        let lease = (worker as u8, reads);
        let call = match self.rules.counting {
            Counting::Together => Call::Complete,
            Counting::CountFirst | Counting::RemoveFirst => Call::Beat,
        };
        let answer = held.hear(call, lease.0, reads, self.rules);
        match (answer, self.rules.counting) {
            (Answer::Yes, Counting::CountFirst) => held.count(lease),
            (Answer::Yes, Counting::RemoveFirst) => held.remove(),
            (Answer::Lost | Answer::Never, _) => held.drop_replay(reads, self.rules),
            _ => {}
        }
        match answer == Answer::Yes && self.rules.counting != Counting::Together {
            true => Serving::Half { job, reads },
            false => Serving::Free,
        }
    }
}

impl Model for LeaseModel {
    type State = LeaseState;
    type Action = Action;

    fn init_states(&self) -> Vec<LeaseState> {
        vec![LeaseState { jobs: vec![Job::new(); self.jobs], serving: [Serving::Free; WORKERS] }]
    }

    fn actions(&self, state: &LeaseState, actions: &mut Vec<Action>) {
        for (number, job) in state.jobs.iter().enumerate() {
            if job.is_queued && job.is_visible && job.reads < self.reads_max {
                actions.extend((0..WORKERS).map(|worker| Action::Claim { worker, job: number }));
            }
            if job.is_queued && !job.is_visible {
                actions.push(Action::LeaseRunsOut { job: number });
            }
            for (handing, reads) in job.handed.iter().zip(1..) {
                let worker = usize::from(handing.worker);
                for call in [Call::Beat, Call::Look, Call::Fail, Call::GiveBack] {
                    if call != Call::Look || state.serving[worker] == Serving::Free {
                        actions.push(Action::Say { worker, job: number, reads, call });
                    }
                }
            }
        }
        let is_busy = |worker: &usize| state.serving[*worker] != Serving::Free;
        let mut busy = (0..WORKERS).filter(is_busy).peekable();
        if busy.peek().is_some() {
            actions.push(Action::ServerCrashes);
        }
        actions.extend(busy.map(|worker| Action::GoOn { worker }));
    }

    fn next_state(&self, before: &LeaseState, action: Action) -> Option<LeaseState> {
        let mut state = before.clone();
        match action {
            Action::Claim { worker, job } => self.say(&mut state, worker, job, 0, Call::Claim),
            Action::Say { worker, job, reads, call } => {
                self.say(&mut state, worker, job, reads, call);
            }
            Action::GoOn { worker } => self.go_on(&mut state, worker),
            Action::LeaseRunsOut { job } => state.jobs[job].is_visible = true,
            Action::ServerCrashes => state.serving = [Serving::Free; WORKERS],
        }
        (state != *before).then_some(state)
    }

    fn properties(&self) -> Vec<Property<LeaseModel>> {
        vec![
            Property::always("nothing is lost", |_, state: &LeaseState| {
                state.jobs.iter().all(Job::is_known)
            }),
            Property::always("nothing is counted twice", |_, state: &LeaseState| {
                state.jobs.iter().all(|job| job.counted <= 1)
            }),
            Property::always("whoever was given a job ends it once", |_, state: &LeaseState| {
                state.jobs.iter().flat_map(|job| &job.handed).all(|handing| handing.ends <= 1)
            }),
            Property::always("what is counted is not given up", |_, state: &LeaseState| {
                state.jobs.iter().all(|job| job.counted == 0 || !job.is_given_up)
            }),
            Property::always("a counted game has its replay", |model, state: &LeaseState| {
                state.jobs.iter().all(|job| job.has_its_replay(model.rules))
            }),
            Property::sometimes("all jobs are counted", |_, state: &LeaseState| {
                state.jobs.iter().all(|job| job.counted == 1)
            }),
            Property::sometimes("a job is given up if it may be", |model, state: &LeaseState| {
                model.reads_max < READS_TO_GIVE_UP || state.jobs.iter().any(|job| job.is_given_up)
            }),
            Property::sometimes("a later holder is counted", |_, state: &LeaseState| {
                state.jobs.iter().any(|job| job.counted_by.is_some_and(|(_, reads)| reads > 1))
            }),
            Property::sometimes("two reports of one job are checked at a time", |_, state| {
                two_at_a_time(state)
            }),
        ]
    }
}

fn two_at_a_time(state: &LeaseState) -> bool {
    let of = |wanted: usize| {
        let is_of =
            |serving: &&Serving| matches!(serving, Serving::Kept { job, .. } if *job == wanted);
        state.serving.iter().filter(is_of).count()
    };
    (0..state.jobs.len()).any(|job| of(job) >= 2)
}

impl Representative for LeaseState {
    /// Neither workers nor jobs have a name: the least of all states that differ by names alone.
    fn representative(&self) -> LeaseState {
        const ORDERS: [[u8; WORKERS]; 6] =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let swaps: &[bool] = if self.jobs.len() == 2 { &[false, true] } else { &[false] };
        let renamed = ORDERS
            .iter()
            .flat_map(|order| swaps.iter().map(|is_swapped| self.renamed(order, *is_swapped)));
        renamed.min().expect("there are at least six of them")
    }
}

impl LeaseState {
    fn renamed(&self, order: &[u8; WORKERS], is_swapped: bool) -> LeaseState {
        let mut state = self.clone();
        let name = |worker: u8| order[usize::from(worker)];
        for job in &mut state.jobs {
            job.handed.iter_mut().for_each(|handing| handing.worker = name(handing.worker));
            for lease in [&mut job.claim, &mut job.counted_by].into_iter().flatten() {
                lease.0 = name(lease.0);
            }
        }
        for (worker, serving) in self.serving.iter().enumerate() {
            state.serving[usize::from(order[worker])] =
                if is_swapped { serving.swapped() } else { *serving };
        }
        if is_swapped {
            state.jobs.swap(0, 1);
        }
        state
    }
}

impl Serving {
    fn swapped(self) -> Serving {
        match self {
            Serving::Free => Serving::Free,
            Serving::Checked { job, reads } => Serving::Checked { job: 1 - job, reads },
            Serving::Kept { job, reads } => Serving::Kept { job: 1 - job, reads },
            Serving::Half { job, reads } => Serving::Half { job: 1 - job, reads },
        }
    }
}

#[cfg(test)]
mod tests {
    use stateright::Checker as _;

    use super::*;

    /// Two jobs that are handed out twice at most, and one that is handed out until it is given up.
    fn models(rules: Rules) -> [LeaseModel; 2] {
        let of = |jobs, reads_max| LeaseModel { rules, jobs, reads_max };
        [of(2, 2), of(1, READS_TO_GIVE_UP + 1)]
    }

    /// The property that a protocol with these rules breaks first, if it breaks one.
    fn broken(rules: Rules) -> Option<&'static str> {
        let [model, _] = models(rules);
        let checker = model.checker().symmetry().spawn_dfs().join();
        let found = checker.discoveries();
        let properties = model.properties();
        let always = properties
            .iter()
            .filter(|property| matches!(property.expectation, stateright::Expectation::Always));
        always.map(|property| property.name).find(|name| found.contains_key(name))
    }

    #[test]
    fn no_crash_no_delay_and_no_repetition_loses_or_doubles_a_game() {
        for model in models(Rules::default()) {
            let checker = model.checker().symmetry().spawn_dfs().join();
            checker.assert_properties();
            let states = checker.unique_state_count();
            assert!(states > 10_000, "expected a search worth its name, found {states} states");
        }
    }

    #[test]
    fn without_fencing_the_model_is_found_wrong() {
        let rules = Rules { fences: false, ..Rules::default() };
        assert_eq!(broken(rules), Some("whoever was given a job ends it once"));
    }

    #[test]
    fn two_transactions_where_one_belongs_are_found_wrong() {
        let rules = |counting| Rules { counting, ..Rules::default() };
        assert_eq!(broken(rules(Counting::CountFirst)), Some("nothing is counted twice"));
        assert_eq!(broken(rules(Counting::RemoveFirst)), Some("nothing is lost"));
    }

    #[test]
    fn replays_that_share_a_file_are_found_wrong() {
        let rules = Rules { keeps_replays_apart: false, ..Rules::default() };
        assert_eq!(broken(rules), Some("a counted game has its replay"));
    }
}
