//! The standings of a tournament as tables for a person.

use std::ops::Range;

use comfy_table::{CellAlignment, ColumnConstraint, Row, Table, Width};

use crate::commands::disturbed::{DISTURBED_TITLE, disturbed_bots_text, disturbed_table};
use crate::commands::table::ruled;

use super::report::{Line, Report, SWISS_COLUMNS, SWISS_TITLE, score};
use super::rounds::{ROUNDS_COLUMNS, ROUNDS_TITLE, RoundReport};

/// What stands between two columns.
const GAP: usize = 2;

/// The column of the standings with the names, the only one that may be broken.
const NAMES: usize = 1;
/// A name that is broken more often cannot be read.
const NAME_WIDTH_MIN: Width = Width::Fixed(6);

impl Report {
    pub(super) fn as_tables(&self) -> String {
        let standings = self.main_table().trim_fmt();
        let mut text = format!("{}: {}\n", self.name, self.subtitle());
        if let Some(doubt) = &self.doubt {
            text += &format!("{doubt}\n");
        }
        text += &format!("{standings}\n");
        for piece in self.crosses() {
            text += &format!("\n{}\n", piece.trim_fmt());
        }
        if !self.rounds.is_empty() {
            text += &format!("\n{ROUNDS_TITLE}:\n{}\n", self.rounds_table().trim_fmt());
        }
        let swiss = self.swiss_rows();
        if !swiss.is_empty() {
            let table = new_table(SWISS_COLUMNS, swiss.into_iter()).trim_fmt();
            text += &format!("\n{SWISS_TITLE}:\n{table}\n");
        }
        for line in self.copies_in_words().iter().chain(&self.both_lost()) {
            text += &format!("{line}\n");
        }
        let errors = self.errors();
        for line in &errors {
            text += &format!("{line}\n");
        }
        if !errors.is_empty() {
            text += &format!("{}\n", self.how_to_list_errors);
        }
        for game in &self.void {
            text += &format!("{game}\n");
        }
        if !self.disturbed.is_empty() {
            let table = disturbed_table(self.disturbed.iter());
            text += &format!("\n{DISTURBED_TITLE}:\n{}\n", table.trim_fmt());
            for line in disturbed_bots_text(self.disturbed.iter()) {
                text += &format!("{line}\n");
            }
        }
        text
    }

    fn main_table(&self) -> Table {
        let mut table = new_table(self.columns(), self.lines.iter().map(Line::cells));
        for (index, column) in table.column_iter_mut().enumerate() {
            if index == NAMES {
                column.set_constraint(ColumnConstraint::LowerBoundary(NAME_WIDTH_MIN));
            } else {
                column.set_constraint(ColumnConstraint::ContentWidth);
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// Won-drawn-lost of each against each, in as many pieces as the terminal is too narrow for: in
    /// a table whose fields are broken nothing is found.
    fn crosses(&self) -> Vec<Table> {
        let (names, columns) = self.cross_labels();
        let header: Vec<String> =
            ["won-drawn-lost".to_owned()].into_iter().chain(columns).collect();
        let row = |(name, fields): (String, &Vec<_>)| {
            let fields = fields.iter().map(|field: &Option<_>| score(field.as_ref()));
            [name].into_iter().chain(fields).collect::<Vec<String>>()
        };
        let rows: Vec<Vec<String>> = names.into_iter().zip(&self.cross).map(row).collect();
        let whole = new_table(header.clone(), rows.clone().into_iter());
        let room = whole.width().map_or(usize::MAX, usize::from);
        let widths: Vec<usize> =
            whole.column_max_content_widths().into_iter().map(usize::from).collect();
        let piece = |columns: Range<usize>| {
            let cells = |row: &Vec<String>| [&row[..1], &row[columns.clone()]].concat();
            let mut table = new_table(cells(&header), rows.iter().map(cells));
            for column in table.column_iter_mut().skip(1) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
            table
        };
        pieces(&widths, room).into_iter().map(piece).collect()
    }

    fn rounds_table(&self) -> Table {
        let rows = self.rounds.iter().flat_map(RoundReport::rows);
        new_table(ROUNDS_COLUMNS, rows)
    }
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

fn new_table<R: Into<Row>>(header: impl Into<Row>, rows: impl Iterator<Item = R>) -> Table {
    let mut table = ruled();
    table.set_header(header);
    table.add_rows(rows);
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
