//! The payload log: copies of the messages that this process has sent, for the next life of a
//! receiver.
//!
//! Copies lie one behind the other in memory of this process, and past a bound in a file of a
//! folder that the user names. They need not outlive the process: its own next life sends the same
//! messages again. Memory and file are taken by *extents*. Each copy has a header of five words:
//! context; source 32 bits and receiver 32 bits; tag; sequence; length.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use pml::{Context, Label};
use shm::Extent;

/// Bytes of the smallest extent; others are multiples of it.
const EXTENT_BYTES: usize = 1 << 20;
/// An extent has at least this part of all: their number stays small.
const EXTENT_PART: u64 = 64;
/// Bytes of the header of a copy.
const HEADER_BYTES: usize = 40;

/// Where copies may lie.
#[derive(Default)]
pub struct Storage {
    /// Bytes of memory before copies go to the file; without a file there is no bound.
    pub memory_bytes: u64,
    /// The file, with the folder that it is in.
    pub file: Option<(File, PathBuf)>,
}

/// Memory of an extent.
enum Room {
    Memory(Scratch),
    File(Extent),
}

/// Several copies, one behind the other.
struct Part {
    room: Room,
    /// Bytes that are used, once the next extent is in use.
    used: usize,
}

/// The copies of messages of one process.
#[derive(Default)]
pub struct PayloadLog {
    storage: Storage,
    /// In the order of their use; copies are added to the last.
    parts: Vec<Part>,
    /// The bytes of the last part, and how many are used.
    room: Option<UserBuf>,
    used: usize,
    /// Bytes that are taken of memory and of the file.
    in_memory: u64,
    in_file: u64,
    /// Why there was no room for a copy, where there was none.
    full: Option<String>,
    /// Peers that a copy lacks for.
    incomplete: Vec<PeerId>,
    messages: u64,
    bytes: u64,
}

impl Storage {
    /// Opens a file without a name in a folder: it ends with the process.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn in_folder(memory_bytes: u64, folder: &Path) -> io::Result<Storage> {
        let name = format!("oxmpi-payload-{}", std::process::id());
        let path = folder.join(name);
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        std::fs::remove_file(&path)?;
        Ok(Storage {
            memory_bytes,
            file: Some((file, folder.to_path_buf())),
        })
    }
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
                    self.omit(peer);
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
        self.messages += 1;
        self.bytes += buffer.len() as u64;
        true
    }

    /// Notes that a message to a peer is sent of which there is no copy.
    #[inline]
    pub fn omit(&mut self, peer: PeerId) {
        if !self.incomplete.contains(&peer) {
            self.incomplete.push(peer);
        }
    }

    /// Returns why a message has no copy, once one found no room.
    pub fn why_full(&self) -> Option<&str> {
        self.full.as_deref()
    }

    /// Returns whether all messages to a peer have copies.
    pub fn is_complete(&self, peer: PeerId) -> bool {
        !self.incomplete.contains(&peer)
    }

    /// Leaves the extent in use for a new one with room for `needed` bytes. Once there was none
    /// there is no other try: the log is of no use any more for the peer whose message has no copy.
    #[cold]
    fn next_room(&mut self, needed: usize) -> Option<UserBuf> {
        if self.full.is_some() {
            return None;
        }
        let all = self.in_memory + self.in_file;
        let len = needed.max((all / EXTENT_PART) as usize);
        let len = len.next_multiple_of(EXTENT_BYTES);
        let room = match &self.storage.file {
            Some((file, folder)) if self.in_memory + len as u64 > self.storage.memory_bytes => {
                match Extent::map(file, self.in_file, len) {
                    Ok(extent) => {
                        self.in_file += len as u64;
                        Room::File(extent)
                    }
                    Err(why) => {
                        self.full = Some(format!(
                            "{} has taken {} bytes and has no room for {len} more: {why}",
                            folder.display(),
                            self.in_file
                        ));
                        return None;
                    }
                }
            }
            _ => {
                self.in_memory += len as u64;
                Room::Memory(Scratch::new(len))
            }
        };
        if let Some(last) = self.parts.last_mut() {
            last.used = self.used;
        }
        let part = Part { room, used: 0 };
        let bytes = part.buf();
        self.parts.push(part);
        (self.room, self.used) = (Some(bytes), 0);
        Some(bytes)
    }

    /// Returns the messages that were sent to a peer, with their bytes, in order.
    pub fn sent_to(&self, peer: PeerId) -> Vec<(Label, Buffer)> {
        let mut sent = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let used = match number + 1 == self.parts.len() {
                true => self.used,
                false => part.used,
            };
            part.collect(used, peer, &mut sent);
        }
        sent
    }

    /// Returns how many messages there are, and their bytes.
    pub fn size(&self) -> (u64, u64) {
        (self.messages, self.bytes)
    }

    /// Returns the bytes that are taken of the file.
    pub fn in_file(&self) -> u64 {
        self.in_file
    }
}

impl Part {
    fn buf(&self) -> UserBuf {
        match &self.room {
            Room::Memory(memory) => memory.buf(),
            Room::File(extent) => extent.buf(),
        }
    }

    /// Adds the messages to a peer among the first `used` bytes.
    fn collect(&self, used: usize, peer: PeerId, sent: &mut Vec<(Label, Buffer)>) {
        let memory = self.buf();
        let mut at = 0;
        while at + HEADER_BYTES <= used {
            let mut words = [[0; 8]; HEADER_BYTES / 8];
            memory.read(at, words.as_flattened_mut());
            let [context, names, tag, sequence, len] = words.map(u64::from_le_bytes);
            let bytes = memory.part(at + HEADER_BYTES, len as usize);
            if (names >> 32) as u32 == peer.0 {
                let label = Label {
                    context: Context(context),
                    source: Rank(names as u32),
                    tag: tag as i64,
                    sequence,
                };
                sent.push((label, Buffer::bytes(bytes)));
            }
            at += HEADER_BYTES + bytes.len().next_multiple_of(8);
        }
    }
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
