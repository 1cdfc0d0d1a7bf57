//! Everybody meets everybody.

use quintain_record::BotId;

use super::{Place, placed};

/// All pairings, by the circle method: in an order in which bots come up evenly, and each is named
/// first as often as second, or once more.
pub(super) fn pairings(bots: u32) -> Vec<[BotId; 2]> {
    // With an odd number whoever would meet the last one has nobody to play against.
    let circle = bots - 1 + bots % 2;
    let mut pairings = Vec::new();
    for turn in 0..circle {
        if bots.is_multiple_of(2) {
            let last = BotId(bots - 1);
            pairings.push(if turn % 2 == 0 { [last, BotId(turn)] } else { [BotId(turn), last] });
        }
        for step in 1..=(circle - 1) / 2 {
            let after = (turn + step) % circle;
            let before = (turn + circle - step) % circle;
            pairings.push([BotId(after), BotId(before)]);
        }
    }
    pairings
}

/// Places by points, then by the share of possible points.
pub(super) fn ranking(scores: &[(u64, u64)]) -> Vec<Place> {
    let place = |(index, &(half_points, games)): (usize, &(u64, u64))| {
        let points = half_points as f64 / 2.0;
        let tie_break = if games == 0 { 0.0 } else { points / games as f64 };
        ((points, tie_break), Place { place: 0, bot: BotId(index as u32), points, tie_break })
    };
    placed(scores.iter().enumerate().map(place).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_meet_once_and_are_named_first_about_as_often_as_second() {
        for bots in 2..=17 {
            let pairings = pairings(bots);
            let met: BTreeSet<_> = pairings.iter().map(|&[a, b]| (a.min(b), a.max(b))).collect();
            assert_eq!(met.len() as u32, bots * (bots - 1) / 2, "{bots} bots");
            assert_eq!(met.len(), pairings.len(), "{bots} bots");
            for bot in BotId::all(bots) {
                let count = |side: usize| pairings.iter().filter(|pair| pair[side] == bot).count();
                assert!(count(0).abs_diff(count(1)) <= 1, "{bots} bots, {bot:?}");
            }
        }
    }

    #[test]
    fn consecutive_pairings_are_of_different_bots() {
        for bots in [4_u32, 8, 9] {
            for at_a_time in pairings(bots).chunks((bots / 2) as usize) {
                let playing: BTreeSet<_> = at_a_time.iter().flatten().collect();
                assert_eq!(playing.len(), 2 * at_a_time.len(), "{bots} bots");
            }
        }
    }
}
