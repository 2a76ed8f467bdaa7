//! Counters of a process that its engine writes and tools read.
//!
//! Whoever holds the engine's gate writes a [`Count`], by a plain load and a plain store, so that
//! counting costs an addition in memory. Any thread reads it at any time without the gate; what it
//! reads was true a moment ago. Two counts that are read one after the other may be of different
//! moments.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use crate::{Mutex, PeerId};

/// A number that one thread at a time writes and any thread reads.
#[derive(Default, Debug)]
pub struct Count(AtomicU64);

impl Count {
    /// Adds `more`. Two threads that add at once lose an addition.
    #[inline(always)]
    pub fn add(&self, more: u64) {
        let sum = self.0.load(Ordering::Relaxed).wrapping_add(more);
        self.0.store(sum, Ordering::Relaxed);
    }

    /// Subtracts `less`, as [`Count::add`] adds.
    #[inline(always)]
    pub fn sub(&self, less: u64) {
        self.add(less.wrapping_neg());
    }

    /// Adds `more`, also beside other threads that do.
    pub fn add_shared(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Returns the number.
    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counters of one life of a process with MPI.
#[derive(Default, Debug)]
pub struct Counters {
    /// Receives that were posted because no unexpected message fitted.
    pub receives_posted: Count,
    /// Posted receives that a message has matched.
    pub receives_matched: Count,
    /// Posted receives that were cancelled or have failed.
    pub receives_withdrawn: Count,
    /// Messages that met no posted receive.
    pub unexpected_added: Count,
    /// Unexpected messages that are so no longer: received, taken by a matched probe, or withdrawn.
    pub unexpected_taken: Count,
    /// Bytes of unexpected messages that are buffered now.
    pub unexpected_bytes: Count,
    /// Searches of unexpected messages, by receives and probes, while there were any.
    pub unexpected_searches: Count,
    /// Long messages that went eagerly, part by part.
    pub sends_pipelined: Count,
    /// Messages that were announced by an RTS.
    pub sends_rendezvous: Count,
    /// Announced messages whose memory this process has read.
    pub receives_read: Count,
    /// Announced messages that this process has requested in fragments.
    pub receives_fragmented: Count,
    /// Polls of calls of the application.
    pub polls: Count,
    /// Waits whose condition was not true at once.
    pub waits: Count,
    /// Waits that have yielded the core.
    pub waits_yielded: Count,
    /// Sleeps of waits.
    pub waits_slept: Count,
    /// Peers that were given up.
    pub peers_failed: Count,
    /// Bytes of eager messages, with 64 for each, that a peer takes before it reports.
    pub window: Count,
    peers: Mutex<Vec<Arc<PeerCounters>>>,
    caches: Mutex<Vec<Arc<Registrations>>>,
}

/// Counts of a cache of registered memory: past events, and what there is now.
#[derive(Default, Debug)]
pub struct Registrations {
    /// Acquisitions that found a registration.
    pub hits: Count,
    /// Acquisitions that registered memory.
    pub misses: Count,
    /// Misses that met the memory with less access, and registered it with more.
    pub upgrades: Count,
    /// Registrations ended for a limit's sake or to make room at the network.
    pub evictions: Count,
    /// Registrations whose memory went back to the system.
    pub invalidations: Count,
    /// Times that reports were lost, so that every registration was taken for stale.
    pub overflows: Count,
    /// Registrations that could not be watched, and so were not kept.
    pub unwatched: Count,
    /// Registrations there are, retired ones included.
    pub registered_count: Count,
    /// Their bytes.
    pub registered_bytes: Count,
    /// Registrations without a lease.
    pub idle_count: Count,
    /// Their bytes.
    pub idle_bytes: Count,
}

impl fmt::Display for Registrations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} hits, {} misses, {} upgrades, {} evictions, {} invalidations, {} overflows, \
             {} unwatched; {} registered with {} bytes, {} idle with {} bytes",
            self.hits.get(),
            self.misses.get(),
            self.upgrades.get(),
            self.evictions.get(),
            self.invalidations.get(),
            self.overflows.get(),
            self.unwatched.get(),
            self.registered_count.get(),
            self.registered_bytes.get(),
            self.idle_count.get(),
            self.idle_bytes.get()
        )
    }
}

/// Counters of one peer.
#[derive(Default, Debug)]
pub struct PeerCounters {
    /// Messages sent to it.
    pub messages: Count,
    /// Bytes of these.
    pub bytes: Count,
    /// Cost of all eager messages sent to it.
    pub window_used: Count,
    /// The part of that cost that the peer has reported as consumed.
    pub window_returned: Count,
}

impl Counters {
    /// Returns the counters of a peer, which begin with zeros.
    pub fn peer(&self, peer: PeerId) -> Arc<PeerCounters> {
        let mut peers = self.peers.lock();
        if peers.len() <= peer.index() {
            peers.resize_with(peer.index() + 1, Arc::default);
        }
        peers[peer.index()].clone()
    }

    /// Gives a peer that comes back as another instance counters that begin with zeros.
    pub fn renew_peer(&self, peer: PeerId) -> Arc<PeerCounters> {
        let fresh = Arc::default();
        let old = self.peer(peer);
        let mut peers = self.peers.lock();
        if let Some(entry) = peers.get_mut(peer.index()) {
            *entry = Arc::clone(&fresh);
        }
        fresh.messages.add(old.messages.get());
        fresh.bytes.add(old.bytes.get());
        fresh
    }

    /// Takes the counts of the process's caches of registered memory.
    pub fn count_caches(&self, caches: impl IntoIterator<Item = Arc<Registrations>>) {
        self.caches.lock().extend(caches);
    }

    /// Returns the sum of a count of all caches of registered memory.
    pub fn of_caches(&self, count: fn(&Registrations) -> &Count) -> u64 {
        let all = self.caches.lock();
        all.iter().map(|cache| count(cache).get()).sum()
    }
}

impl PeerCounters {
    /// Counts a message to the peer.
    #[inline(always)]
    pub fn sent(&self, bytes: usize) {
        self.messages.add(1);
        self.bytes.add(bytes as u64);
    }

    /// Returns how much of `window` is left for the peer.
    pub fn credit(&self, window: u64) -> u64 {
        let used = self
            .window_used
            .get()
            .saturating_sub(self.window_returned.get());
        window.saturating_sub(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_a_peer_are_shared_and_a_new_instance_keeps_what_was_sent() {
        let counters = Counters::default();
        let peer = counters.peer(PeerId(3));
        peer.sent(8);
        peer.window_used.add(72);
        assert_eq!(counters.peer(PeerId(3)).bytes.get(), 8);
        assert_eq!(peer.credit(100), 28);
        let next = counters.renew_peer(PeerId(3));
        next.sent(1);
        let seen = counters.peer(PeerId(3));
        assert_eq!((seen.messages.get(), seen.bytes.get()), (2, 9));
        assert_eq!(seen.credit(100), 100);
    }
}
