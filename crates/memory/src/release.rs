//! Memory-release notification: reports to caches of registrations that memory went back to the
//! system.
//!
//! An application frees memory, or unmaps it, and later has other memory at the same addresses. A
//! registration of the old pages would send what nobody wrote. So whoever keeps registrations
//! [`Watch`]es their memory and looks for reports before each use.
//!
//! The source of the reports is userfaultfd(2). A [`Monitor`] has one; ranges are enrolled in
//! write-protect mode and never protected, so no page fault is ever raised; what is wanted are
//! the events REMOVE, UNMAP and REMAP. A thread of the monitor reads them into a journal, and
//! each [`Subscription`] reads the journal at its own pace.
//!
//! # Why this cannot deadlock
//!
//! The thread that unmaps memory waits inside the kernel until its event has been read, perhaps
//! with the allocator's locks in its hands. So **the reading thread waits for nothing but
//! events**: it takes no lock, allocates nothing, calls nobody, runs no signal handler and
//! touches no watched memory; a journal that is full loses its oldest record, and who missed it
//! takes everything for stale. Subscribers deregister, allocate and unmap as they like: the
//! reading thread is another one.
//!
//! # Why nothing stale is used
//!
//! The invariant: once an address has been given out anew, the release that came before it is in
//! the journal when [`Watch::drain`] reads it. There are two gaps to close.
//!
//! * *Read, but not yet in the journal.* The thread that unmapped goes on as soon as the event
//!   has been read. The reading thread makes `rounds` odd before it reads, and even after it has
//!   written the journal; a drain that finds it odd waits for it to change.
//! * *Unmapped, but the event not yet there.* Another thread may be given the addresses as soon
//!   as the kernel has let go of the address space, before the event is even queued. But under
//!   the lock of the address space the kernel has already counted a change in progress, and as
//!   long as there is one it answers certain requests on the descriptor with EAGAIN. A drain
//!   makes such a request ([`uffd::Uffd::is_changing`]) until the kernel accepts it.
//!
//! A drain that has waited too long for either gives up and says [`Released::Unknown`]: memory
//! that is in use at that moment is registered anew then, which is always right.
//!
//! # What is not watched
//!
//! Only private anonymous memory (with huge pages or without) is: memory of a file, shared or
//! not, can be cut away through the file without an event. [`Watch::watch`] says no to the rest,
//! to ranges that another userfaultfd holds, and to everything where there is no userfaultfd:
//! kernels before 5.11, and containers that forbid it. Wrappers of munmap(2) and its kin would
//! not help there, since they do not see the C library's own calls.
//! MADV_GUARD_INSTALL sends no event either; memory behind a guard is no buffer.
//!
//! # Children and the end
//!
//! A child of fork(2) has the descriptor, but neither the thread nor watched memory; a monitor
//! that is dropped there does nothing. It also keeps the parent's userfaultfd alive, so a monitor
//! takes all its ranges back before its thread ends ([`maps`] finds them): afterwards nobody
//! waits for anything.

mod maps;
mod reader;
#[cfg(test)]
mod tests;
mod uffd;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::thread::JoinHandle;

use base::Mutex;
use mca::Framework;
use sync::journal::{Cursor, Next};

use maps::Maps;
use reader::Shared;

/// Memory that is not what it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Released {
    /// These addresses were unmapped, moved away or emptied.
    Range(Range<usize>),
    /// Reports were lost: any watched memory may have been released.
    Unknown,
}

/// Reports when memory is released. One for each cache.
pub trait Watch {
    /// Asks for reports on a range, in whole pages, from now on. False when there will be none,
    /// so that nothing may be assumed about the range once its user is done with it.
    fn watch(&mut self, range: &Range<usize>) -> bool;

    /// Reports everything watched that was released before the call: whoever was given such
    /// addresses anew before the call finds the release reported by it.
    fn drain(&mut self, report: &mut dyn FnMut(Released));
}

/// Why there is no monitor.
#[derive(Debug)]
pub struct Unavailable {
    /// The kernel's facility that failed.
    what: &'static str,
    /// The system's answer.
    why: io::Error,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unavailable { what, why } = self;
        write!(f, "memory cannot be watched: {what}: {why}")
    }
}

impl std::error::Error for Unavailable {}

/// Watches the memory of this process for any number of subscriptions. Its thread and
/// descriptors end with it and its last subscription.
#[derive(Debug)]
pub struct Monitor {
    shared: Arc<Shared>,
    reader: Option<JoinHandle<()>>,
    maps: Maps,
    enrolled: Mutex<Enrolled>,
    /// The process that made it.
    owner: u32,
}

/// Ranges in which memory may be enrolled, to be released at the end.
#[derive(Debug)]
struct Enrolled {
    /// Ranges, start to end, overlapping or not.
    ranges: BTreeMap<usize, usize>,
    /// How far the journal of moves has been read.
    moves: Cursor,
}

