//! Errors that end a collective.

use std::fmt;

use crate::peer::Peer;

/// Why the driver could not carry out a message, in the driver's own words.
///
/// The driver gets its value back in [`Error::Message`] and may downcast it, so that the MPI
/// error class is computed from the original cause.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Why a collective failed on this process.
#[derive(Debug)]
pub enum Error {
    /// A message of the collective failed.
    Message {
        /// The other end.
        peer: Peer,
        /// Whether this process was sending.
        sending: bool,
        /// The driver's report.
        source: Failure,
    },
    /// A peer sent a block of another length: the ranks called with different counts or types.
    Length {
        /// The sender.
        peer: Peer,
        /// Bytes that this process's arguments ask for.
        expected: usize,
        /// Bytes that arrived.
        received: usize,
    },
    /// Another rank calls another collective, or names another root or operator.
    Mismatch(Box<crate::Mismatch>),
    /// A reduction operator failed, or is not defined for the type.
    Operator(Failure),
    /// A copy between two buffers of this process failed.
    Datatype(datatype::Error),
    /// Arguments that do not fit together.
    Arguments(&'static str),
}

impl From<datatype::Error> for Error {
    fn from(error: datatype::Error) -> Error {
        Error::Datatype(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Message {
                peer,
                sending: true,
                source,
            } => {
                write!(f, "sending to {peer} failed: {source}")
            }
            Error::Message {
                peer,
                sending: false,
                source,
            } => {
                write!(f, "receiving from {peer} failed: {source}")
            }
            Error::Length {
                peer,
                expected,
                received,
            } => write!(
                f,
                "{peer} sent {received} bytes where {expected} were expected: \
                 check that all ranks pass matching counts and types"
            ),
            Error::Mismatch(mismatch) => mismatch.fmt(f),
            Error::Operator(source) => write!(f, "the reduction operator failed: {source}"),
            Error::Datatype(source) => write!(f, "copying a block failed: {source}"),
            Error::Arguments(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Message { source, .. } | Error::Operator(source) => Some(source.as_ref()),
            Error::Datatype(source) => Some(source),
            Error::Length { .. } | Error::Mismatch(_) | Error::Arguments(_) => None,
        }
    }
}
