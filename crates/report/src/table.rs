//! Tables for a terminal, as wide as it is.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets};
use quintain_core::printable;

/// A table with a line above and below its header and none between its rows.
pub fn ruled() -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table
}

/// The same with cells, which may hold anything.
pub fn ruled_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = ruled();
    table.set_header(header.into_iter().map(|cell| printable(cell.as_ref()).into_owned()));
    for row in rows {
        table.add_row(row.into_iter().map(|cell| printable(&cell).into_owned()));
    }
    table
}

/// Numbers stand below each other.
pub fn align_right(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
