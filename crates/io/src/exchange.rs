//! [`Exchange`]: what clients and aggregators share, and the messages between them.

use coll::{Port, Team};
use datatype::Buffer;
use memory::UserBuf;

use crate::access::Access;
use crate::plan::{reaches_into, Domains, Reach};
use crate::Run;

/// Least bytes of data that an aggregator is let reach in a client's memory: fewer go with less
/// work as a message.
const OFFERED_MIN: u64 = 8192;
/// Least mean length of a run of memory, and of the file, for which memory is reached: the system
/// copies shorter ones slower than client and aggregator do together by messages.
pub(crate) const OFFERED_RUN: usize = 4096;
/// Bytes of data whose runs of memory are examined first.
const SAMPLE: usize = 16 * OFFERED_RUN;

/// The facts that all parts of an exchange use.
pub(crate) struct Exchange<'a> {
    pub(crate) port: &'a Port,
    pub(crate) team: Team,
    pub(crate) reaches: &'a [Reach],
    pub(crate) domains: &'a Domains,
    pub(crate) access: &'a Access,
    /// Whether every aggregator notifies all ranks of the end.
    pub(crate) ends_together: bool,
}

impl Exchange<'_> {
    /// The other ranks that may have data in `part` of the file.
    pub(crate) fn clients(&self, part: Run) -> impl Iterator<Item = u32> + '_ {
        let reaches = self.reaches.iter().enumerate();
        let ranks = reaches.filter(move |(_, reach)| reaches_into(reach, part));
        let own = self.team.rank;
        ranks
            .map(|(rank, _)| rank as u32)
            .filter(move |rank| *rank != own)
    }

    /// Returns the other ranks that the aggregator of `domain` notifies of the end.
    pub(crate) fn notified(&self, domain: Run) -> Vec<u32> {
        let own = self.team.rank;
        match self.ends_together {
            true => (0..self.team.size).filter(|rank| *rank != own).collect(),
            false => self.clients(domain).collect(),
        }
    }

    /// The reach of this rank.
    pub(crate) fn own(&self) -> &Reach {
        &self.reaches[self.team.rank as usize]
    }
}

/// Scratch memory that grows, and is used again when the messages that used it are complete.
#[derive(Debug)]
pub(crate) struct ScratchBuffer(UserBuf);

impl Default for ScratchBuffer {
    fn default() -> ScratchBuffer {
        ScratchBuffer(UserBuf::EMPTY)
    }
}

impl ScratchBuffer {
    /// Returns `len` bytes, whose content is arbitrary.
    pub(crate) fn of(&mut self, port: &Port, len: usize) -> UserBuf {
        if self.0.len() < len {
            self.0 = port.scratch(len.next_power_of_two());
        }
        self.0.part(0, len)
    }
}

/// The fixed first message of a client to an aggregator in a round.
pub(crate) mod header {
    use memory::UserBuf;

    /// Bytes of the message.
    pub(crate) const BYTES: usize = 128;
    /// Longest lists that the message itself holds.
    pub(crate) const INLINE_MAX: usize = BYTES - FIXED;
    const FIXED: usize = 24;

    /// Lengths of the lists that belong to a header, and of the data.
    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct Lengths {
        /// Bytes of the list of runs of the file.
        pub(crate) list: u64,
        /// Bytes of the list of the client's memory behind it; 0 where data goes by messages.
        pub(crate) memory: u64,
        /// Bytes of data.
        pub(crate) data: u64,
    }

    impl Lengths {
        /// Bytes of both lists, unless they do not fit.
        pub(crate) fn lists(&self) -> Option<u64> {
            self.list.checked_add(self.memory)
        }
    }

    /// Writes the header of `lists`: that of the file, and that of the memory.
    pub(crate) fn write(room: UserBuf, lengths: Lengths, lists: &[u8]) {
        for (at, word) in [lengths.list, lengths.data, lengths.memory]
            .iter()
            .enumerate()
        {
            room.write(at * 8, &word.to_le_bytes());
        }
        if lists.len() <= INLINE_MAX {
            room.write(FIXED, lists);
        }
    }

    /// Returns what a header says, and the lists if they are there.
    pub(crate) fn read(room: UserBuf) -> (Lengths, Option<Vec<u8>>) {
        let word = |at| {
            let mut bytes = [0; 8];
            room.read(at, &mut bytes);
            u64::from_le_bytes(bytes)
        };
        let lengths = Lengths {
            list: word(0),
            data: word(8),
            memory: word(16),
        };
        let there = lengths.lists().filter(|len| *len <= INLINE_MAX as u64);
        let inline = there.map(|len| {
            let mut bytes = vec![0; len as usize];
            room.read(FIXED, &mut bytes);
            bytes
        });
        (lengths, inline)
    }
}

