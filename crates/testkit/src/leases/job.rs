//! One job: who has it, and what came of it.

/// How often a job may come to nothing before it is given up.
const TROUBLES_MAX: u32 = 3;

/// What the protocol does. Anything but the default is a mistake that a check must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whoever speaks of a job must name how often it had been handed out.
    pub fences: bool,
    pub counting: Counting,
    /// Replays of different leases are different files.
    pub keeps_replays_apart: bool,
}

/// How a game is counted and its job is taken out of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// In one transaction.
    Together,
    /// In two, of which the first counts.
    CountFirst,
    /// In two, of which the second counts.
    RemoveFirst,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { fences: true, counting: Counting::Together, keeps_replays_apart: true }
    }
}

/// What somebody wants of a job that was handed out, by a worker and the number of its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Call {
    Claim,
    Beat,
    /// The first half of a report: whether it is worth checking.
    Look,
    /// The second half: all games are proven.
    Complete,
    Fail,
    GiveBack,
}

/// What is answered to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// With the number of the new lease.
    Claimed(u32),
    /// Whoever asked for a job found this one hopeless.
    GaveUp,
    Yes,
    /// Counted before; the answer was lost.
    Before,
    Lost,
    /// Somebody else has it.
    Never,
}

/// A worker and how often the job had been handed out.
type Lease = (u8, u32);

/// One time that the job was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handing {
    pub worker: u8,
    /// How often this came to an end, by silence, failure, return or games. More than once is a mistake.
    pub ends: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job {
    pub is_queued: bool,
    /// Whether the next one who asks gets it.
    pub is_visible: bool,
    pub reads: u32,
    pub claim: Option<Lease>,
    pub troubles: u32,
    pub is_given_up: bool,
    /// How often its games were counted.
    pub counted: u8,
    pub counted_by: Option<Lease>,
    /// By the number of its lease, less one.
    pub handed: Vec<Handing>,
    /// Files of replays: their names, and whose lease wrote them.
    pub replays: Vec<(u32, u32)>,
}

impl Job {
    /// A job that nobody has had.
    pub fn new() -> Job {
        Job {
            is_queued: true,
            is_visible: true,
            reads: 0,
            claim: None,
            troubles: 0,
            is_given_up: false,
            counted: 0,
            counted_by: None,
            handed: Vec::new(),
            replays: Vec::new(),
        }
    }

    /// Whether it is in the queue, counted or given up: whether somebody will hear of it.
    pub fn is_known(&self) -> bool {
        self.is_queued || self.counted > 0 || self.is_given_up
    }

    /// Whether its games, if they were counted, have the replays of whoever played them.
    pub fn has_its_replay(&self, rules: Rules) -> bool {
        self.counted_by
            .is_none_or(|(_, reads)| self.replays.contains(&(file_of(reads, rules), reads)))
    }

    /// One transaction. Whoever claims names no lease.
    pub fn hear(&mut self, call: Call, worker: u8, reads: u32, rules: Rules) -> Answer {
        if call == Call::Claim {
            return self.hand_out(worker);
        }
        let held = self.hold((worker, reads), rules);
        if held == Answer::Yes {
            match call {
                Call::Claim | Call::Beat | Call::Look => {}
                Call::Complete => {
                    self.count((worker, reads));
                    self.remove();
                }
                Call::Fail => {
                    self.end(reads);
                    self.note_trouble();
                }
                Call::GiveBack => {
                    self.end(reads);
                    self.claim = None;
                    self.is_visible = true;
                }
            }
        }
        held
    }

    fn hand_out(&mut self, worker: u8) -> Answer {
        self.reads += 1;
        self.is_visible = false;
        self.handed.push(Handing { worker, ends: 0 });
        if let Some((_, silent)) = self.claim {
            self.end(silent);
            self.note_trouble();
            if self.is_given_up {
                self.handed.pop();
                return Answer::GaveUp;
            }
            self.is_visible = false;
        }
        self.claim = Some((worker, self.reads));
        Answer::Claimed(self.reads)
    }

    fn hold(&mut self, lease: Lease, rules: Rules) -> Answer {
        let (worker, reads) = lease;
        match self.claim {
            None if self.counted_by == Some(lease) => Answer::Before,
            None => Answer::Lost,
            Some((_, held)) if rules.fences && held != reads => Answer::Lost,
            Some((holder, _)) if holder != worker => Answer::Never,
            Some(_) => {
                self.is_visible = false;
                Answer::Yes
            }
        }
    }

    /// Counts the games of a lease.
    pub(super) fn count(&mut self, lease: Lease) {
        self.counted = once_more(self.counted);
        self.counted_by = Some(lease);
        self.end(lease.1);
    }

    /// Takes it out of the queue.
    pub(super) fn remove(&mut self) {
        (self.is_queued, self.is_visible, self.claim) = (false, false, None);
    }

    /// It came to nothing, and is the next one's unless that happened too often.
    fn note_trouble(&mut self) {
        self.troubles += 1;
        self.claim = None;
        self.is_visible = true;
        if self.troubles == TROUBLES_MAX {
            self.remove();
            self.is_given_up = true;
        }
    }

    fn end(&mut self, reads: u32) {
        if let Some(handing) = self.handed.get_mut(reads as usize - 1) {
            handing.ends = once_more(handing.ends);
        }
    }

    /// Writes the replays of a lease.
    pub(super) fn keep_replay(&mut self, reads: u32, rules: Rules) {
        self.drop_replay(reads, rules);
        self.replays.push((file_of(reads, rules), reads));
        self.replays.sort_unstable();
    }

    /// Removes what a report left that was not counted.
    pub(super) fn drop_replay(&mut self, reads: u32, rules: Rules) {
        self.replays.retain(|(file, _)| *file != file_of(reads, rules));
    }
}

impl Default for Job {
    fn default() -> Job {
        Job::new()
    }
}

/// Twice is as wrong as a hundred times, and ends the search for more.
fn once_more(times: u8) -> u8 {
    (times + 1).min(2)
}

/// What the file of a replay is called.
fn file_of(reads: u32, rules: Rules) -> u32 {
    if rules.keeps_replays_apart { reads } else { 0 }
}
