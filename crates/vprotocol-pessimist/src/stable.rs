//! Memory that outlives this process: a memory file that the launcher holds, too.

use std::fs::File;
use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU64, Ordering};

use shm::Segment;

use crate::events::StableWords;

/// The words of a memory file.
pub struct Stable {
    segment: Segment,
    /// The first of its words, and how many they are.
    first: usize,
    words: usize,
}

/// Opens the event log of `bytes` bytes that this process has under a descriptor.
///
/// # Errors
/// When the descriptor is not that of a log.
pub fn open(descriptor: RawFd, bytes: usize) -> io::Result<Stable> {
    let segment = Segment::attach(std::process::id(), descriptor, bytes)?;
    Ok(Stable {
        words: segment.len() / 8,
        segment,
        first: 0,
    })
}

impl Stable {
    /// Splits the last `bytes` bytes off.
    pub fn split(self, bytes: usize) -> (Stable, Stable) {
        let behind = (bytes / 8).min(self.words);
        let words = self.words - behind;
        let last = Stable {
            segment: self.segment.clone(),
            first: self.first + words,
            words: behind,
        };
        (Stable { words, ..self }, last)
    }
}

/// Opens a file of the payload log that this process has under a descriptor.
///
/// # Errors
/// When the descriptor is not that of a file.
pub fn open_file(descriptor: RawFd) -> io::Result<File> {
    let path = format!("/proc/self/fd/{descriptor}");
    File::options().read(true).write(true).open(path)
}

impl StableWords for Stable {
    fn len(&self) -> usize {
        self.words
    }

    #[inline]
    fn load(&self, at: usize) -> u64 {
        debug_assert!(at < self.words, "word {at} of {}", self.words);
        let at = (self.first + at) * 8;
        self.segment.word::<AtomicU64>(at).load(Ordering::Acquire)
    }

    #[inline]
    fn store(&self, at: usize, word: u64) {
        debug_assert!(at < self.words, "word {at} of {}", self.words);
        let at = (self.first + at) * 8;
        let place = self.segment.word::<AtomicU64>(at);
        place.store(word, Ordering::Release);
    }
}