/// The message of an aggregator to a client in a write: whether the aggregator has read the data
/// from the client's memory, or wants it as a message.
pub(crate) mod receipt {
    use memory::UserBuf;

    /// Bytes of the message.
    pub(crate) const BYTES: usize = 8;

    /// Writes whether the data was read.
    pub(crate) fn write(room: UserBuf, taken: bool) {
        room.write(0, &u64::from(taken).to_le_bytes());
    }

    /// Returns whether the data was read.
    pub(crate) fn read(room: UserBuf) -> bool {
        let mut bytes = [0; 8];
        room.read(0, &mut bytes);
        bytes != [0; 8]
    }
}

/// The message of an aggregator to a client: how the access of a window, or of all, went.
pub(crate) mod answer {
    use std::io;

    use memory::UserBuf;

    /// Bytes of the message.
    pub(crate) const BYTES: usize = 24;

    /// Content of an answer.
    #[derive(Debug)]
    pub(crate) struct Answer {
        /// The failure.
        pub(crate) error: Option<io::Error>,
        /// The position where the file ends.
        pub(crate) end: u64,
        /// Whether the data is in the client's memory, and no message has it.
        pub(crate) delivered: bool,
    }

    /// Writes what failed, the position where the file ends if that is known, and whether the data
    /// is where it belongs.
    pub(crate) fn write(room: UserBuf, error: Option<&io::Error>, end: u64, delivered: bool) {
        let code = error.map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO));
        room.write(0, &i64::from(code).to_le_bytes());
        room.write(8, &end.to_le_bytes());
        room.write(16, &u64::from(delivered).to_le_bytes());
    }

    /// Returns what the message says.
    pub(crate) fn read(room: UserBuf) -> Answer {
        let word = |at| {
            let mut bytes = [0; 8];
            room.read(at, &mut bytes);
            u64::from_le_bytes(bytes)
        };
        let code = word(0) as i64 as i32;
        Answer {
            error: (code != 0).then(|| io::Error::from_raw_os_error(code)),
            end: word(8),
            delivered: word(16) != 0,
        }
    }
}

impl Exchange<'_> {
    /// The bytes of the access's data that lie before file position `offset`.
    pub(crate) fn data_before(&self, offset: u64) -> u64 {
        let reach = self.own();
        if offset <= reach.first || reach.bytes == 0 {
            return 0;
        }
        if offset >= reach.end {
            return reach.bytes;
        }
        let near = self.access.position;
        let before = self.access.view.data_before(offset, near);
        before.saturating_sub(self.access.position).min(reach.bytes)
    }

    /// Returns `bytes` of data behind the first `from` as the buffer of a message.
    pub(crate) fn outgoing(&self, from: u64, bytes: u64, room: &mut ScratchBuffer) -> Buffer {
        let (from, len, buffer) = (from as usize, bytes as usize, &self.access.buffer);
        match buffer.contiguous() {
            Some(memory) => Buffer::bytes(memory.part(from, len)),
            None if len == buffer.len() => buffer.clone(),
            None => {
                let room = room.of(self.port, len);
                buffer.pack_to_user(from, room);
                Buffer::bytes(room)
            }
        }
    }

    /// Returns the memory of `bytes` of data behind the first `from`, where `rank` may reach it
    /// with less work than by messages.
    pub(crate) fn offered(&self, rank: u32, from: u64, bytes: u64) -> Option<Vec<UserBuf>> {
        let neighbours = self.access.neighbours.as_ref()?;
        if bytes < OFFERED_MIN || !neighbours.reaches(rank) {
            return None;
        }
        let (from, bytes) = (from as usize, bytes as usize);
        let few = |memory: &[UserBuf], bytes: usize| bytes / memory.len().max(1) >= OFFERED_RUN;
        let mut memory = Vec::new();
        // The first of many runs show whether a list of all is worth its time.
        let first = bytes.min(SAMPLE);
        self.access.buffer.segments(from, first, &mut memory);
        if first < bytes && few(&memory, first) {
            memory.clear();
            self.access.buffer.segments(from, bytes, &mut memory);
        } else if first < bytes {
            return None;
        }
        few(&memory, bytes).then_some(memory)
    }

    /// Returns memory for `bytes` of data behind the first `from`, and whether they are to be
    /// unpacked from there.
    pub(crate) fn incoming(
        &self,
        from: u64,
        bytes: u64,
        room: &mut ScratchBuffer,
    ) -> (UserBuf, bool) {
        let (from, len) = (from as usize, bytes as usize);
        match self.access.buffer.contiguous() {
            Some(memory) => (memory.part(from, len), false),
            None => (room.of(self.port, len), true),
        }
    }
}
