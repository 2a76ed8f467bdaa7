//! The event log: what a process could not do again by itself, in memory that outlives it.
//!
//! A process is deterministic but for *events*: which sender a receive from any source has matched,
//! and what calls have found whose results depend on timing. Each is stored here before the process
//! sends anything that may depend on it. The memory belongs to the launcher as well, so an event is
//! stable once it is stored.
//!
//! A program that saves its state says so ([`EventLog::checkpoint`]): the events before that are
//! cut, but for those of the *prologue*, which each life runs through. So the log has three areas:
//! the first one, and two that take turns behind checkpoints. A checkpoint writes its record and an
//! empty log into the area that is not in use; then the store of one word makes it the one in use.
//!
//! ```text
//! word 0      magic
//! word 1      number of entries of the first area, stored after the entries themselves
//! word 2      1 once an event has found no room
//! word 3      number of checkpoints: 0 for the first area, else the parity names the area
//! word 4      1 + entries of the prologue, once it has ended
//! word 16 on  first area, half of the words: entries of two words each:
//!               kind 8 bits, call 8 bits, check 16 bits, value 32 bits; number 64 bits
//! then        two areas, a quarter each:
//!               checkpoint's number, words of the record, check of the record, number of entries;
//!               the record; entries
//! ```

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use vprotocol::Call;

/// StableWords that outlive this process.
pub trait StableWords: Send {
    /// Returns the number of words.
    fn len(&self) -> usize;
    /// Returns a word.
    fn load(&self, at: usize) -> u64;
    /// Stores a word. What was stored before is visible to whoever sees it.
    fn store(&self, at: usize, word: u64);
    /// Returns once all that was stored would outlive the loss of this host, where that is wanted.
    fn settle(&self) {}
    /// Whether [`StableWords::settle`] has anything to do.
    fn is_copied(&self) -> bool {
        false
    }
    /// Whether there are no words.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

const MAGIC: u64 = 0x6f78_6d70_695f_6576;
/// Index of the word that is set when an event did not fit.
const IS_FULL: usize = 2;
/// Index of the word that counts checkpoints, and of the one that marks the end of the prologue.
const CHECKPOINTS: usize = 3;
const PROLOGUE: usize = 4;
const FIRST: usize = 16;
/// StableWords before the record of an area.
const AREA_HEADER: usize = 4;

const MATCH: u8 = 1;
const FOUND: u8 = 2;
const MORE: u8 = 3;
const NOTHING: u8 = 4;
const CANCELLED: u8 = 5;

/// Why a log cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Damage {
    /// It does not begin as one.
    NoLog,
    /// An event of an earlier life found no room.
    Full {
        /// How many entries have room.
        room: u64,
    },
    /// It has more entries than room.
    Length {
        /// Its number of entries.
        entries: u64,
        /// How many have room.
        room: u64,
    },
    /// The record of its last checkpoint is not whole.
    Record {
        /// The number of the checkpoint.
        checkpoint: u64,
    },
    /// An entry has no meaning, or its check fails.
    Entry {
        /// Its position.
        at: u64,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::NoLog => f.write_str("it does not begin as an event log does"),
            Damage::Full { room } => write!(
                f,
                "it has room for {room} entries, and its process had more events"
            ),
            Damage::Length { entries, room } => {
                write!(f, "it has {entries} entries, and room for {room}")
            }
            Damage::Record { checkpoint } => {
                write!(f, "the record of its checkpoint {checkpoint} is damaged")
            }
            Damage::Entry { at } => write!(f, "its entry {at} is damaged"),
        }
    }
}

/// The events of earlier lives, to be brought about again.
#[derive(Default, Debug)]
pub struct Replay {
    /// The sender's rank by the number of the receive from any source.
    pub(crate) matches: HashMap<u64, u32>,
    /// The results of calls, in order.
    pub(crate) calls: VecDeque<CallResult>,
    /// Whether a receive was cancelled in time, by its number among all receives, where that was
    /// tried.
    pub(crate) cancels: HashMap<u64, bool>,
    /// The record of the last checkpoint, and the results of calls behind it; those above are of
    /// the prologue then.
    pub(crate) record: Option<Vec<u64>>,
    pub(crate) later: VecDeque<CallResult>,
}

