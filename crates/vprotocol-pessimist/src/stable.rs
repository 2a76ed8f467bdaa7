//! Memory that outlives this process: a memory file that the launcher holds, too.

use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU64, Ordering};

use shm::Segment;

use crate::events::Words;

/// The words of a memory file.
pub struct Stable(Segment);

/// Opens the event log of `bytes` bytes that this process has under a descriptor.
///
/// # Errors
/// When the descriptor is not that of a log.
pub fn open(descriptor: RawFd, bytes: usize) -> io::Result<Stable> {
    Segment::attach(std::process::id(), descriptor, bytes).map(Stable)
}

impl Words for Stable {
    fn len(&self) -> usize {
        self.0.len() / 8
    }

    #[inline]
    fn load(&self, at: usize) -> u64 {
        self.0.word::<AtomicU64>(at * 8).load(Ordering::Acquire)
    }

    #[inline]
    fn store(&self, at: usize, word: u64) {
        self.0
            .word::<AtomicU64>(at * 8)
            .store(word, Ordering::Release);
    }
}
