//! The evaluation of the hockey contest: points of a round robin turned into a mark.
//!
//! The document, "Évaluation": 90% of the mark are for the position, as the share
//! (teams - position) / (teams - 1), and 10% for a script `run.sh` that starts the program. Points are
//! games won.

use crate::book::Book;
use crate::game::BotId;
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
    /// Games won.
    pub points: u64,
    pub ranking_percent: f64,
    pub script_percent: f64,
    pub total_percent: f64,
}

/// The report, best first, teams of one position in the order of the list. `has_script` says for each
/// team whether its folder has a `run.sh`.
pub fn evaluate(book: &Book, has_script: &[bool]) -> Vec<Evaluated> {
    assert_eq!(has_script.len(), book.bots() as usize, "every team has a folder");
    let tallies = book.tallies();
    let teams = book.bots();
    let mut report: Vec<Evaluated> = BotId::all(teams)
        .map(|team| {
            let tally = tallies[team.index()];
            let better = tallies.iter().filter(|other| other.wins > tally.wins).count();
            let position = better as u32 + 1;
            let ranking_percent = ranking_percent(teams, position);
            let script_percent = if has_script[team.index()] { SCRIPT_PERCENT } else { 0.0 };
            Evaluated {
                position,
                team,
                tally,
                points: tally.wins,
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

    use super::*;
    use crate::game::{Finish, GameId, GameResult};

    /// A book in which the row's team won so many games against the column's.
    fn book<const N: usize>(wins: [[u32; N]; N]) -> Book {
        let mut book = Book::new(N as u32);
        let mut number = 0;
        for (winner, row) in (0..).zip(wins) {
            for (loser, games) in (0..).zip(row) {
                for _ in 0..games {
                    number += 1;
                    book.add(&GameResult {
                        id: GameId { round: number, pairing: 0, seed_index: 0, swapped: false },
                        bots: PerSeat([BotId(winner), BotId(loser)]),
                        finish: Finish::Won(Seat::First),
                        errors: PerSeat([
                            ErrorKinds::NONE,
                            (loser == 4).then_some(ErrorKind::NotStarted).into_iter().collect(),
                        ]),
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
        let report = evaluate(&book, &[true, true, false, true, false]);
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

    #[test]
    fn one_team_has_the_full_share_and_equals_share_the_better_position() {
        let alone = evaluate(&Book::new(1), &[true]);
        assert_eq!((alone[0].position, alone[0].total_percent), (1, 100.0));
        let level = evaluate(&book([[0, 3], [3, 0]]), &[false, true]);
        let lines: Vec<_> = level.iter().map(|line| (line.position, line.total_percent)).collect();
        assert_eq!(lines, [(1, 90.0), (1, 100.0)]);
        assert_eq!(evaluate(&Book::new(0), &[]), []);
    }
}
