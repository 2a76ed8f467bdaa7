//! The registration cache (rcache): keeps memory registered for later operations.
//!
//! Registering memory with a network costs more than sending it, so a registration outlives the
//! operation that needed it. An operation acquires a [`Lease`] ([`Cache::acquire`]) and releases
//! it ([`Cache::release`]); the cache decides when to deregister.
//!
//! | state of an entry | in the index | leases | leaves it by |
//! |---|---|---|---|
//! | leased | yes | 1 or more | last release: idle; `retire`: retired |
//! | idle | yes | 0 | `acquire`: leased; `retire`: deregistered |
//! | retired | no | 1 or more | last release: deregistered |
//!
//! *Retired* means: never handed out again. It happens to an entry whose memory went back to the
//! system, that a wider one takes the place of, that is evicted, or that could not be watched.
//!
//! **A stale registration is never used.** An entry outlives its lease only if a [`Watch`]
//! promised to report when the memory is unmapped or emptied; before each look-up the cache
//! drains those reports and retires what they overlap. Without a watch every acquisition
//! registers anew: right, and slower. The memory of a lease is the caller's and stays in place
//! while it is leased, as MPI asks of the buffer of a pending operation.
//!
//! Ranges are whole pages. The cache owns no registrar and no lock: both are the caller's.
//!
//! ```
//! use memory::rcache::{Access, Cache, Limits, Registrar};
//! use memory::release::Monitor;
//! use memory::{Scratch, UserBuf};
//!
//! /// A network whose handles are the lengths of what was registered.
//! struct Network;
//!
//! impl Registrar for Network {
//!     type Handle = usize;
//!     type Error = ();
//!     fn register(&mut self, memory: UserBuf, _: Access) -> Result<usize, ()> {
//!         Ok(memory.len())
//!     }
//!     fn deregister(&mut self, _: usize) {}
//!     fn is_lack_of_resources(_: &()) -> bool {
//!         false
//!     }
//! }
//!
//! let limits = Limits { idle_count_max: 64, idle_bytes_max: 1 << 20 };
//! let watch = Monitor::start().ok().map(|monitor| Box::new(monitor.subscribe()) as Box<_>);
//! let mut cache = Cache::new(limits, watch);
//! let buffer = Scratch::new(10_000);
//! for _ in 0..2 {
//!     let lease = cache.acquire(buffer.buf(), Access::REMOTE_READ, &mut Network).unwrap();
//!     assert!(*cache.handle(&lease) >= 10_000);
//!     cache.release(lease, &mut Network);
//! }
//! println!("{}", cache.stats());
//! cache.clear(&mut Network);
//! ```

mod access;
mod index;
mod lru;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use base::Registrations;

use crate::release::{Released, Watch};
use crate::UserBuf;

use index::Index;
use lru::Lru;

pub use access::Access;

/// Registers memory with a network.
pub trait Registrar {
    /// A registration.
    type Handle;
    /// Why memory could not be registered.
    type Error;

    /// Registers whole pages.
    ///
    /// # Errors
    /// The network's. Where [`Registrar::is_lack_of_resources`] says so, the cache gives up idle
    /// registrations and tries again.
    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Self::Handle, Self::Error>;

    /// Ends a registration. Called once for each handle.
    fn deregister(&mut self, handle: Self::Handle);

    /// Whether fewer registrations, or registrations of less memory, would have helped.
    fn is_lack_of_resources(error: &Self::Error) -> bool;
}

/// How much the cache may keep without use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most idle registrations. 0 keeps none.
    pub idle_count_max: usize,
    /// Most bytes of idle registrations; memory in several ones counts as often.
    pub idle_bytes_max: usize,
}

/// The right to use a registration until it is given back to the cache it came from.
#[derive(Debug)]
#[must_use = "a lease that is not given back keeps its registration for ever"]
pub struct Lease {
    slot: u32,
}

/// One registration.
struct Entry<H> {
    handle: H,
    range: Range<usize>,
    access: Access,
    leases: u32,
    indexed: bool,
}

/// A cache of registrations with one registrar.
///
/// `acquire` and `release` are a pair; `invalidate`, `drain` and `clear` retire; the others only
/// look. Call [`Cache::clear`] and give all leases back before the registrar is closed.
pub struct Cache<H> {
    limits: Limits,
    watch: Option<Box<dyn Watch + Send>>,
    /// Slots keep their number for as long as somebody can name them.
    entries: Vec<Option<Entry<H>>>,
    free: Vec<u32>,
    index: Index,
    idle: Lru,
    stats: Arc<Registrations>,
}

