//! Simulated system calls for tests: `/dev/xpmem` and `/dev/knem` as their public headers describe
//! them, over this process's own memory. Arguments are decoded byte by byte, which checks layouts.
//!
//! xpmem attaches at another address what lies in an *arena*, a shared mapping that the test makes
//! and that can be mapped twice; any other memory it attaches where it is.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{c_int, c_ulong, c_void, CStr};
use std::io;
use std::sync::Arc;

use base::{Mutex, MutexGuard};
use memory::UserBuf;
use shm::{Direction, Segment};

use super::system::{Device, Kernel, System};

// The numbers of the requests, from the headers.
pub(crate) const XPMEM_MAKE: c_ulong = 0x7801;
pub(crate) const XPMEM_REMOVE: c_ulong = 0x7802;
pub(crate) const XPMEM_GET: c_ulong = 0x7803;
pub(crate) const XPMEM_RELEASE: c_ulong = 0x7804;
pub(crate) const XPMEM_ATTACH: c_ulong = 0x7805;
pub(crate) const XPMEM_DETACH: c_ulong = 0x7806;
pub(crate) const KNEM_INFO: c_ulong = 0x4010_4b10;
pub(crate) const KNEM_CREATE: c_ulong = 0xc020_4b21;
pub(crate) const KNEM_DESTROY: c_ulong = 0x8008_4b22;
pub(crate) const KNEM_INLINE_COPY: c_ulong = 0x8030_4b33;

/// The system; clones are the same one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fake(Arc<Mutex<World>>);

#[derive(Debug)]
pub(crate) struct World {
    /// Error of opening each device; 0: success.
    pub(crate) devices: HashMap<&'static str, c_int>,
    /// Errors of requests: how many calls succeed first, and the error.
    pub(crate) failing: HashMap<c_ulong, (usize, c_int)>,
    /// How often each request was made.
    pub(crate) calls: BTreeMap<c_ulong, usize>,
    /// Most bytes that one process_vm_readv copies.
    pub(crate) copy_bytes_max: usize,
    /// Failures of process_vm_readv: calls that succeed first, the error, calls that fail.
    pub(crate) copy_fails: Option<(usize, c_int, usize)>,
    pub(crate) dead: bool,
    pub(crate) abi: u32,
    pub(crate) features: u32,
    /// The flags of the copies that knem made.
    pub(crate) flags: Vec<u32>,
    /// Ends of memory: attachments may not go further.
    pub(crate) top: u64,
    pub(crate) segments: Vec<i64>,
    pub(crate) permits: Vec<i64>,
    /// Attachments: address here, start and end there.
    pub(crate) attached: Vec<(u64, u64, u64)>,
    pub(crate) attached_max: usize,
    pub(crate) arena: Option<Arena>,
    /// Regions: cookie, base, length, protection.
    pub(crate) regions: Vec<(u64, u64, u64, u32)>,
    next: i64,
}

impl Default for World {
    fn default() -> World {
        World {
            devices: HashMap::from([("/dev/xpmem", 0), ("/dev/knem", 0)]),
            failing: HashMap::new(),
            calls: BTreeMap::new(),
            copy_bytes_max: usize::MAX,
            copy_fails: None,
            dead: false,
            abi: 0xd,
            features: 0,
            flags: Vec::new(),
            top: 1 << 47,
            segments: Vec::new(),
            permits: Vec::new(),
            attached: Vec::new(),
            attached_max: usize::MAX,
            arena: None,
            regions: Vec::new(),
            next: 100,
        }
    }
}

/// Memory that can be mapped a second time.
#[derive(Debug)]
pub(crate) struct Arena {
    segment: Segment,
    pub(crate) start: u64,
    pub(crate) len: u64,
}

impl Arena {
    pub(crate) fn new(len: usize) -> Arena {
        let segment = Segment::create("arena", len).unwrap();
        segment.reserve(0, len).unwrap();
        let start = segment.at(0, len).unwrap().as_ptr().expose_provenance();
        Arena {
            segment,
            start: start as u64,
            len: len as u64,
        }
    }
}

impl Fake {
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock()
    }

    /// Asserts that the devices hold nothing any more.
    pub(crate) fn expect_nothing_left(&self) {
        let world = self.world();
        assert!(world.segments.is_empty(), "segments {:?}", world.segments);
        assert!(world.permits.is_empty(), "permits {:?}", world.permits);
        assert!(world.attached.is_empty(), "attached {:?}", world.attached);
        assert!(world.regions.is_empty(), "regions {:?}", world.regions);
    }
}

