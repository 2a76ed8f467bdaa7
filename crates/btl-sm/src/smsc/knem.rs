//! KNEM: a kernel module that copies between a process and regions of others.
//!
//! A *region* is memory that its process has made known to the kernel, which pins it and gives a
//! *cookie*. Whoever has the cookie has the kernel copy between the region and its own memory.
//! Pinning costs, so regions are whole pages and are cached for the next message in the same memory
//! ([`memory::rcache`]); a key therefore says where in its region the memory begins.
//!
//! Memory is pinned only where a peer will ask for it by its cookie: peers that have nothing
//! better say so in the segment of the process that they read.

mod device;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use base::wire::read_u64;
use base::Registrations;
use btl::Access;
use mca::Framework;
use memory::rcache::{self, Cache, Lease, Registrar};
use memory::UserBuf;
use shm::Direction;

use super::component::{Component, Failure, Link, Opening, Peer, Region, Target};
use super::key::LEAD_PAGES_MAX;
use super::system::{Device, System};

/// Bytes of one request: a whole number of pages, whose count fits any integer of the module.
const COPY_BYTES_MAX: usize = 1 << 30;

struct Knem {
    device: Arc<dyn Device>,
    system: Arc<dyn System>,
    /// Smallest copy, in bytes, by a DMA engine; `usize::MAX` without one.
    dma_min: usize,
    /// The region of the number that peers read to try.
    probe: u64,
    cache: Cache<u64>,
    /// The region or lease behind each registration, by its number.
    held: HashMap<u64, RegistrationRegion>,
    last: u64,
}

/// A registration's memory region.
enum RegistrationRegion {
    Leased(Lease),
    /// A region of its own, by its cookie.
    Own(u64),
}

/// Makes regions.
struct Regions<'a>(&'a dyn Device);

impl Registrar for Regions<'_> {
    type Handle = u64;
    type Error = io::Error;

    fn register(&mut self, memory: UserBuf, access: rcache::Access) -> io::Result<u64> {
        device::create(self.0, memory, access.allows(rcache::Access::REMOTE_WRITE))
    }

    fn deregister(&mut self, cookie: u64) {
        if let Err(error) = device::destroy(self.0, cookie) {
            Framework::Smsc.debug(format_args!("knem does not end a region: {error}"));
        }
    }

    fn is_lack_of_resources(error: &io::Error) -> bool {
        matches!(error.raw_os_error(), Some(libc::ENOMEM | libc::ENOSPC))
    }
}

pub(super) fn open(opening: &Opening<'_>) -> Result<Box<dyn Component>, String> {
    let system = opening.system.clone();
    let device = system.open(device::PATH);
    let device: Arc<dyn Device> = device.map_err(|error| lacking(&error))?.into();
    let info = device::info(&*device);
    let info = info.map_err(|error| format!("/dev/knem does not say what it is: {error}"))?;
    if info.abi < device::ABI_MIN {
        return Err(format!(
            "the interface {:#x} of /dev/knem is too old",
            info.abi
        ));
    }
    // SAFETY: the number stays where it is as long as the component, and is only read.
    let number = unsafe { UserBuf::new(std::ptr::from_ref(opening.cookie).cast_mut().cast(), 8) };
    let probe = device::create(&*device, number, false);
    let probe = probe.map_err(|error| format!("memory cannot be made a region: {error}"))?;
    let wanted = opening.settings.knem_dma_min;
    let has_dma = wanted != 0 && info.features & device::DMA != 0;
    Ok(Box::new(Knem {
        device,
        system,
        dma_min: if has_dma { wanted } else { usize::MAX },
        probe,
        cache: Cache::new(opening.caching.limits, (opening.caching.watch)()),
        held: HashMap::new(),
        last: 0,
    }))
}

/// Explains why there is no device.
fn lacking(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::ENODEV | libc::ENXIO) => "there is no /dev/knem".into(),
        _ => format!("/dev/knem cannot be opened: {error}"),
    }
}

impl Component for Knem {
    fn offer(&self) -> Vec<u8> {
        self.probe.to_le_bytes().to_vec()
    }

    fn connect(&mut self, peer: &Peer, offer: &[u8]) -> Result<Box<dyn Link>, String> {
        let cookie = read_u64(offer, 0).filter(|_| offer.len() == 8);
        let cookie = cookie.ok_or("what it offers is no region")?;
        let memory = Memory {
            device: self.device.clone(),
            system: self.system.clone(),
            pid: peer.pid,
            dma_min: self.dma_min,
        };
        let mut seen = [0; 8];
        // SAFETY: `seen` lives through the call.
        let local = unsafe { UserBuf::new(seen.as_mut_ptr(), seen.len()) };
        let region = Region { cookie, offset: 0 };
        match device::copy(&*memory.device, Direction::Read, local, region, 0) {
            Ok(()) if u64::from_ne_bytes(seen) == peer.cookie => Ok(Box::new(memory)),
            Ok(()) => Err("what was read there is not what it said".into()),
            Err(error) => Err(format!("8 bytes could not be read: {error}")),
        }
    }

