//! Errors between a process and its launcher.

use std::path::PathBuf;
use std::{fmt, io};

use base::PeerId;

/// An error of a bootstrap provider. Grouped by culprit: the caller, the environment that the
/// process was started in, the launcher, the system.
#[derive(Debug)]
pub enum Error {
    /// The caller's key is empty, too long, or has characters that some launcher cannot carry.
    Key {
        /// The key as it was given.
        key: String,
    },
    /// The caller's value is larger than [`crate::VALUE_BYTES_MAX`].
    ValueTooLong {
        /// The key it was for.
        key: String,
        /// The value's length in bytes.
        bytes: usize,
    },
    /// The caller named a process that the job does not have.
    NoSuchPeer {
        /// The named process.
        peer: PeerId,
        /// How many processes the job has.
        size: u32,
    },
    /// The caller began a fence inside a fence, or polled one that was not begun.
    FenceOrder,
    /// The caller named a meeting that cannot be: no members, one of them twice, or this process
    /// not among them.
    Meeting {
        /// The members as they were given.
        members: Vec<PeerId>,
    },
    /// The launcher does not support meetings.
    NoMeetings,
    /// The launcher that a process without one needs to spawn cannot be started.
    NoLauncher {
        /// The file that it should be.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The launcher does not start further processes.
    NoSpawn {
        /// Which launcher it is.
        launcher: String,
    },
    /// This process has left its job, and the launcher does not let it rejoin.
    Left {
        /// The protocol's name.
        protocol: &'static str,
    },
    /// An environment variable that the launcher sets has an invalid value.
    Variable {
        /// The variable's name.
        name: &'static str,
        /// The variable's value.
        value: String,
        /// The expected value.
        wanted: &'static str,
    },
    /// The environment says that a launcher started this process, but it cannot be reached.
    Stale {
        /// The variable that says so, with its value.
        variable: String,
        /// Why it cannot be reached.
        reason: String,
    },
    /// The environment is that of a rank, which this process only descends from.
    Inherited {
        /// The variable that says so, with its value.
        variable: String,
        /// The process that is the rank.
        pid: u32,
    },
    /// The environment says that a launcher started this process, and the library that speaks its
    /// protocol is missing or too old.
    NoLibrary {
        /// The variable that says so, with its value.
        variable: String,
        /// Which library, and what is wrong with it.
        reason: String,
    },
    /// The environment names a launcher that this library cannot talk to.
    Unsupported {
        /// The variable that says so, with its value.
        variable: String,
        /// Which launcher it is, and how to start the program instead.
        launcher: &'static str,
    },
    /// The launcher sent something that its protocol does not allow.
    Protocol {
        /// The protocol's name.
        protocol: &'static str,
        /// The message received, and the one expected.
        detail: String,
    },
    /// The launcher refused a request.
    Refused {
        /// The protocol's name.
        protocol: &'static str,
        /// The request.
        request: String,
        /// The launcher's text.
        reason: String,
    },
    /// A process that was to come to a meeting is gone.
    PeerGone {
        /// The process.
        peer: PeerId,
        /// The cause of its end, as the launcher knows it.
        why: String,
    },
    /// A process of another part that was to come to a meeting will not.
    Unmet {
        /// The cause, as the launcher knows it.
        why: String,
    },
    /// The launcher is gone.
    LauncherGone {
        /// The event that this process was waiting for.
        during: &'static str,
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
    pub(crate) fn system(during: &'static str) -> impl Fn(io::Error) -> Error {
        move |source| Error::System { during, source }
    }
}

/// Returns the reason that these processes cannot be the members of a meeting.
fn no_meeting(members: &[PeerId]) -> String {
    let each: Vec<String> = members.iter().map(PeerId::to_string).collect();
    let each = each.join(", ");
    format!("invalid members of a meeting: {each}; allowed: this process and others, each once")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Key { key } => {
                let most = crate::KEY_BYTES_MAX;
                write!(
                    f,
                    "key {key:?}: a key has 1 to {most} letters, digits, '.', '_' or '-'"
                )
            }
            Error::ValueTooLong { key, bytes } => write!(
                f,
                "the value of {key:?} has {bytes} bytes; at most {} can be published",
                crate::VALUE_BYTES_MAX
            ),
            Error::NoSuchPeer { peer, size } => {
                write!(f, "no such process: {peer} in a job of {size} processes")
            }
            Error::FenceOrder => write!(f, "fences must be begun and awaited in turn"),
            Error::Meeting { members } => f.write_str(&no_meeting(members)),
            Error::NoMeetings => write!(f, "this launcher does not support meetings"),
            Error::NoSpawn { launcher } => write!(
                f,
                "{launcher} starts no further processes: start the program with this library's \
                 own mpirun"
            ),
            Error::NoLauncher { path, source } => write!(
                f,
                "this process has no launcher, and {} cannot be started to be one: {source}",
                path.display()
            ),
            Error::Unmet { why } => write!(f, "a process that was to come is gone: {why}"),
            Error::Left { protocol } => write!(
                f,
                "this process has left its job and cannot rejoin it under {protocol}: keep a \
                 session open, or start the program with this library's own mpirun"
            ),
            Error::Protocol { protocol, detail } => {
                write!(f, "the launcher broke the {protocol} protocol: {detail}")
            }
            Error::Refused {
                protocol,
                request,
                reason,
            } => {
                write!(f, "the launcher refused {request} ({protocol}): {reason}")
            }
            Error::PeerGone { peer, why } => write!(f, "{peer} failed: {why}"),
            Error::LauncherGone { during } => {
                write!(f, "the launcher closed the connection during {during}")
            }
            Error::System { during, source } => write!(f, "{during}: {source}"),
            of_environment => of_environment.fmt_of_environment(f),
        }
    }
}

impl Error {
    /// Formats errors about the environment that the process was started in.
    fn fmt_of_environment(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Variable {
                name,
                value,
                wanted,
            } => {
                write!(f, "environment variable {name}={value:?}: wanted {wanted}")
            }
            Error::Stale { variable, reason } => write!(
                f,
                "{variable} says that a launcher started this process, but it cannot be \
                 reached ({reason}); the variable is probably left over from an outer job: start \
                 the program with mpirun, or set {}=1 to run it alone",
                crate::SINGLETON_VARIABLE
            ),
            Error::Inherited { variable, pid } => write!(
                f,
                "{variable} belongs to process {pid}, an ancestor of this one, which is the rank \
                 already"
            ),
            Error::NoLibrary { variable, reason } => write!(
                f,
                "{variable} says that a launcher with PMIx started this process, but {reason}: \
                 install it (Debian: libpmix2) or name its file in {}; or start the program with \
                 mpirun, or srun --mpi=pmi2; or set {}=1 to run it alone",
                crate::constants::PMIX_LIBRARY_VARIABLE,
                crate::SINGLETON_VARIABLE
            ),
            Error::Unsupported { variable, launcher } => write!(
                f,
                "{variable}: {launcher}; set {}=1 to run this process alone",
                crate::SINGLETON_VARIABLE
            ),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::System { source, .. } => Some(source),
            _ => None,
        }
    }
}
