//! [`Storage`]: an open file, as the plans use it.

use std::io::Result;

use memory::UserBuf;

use crate::Run;

/// An open file. Positions are absolute; calls may come from any thread.
pub trait Storage: Send + Sync {
    /// Reads into all of `into` from `offset` on, and returns the bytes read: fewer only where the
    /// file ends.
    ///
    /// # Errors
    /// The system's error.
    fn read(&self, offset: u64, into: UserBuf) -> Result<usize>;

    /// Writes all of `from` from `offset` on.
    ///
    /// # Errors
    /// The system's error; some of the bytes may be written then.
    fn write(&self, offset: u64, from: UserBuf) -> Result<()>;

    /// Keeps other processes that lock any byte of `range` from doing so until the value is
    /// dropped.
    ///
    /// # Errors
    /// The system's error; `Unsupported` where the file system has no locks.
    fn lock<'a>(&'a self, range: Run) -> Result<Box<dyn Lock + 'a>>;

    /// Has reads that begin now see what other processes have written, where they do not by
    /// themselves.
    fn refresh(&self) {}

    /// Has others see what was written, where they do not by themselves.
    ///
    /// # Errors
    /// The system's error.
    fn publish(&self) -> Result<()> {
        Ok(())
    }

    /// Has `work` carried out while the caller goes on, or before it does.
    fn beside(&self, work: Work) -> Box<dyn PendingWork> {
        Box::new(CompletedWork(work()))
    }
}

/// A locked range; dropping it unlocks.
pub trait Lock: Send {}

/// Work of an access.
pub type Work = Box<dyn FnOnce() -> Result<()> + Send>;

/// Work that was begun. Dropping it waits for its end: the work uses memory of the access.
pub trait PendingWork: Send {
    /// Waits for the end of the work, and returns its result.
    ///
    /// # Errors
    /// The work's error.
    fn end(self: Box<Self>) -> Result<()>;
}

/// Work that was carried out at once.
struct CompletedWork(Result<()>);

impl PendingWork for CompletedWork {
    fn end(self: Box<Self>) -> Result<()> {
        self.0
    }
}
