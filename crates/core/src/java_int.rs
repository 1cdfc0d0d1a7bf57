//! Integers in text as Java's `Integer.parseInt` and Kotlin's `toInt` read them, for protocols whose
//! original engines run on that machine.
//!
//! Their digits are the decimal digits of every script, not only those of ASCII, and scripts may be
//! mixed within a number. They look at UTF-16 units one by one, so that the digits beyond the basic
//! plane, which take two units, are none.

/// The zeros of all decimal digits (Unicode's category Nd) of the basic plane. The nine others of a
/// script follow its zero.
const ZEROS: [u16; 37] = [
    0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6,
    0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80,
    0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0xFF10,
];

/// An integer of 32 bits: digits of any script, a `+` or `-` of ASCII allowed before them.
pub fn java_int(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    if digits.is_empty() {
        return None;
    }
    // Negative numbers reach one further than positive ones, so the sign goes along with each digit.
    digits.chars().try_fold(0_i32, |number, letter| {
        number.checked_mul(10)?.checked_add(sign * digit(letter)?)
    })
}

fn digit(letter: char) -> Option<i32> {
    let unit = u16::try_from(u32::from(letter)).ok()?;
    let at_or_below = ZEROS.partition_point(|&zero| zero <= unit);
    let value = unit - ZEROS[at_or_below.checked_sub(1)?];
    (value < 10).then_some(i32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_read_as_the_standard_library_reads_it() {
        let words = [
            "0",
            "7",
            "-7",
            "+7",
            "007",
            "-0",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "99999999999",
            "",
            "+",
            "-",
            "--1",
            "+-1",
            "1.0",
            "1e3",
            " 1",
            "1 ",
            "0x1",
            "1_000",
            "/",
            ":",
            "a",
        ];
        for word in words {
            assert_eq!(java_int(word), word.parse().ok(), "{word:?}");
        }
    }

    #[test]
    fn digits_of_every_script_are_digits_and_may_be_mixed() {
        assert_eq!(java_int("٣٠٠"), Some(300));
        assert_eq!(java_int("３００"), Some(300));
        assert_eq!(java_int("-٣1９"), Some(-319));
        assert_eq!(java_int("+०९"), Some(9));
        for zero in ZEROS {
            for value in 0..10 {
                let letter = char::from_u32(u32::from(zero) + value).expect("no surrogate");
                assert!(letter.is_numeric(), "{letter}");
                assert_eq!(java_int(&letter.to_string()), Some(value as i32), "{letter}");
            }
        }
    }

    #[test]
    fn what_is_no_decimal_digit_of_the_basic_plane_makes_no_number() {
        // A superscript, a fraction, a Roman numeral, an ideograph, a letter after a script's nine,
        // digits beyond the basic plane, and signs that are not those of ASCII.
        for word in ["²", "½", "Ⅳ", "三", "\u{66a}", "𝟑", "𞥐", "−3", "＋3", "٣ "] {
            assert_eq!(java_int(word), None, "{word:?}");
        }
    }
}
