//! Errors of one-sided operations.

use std::fmt;

/// Why an operation was not done, or not to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not lie in the target's memory. Nothing was touched.
    Range {
        /// The target's rank.
        rank: u32,
        /// The first byte, counted from the target's memory; `None` where it has no number.
        first: Option<i64>,
        /// The bytes from there to past the last.
        bytes: u64,
        /// The bytes that the target has.
        size: u64,
    },
    /// A rank that is waited for has died.
    Died {
        /// The rank that has died.
        rank: u32,
    },
    /// A rank asks for a lock that it waits for or has already.
    Taken {
        /// The rank whose lock it is.
        rank: u32,
    },
    /// Datatypes or counts that do not go together.
    Datatype(datatype::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Range {
                rank,
                first: Some(first),
                bytes,
                size,
            } => write!(
                f,
                "{bytes} bytes from byte {first} on are not all in the window of rank {rank}, \
                 which has {size}"
            ),
            Error::Range { rank, size, .. } => write!(
                f,
                "the target lies nowhere near the window of rank {rank}, which has {size} bytes"
            ),
            Error::Died { rank } => write!(f, "rank {rank} has died"),
            Error::Taken { rank } => write!(
                f,
                "the window of rank {rank} is locked by this rank already, or being locked"
            ),
            Error::Datatype(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<datatype::Error> for Error {
    fn from(why: datatype::Error) -> Error {
        Error::Datatype(why)
    }
}
