//! Reading a command line into a [`Request`], by the table of options.
//!
//! Options end at the first word that is none: the program. A word `:` ends its arguments and
//! opens the next program. Options about counts, variables, directories and hosts hold for the
//! program that follows them; all others for the whole job, wherever they stand.

mod apply;
mod variables;
mod words;

use std::ffi::OsString;

use crate::hosts::{Entry, Slots};
use crate::options::{self, Does, Row};
use crate::request::App;
use crate::Error;

pub use crate::request::{Request, Tags};
pub(crate) use apply::seconds;

/// What a command line asks for.
#[derive(Debug)]
pub enum Parsed {
    /// To print this (with `{name}` for the program's name) and do nothing else.
    Print(String),
    /// To run a job.
    Run(Box<Request>),
}

/// How deep files of programs may name files of programs.
const FILES_DEPTH_MAX: u32 = 8;

/// Reads the arguments after the launcher's own name, and the files of programs that they name.
/// What they do not say may come from variables, which `variable` looks up.
pub fn parse(
    arguments: &[OsString],
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Parsed, Error> {
    let mut request = Request {
        stdin: Some(0),
        ..Request::default()
    };
    variables::apply(&mut request, variable)?;
    match parse_parts(&mut request, arguments, 0)? {
        Some(text) => Ok(Parsed::Print(text)),
        None => Ok(Parsed::Run(Box::new(request))),
    }
}

/// How many ranks the hosts of a program make room for, when they say.
pub fn slots(app: &App) -> Option<u32> {
    let count = |entry: &Entry| match entry.slots {
        Slots::Count(count) => count,
        Slots::Unsaid | Slots::All => 1,
    };
    let counts = app.hosts.iter().map(count);
    counts.reduce(|sum, count| sum.saturating_add(count))
}

/// Adds the programs of all parts to the request; a text is to be printed in place of running it.
fn parse_parts(
    request: &mut Request,
    arguments: &[OsString],
    depth: u32,
) -> Result<Option<String>, Error> {
    for part in arguments.split(|argument| argument == ":") {
        match parse_part(request, part)? {
            Part::Print(text) => return Ok(Some(text)),
            Part::File(name) => {
                if depth == FILES_DEPTH_MAX {
                    let wanted = "a file that does not name itself";
                    return Err(wrong("--app", &name, wanted));
                }
                for line in words::lines_of_file(&name)? {
                    if let Some(text) = parse_parts(request, &line, depth + 1)? {
                        return Ok(Some(text));
                    }
                }
            }
            Part::App(app, rest) => {
                let (program, arguments) = rest.split_first().ok_or(Error::NoProgram)?;
                request.apps.push(App {
                    program: program.clone(),
                    arguments: arguments.to_vec(),
                    ..*app
                });
            }
        }
    }
    match request.apps.is_empty() {
        true => Err(Error::NoProgram),
        false => Ok(None),
    }
}

enum Part<'a> {
    Print(String),
    /// The programs are in this file.
    File(String),
    App(Box<App>, &'a [OsString]),
}

fn parse_part<'a>(request: &mut Request, part: &'a [OsString]) -> Result<Part<'a>, Error> {
    let mut app = App::default();
    let mut file = None;
    let mut rest = part;
    while let Some((word, after)) = rest.split_first() {
        // A word that is no text is no option.
        let Some(word) = word.to_str() else { break };
        if word == "--" {
            rest = after;
            break;
        }
        if !word.starts_with('-') || word == "-" {
            break;
        }
        let (row, inline) = look_up(word)?;
        let values;
        (values, rest) = take_values(word, row, inline, after)?;
        match row.does {
            Does::Help => return Ok(Part::Print(options::help())),
            Does::Version => {
                let version = concat!("{name} (oxmpi) ", env!("CARGO_PKG_VERSION"), "\n");
                return Ok(Part::Print(version.to_string()));
            }
            Does::Apps => file = values.into_iter().next(),
            _ => apply::apply(request, &mut app, word, row, &values)?,
        }
    }
    match file {
        Some(name) if rest.is_empty() => Ok(Part::File(name)),
        _ => Ok(Part::App(Box::new(app), rest)),
    }
}

/// The row for a word, and the value after its `=`.
fn look_up(word: &str) -> Result<(&'static Row, Option<String>), Error> {
    let name = word
        .strip_prefix("--")
        .or(word.strip_prefix('-'))
        .unwrap_or(word);
    if let Some(row) = options::find(name) {
        return Ok((row, None));
    }
    if let Some((name, value)) = name.split_once('=') {
        if let Some(row) = options::find(name).filter(|row| row.values.len() == 1) {
            return Ok((row, Some(value.to_string())));
        }
    }
    let plain = name.split('=').next().unwrap_or(name);
    Err(Error::UnknownOption {
        option: word.to_string(),
        nearest: options::nearest(plain),
    })
}

fn take_values<'a>(
    word: &str,
    row: &Row,
    inline: Option<String>,
    after: &'a [OsString],
) -> Result<(Vec<String>, &'a [OsString]), Error> {
    if let Some(value) = inline {
        return Ok((vec![value], after));
    }
    if after.len() < row.takes() {
        let wanted = match row.takes() {
            1 => "a value",
            _ => "a name and a value",
        };
        return Err(Error::MissingValue {
            option: word.to_string(),
            wanted,
        });
    }
    let (values, rest) = after.split_at(row.takes());
    let text = |value: &OsString| match value.to_str() {
        Some(text) => Ok(text.to_string()),
        None => Err(wrong(word, &value.to_string_lossy(), "a value in UTF-8")),
    };
    Ok((values.iter().map(text).collect::<Result<_, _>>()?, rest))
}

/// A value that an option cannot take.
pub(crate) fn wrong(option: &str, value: &str, wanted: impl Into<String>) -> Error {
    Error::Value {
        option: option.to_string(),
        value: value.to_string(),
        wanted: wanted.into(),
    }
}

#[cfg(test)]
mod tests;
