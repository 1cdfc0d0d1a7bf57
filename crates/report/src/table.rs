//! Tables for a terminal, as wide as it is. Their cells may hold anything, and are wrapped between words; where
//! that is not enough behind a sign within a word, and only where nothing else is left in the middle of one.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle, presets};
use quintain_core::printable;
use unicode_width::UnicodeWidthStr as _;

/// A table with a line above and below its header and none between its rows.
pub fn ruled_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    fitted(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()), header, rows)
}

/// As [`ruled_rows`], of which only one column may be wrapped: to a width, if one is given.
pub(crate) fn ruled_rows_around<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
    wrapped_column: Option<(usize, usize)>,
) -> Table {
    let mut lines = printable_lines(header, rows);
    if let Some((column, width)) = wrapped_column {
        for cell in lines.iter_mut().filter_map(|line| line.get_mut(column)) {
            *cell = wrapped(cell, width);
        }
    }
    filled(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()), lines)
}

/// A table with lines between its rows too.
pub fn lined_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    fitted(presets::UTF8_HORIZONTAL_ONLY, header, rows)
}

/// A table without lines.
pub fn plain_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    fitted(presets::NOTHING, header, rows)
}

/// A table without lines, as wide as its cells are.
pub fn unbroken_rows<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = filled(presets::NOTHING, printable_lines(header, rows));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn fitted<H: AsRef<str>, R: IntoIterator<Item = String>>(
    style: TableStyle,
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut lines = printable_lines(header, rows);
    let width = Table::new().width().map_or(usize::MAX - 1, usize::from);
    let is_wrapped = wrap_cells(&mut lines, width);
    let mut table = filled(style, lines);
    if is_wrapped {
        table.column_iter_mut().for_each(|column| _ = column.set_padding(NARROW));
    }
    table
}

/// The header and the rows below it, as they can be shown.
fn printable_lines<H: AsRef<str>, R: IntoIterator<Item = String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Vec<Vec<String>> {
    let header: Vec<String> =
        header.into_iter().map(|cell| printable(cell.as_ref()).into_owned()).collect();
    let row = |row: R| row.into_iter().map(|cell| printable(&cell).into_owned()).collect();
    let mut lines: Vec<Vec<String>> = vec![header];
    lines.extend(rows.into_iter().map(row));
    lines
}

fn filled(style: TableStyle, lines: Vec<Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    let mut lines = lines.into_iter();
    table.set_header(lines.next().unwrap_or_default());
    table.add_rows(lines);
    table
}

/// What stands before and behind a cell where there is little room. Between two columns there is a blank too.
const NARROW: (u16, u16) = (1, 0);
/// What each column takes beside its cells, with little room and with enough of it.
const GAP_NARROW: usize = 2;
const GAP: usize = 3;

/// Breaks cells into lines if their columns do not fit beside each other. Columns that are narrow stay as they
/// are; words are broken in as few columns as possible, those with the longest. Returns whether it was needed.
fn wrap_cells(lines: &mut [Vec<String>], width: usize) -> bool {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize, parts: fn(&str) -> Vec<&str>| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.flat_map(|cell| parts(cell)).map(columns).max().unwrap_or(0)
    };
    let measured = |parts| (0..count).map(|column| widest(column, parts)).collect::<Vec<usize>>();
    let room = |gap: usize| (width + 1).saturating_sub(gap * count);
    let natural = measured(|cell| vec![cell]);
    if natural.iter().sum::<usize>() <= room(GAP) {
        return false;
    }
    let room = room(GAP_NARROW);
    let mut least = measured(|cell| cell.split(' ').collect());
    let mut by_length: Vec<usize> = (0..count).collect();
    by_length.sort_by_key(|&column| std::cmp::Reverse(least[column]));
    for column in by_length {
        if least.iter().sum::<usize>() > room {
            least[column] = widest(column, pieces);
        }
    }
    let widths = shared(&natural, &least, room);
    for line in lines {
        for (cell, width) in line.iter_mut().zip(&widths) {
            *cell = wrapped(cell, *width);
        }
    }
    true
}

/// A width for each column: the natural one of those that are narrower than all others get, which is as much
/// as there is room for and never less than the least.
fn shared(natural: &[usize], least: &[usize], room: usize) -> Vec<usize> {
    let widths = |most: usize| -> Vec<usize> {
        natural.iter().zip(least).map(|(&wide, &narrow)| wide.min(most.max(narrow))).collect()
    };
    let fits = |most: &usize| widths(*most).iter().sum::<usize>() <= room;
    widths((1..=room).rev().find(fits).unwrap_or(1))
}

/// The cell in lines of at most `width` columns, as far as its words allow it.
fn wrapped(cell: &str, width: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in cell.split(' ') {
        let parts = if columns(word) > width { pieces(word) } else { vec![word] };
        for (index, part) in parts.into_iter().enumerate() {
            let line = lines.last_mut().expect("there is always a line");
            let gap = if index == 0 && !line.is_empty() { " " } else { "" };
            if line.is_empty() || columns(line) + gap.len() + columns(part) <= width {
                *line += gap;
                *line += part;
            } else {
                lines.push(part.to_owned());
            }
        }
    }
    lines.join("\n")
}

/// The parts of a text that are never broken: words, or what ends with a sign in one.
fn pieces(text: &str) -> Vec<&str> {
    text.split_inclusive([' ', '/', '-', '_', '.', ':', ','])
        .map(|part| part.trim_end_matches(' '))
        .collect()
}

fn columns(text: &str) -> usize {
    text.width()
}

/// Numbers stand below each other.
pub fn align_right(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&[&str]], width: usize, expected: &[&[&str]]) {
        let owned = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        let mut lines: Vec<Vec<String>> = rows.iter().map(owned).collect();
        wrap_cells(&mut lines, width);
        assert_eq!(lines, expected.iter().map(owned).collect::<Vec<Vec<String>>>());
    }

    #[test]
    fn cells_break_between_words_and_narrow_columns_stay() {
        let rows: &[&[&str]] = &[&["game", "from"], &["hockey", "the authors of it"]];
        check(rows, 28, rows);
        check(rows, 20, &[&["game", "from"], &["hockey", "the authors\nof it"]]);
        check(rows, 16, &[&["game", "from"], &["hockey", "the\nauthors\nof it"]]);
    }

    #[test]
    fn words_break_behind_signs_only_if_they_must() {
        let rows: &[&[&str]] = &[&["a", "by authors/of-it"]];
        check(rows, 17, &[&["a", "by\nauthors/of-it"]]);
        check(rows, 12, &[&["a", "by\nauthors/\nof-it"]]);
    }
}
