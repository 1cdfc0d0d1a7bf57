//! Whose fault it is that an answer came late: the bot's, or the machine's that did not let it run.

use std::time::Duration;

/// What the system has counted for one thread of a bot so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadCounts {
    /// The system's number of the thread. No two threads of a machine have the same at a time.
    pub id: u32,
    pub cpu: Duration,
    /// How long it was ready to run and had to wait for a processor.
    pub waited: Duration,
}

/// What the system has counted for a bot and for the machine that it runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Whatever process they belong to.
    pub threads: Vec<ThreadCounts>,
    /// How long each processor of a virtual machine was taken from it. Whoever ran there then neither
    /// ran nor waited, as far as is counted for threads.
    pub stolen: Vec<Duration>,
}

impl Counts {
    /// What was added since `before`. A thread that was not there before has begun since.
    #[must_use]
    pub fn since(&self, before: &Counts) -> Counts {
        let added = |thread: &ThreadCounts| {
            let before = before.of(thread.id).unwrap_or_default();
            ThreadCounts {
                id: thread.id,
                cpu: thread.cpu.saturating_sub(before.cpu),
                waited: thread.waited.saturating_sub(before.waited),
            }
        };
        let stolen = self.stolen.iter().zip(&before.stolen);
        Counts {
            threads: self.threads.iter().map(added).collect(),
            stolen: stolen.map(|(now, before)| now.saturating_sub(*before)).collect(),
        }
    }

    /// Takes newer counts. A thread that has ended keeps those it had when it was last seen.
    pub(crate) fn update(&mut self, newer: Counts) {
        self.threads.retain(|thread| newer.of(thread.id).is_none());
        self.threads.extend(newer.threads);
        self.stolen = newer.stolen;
    }

    /// How long the threads had to wait for a processor that others had, within this time. While one thread
    /// of a bot runs, the rest of them have only that one to blame. A wait is counted when it is over, as a
    /// whole, so that some of it may have been before.
    fn waited(&self, time: Duration) -> Duration {
        let all: Duration = self.threads.iter().map(|thread| thread.cpu).sum();
        let by_others = |thread: &ThreadCounts| {
            let own_threads = all.saturating_sub(thread.cpu);
            thread.waited.saturating_sub(own_threads).min(time)
        };
        self.threads.iter().map(by_others).sum()
    }

    /// How long the threads ran or wanted to run within this time, all together.
    fn active(&self, time: Duration) -> Duration {
        self.threads.iter().map(|thread| (thread.cpu + thread.waited).min(time)).sum()
    }

    /// How long a thread may have stood still because its processor was taken from the machine.
    fn stolen(&self) -> Duration {
        self.stolen.iter().max().copied().unwrap_or_default()
    }

    fn of(&self, id: u32) -> Option<ThreadCounts> {
        self.threads.iter().find(|thread| thread.id == id).copied()
    }
}

/// How many threads of a bot may want to run at the same time, on average, if it is to be excused: the one
/// that thinks, and one that compiles or cleans up for it. While more of them wait for a processor
/// nobody can tell which of them the answer waited for.
const THREADS_EXCUSED_MAX: u32 = 2;

/// What is known of a bot that thinks, from the first look at it on.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// From when on it is known: the first look tells of what it interrupts, too.
    since: Duration,
    before: Counts,
    now: Counts,
    /// How much later than it should the first look came. The machine kept the referee from it, whether
    /// others had the processor or it was taken from the machine; it may have kept the bot waiting as
    /// long, and nobody could see it.
    unseen: Duration,
    /// How long the referee had waited by the last look.
    referee_waited: Duration,
}

impl Watch {
    /// `asked_at` is when the bot was asked that is now looked at, `unseen` late.
    pub(crate) fn new(
        asked_at: Duration,
        unseen: Duration,
        counts: Counts,
        referee_waited: Duration,
    ) -> Watch {
        let since = asked_at + unseen;
        Watch { since, before: counts.clone(), now: counts, unseen, referee_waited }
    }

