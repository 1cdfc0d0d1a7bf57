//! Swiss: a few rounds in which bots of about equal points meet.

use std::collections::BTreeMap;

use quintain_record::BotId;

use super::matching::{maximum_matching, size};
use super::round::Round;
use super::{Place, placed};

/// Half points for a pairing that was won, and for a bye.
const WIN: u64 = 2;

/// What a bot did in the rounds before.
#[derive(Clone, Default)]
struct Record {
    /// A pairing won is 2, a level one 1. How clearly it was won does not count, so that a bye, which
    /// is a win, is worth no more than any other.
    half_points: u64,
    /// Half points of games, which part bots of equal points when the next round is drawn.
    game_half_points: u64,
    opponents: Vec<BotId>,
    byes: u32,
    named_first: i64,
}

/// The next round. Nobody meets somebody again as long as that is possible; with an odd number of bots
/// the last one who had no bye yet has one. Of those with equal points the better half meets the
/// other half.
pub(super) fn draw(bots: u32, rounds: &BTreeMap<u32, Round>, games: u32) -> Round {
    let records = records(bots, rounds);
    let mut ranked: Vec<BotId> = BotId::all(bots).collect();
    let key = |bot: &BotId| {
        let record = &records[bot.index()];
        (record.half_points, record.game_half_points)
    };
    ranked.sort_by(|one, other| key(other).cmp(&key(one)).then(one.cmp(other)));
    let byes = if bots.is_multiple_of(2) {
        Vec::new()
    } else {
        let bye = bye(&ranked, &records);
        ranked.retain(|&bot| bot != bye);
        vec![bye]
    };
    let mut pairings = paired(ranked, &records);
    for (board, pairing) in pairings.iter_mut().enumerate() {
        let [one, other] = pairing.map(|bot| records[bot.index()].named_first);
        if one > other || (one == other && board % 2 == 1) {
            pairing.swap(0, 1);
        }
    }
    Round::with_byes(pairings, byes, games)
}

/// Places by points of pairings, then by those of the opponents, then by points of games.
pub(super) fn ranking(bots: u32, rounds: &BTreeMap<u32, Round>) -> Vec<Place> {
    let records = records(bots, rounds);
    let place = |bot: BotId| {
        let record = &records[bot.index()];
        let met = record.opponents.iter();
        let buchholz: u64 = met.map(|opponent| records[opponent.index()].half_points).sum();
        let (points, tie_break) = (record.half_points as f64 / 2.0, buchholz as f64 / 2.0);
        let key = (record.half_points, buchholz, record.game_half_points);
        (key, Place { place: 0, bot, points, tie_break })
    };
    placed(BotId::all(bots).map(place).collect())
}

/// Rounds count as far as their pairings are over.
fn records(bots: u32, rounds: &BTreeMap<u32, Round>) -> Vec<Record> {
    let mut records = vec![Record::default(); bots as usize];
    for round in rounds.values() {
        for pairing in round.pairings().iter().filter(|pairing| pairing.is_over()) {
            let [one, other] = pairing.bots();
            let [points, against] = pairing.half_points();
            let sides = [(one, other, points, against, 1), (other, one, against, points, -1)];
            for (bot, opponent, points, against, named_first) in sides {
                let record = &mut records[bot.index()];
                record.half_points += match points.cmp(&against) {
                    std::cmp::Ordering::Greater => WIN,
                    std::cmp::Ordering::Equal => WIN / 2,
                    std::cmp::Ordering::Less => 0,
                };
                record.game_half_points += points;
                record.opponents.push(opponent);
                record.named_first += named_first;
            }
        }
        for bot in round.byes() {
            records[bot.index()].half_points += WIN;
            records[bot.index()].byes += 1;
        }
    }
    records
}

