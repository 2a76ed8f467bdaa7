//! The two kinds of files that set parameters.
//!
//! A parameter file has one `name = value` a line; `#` opens a comment line, and a value may be
//! in quotes. A tune file may also hold options as they stand on a command line, several a line:
//! `--mca name value`, `-x VARIABLE=value`, `-x VARIABLE`.

use std::path::Path;

use crate::{Error, FileLine};

/// One `name = value` of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub name: String,
    pub text: String,
    pub place: FileLine,
}

/// One variable that a tune file sends to the ranks.
pub(crate) type Export = (String, Option<String>);

/// Reads a parameter file.
pub(crate) fn parse_params(path: &Path, content: &str) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    for (place, text) in meaningful_lines(path, content) {
        lines.push(parse_assignment(place, text)?);
    }
    Ok(lines)
}

/// Reads a tune file: its parameters and the variables that it exports.
pub(crate) fn parse_tune(path: &Path, content: &str) -> Result<(Vec<Line>, Vec<Export>), Error> {
    let (mut lines, mut exports) = (Vec::new(), Vec::new());
    for (place, text) in meaningful_lines(path, content) {
        if !text.starts_with('-') {
            lines.push(parse_assignment(place, text)?);
            continue;
        }
        let bad = || Error::Line {
            place: place.clone(),
            text: text.to_string(),
        };
        let mut tokens = tokens(text).ok_or_else(bad)?.into_iter();
        while let Some(option) = tokens.next() {
            match option.trim_start_matches('-') {
                "mca" | "gmca" | "omca" => {
                    let name = tokens.next().filter(|name| is_name(name)).ok_or_else(bad)?;
                    let text = tokens.next().ok_or_else(bad)?;
                    lines.push(Line {
                        name,
                        text,
                        place: place.clone(),
                    });
                }
                "x" => {
                    let export = tokens.next().filter(|export| !export.is_empty());
                    exports.push(parse_export(&export.ok_or_else(bad)?));
                }
                _ => return Err(bad()),
            }
        }
    }
    Ok((lines, exports))
}

fn meaningful_lines<'a>(
    path: &'a Path,
    content: &'a str,
) -> impl Iterator<Item = (FileLine, &'a str)> + 'a {
    let numbered = content.lines().enumerate();
    numbered
        .map(move |(at, text)| (FileLine::new(path, at + 1), text.trim()))
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
}

fn parse_assignment(place: FileLine, text: &str) -> Result<Line, Error> {
    match text.split_once('=') {
        Some((name, value)) if is_name(name.trim()) => {
            let (name, text) = (name.trim().to_string(), unquote(value.trim()).to_string());
            Ok(Line { name, text, place })
        }
        _ => Err(Error::Line {
            place,
            text: text.to_string(),
        }),
    }
}

fn parse_export(text: &str) -> Export {
    match text.split_once('=') {
        Some((variable, value)) => (variable.to_string(), Some(value.to_string())),
        None => (text.to_string(), None),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn unquote(text: &str) -> &str {
    for quote in ['"', '\''] {
        let inner = text
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    text
}

/// Splits at blanks outside quotes; `None` when a quote stays open.
fn tokens(text: &str) -> Option<Vec<String>> {
    let mut tokens = Vec::new();
    let mut token: Option<String> = None;
    let mut open: Option<char> = None;
    for letter in text.chars() {
        match open {
            Some(quote) if letter == quote => open = None,
            Some(_) => token.get_or_insert_with(String::new).push(letter),
            None if letter == '"' || letter == '\'' => {
                open = Some(letter);
                token.get_or_insert_with(String::new);
            }
            None if letter.is_whitespace() => tokens.extend(token.take()),
            None => token.get_or_insert_with(String::new).push(letter),
        }
    }
    tokens.extend(token);
    open.is_none().then_some(tokens)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(lines: &[Line]) -> Vec<(&str, &str, usize)> {
        lines
            .iter()
            .map(|l| (l.name.as_str(), l.text.as_str(), l.place.line))
            .collect()
    }

    #[test]
    fn a_parameter_file_has_names_values_comments_and_line_numbers() {
        let content = "# site\n\n btl = tcp,self \r\n  # more\npath=\"/a b\"\nempty =\nx=a=b # c\n";
        let lines = parse_params(Path::new("/p"), content).unwrap();
        let expected = [
            ("btl", "tcp,self", 3),
            ("path", "/a b", 5),
            ("empty", "", 6),
            ("x", "a=b # c", 7),
        ];
        assert_eq!(pairs(&lines), expected);
    }

    #[test]
    fn a_line_that_is_not_one_is_an_error_with_its_number() {
        for bad in ["btl tcp", "= tcp", "b l = tcp", "--mca btl tcp"] {
            let error = parse_params(Path::new("/p"), &format!("a=1\n{bad}\n")).unwrap_err();
            let message = error.to_string();
            assert!(
                message.contains("/p:2") && message.contains(bad),
                "{message}"
            );
        }
    }

    #[test]
    fn a_tune_file_holds_assignments_and_options() {
        let content = "btl = sm\n--mca pml ob1 -x A='1 2' -x B\n-mca mpi_x \"\"\n";
        let (lines, exports) = parse_tune(Path::new("/t"), content).unwrap();
        assert_eq!(
            pairs(&lines),
            [("btl", "sm", 1), ("pml", "ob1", 2), ("mpi_x", "", 3)]
        );
        let expected = [
            ("A".to_string(), Some("1 2".to_string())),
            ("B".to_string(), None),
        ];
        assert_eq!(exports, expected);
        for bad in [
            "--mca btl",
            "--mca",
            "-x",
            "--np 4",
            "--mca btl 'tcp",
            "btl",
        ] {
            let error = parse_tune(Path::new("/t"), bad).unwrap_err();
            assert!(error.to_string().contains("/t:1"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_content_is_read_or_refused_and_never_a_panic(content in "(?s).{0,80}") {
            let _ = parse_params(Path::new("/p"), &content);
            let _ = parse_tune(Path::new("/t"), &content);
        }

        #[test]
        fn what_is_assigned_is_read(name in "[a-z][a-z0-9_]{0,12}", text in "[!-~&&[^\"']]{0,12}") {
            let lines = parse_params(Path::new("/p"), &format!("{name} = {text}")).unwrap();
            prop_assert_eq!(pairs(&lines), [(name.as_str(), text.as_str(), 1)]);
            let option = format!("--mca {name} \"{text}\"");
            let (lines, _) = parse_tune(Path::new("/t"), &option).unwrap();
            prop_assert_eq!(pairs(&lines), [(name.as_str(), text.as_str(), 1)]);
        }
    }
}