    /// How long the bot was kept waiting until `now`.
    pub(crate) fn waited(&self, now: Duration) -> Duration {
        let (added, time) = (self.now.since(&self.before), self.time_until(now));
        self.unseen + (added.waited(time) + added.stolen()).min(time)
    }

    /// Whether the bot kept so many threads busy until `now` that they were in each other's way.
    pub(crate) fn is_crowded(&self, now: Duration) -> bool {
        let (added, time) = (self.now.since(&self.before), self.time_until(now));
        added.active(time) > THREADS_EXCUSED_MAX * time
    }

    fn time_until(&self, now: Duration) -> Duration {
        now.saturating_sub(self.since)
    }

    /// Looks again, and says how long the referee had to wait for a processor since the last look:
    /// so long what the bot wrote in between may have lain there.
    pub(crate) fn look(&mut self, counts: Counts, referee_waited: Duration) -> Duration {
        self.now.update(counts);
        let since = referee_waited.saturating_sub(self.referee_waited);
        self.referee_waited = referee_waited;
        since
    }
}

/// A late answer, with what is known about the time it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateAnswer {
    pub wall: Duration,
    pub limit: Duration,
    /// Processor time of the bot with all its threads, from the question to the answer, or from a
    /// moment before.
    pub cpu: Duration,
    /// How long before the question this began at most.
    pub cpu_age: Duration,
    /// How long the bot's threads were kept waiting by others than themselves.
    pub bot_waited: Duration,
    /// How long the referee itself was ready to read and had to wait for a processor.
    pub referee_waited: Duration,
    /// Whether everything that the bot consists of was counted.
    pub is_followed: bool,
    /// Whether the bot wrote so much in this turn that it kept the referee, and itself, waiting.
    pub is_chatty: bool,
    /// Whether it kept more threads busy than one that thinks needs.
    pub is_crowded: bool,
}

impl LateAnswer {
    /// How far beyond its limit the answer came.
    pub fn overrun(&self) -> Duration {
        self.wall.saturating_sub(self.limit)
    }

    /// How long the bot, or the referee for it, had to wait for a processor.
    pub fn waited(&self) -> Duration {
        self.bot_waited + self.referee_waited
    }

    /// Whether waiting for a processor covers the overrun. A bot that used up its time has nobody
    /// else to blame.
    pub(crate) fn is_disturbed(&self) -> bool {
        self.may_be_excused() && self.waited() >= self.overrun()
    }

