//! Shared segments: memory that processes of one node have in common.
//!
//! A [`Segment`] is a memory file without a name (memfd_create(2)), so nothing is left on disk
//! whatever happens to its processes. Its creator reserves the pages before anybody touches them
//! ([`Segment::reserve`]): a lack of memory is an error with a size in it, not a SIGBUS. Peers
//! attach by process id and descriptor number ([`Segment::attach`]), which the creator sends them;
//! the kernel lets them when they could also trace the creator. An attached segment holds no
//! descriptor, however many there are: a peer that reserves memory opens it once more.
//!
//! A segment's length is sealed (fcntl(2), `F_ADD_SEALS`) before anybody attaches it, and a file
//! without that seal is not attached: a peer that shortened the file, by fault or intent, would end
//! every process that touches the lost pages with SIGBUS. A peer may still punch holes; the next
//! access fills them with zeros, where there is memory.
//!
//! Inside a segment there are offsets, never pointers, and this module is where they become
//! addresses: [`Segment::header`] at compile time, [`Segment::line`], [`Segment::word`] and
//! [`Segment::at`] by a comparison. What they return cannot outlive the mapping, which a segment
//! owns together with its clones; words are atomics, whoever else writes them.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;

use base::{Mutex, MutexGuard};
use sync::atomic::{AtomicU32, AtomicU64, AtomicU8};
use sync::LINE_BYTES;

/// Bytes that every segment has at least: its first lines, for what all layouts need.
pub const HEADER_BYTES: usize = 256;

/// A mapped shared segment. Clones are the same mapping, which ends with the last of them.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The mapping's, here so that an access needs one load less.
    base: Base,
    len: usize,
    lines: usize,
    mapping: Arc<Mapping>,
}

#[derive(Debug)]
struct Mapping {
    base: Base,
    len: usize,
    file: Mutex<Source>,
}

/// The address of a mapping.
#[derive(Clone, Copy, Debug)]
struct Base(NonNull<u8>);

/// The memory file behind a segment.
#[derive(Debug)]
enum Source {
    /// This process created it; `None` once no more peers are to attach.
    Own(Option<File>),
    /// Another process created it, and had it here.
    Attached {
        path: PathBuf,
        device: u64,
        inode: u64,
    },
}

// SAFETY: the mapping is plain shared memory at the same address for all threads, unmapped by
// whichever drops the last segment of it; words are accessed as atomics, other bytes by raw copies.
unsafe impl Send for Base {}
// SAFETY: through a reference to it there are atomics and addresses alone.
unsafe impl Sync for Base {}

/// An integer in a segment, which other processes may change at any time.
///
/// # Safety
/// An atomic of a plain integer: any bytes are one, and it may be reached by several processes.
pub unsafe trait Word {}

// SAFETY: an atomic of a plain integer.
unsafe impl Word for AtomicU8 {}
// SAFETY: an atomic of a plain integer.
unsafe impl Word for AtomicU32 {}
// SAFETY: an atomic of a plain integer.
unsafe impl Word for AtomicU64 {}

/// A cache line of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    address: NonNull<u8>,
    segment: PhantomData<&'a Segment>,
}

impl<'a> Line<'a> {
    /// Returns the word at byte `AT` of the line.
    #[inline]
    pub fn word<T: Word, const AT: usize>(self) -> &'a T {
        const { assert!(AT + size_of::<T>() <= LINE_BYTES && AT.is_multiple_of(size_of::<T>())) };
        // SAFETY: the line lies in a mapping that lives for `'a`; that the word lies in the line,
        // aligned, was checked above.
        unsafe { self.address.add(AT).cast::<T>().as_ref() }
    }

    /// Returns the address of the line's first byte.
    #[inline]
    pub fn address(self) -> NonNull<u8> {
        self.address
    }
}

impl Segment {
    /// Creates a segment of `len` bytes, all zero and none of them reserved yet. `name` shows in
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
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a C string that outlives the call.
        let fd = unsafe { libc::memfd_create(name.as_ptr(), flags) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and belongs to nobody else.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(len as u64)?;
        seal(&file)?;
        let address = map(&file, len)?;
        Ok(Segment::new(address, len, Source::Own(Some(file))))
    }