    fn register(&mut self, memory: UserBuf, access: Access) -> Option<(Region, u64)> {
        match self.make_region(memory, access) {
            Ok((region, held)) => {
                self.last += 1;
                self.held.insert(self.last, held);
                Some((region, self.last))
            }
            Err(error) => {
                let len = memory.len();
                Framework::Smsc.info(format_args!("{len} bytes cannot be made a region: {error}"));
                None
            }
        }
    }

    fn deregister(&mut self, number: u64) {
        let mut regions = Regions(&*self.device);
        match self.held.remove(&number) {
            Some(RegistrationRegion::Leased(lease)) => self.cache.release(lease, &mut regions),
            Some(RegistrationRegion::Own(cookie)) => regions.deregister(cookie),
            None => {}
        }
    }

    fn registrations(&self) -> Option<&Arc<Registrations>> {
        Some(self.cache.stats())
    }
}

impl Knem {
    fn make_region(
        &mut self,
        memory: UserBuf,
        access: Access,
    ) -> io::Result<(Region, RegistrationRegion)> {
        let start = memory.address().addr();
        let rights = match access.write {
            true => rcache::Access::REMOTE_READ.with(rcache::Access::REMOTE_WRITE),
            false => rcache::Access::REMOTE_READ,
        };
        let page = memory::page_bytes();
        let mut regions = Regions(&*self.device);
        let lease = self.cache.acquire(memory, rights, &mut regions)?;
        let offset = start - self.cache.memory(&lease).address().addr();
        if (offset / page) as u64 <= LEAD_PAGES_MAX {
            let cookie = *self.cache.handle(&lease);
            let offset = offset as u64;
            return Ok((Region { cookie, offset }, RegistrationRegion::Leased(lease)));
        }
        // Too far behind the beginning of a large region for a key to say.
        self.cache.release(lease, &mut regions);
        let lead = start % page;
        let address = memory.address().wrapping_sub(lead);
        // SAFETY: the beginning of the page that the memory begins in, which is mapped whole.
        let pages = unsafe { UserBuf::new(address, memory.len() + lead) };
        let cookie = device::create(&*self.device, pages, access.write)?;
        let offset = lead as u64;
        Ok((Region { cookie, offset }, RegistrationRegion::Own(cookie)))
    }
}

impl Drop for Knem {
    fn drop(&mut self) {
        let numbers: Vec<u64> = self.held.keys().copied().collect();
        numbers
            .into_iter()
            .for_each(|number| self.deregister(number));
        self.cache.clear(&mut Regions(&*self.device));
        let _ = device::destroy(&*self.device, self.probe);
    }
}

/// The regions of one peer.
struct Memory {
    device: Arc<dyn Device>,
    system: Arc<dyn System>,
    pid: u32,
    dma_min: usize,
}

impl Memory {
    fn copy_part(
        &mut self,
        direction: Direction,
        local: UserBuf,
        region: Region,
    ) -> io::Result<()> {
        if local.len() >= self.dma_min {
            match device::copy(&*self.device, direction, local, region, device::DMA) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    Framework::Smsc.info(format_args!("the DMA engine does not copy: {error}"));
                    self.dma_min = usize::MAX;
                }
            }
        }
        device::copy(&*self.device, direction, local, region, 0)
    }
}

impl Link for Memory {
    fn copy(
        &mut self,
        direction: Direction,
        local: UserBuf,
        target: &Target,
    ) -> Result<(), Failure> {
        let Some(region) = target.region else {
            return Err(Failure::NotThis("the memory is in no region".into()));
        };
        let mut done = 0;
        while done < local.len() {
            let part = local.part(done, (local.len() - done).min(COPY_BYTES_MAX));
            let place = Region {
                offset: region.offset + done as u64,
                ..region
            };
            if let Err(error) = self.copy_part(direction, part, place) {
                return Err(match error.raw_os_error() {
                    _ if !self.system.is_alive(self.pid) => Failure::Gone,
                    Some(libc::EFAULT) => Failure::Fault,
                    // An unknown region, or one that denies this access: the key's fault, not the
                    // device's.
                    Some(libc::EINVAL | libc::EACCES | libc::ENOMEM) => {
                        Failure::NotThis(error.to_string())
                    }
                    _ => Failure::Refused(error.to_string()),
                });
            }
            done += part.len();
        }
        Ok(())
    }

    fn needs_region(&self) -> bool {
        true
    }
}
