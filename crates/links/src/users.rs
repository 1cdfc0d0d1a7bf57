//! Users for bots, one for each that runs: as root it is nobody else's.

use std::sync::Mutex;

/// The first number that no system gives to anybody: containers end below it.
const FIRST: u32 = 0x7000_0000;

/// Bots of one process at the same time.
const BOTS_MAX: u32 = 64;

/// Numbers of processes have this many bits at most.
const PROCESS_BITS: u32 = 22;

/// Which of them are taken.
static TAKEN: Mutex<u64> = Mutex::new(0);

/// A user that no other bot on this machine is. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct User {
    place: u32,
}

impl User {
    /// One for a bot of this process, if that is root and has one to give.
    pub(crate) fn take() -> Option<User> {
        if !rustix::process::geteuid().is_root() || !has_users() {
            return None;
        }
        let mut taken = TAKEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let place = (0..BOTS_MAX).find(|place| *taken >> place & 1 == 0)?;
        *taken |= 1 << place;
        Some(User { place })
    }

    pub(crate) fn number(&self) -> u32 {
        let process = std::process::id() & ((1 << PROCESS_BITS) - 1);
        FIRST + process * BOTS_MAX + self.place
    }
}

/// Whether there are such users at all. In a user namespace root may be the only one, and is an ordinary user
/// outside.
fn has_users() -> bool {
    let text = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    text.lines().any(|line| {
        let mut numbers = line.split_ascii_whitespace().filter_map(|word| word.parse::<u64>().ok());
        let (first, count) = (numbers.next(), numbers.nth(1));
        first.zip(count).is_some_and(|(first, count)| {
            first <= u64::from(FIRST) && first + count > u64::from(FIRST) + (1 << 28) - 1
        })
    })
}

impl Drop for User {
    fn drop(&mut self) {
        let mut taken = TAKEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *taken &= !(1 << self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bots_are_never_the_same_user() {
        if !rustix::process::geteuid().is_root() {
            assert!(User::take().is_none(), "only root can be somebody else");
            return;
        }
        let (one, other) = (User::take().expect("a user"), User::take().expect("a user"));
        assert_ne!(one.number(), other.number());
        assert!(one.number() >= FIRST && one.number() < 0x8000_0000);
    }
}
