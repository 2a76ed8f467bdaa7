//! [`Ring`]: accesses that the kernel carries out (io_uring(7); the component `uring` of `fbtl`).
//!
//! The kernel rings an event descriptor for each access that has ended, and whoever waits takes the
//! ends out of the ring ([`Ring::reap`]). A part that was read or written short is continued there.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use io::Direction;
use io_uring::squeue::{Entry, Flags};
use io_uring::{opcode, types, IoUring};
use memory::UserBuf;

use crate::OpenFile;

/// Accesses in the ring at a time.
const ENTRIES: u32 = 64;

/// Most bytes of an entry: Linux transfers no more than 2 GiB less a page.
const BYTES_MAX: usize = 1 << 30;

/// Receives the bytes that were transferred when an access has ended.
pub type Ended = Box<dyn FnOnce(Result<u64>) + Send>;

/// An access to a contiguous part of a file.
pub struct Transfer {
    /// The file, which stays open until the end.
    pub file: Arc<OpenFile>,
    /// Which way bytes go.
    pub direction: Direction,
    /// The position in the file.
    pub offset: u64,
    /// The memory, which nobody else may use until the end.
    pub memory: UserBuf,
    /// Receives how it ended.
    pub ended: Ended,
}

impl Transfer {
    /// Carries it out in this thread.
    pub fn carry_out(self) {
        let moved = match self.direction {
            Direction::Read => self
                .file
                .read(self.offset, self.memory)
                .map(|read| read as u64),
            Direction::Write => {
                let written = self.file.write(self.offset, self.memory);
                written.map(|()| self.memory.len() as u64)
            }
        };
        (self.ended)(moved);
    }
}

/// Accesses that the kernel carries out.
pub struct Ring(Mutex<State>);

struct State {
    ring: IoUring,
    /// Accesses by the numbers of their entries.
    active: Vec<Option<Active>>,
}

struct Active {
    transfer: Transfer,
    done: usize,
}

impl Ring {
    /// Opens a ring; `event` is the event descriptor that is rung when an access has ended.
    ///
    /// # Errors
    /// Where the kernel lacks rings, or forbids them.
    pub fn open(event: RawFd) -> Result<Ring> {
        let ring = IoUring::new(ENTRIES)?;
        ring.submitter().register_eventfd(event)?;
        let active = (0..ENTRIES).map(|_| None).collect();
        Ok(Ring(Mutex::new(State { ring, active })))
    }

    /// Begins an access.
    ///
    /// # Errors
    /// Returns it where the ring is full, or the kernel refuses it.
    pub fn start(&self, transfer: Transfer) -> std::result::Result<(), Transfer> {
        let mut state = self.lock();
        let Some(at) = state.active.iter().position(Option::is_none) else {
            return Err(transfer);
        };
        let active = Active { transfer, done: 0 };
        let entry = match active.entry(at) {
            Ok(entry) => entry,
            Err(_) => return Err(active.transfer),
        };
        state.active[at] = Some(active);
        match state.submit(entry) {
            Ok(()) => Ok(()),
            Err(_) => match state.active[at].take() {
                Some(active) => Err(active.transfer),
                None => Ok(()),
            },
        }
    }

    /// Takes out the accesses that have ended, and continues those that were short.
    pub fn reap(&self) {
        // Whoever holds the lock does it.
        let Ok(mut state) = self.0.try_lock() else {
            return;
        };
        let ended = state.reap();
        drop(state);
        ended.into_iter().for_each(|(ended, result)| ended(result));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ring {
    /// Waits for all accesses.
    pub fn finish(&self) {
        let mut state = self.lock();
        while state.active.iter().any(Option::is_some) {
            if let Err(error) = state.ring.submit_and_wait(1) {
                if error.kind() != ErrorKind::Interrupted {
                    return;
                }
            }
            let ended = state.reap();
            ended.into_iter().for_each(|(ended, result)| ended(result));
        }
    }
}

impl Drop for Ring {
    /// The kernel uses the memory of accesses until their ends.
    fn drop(&mut self) {
        self.finish();
    }
}

impl State {
    fn reap(&mut self) -> Vec<(Ended, Result<u64>)> {
        let ends: Vec<(usize, i32)> = (self.ring.completion())
            .map(|end| (end.user_data() as usize, end.result()))
            .collect();
        let mut ended = Vec::new();
        for (at, result) in ends {
            let Some(mut active) = self.active.get_mut(at).and_then(Option::take) else {
                continue;
            };
            let next = match active.take_in(result) {
                None => active.entry(at).and_then(|entry| {
                    self.active[at] = Some(active);
                    self.submit(entry).map(|()| None)
                }),
                Some(result) => Ok(Some((active.transfer.ended, result))),
            };
            match next {
                Ok(end) => ended.extend(end),
                Err(error) => {
                    if let Some(active) = self.active[at].take() {
                        ended.push((active.transfer.ended, Err(error)));
                    }
                }
            }
        }
        ended
    }

    /// Gives the kernel an entry, of which there is never more than one for each access.
    fn submit(&mut self, entry: Entry) -> Result<()> {
        let full = || Error::from(ErrorKind::WouldBlock);
        // SAFETY: the memory of the entry stays valid until its end: whoever made the `UserBuf`
        // promised so, and `Drop` waits for all ends. The file is kept open beside it.
        unsafe { self.ring.submission().push(&entry) }.map_err(|_| full())?;
        loop {
            match self.ring.submit() {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Active {
    /// Returns the entry for what is left to transfer.
    fn entry(&self, at: usize) -> Result<Entry> {
        let transfer = &self.transfer;
        let left = transfer.memory.len() - self.done;
        let part = transfer.memory.part(self.done, left.min(BYTES_MAX));
        let offset = transfer.offset + self.done as u64;
        let fd = types::Fd(transfer.file.descriptor().as_raw_fd());
        let (address, len) = (part.address(), part.len() as u32);
        let entry = match transfer.direction {
            Direction::Read => opcode::Read::new(fd, address, len).offset(offset).build(),
            Direction::Write => {
                transfer.file.check_limit(offset)?;
                opcode::Write::new(fd, address, len).offset(offset).build()
            }
        };
        // Otherwise the caller copies what the cache of the file system has.
        let entry = entry.flags(Flags::ASYNC);
        Ok(entry.user_data(at as u64))
    }

    /// Takes in the end of an entry. Returns how the access ended, if it has.
    fn take_in(&mut self, result: i32) -> Option<Result<u64>> {
        let (len, reads) = (
            self.transfer.memory.len(),
            self.transfer.direction == Direction::Read,
        );
        match usize::try_from(result) {
            Err(_) if matches!(-result, libc::EINTR | libc::EAGAIN) => None,
            Err(_) => Some(Err(Error::from_raw_os_error(-result))),
            Ok(0) if reads => Some(Ok(self.done as u64)),
            Ok(0) => Some(Err(Error::from(ErrorKind::WriteZero))),
            Ok(bytes) => {
                self.done += bytes.min(len - self.done);
                (self.done == len).then_some(Ok(len as u64))
            }
        }
    }
}
