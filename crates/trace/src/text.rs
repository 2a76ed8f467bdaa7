//! Texts: reading them out of a rank's memory, and writing numbers for people and names into files.

/// Returns the text at a position; empty outside of the text.
pub(crate) fn text_at(text: &[u8], at: u32) -> String {
    let read = || {
        let rest = text.get(at as usize..)?;
        let (len, rest) = rest.split_first_chunk::<2>()?;
        rest.get(..u16::from_le_bytes(*len) as usize)
    };
    String::from_utf8_lossy(read().unwrap_or_default()).into_owned()
}

/// Returns a text as a string of JSON, with its quotes.
pub(crate) fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Returns a time for people: `1.23 ms`.
pub(crate) fn time(nanos: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let unit = units.iter().find(|(size, _)| nanos.abs() >= *size);
    match unit {
        Some((size, name)) => format!("{} {name}", digits(nanos / size)),
        None => format!("{nanos:.0} ns"),
    }
}

/// Returns a number of bytes for people: `1.23 MiB`.
pub(crate) fn bytes(bytes: f64) -> String {
    let units = [
        (f64::from(1 << 30) * 1024.0, "TiB"),
        (f64::from(1 << 30), "GiB"),
        (f64::from(1 << 20), "MiB"),
        (1024.0, "KiB"),
    ];
    let unit = units.iter().find(|(size, _)| bytes >= *size);
    match unit {
        Some((size, name)) => format!("{} {name}", digits(bytes / size)),
        None => format!("{bytes:.0} B"),
    }
}

/// Returns a number with three digits.
fn digits(number: f64) -> String {
    match number.abs() {
        n if n >= 99.95 => format!("{number:.0}"),
        n if n >= 9.995 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(json("a\"b\\c\nd"), r#""a\"b\\c\u000ad""#);
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(time(999.0), "999 ns");
        assert_eq!(time(1234.0), "1.23 us");
        assert_eq!(time(123_456_789.0), "123 ms");
        assert_eq!(bytes(12.0), "12 B");
        assert_eq!(bytes(65536.0), "64.0 KiB");
        assert_eq!(bytes(3.0 * 1024.0 * 1024.0), "3.00 MiB");
    }

    #[test]
    fn a_position_outside_of_the_text_is_empty() {
        let text = [0, 0, 3, 0, b'a', b'b', b'c'];
        assert_eq!(text_at(&text, 2), "abc");
        assert_eq!(text_at(&text, 0), "");
        assert_eq!(text_at(&text, 5), "");
        assert_eq!(text_at(&text, 700), "");
    }
}
