//! [`OpenFile`]: an open file, read and written at positions (the component `posix` of `fbtl`).

use std::ffi::CString;
use std::io::{Error, ErrorKind, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use io::Run;
use mca::Framework;
use memory::UserBuf;

use crate::filesystem::is_in_memory;
use crate::lock::Guard;
use crate::lustre::{set_stripes, Striping, DELAY_CREATE};
use crate::system::{bytes_max, repeat};
use crate::{Filesystem, LockKind, RangeLock};

/// How a file is opened.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpenOptions {
    /// Whether the file may be read.
    pub read: bool,
    /// Whether the file may be written.
    pub write: bool,
    /// Whether the file is created where it does not exist.
    pub create: bool,
    /// Whether the file must not exist before.
    pub exclusive: bool,
    /// Permissions of a file that is created, before the process's mask.
    pub permissions: u32,
    /// Stripes of a file that is created on Lustre.
    pub striping: Option<Striping>,
}

/// An open file.
#[derive(Debug)]
pub struct OpenFile {
    fd: OwnedFd,
    filesystem: Filesystem,
    guard: Guard,
    in_memory: bool,
}

impl OpenFile {
    /// Opens a file. `forced` is the file system that it is to be taken for.
    ///
    /// # Errors
    /// The system's error.
    pub fn open(path: &str, access: OpenOptions, forced: Option<Filesystem>) -> Result<OpenFile> {
        let striping = access.striping.filter(|_| access.create);
        let is_lustre =
            || Filesystem::around(path).is_ok_and(|around| around == Filesystem::Lustre);
        let striping = striping.filter(|_| forced == Some(Filesystem::Lustre) || is_lustre());
        let path = c_path(path)?;
        let mut flags = libc::O_CLOEXEC;
        flags |= match (access.read, access.write) {
            (true, true) => libc::O_RDWR,
            (false, true) => libc::O_WRONLY,
            _ => libc::O_RDONLY,
        };
        for (wanted, flag) in [
            (access.create, libc::O_CREAT),
            (access.exclusive, libc::O_EXCL),
            (striping.is_some(), DELAY_CREATE),
        ] {
            flags |= if wanted { flag } else { 0 };
        }
        let fd = repeat(|| {
            // SAFETY: the path ends in a zero; the call opens a descriptor and no more.
            let fd = unsafe { libc::open(path.as_ptr(), flags, access.permissions) };
            isize::try_from(fd).unwrap_or(-1)
        })?;
        // SAFETY: the descriptor was opened just now, and nobody else knows of it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd as i32) };
        let filesystem = match forced {
            Some(forced) => forced,
            None => Filesystem::of(fd.as_fd())?,
        };
        refuse_folder(&fd)?;
        if let Some(Err(error)) = striping.map(|striping| set_stripes(fd.as_fd(), striping)) {
            // A file that exists has stripes.
            Framework::Fs.info(format_args!("stripes of a file cannot be set: {error}"));
        }
        let guard = Guard::new(access.read || !access.write);
        let in_memory = is_in_memory(fd.as_fd());
        Ok(OpenFile {
            fd,
            filesystem,
            guard,
            in_memory,
        })
    }

    /// The descriptor.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// The file system that the file lies on.
    pub fn filesystem(&self) -> Filesystem {
        self.filesystem
    }

    /// Whether the file lies on a file system in memory.
    pub fn is_in_memory(&self) -> bool {
        self.in_memory
    }

    /// Has the file taken for one that lies on `filesystem`.
    pub fn take_for(&mut self, filesystem: Filesystem) {
        self.filesystem = filesystem;
    }

    /// Reads into all of `into` from `offset` on, and returns the bytes read: fewer only where the
    /// file ends.
    ///
    /// # Errors
    /// The system's error.
    pub fn read(&self, offset: u64, into: UserBuf) -> Result<usize> {
        let mut done = 0;
        while done < into.len() {
            let part = into.part(done, (into.len() - done).min(bytes_max()));
            let at = position(offset, done)?;
            let read = repeat(|| {
                let (fd, to) = (self.fd.as_raw_fd(), part.address().cast());
                // SAFETY: whoever made `into` promised that these bytes may be written.
                unsafe { libc::pread(fd, to, part.len(), at) }
            })?;
            done += read;
            if read == 0 {
                break;
            }
        }
        Ok(done)
    }

    /// Writes all of `from` from `offset` on.
    ///
    /// # Errors
    /// The system's error; some of the bytes may be written then.
    pub fn write(&self, offset: u64, from: UserBuf) -> Result<()> {
        let mut done = 0;
        while done < from.len() {
            let part = from.part(done, (from.len() - done).min(bytes_max()));
            let at = position(offset, done)?;
            self.check_limit(at as u64)?;
            done += wrote(repeat(|| {
                let (fd, bytes) = (self.fd.as_raw_fd(), part.address().cast());
                // SAFETY: whoever made `from` promised that these bytes may be read.
                unsafe { libc::pwrite(fd, bytes, part.len(), at) }
            })?)?;
        }
        Ok(())
    }

