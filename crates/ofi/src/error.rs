//! Errors of libfabric, and of loading it.

use std::fmt;

/// A call that failed, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The library is missing, or lacks something that every version from 1.9 on has.
    Library {
        /// The file that was asked for.
        path: String,
        /// The loader's reason.
        why: String,
    },
    /// The library is older than the interface that this crate uses.
    TooOld {
        /// The file that was found.
        path: String,
        /// The version of the library, such as `1.4`.
        version: String,
    },
    /// A call was refused.
    Call {
        /// The call, by its name in libfabric's manual pages.
        call: &'static str,
        /// libfabric's number, positive: one of the system's up to 255, its own above.
        code: i32,
        /// libfabric's text for the number.
        text: String,
    },
    /// The process may lack the memory or the threads that the next calls take; checked beforehand,
    /// since some of these calls crash or hang without them.
    NoRoom {
        /// The operation that needs the resources.
        what: &'static str,
        /// The shortage.
        why: String,
    },
    /// The object has no such call.
    Lacking {
        /// The call, by its name in libfabric's manual pages.
        call: &'static str,
    },
}

impl Error {
    /// Returns libfabric's code of a refused call.
    pub fn code(&self) -> Option<i32> {
        match self {
            Error::Call { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// Whether memory, locked memory or entries of the device have run out, so that releasing some
    /// may help.
    pub fn is_lack_of_resources(&self) -> bool {
        matches!(self, Error::NoRoom { .. })
            || matches!(
                self.code(),
                Some(libc::ENOMEM | libc::ENOSPC | libc::EAGAIN | libc::EMFILE | libc::ENOBUFS)
            )
    }

    /// Checks that `bytes` bytes of memory are left for `what`.
    ///
    /// # Errors
    /// [`Error::NoRoom`] when they are not.
    pub fn unless_room(what: &'static str, bytes: usize) -> Result<(), Error> {
        Error::unless(what, memory::headroom::check(bytes))
    }

    /// Converts the result of a check for resources that `what` needs.
    pub(crate) fn unless(what: &'static str, found: std::io::Result<()>) -> Result<(), Error> {
        found.map_err(|error| Error::NoRoom {
            what,
            why: error.to_string(),
        })
    }

    /// Whether the provider has no path to the call's peer. It has checked only its own tables:
    /// `sockets` has no connection to a peer that died, and can make none.
    pub fn is_no_way(&self) -> bool {
        self.code() == Some(libc::ENOENT)
    }

    /// Returns the text for a refused registration: with a remedy, where a limit may be the reason.
    /// The kernel refuses to lock memory with `EPERM` where nothing may be locked.
    pub fn of_registration(&self) -> String {
        match self.is_lack_of_resources() || self.code() == Some(libc::EPERM) {
            true => format!("{self}; the limit of locked memory (ulimit -l) may be too small"),
            false => self.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Library { path, why } => write!(f, "libfabric ({path}): {why}"),
            Error::TooOld { path, version } => {
                write!(f, "libfabric {version} ({path}) is too old: 1.9 is needed")
            }
            Error::Call { call, code, text } => write!(f, "{call}: {text} ({code})"),
            Error::NoRoom { what, why } => write!(f, "{what}: {why}"),
            Error::Lacking { call } => write!(f, "{call}: the provider has no such call"),
        }
    }
}

impl std::error::Error for Error {}
