//! The payload log: copies of the messages that this process has sent, for the next life of a
//! receiver.
//!
//! Copies lie one behind the other in *extents* of memory, and past a bound in a file of a folder
//! that the user names. An extent begins with a word that counts its uses; each copy has a header
//! of five words:
//!
//! ```text
//! context; source 32 bits, receiver 32 bits; tag; sequence; length 63 bits, freed 1 bit
//! ```
//!
//! A program without checkpoints needs no log of its earlier life, since that life's messages are
//! sent again. One that says that its state is saved does not send again what it sent before. So
//! from the first checkpoint on the extents lie in a memory file that the launcher holds as well
//! ([`PayloadLog::make_lasting`]), and the next life finds them by what was saved of them
//! ([`PayloadLog::save`]).
//!
//! A copy is freed when its receiver says that none of its lives will need the message any more
//! ([`PayloadLog::free`]); an extent is used again when all its copies are freed.

use std::fs::File;
use std::path::PathBuf;

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use pml::{Context, Label, Received};
use shm::Extent;

/// Bytes of the smallest extent. Longer ones are multiples of [`EXTENT_UNIT`].
const EXTENT_BYTES: usize = 1 << 20;
const EXTENT_UNIT: usize = 1 << 16;
/// An extent has at least this extent of all: their number stays small.
const EXTENT_PART: u64 = 64;
/// Bytes of the header of an extent, and of a copy.
const EXTENT_HEADER: usize = 8;
const HEADER_BYTES: usize = 40;
/// The word of a copy's header with its length, and the bit of it by which the copy is freed.
const LEN_AT: usize = 32;
const FREED: u64 = 1 << 63;

/// Where copies may lie.
#[derive(Default)]
pub struct Storage {
    /// The memory file from the first checkpoint on; without one there are none.
    pub memory: Option<File>,
    /// Bytes of memory before copies go to the file; without a file there is no bound.
    pub memory_bytes: u64,
    /// The file, with the folder that it is in.
    pub file: Option<(File, PathBuf)>,
}

/// Medium of an extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Medium {
    Memory,
    File,
}

/// Memory of an extent.
enum ExtentMemory {
    /// Memory of this process alone.
    Own(Scratch),
    Mapped(Extent),
}

/// An extent of the log.
struct LogExtent {
    room: ExtentMemory,
    place: Medium,
    /// Offset in its file.
    offset: u64,
    /// Bytes that are used; of the extent in use, when it was last left.
    used: usize,
    /// Copies that are not freed; counted as `used` is.
    live: u64,
}

/// A copy in an extent.
struct Copy {
    peer: PeerId,
    label: Label,
    /// Where its header begins, and the bytes of the message.
    at: usize,
    len: usize,
    is_freed: bool,
}

/// Messages of a communicator to a peer of which there are no copies: those between two numbers,
/// and perhaps not all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Missed {
    peer: PeerId,
    context: Context,
    first: u64,
    last: u64,
}

/// The copies of messages of one process.
#[derive(Default)]
pub struct PayloadLog {
    storage: Storage,
    extents: Vec<LogExtent>,
    /// Parts with copies, in the order of their use; copies are added to the last. And the others.
    used_extents: Vec<usize>,
    unused: Vec<usize>,
    /// The bytes of the extent in use, how many are used, and copies there that are not freed.
    room: Option<UserBuf>,
    used: usize,
    live: u64,
    /// Bytes that are taken of memory and of the file.
    in_memory: u64,
    in_file: u64,
    /// Whether extents lie where the next life finds them.
    is_lasting: bool,
    /// Memory of extents from before that: something may still be sent from there.
    retired: Vec<Scratch>,
    /// Why there was no room for a copy, where there was none.
    full: Option<String>,
    missed: Vec<Missed>,
    messages: u64,
    bytes: u64,
    freed: u64,
}

impl PayloadLog {
    /// Returns an empty log.
    pub fn new(storage: Storage) -> PayloadLog {
        PayloadLog {
            storage,
            ..PayloadLog::default()
        }
    }