    /// Keeps others that lock any byte of `range` from doing so until the value is dropped.
    ///
    /// # Errors
    /// The system's error, where the file system has no locks.
    pub fn lock(&self, range: Run, kind: LockKind) -> Result<RangeLock<'_>> {
        RangeLock::take(self.fd.as_fd(), range, kind)
    }

    /// The size in bytes.
    ///
    /// # Errors
    /// The system's error.
    pub fn size(&self) -> Result<u64> {
        Ok(facts(&self.fd)?.st_size as u64)
    }

    /// Bytes of a block of the file system, as it reports them.
    pub fn block_bytes(&self) -> u64 {
        facts(&self.fd).map_or(BLOCK_BYTES, |facts| facts.st_blksize as u64)
    }

    /// Cuts the file, or extends it by a hole.
    ///
    /// # Errors
    /// The system's error.
    pub fn set_size(&self, size: u64) -> Result<()> {
        let to = position(size, 0)?;
        check_size(size)?;
        repeat(|| {
            // SAFETY: the descriptor is open.
            unsafe { libc::ftruncate(self.fd.as_raw_fd(), to) as isize }
        })?;
        Ok(())
    }

    /// Reserves space for the first `size` bytes, of which those that exist keep their content.
    ///
    /// # Errors
    /// The system's error.
    pub fn preallocate(&self, size: u64) -> Result<()> {
        if size == 0 {
            return Ok(());
        }
        check_size(size)?;
        let length = position(size, 0)?;
        // SAFETY: the descriptor is open.
        let call = || unsafe { libc::fallocate(self.fd.as_raw_fd(), 0, 0, length) as isize };
        match repeat(call) {
            Ok(_) => Ok(()),
            // A file system that reserves nothing has the size at least.
            Err(error) if error.raw_os_error() == Some(libc::EOPNOTSUPP) => {
                match self.size()? < size {
                    true => self.set_size(size),
                    false => Ok(()),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Has the data written to the device, or to the server.
    ///
    /// # Errors
    /// The system's error.
    pub fn sync(&self) -> Result<()> {
        repeat(|| {
            // SAFETY: the descriptor is open.
            unsafe { libc::fsync(self.fd.as_raw_fd()) as isize }
        })?;
        Ok(())
    }

    /// Whether other machines see what is written, and this one what they write, only when it is
    /// asked for ([`OpenFile::publish`], [`OpenFile::refresh`]).
    pub fn is_cached_apart(&self) -> bool {
        self.filesystem == Filesystem::Nfs
    }

    /// Gives up what this machine has cached of the file, where others may have written it.
    pub fn refresh(&self) {
        if self.is_cached_apart() {
            self.guard.take(self.descriptor());
        }
    }

    /// Has other machines see what was written.
    ///
    /// # Errors
    /// The system's error.
    pub fn publish(&self) -> Result<()> {
        match self.is_cached_apart() {
            true => self.sync(),
            false => Ok(()),
        }
    }

    /// Fails where a write would be answered by a signal that ends the process.
    pub(crate) fn check_limit(&self, offset: u64) -> Result<()> {
        check_size(offset.saturating_add(1))
    }
}

/// Bytes of a block where the file system does not say.
const BLOCK_BYTES: u64 = 4096;

impl io::Storage for OpenFile {
    fn read(&self, offset: u64, into: UserBuf) -> Result<usize> {
        OpenFile::read(self, offset, into)
    }

    fn write(&self, offset: u64, from: UserBuf) -> Result<()> {
        OpenFile::write(self, offset, from)
    }

    fn lock<'a>(&'a self, range: Run) -> Result<Box<dyn io::Lock + 'a>> {
        Ok(Box::new(OpenFile::lock(self, range, LockKind::Exclusive)?))
    }
}

impl io::Lock for RangeLock<'_> {}

/// Removes a file.
///
/// # Errors
/// The system's error.
pub fn delete(path: &str) -> Result<()> {
    std::fs::remove_file(path)
}

/// Refuses a write of nothing, which would be repeated without end.
fn wrote(bytes: usize) -> Result<usize> {
    match bytes {
        0 => Err(Error::from(ErrorKind::WriteZero)),
        bytes => Ok(bytes),
    }
}

/// Returns the position in a file behind `done` bytes of an access.
///
/// # Errors
/// Where the system has no such position.
pub(crate) fn position(offset: u64, done: usize) -> Result<libc::off_t> {
    let at = offset.checked_add(done as u64);
    let at = at.and_then(|at| libc::off_t::try_from(at).ok());
    at.ok_or_else(|| Error::from_raw_os_error(libc::EOVERFLOW))
}

fn c_path(path: &str) -> Result<CString> {
    CString::new(path).map_err(|_| Error::from_raw_os_error(libc::EINVAL))
}

fn facts(fd: &OwnedFd) -> Result<libc::stat> {
    let mut facts = MaybeUninit::uninit();
    // SAFETY: the descriptor is open, and there is room for what the system writes.
    if unsafe { libc::fstat(fd.as_raw_fd(), facts.as_mut_ptr()) } != 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the call has succeeded, so it has written the facts.
    Ok(unsafe { facts.assume_init() })
}

/// A folder can be opened to be read, though not as a file.
fn refuse_folder(fd: &OwnedFd) -> Result<()> {
    match facts(fd)?.st_mode & libc::S_IFMT == libc::S_IFDIR {
        true => Err(Error::from_raw_os_error(libc::EISDIR)),
        false => Ok(()),
    }
}

/// Fails for a size that a file may not get (`ulimit -f`, which a program may change at any time).
fn check_size(size: u64) -> Result<()> {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the system writes one limit behind the pointer.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    match size <= limit.rlim_cur {
        true => Ok(()),
        false => Err(Error::from_raw_os_error(libc::EFBIG)),
    }
}
