//! Parses files of programs, in which each line is a command line.

use std::ffi::OsString;

use crate::Error;

/// The words of each line that has any. `#` opens a comment where a word could begin.
pub(super) fn lines_of_file(name: &str) -> Result<Vec<Vec<OsString>>, Error> {
    let refuse = |reason: String| Error::File {
        what: "file of programs",
        name: name.to_string(),
        reason,
    };
    let content = std::fs::read_to_string(name).map_err(|e| refuse(e.to_string()))?;
    let mut lines = Vec::new();
    for (at, line) in content.lines().enumerate() {
        let words = split(line).ok_or_else(|| Error::Line {
            what: "file of programs",
            file: name.to_string(),
            line: at + 1,
            text: line.trim().to_string(),
            wanted: "a program with its options, every quote closed".to_string(),
        })?;
        if !words.is_empty() {
            lines.push(words);
        }
    }
    match lines.is_empty() {
        true => Err(refuse("no program in it".to_string())),
        false => Ok(lines),
    }
}

/// The words of a line as a shell would part them; `None` when a quote is not closed.
fn split(line: &str) -> Option<Vec<OsString>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '#' if word.is_none() => break,
            letter if letter.is_whitespace() => words.extend(word.take().map(OsString::from)),
            '\\' => word.get_or_insert_default().push(letters.next()?),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        end if end == letter => break,
                        '\\' if letter == '"' => word.push(letters.next()?),
                        inside => word.push(inside),
                    }
                }
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.map(OsString::from));
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parted_as_a_shell_would() {
        for (line, words) in [
            ("-n 2 a  b", &["-n", "2", "a", "b"][..]),
            ("a 'b c' \"d \\\" e\" f\\ g", &["a", "b c", "d \" e", "f g"]),
            ("a'b'c ''", &["abc", ""]),
            ("# nothing", &[]),
            ("a#b # c", &["a#b"]),
        ] {
            assert_eq!(split(line).unwrap(), words, "{line}");
        }
        for bad in ["a 'b", "\"", "a \\"] {
            assert_eq!(split(bad), None, "{bad}");
        }
    }
}
