//! How far ratings may lie from each other: a bot that won all of its games is better than any number says.

use quintain_record::BotId;

use super::Met;

/// In which directions nothing bounds a bot's rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) is_open_below: bool,
    pub(super) is_open_above: bool,
}

impl Reach {
    fn is_bounded(self) -> bool {
        !self.is_open_below && !self.is_open_above
    }
}

/// The reach of each bot, in the order of the list.
///
/// Who took all points from all opponents has no upper bound, and who took none no lower one. Their games
/// say nothing about the others either, among whom there may again be somebody who took all.
pub(super) fn reaches(bots: usize, met: &[Met]) -> Vec<Reach> {
    let mut reaches = vec![Reach { is_open_below: true, is_open_above: true }; bots];
    for bot in met.iter().flat_map(|met| met.bots) {
        reaches[bot.index()] = Reach::default();
    }
    loop {
        let is_left = |bot: &BotId| reaches[bot.index()].is_bounded();
        let mut taken = vec![[0.0; 2]; bots];
        for met in met.iter().filter(|met| met.bots.iter().all(is_left)) {
            let (points, games) = (met.results.points(), met.results.games() as f64);
            for (bot, points) in met.bots.into_iter().zip([points, games - points]) {
                let [own, given] = &mut taken[bot.index()];
                *own += points;
                *given += games - points;
            }
        }
        let mut has_changed = false;
        for (reach, [own, given]) in reaches.iter_mut().zip(taken) {
            // Without games among those who are left both are 0, and nothing follows.
            let found = Reach { is_open_below: own == 0.0, is_open_above: given == 0.0 };
            if own + given > 0.0 && !found.is_bounded() {
                *reach = found;
                has_changed = true;
            }
        }
        if !has_changed {
            return reaches;
        }
    }
}

/// The strengths with the mean of the bounded ones at 0, or that of all if none is.
pub(super) fn centred(strengths: &[f64], reaches: &[Reach]) -> Vec<f64> {
    let bounded = strengths.iter().zip(reaches).filter(|(_, reach)| reach.is_bounded());
    let bounded: Vec<f64> = bounded.map(|(strength, _)| *strength).collect();
    let anchors = if bounded.is_empty() { strengths } else { &bounded };
    let mean = anchors.iter().sum::<f64>() / anchors.len().max(1) as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::match_result::{Finish, MatchResult};
    use quintain_core::{PerSeat, Seat};
    use quintain_record::MatchId;

    /// Which bots are open below and above, after games that the first of two won, or that were drawn.
    fn open(bots: u32, won: &[[u32; 2]], drawn: &[[u32; 2]]) -> [Vec<usize>; 2] {
        let mut book = Book::new(bots);
        let won = won.iter().map(|pair| (pair, Finish::Won(Seat::First)));
        let drawn = drawn.iter().map(|pair| (pair, Finish::Drawn));
        for (seed_index, (pair, finish)) in (0..).zip(won.chain(drawn)) {
            book.add(&MatchResult {
                id: MatchId { round: 0, pairing: 0, seed_index, swapped: false },
                bots: PerSeat(pair.map(BotId)),
                finish,
                errors: PerSeat::default(),
                content: None,
            });
        }
        let met: Vec<Met> = book.encounters().filter_map(Met::new).collect();
        let reaches = reaches(bots as usize, &met);
        let below = (0..bots as usize).filter(|&bot| reaches[bot].is_open_below).collect();
        [below, (0..bots as usize).filter(|&bot| reaches[bot].is_open_above).collect()]
    }

    #[test]
    fn who_won_or_lost_everything_has_an_open_end() {
        let cycle = [[0, 1], [1, 2], [2, 0]];
        assert_eq!(open(3, &cycle, &[]), [Vec::<usize>::new(), Vec::new()]);
        assert_eq!(open(3, &[[0, 1]], &[[1, 2]]), [vec![], vec![0]]);
        assert_eq!(open(2, &[[0, 1]], &[]), [vec![1], vec![0]]);
        assert_eq!(open(3, &[[0, 1]], &[]), [vec![1, 2], vec![0, 2]], "the third did not play");
        // The fourth beats everybody, the fifth everybody but the fourth.
        let beaten = [[3, 0], [3, 1], [3, 2], [3, 4], [4, 0], [4, 1], [4, 2]];
        assert_eq!(open(5, &[&cycle[..], &beaten].concat(), &[]), [vec![], vec![3, 4]]);
    }

    #[test]
    fn the_mean_is_that_of_the_bounded_ones() {
        let bounded = Reach::default();
        let open = Reach { is_open_above: true, ..bounded };
        assert_eq!(centred(&[1.0, 3.0, 9.0], &[bounded, bounded, open]), [-1.0, 1.0, 7.0]);
        assert_eq!(centred(&[1.0, 3.0], &[open, open]), [-1.0, 1.0]);
    }
}
