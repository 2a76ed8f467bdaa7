//! Errors in the parameters that a user or an administrator has set.

use std::fmt;
use std::path::PathBuf;

use crate::{Choice, FileLine, Framework, Origin, Verdict};

/// One thing that is wrong. The message names the culprit, its value and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// No parameter has this name.
    UnknownName {
        /// The name that was written.
        name: String,
        /// The source that names it.
        origin: Origin,
        /// The name that was probably meant.
        nearest: Option<String>,
    },
    /// A parameter of Open MPI asks for a protection that oxmpi does not give.
    NotGiven {
        /// The parameter.
        name: String,
        /// The text that was given.
        text: String,
        /// The source of the value.
        origin: Origin,
        /// The means that oxmpi has instead.
        instead: &'static str,
    },
    /// A value that is not of the parameter's type or not in its range.
    BadValue {
        /// The parameter.
        name: String,
        /// The text that was given.
        text: String,
        /// The source of the value.
        origin: Origin,
        /// The allowed values.
        allowed: String,
    },
    /// Two values for one parameter on one command line.
    Conflict {
        /// The parameter.
        name: String,
        /// The value given first.
        first: String,
        /// The other value.
        second: String,
    },
    /// A line of a file that is neither empty, a comment nor a setting.
    Line {
        /// The number of the line.
        place: FileLine,
        /// The text of the line.
        text: String,
    },
    /// A file that cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// A `^` that does not open a component list.
    MisplacedCaret {
        /// The framework whose components are listed.
        framework: Framework,
        /// The list.
        text: String,
    },
    /// A component list asks for a component that does not exist.
    UnknownComponent {
        /// The framework.
        framework: Framework,
        /// The name that was asked for.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
        /// The components that there are.
        known: Vec<String>,
    },
    /// A component list is wrong, and it is known where it came from.
    InList {
        /// The source of the list.
        origin: Origin,
        /// The mistake in it.
        error: Box<Error>,
    },
    /// No component of a framework can serve.
    NoneUsable(Choice),
}

/// Everything that is wrong, so that it can be put right in one go. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Errors(pub Vec<Error>);

impl std::error::Error for Error {}
impl std::error::Error for Errors {}

impl From<Error> for Errors {
    fn from(error: Error) -> Errors {
        Errors(vec![error])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownName {
                name,
                origin,
                nearest,
            } => {
                let meant = meant(nearest);
                write!(f, "there is no parameter {name} (from: {origin}); {meant}")?;
                f.write_str("`oxmpi_info --all` lists all parameters")
            }
            Error::NotGiven {
                name,
                text,
                origin,
                instead,
            } => write!(
                f,
                "{name} {text:?} (from: {origin}) asks for a protection that there is not: \
                 {instead}; unset it to go on without"
            ),
            Error::BadValue {
                name,
                text,
                origin,
                allowed,
            } => {
                write!(f, "parameter {name} cannot be {text:?} (from: {origin}); ")?;
                write!(f, "give {allowed}")
            }
            Error::Conflict {
                name,
                first,
                second,
            } => {
                write!(f, "parameter {name} is given twice on the command line, ")?;
                write!(f, "as {first:?} and as {second:?}; give it once")
            }
            Error::Line { place, text } => {
                write!(f, "{place}: cannot read {text:?}; write `name = value`, ")?;
                f.write_str("or `#` before a comment")
            }
            Error::File { path, reason } => {
                let path = path.display();
                write!(f, "cannot read the parameter file {path}: {reason}")
            }
            Error::MisplacedCaret { framework, text } => {
                write!(
                    f,
                    "component list {text:?} of {framework}: `^` may stand only before "
                )?;
                f.write_str("the first name and then excludes every name of the list")
            }
            Error::UnknownComponent {
                framework,
                name,
                nearest,
                known,
            } => {
                write!(
                    f,
                    "{framework} has no component {name:?}; {}",
                    meant(nearest)
                )?;
                write!(f, "there are: {}", known.join(", "))
            }
            Error::InList { origin, error } => write!(f, "{error} (from: {origin})"),
            Error::NoneUsable(choice) => none_usable(f, choice),
        }
    }
}

fn none_usable(f: &mut fmt::Formatter<'_>, choice: &Choice) -> fmt::Result {
    write!(f, "no component of {} can be used", choice.framework)?;
    // What went wrong comes first: texts are cut where they are too long.
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Failed(_) => 0,
        Verdict::Declined(_) => 1,
        Verdict::NotAdmitted => 2,
        Verdict::Priority(_) => 3,
    };
    let mut considered: Vec<_> = choice.considered.iter().collect();
    considered.sort_by_key(|(_, verdict)| rank(verdict));
    for (name, verdict) in considered {
        write!(f, "; {name}: {verdict}")?;
    }
    Ok(())
}

fn meant(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map_or(String::new(), |name| format!("did you mean {name}? "))
}
