//! [`Neighbours`]: processes whose memory an aggregator reads and writes where it lies.

use std::io::Result;

use memory::UserBuf;

use crate::Direction;

/// Bytes of another process's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remote {
    /// Address of the first one, in that process.
    pub address: u64,
    /// Bytes.
    pub length: u64,
}

/// Processes that reach each other's memory with one copy by the system.
pub trait Neighbours: Send + Sync {
    /// Whether this process and `rank` are expected to reach each other's memory. Equal at both.
    fn reaches(&self, rank: u32) -> bool;

    /// Copies all bytes of `local` from or to those of `remote` in process `rank`, which are as
    /// many: from there in a write of a file, to there in a read.
    ///
    /// # Errors
    /// The system's error; some of the bytes may be copied then.
    fn copy(
        &self,
        rank: u32,
        direction: Direction,
        local: &[UserBuf],
        remote: &[Remote],
    ) -> Result<()>;
}
