//! Numbers and times as sentences have them.

use std::time::Duration;

/// A number with its thousands apart: 1,214.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A small number as a word, a large one in digits.
pub fn number_in_words(number: u64) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = usize::try_from(number).ok().and_then(|number| WORDS.get(number));
    word.map_or_else(|| grouped(number), |word| (*word).to_owned())
}

/// What lies between two ends, of which either may be open: "21 to 55", "21 or more", "anything".
pub(crate) fn range_in_words(low: Option<f64>, high: Option<f64>) -> String {
    // Rounded first, so that there is no -0.
    let whole = |value: f64| value.round() as i64;
    match (low.map(whole), high.map(whole)) {
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("{low} or more"),
        (None, Some(high)) => format!("{high} or less"),
        (None, None) => "anything".to_owned(),
    }
}

/// A span of time in words, as exact as anybody wants to know it: 4.2 s, 41 s, 3 min 20 s, 2 h 5 min.
pub fn spoken(time: Duration) -> String {
    let tenths = (time.as_millis() + 50) / 100;
    let seconds = (time.as_millis() + 500) / 1000;
    let minutes = (seconds + 30) / 60;
    if tenths < 100 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if seconds < 60 {
        format!("{seconds} s")
    } else if seconds < 3600 {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else {
        format!("{} h {} min", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_easy_to_read() {
        let numbers = [0, 7, 999, 1_000, 12_345, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(
            [0, 2, 12, 13, 1_300].map(number_in_words),
            ["no", "two", "twelve", "13", "1,300"]
        );
        let times = [0.04, 9.94, 9.97, 59.4, 59.6, 3_599.0, 7_169.9];
        let times = times.map(|seconds| spoken(Duration::from_secs_f64(seconds)));
        assert_eq!(
            times,
            ["0.0 s", "9.9 s", "10 s", "59 s", "1 min 0 s", "59 min 59 s", "2 h 0 min"]
        );
    }
}
