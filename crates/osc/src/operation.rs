//! The record of an access that is under way.
//!
//! Every access that has not ended with its start has one [`Operation`] and one [`OpId`], which is
//! the token of its messages and of what its lane does. A contiguous access needs a few words; to
//! create and drop the record of one that is cut and queued takes as long as a message travels, and
//! so lies on the heap.
//!
//! | state | by | ends with |
//! |---|---|---|
//! | `Reply` | one message, sent | the last byte of the reply |
//! | `Queued` | messages that the queue cuts | the last message sent, or the last byte of the reply |
//! | `Run` | the lane, as one put or get | [`crate::Osc::lane_done`] |
//! | `Pieces` | the lane, as several | the last piece |
//! | `Word` | the transport of words, in one step | [`crate::Osc::lane_done`] |
//! | `Steps` | the transport of words, in several steps | the last step |
//!
//! A `Run` or `Pieces` of which a lane refuses something becomes `Queued`: to put the same bytes
//! twice does no harm. An operation whose outcome the caller will query stays as `Ended`.

use ::memory::{Slot, UserBuf};
use base::{Key, PeerId, Rank};
use btl::Atomic;
use datatype::Buffer;

use crate::access::{Access, Grain, TargetBytes, Verb};
use crate::error::Error;
use crate::order::Carrier;
use crate::runs::fill;
use crate::steps::Course;
use crate::window::WindowId;
use crate::wire::{comparand, Header, Run, HEADER_BYTES};

/// Most bytes that one message requests.
pub(crate) const REQUESTED_MAX: usize = 64 << 10;

/// Identifier of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpId(pub(crate) Key);

impl OpId {
    /// Returns it as a number, of which bit 31 is free.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0.bits()
    }

    /// Makes an identifier from a number that may be anything.
    #[inline]
    pub fn from_bits(bits: u64) -> OpId {
        OpId(Key::from_bits(bits))
    }
}

/// An access under way, or one whose outcome has not been queried.
pub(crate) struct Operation {
    pub(crate) window: WindowId,
    pub(crate) target: Rank,
    pub(crate) peer: PeerId,
    pub(crate) state: State,
}

/// How far an operation is.
pub(crate) enum State {
    /// Sent in one message; its reply is awaited.
    Reply {
        /// The destination, as long as the reply, and the bytes that have arrived.
        into: UserBuf,
        came: usize,
        /// Whether the access writes, too.
        fetches: bool,
    },
    /// A lane has one contiguous run.
    Run {
        local: UserBuf,
        offset: u64,
        puts: bool,
    },
    /// A lane has the one step of an accumulate, which holds this turn.
    Word { turn: u64 },
    /// The queue of its peer cuts it into messages.
    Queued(Box<Queued>),
    /// A lane has some of its pieces.
    Pieces(Box<Pieces>),
    /// It changes a word in steps, or waits for its turn.
    Steps(Box<Steps>),
    /// Over; its caller has not queried the outcome.
    Ended(Result<(), Box<Error>>),
}

/// An access that goes by messages, several perhaps.
pub(crate) struct Queued {
    pub(crate) access: Access,
    /// Whether the caller will query its outcome.
    pub(crate) held: bool,
    /// The target's name of the window.
    name: u64,
    grain: Grain,
    len: usize,
    /// The mark of its epoch in its messages.
    mark: u32,
    /// Packed bytes that were sent or requested, and that arrived.
    sent: usize,
    came: usize,
    /// Whether the target has no such memory.
    strayed: bool,
}

/// An access that a lane does in pieces.
pub(crate) struct Pieces {
    pub(crate) access: Access,
    pub(crate) held: bool,
    pub(crate) puts: bool,
    /// Unfinished pieces, and whether the lane has refused one.
    pub(crate) left: usize,
    pub(crate) refused: bool,
}

/// An accumulate of one word that a lane does in steps.
pub(crate) struct Steps {
    pub(crate) access: Access,
    pub(crate) held: bool,
    pub(crate) course: Course,
}

/// The next step of an accumulate, for a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneStep {
    /// The operation, by which the end of the step is reported.
    pub operation: OpId,
    /// The target's window, as this process knows it.
    pub window: WindowId,
    /// The target.
    pub target: Rank,
    /// The target's process.
    pub peer: PeerId,
    /// Bytes from the beginning of the target's window.
    pub offset: u64,
    /// The atomic operation on the word there.
    pub atomic: Atomic,
    /// The destination of the previous value, valid for as long as the [`crate::Osc`].
    pub result: UserBuf,
}

