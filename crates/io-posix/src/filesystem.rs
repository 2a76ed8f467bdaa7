//! File systems, as far as access differs between them (the framework `fs`).

use std::fmt;
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::Path;

/// The file system that a file lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filesystem {
    /// A file system with one coherent cache: any that is not named below.
    Ufs,
    /// NFS, which is coherent from close to open only.
    Nfs,
    /// Lustre, which is coherent and stripes files over servers.
    Lustre,
}

const NFS_MAGIC: i64 = 0x6969;
const TMPFS_MAGIC: i64 = 0x0102_1994;
const RAMFS_MAGIC: i64 = 0x8584_58f6;
const LUSTRE_MAGIC: i64 = 0x0BD0_0BD0;

impl Filesystem {
    /// All of them, by the names of their components.
    pub const ALL: [Filesystem; 3] = [Filesystem::Ufs, Filesystem::Nfs, Filesystem::Lustre];

    /// Returns the name of the component, which is also the prefix that forces it.
    pub fn name(self) -> &'static str {
        match self {
            Filesystem::Ufs => "ufs",
            Filesystem::Nfs => "nfs",
            Filesystem::Lustre => "lustre",
        }
    }

    /// Returns the file system that a file of this name lies on, which may not exist.
    ///
    /// # Errors
    /// The system's error for the folder.
    pub fn around(path: &str) -> io::Result<Filesystem> {
        let folder = match Path::new(path).parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Filesystem::of(File::open(folder)?.as_fd())
    }

    /// Returns the file system of an open file.
    ///
    /// # Errors
    /// The error of `fstatfs`.
    pub fn of(fd: BorrowedFd<'_>) -> io::Result<Filesystem> {
        Ok(match magic(fd)? {
            NFS_MAGIC => Filesystem::Nfs,
            LUSTRE_MAGIC => Filesystem::Lustre,
            _ => Filesystem::Ufs,
        })
    }
}

/// Whether an open file lies on a file system in memory.
pub(crate) fn is_in_memory(fd: BorrowedFd<'_>) -> bool {
    matches!(magic(fd), Ok(TMPFS_MAGIC | RAMFS_MAGIC))
}

/// The number of an open file's file system.
fn magic(fd: BorrowedFd<'_>) -> io::Result<i64> {
    let mut facts = MaybeUninit::<libc::statfs>::uninit();
    // SAFETY: the descriptor is open, and there is room for what the system writes.
    if unsafe { libc::fstatfs(fd.as_raw_fd(), facts.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has succeeded, so it has written the facts.
    let magic = unsafe { facts.assume_init() }.f_type;
    // The type of the field differs between architectures.
    #[allow(clippy::unnecessary_cast)]
    Ok(magic as i64)
}

impl fmt::Display for Filesystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Splits a file name as MPI programs write it into the file system that its prefix forces
/// (`ufs:name`) and the name itself.
pub fn split(name: &str) -> (Option<Filesystem>, &str) {
    let forced = name.split_once(':').and_then(|(prefix, rest)| {
        let known = Filesystem::ALL.iter().find(|known| known.name() == prefix);
        known.map(|known| (Some(*known), rest))
    });
    forced.unwrap_or((None, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_prefixes_are_split_off() {
        assert_eq!(split("ufs:/tmp/a"), (Some(Filesystem::Ufs), "/tmp/a"));
        assert_eq!(split("lustre:a:b"), (Some(Filesystem::Lustre), "a:b"));
        for plain in ["/tmp/ufs:a", "xfs:a", "a", ":"] {
            assert_eq!(split(plain), (None, plain));
        }
    }
}