    /// Copies a message. Returns false where there is no room for it.
    #[inline]
    #[must_use]
    pub fn record(&mut self, peer: PeerId, label: Label, buffer: &Buffer) -> bool {
        let needed = HEADER_BYTES + buffer.len().next_multiple_of(8);
        let room = match self.room {
            Some(room) if needed <= room.len() - self.used => room,
            _ => match self.next_room(needed) {
                Some(room) => room,
                None => {
                    self.omit(peer, label);
                    return false;
                }
            },
        };
        room.write(self.used, &header(peer, label, buffer.len()));
        let copy = room.part(self.used + HEADER_BYTES, buffer.len());
        match buffer.contiguous() {
            Some(bytes) => copy.copy_from(&bytes),
            // Both have the same length.
            None => _ = datatype::copy(buffer, &Buffer::bytes(copy)),
        }
        self.used += needed;
        self.live += 1;
        self.messages += 1;
        self.bytes += buffer.len() as u64;
        true
    }

    /// Notes that a message to a peer is sent of which there is no copy.
    #[inline]
    pub fn omit(&mut self, peer: PeerId, label: Label) {
        let (context, number) = (label.context, label.sequence);
        let is_it = |missed: &&mut Missed| (missed.peer, missed.context) == (peer, context);
        match self.missed.iter_mut().find(is_it) {
            Some(missed) => missed.last = missed.last.max(number),
            None => self.missed.push(Missed {
                peer,
                context,
                first: number,
                last: number,
            }),
        }
    }

    /// Returns why a message has no copy, once one found no room.
    pub fn why_full(&self) -> Option<&str> {
        self.full.as_deref()
    }

    /// Returns whether all messages to a peer that it may need have copies.
    pub fn is_complete(&self, peer: PeerId) -> bool {
        !self.missed.iter().any(|missed| missed.peer == peer)
    }

    /// Returns why a message to a peer cannot be sent again that it `lacks`, where there is one
    /// without a copy.
    pub fn lacks_copy(&self, peer: PeerId, lacks: impl Fn(Context, u64) -> bool) -> Option<String> {
        let mut missed = self.missed.iter().filter(|missed| missed.peer == peer);
        let lacks = |missed: &Missed| {
            let mut numbers = missed.first..=missed.last;
            numbers.find(|number| lacks(missed.context, *number))
        };
        let number = missed.find_map(lacks)?;
        Some(format!(
            "its earlier life sent {peer} the message {number}, which has not arrived, and kept no \
             copy of it: the payload log was full, or vprotocol_pessimist_payload is `remote`"
        ))
    }

    /// Leaves the extent in use for another one with room for `needed` bytes. Once there was none
    /// only those whose copies are freed are used.
    #[cold]
    fn next_room(&mut self, needed: usize) -> Option<UserBuf> {
        self.note_use();
        self.room = None;
        let needed = needed + EXTENT_HEADER;
        let fits = |(_, at): &(usize, &usize)| self.extents[**at].buf().len() >= needed;
        let unused = self.unused.iter().enumerate().filter(fits);
        let found = unused.min_by_key(|(_, at)| self.extents[**at].buf().len());
        let at = match found.map(|(index, _)| index) {
            Some(index) => self.unused.swap_remove(index),
            None if self.full.is_some() => return None,
            None => match self.add(needed) {
                Ok(at) => at,
                Err(why) => {
                    self.full = Some(why);
                    return None;
                }
            },
        };
        self.used_extents.push(at);
        self.begin(at);
        self.room
    }

    /// Begins to use an extent in which there is nothing.
    fn begin(&mut self, at: usize) {
        let room = self.extents[at].buf();
        let uses = word(room, 0) + 1;
        room.write(0, &uses.to_le_bytes());
        (self.room, self.used, self.live) = (Some(room), EXTENT_HEADER, 0);
    }

