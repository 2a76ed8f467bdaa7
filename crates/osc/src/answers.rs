//! Pending replies to fast-path accesses that read: one contiguous run of bytes each.
//!
//! An operation of the slow path records how it is cut and sent; to create and drop it takes as
//! long as a message takes to travel. An access that was sent whole needs only the destination of
//! its bytes.

use ::memory::{Payload, UserBuf};
use base::{Key, PeerId, Rank};

use crate::origin::no_such_memory;
use crate::wire::{status, Header};
use crate::{Error, Osc, WindowId};

/// The bit of a message's token that marks one of these: a table has fewer slots than it counts.
const OF_ANSWERS: u64 = 1 << 31;

/// Bytes requested from a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) window: WindowId,
    pub(crate) target: Rank,
    pub(crate) peer: PeerId,
    /// The destination, as long as the reply, and the bytes that have arrived.
    pub(crate) into: UserBuf,
    pub(crate) came: usize,
    /// Whether the access writes, too.
    pub(crate) fetches: bool,
}

/// Returns the message token of a pending reply.
pub(crate) fn token(answer: Key) -> u64 {
    answer.bits() | OF_ANSWERS
}

/// Returns the pending reply of a token; `None` where it is not of a fast-path access.
pub(crate) fn of_token(token: u64) -> Option<Key> {
    (token & OF_ANSWERS != 0).then(|| Key::from_bits(token & !OF_ANSWERS))
}

impl Osc {
    /// Takes bytes of a reply, or the target's refusal. False when they were not requested.
    pub(crate) fn answered(
        &mut self,
        (from, key): (PeerId, Key),
        header: &Header,
        data: Payload<'_>,
    ) -> bool {
        let Some(answer) = self.answers.get_mut(key) else {
            return false;
        };
        let strayed = header.status != status::OK;
        let bytes = match strayed {
            true => header.bytes as usize,
            false => data.len(),
        };
        let left = answer.into.len() - answer.came;
        // Without such memory at the target there is no data at all.
        let expected = answer.peer == from
            && header.position == answer.came as u64
            && if strayed {
                bytes == left
            } else {
                bytes <= left
            };
        if !expected {
            return false;
        }
        if !strayed {
            data.copy_to_user(answer.into.from(answer.came));
        }
        answer.came += bytes;
        let (all, target) = (bytes == left, answer.target);
        self.peer(from).awaited -= bytes;
        if all {
            let result = match strayed {
                true => Err(no_such_memory(target)),
                false => Ok(()),
            };
            self.end_answer(key, result);
        }
        if !self.peer(from).requests.is_empty() {
            // There is room again for what asks.
            self.list(from);
        }
        true
    }

    /// Ends the wait for a reply.
    pub(crate) fn end_answer(&mut self, key: Key, result: Result<(), Error>) {
        let Some(answer) = self.answers.remove(key) else {
            return;
        };
        if let Some(window) = self.windows.get_mut(answer.window.0) {
            let target = window.target(answer.target);
            target.open -= 1;
            target.fetches -= u32::from(answer.fetches);
            if let Err(error) = result {
                target.note(error);
            }
        }
    }

    /// Fails the replies of a peer that is gone.
    pub(crate) fn fail_answers(&mut self, peer: PeerId, why: &str) {
        let lost = |(key, answer): (Key, &Answer)| (answer.peer == peer).then_some(key);
        let lost: Vec<Key> = self.answers.iter().filter_map(lost).collect();
        for key in lost {
            let why = why.to_string();
            self.end_answer(key, Err(Error::PeerFailed { peer, why }));
        }
    }
}
