//! xpmem: a kernel module that maps one process's memory into another.
//!
//! A process makes its whole address space a *segment* and offers the segment's name. A peer gets a
//! *permit* for it once, and then attaches the ranges that it needs, widened to multiples of a few
//! MiB so that later messages find them attached. From there on a copy is a copy, with no call of
//! the kernel. The mapping follows the peer's own: where the peer unmaps memory and maps other, the
//! attachment shows the other, so nothing here can be stale. The exception is memory of a peer that
//! ends in the middle of a copy ([`super::guard`]).
//!
//! Attachments are cached, up to a number for each peer; the least recently used one goes first.
//! Those that a caller has mapped ([`Link::map`]) stay.

mod device;

use std::io;
use std::sync::Arc;

use base::wire::read_u64;
use mca::Framework;
use memory::UserBuf;
use shm::Direction;

use super::component::{Component, Failure, Link, Opening, Peer, Target};
use super::guard;
use super::system::{Device, System};

struct Xpmem {
    device: Arc<dyn Device>,
    system: Arc<dyn System>,
    /// The name of this process's memory.
    segment: i64,
    /// The end of this process's memory.
    top: u64,
    limits: Limits,
}

#[derive(Clone, Copy)]
struct Limits {
    /// Attachments begin and end at multiples of this power of two.
    align: u64,
    chunk_bytes: usize,
    attachments_max: usize,
}

/// The memory of one peer.
struct Memory {
    device: Arc<dyn Device>,
    system: Arc<dyn System>,
    pid: u32,
    permit: i64,
    /// End of the peer's memory, as it says: ranges beyond cannot be attached.
    top: u64,
    limits: Limits,
    attachments: Vec<Attachment>,
    /// Counts uses.
    clock: u64,
}

/// Memory of the peer that is mapped here.
struct Attachment {
    /// Address in the peer's memory.
    start: u64,
    len: u64,
    /// Address of the attachment in this process.
    here: u64,
    /// Clock value of the last use.
    used: u64,
    /// Number of callers that have it mapped, for whom it stays.
    pins: u32,
}

pub(super) fn open(opening: &Opening<'_>) -> Result<Box<dyn Component>, String> {
    let system = opening.system.clone();
    let device = system.open(device::PATH);
    let device: Arc<dyn Device> = device.map_err(|error| lacking(&error))?.into();
    let segment = device::make(&*device);
    let segment = segment.map_err(|error| format!("memory cannot be made a segment: {error}"))?;
    guard::set();
    let settings = opening.settings;
    Ok(Box::new(Xpmem {
        device,
        system,
        segment,
        top: end_of_memory(),
        limits: Limits {
            align: (1 << settings.xpmem_log_align).max(memory::page_bytes() as u64),
            chunk_bytes: settings.xpmem_chunk_bytes,
            attachments_max: settings.xpmem_attachments_max,
        },
    }))
}

/// Explains why there is no device.
fn lacking(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::ENODEV | libc::ENXIO) => "there is no /dev/xpmem".into(),
        _ => format!("/dev/xpmem cannot be opened: {error}"),
    }
}

/// The end of the highest mapping of this process; 0 where it is unknown.
fn end_of_memory() -> u64 {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let ends = maps.lines().filter_map(|line| {
        let (_, rest) = line.split_once('-')?;
        u64::from_str_radix(rest.split_whitespace().next()?, 16).ok()
    });
    // Above the middle there is the kernel, and a page of it that shows in the list.
    ends.filter(|end| *end <= 1 << 63).max().unwrap_or(0)
}

impl Component for Xpmem {
    fn offer(&self) -> Vec<u8> {
        let (segment, top) = (self.segment.to_le_bytes(), self.top.to_le_bytes());
        [segment, top].concat()
    }

    fn connect(&mut self, peer: &Peer, offer: &[u8]) -> Result<Box<dyn Link>, String> {
        let (Some(segment), Some(top), 16) = (read_u64(offer, 0), read_u64(offer, 8), offer.len())
        else {
            return Err("what it offers is no segment".into());
        };
        let permit = device::get(&*self.device, segment as i64);
        let permit = permit.map_err(|error| format!("there is no permit for it: {error}"))?;
        let mut memory = Memory {
            device: self.device.clone(),
            system: self.system.clone(),
            pid: peer.pid,
            permit,
            top,
            limits: self.limits,
            attachments: Vec::new(),
            clock: 0,
        };
        match memory.peek(peer.probe) {
            Ok(seen) if u64::from_ne_bytes(seen) == peer.cookie => Ok(Box::new(memory)),
            Ok(_) => Err("what was read there is not what it said".into()),
            Err(error) => Err(format!("8 bytes could not be read: {error}")),
        }
    }
}

impl Drop for Xpmem {
    fn drop(&mut self) {
        // The device is closed when the last attachment is gone; this ends what others have.
        let _ = device::remove(&*self.device, self.segment);
    }
}

impl Memory {
    /// Reads 8 bytes at an address of the peer. They may not be mapped, so the kernel checks first.
    fn peek(&mut self, address: u64) -> io::Result<[u8; 8]> {
        let here = self.reach(address, 8)?.part(address, 8);
        self.system.peek(here.address().addr() as u64)
    }