fn error<T>(code: c_int) -> io::Result<T> {
    Err(io::Error::from_raw_os_error(code))
}

impl System for Fake {
    fn open(&self, path: &CStr) -> io::Result<Box<dyn Device>> {
        let path = path.to_str().unwrap();
        match self.world().devices.get(path) {
            Some(0) => Ok(Box::new(FakeDevice(self.clone()))),
            Some(code) => error(*code),
            None => error(libc::ENOENT),
        }
    }

    fn copy(
        &self,
        pid: u32,
        direction: Direction,
        local: UserBuf,
        remote: u64,
    ) -> io::Result<usize> {
        let mut world = self.world();
        if let Some((before, code, times)) = &mut world.copy_fails {
            match (*before, *times) {
                (0, 0) => {}
                (0, _) => {
                    *times -= 1;
                    return error(*code);
                }
                _ => *before -= 1,
            }
        }
        let part = local.part(0, local.len().min(world.copy_bytes_max));
        Kernel.copy(pid, direction, part, remote)
    }

    fn peek(&self, address: u64) -> io::Result<[u8; 8]> {
        Kernel.peek(address)
    }

    fn is_alive(&self, _pid: u32) -> bool {
        !self.world().dead
    }
}

struct FakeDevice(Fake);

/// An argument, by its bytes.
struct Raw(*mut u8);

impl Raw {
    fn u64(&self, at: usize) -> u64 {
        // SAFETY: the caller of `ioctl` promised the request's structure, which has this.
        unsafe { self.0.add(at).cast::<u64>().read_unaligned() }
    }
    fn u32(&self, at: usize) -> u32 {
        // SAFETY: as in `u64`.
        unsafe { self.0.add(at).cast::<u32>().read_unaligned() }
    }
    fn set_u64(&self, at: usize, value: u64) {
        // SAFETY: as in `u64`.
        unsafe { self.0.add(at).cast::<u64>().write_unaligned(value) }
    }
    fn set_u32(&self, at: usize, value: u32) {
        // SAFETY: as in `u64`.
        unsafe { self.0.add(at).cast::<u32>().write_unaligned(value) }
    }
}

impl Device for FakeDevice {
    unsafe fn ioctl(&self, request: c_ulong, argument: *mut c_void) -> io::Result<c_int> {
        let mut world = self.0.world();
        *world.calls.entry(request).or_default() += 1;
        if let Some((before, code)) = world.failing.get_mut(&request) {
            if *before == 0 {
                return error(*code);
            }
            *before -= 1;
        }
        let raw = Raw(argument.cast());
        match request {
            XPMEM_MAKE | XPMEM_REMOVE | XPMEM_GET | XPMEM_RELEASE => world.name(request, &raw),
            XPMEM_ATTACH => world.attach(&raw),
            XPMEM_DETACH => world.detach(&raw),
            KNEM_INFO => {
                raw.set_u32(0, world.abi);
                raw.set_u32(4, world.features);
                Ok(0)
            }
            KNEM_CREATE => world.create(&raw),
            KNEM_DESTROY => {
                let cookie = raw.u64(0);
                let before = world.regions.len();
                world.regions.retain(|region| region.0 != cookie);
                match world.regions.len() < before {
                    true => Ok(0),
                    false => error(libc::EINVAL),
                }
            }
            KNEM_INLINE_COPY => world.inline_copy(&raw),
            _ => error(libc::ENOTTY),
        }
    }
}

