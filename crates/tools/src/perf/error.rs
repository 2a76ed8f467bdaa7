//! Errors that end a measurement.

use std::fmt;

/// Why nothing, or nothing more, was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// Something could not be set up.
    Setup {
        /// The object, such as `the transport tcp`.
        what: String,
        /// Why not.
        why: String,
    },
    /// The other side ended, or reported an error.
    OtherSide {
        /// The observation.
        how: String,
    },
    /// The transport failed.
    Transport(btl::Error),
    /// libfabric failed.
    Fabric(String),
    /// Data arrived altered.
    Data {
        /// The operation.
        what: String,
        /// The first byte that is wrong.
        at: usize,
    },
    /// The limit of a wait passed.
    Silence {
        /// The awaited event.
        what: &'static str,
        /// The silence, in seconds.
        seconds: u64,
    },
    /// Results could not be written.
    Output {
        /// Where to.
        path: String,
        /// Why not.
        why: String,
    },
}

impl Error {
    /// Makes the error of what could not be set up, and why.
    pub(crate) fn setup(what: impl Into<String>, why: impl fmt::Display) -> Error {
        Error::Setup {
            what: what.into(),
            why: why.to_string(),
        }
    }
}

impl From<btl::Error> for Error {
    fn from(error: btl::Error) -> Error {
        Error::Transport(error)
    }
}

impl From<ofi::Error> for Error {
    fn from(error: ofi::Error) -> Error {
        Error::Fabric(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Setup { what, why } => write!(f, "{what}: {why}"),
            Error::OtherSide { how } => write!(f, "the other side failed: {how}"),
            Error::Transport(error) => write!(f, "{error}"),
            Error::Fabric(why) => write!(f, "libfabric: {why}"),
            Error::Data { what, at } => write!(f, "{what}: the data is wrong from byte {at} on"),
            Error::Silence { what, seconds } => {
                write!(f, "waited {seconds} s for {what}; is the other side alive?")
            }
            Error::Output { path, why } => write!(f, "cannot write {path}: {why}"),
        }
    }
}

impl std::error::Error for Error {}
