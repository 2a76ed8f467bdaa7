//! Origins of parameter values: default, file, environment, command line.

use std::fmt;
use std::path::{Path, PathBuf};

/// Prefix of environment variables with parameters for Open MPI.
pub(crate) const OPEN_MPI_PREFIX: &str = "OMPI_MCA_";

/// The source of a value, in ascending precedence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The default: no source sets it.
    Default,
    /// The file of the installation, `<prefix>/etc/oxmpi-mca-params.conf`.
    SystemFile(FileLine),
    /// The file of the user, `~/.oxmpi/mca-params.conf`.
    UserFile(FileLine),
    /// A file given with `--tune`; a rank knows only that there was one.
    Tune(Option<FileLine>),
    /// The environment variable of this name.
    Environment(String),
    /// `--mca name value` on the command line of the launcher.
    CommandLine,
    /// A tool, by a control variable of MPI.
    Tool,
    /// The file with which an administrator has the last word,
    /// `<prefix>/etc/oxmpi-mca-params-override.conf`.
    OverrideFile(FileLine),
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileLine {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
}

impl Origin {
    /// The higher one wins.
    pub(crate) fn precedence(&self) -> u8 {
        match self {
            Origin::Default => 0,
            Origin::SystemFile(_) => 1,
            Origin::UserFile(_) => 2,
            Origin::Tune(_) => 3,
            Origin::Environment(variable) if is_open_mpi(variable) => 4,
            Origin::Environment(_) => 5,
            Origin::CommandLine => 6,
            Origin::Tool => 7,
            Origin::OverrideFile(_) => 8,
        }
    }

    /// True when the setting was written for Open MPI, and oxmpi only borrows it.
    pub fn is_borrowed(&self) -> bool {
        matches!(self, Origin::Environment(variable) if is_open_mpi(variable))
    }

    /// True when the setting was written under the project's own prefix.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Origin::Environment(variable) if !is_open_mpi(variable))
    }

    /// True when the person who started the program, or their files, set the value.
    pub(crate) fn is_users(&self) -> bool {
        (2..=7).contains(&self.precedence())
    }
}

fn is_open_mpi(variable: &str) -> bool {
    variable.starts_with(OPEN_MPI_PREFIX)
}

impl FileLine {
    pub(crate) fn new(path: &Path, line: usize) -> FileLine {
        FileLine {
            path: path.to_path_buf(),
            line,
        }
    }
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::SystemFile(place) | Origin::UserFile(place) => write!(f, "file {place}"),
            Origin::Tune(Some(place)) => write!(f, "tune file {place}"),
            Origin::Tune(None) => f.write_str("tune file of the launcher"),
            Origin::Environment(variable) => write!(f, "environment variable {variable}"),
            Origin::CommandLine => f.write_str("command line"),
            Origin::Tool => f.write_str("control variable"),
            Origin::OverrideFile(place) => write!(f, "override file {place}"),
        }
    }
}
