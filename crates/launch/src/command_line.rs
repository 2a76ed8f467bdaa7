//! Reading a command line into a request, by the table of options.
//!
//! Options end at the first word that is none: the program. A word `:` ends its arguments and
//! opens the next program. Options about counts, variables and directories hold for the program
//! that follows them; all others for the whole job, wherever they stand.

use std::ffi::OsString;
use std::time::Duration;

use crate::hosts::{self, Entry, Slots};
use crate::options::{self, Does, Row};
use crate::policy::Policy;
use crate::Error;

/// The parameters that make the choice of transports heard.
const EXPLAINED: [&str; 4] = [
    "btl_base_verbose",
    "bml_base_verbose",
    "mtl_base_verbose",
    "pml_base_verbose",
];

/// What a command line asks for.
#[derive(Debug)]
pub enum Parsed {
    /// To print this (with `{name}` for the program's name) and do nothing else.
    Print(String),
    /// To run a job.
    Run(Request),
}

/// A job as it was asked for; nothing is looked up yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Request {
    /// The programs; at least one.
    pub apps: Vec<App>,
    /// Variables for all programs.
    pub env: Vec<(String, String)>,
    /// Parameters of `--mca`.
    pub parameters: Vec<(String, String)>,
    /// Lists of files of `--tune`.
    pub tune: Vec<String>,
    /// Files of hosts.
    pub host_files: Vec<String>,
    /// How each line of output is opened.
    pub tags: Tags,
    /// When the job is ended at the latest.
    pub timeout: Option<Duration>,
    /// The rank that gets the standard input; `None` when none does.
    pub stdin: Option<u32>,
    /// How ranks are put on hosts, numbered and bound.
    pub policy: Policy,
    /// What was accepted but does nothing here, to be told to the user.
    pub notes: Vec<String>,
    /// Print the bindings.
    pub report_bindings: bool,
    /// Print the map of ranks.
    pub display_map: bool,
    /// Say more.
    pub verbose: bool,
    /// Say less.
    pub quiet: bool,
}

/// One program of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct App {
    /// The program as it was written.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// How many ranks run it; `None` when not said.
    pub count: Option<u32>,
    /// Variables for it: a name, and a value where one was given.
    pub env: Vec<(String, Option<String>)>,
    /// Its working directory.
    pub directory: Option<String>,
    /// Hosts for it.
    pub hosts: Vec<Entry>,
}

/// How each line of output is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tags {
    /// With `[1,RANK]<STREAM>:`.
    pub stream: bool,
    /// With `[RANK] `.
    pub rank: bool,
    /// With the time.
    pub time: bool,
}

/// Reads the arguments after the launcher's own name.
pub fn parse(arguments: &[OsString]) -> Result<Parsed, Error> {
    let mut request = Request {
        stdin: Some(0),
        ..Request::default()
    };
    for part in arguments.split(|argument| argument == ":") {
        let (app, rest) = match parse_part(&mut request, part)? {
            Part::Print(text) => return Ok(Parsed::Print(text)),
            Part::App(app, rest) => (app, rest),
        };
        let (program, arguments) = rest.split_first().ok_or(Error::NoProgram)?;
        let (program, arguments) = (program.clone(), arguments.to_vec());
        request.apps.push(App {
            program,
            arguments,
            ..app
        });
    }
    if request.apps.len() > 1 {
        // One a processor is a default for a job of one program only.
        request
            .apps
            .iter_mut()
            .for_each(|app| app.count = app.count.or(slots(app)).or(Some(1)));
    }
    Ok(Parsed::Run(request))
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

enum Part<'a> {
    Print(String),
    App(App, &'a [OsString]),
}

fn parse_part<'a>(request: &mut Request, part: &'a [OsString]) -> Result<Part<'a>, Error> {
    let mut app = App::default();
    let mut rest = part;
    while let Some((word, after)) = rest.split_first() {
        // A word that is no text is no option.
        let Some(word) = word.to_str() else { break };
        if word == "--" {
            return Ok(Part::App(app, after));
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
            _ => apply(request, &mut app, word, row, &values)?,
        }
    }
    Ok(Part::App(app, rest))
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
    if after.len() < row.values.len() {
        let wanted = match row.values.len() {
            1 => "a value",
            _ => "a name and a value",
        };
        return Err(Error::MissingValue {
            option: word.to_string(),
            wanted,
        });
    }
    let (values, rest) = after.split_at(row.values.len());
    let text = |value: &OsString| match value.to_str() {
        Some(text) => Ok(text.to_string()),
        None => Err(wrong(word, &value.to_string_lossy(), "a value in UTF-8")),
    };
    Ok((values.iter().map(text).collect::<Result<_, _>>()?, rest))
}

