//! [`Ring`]: accesses that the kernel carries out (io_uring(7); the component `uring` of `fbtl`).
//!
//! The kernel rings an event descriptor for each access that has ended, and whoever waits takes the
//! ends out of the ring ([`Ring::reap`]). A part that was read or written short is continued there:
//! by the ring, or by plain calls of that thread where the ring does not take it. So every access
//! that has begun ends, and what fails is reported as a plain call would report it.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::time::Duration;

use base::Mutex;
use io::Direction;
use io_uring::squeue::{Entry, Flags};
use io_uring::{opcode, types};
use mca::Framework;
use memory::UserBuf;

use crate::open_file::position;
use crate::system::{self, Queues};
use crate::OpenFile;

/// Accesses in the ring at a time.
const ENTRIES: u32 = 64;

/// Longest wait of [`Ring::finish`] between two polls of the ring.
const LOOK_EVERY: Duration = Duration::from_millis(100);

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
        let active = Active {
            transfer: self,
            done: 0,
        };
        active.carry_out().report();
    }
}

/// Accesses that the kernel carries out.
pub struct Ring(Mutex<State>);

struct State {
    queues: Queues,
    /// Accesses by the numbers of their entries.
    active: Vec<Option<Active>>,
}

struct Active {
    transfer: Transfer,
    done: usize,
}

/// An access that the kernel does not use any more.
enum Over {
    /// It has ended.
    Ended(Ended, Result<u64>),
    /// The ring does not take the rest.
    Rest(Active),
}

impl Over {
    fn report(self) {
        match self {
            Over::Ended(ended, result) => ended(result),
            Over::Rest(active) => active.carry_out().report(),
        }
    }
}

impl Ring {
    /// Opens a ring; `event` is the event descriptor that is rung when an access has ended.
    ///
    /// # Errors
    /// Where the kernel lacks rings, or forbids them.
    pub fn open(event: RawFd) -> Result<Ring> {
        let queues = Queues::open(ENTRIES, event)?;
        let active = (0..ENTRIES).map(|_| None).collect();
        Ok(Ring(Mutex::new(State { queues, active })))
    }

    /// Begins an access.
    ///
    /// # Errors
    /// Returns it where the ring is full, or the kernel refuses it.
    pub fn start(&self, transfer: Transfer) -> std::result::Result<(), Transfer> {
        let mut state = self.0.lock();
        let Some(at) = state.active.iter().position(Option::is_none) else {
            return Err(transfer);
        };
        let submitted = state.submit(at, Active { transfer, done: 0 });
        submitted.map_err(|active| active.transfer)
    }

    /// Takes out the accesses that have ended, and continues those that were short.
    pub fn reap(&self) {
        // Whoever holds the lock does it.
        let Some(mut state) = self.0.try_lock() else {
            return;
        };
        let over = state.reap();
        drop(state);
        over.into_iter().for_each(Over::report);
    }

    /// Waits for all accesses.
    pub fn finish(&self) {
        let mut state = self.0.lock();
        while state.active.iter().any(Option::is_some) {
            let over = state.reap();
            if over.is_empty() {
                state.queues.wait(LOOK_EVERY);
            }
            over.into_iter().for_each(Over::report);
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
    fn reap(&mut self) -> Vec<Over> {
        let mut over = Vec::new();
        for (at, result) in self.queues.ends() {
            let Some(mut active) = self.active.get_mut(at).and_then(Option::take) else {
                continue;
            };
            match active.take_in(result) {
                Next::Report(result) => over.push(Over::Ended(active.transfer.ended, result)),
                Next::Continue => over.extend(self.submit(at, active).err().map(Over::Rest)),
                Next::CarryOut => over.push(Over::Rest(active)),
            }
        }
        over
    }

    /// Gives the kernel what is left of an access, as the only entry of that number.
    ///
    /// # Errors
    /// Returns the access where the kernel does not take it.
    fn submit(&mut self, at: usize, active: Active) -> std::result::Result<(), Active> {
        let submitted = active.entry(at).and_then(|entry| {
            // SAFETY: the memory of the entry stays valid until its end: whoever made the `UserBuf`
            // promised so, and `Drop` waits for all ends. The file is kept open beside it.
            unsafe { self.queues.submit(&entry) }
        });
        match submitted {
            Ok(()) => {
                self.active[at] = Some(active);
                Ok(())
            }
            Err(error) => {
                Framework::Fbtl.info(format_args!("io_uring does not take an access: {error}"));
                Err(active)
            }
        }
    }
}

/// The step that follows the end of an entry.
enum Next {
    /// The access has ended so.
    Report(Result<u64>),
    /// The kernel is asked for the rest.
    Continue,
    /// Plain calls transfer the rest: the kernel asks for another try, which a ring would repeat
    /// without end.
    CarryOut,
}

impl Active {
    /// Returns the entry for what is left to transfer.
    fn entry(&self, at: usize) -> Result<Entry> {
        let transfer = &self.transfer;
        let left = transfer.memory.len() - self.done;
        let part = (transfer.memory).part(self.done, left.min(system::bytes_max()));
        let offset = position(transfer.offset, self.done)? as u64;
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

    /// Takes in the end of an entry.
    fn take_in(&mut self, result: i32) -> Next {
        let (len, reads) = (
            self.transfer.memory.len(),
            self.transfer.direction == Direction::Read,
        );
        match usize::try_from(result) {
            Err(_) if matches!(-result, libc::EINTR | libc::EAGAIN) => Next::CarryOut,
            Err(_) => Next::Report(Err(Error::from_raw_os_error(-result))),
            Ok(0) if reads => Next::Report(Ok(self.done as u64)),
            Ok(0) => Next::Report(Err(Error::from(ErrorKind::WriteZero))),
            Ok(bytes) => {
                self.done += bytes.min(len - self.done);
                match self.done == len {
                    true => Next::Report(Ok(len as u64)),
                    false => Next::Continue,
                }
            }
        }
    }

    /// Transfers what is left by plain calls of this thread.
    fn carry_out(self) -> Over {
        let Transfer {
            file,
            direction,
            offset,
            memory,
            ended,
        } = self.transfer;
        let rest = memory.part(self.done, memory.len() - self.done);
        let moved = position(offset, self.done).and_then(|at| match direction {
            Direction::Read => file.read(at as u64, rest),
            Direction::Write => file.write(at as u64, rest).map(|()| rest.len()),
        });
        Over::Ended(ended, moved.map(|moved| (self.done + moved) as u64))
    }
}
