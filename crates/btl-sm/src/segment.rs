//! The layout of a segment.
//!
//! ```text
//! byte      what                             written by
//! 0         cookie u64                       owner, once
//! 8         region wanted u32                peers that read its memory by regions
//! 16        attends u32                      owner
//! 20        standby u32                      owner; a peer clears it when it wakes
//! 64        sleep u32, fence u32, state u32  owner; a peer clears sleep when it rings
//! 128       rings claimed u32, again u32     peers
//! 192       queue tail u64                   peers
//! 256       ring table: per ring 16 bytes    the peer that claimed it; the owner frees it
//!           state u32, alias of the peer + 1 u32, queue messages before the ring u64
//! queue_at  cells of 512 bytes: turn u64, sender u32, length u16, tag u8, more u8, payload
//! rings_at  rings: a line with the reader's position u64, a line with its wishes by size class
//!           u32 ([`crate::carriage`]), then the lines; behind each ring its blocks. The peer that
//!           claims a ring has memory reserved for all as it needs them
//! ```

use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use btl::Alias;
use shm::carriage::CLASSES;
use shm::segment::Line;
use shm::Segment;
use sync::atomic::{AtomicU32, AtomicU64};
use sync::{fifo, ring, LINE_BYTES};

use crate::params::Settings;

/// Bytes of a queue cell.
pub(crate) const CELL_BYTES: usize = 512;
/// Bytes of a cell before its payload.
pub(crate) const CELL_HEAD_BYTES: usize = 16;
/// Payload bytes of a cell.
pub(crate) const CELL_PAYLOAD_BYTES: usize = CELL_BYTES - CELL_HEAD_BYTES;

/// Most blocks beside a ring.
pub(crate) const BLOCKS_MAX: u32 = 4096;

const TABLE_AT: usize = 256;
const TABLE_ROW_BYTES: usize = 16;
const PAGE_BYTES: usize = 4096;

/// States of a process, in its own segment.
pub(crate) const OPEN: u32 = 1;
pub(crate) const CLOSED: u32 = 2;

/// States of a row in the ring table.
pub(crate) const RING_READY: u32 = 1;
pub(crate) const RING_DEAD: u32 = 2;
/// The peer writes nothing any more, and does not read what the ring holds beside records.
pub(crate) const RING_LEFT: u32 = 3;
/// No state: the ring is free, or its claimant is about to make it ready.
pub(crate) const RING_NONE: u32 = 0;
/// The claimant of a free ring, whose memory is zero and not reserved.
const UNCLAIMED: u32 = 0;

/// The sizes that decide all offsets in a segment. Both sides must agree; they travel in the
/// address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) cells: u32,
    pub(crate) rings: u32,
    /// Lines of a fully grown ring, except for the large ones.
    pub(crate) ring_lines: u32,
    /// How many of the rings that are claimed first may become larger, and their lines then.
    pub(crate) large_rings: u32,
    pub(crate) large_lines: u32,
    /// Blocks beside each ring.
    pub(crate) blocks: u32,
    /// Bytes of a block: whole lines.
    pub(crate) block_bytes: u32,
}

/// Lines of a ring that the reader writes, with its position and its wishes, before those that the
/// writer does.
pub(crate) const RING_HEAD_LINES: usize = 2;

const _: () = assert!(CLASSES * size_of::<u32>() <= LINE_BYTES);

/// Returns the lines of a ring of `ring_bytes` bytes: one line less, for the reader's position.
pub(crate) fn lines_in(ring_bytes: usize) -> usize {
    ring_bytes / LINE_BYTES - 1
}

/// Bytes of a ring of `lines` lines and of the reader's lines before them, in whole pages.
fn ring_bytes(lines: usize) -> usize {
    ((lines + RING_HEAD_LINES) * LINE_BYTES).next_multiple_of(PAGE_BYTES)
}

