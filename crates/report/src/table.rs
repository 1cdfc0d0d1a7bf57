//! Tables for a terminal, as wide as it is.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets};

/// A table with a line above and below its header and none between its rows.
pub fn ruled() -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic);
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
