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
    /// A data representation whose name is in use.
    DuplicateRepresentation {
        /// The name.
        name: String,
    },
    /// A name of a data representation that is empty or too long.
    RepresentationName {
        /// Bytes of the name.
        bytes: usize,
        /// Most bytes that a name may have.
        max: usize,
    },
    /// A function of a registered data representation failed.
    Conversion {
        /// The name of the representation.
        representation: String,
        /// The error code that the function returned.
        code: i32,
    },
    /// A size in the file that no datatype can have.
    FileExtent {
        /// The name of the representation.
        representation: String,
        /// The datatype, as MPI spells it.
        datatype: &'static str,
        /// The size that the function returned.
        extent: i64,
    },
    /// A datatype that does not fit, or a value without a form in the representation.
    Datatype(datatype::Error),
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
            Error::DuplicateRepresentation { name } => write!(
                f,
                "data representation `{name}` exists already; MPI_Register_datarep takes a new name"
            ),
            Error::RepresentationName { bytes, max } => write!(
                f,
                "the name of a data representation has {bytes} bytes; it must have 1 to {max}"
            ),
            Error::Conversion {
                representation,
                code,
            } => write!(
                f,
                "a function of data representation `{representation}` failed with error code {code}"
            ),
            Error::FileExtent {
                representation,
                datatype,
                extent,
            } => write!(
                f,
                "data representation `{representation}` says that {datatype} has {extent} bytes in \
                 the file; it must have at least 1"
            ),
            Error::Datatype(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<datatype::Error> for Error {
    fn from(error: datatype::Error) -> Error {
        Error::Datatype(error)
    }
}
