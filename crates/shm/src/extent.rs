//! Ranges of a file, mapped one by one as they are needed: for data that outlives this process, and
//! for more of it than memory is to hold.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;

use memory::UserBuf;

use crate::segment::file_size_limit;

/// A mapped range of a file that other processes do not make shorter: a memory file of the job, or
/// a file without a name. It owns its mapping.
#[derive(Debug)]
pub struct Extent {
    address: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping is owned by the value and reached only by raw copies.
unsafe impl Send for Extent {}
// SAFETY: through a reference to it there are addresses alone.
unsafe impl Sync for Extent {}

impl Extent {
    /// Maps `len` bytes of a file from `offset` on. Their space is reserved first, so that writing
    /// to them cannot fail later. Both are multiples of a page.
    ///
    /// # Errors
    /// The system's, such as a full file system; also where the user's limit for the size of files
    /// (`ulimit -f`) is less: the kernel would end the process with SIGXFSZ.
    pub fn map(file: &File, offset: u64, len: usize) -> io::Result<Extent> {
        let limit = file_size_limit();
        if offset + len as u64 > limit {
            let what = format!("files may have {limit} bytes at most (ulimit -f)");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let begin = offset as libc::off_t;
        // SAFETY: the call takes a descriptor and numbers; the kernel checks the range.
        match unsafe { libc::posix_fallocate(file.as_raw_fd(), begin, len as libc::off_t) } {
            0 => {}
            code => return Err(io::Error::from_raw_os_error(code)),
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (place, fd) = (std::ptr::null_mut(), file.as_raw_fd());
        // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing.
        let address = unsafe { libc::mmap(place, len, access, libc::MAP_SHARED, fd, begin) };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let address = NonNull::new(address.cast()).expect("a mapping is not at address 0");
        Ok(Extent { address, len })
    }

    /// Returns the bytes, valid as long as the extent.
    #[inline]
    pub fn buf(&self) -> UserBuf {
        // SAFETY: the mapping has `len` bytes and lives as long as `self`, which its owner keeps
        // until the operations that use it are done; nobody makes the file shorter, as the type's
        // documentation asks.
        unsafe { UserBuf::new(self.address.as_ptr(), self.len) }
    }
}

impl Drop for Extent {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `map` and is unmapped only here.
        unsafe {
            libc::munmap(self.address.as_ptr().cast(), self.len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::FromRawFd;

    fn memory_file() -> File {
        // SAFETY: the name is a C string; the descriptor is new and belongs to nobody else.
        unsafe { File::from_raw_fd(libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC)) }
    }

    #[test]
    fn what_is_written_to_an_extent_is_in_the_file_for_the_next_mapping() {
        let file = memory_file();
        let extent = Extent::map(&file, 8192, 4096).unwrap();
        extent.buf().write(5, b"logged");
        drop(extent);
        let again = Extent::map(&file, 8192, 4096).unwrap();
        let mut bytes = [0; 6];
        again.buf().read(5, &mut bytes);
        assert_eq!((&bytes, file.metadata().unwrap().len()), (b"logged", 12288));
    }

    #[test]
    fn a_full_file_system_is_an_error_and_no_signal() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        assert!(Extent::map(&full, 0, 4096).is_err());
    }
}