    /// Attaches the segment that another process of this node has under a descriptor.
    ///
    /// # Errors
    /// When the process does not exist or may not be accessed, or when its descriptor is no file,
    /// shorter than `len`, or not sealed.
    pub fn attach(pid: u32, fd: RawFd, len: usize) -> io::Result<Segment> {
        let path = PathBuf::from(format!("/proc/{pid}/fd/{fd}"));
        let file = open(&path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() < len as u64 {
            let found = metadata.len();
            let what = format!("a segment of {found} bytes where {len} were expected");
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        if !is_sealed(&file) {
            let what = "a segment whose length is not sealed";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let address = map(&file, len)?;
        let (device, inode) = (metadata.dev(), metadata.ino());
        let source = Source::Attached {
            path,
            device,
            inode,
        };
        Ok(Segment::new(address, len, source))
    }

    fn new(address: NonNull<u8>, len: usize, file: Source) -> Segment {
        let base = Base(address);
        let mapping = Mapping {
            base,
            len,
            file: Mutex::new(file),
        };
        Segment {
            base,
            len,
            lines: len / LINE_BYTES,
            mapping: Arc::new(mapping),
        }
    }

    /// Reserves memory for a range, so that touching it cannot fail.
    ///
    /// # Errors
    /// The system's, most often a lack of memory.
    pub fn reserve(&self, offset: usize, len: usize) -> io::Result<()> {
        match &*self.file() {
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
                if (metadata.dev(), metadata.ino()) != (*device, *inode) {
                    return Err(io::Error::from_raw_os_error(libc::ESTALE));
                }
                reserve(&file, offset, len)
            }
        }
    }

    /// Gives the memory of a range back to the system: it is zero, and no longer reserved. Only for
    /// the segment's owner.
    ///
    /// # Errors
    /// The system's.
    pub fn release(&self, offset: usize, len: usize) -> io::Result<()> {
        match &*self.file() {
            Source::Own(Some(file)) => punch(file, offset, len),
            _ => Err(io::Error::from_raw_os_error(libc::EBADF)),
        }
    }

    /// Returns the word at byte `AT` of the segment's first lines.
    #[inline]
    pub fn header<T: Word, const AT: usize>(&self) -> &T {
        const { assert!(AT + size_of::<T>() <= HEADER_BYTES && AT.is_multiple_of(size_of::<T>())) };
        // SAFETY: every segment has its header, and pages are aligned; that the word lies in the
        // header, aligned, was checked above. The mapping lives as long as this reference.
        unsafe { self.base.0.add(AT).cast::<T>().as_ref() }
    }

    /// Returns the cache line number `index`, counted from the segment's beginning.
    ///
    /// # Panics
    /// When it does not lie inside.
    #[inline]
    pub fn line(&self, index: usize) -> Line<'_> {
        if index >= self.lines {
            outside(index, LINE_BYTES, self.len);
        }
        // SAFETY: the line was just checked to lie inside the mapping.
        let address = unsafe { self.base.0.add(index * LINE_BYTES) };
        Line {
            address,
            segment: PhantomData,
        }
    }

    /// Returns the word at byte `at`.
    ///
    /// # Panics
    /// When it does not lie inside, or is not aligned.
    #[inline]
    pub fn word<T: Word>(&self, at: usize) -> &T {
        let size = size_of::<T>();
        if at >= self.len || self.len - at < size || !at.is_multiple_of(size) {
            outside(at, size, self.len);
        }
        // SAFETY: the word was just checked to lie inside the mapping, aligned as it needs to be,
        // since pages are. The mapping lives as long as this reference.
        unsafe { self.base.0.add(at).cast::<T>().as_ref() }
    }

    /// Returns the `N` words at byte `at`, for one comparison.
    ///
    /// # Panics
    /// When they do not lie inside, or are not aligned.
    #[inline]
    pub fn words<T: Word, const N: usize>(&self, at: usize) -> &[T; N] {
        let size = const { N * size_of::<T>() };
        if at >= self.len || self.len - at < size || !at.is_multiple_of(size_of::<T>()) {
            outside(at, size, self.len);
        }
        // SAFETY: the words were just checked to lie inside the mapping, aligned as they need to
        // be, since pages are. The mapping lives as long as this reference.
        unsafe { self.base.0.add(at).cast::<[T; N]>().as_ref() }
    }

    /// Returns the address of `len` bytes at `offset`; `None` when they do not lie inside. Only
    /// reserved bytes may be touched. Valid as long as the segment or a clone of it.
    pub fn at(&self, offset: usize, len: usize) -> Option<NonNull<u8>> {
        let end = offset.checked_add(len)?;
        if end > self.len {
            return None;
        }
        // SAFETY: the offset was just checked to lie inside the mapping.
        Some(unsafe { self.base.0.add(offset) })
    }

    /// Returns the descriptor number that peers of this process attach by; -1 where it is closed,
    /// or belongs to another process.
    pub fn descriptor(&self) -> RawFd {
        match &*self.file() {
            Source::Own(Some(file)) => file.as_raw_fd(),
            Source::Own(None) | Source::Attached { .. } => -1,
        }
    }

    /// Closes the descriptor, once all are attached: the mapping stays.
    pub fn close_descriptor(&self) {
        if let Source::Own(file) = &mut *self.file() {
            *file = None;
        }
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes: never.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn file(&self) -> MutexGuard<'_, Source> {
        self.mapping.file.lock()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `map` and is unmapped only here; all references into it
        // borrow from a segment, and the last one is gone.
        unsafe {
            libc::munmap(self.base.0.as_ptr().cast(), self.len);
        }
    }
}

#[cold]
#[inline(never)]
fn outside(at: usize, size: usize, len: usize) -> ! {
    panic!("{size} bytes at {at} do not lie, aligned, in a segment of {len} bytes")
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).open(path)
}

