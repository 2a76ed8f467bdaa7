//! Blocks of data, as gather, scatter, allgather and alltoall move them, and packed copies of
//! buffers.

use std::sync::Arc;

use datatype::Buffer;
use memory::UserBuf;

use crate::{Error, Peer, Port};

/// One block of data per rank (or per neighbour).
#[derive(Clone, Debug)]
pub enum Blocks {
    /// Blocks of equal length, contiguous in one buffer.
    Even {
        /// The buffer of all blocks.
        whole: Buffer,
        /// Number of blocks.
        blocks: u32,
        /// Packed bytes of a block.
        block_len: usize,
    },
    /// One buffer for each block: lengths, datatypes and addresses may differ.
    Listed(Arc<[Buffer]>),
}

impl Blocks {
    /// Returns `blocks` equal blocks, of which `whole` is the concatenation. The count of elements
    /// in `whole` must be a multiple of `blocks`.
    #[inline]
    pub fn even(whole: Buffer, blocks: u32) -> Blocks {
        // Divided once: a short call asks several times.
        let block_len = whole.len() / blocks.max(1) as usize;
        Blocks::Even {
            whole,
            blocks,
            block_len,
        }
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> u32 {
        match self {
            Blocks::Even { blocks, .. } => *blocks,
            Blocks::Listed(list) => list.len() as u32,
        }
    }

    /// Returns the buffer that begins with the first block; `None` where there are none.
    pub fn first(&self) -> Option<&Buffer> {
        match self {
            Blocks::Even { whole, .. } => Some(whole),
            Blocks::Listed(list) => list.first(),
        }
    }

    /// Returns the block of rank `index`.
    #[inline]
    pub fn block(&self, index: u32) -> Buffer {
        match self {
            Blocks::Listed(list) => list[index as usize].clone(),
            Blocks::Even { .. } => self.piece(index, 1),
        }
    }

    /// Returns the length of block `index` in packed bytes.
    #[inline]
    pub fn block_len(&self, index: u32) -> usize {
        match self {
            Blocks::Even { block_len, .. } => *block_len,
            Blocks::Listed(list) => list[index as usize].len(),
        }
    }

    /// Returns the length of all blocks in packed bytes.
    pub fn len(&self) -> usize {
        match self {
            Blocks::Even { whole, .. } => whole.len(),
            Blocks::Listed(list) => list.iter().map(Buffer::len).sum(),
        }
    }

    /// Whether the blocks have no data.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `count` blocks from `first` on as one buffer; `None` for listed blocks.
    pub(crate) fn range(&self, first: u32, count: u32) -> Option<Buffer> {
        match self {
            Blocks::Even { .. } => Some(self.piece(first, count)),
            Blocks::Listed(_) => None,
        }
    }

    /// Returns `count` even blocks from `first` on.
    #[inline]
    fn piece(&self, first: u32, count: u32) -> Buffer {
        let Blocks::Even {
            whole,
            blocks,
            block_len,
        } = self
        else {
            return Buffer::EMPTY;
        };
        let (first, count) = (first as usize, count as usize);
        match whole.contiguous() {
            Some(memory) => Buffer::bytes(memory.part(first * block_len, count * block_len)),
            None => {
                let block = whole.count() / *blocks as usize;
                whole.elements(first * block, count * block)
            }
        }
    }

    pub(crate) fn expect(&self, count: u32) -> Result<(), Error> {
        if self.count() == count {
            return Ok(());
        }
        Err(Error::Arguments(
            "the number of blocks is not the number of ranks",
        ))
    }
}

impl From<Vec<Buffer>> for Blocks {
    fn from(list: Vec<Buffer>) -> Blocks {
        Blocks::Listed(list.into())
    }
}

/// Copies all data of `from` to `to`, which must be of the same length.
pub(crate) fn copy(from: &Buffer, to: &Buffer) -> Result<(), Error> {
    if from.len() != to.len() {
        return Err(Error::Arguments(
            "send and receive blocks of a rank differ in length",
        ));
    }
    datatype::copy(from, to)?;
    Ok(())
}

/// Packed bytes standing in for a buffer whose data must be cut at any byte.
///
/// A contiguous buffer is its own stage; another one is copied through scratch memory.
pub(crate) struct Stage {
    /// The packed bytes.
    pub bytes: UserBuf,
    behind: Option<Buffer>,
}

impl Stage {
    /// Returns a stage for `buffer`, which holds the buffer's data if `filled`.
    pub fn new(port: &Port, buffer: &Buffer, filled: bool) -> Result<Stage, Error> {
        if let Some(bytes) = buffer.contiguous() {
            return Ok(Stage {
                bytes,
                behind: None,
            });
        }
        let bytes = port.scratch(buffer.len());
        if filled {
            copy(buffer, &Buffer::bytes(bytes))?;
        }
        Ok(Stage {
            bytes,
            behind: Some(buffer.clone()),
        })
    }

    /// Returns `len` packed bytes at `offset` as the buffer of a message.
    pub fn part(&self, offset: usize, len: usize) -> Buffer {
        Buffer::bytes(self.bytes.part(offset, len))
    }

    /// Copies the packed bytes to the buffer that they stand for.
    pub fn finish(self) -> Result<(), Error> {
        match self.behind {
            Some(buffer) => copy(&Buffer::bytes(self.bytes), &buffer),
            None => Ok(()),
        }
    }
}

/// Returns `len` bytes of scratch memory as the buffer of a message.
pub(crate) fn scratch(port: &Port, len: usize) -> Buffer {
    Buffer::bytes(port.scratch(len))
}

/// Returns the range of piece `index` when `total` is divided evenly into `pieces`.
pub(crate) fn share(total: usize, pieces: u32, index: u32) -> std::ops::Range<usize> {
    let edge = |index: u32| (total as u128 * u128::from(index) / u128::from(pieces)) as usize;
    edge(index)..edge(index + 1)
}

/// Returns the bytes `range` of `memory` as the buffer of a message.
pub(crate) fn bytes_of(memory: UserBuf, range: std::ops::Range<usize>) -> Buffer {
    Buffer::bytes(memory.part(range.start, range.len()))
}

/// Exchanges blocks by [`Port::exchange`]. An empty block is neither sent nor received.
pub(crate) async fn exchange_some(
    port: &Port,
    to: impl Into<Peer>,
    outgoing: &Buffer,
    from: impl Into<Peer>,
    incoming: &Buffer,
) -> Result<(), Error> {
    match (outgoing.is_empty(), incoming.is_empty()) {
        (false, false) => port.exchange(to, outgoing, from, incoming).await,
        (false, true) => port.wait(port.send(to, outgoing)).await,
        (true, false) => port.wait(port.recv(from, incoming)).await,
        (true, true) => Ok(()),
    }
}
