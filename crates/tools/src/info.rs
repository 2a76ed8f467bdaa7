//! `oxmpi_info`: prints the version, components and parameters of this installation.
//!
//! [`parse`] turns arguments into a [`Request`], and [`report`] makes the text for a request from
//! [`Facts`]. The caller supplies the facts, so this module names no component.
//!
//! `--parsable` prints each fact on a line of its own as `key:...:value`. A value that contains a
//! colon or a quote is put in quotes, and quotes inside it are doubled.

use std::fmt::{self, Write};

use clap::{Arg, ArgAction, Command};
use mca::{Framework, Kind, Param, Registry, Row};

/// Facts about an installation.
pub struct Facts<'a> {
    /// The version of oxmpi.
    pub version: &'a str,
    /// General facts: a key for programs, a text for people, the value.
    pub general: &'a [(&'a str, &'a str, String)],
    /// All components.
    pub components: &'a [Component<'a>],
    /// All parameters with their values.
    pub registry: &'a Registry,
    /// The names of all functions of the interface.
    pub functions: &'a [&'a str],
}

/// One component.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    /// The framework, for example `btl`.
    pub framework: Framework,
    /// The component, for example `tcp`.
    pub name: &'a str,
    /// The component's purpose, in short.
    pub description: &'a str,
}

/// The request of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The subject to show.
    pub subject: Subject,
    /// Whether the output is for programs, not for people.
    pub parsable: bool,
    /// The highest level of parameters to show, 1 to 9.
    pub level: u8,
    /// Parameters set by `--mca name value`.
    pub settings: Vec<(String, String)>,
}

/// Subjects that can be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The installation and its components.
    Summary,
    /// The installation, its components and all parameters up to the level.
    All,
    /// The parameters of these pairs of framework and component; `all` stands for any.
    Params(Vec<(String, String)>),
    /// The version.
    Version,
    /// The functions of MPI.
    Api,
    /// The waits of the process of this id.
    Queues(u32),
}

/// A framework or a component that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    what: &'static str,
    name: String,
    nearest: Option<String>,
    known: Vec<String>,
}

/// Parses the arguments, the first of which is the name of the program. `--help` is an error, too:
/// the error prints the text and has the exit code.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Request, clap::Error> {
    let matches = command().try_get_matches_from(arguments)?;
    let pairs = |option: &str| -> Vec<(String, String)> {
        let occurrences = matches
            .get_occurrences::<String>(option)
            .into_iter()
            .flatten();
        occurrences
            .map(|mut words| {
                let first = words.next().cloned().unwrap_or_default();
                (
                    first,
                    words.next().map_or("all", String::as_str).to_string(),
                )
            })
            .collect()
    };
    let wanted = pairs("param");
    let subject = match () {
        () if matches.get_flag("version") => Subject::Version,
        () if matches.get_flag("api") => Subject::Api,
        () if matches.contains_id("queues") => {
            Subject::Queues(matches.get_one("queues").copied().unwrap_or_default())
        }
        () if matches.get_flag("all") => Subject::All,
        () if !wanted.is_empty() => Subject::Params(wanted),
        () => Subject::Summary,
    };
    let level = matches.get_one::<u8>("level").copied();
    Ok(Request {
        level: level.unwrap_or(if subject == Subject::All { 9 } else { 1 }),
        subject,
        parsable: matches.get_flag("parsable"),
        settings: pairs("mca"),
    })
}

/// Returns the text for `request`, which ends with a line break.
pub fn report(request: &Request, facts: &Facts<'_>) -> Result<String, Unknown> {
    let mut out = Out {
        text: String::new(),
        parsable: request.parsable,
    };
    match &request.subject {
        Subject::Version => out.fact("oxmpi:version:full", "oxmpi", facts.version),
        Subject::Api => show_api(&mut out, facts.functions),
        // Of a process that runs the caller asks its launcher.
        Subject::Queues(_) => {}
        Subject::Summary => show_summary(&mut out, facts),
        Subject::All => {
            show_summary(&mut out, facts);
            show_params(&mut out, facts, request.level, |_, _| true);
        }
        Subject::Params(wanted) => {
            for (framework, component) in wanted {
                check(facts, framework, component)?;
            }
            show_params(&mut out, facts, request.level, |framework, component| {
                let fits = |want: &str, have: &str| want == "all" || want == have;
                wanted
                    .iter()
                    .any(|(f, c)| fits(f, framework.name()) && fits(c, component))
            });
        }
    }
    Ok(out.text)
}

fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .action(ArgAction::SetTrue)
            .help(help)
    };
    let words = |name: &'static str, values: [&'static str; 2], help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_names(values)
            .action(ArgAction::Append)
            .help(help)
    };
    Command::new("oxmpi_info")
        .about("Shows what this installation of oxmpi is, has and is set to")
        .disable_version_flag(true)
        .arg(flag("all", "Show everything, with the parameters of all levels").short('a'))
        .arg(
            words(
                "param",
                ["FRAMEWORK", "COMPONENT"],
                "Show the parameters of a component; `all` is any",
            )
            .num_args(1..=2),
        )
        .arg(
            Arg::new("level")
                .long("level")
                .value_name("N")
                .value_parser(clap::value_parser!(u8).range(1..=9))
                .help("Show parameters up to level N: 1-3 users, 4-6 tuners, 7-9 developers"),
        )
        .arg(flag("parsable", "Print one fact a line, for programs").alias("parseable"))
        .arg(flag("api", "List the functions of MPI"))
        .arg(
            Arg::new("queues")
                .long("queues")
                .value_name("PID")
                .value_parser(clap::value_parser!(u32))
                .help("Show what a process of a running job waits for, without stopping it"),
        )
        .arg(flag("version", "Show the version").short('V'))
        .arg(words("mca", ["NAME", "VALUE"], "Set a parameter, as mpirun would").num_args(2))
}

