//! A ring of records from one writer to one reader, in memory that both can reach.
//!
//! The ring is an array of cache lines. A record is a header word, a few bytes of payload
//! behind it in the same line, and as many further lines as it takes; it never wraps. The
//! header word says that the record is there, so a small record costs one line of traffic
//! between the cores and no index is shared on its way:
//!
//! ```text
//! line 0        line 1        line 2        line 3
//! |h|payload....|h|payload....|...payload.. |0|         the reader stands at a line whose
//!  ^ read here    ^ next                     ^ write     header is 0: nothing there yet
//! ```
//!
//! The header after a record is 0 before the record is published: what an earlier lap left there
//! cannot be taken for the next record. So one line must stay free. The writer clears headers some
//! lines ahead, after it has published: a store to a line that the reader has would otherwise hold
//! up the one that publishes. Where a record does not fit before the end, a skip record sends the
//! reader to line 0; the last line is for nothing else, so only the writer has to know where the
//! end is. It may begin with a part of the memory, and use the rest when it needs it
//! ([`Writer::grow`]).
//!
//! A long record may be shifted inside its first line, so that what follows a header of the user's
//! begins with a line: copies between memory that is aligned alike are the fast ones.
//!
//! Only the reader's position flows back, through one shared word that the writer looks at
//! when the lines that it knows to be free run out.
//!
//! | shared field | writer | reader | pairing |
//! |---|---|---|---|
//! | header words | writer: record published | reader | `published`: Release/Acquire, the payload becomes visible |
//! | position | reader: lines given back | writer | `returned`: Release/Acquire, the reader is done with the lines |

use crate::atomic::{AtomicU64, Ordering};
use crate::LINE_BYTES;

/// Payload bytes in the first line of a record.
pub const FIRST_LINE_BYTES: usize = LINE_BYTES - HEADER_BYTES;
const HEADER_BYTES: usize = 8;

/// How many headers after the next record the writer clears ahead, half of them at a time: the
/// reader has those lines, and stores to many of them in a row wait for them together.
#[cfg(not(loom))]
const CLEAR_AHEAD: u64 = 32;
#[cfg(loom)]
const CLEAR_AHEAD: u64 = 2;
/// Lines of the longest record after which that is done: where records are longer, the next ones
/// overwrite most of those headers, and their lines would be asked for in vain.
const SHORT_LINES: usize = 8;

/// Set in every header, so that none is 0.
const PRESENT: u64 = 1 << 63;
/// The record is a skip to line 0, over as many lines as its length says.
const SKIP: u64 = 1 << 62;
const SHIFT_SHIFT: u32 = 32;
const MARK_SHIFT: u32 = 40;
const SHIFT_MASK: u64 = 0x3f;

/// The memory of a ring: where header words, payload and the reader's position are.
///
/// # Safety
/// `header(line)`, for `line < lines()`, and `position()` are words that both sides share.
/// `payload(line)` is the address of the bytes after the header of `line`, and from there on
/// all bytes up to the end of the last line are readable and writable. All are 0 at first.
pub unsafe trait Lines {
    /// How many lines there can be: at least 4.
    fn lines(&self) -> usize;
    /// The header word of a line.
    fn header(&self, line: usize) -> &AtomicU64;
    /// The bytes after the header word of a line.
    fn payload(&self, line: usize) -> *mut u8;
    /// How many lines the reader has given back since the beginning.
    fn position(&self) -> &AtomicU64;
}

/// A small number that travels with a record; the ring does not look at it.
pub type Mark = u16;

/// Room for a record, between [`Writer::reserve`] and [`Writer::publish`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Where the payload is to be written, in full.
    pub address: *mut u8,
    /// Lines of the record.
    lines: usize,
    /// Its header word, but for the mark.
    word: u64,
}

/// The writing end. One per ring.
pub struct Writer<L> {
    store: L,
    /// How many lines are in use, and how many payload bytes a record can have.
    lines: usize,
    record_bytes_max: usize,
    /// The line of the next record.
    at: usize,
    /// Lines written since the beginning.
    written: u64,
    /// Lines that the reader had given back when last looked.
    returned: u64,
    /// Lines, counted like `written`, up to which all headers from `at` on are 0.
    cleared: u64,
}

