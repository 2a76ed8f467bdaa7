//! Stripes of a new file on Lustre, as its header `lustre_user.h` has them: no library is needed.

use std::io::{Error, Result};
use std::os::fd::{AsRawFd, BorrowedFd};

/// Flags of `open` by which Lustre gives a new file no stripes before they are set.
pub(crate) const DELAY_CREATE: libc::c_int = 0o100_000_000 | libc::O_NOCTTY | libc::O_ASYNC;

/// `LL_IOC_LOV_SETSTRIPE`: `_IOW('f', 154, long)`.
const SET_STRIPE: libc::c_ulong = 0x4008_669a;

/// `LOV_USER_MAGIC_V1` and `LOV_PATTERN_RAID0`.
const MAGIC: u32 = 0x0bd1_0bd0;
const RAID0: u32 = 1;

/// Stripes that a new file is to have. 0 stripes or bytes: as the folder has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Striping {
    /// Stripes (`striping_factor`).
    pub count: u16,
    /// Bytes of a stripe (`striping_unit`), a multiple of 64 KiB.
    pub unit: u32,
    /// The storage device of the first stripe (`start_iodevice`); `None` for any.
    pub first: Option<u16>,
}

/// `struct lov_user_md_v1` without objects.
#[repr(C)]
struct Layout {
    magic: u32,
    pattern: u32,
    object: [u64; 2],
    unit: u32,
    count: u16,
    first: u16,
}

/// Sets the stripes of a new file that has none yet.
///
/// # Errors
/// The system's error: `EEXIST` for a file that has stripes.
pub(crate) fn set_stripes(fd: BorrowedFd<'_>, striping: Striping) -> Result<()> {
    let layout = Layout {
        magic: MAGIC,
        pattern: RAID0,
        object: [0; 2],
        unit: striping.unit,
        count: striping.count,
        first: striping.first.unwrap_or(u16::MAX),
    };
    // SAFETY: the descriptor is open, and the system reads one layout behind the pointer.
    let done = unsafe { libc::ioctl(fd.as_raw_fd(), SET_STRIPE as _, &layout) };
    match done {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_layout_is_that_of_the_header() {
        assert_eq!(size_of::<super::Layout>(), 32);
        assert_eq!(std::mem::offset_of!(super::Layout, unit), 24);
        assert_eq!(std::mem::offset_of!(super::Layout, first), 30);
    }
}
