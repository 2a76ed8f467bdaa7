//! [`Mode`]: how a file is opened (MPI 5.0, 14.2.1).

use io_posix::OpenOptions;

use mpi::{Class, Error};

/// How a file is opened; the bits are those of the standard ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode(i32);

const APPEND: i32 = 1;
const CREATE: i32 = 2;
const DELETE_ON_CLOSE: i32 = 4;
const EXCL: i32 = 8;
const RDONLY: i32 = 16;
const RDWR: i32 = 32;
const SEQUENTIAL: i32 = 64;

const WRONLY: i32 = 256;
const ALL: i32 = 511;

impl Mode {
    /// Returns the mode of these bits.
    ///
    /// # Errors
    /// `Amode` for a combination that the standard forbids.
    pub fn new(bits: i32) -> Result<Mode, Error> {
        let mode = Mode(bits);
        let accesses = [RDONLY, RDWR, WRONLY].iter().filter(|bit| mode.has(**bit));
        let wrong = if bits & !(ALL) != 0 {
            "it has bits that are no mode"
        } else if accesses.count() != 1 {
            "exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY is needed"
        } else if mode.has(RDONLY) && (mode.has(CREATE) || mode.has(EXCL)) {
            "MPI_MODE_CREATE and MPI_MODE_EXCL do not go with MPI_MODE_RDONLY"
        } else if mode.has(RDWR) && mode.has(SEQUENTIAL) {
            "MPI_MODE_SEQUENTIAL does not go with MPI_MODE_RDWR"
        } else {
            return Ok(mode);
        };
        Err(Error::new(Class::Amode, format!("amode {bits}: {wrong}")))
    }

    /// The bits.
    pub fn bits(self) -> i32 {
        self.0
    }

    pub(crate) fn reads(self) -> bool {
        !self.has(WRONLY)
    }

    pub(crate) fn writes(self) -> bool {
        !self.has(RDONLY)
    }

    pub(crate) fn appends(self) -> bool {
        self.has(APPEND)
    }

    /// Whether the file is deleted when it is closed.
    pub(crate) fn deletes(self) -> bool {
        self.has(DELETE_ON_CLOSE)
    }

    /// Whether only the shared file pointer may be used.
    pub(crate) fn is_sequential(self) -> bool {
        self.has(SEQUENTIAL)
    }

    /// How the system opens the file, for the process that creates it.
    pub(crate) fn options(self, permissions: u32) -> OpenOptions {
        OpenOptions {
            read: self.reads(),
            write: self.writes(),
            create: self.has(CREATE),
            exclusive: self.has(EXCL) && self.has(CREATE),
            permissions,
            striping: None,
        }
    }

    fn has(self, bit: i32) -> bool {
        self.0 & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_that_the_standard_forbids_are_refused() {
        for good in [RDONLY, RDWR | CREATE | EXCL, WRONLY | SEQUENTIAL | APPEND] {
            assert_eq!(Mode::new(good).unwrap().bits(), good);
        }
        let forbidden = [
            0,
            RDONLY | WRONLY,
            RDONLY | CREATE,
            RDONLY | EXCL,
            RDWR | SEQUENTIAL,
            RDWR | 1024,
            -1,
        ];
        for bad in forbidden {
            assert_eq!(Mode::new(bad).unwrap_err().class, Class::Amode, "{bad}");
        }
    }
}
