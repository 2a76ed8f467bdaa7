//! [`Exchange`]: what clients and aggregators share, and the messages between them.

use coll::{Port, Team};
use datatype::Buffer;
use memory::UserBuf;

use crate::access::Access;
use crate::plan::{reaches_into, Domains, Reach};
use crate::Run;

/// The facts that all parts of an exchange use.
pub(crate) struct Exchange<'a> {
    pub(crate) port: &'a Port,
    pub(crate) team: Team,
    pub(crate) reaches: &'a [Reach],
    pub(crate) domains: &'a Domains,
    pub(crate) access: &'a Access,
    /// Whether all ranks hear of the end from all aggregators.
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

    /// The other ranks that hear of the end from the aggregator of `domain`.
    pub(crate) fn told(&self, domain: Run) -> Vec<u32> {
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
pub(crate) struct Room(UserBuf);

impl Default for Room {
    fn default() -> Room {
        Room(UserBuf::EMPTY)
    }
}

impl Room {
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
    /// Longest list that the message itself holds.
    pub(crate) const INLINE_MAX: usize = BYTES - FIXED;
    const FIXED: usize = 16;

    /// Writes the header of `data` bytes in the runs of `list`.
    pub(crate) fn write(room: UserBuf, list: &[u8], data: u64) {
        room.write(0, &(list.len() as u64).to_le_bytes());
        room.write(8, &data.to_le_bytes());
        if list.len() <= INLINE_MAX {
            room.write(FIXED, list);
        }
    }

    /// Returns the lengths of list and data, and the list if it is there.
    pub(crate) fn read(room: UserBuf) -> (u64, u64, Option<Vec<u8>>) {
        let word = |at| {
            let mut bytes = [0; 8];
            room.read(at, &mut bytes);
            u64::from_le_bytes(bytes)
        };
        let (list, data) = (word(0), word(8));
        let inline = (list <= INLINE_MAX as u64).then(|| {
            let mut bytes = vec![0; list as usize];
            room.read(FIXED, &mut bytes);
            bytes
        });
        (list, data, inline)
    }
}

/// The message of an aggregator to a client: how the access of a window, or of all, went.
pub(crate) mod answer {
    use std::io;

    use memory::UserBuf;

    /// Bytes of the message.
    pub(crate) const BYTES: usize = 16;

    /// Writes what failed, and the position where the file ends if that is known.
    pub(crate) fn write(room: UserBuf, error: Option<&io::Error>, end: u64) {
        let code = error.map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO));
        room.write(0, &i64::from(code).to_le_bytes());
        room.write(8, &end.to_le_bytes());
    }

    /// Returns what failed, and the position where the file ends.
    pub(crate) fn read(room: UserBuf) -> (Option<io::Error>, u64) {
        let mut bytes = [0; 8];
        room.read(0, &mut bytes);
        let code = i64::from_le_bytes(bytes) as i32;
        room.read(8, &mut bytes);
        let error = (code != 0).then(|| io::Error::from_raw_os_error(code));
        (error, u64::from_le_bytes(bytes))
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
    pub(crate) fn outgoing(&self, from: u64, bytes: u64, room: &mut Room) -> Buffer {
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

    /// Returns memory for `bytes` of data behind the first `from`, and whether they are to be
    /// unpacked from there.
    pub(crate) fn incoming(&self, from: u64, bytes: u64, room: &mut Room) -> (UserBuf, bool) {
        let (from, len) = (from as usize, bytes as usize);
        match self.access.buffer.contiguous() {
            Some(memory) => (memory.part(from, len), false),
            None => (room.of(self.port, len), true),
        }
    }
}