/// Seals the length of a memory file, and its seals: a peer could forbid writing otherwise.
#[expect(clippy::disallowed_methods, reason = "adding seals does not wait")]
fn seal(file: &File) -> io::Result<()> {
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: the descriptor is open, and the command takes a number.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a file can never become shorter.
#[expect(clippy::disallowed_methods, reason = "reading seals does not wait")]
fn is_sealed(file: &File) -> bool {
    // SAFETY: the descriptor is open, and the command takes nothing.
    let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
    seals >= 0 && seals & libc::F_SEAL_SHRINK != 0
}

fn map(file: &File, len: usize) -> io::Result<NonNull<u8>> {
    if len < HEADER_BYTES {
        let what = format!("a segment has {HEADER_BYTES} bytes at least, not {len}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
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

fn punch(file: &File, offset: usize, len: usize) -> io::Result<()> {
    let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    let (offset, len) = (offset as libc::off_t, len as libc::off_t);
    // SAFETY: fallocate takes a descriptor and numbers; the kernel checks the range.
    match unsafe { libc::fallocate(file.as_raw_fd(), mode, offset, len) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Returns how many bytes a file of this process may have.
pub(crate) fn file_size_limit() -> u64 {
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
    use std::panic::{catch_unwind, AssertUnwindSafe};
    use std::sync::atomic::Ordering;

    use super::*;

    fn attach(own: &Segment, len: usize) -> io::Result<Segment> {
        Segment::attach(std::process::id(), own.descriptor(), len)
    }

    #[test]
    fn two_mappings_show_the_same_words() {
        let own = Segment::create("test", 8192).unwrap();
        own.reserve(0, 4096).unwrap();
        let other = attach(&own, 8192).unwrap();
        own.word::<AtomicU64>(4088).store(42, Ordering::Relaxed);
        assert_eq!(other.word::<AtomicU64>(4088).load(Ordering::Relaxed), 42);
        assert_eq!(
            other
                .line(63)
                .word::<AtomicU64, 56>()
                .load(Ordering::Relaxed),
            42
        );
        other.header::<AtomicU32, 252>().store(7, Ordering::Relaxed);
        assert_eq!(own.word::<AtomicU32>(252).load(Ordering::Relaxed), 7);
        other.reserve(4096, 4096).unwrap();
        other.word::<AtomicU8>(8191).store(43, Ordering::Relaxed);
        assert_eq!(own.word::<AtomicU8>(8191).load(Ordering::Relaxed), 43);
    }

    #[test]
    fn released_memory_is_zero_for_all_and_can_be_reserved_again() {
        let own = Segment::create("test", 16384).unwrap();
        own.reserve(0, 16384).unwrap();
        let other = attach(&own, 16384).unwrap();
        for at in [4088, 4096, 8184, 8192] {
            other.word::<AtomicU64>(at).store(7, Ordering::Relaxed);
        }
        assert!(other.release(4096, 4096).is_err(), "it is not its owner");
        own.release(4096, 4096).unwrap();
        let words = [4088, 4096, 8184, 8192].map(|at| own.word::<AtomicU64>(at));
        assert_eq!(words.map(|word| word.load(Ordering::Relaxed)), [7, 0, 0, 7]);
        other.reserve(4096, 4096).unwrap();
    }

    #[test]
    fn what_does_not_lie_inside_is_refused() {
        let own = Segment::create("test", 8192 + 32).unwrap();
        assert!(own.at(8192, 32).is_some() && own.at(8224, 0).is_some());
        assert!(own.at(8192, 33).is_none());
        assert!(own.at(usize::MAX, 2).is_none());
        let is_line = |index| catch_unwind(AssertUnwindSafe(|| own.line(index).address())).is_ok();
        assert!(is_line(127) && !is_line(128), "half a line does not count");
        assert!(!is_line(usize::MAX / LINE_BYTES + 1));
        let load = |at| own.word::<AtomicU32>(at).load(Ordering::Relaxed);
        let is_word = |at| catch_unwind(AssertUnwindSafe(|| load(at))).is_ok();
        assert!(is_word(8220));
        for at in [8224, 8221, 2, usize::MAX - 3] {
            assert!(!is_word(at), "{at}");
        }
    }

    #[test]
    fn a_segment_without_a_header_or_of_another_length_is_an_error() {
        let short = Segment::create("test", HEADER_BYTES - 1).unwrap_err();
        assert_eq!(short.kind(), io::ErrorKind::InvalidInput);
        let own = Segment::create("test", 8192).unwrap();
        let kind = |attached: io::Result<Segment>| attached.unwrap_err().kind();
        assert_eq!(kind(attach(&own, 8193)), io::ErrorKind::InvalidData);
        assert_eq!(kind(attach(&own, 0)), io::ErrorKind::InvalidInput);
        let nothing = Segment::attach(std::process::id(), 1_000_000, 8192);
        assert_eq!(kind(nothing), io::ErrorKind::NotFound);
    }

    /// A peer that shortened the file of a segment ended all processes that touched the lost pages.
    #[test]
    fn the_length_of_a_segment_cannot_be_changed_by_its_peers() {
        let own = Segment::create("test", 8192).unwrap();
        let path = format!("/proc/self/fd/{}", own.descriptor());
        let peers = open(Path::new(&path)).unwrap();
        for len in [0, 4096, 16384] {
            let refused = peers.set_len(len).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{len}");
        }
        own.reserve(0, 8192).unwrap();
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"open".as_ptr(), libc::MFD_ALLOW_SEALING) };
        // SAFETY: the descriptor is new and belongs to nobody else.
        let unsealed = unsafe { File::from_raw_fd(fd) };
        unsealed.set_len(8192).unwrap();
        let attached = Segment::attach(std::process::id(), unsealed.as_raw_fd(), 8192);
        assert_eq!(attached.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_closed_descriptor_ends_attaching_and_reserving_but_not_the_mapping() {
        let own = Segment::create("test", 8192).unwrap();
        own.reserve(0, 4096).unwrap();
        let (other, clone) = (attach(&own, 8192).unwrap(), own.clone());
        assert_eq!(
            other.descriptor(),
            -1,
            "an attached segment holds no descriptor"
        );
        own.word::<AtomicU32>(100).store(1, Ordering::Relaxed);
        own.close_descriptor();
        assert_eq!((own.descriptor(), clone.descriptor()), (-1, -1));
        assert!(own.reserve(0, 1).is_err() && other.reserve(0, 1).is_err());
        drop(own);
        assert_eq!(clone.word::<AtomicU32>(100).load(Ordering::Relaxed), 1);
    }
}