/// The reading end. One per ring.
pub struct Reader<L> {
    store: L,
    /// How many lines there can be.
    lines: usize,
    /// The line of the next record.
    at: usize,
    /// Lines given back since the beginning.
    consumed: u64,
}

/// A record in the ring. Its bytes are valid until [`Reader::release`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Where the payload is.
    pub payload: *const u8,
    /// Bytes of payload.
    pub len: usize,
    /// The writer's mark.
    pub mark: Mark,
    lines: usize,
}

/// A header that no correct writer makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Corrupt;

/// Lines that a record of `len` payload bytes takes.
#[inline]
pub fn lines_for(len: usize) -> usize {
    (HEADER_BYTES + len).div_ceil(LINE_BYTES)
}

/// Most payload bytes of a record in a ring of `lines` lines, shifted or not: half of it, so that
/// an empty ring takes one wherever it stands, and the writer can go on while the reader copies.
pub fn record_bytes_max(lines: usize) -> usize {
    ((lines - 1) / 2 * LINE_BYTES)
        .saturating_sub(HEADER_BYTES + LINE_BYTES)
        .max(FIRST_LINE_BYTES)
}

impl<L: Lines> Writer<L> {
    /// The writing end of a fresh ring that uses `lines` lines of its memory, at least 4, until it
    /// grows.
    pub fn new(store: L, lines: usize) -> Writer<L> {
        let lines = lines.min(store.lines());
        Writer {
            store,
            lines,
            record_bytes_max: record_bytes_max(lines),
            at: 0,
            written: 0,
            returned: 0,
            // Fresh memory is all 0.
            cleared: lines as u64,
        }
    }

    /// The ring's memory.
    pub fn store(&self) -> &L {
        &self.store
    }

    /// How many lines are in use.
    #[inline]
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Uses `lines` lines from now on, of which those that are new are all 0. False while the
    /// reader is still in the lap before: what it has not read then lies where the lap would go
    /// on.
    pub fn grow(&mut self, lines: usize) -> bool {
        self.look_for_returned();
        if self.written - self.returned > self.at as u64 {
            return false;
        }
        self.lines = lines.clamp(self.lines, self.store.lines());
        self.record_bytes_max = record_bytes_max(self.lines);
        true
    }

    /// Finds room for a record of `len` bytes, to be written in full before [`Writer::publish`].
    /// `None` when the ring is full or the record too long for it.
    #[inline]
    pub fn reserve(&mut self, len: usize) -> Option<Room> {
        match self.reserve_line(len) {
            None => self.reserve_shifted(0, len),
            room => room,
        }
    }

    /// The same for a record of one line, where the reader need not be asked for more lines and the
    /// end is not near. `None`: [`Writer::reserve`] tells.
    #[inline]
    pub fn reserve_line(&mut self, len: usize) -> Option<Room> {
        if len > FIRST_LINE_BYTES || self.at + 1 >= self.lines || self.free() < 2 {
            return None;
        }
        Some(Room {
            address: self.store.payload(self.at),
            lines: 1,
            word: PRESENT | len as u64,
        })
    }

    /// The same, for a record whose bytes from `head` on are to begin with a line.
    #[inline]
    pub fn reserve_aligned(&mut self, head: usize, len: usize) -> Option<Room> {
        let before = HEADER_BYTES + head;
        self.reserve_shifted(before.next_multiple_of(LINE_BYTES) - before, len)
    }

    #[inline]
    fn reserve_shifted(&mut self, shift: usize, len: usize) -> Option<Room> {
        let lines = lines_for(shift + len);
        if len > self.record_bytes_max {
            return None;
        }
        // The last line is for the skip.
        if self.at + lines >= self.lines {
            self.skip_to_start()?;
        }
        // One more line: the one whose header must be clear.
        if !self.has_free(lines + 1) {
            return None;
        }
        Some(Room {
            address: self.store.payload(self.at).wrapping_add(shift),
            lines,
            word: PRESENT | ((shift as u64) << SHIFT_SHIFT) | len as u64,
        })
    }

    /// Makes the record in the reserved room visible.
    #[inline]
    pub fn publish(&mut self, room: Room, mark: Mark) {
        self.put(room.lines, room.word | (u64::from(mark) << MARK_SHIFT));
    }

