//! The event log: what a process could not do again by itself, in memory that outlives it.
//!
//! A process is deterministic but for *events*: which sender a receive from any source has matched,
//! and what calls have found whose results depend on timing. Each is stored here before the process
//! sends anything that may depend on it. The memory belongs to the launcher as well, so an event is
//! stable once it is stored.
//!
//! ```text
//! word 0     magic
//! word 1     number of entries, stored after the entries themselves
//! word 2     1 once an event has found no room
//! word 8 on  entries of two words:
//!              kind 8 bits, call 8 bits, check 16 bits, value 32 bits; number 64 bits
//! ```

use std::collections::{HashMap, VecDeque};
use std::fmt;

use vprotocol::Call;

/// Words that outlive this process.
pub trait Words: Send {
    /// Returns how many there are.
    fn len(&self) -> usize;
    /// Returns a word.
    fn load(&self, at: usize) -> u64;
    /// Stores a word. What was stored before is visible to whoever sees it.
    fn store(&self, at: usize, word: u64);
    /// Returns once all that was stored would outlive the loss of this host, where that is wanted.
    fn settle(&self) {}
    /// Returns whether [`Words::settle`] has anything to do.
    fn is_copied(&self) -> bool {
        false
    }
    /// Returns whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

const MAGIC: u64 = 0x6f78_6d70_695f_6576;
/// The word that tells of an event without room.
const IS_FULL: usize = 2;
const FIRST: usize = 8;

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
    pub(crate) calls: VecDeque<Found>,
    /// Whether a receive was cancelled in time, by its number among all receives, where that was
    /// tried.
    pub(crate) cancels: HashMap<u64, bool>,
}

/// The result of one call, or of several that found nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) call: Call,
    pub(crate) found: Vec<u32>,
    pub(crate) repeats: u32,
}

/// The log of one process.
pub struct EventLog {
    words: Box<dyn Words>,
    entries: u64,
    /// The last entry, where it is of calls that found nothing.
    nothing: Option<(Call, u32)>,
    is_full: bool,
    /// Whether another host has a copy.
    is_copied: bool,
}

impl EventLog {
    /// Opens a log. Returns the events that are in it as well.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn open(words: Box<dyn Words>) -> Result<(EventLog, Replay), Damage> {
        let room = (words.len().saturating_sub(FIRST) / 2) as u64;
        if words.len() < FIRST || !matches!(words.load(0), 0 | MAGIC) {
            return Err(Damage::NoLog);
        }
        words.store(0, MAGIC);
        if words.load(IS_FULL) != 0 {
            return Err(Damage::Full { room });
        }
        let entries = words.load(1);
        if entries > room {
            return Err(Damage::Length { entries, room });
        }
        let replay = read(&*words, entries)?;
        let log = EventLog {
            is_copied: words.is_copied(),
            words,
            entries,
            nothing: None,
            is_full: false,
        };
        Ok((log, replay))
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
        self.put(0, entry(MATCH, 0, source), number);
        self.commit(1);
    }

    /// Stores whether a receive was cancelled in time.
    pub fn cancelled(&mut self, number: u64, in_time: bool) {
        self.nothing = None;
        self.put(0, entry(CANCELLED, 0, u32::from(in_time)), number);
        self.commit(1);
    }

    /// Stores what a call found.
    pub fn found(&mut self, call: Call, found: &[u32]) {
        let code = code(call);
        if let [rest @ .., last] = found {
            self.nothing = None;
            for (at, value) in rest.iter().enumerate() {
                self.put(at as u64, entry(MORE, code, *value), 0);
            }
            self.put(rest.len() as u64, entry(FOUND, code, *last), 0);
            return self.commit(found.len() as u64);
        }
        match self.nothing {
            Some((last, repeats)) if last == call && repeats < u32::MAX && !self.is_full => {
                let at = FIRST + 2 * (self.entries as usize - 1);
                self.words.store(at, entry(NOTHING, code, repeats + 1));
                self.nothing = Some((call, repeats + 1));
            }
            _ => {
                self.put(0, entry(NOTHING, code, 1), 0);
                self.commit(1);
                self.nothing = Some((call, 1));
            }
        }
    }

    #[inline]
    fn put(&mut self, behind: u64, word: u64, number: u64) {
        let at = FIRST + 2 * (self.entries + behind) as usize;
        if at + 1 >= self.words.len() {
            self.is_full = true;
            self.words.store(IS_FULL, 1);
            return;
        }
        self.words.store(at, word);
        self.words.store(at + 1, number);
    }

    #[inline]
    fn commit(&mut self, entries: u64) {
        if !self.is_full {
            self.entries += entries;
            self.words.store(1, self.entries);
        }
    }
}

fn read(words: &dyn Words, entries: u64) -> Result<Replay, Damage> {
    let mut replay = Replay::default();
    let mut several = Vec::new();
    for at in 0..entries {
        let place = FIRST + 2 * at as usize;
        let (word, number) = (words.load(place), words.load(place + 1));
        let (kind, code, value) = (word as u8, (word >> 8) as u8, (word >> 32) as u32);
        let call = Call::ALL.get(usize::from(code)).copied();
        if word != entry(kind, code, value) {
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
                replay.calls.push_back(Found {
                    call,
                    found,
                    repeats,
                });
            }
            (NOTHING, Some(call)) if value > 0 => replay.calls.push_back(Found {
                call,
                found: Vec::new(),
                repeats: value,
            }),
            _ => return Err(Damage::Entry { at }),
        }
    }
    Ok(replay)
}

/// Returns the first word of an entry.
#[inline]
fn entry(kind: u8, call: u8, value: u32) -> u64 {
    let fields = u64::from(kind) | u64::from(call) << 8 | u64::from(value) << 32;
    let check = fields.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
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
}

#[cfg(test)]
mod tests;