fn show_summary(out: &mut Out, facts: &Facts<'_>) {
    out.fact("oxmpi:version:full", "oxmpi", facts.version);
    for (key, words, value) in facts.general {
        out.fact(key, words, value);
    }
    for Component {
        framework,
        name,
        description,
    } in facts.components
    {
        let key = format!("mca:{framework}:{name}:description");
        let text = if out.parsable {
            description
        } else {
            &*format!("{name} ({description})")
        };
        out.fact(&key, &format!("MCA {framework}"), text);
    }
}

fn show_params(
    out: &mut Out,
    facts: &Facts<'_>,
    level: u8,
    wanted: impl Fn(Framework, &str) -> bool,
) {
    let mut hidden = 0;
    for row in facts.registry.rows() {
        let framework = row.param.framework();
        let component = component_of(row.param, facts.components);
        if !wanted(framework, component) {
            continue;
        }
        match row.param.level <= level {
            true => out.param(framework, component, row),
            false => hidden += 1,
        }
    }
    if hidden > 0 && !out.parsable {
        out.line(format_args!(
            "{hidden} more above level {level}; --level 9 shows all"
        ));
    }
}

fn show_api(out: &mut Out, functions: &[&str]) {
    out.fact(
        "api:functions",
        "MPI functions",
        &functions.len().to_string(),
    );
    for name in functions {
        out.fact("api:function", "", name);
    }
}

/// Returns the second segment of the parameter's name if it is a component of the framework,
/// otherwise `base`.
fn component_of<'a>(param: &Param, components: &[Component<'a>]) -> &'a str {
    let segment = param.name.split('_').nth(1).unwrap_or("base");
    let of_framework = components
        .iter()
        .filter(|c| c.framework == param.framework());
    of_framework
        .map(|c| c.name)
        .find(|name| *name == segment)
        .unwrap_or("base")
}

fn check(facts: &Facts<'_>, framework: &str, component: &str) -> Result<(), Unknown> {
    let frameworks = Framework::ALL.iter().map(|framework| framework.name());
    check_name("framework", framework, frameworks.collect())?;
    let own = |c: &&Component<'_>| framework == "all" || c.framework.name() == framework;
    let mut components: Vec<&str> = facts
        .components
        .iter()
        .filter(own)
        .map(|c| c.name)
        .collect();
    components.push("base");
    check_name("component", component, components)
}

fn check_name(what: &'static str, name: &str, mut known: Vec<&str>) -> Result<(), Unknown> {
    known.push("all");
    known.sort_unstable();
    known.dedup();
    if known.contains(&name) {
        return Ok(());
    }
    let nearest = mca::nearest(name, known.iter().copied());
    let known = known.into_iter().map(str::to_string).collect();
    Err(Unknown {
        what,
        name: name.to_string(),
        nearest,
        known,
    })
}

/// The text of a report while it is written, for programs or for people.
struct Out {
    text: String,
    parsable: bool,
}

impl Out {
    fn fact(&mut self, key: &str, words: &str, value: &str) {
        match self.parsable {
            true => self.line(format_args!("{key}:{}", quoted(value))),
            false if words.is_empty() => self.line(format_args!("{:>22}{value}", "")),
            false => self.line(format_args!("{words:>20}: {value}")),
        }
    }

    fn param(&mut self, framework: Framework, component: &str, row: &Row) {
        let Row {
            param,
            value,
            origin,
            ..
        } = row;
        let name = row.name();
        let (value, origin) = (value.to_string(), origin.to_string());
        let (kind, level) = (param.kind.name(), param.level);
        if !self.parsable {
            let facts = format!(
                "{value:?}, from: {origin}, level {level} {}",
                audience(level)
            );
            self.fact(
                "",
                &format!("MCA {framework}"),
                &format!("{name} = {facts}, {kind}"),
            );
            self.fact("", "", &format!("    {}", param.help));
            if !matches!(param.kind, Kind::Text { .. } | Kind::List { .. }) {
                self.fact("", "", &format!("    allowed: {}", param.kind.allowed()));
            }
            return;
        }
        let key = format!("mca:{framework}:{component}:param:{name}");
        let level = level.to_string();
        let facts = [
            ("value", value.as_str()),
            ("source", origin.as_str()),
            ("level", level.as_str()),
            ("type", kind),
            ("help", param.help),
        ];
        for (what, text) in facts {
            self.fact(&format!("{key}:{what}"), "", text);
        }
        if let Kind::Choice { allowed, .. } = param.kind {
            for (at, word) in allowed.iter().enumerate() {
                self.fact(&format!("{key}:enumerator:value:{at}"), "", word);
            }
        }
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{text}");
    }
}

fn quoted(value: &str) -> String {
    let plain = !value.contains([':', '"', '\n']);
    if plain {
        value.to_string()
    } else {
        format!("\"{}\"", value.replace('"', "\"\""))
    }
}

fn audience(level: u8) -> &'static str {
    const AUDIENCES: [&str; 9] = [
        "user/basic",
        "user/detail",
        "user/all",
        "tuner/basic",
        "tuner/detail",
        "tuner/all",
        "dev/basic",
        "dev/detail",
        "dev/all",
    ];
    AUDIENCES[usize::from(level.clamp(1, 9)) - 1]
}

impl std::error::Error for Unknown {}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} {:?}; ", self.what, self.name)?;
        if let Some(nearest) = &self.nearest {
            write!(f, "did you mean {nearest}? ")?;
        }
        write!(f, "there are: {}", self.known.join(", "))
    }
}

#[cfg(test)]
mod tests;
