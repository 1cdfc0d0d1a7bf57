//! What is made of a worker's canaries and of the games that its machine disturbed.

use std::time::Duration;

use quintain_store::StoreError;
use quintain_store::now_ms;
use quintain_store::work::{CanaryResult, JobBoard, RunShare, Standing, Terms};
use quintain_tournament::DisturbedGames;

/// Canaries that a worker is judged by: the latest.
pub(super) const CANARIES_JUDGED: u32 = 16;
/// Fewer say nothing about how evenly a machine runs.
const CANARIES_LEAST: usize = 8;
/// A machine on which the slower quarter of them takes so many times what the quicker quarter takes is noisy.
const SPREAD_MAX: f64 = 1.5;
/// After so many disturbed runs a worker is given nothing.
const DISTURBED_RUNS_MAX: usize = 3;
/// How long a machine is called noisy after it disturbed a run.
const NOISE_TIME: Duration = Duration::from_secs(600);
/// Time scales come in these steps, so that one worker has few of them.
const SCALE_STEP_MILLI: i64 = 50;

/// Between what an organiser lets times be multiplied for the speed of a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleLimits {
    pub least: f64,
    pub most: f64,
}

/// Judges a worker anew.
pub(super) fn judge(board: &JobBoard, worker: &str) -> Result<(), StoreError> {
    let canaries = board.canaries(worker, CANARIES_JUDGED)?;
    let shares = board.shares(worker)?;
    board.note_standing(worker, &standing(&canaries, &shares, now_ms()))?;
    if let Some(why) = reason_for_quarantine(&shares) {
        board.quarantine(worker, &why)?;
    }
    Ok(())
}

/// What a worker may be given.
pub(super) fn terms(standing: &Standing, limits: Option<ScaleLimits>) -> Terms {
    let scale = limits.zip(standing.speed_milli).map(|(limits, speed)| scale_milli(limits, speed));
    Terms { with_clock: standing.noise.is_none(), scale_milli: scale.unwrap_or(1000) }
}

fn scale_milli(limits: ScaleLimits, speed_milli: i64) -> i64 {
    let milli = |scale: f64| (scale * 1000.0).round() as i64;
    let wanted = 1_000_000 / speed_milli.max(1);
    let stepped = (wanted + SCALE_STEP_MILLI / 2) / SCALE_STEP_MILLI * SCALE_STEP_MILLI;
    stepped.clamp(milli(limits.least), milli(limits.most))
}

fn standing(canaries: &[CanaryResult], shares: &[RunShare], now_ms: i64) -> Standing {
    let mut times: Vec<f64> = canaries
        .iter()
        .filter(|canary| canary.wrong.is_none())
        .map(|canary| canary.took_us.max(1) as f64 / canary.known_us.max(1) as f64)
        .collect();
    times.sort_by(f64::total_cmp);
    let speed_milli = median(&times).map(|time| (1000.0 / time).round() as i64);
    let noise = uneven(&times).or_else(|| lately_disturbed(shares, now_ms));
    Standing { speed_milli, noise }
}

fn median(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}

fn uneven(sorted: &[f64]) -> Option<String> {
    if sorted.len() < CANARIES_LEAST {
        return None;
    }
    let (quick, slow) = (sorted[sorted.len() / 4], sorted[sorted.len() * 3 / 4]);
    (slow > SPREAD_MAX * quick).then(|| {
        format!(
            "a quarter of its canaries takes less than {quick:.2} of the server's time, a quarter more than {slow:.2}"
        )
    })
}

/// Whether a machine disturbed a run so much that its games there should not be believed.
pub(super) fn is_disturbed(share: &RunShare) -> bool {
    DisturbedGames { games: share.games, void: share.disturbed, again: 0 }.are_too_many()
}

fn lately_disturbed(shares: &[RunShare], now_ms: i64) -> Option<String> {
    let since = now_ms - i64::try_from(NOISE_TIME.as_millis()).unwrap_or(i64::MAX);
    let share = shares.iter().find(|share| share.at_ms >= since && is_disturbed(share))?;
    Some(format!("its machine disturbed {} of {} games of a run", share.disturbed, share.games))
}

