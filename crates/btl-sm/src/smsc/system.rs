//! The system calls of the components, behind a trait so that tests can substitute them.

use std::ffi::{c_int, c_ulong, c_void, CStr};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsRawFd, FromRawFd};

use memory::UserBuf;
use shm::Direction;

/// The system.
pub(crate) trait System: Send + Sync + fmt::Debug {
    /// Opens a device file for reading and writing.
    ///
    /// # Errors
    /// The system's.
    fn open(&self, path: &CStr) -> io::Result<Box<dyn Device>>;

    /// Copies between `local` and `remote` in a process, with process_vm_readv(2) or
    /// process_vm_writev(2). Gives how many bytes it did, which may be fewer.
    ///
    /// # Errors
    /// The system's.
    fn copy(
        &self,
        pid: u32,
        direction: Direction,
        local: UserBuf,
        remote: u64,
    ) -> io::Result<usize>;

    /// Reads 8 bytes at an address of this process by way of the kernel, so that an address where
    /// nothing is, or which cannot be filled, is an error and not a signal.
    ///
    /// # Errors
    /// The system's.
    fn peek(&self, address: u64) -> io::Result<[u8; 8]>;

    /// Whether there is such a process.
    fn is_alive(&self, pid: u32) -> bool;
}

/// An open device file; closed when dropped.
pub(crate) trait Device: Send + Sync {
    /// ioctl(2).
    ///
    /// # Safety
    /// `argument` is the address of the structure that the device's interface has for `request`,
    /// and what the structure points to is valid memory, writable where the request writes.
    unsafe fn ioctl(&self, request: c_ulong, argument: *mut c_void) -> io::Result<c_int>;
}

/// The argument of a device request, in and out.
///
/// # Safety
/// The type is plain data, laid out as the device's interface has it for `REQUEST`.
pub(crate) unsafe trait Argument {
    /// The number of the request.
    const REQUEST: c_ulong;
}

/// Makes a request whose argument points to no other memory.
pub(crate) fn request<A: Argument>(device: &dyn Device, argument: &mut A) -> io::Result<()> {
    // SAFETY: `Argument` promises that the structure is the request's; callers in this module
    // tree pass none that points to memory other than a `UserBuf`'s, which is valid as `UserBuf`
    // promises, or that of a value that outlives the call.
    unsafe { device.ioctl(A::REQUEST, std::ptr::from_mut(argument).cast()) }.map(drop)
}

/// The kernel that this process runs on.
#[derive(Debug)]
pub(crate) struct Kernel;

struct DeviceFile(File);

impl System for Kernel {
    fn open(&self, path: &CStr) -> io::Result<Box<dyn Device>> {
        // SAFETY: the path is a C string that outlives the call.
        let fd = unsafe { libc::open(path.as_ptr(), libc::O_RDWR | libc::O_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and belongs to nobody else.
        Ok(Box::new(DeviceFile(unsafe { File::from_raw_fd(fd) })))
    }

    fn copy(
        &self,
        pid: u32,
        direction: Direction,
        local: UserBuf,
        remote: u64,
    ) -> io::Result<usize> {
        shm::copy::call(pid, direction, local, remote)
    }

    fn peek(&self, address: u64) -> io::Result<[u8; 8]> {
        let (mut bytes, mut ends) = ([0; 8], [0; 2]);
        // SAFETY: the array has room for both descriptors.
        if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptors are new and belong to nobody else.
        let [mut reader, writer] = ends.map(|fd| unsafe { File::from_raw_fd(fd) });
        let address = std::ptr::without_provenance(address as usize);
        // SAFETY: the kernel checks the address.
        let written = unsafe { libc::write(writer.as_raw_fd(), address, bytes.len()) };
        if written < 0 {
            return Err(io::Error::last_os_error());
        }
        reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn is_alive(&self, pid: u32) -> bool {
        shm::process::is_alive(pid)
    }
}

impl Device for DeviceFile {
    unsafe fn ioctl(&self, request: c_ulong, argument: *mut c_void) -> io::Result<c_int> {
        // SAFETY: promised by the caller. The C library of musl takes the number as an int.
        let answer = unsafe { libc::ioctl(self.0.as_raw_fd(), request as _, argument) };
        match answer {
            -1 => Err(io::Error::last_os_error()),
            answer => Ok(answer),
        }
    }
}
