//! Text for spreadsheets, and for programs that read them.

/// Rows of cells below a header, as CSV.
pub fn sheet<R: IntoIterator<Item = String>>(
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut text = line(header);
    for row in rows {
        text += &line(row);
    }
    text
}

/// One line. What a spreadsheet would take for a formula stands behind an apostrophe, which makes it text
/// there; numbers stay numbers.
pub fn line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells.into_iter().map(guarded)).expect("memory takes everything");
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("cells are text")
}

fn guarded(cell: impl AsRef<str>) -> String {
    let cell = cell.as_ref();
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let guard = if is_formula && cell.parse::<f64>().is_err() { "'" } else { "" };
    format!("{guard}{cell}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cell: &str, expected: &str) {
        assert_eq!(line([cell, "1"]), format!("{expected},1\n"));
    }

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        check("plain", "plain");
        check("a, \"b\"", "\"a, \"\"b\"\"\"");
        check("a\nb", "\"a\nb\"");
    }

    #[test]
    fn a_cell_that_a_spreadsheet_would_compute_is_text_and_a_number_stays_one() {
        for formula in ["=1+2", "+cmd", "-2+3", "@SUM(A1)", "\tx", "-", "+-1"] {
            check(formula, &format!("'{formula}"));
        }
        check("=HYPERLINK(\"a\",1)", "\"'=HYPERLINK(\"\"a\"\",1)\"");
        check("\r=1", "\"'\r=1\"");
        for number in ["-1", "+3", "-0.25", "-1e6", "12", ""] {
            check(number, number);
        }
    }
}