/// Three runs, so that neither one bad hour nor one bad bot is enough.
fn reason_for_quarantine(shares: &[RunShare]) -> Option<String> {
    let disturbed: Vec<&RunShare> = shares.iter().filter(|share| is_disturbed(share)).collect();
    if disturbed.len() < DISTURBED_RUNS_MAX {
        return None;
    }
    let in_words = |share: &&RunShare| format!("{} of {}", share.disturbed, share.games);
    let words: Vec<String> = disturbed.iter().take(DISTURBED_RUNS_MAX).map(in_words).collect();
    Some(format!("its machine disturbed the games of three runs: {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_700_000_000_000;

    fn canary(took_us: i64) -> CanaryResult {
        let (worker, wrong) = ("w".to_owned(), None);
        CanaryResult { job: 1, worker, at_ms: NOW_MS, seed: 1, wrong, took_us, known_us: 1000 }
    }

    fn share(order: i64, disturbed: u64, games: u64, at_ms: i64) -> RunShare {
        RunShare { order, games, disturbed, at_ms }
    }

    #[test]
    fn the_speed_of_a_machine_is_that_of_its_middle_canary() {
        let canaries = [4000, 2000, 900].map(canary);
        assert_eq!(standing(&canaries, &[], NOW_MS).speed_milli, Some(500));
        assert_eq!(standing(&[], &[], NOW_MS), Standing::default());
    }

    #[test]
    fn times_are_multiplied_within_the_limits_of_the_organiser_and_in_steps() {
        let limits = ScaleLimits { least: 0.5, most: 1.5 };
        let scale = |speed_milli, limits| {
            let standing = Standing { speed_milli, noise: None };
            terms(&standing, limits).scale_milli
        };
        assert_eq!(scale(Some(500), None), 1000, "nobody wished it");
        assert_eq!(scale(None, Some(limits)), 1000, "nothing is known");
        assert_eq!(scale(Some(1000), Some(limits)), 1000);
        assert_eq!(scale(Some(810), Some(limits)), 1250);
        assert_eq!(scale(Some(500), Some(limits)), 1500);
        assert_eq!(scale(Some(9000), Some(limits)), 500);
    }

    #[test]
    fn a_machine_is_noisy_if_its_canaries_differ_or_a_run_was_disturbed_lately() {
        let noise = |canaries: &[CanaryResult], shares: &[RunShare]| {
            standing(canaries, shares, NOW_MS).noise.is_some()
        };
        let uneven = [1000, 1000, 1000, 1000, 1000, 2000, 2000, 2000].map(canary);
        assert!(noise(&uneven, &[]));
        assert!(!noise(&uneven[1..], &[]), "seven say nothing");
        assert!(!noise(&[1000; 8].map(canary), &[]));
        assert!(noise(&[], &[share(1, 3, 60, NOW_MS)]));
        assert!(!noise(&[], &[share(1, 2, 10, NOW_MS)]), "two may be chance");
        assert!(!noise(&[], &[share(1, 3, 100, NOW_MS)]), "three in a hundred may be chance");
        assert!(!noise(&[], &[share(1, 9, 10, NOW_MS - 601_000)]), "that is over");
    }

    #[test]
    fn disturbance_in_three_runs_is_a_reason_for_quarantine_and_in_two_is_none() {
        let runs = [1, 2, 3].map(|order| share(order, 5, 10, 0));
        assert_eq!(reason_for_quarantine(&runs[..2]), None);
        assert_eq!(reason_for_quarantine(&[share(1, 500, 1000, 0)]), None, "one run, however bad");
        assert_eq!(
            reason_for_quarantine(&runs).as_deref(),
            Some("its machine disturbed the games of three runs: 5 of 10, 5 of 10, 5 of 10")
        );
    }
}