    /// Notes in the extent in use how far it is used.
    fn note_use(&mut self) {
        if let (Some(_), Some(at)) = (self.room, self.used_extents.last()) {
            (self.extents[*at].used, self.extents[*at].live) = (self.used, self.live);
        }
    }

    /// Adds an extent with room for `needed` bytes.
    fn add(&mut self, needed: usize) -> Result<usize, String> {
        let all = self.in_memory + self.in_file;
        let len = needed.max(EXTENT_BYTES).max((all / EXTENT_PART) as usize);
        let len = len.next_multiple_of(EXTENT_UNIT);
        let is_past = self.in_memory + len as u64 > self.storage.memory_bytes;
        let place = match &self.storage.file {
            Some(_) if is_past => Medium::File,
            _ => Medium::Memory,
        };
        let offset = match place {
            Medium::Memory => self.in_memory,
            Medium::File => self.in_file,
        };
        let room = self.map(place, offset, len)?;
        match place {
            Medium::Memory => self.in_memory += len as u64,
            Medium::File => self.in_file += len as u64,
        }
        self.extents.push(LogExtent {
            room,
            place,
            offset,
            used: EXTENT_HEADER,
            live: 0,
        });
        Ok(self.extents.len() - 1)
    }

    fn map(&self, place: Medium, offset: u64, len: usize) -> Result<ExtentMemory, String> {
        let refused = |what: &str, why| {
            format!("{what} has taken {offset} bytes and has no room for {len} more: {why}")
        };
        match (place, &self.storage.memory, &self.storage.file) {
            (Medium::File, _, Some((file, folder))) => Extent::map(file, offset, len)
                .map(ExtentMemory::Mapped)
                .map_err(|why| refused(&folder.display().to_string(), why)),
            (Medium::Memory, Some(file), _) if self.is_lasting => Extent::map(file, offset, len)
                .map(ExtentMemory::Mapped)
                .map_err(|why| refused("its memory file", why)),
            _ => Ok(ExtentMemory::Own(Scratch::new(len))),
        }
    }

    /// Moves all extents to where the next life finds them.
    ///
    /// # Errors
    /// When there is no memory file, or no room in it: one clause. The log is good as it was.
    pub fn make_lasting(&mut self) -> Result<(), String> {
        if self.is_lasting {
            return Ok(());
        }
        if self.storage.memory.is_none() {
            return Err("this process has no memory that outlives it for its payload log".into());
        }
        self.note_use();
        self.is_lasting = true;
        let own = |extent: &LogExtent| extent.place == Medium::Memory;
        let mut moved = Vec::new();
        for (at, extent) in self
            .extents
            .iter()
            .enumerate()
            .filter(|(_, extent)| own(extent))
        {
            let from = extent.buf();
            match self.map(extent.place, extent.offset, from.len()) {
                Ok(room) => moved.push((at, room)),
                Err(why) => {
                    self.is_lasting = false;
                    return Err(why);
                }
            }
        }
        for (at, room) in moved {
            let extent = &mut self.extents[at];
            let from = extent.buf().part(0, extent.used);
            let before = std::mem::replace(&mut extent.room, room);
            extent.buf().part(0, extent.used).copy_from(&from);
            if let ExtentMemory::Own(memory) = before {
                self.retired.push(memory);
            }
        }
        if let (Some(_), Some(at)) = (self.room, self.used_extents.last()) {
            self.room = Some(self.extents[*at].buf());
        }
        Ok(())
    }

    /// Gives back memory that extents had of this process alone. Nothing is sent from there.
    pub fn drop_retired(&mut self) {
        self.retired.clear();
    }

