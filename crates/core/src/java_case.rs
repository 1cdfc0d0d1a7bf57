//! Words without regard to case as Java and Kotlin compare them after `toUpperCase`, for protocols whose
//! original engines run on that machine.

/// Whether the text becomes `upper` when it is made upper case. Other letters than those of ASCII can
/// become such: the long s an S, the dotless i an I, a ligature two letters.
pub fn java_upper_is(text: &str, upper: &str) -> bool {
    if text.is_ascii() {
        return text.eq_ignore_ascii_case(upper);
    }
    text.chars().flat_map(char::to_uppercase).eq(upper.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_ascii_are_the_same_in_both_cases() {
        for text in ["fix", "Fix", "FIX"] {
            assert!(java_upper_is(text, "FIX"), "{text}");
        }
        for text in ["", "fi", "fixx", "f-x"] {
            assert!(!java_upper_is(text, "FIX"), "{text}");
        }
    }

    #[test]
    fn letters_that_upper_case_turns_into_ascii_are_the_same() {
        for (text, upper) in [
            ("\u{17f}e", "SE"),
            ("f\u{131}x", "FIX"),
            ("\u{fb01}x", "FIX"),
            ("boo\u{fb06}", "BOOST"),
        ] {
            assert!(java_upper_is(text, upper), "{text}");
        }
    }

    #[test]
    fn letters_that_only_look_alike_or_only_have_a_lower_case_in_ascii_are_others() {
        // An I with a dot, the Kelvin sign, full-width letters, a Cyrillic capital.
        for (text, upper) in
            [("F\u{130}X", "FIX"), ("\u{212a}", "K"), ("\u{ff26}IX", "FIX"), ("\u{0405}", "S")]
        {
            assert!(!java_upper_is(text, upper), "{text}");
        }
        assert!(!java_upper_is("ß", "S"));
    }
}
