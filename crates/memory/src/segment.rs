//! Shared segments: memory that processes of one machine have in common.
//!
//! A [`Segment`] is a memory file without a name (memfd_create(2)), so nothing is left on disk
//! whatever happens to its processes. Its owner reserves the pages before anybody touches them
//! ([`Segment::reserve`]): a lack of memory is an error with a size in it, not a SIGBUS.
//! Peers attach by process id and descriptor number ([`Segment::attach`]), which the owner
//! tells them; the kernel lets them when they could also trace the owner. An attached segment holds
//! no descriptor, however many there are: a peer that reserves memory opens it once more.
//!
//! Inside a segment there are offsets, never pointers. [`Segment::at`] checks one.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

/// A mapped shared segment. Unmapped when dropped.
#[derive(Debug)]
pub struct Segment {
    file: Source,
    address: NonNull<u8>,
    len: usize,
}

/// The memory file behind a segment.
#[derive(Debug)]
enum Source {
    /// This process made it; `None` once nobody is to attach any more.
    Own(Option<File>),
    /// Another process made it, and had it here.
    Attached {
        path: PathBuf,
        device: u64,
        inode: u64,
    },
}

// SAFETY: the mapping is plain shared memory; all access goes through atomics and raw copies.
unsafe impl Send for Segment {}
// SAFETY: as for `Send`.
unsafe impl Sync for Segment {}

impl Segment {
    /// Makes a segment of `len` bytes, all zero and none of them reserved yet. `name` shows in
    /// `/proc/PID/maps`.
    ///
    /// # Errors
    /// The system's; also where the user's limit for the size of files (`ulimit -f`) is less: the
    /// kernel would end the process with SIGXFSZ.
    pub fn create(name: &str, len: usize) -> io::Result<Segment> {
        let name = CString::new(name)?;
        let limit = file_size_limit();
        if len as u64 > limit {
            let what = format!("files may have {limit} bytes at most (ulimit -f)");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        // SAFETY: the name is a C string that outlives the call.
        let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and belongs to nobody else.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(len as u64)?;
        let address = map(&file, len)?;
        let file = Source::Own(Some(file));
        Ok(Segment { file, address, len })
    }

    /// Attaches the segment that another process of this machine has under a descriptor.
    ///
    /// # Errors
    /// When the process is not there or may not be looked into, or when what it has there is
    /// shorter than `len`.
    pub fn attach(pid: u32, fd: RawFd, len: usize) -> io::Result<Segment> {
        let path = PathBuf::from(format!("/proc/{pid}/fd/{fd}"));
        let file = open(&path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() < len as u64 {
            let what = format!(
                "a segment of {} bytes where {len} were expected",
                metadata.len()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let address = map(&file, len)?;
        let (device, inode) = (metadata.dev(), metadata.ino());
        let file = Source::Attached {
            path,
            device,
            inode,
        };
        Ok(Segment { file, address, len })
    }

    /// Reserves memory for a range, so that touching it cannot fail.
    ///
    /// # Errors
    /// The system's, most often a lack of memory.
    pub fn reserve(&self, offset: usize, len: usize) -> io::Result<()> {
        match &self.file {
            Source::Own(Some(file)) => reserve(file, offset, len),
            Source::Own(None) => Err(io::Error::from_raw_os_error(libc::EBADF)),
            Source::Attached {
                path,
                device,
                inode,
            } => {
                let file = open(path)?;
                let metadata = file.metadata()?;
                // The process may have ended and its number be another one's.
                match (metadata.dev(), metadata.ino()) == (*device, *inode) {
                    true => reserve(&file, offset, len),
                    false => Err(io::Error::from_raw_os_error(libc::ESTALE)),
                }
            }
        }
    }

    /// The address of `len` bytes at `offset`; `None` when they do not lie inside.
    /// Only reserved bytes may be touched. Valid as long as the segment.
    pub fn at(&self, offset: usize, len: usize) -> Option<NonNull<u8>> {
        let end = offset.checked_add(len)?;
        if end > self.len {
            return None;
        }
        // SAFETY: the offset was just checked to lie inside the mapping.
        Some(unsafe { self.address.add(offset) })
    }

    /// The descriptor number that peers of this process attach by; -1 where there is none: it is
    /// closed, or another process has it.
    pub fn descriptor(&self) -> RawFd {
        match &self.file {
            Source::Own(Some(file)) => file.as_raw_fd(),
            Source::Own(None) | Source::Attached { .. } => -1,
        }
    }

    /// Closes the descriptor, once all are attached: the mapping stays.
    pub fn close_descriptor(&mut self) {
        if let Source::Own(file) = &mut self.file {
            *file = None;
        }
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `map` and is unmapped only here.
        unsafe {
            libc::munmap(self.address.as_ptr().cast(), self.len);
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).open(path)
}

fn map(file: &File, len: usize) -> io::Result<NonNull<u8>> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing.
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            len,
            access,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(NonNull::new(address.cast()).expect("a mapping is not at address 0"))
}

fn reserve(file: &File, offset: usize, len: usize) -> io::Result<()> {
    let (offset, len) = (offset as libc::off_t, len as libc::off_t);
    // SAFETY: fallocate takes a descriptor and numbers; the kernel checks the range.
    match unsafe { libc::fallocate(file.as_raw_fd(), 0, offset, len) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The most bytes that this process may have in a file.
fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the structure lives through the call, which writes nothing else.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    limit.rlim_cur
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_show_the_same_bytes_and_offsets_are_checked() {
        let own = Segment::create("test", 8192).unwrap();
        own.reserve(0, 4096).unwrap();
        let other = Segment::attach(std::process::id(), own.descriptor(), 8192).unwrap();
        // SAFETY: one byte inside, reserved above.
        unsafe {
            own.at(100, 1).unwrap().write_volatile(42);
            assert_eq!(other.at(100, 1).unwrap().read_volatile(), 42);
        }
        assert!(own.at(8192, 1).is_none());
        assert!(own.at(usize::MAX, 2).is_none());
        assert!(Segment::attach(std::process::id(), own.descriptor(), 8193).is_err());
        assert!(Segment::attach(std::process::id(), 1_000_000, 1).is_err());
        assert_eq!(
            other.descriptor(),
            -1,
            "an attached segment holds no descriptor"
        );
        other.reserve(4096, 4096).unwrap();
        // SAFETY: one byte inside, reserved above.
        unsafe {
            other.at(5000, 1).unwrap().write_volatile(43);
            assert_eq!(own.at(5000, 1).unwrap().read_volatile(), 43);
        }
        let mut own = own;
        own.close_descriptor();
        assert_eq!(own.descriptor(), -1);
        assert!(own.reserve(0, 1).is_err() && other.reserve(0, 1).is_err());
        // SAFETY: one byte inside, reserved above.
        assert_eq!(unsafe { own.at(100, 1).unwrap().read_volatile() }, 42);
    }
}
