//! Parses a command line into a [`Request`], by the table of options.
//!
//! Options end at the first argument that is not an option: the program. An argument `:` ends the
//! program's arguments and begins the next program. Options for counts, variables, directories and
//! hosts apply to the program that follows them; all others apply to the whole job.

mod apply;
mod variables;
mod words;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use trace::layout::Keep;

use crate::error::invalid_value;
use crate::hosts::{Entry, Slots};
use crate::options::{self, Effect, Row};
use crate::recording;
use crate::request::AppRequest;
use crate::Error;

pub use crate::request::{Request, Tags};
pub(crate) use apply::seconds;

/// The request of a command line.
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
/// Settings that they lack may come from variables, which `variable` looks up.
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
        None => {
            trace(&mut request);
            Ok(Parsed::Run(Box::new(request)))
        }
    }
}

/// Has the programs of a request traced, where it wants that.
fn trace(request: &mut Request) {
    let tracing = &request.tracing;
    if tracing.is_wanted() {
        let wanted = recording::RecordSettings {
            records: tracing.records.unwrap_or(recording::RECORDS_DEFAULT),
            keep: match tracing.keeps_slowest {
                true => Keep::Slowest,
                false => Keep::Newest,
            },
        };
        let value = wanted.value().into();
        request.env.push((recording::VARIABLE.into(), value));
    }
}

/// Returns the sum of the slots of a program's hosts; `None` without hosts.
pub fn slots(app: &AppRequest) -> Option<u32> {
    let count = |entry: &Entry| match entry.slots {
        Slots::Count(count) => count,
        Slots::Unspecified | Slots::All => 1,
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
        match parse_segment(request, part)? {
            Segment::Print(text) => return Ok(Some(text)),
            Segment::File(name) => {
                if depth == FILES_DEPTH_MAX {
                    let wanted = "a file that does not name itself";
                    return Err(invalid_value("--app", &name, wanted));
                }
                for line in words::lines_of_file(&name)? {
                    if let Some(text) = parse_parts(request, &line, depth + 1)? {
                        return Ok(Some(text));
                    }
                }
            }
            Segment::App(app, rest) => {
                let (program, arguments) = rest.split_first().ok_or(Error::NoProgram)?;
                request.apps.push(AppRequest {
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

enum Segment<'a> {
    Print(String),
    /// The programs are in this file.
    File(String),
    App(Box<AppRequest>, &'a [OsString]),
}

fn parse_segment<'a>(request: &mut Request, part: &'a [OsString]) -> Result<Segment<'a>, Error> {
    let mut app = AppRequest::default();
    let mut file = None;
    let mut rest = part;
    while let Some((first, after)) = rest.split_first() {
        if first == "--" {
            rest = after;
            break;
        }
        if !first.as_bytes().starts_with(b"-") || first == "-" {
            break;
        }
        let (row, word, inline) = look_up(first)?;
        let values;
        (values, rest) = take_values(&word, row, inline, after)?;
        match row.effect {
            Effect::Help => return Ok(Segment::Print(options::help())),
            Effect::Version => {
                return Ok(Segment::Print(options::VERSION.to_string()));
            }
            Effect::Apps => file = Some(apply::in_text(&word, &values[0])?.to_string()),
            _ => apply::apply(request, &mut app, &word, row, &values)?,
        }
    }
    match file {
        Some(name) if rest.is_empty() => Ok(Segment::File(name)),
        _ => Ok(Segment::App(Box::new(app), rest)),
    }
}

/// The row for a word, the option as it was written, and the value after its `=`.
fn look_up(word: &OsStr) -> Result<(&'static Row, String, Option<OsString>), Error> {
    let bytes = word.as_bytes();
    let option = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let find = |option: &str| {
        let name = option.strip_prefix("--").or(option.strip_prefix('-'));
        options::find(name.unwrap_or(option))
    };
    let whole = option(bytes);
    if let Some(row) = find(&whole) {
        return Ok((row, whole, None));
    }
    let end = bytes.iter().position(|&byte| byte == b'=');
    let plain = option(&bytes[..end.unwrap_or(bytes.len())]);
    if let (Some(end), Some(row)) = (end, find(&plain).filter(|row| row.values.len() == 1)) {
        let value = OsStr::from_bytes(&bytes[end + 1..]);
        return Ok((row, whole, Some(value.to_os_string())));
    }
    Err(Error::UnknownOption {
        nearest: options::nearest(plain.trim_start_matches('-')),
        option: whole,
    })
}

fn take_values<'a>(
    word: &str,
    row: &Row,
    inline: Option<OsString>,
    after: &'a [OsString],
) -> Result<(Vec<OsString>, &'a [OsString]), Error> {
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
    Ok((values.to_vec(), rest))
}

#[cfg(test)]
mod tests;