impl<H> Cache<H> {
    /// An empty cache. Without a `watch` nothing is kept.
    pub fn new(limits: Limits, watch: Option<Box<dyn Watch + Send>>) -> Cache<H> {
        Cache {
            limits,
            watch,
            entries: Vec::new(),
            free: Vec::new(),
            index: Index::default(),
            idle: Lru::default(),
            stats: Arc::default(),
        }
    }

    /// A registration that covers `memory` and allows `access`.
    ///
    /// # Errors
    /// The registrar's, after idle registrations were given up for want of resources.
    pub fn acquire<R: Registrar<Handle = H>>(
        &mut self,
        memory: UserBuf,
        access: Access,
        registrar: &mut R,
    ) -> Result<Lease, R::Error> {
        self.drain(registrar);
        let wanted = pages_around(memory);
        if let Some(slot) = self.index.find(&wanted, access) {
            self.stats.hits.add(1);
            return Ok(self.lease(slot));
        }
        self.stats.misses.add(1);
        let slot = match self.index.wider(&wanted) {
            Some((range, less)) => self.upgrade(range, wanted, less, access, registrar)?,
            None => self.enter(wanted, access, registrar)?,
        };
        Ok(self.lease(slot))
    }

    /// Gives a lease back.
    pub fn release<R: Registrar<Handle = H>>(&mut self, lease: Lease, registrar: &mut R) {
        let entry = self.entry_mut(lease.slot);
        entry.leases -= 1;
        if entry.leases > 0 {
            return;
        }
        let (indexed, bytes) = (entry.indexed, entry.range.len());
        if !indexed {
            return self.deregister(lease.slot, registrar);
        }
        self.idle.push(lease.slot);
        self.stats.idle_count.add(1);
        self.stats.idle_bytes.add(bytes as u64);
        self.keep_limits(registrar);
    }

    /// The registration of a lease.
    pub fn handle(&self, lease: &Lease) -> &H {
        &self.entry(lease.slot).handle
    }

    /// The registered memory of a lease: whole pages, around what was asked for.
    pub fn memory(&self, lease: &Lease) -> UserBuf {
        as_memory(&self.entry(lease.slot).range)
    }

    /// Retires what overlaps a range: its memory is not what it was.
    pub fn invalidate<R: Registrar<Handle = H>>(
        &mut self,
        range: &Range<usize>,
        registrar: &mut R,
    ) {
        for slot in self.index.overlapping(range) {
            self.stats.invalidations.add(1);
            self.retire(slot, registrar);
        }
    }

    /// Retires what the watch reports. [`Cache::acquire`] does so itself.
    pub fn drain<R: Registrar<Handle = H>>(&mut self, registrar: &mut R) {
        let Some(mut watch) = self.watch.take() else {
            return;
        };
        watch.drain(&mut |released| match released {
            Released::Range(range) => self.invalidate(&range, registrar),
            Released::Unknown => {
                self.stats.overflows.add(1);
                self.invalidate(&(0..usize::MAX), registrar);
            }
        });
        self.watch = Some(watch);
    }

    /// Retires everything: what is idle is deregistered now, the rest when its last lease ends.
    pub fn clear<R: Registrar<Handle = H>>(&mut self, registrar: &mut R) {
        for slot in self.index.overlapping(&(0..usize::MAX)) {
            self.retire(slot, registrar);
        }
    }

    /// Returns the counts of past events, and the present state.
    pub fn stats(&self) -> &Arc<Registrations> {
        &self.stats
    }

    /// Drops all registrations as their handles are dropped, leased ones too, and keeps none from
    /// now on.
    pub fn close(&mut self) {
        let stats = self.stats.clone();
        let none = Limits {
            idle_count_max: 0,
            idle_bytes_max: 0,
        };
        *self = Cache::new(none, None);
        for level in [
            &stats.registered_count,
            &stats.registered_bytes,
            &stats.idle_count,
            &stats.idle_bytes,
        ] {
            level.sub(level.get());
        }
        self.stats = stats;
    }

    fn lease(&mut self, slot: u32) -> Lease {
        let entry = self.entry_mut(slot);
        entry.leases += 1;
        let (first, bytes) = (entry.leases == 1, entry.range.len());
        if first && self.idle.remove(slot) {
            self.stats.idle_count.sub(1);
            self.stats.idle_bytes.sub(bytes as u64);
        }
        Lease { slot }
    }

