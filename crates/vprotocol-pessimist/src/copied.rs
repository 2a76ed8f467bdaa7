//! An event log of which another host has a copy.
//!
//! Stores go into the log, and into the journal that the daemon of this host ships
//! (`bootstrap::native::journal`). [`Copied::settle`] waits until the other host has all of them:
//! a round trip for all stores since the last one.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use mca::Framework;

use crate::events::StableWords;

/// The shape of a journal's memory: the number of the word of its count, of stores that there is
/// room for, and of the word at which a store lies.
#[derive(Clone, Copy)]
pub struct Ring {
    /// Stores that there is room for.
    pub stores: u64,
    /// Returns the word at which a store begins.
    pub place: fn(u64) -> usize,
}

/// A log whose stores are journaled.
pub struct Copied<W, J> {
    log: W,
    journal: J,
    ring: Ring,
    socket: UnixStream,
    /// Stores so far, and those that the other host has.
    stores: Cell<u64>,
    settled: Cell<u64>,
    /// The position of the last store, where it may be replaced.
    last: Cell<Option<usize>>,
    token: Cell<u64>,
    /// Whether anything was stored since the last token.
    is_dirty: Cell<bool>,
}

impl<W: StableWords, J: StableWords> Copied<W, J> {
    /// Journals the stores to `log`; tokens go over `socket`.
    pub fn new(log: W, journal: J, ring: Ring, socket: UnixStream) -> Copied<W, J> {
        let stores = journal.load(0);
        Copied {
            log,
            journal,
            ring,
            socket,
            stores: Cell::new(stores),
            settled: Cell::new(stores),
            last: Cell::new(None),
            token: Cell::new(0),
            is_dirty: Cell::new(false),
        }
    }

    fn exchange(&self) -> io::Result<()> {
        let token = self.token.get() + 1;
        let mut socket = &self.socket;
        socket.write_all(&token.to_ne_bytes())?;
        let mut bytes = [0; 8];
        loop {
            socket.read_exact(&mut bytes)?;
            if u64::from_ne_bytes(bytes) >= token {
                self.token.set(token);
                return Ok(());
            }
        }
    }
}

impl<W: StableWords, J: StableWords> StableWords for Copied<W, J> {
    fn len(&self) -> usize {
        self.log.len()
    }

    fn load(&self, at: usize) -> u64 {
        self.log.load(at)
    }

    fn store(&self, at: usize, word: u64) {
        self.log.store(at, word);
        let stores = self.stores.get();
        if self.last.get() == Some(at) {
            let place = (self.ring.place)(stores - 1);
            self.journal.store(place + 1, word);
            return self.is_dirty.set(true);
        }
        // The last one that was shipped is shipped again.
        if stores - self.settled.get() >= self.ring.stores - 1 {
            self.settle();
        }
        self.is_dirty.set(true);
        let place = (self.ring.place)(stores);
        self.journal.store(place, at as u64);
        self.journal.store(place + 1, word);
        self.stores.set(stores + 1);
        self.journal.store(0, stores + 1);
        self.last.set(Some(at));
    }

    fn is_copied(&self) -> bool {
        true
    }

    /// Waits until the other host has all stores. Without a daemon there is nobody to wait for: the
    /// launcher ends this process.
    fn settle(&self) {
        if !self.is_dirty.get() {
            return;
        }
        if let Err(why) = self.exchange() {
            Framework::Vprotocol.warn(format_args!("the event log is not copied any more: {why}"));
        }
        self.is_dirty.set(false);
        self.settled.set(self.stores.get());
    }
}

#[cfg(test)]
mod tests;
