//! A ring of records from one writer to one reader, in shared memory.
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
//! Lines that both sides have touched a moment ago are in their nearest caches, and cost half of
//! those that were touched a lap ago. So where records are answered, and all were read when the
//! writer comes to the end of the first few lines, it ends its lap there ([`Writer::turn`]): that
//! record says that the next one is at line 0. A stream has all lines.
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
/// Lines of the longest record after which headers are cleared ahead: longer records overwrite most
/// of those headers, and their lines would be requested for nothing.
const SHORT_LINES: usize = 8;

/// The lines that a lap has where records are answered: a quarter of a first-level cache.
#[cfg(not(loom))]
const NEAR_LINES: usize = 128;
#[cfg(loom)]
const NEAR_LINES: usize = 3;
/// A lap that did not end there may end after as many more, again and again: each look at how far
/// the reader has come takes a line from it.
#[cfg(not(loom))]
const FURTHER_LINES: usize = 512;
#[cfg(loom)]
const FURTHER_LINES: usize = 1;

/// Most records that belong to one answer, on average: more are a stream.
const RECORDS_AN_ANSWER: usize = 4;

/// Set in every header, so that none is 0.
const PRESENT: u64 = 1 << 63;
/// There is no record: the next one is at line 0.
const SKIP: u64 = 1 << 62;
/// Behind this record the next one is at line 0.
const LAST: u64 = 1 << 61;
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
    /// How many lines the reader has given back since the beginning, of laps that have as many as
    /// there can be.
    fn position(&self) -> &AtomicU64;
}

/// A small number that travels with a record; the ring does not look at it.
pub type Mark = u16;

/// Reserved memory of a record, between [`Writer::reserve`] and [`Writer::publish`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reservation {
    /// The address at which the payload is to be written, in full.
    pub address: *mut u8,
    /// Lines of the record.
    lines: usize,
    /// The header word of the record, but for the mark.
    word: u64,
}

