//! Numbers in decimal digits, for protocols that write thousands of them a second. The formatting
//! of the standard library would take most of the time that a referee needs for a turn.

/// Appends `number` in decimal digits.
#[inline]
pub fn push_number(out: &mut Vec<u8>, number: impl Into<u32>) {
    let mut left = number.into();
    if left < 10 {
        return out.push(b'0' + left as u8);
    }
    let mut digits = [0; 10];
    let mut at = digits.len();
    while left > 0 {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends `number` in decimal digits, after a `-` if it is negative.
#[inline]
pub fn push_signed(out: &mut Vec<u8>, number: impl Into<i64>) {
    let number = number.into();
    if number < 0 {
        out.push(b'-');
    }
    match u32::try_from(number.unsigned_abs()) {
        Ok(small) => push_number(out, small),
        Err(_) => out.extend_from_slice(number.unsigned_abs().to_string().as_bytes()),
    }
}

/// Appends a number after what stands before it, such as the key of a member.
#[inline]
pub fn push_field(out: &mut Vec<u8>, label: &str, number: impl Into<i64>) {
    out.extend_from_slice(label.as_bytes());
    push_signed(out, number);
}

/// A line of numbers, one blank apart.
pub fn number_line<const COUNT: usize>(numbers: [i32; COUNT]) -> String {
    let mut line = Vec::with_capacity(COUNT * 5);
    for (index, number) in numbers.into_iter().enumerate() {
        if index > 0 {
            line.push(b' ');
        }
        push_signed(&mut line, number);
    }
    String::from_utf8(line).expect("digits, blanks and dashes are text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let mut numbers = vec![0, i64::MIN, i64::MAX];
        for power in 0..19 {
            let power = 10_i64.pow(power);
            numbers.extend([power - 1, power, power + 1, 1 - power, -power, -power - 1]);
        }
        for number in numbers {
            let mut written = Vec::new();
            push_signed(&mut written, number);
            assert_eq!(String::from_utf8(written), Ok(number.to_string()));
        }
        let mut written = Vec::new();
        push_number(&mut written, u32::MAX);
        assert_eq!(written, u32::MAX.to_string().as_bytes());
    }

    #[test]
    fn a_line_has_one_blank_between_numbers_and_none_around_them() {
        assert_eq!(number_line([7, -12, 0]), "7 -12 0");
        assert_eq!(number_line([3]), "3");
        assert_eq!(number_line([]), "");
    }
}