impl Layout {
    pub(crate) fn of(settings: &Settings) -> Layout {
        let block_bytes = LINE_BYTES + settings.eager_part.next_multiple_of(LINE_BYTES);
        let blocks = match settings.eager_part >= settings.block_min {
            true => (settings.blocks_bytes / block_bytes).min(BLOCKS_MAX as usize),
            // Nothing would lie in one.
            false => 0,
        };
        Layout {
            cells: settings.queue_cells.next_power_of_two(),
            rings: settings.ring_max,
            ring_lines: lines_in(settings.ring_grown_bytes) as u32,
            large_rings: settings.ring_large_max.min(settings.ring_max),
            large_lines: lines_in(settings.ring_large_bytes.max(settings.ring_grown_bytes)) as u32,
            blocks: blocks as u32,
            block_bytes: block_bytes as u32,
        }
    }

    /// Whether a peer's layout is within the bounds of the parameters.
    pub(crate) fn is_possible(&self) -> bool {
        (2..=65_536).contains(&self.cells)
            && self.cells.is_power_of_two()
            && self.rings <= 4096
            && self.large_rings <= self.rings
            && self.ring_lines >= 63
            && (self.ring_lines..1 << 20).contains(&self.large_lines)
            && (self.block_bytes as usize).is_multiple_of(LINE_BYTES)
            && (1..=2 << 20).contains(&self.block_bytes)
            && self.blocks <= BLOCKS_MAX
    }

    pub(crate) fn queue_at(&self) -> usize {
        (TABLE_AT + self.rings as usize * TABLE_ROW_BYTES).next_multiple_of(PAGE_BYTES)
    }

    fn rings_at(&self) -> usize {
        (self.queue_at() + self.cells as usize * CELL_BYTES).next_multiple_of(PAGE_BYTES)
    }

    /// Lines of a fully grown ring.
    pub(crate) fn lines_of(&self, index: u32) -> usize {
        match index < self.large_rings {
            true => self.large_lines as usize,
            false => self.ring_lines as usize,
        }
    }

    /// Bytes from a ring of `lines` lines to the next ring: with its blocks.
    fn stride(&self, lines: u32) -> usize {
        ring_bytes(lines as usize) + self.blocks_bytes().next_multiple_of(PAGE_BYTES)
    }

    fn blocks_bytes(&self) -> usize {
        self.blocks as usize * self.block_bytes as usize
    }

    /// Offset and length of the blocks beside a ring.
    pub(crate) fn blocks(&self, index: u32) -> (usize, usize) {
        let (at, len) = self.ring(index);
        (at + len, self.blocks_bytes())
    }

    /// Offset of a ring; for the index behind the last ring, the end of them all.
    fn ring_at(&self, index: u32) -> usize {
        let large = index.min(self.large_rings);
        self.rings_at()
            + large as usize * self.stride(self.large_lines)
            + (index - large) as usize * self.stride(self.ring_lines)
    }

    /// Offset and length of a ring.
    fn ring(&self, index: u32) -> (usize, usize) {
        (self.ring_at(index), ring_bytes(self.lines_of(index)))
    }

    /// Offset and length of the first `lines` lines of a ring, in whole pages.
    pub(crate) fn ring_part(&self, index: u32, lines: usize) -> (usize, usize) {
        let (at, len) = self.ring(index);
        (at, ring_bytes(lines).min(len))
    }

    /// Bytes that are reserved from the beginning: all but the rings.
    pub(crate) fn reserved(&self) -> usize {
        self.rings_at()
    }

    pub(crate) fn len(&self) -> usize {
        self.ring_at(self.rings)
    }
}

/// How a ring was claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claimed {
    First,
    Again,
}

/// The counts of claims: of rings that were ever claimed, and of claims of freed ones, which count
/// once the ring is ready.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Claims(pub(crate) u64);

impl Claims {
    /// One more claim of a freed ring.
    pub(crate) const AGAIN: u64 = 1 << 32;

    pub(crate) fn rings(self) -> u32 {
        self.0 as u32
    }

    /// Returns these counts with another one of rings.
    pub(crate) fn with_rings(self, rings: u32) -> Claims {
        Claims(self.0 & !u64::from(u32::MAX) | u64::from(rings))
    }
}