/// A message of an operation.
pub(crate) struct MessagePart {
    pub(crate) header: Header,
    pub(crate) at: usize,
    pub(crate) data: usize,
    pub(crate) bytes: usize,
}

/// The effect of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Came {
    /// Whether the bytes were the last.
    pub(crate) all: bool,
    /// Whether the target has no such memory.
    pub(crate) strayed: bool,
}

/// Returns the error of an operation outside the window of its target.
pub(crate) fn no_such_memory(target: Rank) -> Error {
    let what = "there is no such memory".to_string();
    Error::Range { target, what }
}

impl Operation {
    /// Whether a lane has it as a single act: the frequent case, which needs no allocation.
    #[inline]
    pub(crate) fn is_single(&self) -> bool {
        matches!(self.state, State::Run { .. } | State::Word { .. })
    }

    /// Whether it has ended.
    pub(crate) fn is_ended(&self) -> bool {
        matches!(self.state, State::Ended(_))
    }

    /// Returns the carrier that has it.
    #[inline]
    pub(crate) fn carrier(&self) -> Carrier {
        match &self.state {
            State::Run { puts, .. } => Carrier::lane(*puts),
            State::Pieces(pieces) => Carrier::lane(pieces.puts),
            State::Word { .. } | State::Steps(_) => Carrier::Word,
            State::Reply { .. } | State::Queued(_) | State::Ended(_) => Carrier::Messages,
        }
    }

    /// Returns the turn that it holds or waits for.
    pub(crate) fn turn(&self) -> Option<u64> {
        match &self.state {
            State::Word { turn } => Some(*turn),
            State::Steps(steps) => Some(steps.course.word.turn()),
            _ => None,
        }
    }

    /// Whether its message makes the target write and reply with data.
    pub(crate) fn fetches(&self) -> bool {
        match &self.state {
            State::Reply { fetches, .. } => *fetches,
            State::Queued(queued) => queued.fetches(),
            _ => false,
        }
    }

    /// Whether its caller will query its outcome.
    pub(crate) fn is_held(&self) -> bool {
        match &self.state {
            State::Reply { .. } | State::Run { .. } | State::Word { .. } => false,
            State::Queued(queued) => queued.held,
            State::Pieces(pieces) => pieces.held,
            State::Steps(steps) => steps.held,
            State::Ended(_) => true,
        }
    }

    /// Returns the access, where it goes by messages that are cut.
    pub(crate) fn queued(&self) -> Option<&Queued> {
        match &self.state {
            State::Queued(queued) => Some(queued),
            _ => None,
        }
    }

    /// Whether messages of it are to be sent.
    pub(crate) fn is_unsent(&self) -> bool {
        self.queued().is_some_and(|queued| !queued.is_sent())
    }

    /// Returns [`Operation::queued`], to be changed.
    pub(crate) fn queued_mut(&mut self) -> Option<&mut Queued> {
        match &mut self.state {
            State::Queued(queued) => Some(queued),
            _ => None,
        }
    }

    /// Returns an access that a lane has refused, and whether its outcome will be queried.
    pub(crate) fn refused(&self) -> Option<(Access, bool)> {
        match &self.state {
            State::Run {
                local,
                offset,
                puts,
            } => {
                let (offset, len) = (*offset, local.len());
                let buffer = Buffer::bytes(*local);
                let verb = match puts {
                    true => Verb::Put { from: buffer },
                    false => Verb::Get { into: buffer },
                };
                let place = TargetBytes::Contiguous { offset, len };
                Some((Access { verb, place }, false))
            }
            State::Pieces(pieces) => Some((pieces.access.clone(), pieces.held)),
            _ => None,
        }
    }

    /// Takes `bytes` bytes of the reply, which were to come next; with `data` `None` the target has
    /// no such memory. `None` when the operation has not requested them.
    #[inline]
    pub(crate) fn came(
        &mut self,
        position: u64,
        bytes: usize,
        data: Option<::memory::Payload<'_>>,
    ) -> Option<Came> {
        match &mut self.state {
            State::Reply { into, came, .. } => {
                let left = into.len() - *came;
                // Without such memory at the target there is no data at all.
                let expected = match data {
                    None => bytes == left,
                    Some(_) => bytes <= left,
                };
                if !expected || position != *came as u64 {
                    return None;
                }
                let strayed = data.is_none();
                if let Some(data) = data {
                    data.copy_to_user(into.from(*came));
                }
                *came += bytes;
                Some(Came {
                    all: bytes == left,
                    strayed,
                })
            }
            State::Queued(queued) => queued.came(position, bytes, data),
            _ => None,
        }
    }
}

