//! The standings of a tournament as tables for a person.

use std::ops::Range;

use comfy_table::{CellAlignment, ColumnConstraint, Table, Width};

use quintain_arena::results::TournamentReport;
use quintain_core::printable;

use super::{
    ROUNDS_COLUMNS, ROUNDS_TITLE, SWISS_COLUMNS, SWISS_TITLE, both_lost, cells, columns, copies,
    cross_table, doubt, errors, round_rows, subtitle, swiss_rows,
};
use crate::Advice;
use crate::disturbed::{self, void_summary};
use crate::table::ruled_rows_around;

/// What stands between two columns.
const GAP: usize = 2;

/// The column of the standings with the names, the only one that may be broken.
const NAMES: usize = 1;
/// A name that is broken more often cannot be read.
const NAME_WIDTH_MIN: u16 = 6;

pub fn tables(report: &TournamentReport, advice: &Advice<'_>) -> String {
    let title = format!("{}: {}", report.name, subtitle(report));
    let mut text = format!("{}\n", printable(&title));
    if let Some(doubt) = doubt(report, advice) {
        text += &format!("{doubt}\n");
    }
    text += &format!("{}\n", standings(report).trim_fmt());
    for piece in crosses(report) {
        text += &format!("\n{}\n", piece.trim_fmt());
    }
    if !report.rounds.is_empty() {
        let table = new_table(ROUNDS_COLUMNS, report.rounds.iter().flat_map(round_rows), None);
        text += &format!("\n{ROUNDS_TITLE}:\n{}\n", table.trim_fmt());
    }
    let swiss = swiss_rows(report);
    if !swiss.is_empty() {
        let table = new_table(SWISS_COLUMNS, swiss.into_iter(), None).trim_fmt();
        text += &format!("\n{SWISS_TITLE}:\n{table}\n");
    }
    let errors = errors(report);
    let advice = (!errors.is_empty()).then(|| advice.on_errors.to_owned());
    let lines = copies(report).into_iter().chain(both_lost(report)).chain(errors).chain(advice);
    for line in lines.chain(void_summary(&report.void)) {
        text += &format!("{}\n", printable(&line));
    }
    text + &disturbed::tables(&report.disturbed, &report.disturbed_bots)
}

fn standings(report: &TournamentReport) -> Table {
    let rows = || report.standings.iter().map(cells);
    let whole = new_table(columns(report), rows(), None);
    let width = whole.width().map(|room| {
        let widths = whole.column_max_content_widths();
        let others = widths.iter().enumerate().filter(|(column, _)| *column != NAMES);
        // A blank stands before each column, and one between two.
        let taken = others.map(|(_, width)| width + 2).sum::<u16>() + 1;
        usize::from(room.saturating_sub(taken).max(NAME_WIDTH_MIN))
    });
    let mut table = new_table(columns(report), rows(), width.map(|width| (NAMES, width)));
    for (index, column) in table.column_iter_mut().enumerate() {
        if index == NAMES {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(NAME_WIDTH_MIN)));
        } else {
            column.set_constraint(ColumnConstraint::ContentWidth);
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Won-drawn-lost of each against each, in as many pieces as the terminal is too narrow for: in a table whose
/// fields are broken nothing is found.
fn crosses(report: &TournamentReport) -> Vec<Table> {
    let (header, rows) = cross_table(report, "won-drawn-lost");
    let whole = new_table(header.clone(), rows.clone().into_iter(), None);
    let room = whole.width().map_or(usize::MAX, usize::from);
    let widths: Vec<usize> =
        whole.column_max_content_widths().into_iter().map(usize::from).collect();
    let piece = |columns: Range<usize>| {
        let cells = |row: &Vec<String>| [&row[..1], &row[columns.clone()]].concat();
        let mut table = new_table(cells(&header), rows.iter().map(cells), None);
        for column in table.column_iter_mut().skip(1) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        table
    };
    pieces(&widths, room).into_iter().map(piece).collect()
}

/// Which columns of a table stand beside the first one, which is in every piece. A column that is too
/// wide for any piece has one for itself.
fn pieces(widths: &[usize], room: usize) -> Vec<Range<usize>> {
    let width = |columns: Range<usize>| {
        widths[0] + widths[columns].iter().map(|width| GAP + width).sum::<usize>() + GAP
    };
    let mut pieces = Vec::new();
    let mut start = 1;
    for end in 2..=widths.len() {
        if end - start > 1 && width(start..end) > room {
            pieces.push(start..end - 1);
            start = end - 1;
        }
    }
    pieces.push(start..widths.len());
    pieces
}

fn new_table<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl Iterator<Item = R>,
    wrapped_column: Option<(usize, usize)>,
) -> Table {
    let mut table = ruled_rows_around(header, rows, wrapped_column);
    for column in table.column_iter_mut() {
        column.set_padding((1, 0));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_is_cut_between_columns() {
        let widths = [5, 5, 5, 5];
        assert_eq!(pieces(&widths, 28), vec![1..4; 1]);
        assert_eq!(pieces(&widths, 27), [1..3, 3..4]);
        assert_eq!(pieces(&widths, 3), [1..2, 2..3, 3..4]);
        assert_eq!(pieces(&[5, 30, 5], 20), [1..2, 2..3]);
    }
}