fn apply(
    request: &mut Request,
    app: &mut App,
    word: &str,
    row: &Row,
    values: &[String],
) -> Result<(), Error> {
    let value = values.first().map_or("", String::as_str);
    let pair = || (values[0].clone(), values[1].clone());
    match row.does {
        Does::Count => app.count = Some(count(word, value)?),
        Does::Export => app.env.push(export(word, value)?),
        Does::Env => app
            .env
            .push(export(word, &format!("{}={}", values[0], values[1]))?),
        Does::EnvAll => {
            export(word, &format!("{}={}", values[0], values[1]))?;
            request.env.push(pair());
        }
        Does::EnvList => {
            value
                .split(',')
                .try_for_each(|name| export(word, name).map(|_| ()))?;
        }
        Does::Directory => app.directory = Some(value.to_string()),
        Does::Parameter => request.parameters.push(pair()),
        Does::Explain => {
            let told = EXPLAINED.map(|name| (name.to_string(), "info".to_string()));
            request.parameters.extend(told);
        }
        Does::Tune => request.tune.push(value.to_string()),
        Does::Tag => request.tags.stream = true,
        Does::PrependRank => request.tags.rank = true,
        Does::Timestamp => request.tags.time = true,
        Does::Output => output(request, word, value)?,
        Does::Timeout => request.timeout = seconds(word, value)?,
        Does::Hosts => app.hosts.extend(hosts::parse_list(word, value)?),
        Does::HostFile => request.host_files.push(value.to_string()),
        Does::Stdin => request.stdin = stdin(word, value)?,
        Does::Bind => request.policy.bind_to(word, value)?,
        Does::ReportBindings => request.report_bindings = true,
        Does::Map => request.policy.map_by(word, value)?,
        Does::Rank => request.policy.rank_by(word, value)?,
        Does::DisplayMap => request.display_map = true,
        Does::Display => display(request, word, value)?,
        Does::Quiet => request.quiet = true,
        Does::Verbose => request.verbose = true,
        Does::Nothing | Does::NothingWithValue | Does::Help | Does::Version => {}
    }
    Ok(())
}

/// A value that an option cannot take.
pub(crate) fn wrong(option: &str, value: &str, wanted: impl Into<String>) -> Error {
    Error::Value {
        option: option.to_string(),
        value: value.to_string(),
        wanted: wanted.into(),
    }
}

fn count(word: &str, value: &str) -> Result<u32, Error> {
    // Far above what one machine can run; keeps sums of counts from overflowing.
    const MAX: u32 = 1_000_000;
    let fits = value.parse().ok().filter(|n| (1..=MAX).contains(n));
    fits.ok_or_else(|| wrong(word, value, "a whole number of ranks, at least 1"))
}

fn export(word: &str, value: &str) -> Result<(String, Option<String>), Error> {
    let (name, value_of) = match value.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (value, None),
    };
    if name.is_empty() || value.contains('\0') {
        return Err(wrong(word, value, "the name of a variable"));
    }
    Ok((name.to_string(), value_of))
}

/// A time limit in seconds; zero means none, as it does for Open MPI.
pub(crate) fn seconds(word: &str, value: &str) -> Result<Option<Duration>, Error> {
    let parsed = value
        .parse::<f64>()
        .ok()
        .filter(|s| s.is_finite() && *s >= 0.0 && *s < 1e9);
    let seconds = parsed.ok_or_else(|| wrong(word, value, "a time in seconds"))?;
    Ok((seconds > 0.0).then(|| Duration::from_secs_f64(seconds)))
}

fn output(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    for item in value.split(',') {
        match item {
            "tag" => request.tags.stream = true,
            "rank" => request.tags.rank = true,
            "timestamp" => request.tags.time = true,
            _ => return Err(wrong(word, item, "tag, rank or timestamp")),
        }
    }
    Ok(())
}

fn display(request: &mut Request, word: &str, value: &str) -> Result<(), Error> {
    for item in value.split(',') {
        match item {
            "map" | "allocation" => request.display_map = true,
            "bind" | "bindings" => request.report_bindings = true,
            _ => return Err(wrong(word, item, "map or bind")),
        }
    }
    Ok(())
}