impl World {
    fn fresh(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    /// The requests of xpmem that are about names alone.
    fn name(&mut self, request: c_ulong, raw: &Raw) -> io::Result<c_int> {
        match request {
            XPMEM_MAKE => {
                assert_eq!((raw.u64(0), raw.u64(8)), (0, u64::MAX), "all memory");
                assert_eq!((raw.u32(16), raw.u64(24)), (1, 0o600), "permit");
                let segment = self.fresh();
                self.segments.push(segment);
                raw.set_u64(32, segment as u64);
            }
            XPMEM_GET => {
                assert_eq!((raw.u32(8), raw.u32(12), raw.u64(16)), (2, 1, 0), "permit");
                if !self.segments.contains(&(raw.u64(0) as i64)) {
                    return error(libc::ENOENT);
                }
                let permit = self.fresh();
                self.permits.push(permit);
                raw.set_u64(24, permit as u64);
            }
            XPMEM_REMOVE => self.segments.retain(|s| *s != raw.u64(0) as i64),
            _ => self.permits.retain(|p| *p != raw.u64(0) as i64),
        }
        Ok(0)
    }

    fn attach(&mut self, raw: &Raw) -> io::Result<c_int> {
        let (permit, offset, len) = (raw.u64(0) as i64, raw.u64(8), raw.u64(16));
        assert_eq!((raw.u64(24), raw.u32(36)), (0, 0), "address and flags");
        assert!(offset % 4096 == 0 && len % 4096 == 0 && len > 0);
        if !self.permits.contains(&permit) || offset + len > self.top {
            return error(libc::EINVAL);
        }
        if self.attached.len() >= self.attached_max {
            return error(libc::ENOMEM);
        }
        let end = offset + len;
        let here = match &self.arena {
            Some(arena) if offset < arena.start + arena.len && arena.start < end => {
                arena.map_again(offset, end)
            }
            _ => offset,
        };
        self.attached.push((here, offset, end));
        raw.set_u64(24, here);
        Ok(0)
    }

    fn detach(&mut self, raw: &Raw) -> io::Result<c_int> {
        let Some(at) = self.attached.iter().position(|a| a.0 == raw.u64(0)) else {
            return error(libc::EINVAL);
        };
        let (here, start, end) = self.attached.remove(at);
        if here != start {
            // SAFETY: mapped by `map_again`, and not used after it is detached.
            unsafe {
                let address = std::ptr::with_exposed_provenance_mut(here as usize);
                libc::munmap(address, (end - start) as usize);
            }
        }
        Ok(0)
    }

    fn create(&mut self, raw: &Raw) -> io::Result<c_int> {
        assert_eq!((raw.u32(8), raw.u32(12)), (1, 0), "one block, no flags");
        let block = Raw(std::ptr::with_exposed_provenance_mut(raw.u64(0) as usize));
        let (base, len) = (block.u64(0), block.u64(8));
        let cookie = self.fresh() as u64 | 0xc00c_1e00_0000_0000;
        self.regions.push((cookie, base, len, raw.u32(16)));
        raw.set_u64(24, cookie);
        Ok(0)
    }

    fn inline_copy(&mut self, raw: &Raw) -> io::Result<c_int> {
        assert_eq!(raw.u32(8), 1, "one block");
        let block = Raw(std::ptr::with_exposed_provenance_mut(raw.u64(0) as usize));
        let (base, len) = (block.u64(0), block.u64(8));
        let (write, cookie, offset) = (raw.u32(12) != 0, raw.u64(16), raw.u64(24));
        let flags = raw.u32(32);
        if flags & !1 != 0 || flags & !self.features != 0 {
            return error(libc::EINVAL);
        }
        let Some(region) = self.regions.iter().find(|region| region.0 == cookie) else {
            return error(libc::EINVAL);
        };
        let needed = if write {
            libc::PROT_WRITE
        } else {
            libc::PROT_READ
        };
        if region.3 & needed as u32 == 0 {
            return error(libc::EACCES);
        }
        // As the module: what lies outside the region is not copied, and that is no error.
        let len = len.min(region.2.saturating_sub(offset));
        let at = |address: u64| std::ptr::with_exposed_provenance_mut(address as usize);
        // SAFETY: the caller of `ioctl` vouched for the block, whoever made the region for it.
        let (here, there) = unsafe {
            let there = UserBuf::new(at(region.1 + offset), len as usize);
            (UserBuf::new(at(base), len as usize), there)
        };
        match write {
            true => there.copy_from(&here),
            false => here.copy_from(&there),
        }
        self.flags.push(flags);
        raw.set_u32(36, 1);
        Ok(0)
    }
}

impl Arena {
    /// Reserves addresses for a range of the process, and maps there what of it is in the arena.
    fn map_again(&self, start: u64, end: u64) -> u64 {
        let first = start.max(self.start);
        let last = end.min(self.start + self.len);
        // SAFETY: the first mapping is new; the second lies inside it.
        unsafe {
            let room = libc::mmap(
                std::ptr::null_mut(),
                (end - start) as usize,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            );
            assert_ne!(room, libc::MAP_FAILED);
            let inside = libc::mmap(
                room.byte_add((first - start) as usize),
                (last - first) as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_FIXED,
                self.segment.descriptor(),
                (first - self.start) as i64,
            );
            assert_ne!(inside, libc::MAP_FAILED);
            room.expose_provenance() as u64
        }
    }
}