    /// Frees the copies of messages that a receiver has and that no life of it needs any more.
    pub fn free(&mut self, peer: PeerId, got: &[Received]) {
        if got.is_empty() {
            return;
        }
        self.note_use();
        let is_got = |context: Context, number: u64| {
            let mut all = got.iter().filter(|one| one.context == context);
            all.any(|one| number < one.next && one.missing.binary_search(&number).is_err())
        };
        self.missed.retain(|missed| {
            let is_past = |number| is_got(missed.context, number);
            missed.peer != peer || !(missed.first..=missed.last).all(is_past)
        });
        let in_use = self.room.and(self.used_extents.last().copied());
        let mut kept = Vec::with_capacity(self.used_extents.len());
        for at in std::mem::take(&mut self.used_extents) {
            let extent = &mut self.extents[at];
            let memory = extent.buf();
            if extent.live > 0 {
                let is_wanted = |copy: &Copy| {
                    !copy.is_freed
                        && copy.peer == peer
                        && is_got(copy.label.context, copy.label.sequence)
                };
                for copy in copies(memory, extent.used).filter(is_wanted) {
                    let len = copy.len as u64 | FREED;
                    memory.write(copy.at + LEN_AT, &len.to_le_bytes());
                    extent.live -= 1;
                    self.freed += 1;
                }
            }
            match extent.live == 0 && in_use != Some(at) {
                true => self.unused.push(at),
                false => kept.push(at),
            }
        }
        self.used_extents = kept;
        if let Some(at) = in_use {
            match self.extents[at].live {
                // What is used again lies in the cache still.
                0 if self.used > EXTENT_HEADER => self.begin(at),
                live => self.live = live,
            }
        }
    }

    /// Returns the messages that were sent to a peer and are not freed, with their bytes, in order.
    pub fn sent_to(&self, peer: PeerId) -> Vec<(Label, Buffer)> {
        let in_use = self.room.and(self.used_extents.last().copied());
        let mut sent = Vec::new();
        for at in self.used_extents.iter().copied() {
            let (memory, used) = match in_use == Some(at) {
                true => (self.extents[at].buf(), self.used),
                false => (self.extents[at].buf(), self.extents[at].used),
            };
            let wanted = copies(memory, used).filter(|copy| copy.peer == peer && !copy.is_freed);
            sent.extend(wanted.map(|copy| {
                let bytes = memory.part(copy.at + HEADER_BYTES, copy.len);
                (copy.label, Buffer::bytes(bytes))
            }));
        }
        sent
    }

    /// Returns how many messages were copied, their bytes, and how many of the copies were freed.
    pub fn size(&self) -> (u64, u64, u64) {
        (self.messages, self.bytes, self.freed)
    }

    /// Returns the bytes that are taken of memory and of the file.
    pub fn taken(&self) -> (u64, u64) {
        (self.in_memory, self.in_file)
    }

    /// Returns where everything lies, for the next life of this process.
    pub fn save(&mut self) -> Vec<u64> {
        self.note_use();
        let mut words = vec![self.used_extents.len() as u64, self.unused.len() as u64];
        for at in self.used_extents.iter().chain(&self.unused) {
            let extent = &self.extents[*at];
            let (place, len) = (extent.place as u64, extent.buf().len() as u64);
            words.extend([
                place,
                extent.offset,
                len,
                extent.used as u64,
                word(extent.buf(), 0),
            ]);
        }
        for missed in &self.missed {
            let peer = u64::from(missed.peer.0);
            words.extend([peer, missed.context.0, missed.first, missed.last]);
        }
        words
    }

