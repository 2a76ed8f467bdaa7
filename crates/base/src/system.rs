//! The system's words for its errors.

/// The words that Rust's standard library puts behind the system's words, before the number.
const BEFORE: &str = " (os error ";

/// Returns a text without the numbers that Rust's standard library adds to the system's words:
/// "No such file or directory (os error 2)" is what no C program says, and the words are enough.
///
/// Errors are shown to the user in few places, each of which shows plain texts; where they come
/// about is all over the code.
pub fn plain(text: impl Into<String>) -> String {
    let mut text = text.into();
    let mut from = 0;
    while let Some(at) = text[from..].find(BEFORE).map(|at| from + at) {
        let number = &text[at + BEFORE.len()..];
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        from = match number[digits..].starts_with(')') && digits > 0 {
            true => {
                text.replace_range(at..at + BEFORE.len() + digits + 1, "");
                at
            }
            false => at + BEFORE.len(),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_of_errors_go() {
        for number in [1, 2, 13, 28, 110] {
            let error = std::io::Error::from_raw_os_error(number);
            let words = plain(error.to_string());
            assert!(!words.is_empty() && !words.contains('('), "{words}");
            let framed = format!("open `/a`: {error}; open `/b`: {error}, twice");
            let expected = format!("open `/a`: {words}; open `/b`: {words}, twice");
            assert_eq!(plain(framed), expected);
        }
        for same in [
            "",
            "as it is",
            " (os error 2",
            "x (os error )",
            " (os error two)",
        ] {
            assert_eq!(plain(same), same);
        }
    }
}