/// The writing end. One per ring.
pub struct Writer<L> {
    store: L,
    /// How many lines there can be.
    all: usize,
    /// How many are in use, and how many payload bytes a record can have.
    lines: usize,
    record_bytes_max: usize,
    /// The line of the next record.
    at: usize,
    /// The line from which on the lap may end, and the one before which that was asked last.
    may_end: usize,
    asked: usize,
    /// Lines written since the beginning, of laps that have as many as there can be.
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
    /// Lines given back since the beginning, counted like `written`.
    consumed: u64,
    /// Records given back.
    records: u32,
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
    /// Lines to be given back: up to the end where it is the last of its lap.
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
        let all = store.lines();
        let lines = lines.min(all);
        Writer {
            store,
            all,
            lines,
            record_bytes_max: record_bytes_max(lines),
            at: 0,
            may_end: NEAR_LINES.min(lines),
            asked: 0,
            written: 0,
            returned: 0,
            // Fresh memory is all 0.
            cleared: all as u64,
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

    /// Uses `lines` lines from now on, of which those that are new are all 0.
    pub fn grow(&mut self, lines: usize) {
        self.lines = lines.clamp(self.lines, self.all);
        self.record_bytes_max = record_bytes_max(self.lines);
    }

    /// Finds room for a record of `len` bytes, to be written in full before [`Writer::publish`].
    /// `None` when the ring is full or the record too long for it.
    #[inline]
    pub fn reserve(&mut self, len: usize) -> Option<Reservation> {
        match self.reserve_line(len) {
            None => self.reserve_shifted(0, len),
            room => room,
        }
    }

    /// Finds room for a record of one line, where the reader need not be asked for more lines and
    /// the lap does not end. `None`: [`Writer::reserve`] decides.
    #[inline]
    pub fn reserve_line(&mut self, len: usize) -> Option<Reservation> {
        if len > FIRST_LINE_BYTES || self.at + 1 >= self.may_end || self.free() < 2 {
            return None;
        }
        Some(Reservation {
            address: self.store.payload(self.at),
            lines: 1,
            word: PRESENT | len as u64,
        })
    }

    /// Finds room for a record whose bytes from `head` on are to begin with a line.
    #[inline]
    pub fn reserve_aligned(&mut self, head: usize, len: usize) -> Option<Reservation> {
        let before = HEADER_BYTES + head;
        self.reserve_shifted(before.next_multiple_of(LINE_BYTES) - before, len)
    }

    #[inline]
    fn reserve_shifted(&mut self, shift: usize, len: usize) -> Option<Reservation> {
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
        Some(Reservation {
            address: self.store.payload(self.at).wrapping_add(shift),
            lines,
            word: PRESENT | ((shift as u64) << SHIFT_SHIFT) | len as u64,
        })
    }

    /// Whether the lap may end behind a record: then [`Writer::turn`] says so.
    #[inline]
    pub fn may_turn(&self, room: &Reservation) -> bool {
        self.at + room.lines >= self.may_end
    }

    /// Has the lap end behind a record, if there were `answers` since this was asked last, one to
    /// [`RECORDS_AN_ANSWER`] records at least, the reader has taken all that was there before, and
    /// there are lines enough to go on with until it has taken this one, too.
    #[cold]
    pub fn turn(&mut self, room: &mut Reservation, answers: u32) {
        let end = self.at + room.lines;
        let records = (end - self.asked) / room.lines;
        self.asked = end;
        self.may_end = (end + FURTHER_LINES).min(self.lines);
        let answered = (answers as usize).saturating_mul(RECORDS_AN_ANSWER);
        if answered >= records && room.lines < self.at {
            self.look_for_returned();
            if self.returned == self.written {
                room.word |= LAST;
            }
        }
    }

    /// Makes the record in the reserved room visible.
    #[inline]
    pub fn publish(&mut self, room: Reservation, mark: Mark) {
        let word = room.word | (u64::from(mark) << MARK_SHIFT);
        if word & LAST != 0 {
            return self.end_lap(word);
        }
        self.put(word, self.at + room.lines, self.written + room.lines as u64);
        if room.lines <= SHORT_LINES && self.cleared <= self.written + CLEAR_AHEAD / 2 {
            self.clear_ahead();
        }
    }

    /// Sets the present header, once the one at line `next` is clear.
    #[inline]
    fn put(&mut self, word: u64, next: usize, written: u64) {
        if self.cleared <= written {
            self.store.header(next).store(0, Ordering::Relaxed);
            self.cleared = written + 1;
        }
        // published: the payload and the cleared header become visible with the header.
        self.store.header(self.at).store(word, Ordering::Release);
        self.at = next;
        self.written = written;
    }

    /// Sets the present header, behind which the next record is at line 0.
    #[cold]
    fn end_lap(&mut self, word: u64) {
        self.may_end = NEAR_LINES.min(self.lines);
        self.asked = 0;
        self.put(word, 0, self.written + (self.all - self.at) as u64);
    }

    /// Clears the headers of lines that the reader has given back, some way ahead.
    #[inline]
    fn clear_ahead(&mut self) {
        let ahead = self.may_end.saturating_sub(self.at) as u64;
        let until = self.written + ahead.min(CLEAR_AHEAD).min(self.free());
        while self.cleared < until {
            let line = self.at + (self.cleared - self.written) as usize;
            self.store.header(line).store(0, Ordering::Relaxed);
            self.cleared += 1;
        }
    }

    #[cold]
    fn skip_to_start(&mut self) -> Option<()> {
        if !self.has_free(self.all - self.at + 1) {
            return None;
        }
        self.end_lap(PRESENT | SKIP);
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
        self.all as u64 - (self.written - self.returned)
    }

    fn look_for_returned(&mut self) {
        // returned: the reader's reads of those lines come before they are overwritten.
        let returned = self.store.position().load(Ordering::Acquire);
        // A broken reader may have written anything; believe only what is possible.
        if returned >= self.returned && returned <= self.written {
            self.returned = returned;
        }
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
            records: 0,
        }
    }

    /// The ring's memory.
    pub fn store(&self) -> &L {
        &self.store
    }

    /// How many records were taken since the beginning, modulo 2^32.
    #[inline]
    pub fn records(&self) -> u32 {
        self.records
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
        if word & (SKIP | LAST) != 0 {
            return self.peek_at_end(word);
        }
        self.decode(word).map(Some)
    }

    /// The last record of a lap, or the first one of the next.
    #[cold]
    fn peek_at_end(&mut self, word: u64) -> Result<Option<Record>, Corrupt> {
        let lines = self.lines - self.at;
        if word & SKIP == 0 {
            let record = self.decode(word)?;
            return Ok(Some(Record { lines, ..record }));
        }
        if self.at == 0 {
            return Err(Corrupt);
        }
        self.give_back(lines);
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
        self.records = self.records.wrapping_add(1);
        self.give_back(record.lines);
    }

    /// Gives lines back; the next record is behind them.
    #[inline]
    fn give_back(&mut self, lines: usize) {
        let next = self.at + lines;
        self.at = if next == self.lines { 0 } else { next };
        self.consumed += lines as u64;
        // returned: our reads of the lines come before the writer may use them again.
        self.store
            .position()
            .store(self.consumed, Ordering::Release);
    }
}
