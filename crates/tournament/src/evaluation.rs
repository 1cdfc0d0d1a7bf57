//! The evaluation of the hockey contest: points of a round robin turned into a mark.
//!
//! The document, "Évaluation": 90% of the mark are for the position, as the share
//! (teams - position) / (teams - 1), and 10% for a script `run.sh` that starts the program. Points are
//! games won.
//!
//! A pairing may be given up when one team fails again and again. Its other games count for the team that
//! was ready, as many as that team's pairings have on average: neither can a team take points away from a
//! rival by failing against that one alone, nor give it more than it would win elsewhere.

use quintain_record::BotId;

use crate::book::Book;
use crate::tally::Tally;

/// What the position is worth at most, in percent.
pub const RANKING_PERCENT: f64 = 90.0;
/// What the script is worth, in percent.
pub const SCRIPT_PERCENT: f64 = 10.0;

/// One team's line of the report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluated {
    /// From 1; equal points share the better position.
    pub position: u32,
    pub team: BotId,
    pub tally: Tally,
    /// Games that were not played and count as won.
    pub granted: u64,
    /// Games won, and those that count as such.
    pub points: u64,
    pub ranking_percent: f64,
    pub script_percent: f64,
    pub total_percent: f64,
}

/// How far a pairing came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedPairing {
    pub teams: [BotId; 2],
    pub games: u64,
    pub state: PairingState,
}

/// How a pairing went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingState {
    /// To the end of its games or of its time.
    PlayedOut,
    /// One team failed again and again, and this one was ready.
    GivenUp { ready: BotId },
    /// Not to its end, or given up with nobody ready.
    Open,
}

/// How many games that were not played count as won in each pairing that was given up, and by whom:
/// what that pairing lacks of the average of the ready team's pairings that were played out, or of
/// everybody's if it has none, or of `games_max` if there is none at all.
pub fn granted(pairings: &[PlayedPairing], games_max: u64) -> Vec<Option<(BotId, u64)>> {
    let average = |of: &dyn Fn(&PlayedPairing) -> bool| {
        let played = pairings.iter().filter(|one| one.state == PairingState::PlayedOut && of(one));
        let (games, count) =
            played.fold((0_u64, 0_u64), |(games, count), one| (games + one.games, count + 1));
        games.checked_div(count)
    };
    let grant = |pairing: &PlayedPairing| {
        let PairingState::GivenUp { ready } = pairing.state else { return None };
        let usual = average(&|other| other.teams.contains(&ready)).or_else(|| average(&|_| true));
        Some((ready, usual.unwrap_or(games_max).saturating_sub(pairing.games)))
    };
    pairings.iter().map(grant).collect()
}

/// The report, best first, teams of one position in the order of the list. `granted` is how many games
/// count as won by each team without having been played; `has_script` says for each whether its
/// `run.sh` started it.
pub fn evaluate(book: &Book, granted: &[u64], has_script: &[bool]) -> Vec<Evaluated> {
    assert_eq!(granted.len(), book.bots() as usize, "every team has a number");
    assert_eq!(has_script.len(), book.bots() as usize, "every team has a folder");
    let tallies = book.tallies();
    let teams = book.bots();
    let points: Vec<u64> =
        tallies.iter().zip(granted).map(|(tally, granted)| tally.wins + granted).collect();
    let mut report: Vec<Evaluated> = BotId::all(teams)
        .map(|team| {
            let tally = tallies[team.index()];
            let better = points.iter().filter(|other| **other > points[team.index()]).count();
            let position = better as u32 + 1;
            let ranking_percent = ranking_percent(teams, position);
            let script_percent = if has_script[team.index()] { SCRIPT_PERCENT } else { 0.0 };
            Evaluated {
                position,
                team,
                tally,
                granted: granted[team.index()],
                points: points[team.index()],
                ranking_percent,
                script_percent,
                total_percent: ranking_percent + script_percent,
            }
        })
        .collect();
    report.sort_by_key(|line| (line.position, line.team));
    report
}

/// The share for a position, in percent. A single team has the full share.
pub fn ranking_percent(teams: u32, position: u32) -> f64 {
    assert!((1..=teams).contains(&position), "a position is one of the teams'");
    if teams == 1 {
        return RANKING_PERCENT;
    }
    RANKING_PERCENT * f64::from(teams - position) / f64::from(teams - 1)
}

#[cfg(test)]
mod tests {
    use quintain_core::{ErrorKind, ErrorKinds, PerSeat, Seat};
    use quintain_record::MatchId;

    use super::*;
    use crate::match_result::{Finish, MatchResult};

