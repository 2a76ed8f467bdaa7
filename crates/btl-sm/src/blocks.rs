//! Blocks: memory for longer records, which changes its owner with each record.
//!
//! A cache line that this process has just read is in its caches, so writing it is cheap; a line
//! that was written here and read by the peer has to be fetched back first. So a longer record is
//! not in the ring but in a block, which the reader owns afterwards and uses for a record of its
//! own; the block that was read first is used first. Each side contributes the blocks beside the
//! ring that it writes.
//!
//! If records go in one direction only, all blocks gather at the receiver, and the ring carries the
//! records as if there were no blocks. No sender waits for a block to return: a sender without a
//! block waits only while a record of the peer is still unread here.
//!
//! A block is identified by its segment and its number. What a peer claims about blocks is checked:
//! it can hand over only those that it owns.

use std::collections::VecDeque;

use memory::{Payload, Slot};
use sync::ring::FIRST_LINE_BYTES;
use sync::LINE_BYTES;

use crate::segment::{BlockMemory, View};

/// Flag of a record's mark, beside the tag: its bytes lie in a block.
pub(crate) const LENT: u16 = 1 << 8;

/// Bytes of the record that hands a block over, before the message's header.
const NOTE_BYTES: usize = 8;
/// Longest header of a message in a block: a note is a line of the ring.
const HEAD_BYTES_MAX: usize = FIRST_LINE_BYTES - NOTE_BYTES;

/// Flag in a block's name: it lies in the segment of the process that sends or reads the name.
const HERE: u16 = 1 << 15;

/// A block that this process may write.
pub(crate) struct Block {
    name: u16,
    /// Address for the message's body, without its header.
    pub(crate) address: *mut u8,
}

impl Block {
    /// Bytes of the record that announces a message with this header.
    #[inline]
    pub(crate) fn note_bytes(header: &[u8]) -> usize {
        NOTE_BYTES + header.len()
    }

    /// Writes the record that hands the block over. The header of the message travels in it: a
    /// reader of the note has it, and need not wait for another line.
    #[inline]
    pub(crate) fn write_note(&self, note: &mut Slot<'_>, header: &[u8], len: usize) {
        let words = u64::from(self.name ^ HERE) | (len as u64) << 32;
        note.write(0, &words.to_le_bytes());
        note.write(NOTE_BYTES, header);
    }
}

/// A peer's note names an invalid block, or one that is not the peer's.
#[derive(Debug)]
pub(crate) struct Wrong;

/// The blocks of this process and one peer.
pub(crate) struct Blocks {
    here: BlockMemory,
    there: BlockMemory,
    count: u16,
    block_bytes: usize,
    /// Blocks of this process that were read here, the latest last.
    read: VecDeque<u16>,
    /// Blocks that were never used, or passed. The best to use is the last.
    fresh: Vec<u16>,
    /// Whether a block is this process's, by number: first those that lie here.
    owned: Vec<bool>,
}

impl Blocks {
    /// Returns the blocks beside the peer's ring in row `row` of the own segment, and beside the
    /// own ring in row `outlet` of the peer's. `None` where the two disagree about their sizes, or
    /// have none.
    pub(crate) fn new(own: &View, row: u32, peer: &View, outlet: u32) -> Option<Blocks> {
        let (layout, theirs) = (&own.layout, &peer.layout);
        let alike = layout.blocks == theirs.blocks && layout.block_bytes == theirs.block_bytes;
        if !alike || layout.blocks == 0 {
            return None;
        }
        let count = layout.blocks as u16;
        let mut blocks = Blocks {
            here: own.blocks(row),
            there: peer.blocks(outlet),
            count,
            block_bytes: layout.block_bytes as usize,
            read: VecDeque::new(),
            fresh: Vec::new(),
            owned: vec![false; 2 * usize::from(count)],
        };
        let (at, len) = theirs.blocks(outlet);
        if peer.segment().reserve(at, len).is_ok() {
            blocks.fresh.extend((0..count).rev());
            blocks.owned[usize::from(count)..].fill(true);
        }
        Some(blocks)
    }

    /// Whether a message of `len` bytes behind a header of `head` bytes can lie in a block.
    #[inline]
    pub(crate) fn fits(&self, head: usize, len: usize) -> bool {
        head <= HEAD_BYTES_MAX && LINE_BYTES + len <= self.block_bytes
    }

    /// Whether all but one or two of those that are brought in here are back, or others for them:
    /// both sides send in turn.
    #[inline]
    pub(crate) fn take_turns(&self) -> bool {
        self.read.len() + self.fresh.len() + 1 >= usize::from(self.count)
    }

    /// Takes a block to write to.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Block> {
        let name = self.read.pop_front().or_else(|| self.fresh.pop())?;
        self.set_owned(name, false);
        Some(Block {
            name,
            address: self.address(name).wrapping_add(LINE_BYTES),
        })
    }

    /// Leaves the blocks that were read last for later, since the next message goes without them:
    /// an exchange then stays in as few blocks as before, whose lines are in the nearest caches.
    pub(crate) fn pass(&mut self) {
        self.fresh.extend(self.read.drain(..).rev());
    }

    /// Takes back a block that was not sent.
    pub(crate) fn put_back(&mut self, block: Block) {
        self.set_owned(block.name, true);
        self.read.push_front(block.name);
    }

    /// Returns the record in a block that the peer hands over, and the block's name for
    /// [`Blocks::keep`].
    ///
    /// # Errors
    /// When the note is malformed, or names a block that does not exist or is not the peer's.
    #[inline]
    pub(crate) fn record(&self, note: Payload<'_>) -> Result<(Payload<'_>, u16), Wrong> {
        let words = u64::from_le_bytes(note.head().ok_or(Wrong)?);
        let (name, len) = (words as u16, (words >> 32) as usize);
        let head = note.len() - NOTE_BYTES;
        let number = self.number(name).ok_or(Wrong)?;
        if self.owned[number] || !self.fits(head, len) {
            return Err(Wrong);
        }
        let body = self.address(name).wrapping_add(LINE_BYTES);
        let start = body.wrapping_sub(head);
        // SAFETY: the first line of the block has room for the longest header.
        let mut slot = unsafe { Slot::new(start, head) };
        let mut header = [0; HEAD_BYTES_MAX];
        note.part(NOTE_BYTES, head).copy_to(&mut header[..head]);
        slot.write(0, &header[..head]);
        // SAFETY: the record lies inside the block, whose memory `self` keeps.
        Ok((unsafe { Payload::new(start, head + len) }, name))
    }

    /// Takes ownership of the block of a record that was read.
    #[inline]
    pub(crate) fn keep(&mut self, name: u16) {
        self.set_owned(name, true);
        self.read.push_back(name);
    }

    #[inline]
    fn set_owned(&mut self, name: u16, owned: bool) {
        if let Some(number) = self.number(name) {
            self.owned[number] = owned;
        }
    }

    #[inline]
    fn number(&self, name: u16) -> Option<usize> {
        let index = name & !HERE;
        let before = if name & HERE != 0 { 0 } else { self.count };
        (index < self.count).then(|| usize::from(before + index))
    }

    #[inline]
    fn address(&self, name: u16) -> *mut u8 {
        let memory = if name & HERE != 0 {
            &self.here
        } else {
            &self.there
        };
        memory.block(u32::from(name & !HERE))
    }
}

#[cfg(test)]
mod tests;