/// A segment and its layout: the accessors for its contents. Clones share the segment.
#[derive(Clone)]
pub(crate) struct View {
    segment: Segment,
    /// The line that the queue begins with.
    queue: usize,
    pub(crate) layout: Layout,
}

impl View {
    /// Returns the view of a segment that is as long as its layout says.
    pub(crate) fn new(segment: Segment, layout: Layout) -> View {
        assert_eq!(segment.len(), layout.len(), "a segment and its layout");
        View {
            segment,
            queue: layout.queue_at() / LINE_BYTES,
            layout,
        }
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    pub(crate) fn cookie(&self) -> &AtomicU64 {
        self.segment.header::<AtomicU64, 0>()
    }
    /// Not 0 when a peer can read the owner's memory only where it is a region of knem's.
    pub(crate) fn region_wanted(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, 8>()
    }
    /// Not 0 while the owner does nothing but wait for messages, awake.
    pub(crate) fn attends(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, 16>()
    }
    /// The machine word that the helper thread sleeps on ([`btl::Presence::helper_word`]).
    pub(crate) fn standby(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, 20>()
    }
    #[inline]
    pub(crate) fn sleep(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, 64>()
    }
    pub(crate) fn fence(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, 68>()
    }
    #[inline]
    pub(crate) fn state(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, 72>()
    }
    /// Two counts in one word ([`Claims`]).
    #[inline]
    pub(crate) fn claims(&self) -> &AtomicU64 {
        self.segment.header::<AtomicU64, 128>()
    }

    /// Claims a free ring for a process: from then on its owner knows whose it is, whatever happens
    /// to the process. Its memory is not reserved yet, and it is in no state. `None` when all are
    /// in use.
    pub(crate) fn claim_ring(&self, me: Alias) -> Option<(u32, Claimed)> {
        let mine = me.bits().wrapping_add(1);
        let claim = |row: &u32| {
            let claimant = self.ring_claimant(*row);
            // freed: see `free_ring`.
            claimant.load(Ordering::Relaxed) == UNCLAIMED
                && claimant
                    .compare_exchange(UNCLAIMED, mine, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
        };
        let row = (0..self.layout.rings).find(claim)?;
        let first = |claims| {
            let claims = Claims(claims);
            (claims.rings() <= row).then(|| claims.with_rings(row + 1).0)
        };
        let is_first = self
            .claims()
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, first);
        let how = is_first.map_or(Claimed::Again, |_| Claimed::First);
        Some((row, how))
    }

    /// Makes a ring of the own segment free, whose peer has left, with the memory of its blocks.
    pub(crate) fn free_ring(&self, row: u32) {
        let (at, len) = self.layout.ring(row);
        let (_, blocks) = self.layout.blocks(row);
        // Where the system keeps the memory, the ring is not clean and stays unused.
        if self.segment.release(at, len + blocks).is_ok() {
            self.ring_state(row).store(RING_NONE, Ordering::Relaxed);
            // freed: who claims it finds its memory zero, and no state.
            self.ring_claimant(row).store(UNCLAIMED, Ordering::Release);
        }
    }
    pub(crate) fn ring_state(&self, index: u32) -> &AtomicU32 {
        self.segment.word(self.table_row(index))
    }
    fn ring_claimant(&self, index: u32) -> &AtomicU32 {
        self.segment.word(self.table_row(index) + 4)
    }

    /// Returns whose a ring is.
    pub(crate) fn ring_peer(&self, index: u32) -> Option<Alias> {
        let claimant = self.ring_claimant(index).load(Ordering::Relaxed);
        (claimant != UNCLAIMED).then(|| Alias::from_bits(claimant.wrapping_sub(1)))
    }

    pub(crate) fn ring_queued_before(&self, index: u32) -> &AtomicU64 {
        self.segment.word(self.table_row(index) + 8)
    }

    /// Returns the wish of a ring's reader for messages of a size class.
    pub(crate) fn ring_wish(&self, index: u32, class: usize) -> &AtomicU32 {
        assert!(index < self.layout.rings && class < CLASSES);
        let (at, _) = self.layout.ring(index);
        self.segment
            .word(at + LINE_BYTES + class * size_of::<u32>())
    }

    /// Returns the first line of a cell of the queue.
    #[inline]
    fn cell(&self, cell: usize) -> Line<'_> {
        debug_assert!(cell < self.layout.cells as usize);
        self.segment
            .line(self.queue + cell * (CELL_BYTES / LINE_BYTES))
    }