/// The result of one call, or of several that found nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallResult {
    pub(crate) call: Call,
    pub(crate) found: Vec<u32>,
    pub(crate) repeats: u32,
}

/// A part of the words that entries lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    /// The word with the number of entries, and the words of entries.
    count: usize,
    first: usize,
    end: usize,
}

impl Area {
    /// Returns the area of a log of `len` words that is in use behind a checkpoint, with its record
    /// still to be skipped.
    fn behind(checkpoint: u64, len: usize) -> Area {
        let quarter = (len - FIRST) / 4;
        let first = FIRST + 2 * quarter;
        let begin = match checkpoint {
            0 => {
                return Area {
                    count: 1,
                    first: FIRST,
                    end: first,
                }
            }
            _ => first + (checkpoint % 2) as usize * quarter,
        };
        Area {
            count: begin + AREA_HEADER - 1,
            first: begin + AREA_HEADER,
            end: begin + quarter,
        }
    }

    fn room(&self) -> u64 {
        (self.end.saturating_sub(self.first) / 2) as u64
    }
}

/// The log of one process.
pub struct EventLog {
    words: Box<dyn StableWords>,
    /// The area in use.
    area: Area,
    entries: u64,
    /// The last entry, where it is of calls that found nothing.
    nothing: Option<(Call, u32)>,
    is_full: bool,
    /// Whether an event of the prologue found no room.
    is_cut: bool,
    /// Whether another host has a copy.
    is_copied: bool,
}

impl EventLog {
    /// Opens a log. Returns the events that are in it as well.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn open(words: Box<dyn StableWords>) -> Result<(EventLog, Replay), Damage> {
        if words.len() < FIRST || !matches!(words.load(0), 0 | MAGIC) {
            return Err(Damage::NoLog);
        }
        words.store(0, MAGIC);
        let checkpoint = words.load(CHECKPOINTS);
        let mut area = Area::behind(0, words.len());
        if words.load(IS_FULL) != 0 {
            let room = area.room();
            return Err(Damage::Full { room });
        }
        let mut replay = Replay::default();
        let mut entries = words.load(1);
        if checkpoint > 0 {
            let whole = entries;
            entries = words.load(PROLOGUE).wrapping_sub(1);
            if entries > whole {
                return Err(Damage::Record { checkpoint });
            }
        }
        read(&*words, area, entries, &mut replay)?;
        if checkpoint > 0 {
            area = Area::behind(checkpoint, words.len());
            let record = read_record(&*words, area, checkpoint)?;
            area.first += record.len().next_multiple_of(2);
            let prologue = std::mem::take(&mut replay.calls);
            entries = words.load(area.count);
            read(&*words, area, entries, &mut replay)?;
            replay.later = std::mem::replace(&mut replay.calls, prologue);
            replay.record = Some(record);
        }
        let log = EventLog {
            is_copied: words.is_copied(),
            words,
            area,
            entries,
            nothing: None,
            is_full: false,
            is_cut: false,
        };
        Ok((log, replay))
    }

    /// Notes that the prologue ends here: events up to here are never cut.
    pub fn end_prologue(&mut self) {
        self.nothing = None;
        self.is_cut = self.is_full;
        if self.words.load(PROLOGUE) == 0 {
            self.words.store(PROLOGUE, self.entries + 1);
        }
    }

    /// Cuts the events behind the prologue: a next life begins with what `record` says.
    ///
    /// # Errors
    /// When there is no room for the record, or was none for an event of the prologue: one clause.
    pub fn checkpoint(&mut self, record: &[u64]) -> Result<(), String> {
        if self.is_cut {
            return Err("an event before OXMPI_Restarted found no room in the event log".into());
        }
        let number = self.words.load(CHECKPOINTS) + 1;
        let mut area = Area::behind(number, self.words.len());
        let (begin, room) = (area.first - AREA_HEADER, area.end - area.first);
        if record.len() + 2 > room {
            let (needed, room) = (record.len() * 8, room * 8);
            return Err(format!(
                "its record has {needed} bytes, and there is room for {room}"
            ));
        }
        for (at, word) in record.iter().enumerate() {
            self.words.store(area.first + at, *word);
        }
        let header = [number, record.len() as u64, checked(record), 0];
        for (at, word) in header.into_iter().enumerate() {
            self.words.store(begin + at, word);
        }
        area.first += record.len().next_multiple_of(2);
        self.words.store(CHECKPOINTS, number);
        if self.is_full {
            self.words.store(IS_FULL, 0);
        }
        (self.area, self.entries) = (area, 0);
        (self.nothing, self.is_full) = (None, false);
        Ok(())
    }

    /// Returns how many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns whether an event found no room: this process cannot be brought back any more.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns once all events are stable: another host has them, where that is wanted.
    #[inline]
    pub fn settle(&self) {
        if self.is_copied {
            self.words.settle();
        }
    }

    /// Stores the match of a receive from any source.
    #[inline]
    pub fn matched(&mut self, number: u64, source: u32) {
        self.nothing = None;
        self.put(0, (MATCH, 0, source), number);
        self.commit(1);
    }

    /// Stores whether a receive was cancelled in time.
    pub fn cancelled(&mut self, number: u64, in_time: bool) {
        self.nothing = None;
        self.put(0, (CANCELLED, 0, u32::from(in_time)), number);
        self.commit(1);
    }

    /// Stores what a call found.
    pub fn found(&mut self, call: Call, found: &[u32]) {
        let code = code(call);
        if let [rest @ .., last] = found {
            self.nothing = None;
            for (at, value) in rest.iter().enumerate() {
                self.put(at as u64, (MORE, code, *value), 0);
            }
            self.put(rest.len() as u64, (FOUND, code, *last), 0);
            return self.commit(found.len() as u64);
        }
        match self.nothing {
            Some((last, repeats)) if last == call && repeats < u32::MAX && !self.is_full => {
                let at = self.area.first + 2 * (self.entries as usize - 1);
                let word = entry((NOTHING, code, repeats + 1), 0);
                self.words.store(at, word);
                self.nothing = Some((call, repeats + 1));
            }
            _ => {
                self.put(0, (NOTHING, code, 1), 0);
                self.commit(1);
                self.nothing = Some((call, 1));
            }
        }
    }

    #[inline]
    fn put(&mut self, behind: u64, fields: Fields, number: u64) {
        let at = self.area.first + 2 * (self.entries + behind) as usize;
        if at + 1 >= self.area.end {
            self.is_full = true;
            self.words.store(IS_FULL, 1);
            return;
        }
        self.words.store(at, entry(fields, number));
        self.words.store(at + 1, number);
    }

    #[inline]
    fn commit(&mut self, entries: u64) {
        if !self.is_full {
            self.entries += entries;
            self.words.store(self.area.count, self.entries);
        }
    }
}

