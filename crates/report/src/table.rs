//! Tables for a terminal, as wide as it is. Their cells may hold anything.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle, presets};
use quintain_core::printable;

/// A table with a line above and below its header and none between its rows.
pub fn ruled_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    filled(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()), header, rows)
}

/// A table with lines between its rows too.
pub fn lined_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    filled(presets::UTF8_HORIZONTAL_ONLY, header, rows)
}

/// A table without lines.
pub fn plain_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    filled(presets::NOTHING, header, rows)
}

fn filled<H: AsRef<str>, R: IntoIterator<Item = String>>(
    style: TableStyle,
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    table.set_content_arrangement(ContentArrangement::Dynamic);
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
