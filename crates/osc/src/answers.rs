//! What plain accesses that read wait for: one stretch of bytes each.
//!
//! An operation of the long way says how it is cut and sent, and takes as long to make and to take
//! away as a message to travel. Of one that has been sent whole nothing is left to know but where
//! its bytes go.

use ::memory::{Payload, UserBuf};
use base::{Key, PeerId, Rank};

use crate::origin::no_such_memory;
use crate::wire::{status, Header};
use crate::{Error, Osc, WindowId};

/// In a message's token: it is of one of these. A table has fewer places than this bit counts.
const OF_ANSWERS: u64 = 1 << 31;

/// Bytes that a target was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) window: WindowId,
    pub(crate) target: Rank,
    pub(crate) peer: PeerId,
    /// Where they go; this many are to come, of which so many have.
    pub(crate) into: UserBuf,
    pub(crate) came: usize,
    /// Whether the access writes, too.
    pub(crate) fetches: bool,
}

/// What a message tells of who waits for its answer.
pub(crate) fn token(answer: Key) -> u64 {
    answer.bits() | OF_ANSWERS
}

/// Whose answer a token is; `None` where it is no plain access's.
pub(crate) fn of_token(token: u64) -> Option<Key> {
    (token & OF_ANSWERS != 0).then(|| Key::from_bits(token & !OF_ANSWERS))
}

impl Osc {
    /// Bytes have come, or there are none. False when nobody asked for them.
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

    /// Nothing is waited for any more.
    pub(crate) fn end_answer(&mut self, key: Key, result: Result<(), Error>) {
        let Some(answer) = self.answers.remove(key) else {
            return;
        };
        if let Some(window) = self.windows.get_mut(answer.window.0) {
            let partner = window.partner(answer.target);
            partner.open -= 1;
            partner.fetches -= u32::from(answer.fetches);
            if let Err(error) = result {
                partner.note(error);
            }
        }
    }

    /// A peer is gone, and so is what it was asked for.
    pub(crate) fn fail_answers(&mut self, peer: PeerId, why: &str) {
        let lost = |(key, answer): (Key, &Answer)| (answer.peer == peer).then_some(key);
        let lost: Vec<Key> = self.answers.iter().filter_map(lost).collect();
        for key in lost {
            let why = why.to_string();
            self.end_answer(key, Err(Error::PeerFailed { peer, why }));
        }
    }
}
