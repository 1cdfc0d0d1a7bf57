//! The word that somebody meant who wrote another one.

/// What a message on an unknown word ends with: `; did you mean X?`, or nothing if no known word is near.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, known).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

/// The known word that is nearest to what was written, the first of several, if no more than a third of
/// its letters differ. Two letters in the wrong order count as one.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = letters(written);
    let far = |word: &str| {
        let word = letters(word);
        let distance = distance(&written, &word);
        (distance * 3 <= written.len().max(word.len())).then_some(distance)
    };
    let near = known.into_iter().filter_map(|word| Some((far(word)?, word)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

fn letters(word: &str) -> Vec<char> {
    /// Nobody writes a longer key, and a text of any length must cost nothing.
    const LETTERS_MAX: usize = 64;
    word.chars().take(LETTERS_MAX).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// How many letters must be changed, put in, taken out or swapped with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != wanted);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *wanted && *letter == other[j - 1] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_meant_if_no_more_than_a_third_of_it_is_wrong() {
        let known = ["form", "game", "league", "time_scale"];
        for (written, meant) in [
            ("from", Some("form")),
            ("Form", Some("form")),
            ("leage", Some("league")),
            ("time-scale", Some("time_scale")),
            ("timescale", Some("time_scale")),
            ("gmae", Some("game")),
            ("", None),
            ("x", None),
            ("bots", None),
            ("formula1", None),
        ] {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
        assert_eq!(did_you_mean("from", known), "; did you mean `form`?");
        assert_eq!(did_you_mean("bots", known), "");
        assert_eq!(nearest(&"x".repeat(1_000_000), known), None);
    }
}