/// Who has the bye: of those who had the fewest, the last whose absence forces nobody to meet again.
fn bye(ranked: &[BotId], records: &[Record]) -> BotId {
    let byes = |bot: BotId| records[bot.index()].byes;
    let fewest = ranked.iter().map(|&bot| byes(bot)).min().expect("a tournament has bots");
    let candidates = || ranked.iter().rev().copied().filter(|&bot| byes(bot) == fewest);
    let is_free = |candidate: &BotId| {
        let others: Vec<BotId> = ranked.iter().copied().filter(|bot| bot != candidate).collect();
        pairs_possible(&others, records) == others.len() / 2
    };
    candidates()
        .find(is_free)
        .or_else(|| candidates().next())
        .expect("somebody had the fewest byes")
}

/// How many pairs of bots that have not met can be made.
///
/// Where each may still meet at least half of the bots, all can be paired (Dirac's theorem: there is a
/// cycle through everybody, and every second step of it is a pair). So the search is for the end of a
/// round, and a thousand bots are no trouble.
fn pairs_possible(bots: &[BotId], records: &[Record]) -> usize {
    let most_met = bots.iter().map(|bot| records[bot.index()].opponents.len()).max().unwrap_or(0);
    if bots.len().is_multiple_of(2) && bots.len() >= 2 * (most_met + 1) {
        return bots.len() / 2;
    }
    size(&maximum_matching(bots.len(), |one, other| {
        !records[bots[one].index()].opponents.contains(&bots[other])
    }))
}

/// Pairs from the top: each bot gets the opponent that suits best of those with whom as many bots as
/// before can still be paired anew.
fn paired(mut ranked: Vec<BotId>, records: &[Record]) -> Vec<[BotId; 2]> {
    let mut pairings = Vec::new();
    let mut left_over = Vec::new();
    let mut possible = pairs_possible(&ranked, records);
    while !ranked.is_empty() {
        let top = ranked.remove(0);
        let fits = |opponent: &BotId| {
            let rest: Vec<BotId> = ranked.iter().copied().filter(|bot| bot != opponent).collect();
            pairs_possible(&rest, records) + 1 == possible
        };
        let met = &records[top.index()].opponents;
        let mut wanted = by_preference(top, &ranked, records);
        wanted.retain(|opponent| !met.contains(opponent));
        match wanted.into_iter().find(fits) {
            Some(opponent) => {
                ranked.retain(|&bot| bot != opponent);
                possible -= 1;
                pairings.push([top, opponent]);
            }
            None => left_over.push(top),
        }
    }
    pairings.extend(rematches(left_over, records));
    pairings
}

/// The others, from the one that suits best: equal points first, and of these the one as far below as
/// the better half is from the other.
fn by_preference(top: BotId, others: &[BotId], records: &[Record]) -> Vec<BotId> {
    let points = |bot: BotId| records[bot.index()].half_points;
    let equals = others.iter().take_while(|&&bot| points(bot) == points(top)).count();
    // The group is the top bot and its equals; the first of its lower half stands here.
    let ideal = equals.div_ceil(2).saturating_sub(1);
    let mut wanted: Vec<(usize, BotId)> = others.iter().copied().enumerate().collect();
    wanted.sort_by_key(|&(index, bot)| {
        (points(top).abs_diff(points(bot)), index.abs_diff(ideal), index)
    });
    wanted.into_iter().map(|(_, bot)| bot).collect()
}

/// Pairs those who cannot but meet again, with the one whom each met least.
fn rematches(mut left_over: Vec<BotId>, records: &[Record]) -> Vec<[BotId; 2]> {
    let mut pairings = Vec::new();
    while left_over.len() > 1 {
        let top = left_over.remove(0);
        let met = &records[top.index()].opponents;
        let meetings = |bot: &BotId| met.iter().filter(|&opponent| opponent == bot).count();
        let (index, _) = left_over
            .iter()
            .enumerate()
            .min_by_key(|&(index, bot)| (meetings(bot), index))
            .expect("there is another one");
        pairings.push([top, left_over.remove(index)]);
    }
    pairings
}
