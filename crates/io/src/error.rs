//! Errors of views and positions.

use std::fmt;

/// Why a view or a position was refused. The fault is always the caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A position or a displacement does not fit 63 bits.
    Overflow {
        /// Which quantity.
        what: &'static str,
    },
    /// A filetype with an offset below 0 or below the one before.
    Descends {
        /// The name of the filetype, or its combiner.
        filetype: String,
    },
    /// A filetype that is not made of whole etypes.
    NotOfEtypes {
        /// Bytes of data in a filetype.
        filetype: i64,
        /// Bytes of data in an etype.
        etype: i64,
    },
    /// An etype without data.
    EmptyEtype,
    /// A list of runs from another rank that is malformed, or leaves its window.
    MalformedList,
    /// A data representation that nobody registered.
    UnknownRepresentation {
        /// The name.
        name: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Overflow { what } => write!(f, "{what} does not fit 63 bits"),
            Error::Descends { filetype } => write!(
                f,
                "filetype {filetype}: its offsets must be >= 0, and must not descend"
            ),
            Error::NotOfEtypes { filetype, etype } => write!(
                f,
                "a filetype of {filetype} bytes is not made of whole etypes of {etype} bytes"
            ),
            Error::EmptyEtype => write!(f, "an etype must have data, this one has 0 bytes"),
            Error::MalformedList => write!(
                f,
                "another rank sent a list of runs that is malformed or leaves its window"
            ),
            Error::UnknownRepresentation { name } => write!(
                f,
                "no data representation `{name}`; known: native, internal, external32 and those \
                 registered with MPI_Register_datarep"
            ),
        }
    }
}

impl std::error::Error for Error {}
