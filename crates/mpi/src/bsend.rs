//! The buffer of buffered sends (MPI 5.0, 3.6).

use base::Mutex;

use base::Rank;
use datatype::Buffer;
use engine::Core;
use memory::{Scratch, UserBuf};
use pml::{CommId, Mode, Pml, RequestId, Started, Tag};

use crate::{Class, Error};

/// Place of an attached buffer, in a communicator, a session or a process.
pub type BsendBuffer = Mutex<Option<Bsend>>;

/// Attached buffer, with the copies of messages that wait for their lanes.
#[derive(Debug)]
pub struct Bsend {
    room: AttachedMemory,
    /// Pending messages, by offset.
    used: Vec<PendingMessage>,
    /// Number of messages started.
    started: u64,
}

#[derive(Debug)]
enum AttachedMemory {
    /// The buffer that the application attached.
    User(UserBuf),
    /// Memory allocated as needed (`MPI_BUFFER_AUTOMATIC`).
    Automatic,
}

#[derive(Debug)]
/// A pending message, and its part of the buffer.
struct PendingMessage {
    /// Number of messages started before.
    number: u64,
    at: usize,
    len: usize,
    request: RequestId,
    /// The memory of an automatic buffer.
    _own: Option<Scratch>,
}

impl Bsend {
    /// A buffer in memory that the application attached.
    pub fn attached(room: UserBuf) -> Bsend {
        Bsend {
            room: AttachedMemory::User(room),
            used: Vec::new(),
            started: 0,
        }
    }

    /// A buffer that grows as needed.
    pub fn automatic() -> Bsend {
        Bsend {
            room: AttachedMemory::Automatic,
            used: Vec::new(),
            started: 0,
        }
    }

    /// The memory that was attached; `None` for an automatic buffer.
    pub fn memory(&self) -> Option<UserBuf> {
        match self.room {
            AttachedMemory::User(room) => Some(room),
            AttachedMemory::Automatic => None,
        }
    }

    /// Copies a message and starts to send the copy.
    pub(crate) fn send(
        &mut self,
        core: &mut Core,
        plane: CommId,
        to: Rank,
        tag: Tag,
        buffer: &Buffer,
    ) -> Result<(), Error> {
        core.progress();
        self.reap(core);
        let len = buffer.len();
        let (at, room, own) = match self.room {
            AttachedMemory::User(whole) => {
                let at = self.find(len, whole.len())?;
                (at, whole.part(at, len), None)
            }
            AttachedMemory::Automatic => {
                let own = Scratch::new(len);
                (0, own.buf(), Some(own))
            }
        };
        buffer.pack_to_user(0, room);
        let copy = Buffer::bytes(room);
        let started = core.start_send(plane, to, tag, copy, Mode::Standard);
        if let Started::Pending(request) = started {
            self.used.push(PendingMessage {
                number: self.started,
                at,
                len,
                request,
                _own: own,
            });
            self.used.sort_by_key(|part| part.at);
            self.started += 1;
        }
        Ok(())
    }

    /// The first gap of `len` bytes.
    fn find(&self, len: usize, total: usize) -> Result<usize, Error> {
        let mut at = 0;
        for part in &self.used {
            if part.at - at >= len {
                return Ok(at);
            }
            at = part.at + part.len;
        }
        if total - at >= len {
            return Ok(at);
        }
        let used: usize = self.used.iter().map(|part| part.len).sum();
        let text = format!(
            "no room for {len} bytes in the attached buffer of {total} bytes, {used} in use"
        );
        Err(Error::new(Class::Buffer, text))
    }

    /// Forgets the messages that have gone.
    fn reap(&mut self, core: &mut Core) {
        self.used
            .retain(|part| core.outcome(part.request).is_none());
    }

    /// Takes out all messages, which are pending.
    pub(crate) fn take_pending(&mut self) -> impl Iterator<Item = RequestId> + '_ {
        self.used.drain(..).map(|part| part.request)
    }

    /// Returns how many messages were started.
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// Whether the first `count` messages have been sent.
    pub(crate) fn has_sent(&mut self, count: u64, core: &mut Core) -> bool {
        self.reap(core);
        self.used.iter().all(|part| part.number >= count)
    }

    pub(crate) fn none_attached() -> Error {
        let text = "no buffer is attached; call MPI_Buffer_attach before buffered sends";
        Error::new(Class::Buffer, text)
    }
}