    /// Takes over what an earlier life has saved.
    ///
    /// # Errors
    /// When it cannot be had, or is damaged: one clause.
    pub fn restore(&mut self, saved: &[u64]) -> Result<(), String> {
        let damaged = || "the payload log of its earlier life is damaged".to_string();
        let [used_extents, unused, rest @ ..] = saved else {
            return Err(damaged());
        };
        let count = used_extents.saturating_add(*unused) as usize;
        let (extents, missed) = rest
            .split_at_checked(count.saturating_mul(5))
            .ok_or_else(damaged)?;
        self.is_lasting = true;
        let of_memory = |extent: &[u64; 5]| extent[0] == Medium::Memory as u64;
        let in_memory = extents
            .as_chunks::<5>()
            .0
            .iter()
            .filter(|one| of_memory(one));
        let needed = in_memory.map(|[_, offset, len, ..]| offset + len).max();
        let length = self.storage.memory.as_ref().map(File::metadata);
        let length = length.and_then(Result::ok).map_or(0, |file| file.len());
        if length < needed.unwrap_or(0) {
            return Err(
                "its copies of the messages that it sent before its last checkpoint are gone, \
                 with the host that it was on"
                    .into(),
            );
        }
        for (number, extent) in extents.as_chunks::<5>().0.iter().enumerate() {
            let [place, offset, len, used, uses] = *extent;
            let (place, end) = match place == Medium::File as u64 {
                true => (Medium::File, &mut self.in_file),
                false => (Medium::Memory, &mut self.in_memory),
            };
            *end = (*end).max(offset + len);
            let mut extent = LogExtent {
                room: self.map(place, offset, len as usize)?,
                place,
                offset,
                used: used as usize,
                live: 0,
            };
            // One that was used again has no copy any more that anybody needs.
            let is_used = number < *used_extents as usize && word(extent.buf(), 0) == uses;
            if is_used {
                let mut end = EXTENT_HEADER;
                for copy in copies(extent.buf(), extent.used) {
                    extent.live += u64::from(!copy.is_freed);
                    end = copy.end();
                }
                if end != extent.used {
                    return Err(damaged());
                }
            }
            match extent.live > 0 {
                true => self.used_extents.push(self.extents.len()),
                false => self.unused.push(self.extents.len()),
            }
            self.extents.push(extent);
        }
        let missed = missed.as_chunks::<4>().0.iter();
        self.missed
            .extend(missed.map(|[peer, context, first, last]| Missed {
                peer: PeerId(*peer as u32),
                context: Context(*context),
                first: *first,
                last: *last,
            }));
        Ok(())
    }
}

impl LogExtent {
    fn buf(&self) -> UserBuf {
        match &self.room {
            ExtentMemory::Own(memory) => memory.buf(),
            ExtentMemory::Mapped(extent) => extent.buf(),
        }
    }
}

impl Copy {
    fn end(&self) -> usize {
        self.at + HEADER_BYTES + self.len.next_multiple_of(8)
    }
}

fn word(memory: UserBuf, at: usize) -> u64 {
    let mut bytes = [0; 8];
    memory.read(at, &mut bytes);
    u64::from_le_bytes(bytes)
}

/// Returns the copies in the first `used` bytes of an extent, up to one that does not fit there.
fn copies(memory: UserBuf, used: usize) -> impl Iterator<Item = Copy> {
    let used = used.min(memory.len());
    let mut at = EXTENT_HEADER;
    std::iter::from_fn(move || {
        if at + HEADER_BYTES > used {
            return None;
        }
        let mut words = [[0; 8]; HEADER_BYTES / 8];
        memory.read(at, words.as_flattened_mut());
        let [context, names, tag, sequence, len] = words.map(u64::from_le_bytes);
        let copy = Copy {
            peer: PeerId((names >> 32) as u32),
            label: Label {
                context: Context(context),
                source: Rank(names as u32),
                tag: tag as i64,
                sequence,
            },
            at,
            len: (len & !FREED) as usize,
            is_freed: len & FREED != 0,
        };
        let fits = copy.len <= used && copy.end() <= used;
        at = if fits { copy.end() } else { used };
        fits.then_some(copy)
    })
}

#[inline]
fn header(peer: PeerId, label: Label, len: usize) -> [u8; HEADER_BYTES] {
    let words = [
        label.context.0,
        u64::from(label.source.0) | u64::from(peer.0) << 32,
        label.tag as u64,
        label.sequence,
        len as u64,
    ];
    let mut bytes = [0; HEADER_BYTES];
    for (word, place) in words.into_iter().zip(bytes.chunks_exact_mut(8)) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests;
