//! The interface of `/dev/knem`, after the header `knem_io.h` of
//! <https://knem.gitlabpages.inria.fr> (BSD): the numbers of the requests, and what each takes.

use std::ffi::{c_ulong, CStr};
use std::io;
use std::mem::offset_of;

use memory::UserBuf;
use shm::Direction;

use crate::smsc::component::Region;
use crate::smsc::system::{request, Argument, Device};

pub(super) const PATH: &CStr = c"/dev/knem";

/// The oldest interface that has copies between a region and local memory.
pub(super) const ABI_MIN: u32 = 0xc;

/// A feature, and the flag of a copy: a DMA engine does it.
pub(super) const DMA: u32 = 1;

/// The status of a copy that was done.
const SUCCESS: u32 = 1;

const MAGIC: u32 = b'K' as u32;

/// The driver's ABI version and capabilities.
#[repr(C)]
#[derive(Default)]
pub(super) struct Info {
    pub(super) abi: u32,
    pub(super) features: u32,
    pub(super) ignored_flags: u32,
    pub(super) forced_flags: u32,
}

/// A contiguous range of memory.
#[repr(C)]
struct Block {
    base: u64,
    len: u64,
}

#[repr(C)]
#[derive(Default)]
struct Create {
    blocks: u64,
    blocks_len: u32,
    flags: u32,
    protection: u32,
    pad: u32,
    cookie: u64,
}

#[repr(C)]
struct Destroy {
    cookie: u64,
}

#[repr(C)]
#[derive(Default)]
struct InlineCopy {
    blocks: u64,
    blocks_len: u32,
    write: u32,
    cookie: u64,
    offset: u64,
    flags: u32,
    status: u32,
    async_status_index: u32,
    pad: u32,
}

const _: () = {
    assert!(size_of::<Info>() == 16 && size_of::<Block>() == 16);
    assert!(size_of::<Create>() == 32 && offset_of!(Create, protection) == 16);
    assert!(offset_of!(Create, cookie) == 24);
    assert!(size_of::<Destroy>() == 8);
    assert!(size_of::<InlineCopy>() == 48 && offset_of!(InlineCopy, cookie) == 16);
    assert!(offset_of!(InlineCopy, flags) == 32 && offset_of!(InlineCopy, status) == 36);
};

// SAFETY: integers alone, laid out by `repr(C)` as the header has them (see above); likewise below.
// The header has the directions as seen from the driver.
unsafe impl Argument for Info {
    const REQUEST: c_ulong = libc::_IOW::<Info>(MAGIC, 0x10) as c_ulong;
}
// SAFETY: see `Info`.
unsafe impl Argument for Create {
    const REQUEST: c_ulong = libc::_IOWR::<Create>(MAGIC, 0x21) as c_ulong;
}
// SAFETY: see `Info`.
unsafe impl Argument for Destroy {
    const REQUEST: c_ulong = libc::_IOR::<Destroy>(MAGIC, 0x22) as c_ulong;
}
// SAFETY: see `Info`.
unsafe impl Argument for InlineCopy {
    const REQUEST: c_ulong = libc::_IOR::<InlineCopy>(MAGIC, 0x33) as c_ulong;
}

impl Block {
    fn of(memory: UserBuf) -> Block {
        Block {
            base: memory.address().expose_provenance() as u64,
            len: memory.len() as u64,
        }
    }
}

/// Returns the driver's ABI version and capabilities.
pub(super) fn info(device: &dyn Device) -> io::Result<Info> {
    let mut info = Info::default();
    request(device, &mut info)?;
    Ok(info)
}

/// Makes memory a region that peers may read, and write, and returns its cookie.
pub(super) fn create(device: &dyn Device, memory: UserBuf, write: bool) -> io::Result<u64> {
    let block = Block::of(memory);
    let protection = match write {
        true => libc::PROT_READ | libc::PROT_WRITE,
        false => libc::PROT_READ,
    };
    let mut argument = Create {
        blocks: (&raw const block).expose_provenance() as u64,
        blocks_len: 1,
        protection: protection as u32,
        ..Create::default()
    };
    request(device, &mut argument)?;
    Ok(argument.cookie)
}

/// Ends a region.
pub(super) fn destroy(device: &dyn Device, cookie: u64) -> io::Result<()> {
    request(device, &mut Destroy { cookie })
}

/// Copies between `local` and as many bytes of a region, which has them.
pub(super) fn copy(
    device: &dyn Device,
    direction: Direction,
    local: UserBuf,
    region: Region,
    flags: u32,
) -> io::Result<()> {
    let block = Block::of(local);
    let mut argument = InlineCopy {
        blocks: (&raw const block).expose_provenance() as u64,
        blocks_len: 1,
        write: u32::from(direction == Direction::Write),
        cookie: region.cookie,
        offset: region.offset,
        flags,
        ..InlineCopy::default()
    };
    request(device, &mut argument)?;
    match argument.status {
        SUCCESS => Ok(()),
        status => Err(io::Error::other(format!(
            "the copy ended with status {status}"
        ))),
    }
}

/// For tests: what the numbers are.
#[cfg(test)]
pub(super) const NUMBERS: [c_ulong; 4] = [
    Info::REQUEST,
    Create::REQUEST,
    Destroy::REQUEST,
    InlineCopy::REQUEST,
];