/// Returns the record at the head of an area.
fn read_record(words: &dyn StableWords, area: Area, checkpoint: u64) -> Result<Vec<u64>, Damage> {
    let begin = area.first - AREA_HEADER;
    let [number, len, check] = [0, 1, 2].map(|at| words.load(begin + at));
    let damage = Damage::Record { checkpoint };
    if number != checkpoint || len > (area.end - area.first) as u64 {
        return Err(damage);
    }
    let words = (0..len as usize).map(|at| words.load(area.first + at));
    let record: Vec<u64> = words.collect();
    match checked(&record) == check {
        true => Ok(record),
        false => Err(damage),
    }
}

/// Returns a checksum of a record.
fn checked(record: &[u64]) -> u64 {
    let mix = |sum: u64, word: &u64| {
        (sum ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23)
    };
    record.iter().fold(MAGIC, mix)
}

/// Adds the first entries of an area to what is to be brought about again.
fn read(
    words: &dyn StableWords,
    area: Area,
    entries: u64,
    replay: &mut Replay,
) -> Result<(), Damage> {
    let room = area.room();
    if entries > room {
        return Err(Damage::Length { entries, room });
    }
    let mut several = Vec::new();
    for at in 0..entries {
        let place = area.first + 2 * at as usize;
        let (word, number) = (words.load(place), words.load(place + 1));
        let (kind, code, value) = (word as u8, (word >> 8) as u8, (word >> 32) as u32);
        let call = Call::ALL.get(usize::from(code)).copied();
        if word != entry((kind, code, value), number) {
            return Err(Damage::Entry { at });
        }
        match (kind, call) {
            (MATCH, _) => drop(replay.matches.insert(number, value)),
            (CANCELLED, _) => drop(replay.cancels.insert(number, value != 0)),
            (MORE, Some(_)) => several.push(value),
            (FOUND, Some(call)) => {
                several.push(value);
                let found = std::mem::take(&mut several);
                let repeats = 1;
                replay.calls.push_back(CallResult {
                    call,
                    found,
                    repeats,
                });
            }
            (NOTHING, Some(call)) if value > 0 => replay.calls.push_back(CallResult {
                call,
                found: Vec::new(),
                repeats: value,
            }),
            _ => return Err(Damage::Entry { at }),
        }
    }
    Ok(())
}