    fn table_row(&self, index: u32) -> usize {
        TABLE_AT + index as usize * TABLE_ROW_BYTES
    }

    /// The blocks beside a ring; `index` is below the layout's number of rings.
    pub(crate) fn blocks(&self, index: u32) -> BlockMemory {
        assert!(index < self.layout.rings);
        let (at, len) = self.layout.blocks(index);
        let first = self.segment.at(at, len);
        BlockMemory {
            view: self.clone(),
            first: first.expect("blocks lie inside the segment"),
        }
    }

    /// The lines of a ring; `index` is below the layout's number of rings.
    pub(crate) fn ring(&self, index: u32) -> RingLines {
        assert!(index < self.layout.rings);
        let (at, len) = self.layout.ring(index);
        let position = self
            .segment
            .at(at, len)
            .expect("rings lie inside the segment");
        RingLines {
            _view: self.clone(),
            lines: self.layout.lines_of(index),
            position,
        }
    }
}

/// The blocks beside a ring: equal pieces of memory.
#[derive(Clone)]
pub(crate) struct BlockMemory {
    view: View,
    first: NonNull<u8>,
}

// SAFETY: the pointer is into the segment, which is Send and Sync and kept by the view.
unsafe impl Send for BlockMemory {}

impl BlockMemory {
    /// The address of a block, and of all its bytes behind; `index` is below the layout's number.
    #[inline]
    pub(crate) fn block(&self, index: u32) -> *mut u8 {
        let layout = &self.view.layout;
        assert!(index < layout.blocks);
        self.first
            .as_ptr()
            .wrapping_add(index as usize * layout.block_bytes as usize)
    }
}

/// A ring inside a segment.
pub(crate) struct RingLines {
    /// Owns the segment.
    _view: View,
    lines: usize,
    /// The line that holds the reader's position; its wishes and the ring's lines follow it.
    position: NonNull<u8>,
}

// SAFETY: the pointer is into the segment, which is Send and Sync and kept by the view.
unsafe impl Send for RingLines {}

// SAFETY: all addresses lie inside the segment, which the view keeps; the first line holds the
// position, the ring's lines follow. The memory is zero until the writer begins.
unsafe impl ring::Lines for RingLines {
    #[inline]
    fn lines(&self) -> usize {
        self.lines
    }
    #[inline]
    fn header(&self, line: usize) -> &AtomicU64 {
        debug_assert!(line < self.lines());
        // SAFETY: the line lies inside the ring (its length was checked in `View::ring`), is
        // aligned, and its first word is only used as this atomic.
        unsafe {
            self.position
                .add((RING_HEAD_LINES + line) * LINE_BYTES)
                .cast::<AtomicU64>()
                .as_ref()
        }
    }
    #[inline]
    fn payload(&self, line: usize) -> *mut u8 {
        self.position
            .as_ptr()
            .wrapping_add((RING_HEAD_LINES + line) * LINE_BYTES + 8)
    }
    #[inline]
    fn position(&self) -> &AtomicU64 {
        // SAFETY: as in `header`.
        unsafe { self.position.cast::<AtomicU64>().as_ref() }
    }
}

// SAFETY: the cells lie inside the segment, which the view keeps; they begin with their turn, and
// have the bytes of a cell each.
unsafe impl fifo::Cells for View {
    #[inline]
    fn cells(&self) -> usize {
        self.layout.cells as usize
    }
    #[inline]
    fn turn(&self, cell: usize) -> &AtomicU64 {
        self.cell(cell).word::<AtomicU64, 0>()
    }
    fn tail(&self) -> &AtomicU64 {
        self.segment.header::<AtomicU64, 192>()
    }
    #[inline]
    fn bytes(&self, cell: usize) -> *mut u8 {
        self.cell(cell).address().as_ptr()
    }
}
