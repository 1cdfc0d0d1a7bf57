//! A run on a large screen: one part after the other, in letters that can be read from the back of a room, and
//! between them matches that are played now or were last.

use askama::Template;
use quintain_arena::results::{ListedMatch, PageSize, latest_matches};
use quintain_store::{Filter, RunInfo};

use super::archive::Archive;
use super::comparison::{ComparisonPage, Test};
use super::evaluation::{EvaluationPage, TeamRow};
use super::head::{Figure, RunHead, Running, shown};
use super::matches::ending;
use super::progress::Progress;
use super::tournament::{CrossRow, Round, Standing, TournamentPage};
use crate::error::Refusal;
use crate::limits::{
    PROJECTED_CROSS, PROJECTED_FEW, PROJECTED_MATCHES, PROJECTED_ROUNDS, PROJECTED_ROWS,
};
use crate::served_replays::stored_id;
use crate::url::of_replay;

/// Matches that are looked at to find some with a replay.
const LOOKED_AT: usize = 12;

/// Fields at the end of a team's row that are too long to be read from far away.
const LONG_FIELDS: usize = 2;

#[derive(Template)]
#[template(path = "projector.html")]
pub(crate) struct ProjectorPage {
    head: RunHead,
    progress: Option<Progress>,
    tables: Vec<Table>,
    matches: Vec<PlayedMatch>,
}

/// A part that is shown by itself.
enum Table {
    Verdict {
        finding: String,
        sentence: String,
        chart: String,
        tiles: Vec<(&'static str, Figure)>,
        new: String,
    },
    Evidence(Test),
    Standings {
        rows: Vec<Standing>,
        is_rated: bool,
        is_swiss: bool,
    },
    Cross(Vec<CrossRow>),
    Rounds {
        rounds: Vec<Round>,
        is_knockout: bool,
    },
    Marks {
        columns: Vec<String>,
        rows: Vec<TeamRow>,
    },
}

/// A match that is over, with its film.
struct PlayedMatch {
    names: [String; 2],
    ending: String,
    film: String,
}

impl ProjectorPage {
    pub(crate) fn new(archive: &Archive, run: &RunInfo) -> Result<ProjectorPage, Refusal> {
        let (head, progress, tables) = match run.plan.kind.as_str() {
            "compare" => of_comparison(ComparisonPage::new(archive, run)?),
            "evaluate" => of_evaluation(EvaluationPage::new(archive, run)?),
            _ => of_tournament(TournamentPage::new(archive, run)?),
        };
        let wanted = PROJECTED_MATCHES.saturating_sub(head.running.len());
        Ok(ProjectorPage { matches: latest(archive, run, wanted)?, head, progress, tables })
    }

    fn running(&self) -> &[Running] {
        &self.head.running[..self.head.running.len().min(PROJECTED_MATCHES)]
    }
}

type Parts = (RunHead, Option<Progress>, Vec<Table>);

fn of_comparison(page: ComparisonPage) -> Parts {
    let ComparisonPage { head, progress, new, finding, sentence, test, tiles, elo, .. } = page;
    let verdict = Table::Verdict { finding, sentence, chart: elo.chart, tiles, new: new.name };
    (head, progress, [verdict].into_iter().chain(test.map(Table::Evidence)).collect())
}

fn of_evaluation(page: EvaluationPage) -> Parts {
    let EvaluationPage { head, progress, view } = page;
    let mut columns = view.columns;
    columns.truncate(columns.len().saturating_sub(LONG_FIELDS));
    let marks = in_parts(view.teams, PROJECTED_ROWS).into_iter();
    let marks = marks.map(|rows| Table::Marks { columns: columns.clone(), rows });
    (head, progress, marks.collect())
}

fn of_tournament(page: TournamentPage) -> Parts {
    let TournamentPage { head, view } = page;
    let is_rated = view.standings.iter().any(|row| !row.rating.is_empty());
    let (is_swiss, is_knockout) = (view.is_swiss, view.is_knockout);
    let standings = in_parts(view.standings, PROJECTED_ROWS).into_iter();
    let mut tables: Vec<Table> =
        standings.map(|rows| Table::Standings { rows, is_rated, is_swiss }).collect();
    let mut rounds = view.rounds;
    if rounds.is_empty() && view.cross.len() <= PROJECTED_CROSS {
        tables.push(Table::Cross(view.cross));
    }
    let rounds = rounds.split_off(rounds.len().saturating_sub(PROJECTED_ROUNDS));
    if !rounds.is_empty() {
        tables.push(Table::Rounds { rounds, is_knockout });
    }
    (head, view.progress, tables)
}

/// As many rows at a time as can be read.
fn in_parts<T>(mut rows: Vec<T>, most: usize) -> Vec<Vec<T>> {
    let mut parts = Vec::new();
    while rows.len() > most {
        let rest = rows.split_off(most);
        parts.push(std::mem::replace(&mut rows, rest));
    }
    parts.push(rows);
    parts
}

/// The latest matches that can be seen again.
fn latest(archive: &Archive, run: &RunInfo, most: usize) -> Result<Vec<PlayedMatch>, Refusal> {
    let chosen = [(run.clone(), Filter { void: Some(false), ..Filter::default() })];
    let size = PageSize { matches: LOOKED_AT, searched: LOOKED_AT as u64 };
    let page = latest_matches(&archive.store, &chosen, None, size)?;
    let kept = page.matches.iter().filter(|listed| listed.replay.is_some());
    Ok(kept.take(most).map(PlayedMatch::new).collect())
}

impl PlayedMatch {
    fn new(listed: &ListedMatch) -> PlayedMatch {
        PlayedMatch {
            names: listed.bots.0.each_ref().map(|name| shown(name)),
            ending: ending(listed),
            film: of_replay("/film/", &stored_id(listed.run_id, listed.number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_is_shown_in_parts() {
        assert_eq!(in_parts(vec![1, 2, 3, 4, 5], 2), [vec![1, 2], vec![3, 4], vec![5]]);
        assert_eq!(in_parts(vec![1, 2], 2), [vec![1, 2]]);
    }
}
