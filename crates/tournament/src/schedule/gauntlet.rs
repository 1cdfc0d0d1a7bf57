//! A few challengers against all others.

use quintain_record::BotId;

/// The pairings, opponent by opponent, so that wherever it is stopped all challengers have met about
/// the same bots. They are named first and second in turn.
pub(super) fn pairings(challengers: u32, bots: u32) -> Vec<[BotId; 2]> {
    let mut pairings = Vec::new();
    for opponent in challengers..bots {
        for challenger in 0..challengers {
            let bots = [BotId(challenger), BotId(opponent)];
            let [challenger, opponent] = bots;
            let is_first = (challenger.0 + opponent.0) % 2 == 0;
            pairings.push(if is_first { bots } else { [opponent, challenger] });
        }
    }
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_challengers_meet_others() {
        let met = pairings(2, 5).iter().map(|pair| pair.map(|bot| bot.0)).collect::<Vec<_>>();
        assert_eq!(met, [[0, 2], [2, 1], [3, 0], [1, 3], [0, 4], [4, 1]]);
    }
}