    /// Whether it still depends on how long the bot was kept waiting.
    pub(crate) fn may_be_excused(&self) -> bool {
        let cpu = self.cpu.saturating_sub(self.cpu_age);
        self.is_followed && !self.is_chatty && !self.is_crowded && cpu <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// 50 ms were allowed and 60 taken, 15 of them waiting for a processor.
    const KEPT_WAITING: LateAnswer = LateAnswer {
        wall: ms(60),
        limit: ms(50),
        cpu: ms(40),
        cpu_age: ms(0),
        bot_waited: ms(15),
        referee_waited: ms(0),
        is_followed: true,
        is_chatty: false,
        is_crowded: false,
    };

    fn counts(threads: &[(u32, u64, u64)]) -> Counts {
        let thread = |&(id, cpu, waited)| ThreadCounts { id, cpu: ms(cpu), waited: ms(waited) };
        Counts { threads: threads.iter().map(thread).collect(), stolen: Vec::new() }
    }

    fn stolen(milliseconds: &[u64]) -> Counts {
        Counts { stolen: milliseconds.iter().copied().map(ms).collect(), ..Counts::default() }
    }

    #[test]
    fn waiting_must_cover_the_overrun() {
        assert!(KEPT_WAITING.is_disturbed());
        let short = |bot_waited| LateAnswer { bot_waited, ..KEPT_WAITING };
        assert!(short(ms(10)).is_disturbed());
        assert!(!short(ms(9)).is_disturbed());
        assert!(!short(ms(0)).is_disturbed());
        assert!(LateAnswer { referee_waited: ms(1), ..short(ms(9)) }.is_disturbed());
    }

    #[test]
    fn who_cannot_be_followed_writes_too_much_or_keeps_many_threads_busy_is_late() {
        assert!(!LateAnswer { is_followed: false, ..KEPT_WAITING }.is_disturbed());
        assert!(!LateAnswer { is_chatty: true, ..KEPT_WAITING }.is_disturbed());
        assert!(!LateAnswer { is_crowded: true, ..KEPT_WAITING }.is_disturbed());
    }

    #[test]
    fn who_used_up_its_time_is_late() {
        let late = LateAnswer { cpu: ms(51), ..KEPT_WAITING };
        assert!(!late.is_disturbed());
        // Unless some of it may have been used before it was asked.
        assert!(LateAnswer { cpu_age: ms(1), ..late }.is_disturbed());
    }

    #[test]
    fn the_waiting_of_all_threads_counts() {
        assert_eq!(counts(&[(1, 0, 0), (2, 0, 30), (3, 0, 20)]).waited(ms(60)), ms(50));
    }

    #[test]
    fn own_threads_are_nobody_elses_fault() {
        // Two share a processor, and each waits while the other one runs.
        assert_eq!(counts(&[(1, 20, 20), (2, 20, 20)]).waited(ms(60)), ms(0));
        assert_eq!(counts(&[(1, 20, 50), (2, 10, 0)]).waited(ms(60)), ms(40));
    }

    #[test]
    fn counting_begins_with_the_first_look() {
        let before = counts(&[(1, 5, 3), (2, 1, 1)]);
        let now = counts(&[(1, 9, 5), (3, 2, 7)]);
        assert_eq!(now.since(&before), counts(&[(1, 4, 2), (3, 2, 7)]));
    }

    #[test]
    fn a_thread_that_ended_has_waited_all_the_same() {
        let mut watch = Watch::new(ms(0), ms(0), counts(&[(1, 0, 0)]), ms(5));
        assert_eq!(watch.look(counts(&[(1, 0, 0), (2, 0, 30)]), ms(7)), ms(2));
        assert_eq!(watch.look(counts(&[(1, 0, 10)]), ms(7)), ms(0));
        assert_eq!(watch.waited(ms(60)), ms(40));
    }

    #[test]
    fn what_the_referee_could_not_see_is_granted() {
        let watch = Watch::new(ms(100), ms(7), counts(&[(1, 0, 20)]), ms(0));
        assert_eq!(watch.waited(ms(110)), ms(7));
    }

    /// The system adds a wait to its counts when it is over.
    #[test]
    fn a_wait_that_began_before_the_first_look_counts_from_there_on() {
        let mut watch = Watch::new(ms(100), ms(45), counts(&[(1, 0, 20)]), ms(0));
        watch.look(counts(&[(1, 0, 80)]), ms(0));
        assert_eq!(watch.waited(ms(155)), ms(45 + 10), "all of the time since it was asked");
        assert!(!watch.is_crowded(ms(155)), "it is one thread");
    }

    /// Who ran on a processor that was taken away has neither run nor waited meanwhile.
    #[test]
    fn what_was_taken_from_the_machine_is_granted_once() {
        let mut watch = Watch::new(ms(0), ms(0), stolen(&[500, 900]), ms(0));
        watch.look(stolen(&[600, 930]), ms(0));
        assert_eq!(watch.waited(ms(170)), ms(100), "of the processor that lacked most");
        assert_eq!(watch.waited(ms(60)), ms(60), "there was no more to take");
    }

    /// Three threads that wait side by side have not waited three times as long.
    #[test]
    fn many_threads_that_want_to_run_at_the_same_time_are_a_crowd() {
        let mut watch = Watch::new(ms(10), ms(0), counts(&[]), ms(0));
        watch.look(counts(&[(1, 10, 80), (2, 5, 85)]), ms(0));
        assert!(!watch.is_crowded(ms(110)), "one that thinks and one that helps it");
        watch.look(counts(&[(1, 10, 80), (2, 5, 85), (3, 5, 85)]), ms(0));
        assert!(watch.is_crowded(ms(110)));
    }
}