impl Monitor {
    /// Starts watching.
    ///
    /// # Errors
    /// If the system has no suitable userfaultfd(2), or does not let this process use it.
    pub fn start() -> Result<Arc<Monitor>, Unavailable> {
        let because = |what| move |why| Unavailable { what, why };
        let maps = Maps::open().map_err(because("/proc/self/maps"))?;
        let uffd = uffd::Uffd::open().map_err(because("userfaultfd"))?;
        let shared = Arc::new(Shared::new(uffd).map_err(because("eventfd"))?);
        let reader = reader::start(&shared).map_err(because("a thread"))?;
        let enrolled = Enrolled {
            ranges: BTreeMap::new(),
            moves: shared.moves.cursor(),
        };
        Ok(Arc::new(Monitor {
            shared,
            reader: Some(reader),
            maps,
            enrolled: Mutex::new(enrolled),
            owner: std::process::id(),
        }))
    }

    /// Returns a subscription, which receives reports on what it watches and on what others do.
    pub fn subscribe(self: &Arc<Self>) -> Subscription {
        Subscription {
            cursor: self.shared.released.cursor(),
            monitor: self.clone(),
        }
    }

    fn enroll(&self, range: &Range<usize>) -> bool {
        let Some(page) = self.maps.private_page_bytes(range) else {
            return false;
        };
        let (start, end) = (range.start / page * page, range.end.next_multiple_of(page));
        let mut enrolled = self.enrolled.lock();
        if let Err(error) = self.shared.uffd.enroll(&(start..end)) {
            Framework::Memory.debug(format_args!(
                "{start:#x}..{end:#x} cannot be watched: {error}"
            ));
            return false;
        }
        enrolled.note(start, end);
        true
    }

    /// Takes back whatever memory is enrolled, wherever it was moved; false when it moves on and
    /// on.
    fn withdraw_all(&self) -> bool {
        let mut enrolled = self.enrolled.lock();
        // Other threads may map and move memory meanwhile: until a pass has met nothing new.
        for pass in 0..100 {
            enrolled.note_moves(&self.shared);
            let mut complete = true;
            self.maps.each_private(&mut |mapped| {
                for (start, end) in enrolled.overlapping(&mapped) {
                    let part = start.max(mapped.start)..end.min(mapped.end);
                    let refused = self.shared.uffd.withdraw(&part).is_err();
                    // Mappings of the kernel's own cannot be enrolled either; others have changed
                    // in the meantime.
                    let again = refused && (pass == 0 || self.shared.uffd.enroll(&part).is_ok());
                    complete &= !again;
                }
            });
            self.shared.settle();
            if complete && !enrolled.note_moves(&self.shared) {
                return true;
            }
        }
        false
    }
}

impl Enrolled {
    /// Adds a range, joined with those it touches.
    fn note(&mut self, mut start: usize, mut end: usize) {
        while let Some((&from, &to)) = self.ranges.range(..=end).next_back() {
            if to < start {
                break;
            }
            self.ranges.remove(&from);
            (start, end) = (start.min(from), end.max(to));
        }
        self.ranges.insert(start, end);
    }

    /// Adds where watched memory was moved to; false when it was not.
    fn note_moves(&mut self, shared: &Shared) -> bool {
        let mut any = false;
        loop {
            match shared.moves.next(&mut self.moves) {
                Next::Record([start, end]) => self.note(start as usize, end as usize),
                Next::Lost => self.note(0, usize::MAX),
                Next::Nothing => return any,
            }
            any = true;
        }
    }

    fn overlapping(&self, range: &Range<usize>) -> Vec<(usize, usize)> {
        let before = self.ranges.range(..range.end).rev();
        let near = before.take_while(|(_, end)| **end > range.start);
        near.map(|(start, end)| (*start, *end)).collect()
    }
}

impl Drop for Monitor {
    #[expect(
        clippy::disallowed_methods,
        reason = "ends the thread that reads events of released memory"
    )]
    fn drop(&mut self) {
        let Some(reader) = self.reader.take() else {
            return;
        };
        if std::process::id() != self.owner {
            // The memory and the thread are the parent's. Joining would wait for ever.
            std::mem::forget(reader);
            return;
        }
        if !self.withdraw_all() {
            Framework::Memory.warn(format_args!("some memory could not be released from watch"));
        }
        self.shared.stop();
        if reader.join().is_err() {
            Framework::Memory.error(format_args!("the thread that watches memory has failed"));
        }
    }
}

/// One reader of a monitor's reports.
#[derive(Debug)]
pub struct Subscription {
    monitor: Arc<Monitor>,
    cursor: Cursor,
}

impl Watch for Subscription {
    fn watch(&mut self, range: &Range<usize>) -> bool {
        self.monitor.enroll(range)
    }

    fn drain(&mut self, report: &mut dyn FnMut(Released)) {
        let shared = &self.monitor.shared;
        if !shared.settle() {
            self.cursor = shared.released.cursor();
            return report(Released::Unknown);
        }
        loop {
            report(match shared.released.next(&mut self.cursor) {
                Next::Record([start, end]) => Released::Range(start as usize..end as usize),
                Next::Lost => Released::Unknown,
                Next::Nothing => return,
            });
        }
    }
}
