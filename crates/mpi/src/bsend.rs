//! The buffer of buffered sends (MPI 5.0, 3.6).

use base::Rank;
use datatype::Buffer;
use engine::{Core, Started};
use memory::{Scratch, UserBuf};
use pml::{Mode, RequestId};

use crate::{Class, Comm, Error, Process};

/// Where copies of messages wait for their lanes.
pub struct Bsend {
    room: Room,
    /// Messages under way, by place.
    used: Vec<Part>,
}

enum Room {
    /// What the application attached.
    User(UserBuf),
    /// As much as it takes (`MPI_BUFFER_AUTOMATIC`).
    Automatic,
}

struct Part {
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
            room: Room::User(room),
            used: Vec::new(),
        }
    }

    /// A buffer that grows as needed.
    pub fn automatic() -> Bsend {
        Bsend {
            room: Room::Automatic,
            used: Vec::new(),
        }
    }

    /// The memory that was attached; `None` for an automatic buffer.
    pub fn memory(&self) -> Option<UserBuf> {
        match self.room {
            Room::User(room) => Some(room),
            Room::Automatic => None,
        }
    }

    /// Copies a message and starts to send the copy.
    pub(crate) fn send(
        &mut self,
        comm: &Comm,
        to: Rank,
        tag: i32,
        buffer: &Buffer,
    ) -> Result<(), Error> {
        let mut core = comm.process().engine.enter();
        core.progress();
        self.reap(&mut core);
        let len = buffer.len();
        let (at, room, own) = match self.room {
            Room::User(whole) => {
                let at = self.find(len, whole.len())?;
                (at, whole.part(at, len), None)
            }
            Room::Automatic => {
                let own = Scratch::new(len);
                (0, own.buf(), Some(own))
            }
        };
        buffer.pack_to_user(0, room);
        let copy = Buffer::bytes(room);
        let started = core.start_send(comm.messages(), to, tag, copy, Mode::Standard);
        if let Started::Pending(request) = started {
            self.used.push(Part {
                at,
                len,
                request,
                _own: own,
            });
            self.used.sort_by_key(|part| part.at);
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
            .retain(|part| core.pml.outcome(part.request).is_none());
    }

    /// Waits until all messages have gone.
    pub fn flush(&mut self, process: &Process) {
        for part in self.used.drain(..) {
            process.wait(part.request);
        }
    }

    /// Whether all messages have gone.
    pub fn is_flushed(&mut self, process: &Process) -> bool {
        process.progress();
        self.reap(&mut process.engine.enter());
        self.used.is_empty()
    }

    pub(crate) fn none_attached() -> Error {
        let text = "no buffer is attached; call MPI_Buffer_attach before buffered sends";
        Error::new(Class::Buffer, text)
    }
}