    /// A book in which the row's team won so many games against the column's.
    fn book<const N: usize>(wins: [[u32; N]; N]) -> Book {
        let mut book = Book::new(N as u32);
        let mut number = 0;
        for (winner, row) in (0..).zip(wins) {
            for (loser, games) in (0..).zip(row) {
                for _ in 0..games {
                    number += 1;
                    book.add(&MatchResult {
                        id: MatchId { round: number, pairing: 0, seed_index: 0, swapped: false },
                        bots: PerSeat([BotId(winner), BotId(loser)]),
                        finish: Finish::Won(Seat::First),
                        errors: PerSeat([
                            ErrorKinds::NONE,
                            (loser == 4).then_some(ErrorKind::NotStarted).into_iter().collect(),
                        ]),
                        content: None,
                    });
                }
            }
        }
        book
    }

    /// By hand, five teams: points are the sums of the rows, 17, 22, 17, 11 and 0. So the positions
    /// are 2, 1, 2, 4 and 5, worth 3/4, 4/4, 3/4, 1/4 and 0/4 of 90%.
    #[test]
    fn a_table_computed_by_hand() {
        let book = book([
            [0, 4, 3, 5, 5],
            [6, 0, 7, 4, 5],
            [7, 3, 0, 2, 5],
            [5, 1, 0, 0, 5],
            [0, 0, 0, 0, 0],
        ]);
        let report = evaluate(&book, &[0; 5], &[true, true, false, true, false]);
        let lines: Vec<(u32, u32, u64, f64, f64, f64)> = report
            .iter()
            .map(|line| {
                let Evaluated { position, team, points, .. } = *line;
                let percents = (line.ranking_percent, line.script_percent, line.total_percent);
                (position, team.0, points, percents.0, percents.1, percents.2)
            })
            .collect();
        assert_eq!(
            lines,
            [
                (1, 1, 22, 90.0, 10.0, 100.0),
                (2, 0, 17, 67.5, 10.0, 77.5),
                (2, 2, 17, 67.5, 0.0, 67.5),
                (4, 3, 11, 22.5, 10.0, 32.5),
                (5, 4, 0, 0.0, 0.0, 0.0),
            ]
        );
        assert_eq!(report[4].tally.errors[ErrorKind::NotStarted], 20);
    }

    /// The document's example of thirty teams, in whole percent.
    #[test]
    fn the_example_of_the_document() {
        let percents = [1, 2, 3, 4, 5, 6, 7].map(|position| ranking_percent(30, position).round());
        assert_eq!(percents, [90.0, 87.0, 84.0, 81.0, 78.0, 74.0, 71.0]);
        assert_eq!(ranking_percent(30, 30), 0.0);
    }

    /// Team 2 fails against team 0 alone. By hand: team 0 has 60 games of 100 against team 1 and 40 of 80
    /// against team 3, so an average pairing of it has 90 games, of which 10 were played.
    #[test]
    fn what_is_given_up_counts_for_the_one_who_was_ready_as_much_as_its_other_games() {
        let pairing = |one, other, games, state| PlayedPairing {
            teams: [BotId(one), BotId(other)],
            games,
            state,
        };
        let given_up = PairingState::GivenUp { ready: BotId(0) };
        let mut pairings = vec![
            pairing(0, 1, 100, PairingState::PlayedOut),
            pairing(0, 2, 10, given_up),
            pairing(0, 3, 80, PairingState::PlayedOut),
            pairing(1, 2, 300, PairingState::PlayedOut),
            pairing(1, 3, 10, PairingState::Open),
        ];
        let expected = [None, Some((BotId(0), 80)), None, None, None];
        assert_eq!(granted(&pairings, 50_000), expected);
        // Without pairings of its own that were played out, everybody's count; without any, the limit.
        pairings.retain(|pairing| pairing.games == 300 || pairing.state == given_up);
        assert_eq!(granted(&pairings, 50_000), [Some((BotId(0), 290)), None]);
        assert_eq!(granted(&pairings[..1], 50_000), [Some((BotId(0), 49_990))]);
        pairings[0].games = 400;
        assert_eq!(granted(&pairings, 50_000)[0], Some((BotId(0), 0)), "it has more already");
    }

    #[test]
    fn granted_games_are_points_and_decide_positions() {
        let report = evaluate(&book([[0, 3], [5, 0]]), &[10, 0], &[true, true]);
        let lines: Vec<_> =
            report.iter().map(|line| (line.team.0, line.points, line.granted)).collect();
        assert_eq!(lines, [(0, 13, 10), (1, 5, 0)]);
    }

    #[test]
    fn one_team_has_the_full_share_and_equals_share_the_better_position() {
        let alone = evaluate(&Book::new(1), &[0], &[true]);
        assert_eq!((alone[0].position, alone[0].total_percent), (1, 100.0));
        let level = evaluate(&book([[0, 3], [3, 0]]), &[0, 0], &[false, true]);
        let lines: Vec<_> = level.iter().map(|line| (line.position, line.total_percent)).collect();
        assert_eq!(lines, [(1, 90.0), (1, 100.0)]);
        assert_eq!(evaluate(&Book::new(0), &[], &[]), []);
    }
}