fn stdin(word: &str, value: &str) -> Result<Option<u32>, Error> {
    match value {
        "none" => Ok(None),
        _ => {
            let rank = value
                .parse()
                .map_err(|_| wrong(word, value, "a rank or none"))?;
            Ok(Some(rank))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn run(line: &str) -> Request {
        match parse(&words(line)) {
            Ok(Parsed::Run(request)) => request,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn error(line: &str) -> String {
        parse(&words(line)).expect_err(line).to_string()
    }

    #[test]
    fn every_spelling_of_the_count() {
        for option in ["-n 3", "-np 3", "-c 3", "--n 3", "--np 3", "-n=3", "--np=3"] {
            let request = run(&format!("{option} prog -n 7 --help"));
            assert_eq!(request.apps[0].count, Some(3), "{option}");
            assert_eq!(request.apps[0].arguments, ["-n", "7", "--help"]);
        }
        assert_eq!(run("prog").apps[0].count, None);
    }

    #[test]
    fn programs_are_parted_by_colons_and_keep_their_own_options() {
        let request =
            run("--tag-output -x A=1 -n 2 a x : --wdir /tmp -env B 2 b : -mca btl tcp,self -n 3 c");
        let [a, b, c] = &request.apps[..] else {
            panic!("{request:?}")
        };
        assert_eq!((a.program.to_str(), a.count), (Some("a"), Some(2)));
        assert_eq!(a.env, [("A".to_string(), Some("1".to_string()))]);
        assert_eq!((b.directory.as_deref(), b.count), (Some("/tmp"), Some(1)));
        assert_eq!(b.env, [("B".to_string(), Some("2".to_string()))]);
        assert_eq!((c.env.len(), c.count), (0, Some(3)));
        assert_eq!(
            request.parameters,
            [("btl".to_string(), "tcp,self".to_string())]
        );
        assert!(request.tags.stream);
    }

    #[test]
    fn wrong_words_are_told_with_what_would_be_right() {
        for (line, parts) in [
            ("-n 0 prog", &["-n", "at least 1", "\"0\""][..]),
            ("-n abc prog", &["-n", "whole number", "\"abc\""]),
            ("-n -3 prog", &["\"-3\""]),
            ("-np 2.5 prog", &["-np", "\"2.5\""]),
            (
                "--tag-ouput prog",
                &["--tag-ouput", "did you mean --tag-output"],
            ),
            ("--xyzzy prog", &["unknown option --xyzzy"]),
            ("-n", &["-n wants a value"]),
            ("--mca btl", &["--mca wants a name and a value"]),
            ("", &["no program"]),
            ("-n 2", &["no program"]),
            ("a : -n 2", &["no program"]),
            ("--timeout x prog", &["--timeout", "seconds"]),
            (
                "--bind-to moon prog",
                &["--bind-to", "none or one of", "hwthread"],
            ),
            ("--map-by moon prog", &["--map-by", "moon"]),
            ("--output tag,moon prog", &["--output", "\"moon\""]),
            ("-x =3 prog", &["-x", "name of a variable"]),
            ("--stdin all prog", &["--stdin", "a rank or none"]),
            (
                "--mca=btl tcp prog",
                &["unknown option --mca=btl", "did you mean --mca"],
            ),
        ] {
            let said = error(line);
            assert!(
                parts.iter().all(|part| said.contains(part)),
                "{line}: {said}"
            );
            assert!(!said.contains('\n'), "{line}: one line");
        }
    }

    #[test]
    fn what_scripts_say_for_other_launchers_is_accepted() {
        let request = run(
            "--oversubscribe --allow-run-as-root --map-by :OVERSUBSCRIBE --bind-to none -l \
             -genvall -ppn 2 --host localhost:2 -genv A 1 --timeout 2.5 prog",
        );
        assert_eq!(request.timeout, Some(Duration::from_millis(2500)));
        assert_eq!(request.env, [("A".to_string(), "1".to_string())]);
        assert!(request.tags.rank);
        assert_eq!(slots(&request.apps[0]), Some(2));
    }

    #[test]
    fn help_and_version_are_printed_whatever_follows() {
        for line in [
            "--help",
            "-h",
            "-help all",
            "--version",
            "-V",
            "-n 2 --help",
        ] {
            assert!(
                matches!(parse(&words(line)), Ok(Parsed::Print(_))),
                "{line}"
            );
        }
    }
}