    /// The attachment that has `len` bytes at `start`.
    fn reach(&mut self, start: u64, len: usize) -> io::Result<&mut Attachment> {
        let out_of_range = || io::Error::from_raw_os_error(libc::EINVAL);
        let end = start.checked_add(len as u64).ok_or_else(out_of_range)?;
        self.clock += 1;
        let found = self.attachments.iter().position(|a| a.holds(start, end));
        let at = match found {
            Some(at) => at,
            None => {
                let (start, end) = self.window(start, end).ok_or_else(out_of_range)?;
                self.attach(start, end)?;
                self.attachments.len() - 1
            }
        };
        let attachment = &mut self.attachments[at];
        attachment.used = self.clock;
        Ok(attachment)
    }

    /// Returns the range to attach for `start..end`: aligned, but not past the end of the peer's
    /// memory.
    fn window(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let Limits { align, .. } = self.limits;
        let pages_end = end.checked_next_multiple_of(memory::page_bytes() as u64)?;
        let aligned_end = end.checked_next_multiple_of(align)?;
        Some((
            start / align * align,
            aligned_end.min(self.top.max(pages_end)),
        ))
    }

    fn attach(&mut self, start: u64, end: u64) -> io::Result<()> {
        // The new one replaces those inside it.
        self.detach_where(|a| a.pins == 0 && start <= a.start && a.start + a.len <= end);
        while self.attachments.len() >= self.limits.attachments_max && self.evict() {}
        let here = loop {
            match device::attach(&*self.device, self.permit, start, (end - start) as usize) {
                Err(error) if error.raw_os_error() == Some(libc::ENOMEM) && self.evict() => {}
                outcome => break outcome?,
            }
        };
        self.attachments.push(Attachment {
            start,
            len: end - start,
            here,
            used: self.clock,
            pins: 0,
        });
        Ok(())
    }

    /// Gives up the attachment that was not used for longest; false when all have to stay.
    fn evict(&mut self) -> bool {
        let idle = self.attachments.iter().filter(|a| a.pins == 0);
        let Some(oldest) = idle.min_by_key(|a| a.used).map(|a| a.here) else {
            return false;
        };
        self.detach_where(|a| a.here == oldest);
        true
    }

    fn detach_where(&mut self, mut goes: impl FnMut(&Attachment) -> bool) {
        let device = &*self.device;
        self.attachments.retain(|attachment| {
            let goes = goes(attachment);
            if goes {
                if let Err(error) = device::detach(device, attachment.here) {
                    Framework::Smsc.debug(format_args!("xpmem does not detach: {error}"));
                }
            }
            !goes
        });
    }

    fn failure(&self, error: &io::Error) -> Failure {
        let why = format!("its memory cannot be attached: {error}");
        match error.raw_os_error() {
            _ if !self.system.is_alive(self.pid) => Failure::Gone,
            Some(libc::ENOMEM | libc::EINVAL) => Failure::NotThis(why),
            _ => Failure::Refused(why),
        }
    }
}

impl Attachment {
    fn holds(&self, start: u64, end: u64) -> bool {
        self.start <= start && end <= self.start + self.len
    }

    /// The part of `len` bytes at the peer's address `start`, which is inside.
    fn part(&self, start: u64, len: usize) -> UserBuf {
        let address = std::ptr::with_exposed_provenance_mut(self.here as usize);
        // SAFETY: the module has mapped `self.len` bytes here, readable and writable, until they
        // are detached, which takes `&mut Memory`. That pages may vanish is `guard`'s to survive.
        let whole = unsafe { UserBuf::new(address, self.len as usize) };
        whole.part((start - self.start) as usize, len)
    }
}

impl Link for Memory {
    fn copy(
        &mut self,
        direction: Direction,
        local: UserBuf,
        target: &Target,
    ) -> Result<(), Failure> {
        if local.is_empty() {
            return Ok(());
        }
        let there = match self.reach(target.address, local.len()) {
            Ok(attachment) => attachment.part(target.address, local.len()),
            Err(error) => return Err(self.failure(&error)),
        };
        let mut done = 0;
        while done < local.len() {
            if !self.system.is_alive(self.pid) {
                return Err(Failure::Gone);
            }
            let len = (local.len() - done).min(self.limits.chunk_bytes);
            let (here, there) = (local.part(done, len), there.part(done, len));
            let copied = match direction {
                Direction::Read => guard::copy(&here, &there),
                Direction::Write => guard::copy(&there, &here),
            };
            if !copied {
                return Err(Failure::NotThis("memory that was mapped is gone".into()));
            }
            done += len;
        }
        Ok(())
    }

    fn map(&mut self, target: &Target, len: usize) -> Option<(UserBuf, u64)> {
        match self.reach(target.address, len.max(1)) {
            Ok(attachment) => {
                attachment.pins += 1;
                Some((attachment.part(target.address, len), attachment.here))
            }
            Err(error) => {
                Framework::Smsc.debug(format_args!("{len} bytes cannot be mapped: {error}"));
                None
            }
        }
    }

    fn unmap(&mut self, number: u64) {
        let found = self.attachments.iter_mut().find(|a| a.here == number);
        if let Some(attachment) = found {
            attachment.pins = attachment.pins.saturating_sub(1);
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.detach_where(|_| true);
        let _ = device::release(&*self.device, self.permit);
    }
}

#[cfg(test)]
mod tests;