/// Kind, call and value of an entry.
type Fields = (u8, u8, u32);

/// Returns the first word of an entry, with a check of both words.
#[inline]
fn entry((kind, call, value): Fields, number: u64) -> u64 {
    let fields = u64::from(kind) | u64::from(call) << 8 | u64::from(value) << 32;
    let all = fields ^ number.rotate_left(17);
    let check = all.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    fields | check << 16
}

fn code(call: Call) -> u8 {
    let at = Call::ALL.iter().position(|one| *one == call);
    at.unwrap_or_default() as u8
}

impl Replay {
    /// Takes what a call has to find; `None` where it is free.
    ///
    /// # Errors
    /// With the call that was made at this place before, where that was another one.
    pub fn take(&mut self, call: Call) -> Result<Option<Vec<u32>>, Call> {
        let Some(next) = self.calls.front_mut() else {
            return Ok(None);
        };
        if next.call != call {
            return Err(next.call);
        }
        next.repeats -= 1;
        if next.repeats > 0 {
            return Ok(Some(next.found.clone()));
        }
        Ok(self.calls.pop_front().map(|next| next.found))
    }

    /// Takes the sender that a receive from any source has to match.
    pub fn take_match(&mut self, number: u64) -> Option<u32> {
        self.matches.remove(&number)
    }

    /// Describes a receive from any source that had a match, and was not made again.
    pub(crate) fn unmatched(&self) -> Option<String> {
        let (number, source) = self.matches.iter().min()?;
        Some(format!(
            "receive {number} from any source, which rank {source} had sent the message of"
        ))
    }

    /// Returns whether a receive will be cancelled in time: it must not match until then.
    #[inline]
    pub fn will_be_cancelled(&self, number: u64) -> bool {
        !self.cancels.is_empty() && self.cancels.get(&number) == Some(&true)
    }

    /// Takes whether the cancellation of a receive has to be in time; `None` where it is free.
    pub fn take_cancel(&mut self, number: u64) -> Option<bool> {
        self.cancels.remove(&number)
    }

    /// Returns whether nothing is left to be brought about.
    pub fn is_over(&self) -> bool {
        self.matches.is_empty() && self.calls.is_empty() && self.cancels.is_empty()
    }

    /// Returns the record of the last checkpoint, until [`Replay::jump`].
    pub fn record(&self) -> Option<&[u64]> {
        self.record.as_deref()
    }

    /// Ends the prologue, and goes on with the calls behind the last checkpoint. Returns its
    /// record.
    ///
    /// # Errors
    /// With a call of the earlier life's prologue that was not made.
    pub fn jump(&mut self) -> Result<Option<Vec<u64>>, Call> {
        let Some(record) = self.record.take() else {
            return Ok(None);
        };
        if let Some(left) = self.calls.front() {
            return Err(left.call);
        }
        self.calls = std::mem::take(&mut self.later);
        Ok(Some(record))
    }
}

/// An event log in memory of this process, for simulations and tests: clones share it, so it
/// outlives what opened it.
#[derive(Clone)]
pub struct Memory(Arc<[AtomicU64]>);

impl Memory {
    /// Returns an empty log of that many words.
    pub fn new(words: usize) -> Memory {
        Memory((0..words).map(|_| AtomicU64::new(0)).collect())
    }
}

impl StableWords for Memory {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Ordering::Relaxed)
    }

    fn store(&self, at: usize, word: u64) {
        self.0[at].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
