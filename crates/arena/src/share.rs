//! Which processors a game has to itself.
//!
//! A bot that is woken on the processor that its referee has just left answers several times as fast
//! as one that is woken elsewhere, and games that stay on processors of their own cannot keep each
//! other waiting.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Keeps the calling thread, and whatever it starts from now on, on its share of the processors that
/// this process may use: the share of slot `number` of `count`. With more slots than processors
/// everybody may use all of them. It is a help, not a condition: a system that refuses is left as
/// it is.
pub(crate) fn settle(number: usize, count: usize) {
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
    if count <= 1 || count > allowed.len() {
        return;
    }
    let mut own = CpuSet::new();
    for &cpu in share(&allowed, number, count) {
        own.set(cpu);
    }
    let _ = sched_setaffinity(None, &own);
}

/// The part of slot `number` when all is divided evenly among `count`.
fn share(allowed: &[usize], number: usize, count: usize) -> &[usize] {
    let border = |number: usize| number * allowed.len() / count;
    &allowed[border(number)..border(number + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_disjoint_and_leave_nothing_over() {
        let allowed = [0, 2, 3, 5, 8];
        for count in 1..=allowed.len() {
            let shares: Vec<&[usize]> =
                (0..count).map(|number| share(&allowed, number, count)).collect();
            assert_eq!(shares.concat(), allowed);
            let sizes = || shares.iter().map(|share| share.len());
            assert!(sizes().max() <= sizes().min().map(|least| least + 1), "{shares:?}");
        }
    }

    #[test]
    fn a_thread_stays_on_its_share_and_so_does_what_it_starts() {
        let all = sched_getaffinity(None).expect("this system has processors").count() as usize;
        for number in 0..all {
            let of_slot = move || {
                settle(number, all);
                let own = sched_getaffinity(None).expect("this system has processors");
                let child = std::process::Command::new("nproc").output().expect("nproc runs");
                (own.count(), String::from_utf8(child.stdout).expect("a number").trim().to_owned())
            };
            let seen = std::thread::spawn(of_slot).join().expect("the slot ends");
            assert_eq!(seen, (1, "1".to_owned()));
        }
    }
}
