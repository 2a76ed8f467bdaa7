//! The trait of what is measured: operations on the other side, and its replies.

use std::time::{Duration, Instant};

use super::Error;

/// Longest time without anything that happens.
const SILENCE: Duration = Duration::from_secs(20);

/// Empty polls after which a side lets others run: the other may need this core.
const EMPTY_POLLS_MAX: u32 = 2000;

/// Bytes behind the memory that is read and written, of which the first are the 64-bit word that
/// atomic operations change.
pub(crate) const WORD_BYTES: usize = 64;

/// An operation on the other side's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Reads this many bytes from the start.
    Get(usize),
    /// Writes this many bytes to the start.
    Put(usize),
    /// Adds to the 64-bit word, and fetches it.
    Add(u64),
    /// Replaces the 64-bit word, and fetches it.
    Swap(u64),
    /// Replaces the 64-bit word if it is the first by the second, and fetches it.
    CompareSwap(u64, u64),
}

/// How an operation began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Begun {
    /// The operation is complete.
    Done,
    /// [`Link::completed`] will count it.
    Pending,
    /// The operation was refused for lack of room.
    Busy,
}

/// One side's link to the other.
pub(crate) trait Link {
    /// Whether the other side is this one.
    fn is_loopback(&self) -> bool {
        false
    }

    /// The largest message, in bytes.
    fn message_bytes_max(&self) -> usize;

    /// Sends `len` bytes of the outgoing memory; whether they were taken.
    fn send(&mut self, len: usize) -> Result<bool, Error>;

    /// Starts an operation between the local memory and the other side's.
    fn begin(&mut self, access: Access) -> Result<Begun, Error>;

    /// Moves what can move; how much happened.
    fn poll(&mut self) -> Result<usize, Error>;

    /// Messages that came in so far.
    fn arrived(&self) -> u64;

    /// Operations that were pending and are complete.
    fn completed(&self) -> u64;

    /// Whether everything written is visible at the other side.
    fn is_flushed(&mut self) -> Result<bool, Error>;

    /// Replaces the first bytes of the memory that messages and writes are taken from.
    fn fill(&mut self, bytes: &[u8]);

    /// The first bytes of the last message, or of what was read.
    fn received(&self, len: usize) -> Vec<u8>;

    /// Returns the 64-bit word that the last atomic operation fetched.
    fn fetched(&self) -> u64;

    /// Sends back what came in last.
    fn echo(&mut self, len: usize) -> Result<bool, Error>;

    /// The length of the message that came in last.
    fn last_len(&self) -> usize;
}

impl Link for Box<dyn Link> {
    fn is_loopback(&self) -> bool {
        (**self).is_loopback()
    }
    fn message_bytes_max(&self) -> usize {
        (**self).message_bytes_max()
    }
    fn send(&mut self, len: usize) -> Result<bool, Error> {
        (**self).send(len)
    }
    fn begin(&mut self, access: Access) -> Result<Begun, Error> {
        (**self).begin(access)
    }
    fn poll(&mut self) -> Result<usize, Error> {
        (**self).poll()
    }
    fn arrived(&self) -> u64 {
        (**self).arrived()
    }
    fn completed(&self) -> u64 {
        (**self).completed()
    }
    fn is_flushed(&mut self) -> Result<bool, Error> {
        (**self).is_flushed()
    }
    fn fill(&mut self, bytes: &[u8]) {
        (**self).fill(bytes);
    }
    fn received(&self, len: usize) -> Vec<u8> {
        (**self).received(len)
    }
    fn fetched(&self) -> u64 {
        (**self).fetched()
    }
    fn echo(&mut self, len: usize) -> Result<bool, Error> {
        (**self).echo(len)
    }
    fn last_len(&self) -> usize {
        (**self).last_len()
    }
}

/// Counts the empty polls of a wait, and ends it after [`SILENCE`].
pub(crate) struct PollLimit {
    what: &'static str,
    polls: u32,
    began: Option<Instant>,
}

impl PollLimit {
    pub(crate) fn of(what: &'static str) -> PollLimit {
        PollLimit {
            what,
            polls: 0,
            began: None,
        }
    }

    /// Notes an empty poll.
    #[inline]
    pub(crate) fn count_empty(&mut self) -> Result<(), Error> {
        self.polls += 1;
        match self.polls < EMPTY_POLLS_MAX {
            true => Ok(()),
            false => self.yield_core(),
        }
    }

    #[cold]
    fn yield_core(&mut self) -> Result<(), Error> {
        self.polls = EMPTY_POLLS_MAX / 2;
        let waited = self.began.get_or_insert_with(Instant::now).elapsed();
        if waited > SILENCE {
            let seconds = SILENCE.as_secs();
            let what = self.what;
            return Err(Error::Silence { what, seconds });
        }
        std::thread::yield_now();
        Ok(())
    }
}

/// Polls until something is so.
#[inline]
pub(crate) fn until<L: Link>(
    link: &mut L,
    what: &'static str,
    mut so: impl FnMut(&mut L) -> Result<bool, Error>,
) -> Result<(), Error> {
    let mut patience = PollLimit::of(what);
    while !so(link)? {
        if link.poll()? == 0 {
            patience.count_empty()?;
        }
    }
    Ok(())
}

/// Starts an operation, and polls until it is complete.
#[inline]
pub(crate) fn complete<L: Link>(link: &mut L, access: Access) -> Result<(), Error> {
    let wanted = link.completed() + 1;
    let mut begun = Begun::Busy;
    until(link, "an operation to start", |link| {
        begun = link.begin(access)?;
        Ok(begun != Begun::Busy)
    })?;
    match begun {
        Begun::Pending => until(link, "an operation", |link| Ok(link.completed() >= wanted)),
        Begun::Done | Begun::Busy => Ok(()),
    }
}

/// Sends a message as soon as it is taken.
#[inline]
pub(crate) fn send<L: Link>(link: &mut L, len: usize) -> Result<(), Error> {
    until(link, "room for a message", |link| link.send(len))
}