impl Queued {
    /// Makes the record of an access to be sent; `name` is the target's name of the window.
    pub(crate) fn new(access: Access, name: u64, mark: u32, held: bool) -> Queued {
        Queued {
            held,
            name,
            grain: access.verb.grain(),
            len: access.len(),
            access,
            mark,
            sent: 0,
            came: 0,
            strayed: false,
        }
    }

    /// Whether the target replies with data, and is written to.
    pub(crate) fn fetches(&self) -> bool {
        self.reads() && self.access.verb.puts().is_none()
    }

    /// Whether the target replies with data.
    pub(crate) fn reads(&self) -> bool {
        self.access.verb.reads()
    }

    /// Cuts the next message, of at most `max` bytes, which requests at most `room` bytes. `None`
    /// when the operation reads, and has too little room now.
    pub(crate) fn cut(&self, max: usize, room: usize, runs: &mut Vec<Run>) -> Option<MessagePart> {
        let mut len = self.len - self.sent;
        if self.reads() {
            len = len.min(REQUESTED_MAX);
            if room < len {
                return None;
            }
        }
        let verb = &self.access.verb;
        let sends = verb.sends();
        let room = max - HEADER_BYTES;
        let part = (self.sent, len);
        let bytes = fill(&self.access.place, part, self.grain, (room, sends), runs);
        let (position, data) = match verb {
            Verb::CompareAndSwap { compare, new, .. } => match comparand(*compare) {
                Some(word) => (word, new.len()),
                None => (0, compare.len() + new.len()),
            },
            _ if sends => (self.sent as u64, bytes),
            _ => (self.sent as u64, 0),
        };
        let header = Header {
            status: self.mark,
            ..self.access.header(self.name, position, bytes as u64)
        };
        Some(MessagePart {
            header,
            at: self.sent,
            data,
            bytes,
        })
    }

    /// Returns the `len` bytes of data from packed byte `at` on, where they are contiguous.
    pub(crate) fn contiguous(&self, at: usize, len: usize) -> Option<UserBuf> {
        match &self.access.verb {
            Verb::Put { from } | Verb::Accumulate { from, .. } => {
                Some(from.contiguous()?.part(at, len))
            }
            Verb::CompareAndSwap { .. } | Verb::Get { .. } => None,
        }
    }

    /// Packs the data of a message from packed byte `at` on.
    pub(crate) fn pack(&self, at: usize, slot: &mut Slot<'_>) {
        match &self.access.verb {
            Verb::Put { from } | Verb::Accumulate { from, .. } => {
                from.pack(at, slot, 0);
            }
            Verb::CompareAndSwap { compare, new, .. } => {
                let first = match comparand(*compare) {
                    Some(_) => UserBuf::EMPTY,
                    None => *compare,
                };
                slot.write_user(0, first);
                slot.write_user(first.len(), *new);
            }
            Verb::Get { .. } => {}
        }
    }

    /// Whether a message is the operation's last.
    pub(crate) fn ends_with(&self, part: &MessagePart) -> bool {
        self.sent + part.bytes == self.len
    }

    /// Whether there is nothing left to be sent.
    pub(crate) fn is_sent(&self) -> bool {
        self.sent == self.len
    }

    /// Counts `bytes` more as sent. Returns whether those were the last.
    pub(crate) fn sent(&mut self, bytes: usize) -> bool {
        self.sent += bytes;
        self.sent == self.len
    }

    fn came(
        &mut self,
        position: u64,
        bytes: usize,
        data: Option<::memory::Payload<'_>>,
    ) -> Option<Came> {
        let expected =
            self.reads() && bytes <= self.sent - self.came && position == self.came as u64;
        if !expected {
            return None;
        }
        match (data, self.access.verb.result()) {
            (Some(data), Some(result)) => {
                result.unpack(self.came, data);
            }
            // Nothing more is requested.
            _ => (self.strayed, self.len) = (true, self.sent),
        }
        self.came += bytes;
        Some(Came {
            all: self.came == self.len,
            strayed: self.strayed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_of_an_access_is_a_cache_line() {
        assert!(std::mem::size_of::<Operation>() <= 48);
    }
}