    /// Sets the present header, once the one after `lines` lines is clear.
    #[inline]
    fn put(&mut self, lines: usize, word: u64) {
        let end = self.at + lines;
        let next = if end == self.lines { 0 } else { end };
        let written = self.written + lines as u64;
        if self.cleared <= written {
            self.store.header(next).store(0, Ordering::Relaxed);
            self.cleared = written + 1;
        }
        // published: the payload and the cleared header become visible with the header.
        self.store.header(self.at).store(word, Ordering::Release);
        self.at = next;
        self.written = written;
        if lines <= SHORT_LINES && self.cleared <= written + CLEAR_AHEAD / 2 {
            self.clear_ahead();
        }
    }

    /// Clears the headers of lines that the reader has given back, some way ahead.
    #[inline]
    fn clear_ahead(&mut self) {
        let free = self.returned + self.lines as u64;
        let until = free.min(self.written + CLEAR_AHEAD);
        while self.cleared < until {
            let ahead = self.at + (self.cleared - self.written) as usize;
            let line = if ahead >= self.lines {
                ahead - self.lines
            } else {
                ahead
            };
            self.store.header(line).store(0, Ordering::Relaxed);
            self.cleared += 1;
        }
    }

    #[cold]
    fn skip_to_start(&mut self) -> Option<()> {
        let rest = self.lines - self.at;
        if !self.has_free(rest + 1) {
            return None;
        }
        self.put(rest, PRESENT | SKIP | rest as u64);
        Some(())
    }

    #[inline]
    fn has_free(&mut self, lines: usize) -> bool {
        if self.free() >= lines as u64 {
            return true;
        }
        self.look_for_returned();
        self.free() >= lines as u64
    }

    #[inline]
    fn free(&self) -> u64 {
        self.lines as u64 - (self.written - self.returned)
    }

    fn look_for_returned(&mut self) {
        // returned: the reader's reads of those lines come before they are overwritten.
        let returned = self.store.position().load(Ordering::Acquire);
        // A broken reader may have written anything; believe only what is possible.
        if returned >= self.returned && returned <= self.written {
            self.returned = returned;
        }
    }

    /// Whether the reader has taken everything.
    pub fn is_drained(&self) -> bool {
        self.store.position().load(Ordering::Acquire) == self.written
    }
}

impl<L: Lines> Reader<L> {
    /// The reading end of a fresh ring.
    pub fn new(store: L) -> Reader<L> {
        let lines = store.lines();
        Reader {
            store,
            lines,
            at: 0,
            consumed: 0,
        }
    }

    /// The ring's memory.
    pub fn store(&self) -> &L {
        &self.store
    }

    /// The oldest record, if there is one. It stays until [`Reader::release`].
    ///
    /// # Errors
    /// When the writer is broken: nothing more can be read from the ring.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<Record>, Corrupt> {
        // published: see `Writer::put`.
        let word = self.store.header(self.at).load(Ordering::Acquire);
        if word == 0 {
            return Ok(None);
        }
        if word & SKIP != 0 {
            return self.follow_skip(word as u32 as usize);
        }
        self.decode(word).map(Some)
    }

    #[cold]
    fn follow_skip(&mut self, lines: usize) -> Result<Option<Record>, Corrupt> {
        if self.at == 0 || lines > self.lines - self.at {
            return Err(Corrupt);
        }
        self.give_back(0, lines);
        self.peek()
    }

    #[inline]
    fn decode(&self, word: u64) -> Result<Record, Corrupt> {
        let len = (word as u32) as usize;
        let shift = (word >> SHIFT_SHIFT & SHIFT_MASK) as usize;
        let lines = lines_for(shift + len);
        if word & PRESENT == 0 || self.at + lines >= self.lines {
            return Err(Corrupt);
        }
        let mark = (word >> MARK_SHIFT) as Mark;
        Ok(Record {
            payload: self.store.payload(self.at).wrapping_add(shift),
            len,
            mark,
            lines,
        })
    }

    /// Gives the lines of the record that `peek` gave back to the writer.
    #[inline]
    pub fn release(&mut self, record: Record) {
        self.give_back(self.at + record.lines, record.lines);
    }

    /// Gives lines back; the next record is at line `at`.
    #[inline]
    fn give_back(&mut self, at: usize, lines: usize) {
        self.at = at;
        self.consumed += lines as u64;
        // returned: our reads of the lines come before the writer may use them again.
        self.store
            .position()
            .store(self.consumed, Ordering::Release);
    }
}
