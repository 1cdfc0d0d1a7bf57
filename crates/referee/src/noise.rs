//! Whose fault it is that an answer came late: the bot's, or the machine's that did not let it run.

use std::time::Duration;

/// What the system has counted for a bot so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of the process, with all its threads.
    pub cpu: Duration,
    /// The same of its first thread alone.
    pub first_thread_cpu: Duration,
    /// How long its first thread was ready to run and had to wait for a processor.
    pub waited: Duration,
}

impl Usage {
    /// What was added since `before`.
    #[must_use]
    pub fn since(self, before: Usage) -> Usage {
        Usage {
            cpu: self.cpu.saturating_sub(before.cpu),
            first_thread_cpu: self.first_thread_cpu.saturating_sub(before.first_thread_cpu),
            waited: self.waited.saturating_sub(before.waited),
        }
    }
}

/// A late answer, with what is known about the time it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateAnswer {
    pub wall: Duration,
    pub limit: Duration,
    /// Of the bot, from the question to the answer, or from a moment before.
    pub usage: Usage,
    /// How long the referee itself was ready to read and had to wait for a processor.
    pub referee_waited: Duration,
    /// How long before the question these counts began at most.
    pub counts_age: Duration,
    /// Whether the bot is a single process. With others it could have kept itself waiting.
    pub is_alone: bool,
}

impl LateAnswer {
    /// How far beyond its limit the answer came.
    pub fn overrun(&self) -> Duration {
        self.wall.saturating_sub(self.limit)
    }

    /// How long the bot, or the referee for it, had to wait for a processor. Time in which the bot's
    /// own threads ran does not count.
    pub fn waited(&self) -> Duration {
        let own_threads = self.usage.cpu.saturating_sub(self.usage.first_thread_cpu);
        self.usage.waited.saturating_sub(own_threads) + self.referee_waited
    }

    /// Whether waiting for a processor covers the overrun. A bot that used up its time has nobody
    /// else to blame.
    pub(crate) fn is_disturbed(&self) -> bool {
        let cpu = self.usage.cpu.saturating_sub(self.counts_age);
        self.is_alone && cpu <= self.limit && self.waited() >= self.overrun()
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
        usage: Usage { cpu: ms(40), first_thread_cpu: ms(40), waited: ms(15) },
        referee_waited: ms(0),
        counts_age: ms(0),
        is_alone: true,
    };

    #[test]
    fn waiting_must_cover_the_overrun() {
        assert!(KEPT_WAITING.is_disturbed());
        let short = |waited| {
            let usage = Usage { waited, ..KEPT_WAITING.usage };
            LateAnswer { usage, ..KEPT_WAITING }
        };
        assert!(short(ms(10)).is_disturbed());
        assert!(!short(ms(9)).is_disturbed());
        assert!(!short(ms(0)).is_disturbed());
        assert!(LateAnswer { referee_waited: ms(1), ..short(ms(9)) }.is_disturbed());
    }

    #[test]
    fn who_has_other_processes_is_late() {
        assert!(!LateAnswer { is_alone: false, ..KEPT_WAITING }.is_disturbed());
    }

    #[test]
    fn own_threads_are_nobody_elses_fault() {
        let usage = Usage { cpu: ms(50), first_thread_cpu: ms(40), waited: ms(15) };
        assert!(!LateAnswer { usage, ..KEPT_WAITING }.is_disturbed());
        let usage = Usage { waited: ms(20), ..usage };
        assert!(LateAnswer { usage, ..KEPT_WAITING }.is_disturbed());
    }

    #[test]
    fn who_used_up_its_time_is_late() {
        let usage = Usage { cpu: ms(51), first_thread_cpu: ms(51), waited: ms(15) };
        assert!(!LateAnswer { usage, ..KEPT_WAITING }.is_disturbed());
        // Unless some of it may have been used before it was asked.
        assert!(LateAnswer { usage, counts_age: ms(1), ..KEPT_WAITING }.is_disturbed());
    }

    #[test]
    fn usage_is_counted_from_the_question_on() {
        let before = Usage { cpu: ms(5), first_thread_cpu: ms(4), waited: ms(3) };
        let now = Usage { cpu: ms(9), first_thread_cpu: ms(7), waited: ms(5) };
        let since = Usage { cpu: ms(4), first_thread_cpu: ms(3), waited: ms(2) };
        assert_eq!(now.since(before), since);
    }
}
