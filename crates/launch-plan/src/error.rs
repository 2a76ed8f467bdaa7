//! Errors that prevent a job from being started.

use std::{fmt, io};

/// An error of the launcher itself; what ranks do wrong is part of a job, see `launch_job`.
/// Each is one line.
#[derive(Debug)]
pub enum Error {
    /// An option that is not in the table.
    UnknownOption {
        /// The option as it was written.
        option: String,
        /// The nearest one that there is.
        nearest: Option<String>,
    },
    /// An option at the end of the command line that wants more values.
    MissingValue {
        /// The option.
        option: String,
        /// The missing value.
        wanted: &'static str,
    },
    /// A value that an option cannot take.
    Value {
        /// The option or environment variable.
        option: String,
        /// The value.
        value: String,
        /// The expected form.
        wanted: String,
    },
    /// An option of other launchers for which there is nothing here.
    Refused {
        /// The option as it was written.
        option: String,
    },
    /// No program on the command line, or in one part of it.
    NoProgram,
    /// A program, working directory or file that cannot be used.
    File {
        /// The kind: `program`, `working directory`, ...
        what: &'static str,
        /// The file's name as it was given.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A line of a file that cannot be read.
    Line {
        /// The kind of file: `host file`, ...
        what: &'static str,
        /// The file's name as it was given.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
        /// The expected form.
        wanted: String,
    },
    /// A command of a batch system that does not say what it is to say.
    Command {
        /// The command with its arguments.
        command: String,
        /// Why not.
        reason: String,
    },
    /// A host that is not among those that can be chosen from.
    HostNotAllocated {
        /// The host's name.
        host: String,
        /// Where the hosts to choose from come from.
        source: &'static str,
    },
    /// A host is named by an index beyond the last host.
    TooFewHosts {
        /// The request as it was written.
        wanted: String,
        /// Where the hosts to choose from come from.
        source: &'static str,
        /// How many there are.
        there_are: usize,
    },
    /// A host is named by an index where no list of hosts gives it a meaning.
    NoHostList,
    /// No host is left for a program.
    NothingLeft,
    /// No processor is left on a host.
    NoProcessor {
        /// The host.
        host: String,
    },
    /// A file with a place for each rank has fewer lines than ranks.
    TooFewLines {
        /// How many ranks.
        ranks: u32,
        /// How many places the file has.
        lines: usize,
    },
    /// More ranks than slots, which the user has forbidden.
    TooFewSlots {
        /// How many ranks.
        ranks: u32,
        /// How many slots.
        slots: u64,
    },
    /// More ranks than hosts take.
    TooManyRanks {
        /// How many ranks.
        ranks: u32,
        /// How many there may be.
        most: u32,
    },
    /// A host that is not this machine.
    OtherHost {
        /// The host's name.
        host: String,
    },
    /// Parameters that are wrong.
    Parameters(String),
    /// Something that debuggers need is not there.
    Debugger(String),
    /// A tool that cannot be loaded, and why.
    Tool {
        /// The tool, as it was written.
        tool: String,
        /// Why not.
        reason: String,
    },
    /// The system does not allow as many open files as the ranks need.
    OpenFiles {
        /// How many ranks there would be.
        ranks: u32,
        /// How many files they need.
        wanted: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The machine has no room for the ranks.
    TooLittleRoom {
        /// How many ranks there would be on it.
        ranks: u64,
        /// The lacks: what is too little, and how much there is.
        lacks: Vec<String>,
    },
    /// The system refused to start a rank.
    Spawn {
        /// The rank.
        rank: u32,
        /// The rank's program.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// The system refused a call.
    System {
        /// The attempted operation.
        during: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// Returns a function that makes an error of the system one of the launcher; `during` is the
    /// attempted operation.
    pub fn system<E: Into<io::Error>>(during: &'static str) -> impl Fn(E) -> Error {
        move |source| Error::System {
            during,
            source: source.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownOption {
                option,
                nearest: Some(nearest),
            } => {
                write!(
                    f,
                    "unknown option {option}; did you mean {nearest}? (--help lists all)"
                )
            }
            Error::UnknownOption {
                option,
                nearest: None,
            } => {
                write!(f, "unknown option {option} (--help lists all)")
            }
            Error::MissingValue { option, wanted } => write!(f, "{option} wants {wanted}"),
            Error::Value {
                option,
                value,
                wanted,
            } => {
                write!(f, "{option} wants {wanted}, got {value:?}")
            }
            Error::Refused { option } => write!(f, "{option}: not supported"),
            Error::NoProgram => write!(f, "no program given (see --help)"),
            Error::File { what, name, reason } => write!(f, "{what} {name:?}: {reason}"),
            Error::Command { command, reason } => write!(f, "{command}: {reason}"),
            Error::Line {
                what,
                file,
                line,
                text,
                wanted,
            } => write!(
                f,
                "{what} {file:?}, line {line}: {text:?} should be {wanted}"
            ),
            Error::Parameters(text) | Error::Debugger(text) => f.write_str(text),
            Error::Tool { tool, reason } => write!(f, "--tool {tool}: {reason}"),
            Error::TooLittleRoom { ranks, lacks } => write!(
                f,
                "{ranks} ranks do not fit here: {} (--oversubscribe starts them nevertheless)",
                lacks.join("; ")
            ),
            Error::Spawn {
                rank,
                program,
                source,
            } => {
                write!(f, "cannot start rank {rank} ({program}): {source}")
            }
            Error::System { during, source } => write!(f, "{during}: {source}"),
            _ => self.fmt_of_hosts(f),
        }
    }
}

impl Error {
    /// Formats the errors about hosts and the ranks on them.
    fn fmt_of_hosts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::HostNotAllocated { host, source } => {
                write!(f, "host {host:?} is not in {source}")
            }
            Error::TooFewHosts {
                wanted,
                source,
                there_are,
            } => write!(
                f,
                "host {wanted}: {source} has {there_are} hosts, and too few of them free"
            ),
            Error::NoHostList => write!(
                f,
                "hosts as +n0 or +e need a list of hosts: a host file or an allocation"
            ),
            Error::NoProcessor { host } => write!(
                f,
                "host {host:?} has none of the processors of --cpu-set, or may not use them"
            ),
            Error::TooFewLines { ranks, lines } => write!(
                f,
                "{ranks} ranks, but the file of --map-by rankfile or seq has places for {lines}"
            ),
            Error::TooFewSlots { ranks, slots } => write!(
                f,
                "{ranks} ranks on {slots} slots, and --nooversubscribe forbids more ranks than \
                 slots"
            ),
            Error::TooManyRanks { ranks, most } => write!(
                f,
                "{ranks} ranks do not fit: there is room for {most} (see max_slots of the hosts, \
                 and the ranks for each host or object)"
            ),
            Error::OtherHost { host } => write!(
                f,
                "host {host:?} is not this machine, and nothing may be started elsewhere"
            ),
            Error::OpenFiles {
                ranks,
                wanted,
                limit,
            } => {
                let need = if *ranks == 1 {
                    "rank needs"
                } else {
                    "ranks need"
                };
                write!(
                    f,
                    "{ranks} {need} {wanted} open files, and the hard limit is {limit} (ulimit -Hn)"
                )
            }
            Error::NothingLeft => write!(
                f,
                "no host is left to run on: --nolocal leaves this machine out"
            ),
            _ => unreachable!("formatted by the caller"),
        }
    }
}

/// Returns the error for a value that an option or environment variable does not allow.
pub fn invalid_value(option: &str, value: &str, wanted: impl Into<String>) -> Error {
    Error::Value {
        option: option.to_string(),
        value: value.to_string(),
        wanted: wanted.into(),
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Spawn { source, .. } | Error::System { source, .. } => Some(source),
            _ => None,
        }
    }
}