    /// Registers a range anew with more access; the narrow range that is wanted, where the
    /// registrar refuses (part of the wider one may not allow what is asked).
    fn upgrade<R: Registrar<Handle = H>>(
        &mut self,
        wider: Range<usize>,
        wanted: Range<usize>,
        less: Access,
        access: Access,
        registrar: &mut R,
    ) -> Result<u32, R::Error> {
        self.stats.upgrades.add(1);
        match self.enter(wider, less.with(access), registrar) {
            Ok(slot) => Ok(slot),
            Err(_) => self.enter(wanted, access, registrar),
        }
    }

    /// Makes an entry, in the index if its memory is watched. Those that it takes the place of
    /// are retired.
    fn enter<R: Registrar<Handle = H>>(
        &mut self,
        range: Range<usize>,
        access: Access,
        registrar: &mut R,
    ) -> Result<u32, R::Error> {
        // Before the pages are pinned: what happens to them from here on is reported.
        let watched = self.watch.as_mut().is_some_and(|watch| watch.watch(&range));
        let handle = self.register(&range, access, registrar)?;
        if watched {
            for slot in self.index.contained(&range, access) {
                self.retire(slot, registrar);
            }
        } else {
            self.stats.unwatched.add(1);
        }
        self.stats.registered_count.add(1);
        self.stats.registered_bytes.add(range.len() as u64);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            (self.entries.len() - 1) as u32
        });
        if watched {
            self.index.insert(&range, access, slot);
        }
        self.entries[slot as usize] = Some(Entry {
            handle,
            range,
            access,
            leases: 0,
            indexed: watched,
        });
        Ok(slot)
    }

    /// Registers memory, giving up idle registrations while the registrar lacks resources.
    fn register<R: Registrar<Handle = H>>(
        &mut self,
        range: &Range<usize>,
        access: Access,
        registrar: &mut R,
    ) -> Result<H, R::Error> {
        loop {
            match registrar.register(as_memory(range), access) {
                Err(error) if R::is_lack_of_resources(&error) && self.evict(registrar) => {}
                outcome => return outcome,
            }
        }
    }

    fn keep_limits<R: Registrar<Handle = H>>(&mut self, registrar: &mut R) {
        while self.stats.idle_count.get() > self.limits.idle_count_max as u64
            || self.stats.idle_bytes.get() > self.limits.idle_bytes_max as u64
        {
            if !self.evict(registrar) {
                return;
            }
        }
    }

    /// Ends the registration that has been idle longest; false when none is idle.
    fn evict<R: Registrar<Handle = H>>(&mut self, registrar: &mut R) -> bool {
        let Some(slot) = self.idle.oldest() else {
            return false;
        };
        self.stats.evictions.add(1);
        self.retire(slot, registrar);
        true
    }

    /// Takes an entry out of the index, and ends it if nobody leases it.
    fn retire<R: Registrar<Handle = H>>(&mut self, slot: u32, registrar: &mut R) {
        let entry = self.entry_mut(slot);
        entry.indexed = false;
        let (start, access, leases) = (entry.range.start, entry.access, entry.leases);
        self.index.remove(start, access);
        if leases == 0 {
            self.deregister(slot, registrar);
        }
    }

    fn deregister<R: Registrar<Handle = H>>(&mut self, slot: u32, registrar: &mut R) {
        let entry = self.entries[slot as usize].take().expect("a live entry");
        let bytes = entry.range.len();
        if self.idle.remove(slot) {
            self.stats.idle_count.sub(1);
            self.stats.idle_bytes.sub(bytes as u64);
        }
        self.stats.registered_count.sub(1);
        self.stats.registered_bytes.sub(bytes as u64);
        self.free.push(slot);
        registrar.deregister(entry.handle);
    }

    fn entry(&self, slot: u32) -> &Entry<H> {
        self.entries[slot as usize].as_ref().expect("a live entry")
    }

    fn entry_mut(&mut self, slot: u32) -> &mut Entry<H> {
        self.entries[slot as usize].as_mut().expect("a live entry")
    }
}

/// The whole pages that hold `memory`; one page where it is empty.
fn pages_around(memory: UserBuf) -> Range<usize> {
    let page = crate::page_bytes();
    let start = memory.address() as usize;
    let end = start.saturating_add(memory.len().max(1));
    let end = end.checked_next_multiple_of(page).unwrap_or(usize::MAX);
    start / page * page..end
}

fn as_memory(range: &Range<usize>) -> UserBuf {
    // SAFETY: the pages around the memory of a lease, which its holder promised when it made the
    // `UserBuf` that it asked with; pages are mapped whole. A wider range, tried for an upgrade,
    // is only named to the registrar, which answers with an error where it is not mapped.
    unsafe { UserBuf::new(range.start as *mut u8, range.len()) }
}
