//! The carrier of an access, and the order of accesses that reach one target by different carriers.
//!
//! **No access overtakes an earlier one of this process to the same target that writes there**: a
//! put, an accumulate or a swap. The standard orders accumulates alone; programs rely on more, such
//! as a get that sees what was accumulated before it once `MPI_Win_flush_local` has returned.
//!
//! Messages are handled in the order in which they were sent, so an access by a message follows all
//! messages before it at no cost. An access by another carrier may arrive before them, and they
//! before the accesses that a lane has under way:
//!
//! | an access by | follows by itself | has to wait for |
//! |---|---|---|
//! | a message | messages | puts and changes of words that a lane has under way |
//! | a lane's put | puts of the lane | messages that nothing has confirmed, changes of words |
//! | a change of a word | changes of words | such messages, puts of the lane |
//! | a lane's get, a load or a store | nothing | such messages, all that a lane writes |
//!
//! A put or a get that would have to wait for messages goes by a message, too, and has them
//! confirmed by that: so unmixed accesses cost nothing, and mixed ones seldom wait.

use crate::access::Access;
use crate::phase::FlushPhase;
use crate::target::Target;

/// The means by which an access reaches its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// Active messages.
    Messages,
    /// A put by the target's lane.
    LanePut,
    /// A get by the target's lane.
    LaneGet,
    /// A change of a word by the transport that serves the words of the window.
    Word,
    /// Loads and stores in memory that this process shares with the target.
    Memory,
}

impl Carrier {
    /// Returns the carrier of a lane's puts, or gets.
    #[inline]
    pub(crate) fn lane(puts: bool) -> Carrier {
        match puts {
            true => Carrier::LanePut,
            false => Carrier::LaneGet,
        }
    }
}

/// The accesses that this process does by loads and stores in a target's memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Shared {
    /// Nothing: it does not share the memory.
    #[default]
    Nothing,
    /// Puts and gets; accumulates go to the target, which combines for processes elsewhere, too.
    PutsAndGets,
    /// Everything: all processes of the window do so.
    Everything,
}

/// Bytes from which on a lane puts into a target's memory and gets from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneMin {
    /// Bytes of a put.
    pub put: usize,
    /// Bytes of a get.
    pub get: usize,
    /// Bytes of the pieces of an access, on average, where it has several.
    pub piece: usize,
}

/// Facts about a target that decide which carrier an access takes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reach {
    /// The accesses that loads and stores do.
    pub shared: Shared,
    /// The bytes that the target's memory begins behind a multiple of 8, where a transport changes
    /// the words of the window.
    pub words: Option<u64>,
    /// The bytes from which on its lane is used, where that reaches the target's memory.
    pub lane: Option<LaneMin>,
}

/// Returns the carrier of an access. `follows` says whether one by a carrier would overtake nothing
/// now; only carriers that others can stand in for are asked for. Messages and changes of words
/// have to wait where they do not follow.
#[inline]
pub fn choose(access: &Access, reach: &Reach, mut follows: impl FnMut(Carrier) -> bool) -> Carrier {
    if reach.shared == Shared::Everything {
        return Carrier::Memory;
    }
    let Some(puts) = access.verb.puts() else {
        let word = reach.words.and_then(|skew| access.word(skew));
        return word.map_or(Carrier::Messages, |_| Carrier::Word);
    };
    if reach.shared == Shared::PutsAndGets && follows(Carrier::Memory) {
        return Carrier::Memory;
    }
    let Some(min) = &reach.lane else {
        return Carrier::Messages;
    };
    let least = if puts { min.put } else { min.get };
    let lane = Carrier::lane(puts);
    let pieces_min = min.piece.max(least);
    match access.place.len() >= least && access.is_worth_pieces(pieces_min) && follows(lane) {
        true => lane,
        false => Carrier::Messages,
    }
}

impl Target {
    /// Whether an access by a carrier, begun now, comes behind all that writes before it.
    #[inline]
    pub(crate) fn may_follow(&self, carrier: Carrier) -> bool {
        match carrier {
            Carrier::Messages => self.is_lane_through(),
            Carrier::LanePut => self.is_confirmed() && self.changes == 0,
            Carrier::Word => self.is_confirmed() && self.is_put(),
            Carrier::LaneGet | Carrier::Memory => self.is_confirmed() && self.is_lane_through(),
        }
    }

    /// Whether all that was written by messages is known to be there.
    #[inline]
    fn is_confirmed(&self) -> bool {
        !self.has_unconfirmed() && self.is_answered() && self.fetches == 0
    }

    /// Whether all that a lane writes is there.
    #[inline]
    pub(crate) fn is_lane_through(&self) -> bool {
        self.changes == 0 && self.is_put()
    }

    /// Whether all that a lane puts is there.
    #[inline]
    fn is_put(&self) -> bool {
        self.puts == 0 && self.flush == FlushPhase::Idle
    }

    /// Counts an access that a lane has begun to do.
    #[inline]
    pub(crate) fn enter_lane(&mut self, carrier: Carrier) {
        self.on_lane += 1;
        self.puts += u32::from(carrier == Carrier::LanePut);
        self.changes += u32::from(carrier == Carrier::Word);
    }

    /// Uncounts an access that a lane is done with.
    #[inline]
    pub(crate) fn leave_lane(&mut self, carrier: Carrier) {
        self.on_lane -= 1;
        self.puts -= u32::from(carrier == Carrier::LanePut);
        self.changes -= u32::from(carrier == Carrier::Word);
    }
}

#[cfg(test)]
mod tests {
    use ::memory::UserBuf;
    use datatype::{Buffer, Op};

    use super::*;
    use crate::access::{TargetBytes, Verb};

    fn nothing(len: usize) -> Buffer {
        let memory = Box::leak(Box::new(::memory::Scratch::new(len.max(1))));
        Buffer::bytes(memory.buf().part(0, len))
    }

    fn access(verb: Verb, len: usize) -> Access {
        let place = TargetBytes::Contiguous { offset: 8, len };
        Access { verb, place }
    }

    fn put(len: usize) -> Access {
        access(Verb::Put { from: nothing(len) }, len)
    }

    fn get(len: usize) -> Access {
        access(Verb::Get { into: nothing(len) }, len)
    }

    fn sum(len: usize) -> Access {
        let element = datatype::predefined(0x258).unwrap().predefined().unwrap();
        let verb = Verb::Accumulate {
            op: Op::Sum,
            element,
            from: nothing(len),
            before: None,
        };
        access(verb, len)
    }

    fn swap() -> Access {
        let element = datatype::predefined(0x258).unwrap().predefined().unwrap();
        let verb = Verb::CompareAndSwap {
            element,
            compare: UserBuf::EMPTY,
            new: UserBuf::EMPTY,
            before: nothing(8),
        };
        access(verb, 8)
    }

    /// Messages alone, a lane, words, words elsewhere, memory of the node, a segment for all.
    fn reaches() -> [Reach; 6] {
        let lane = LaneMin {
            put: 64,
            get: 256,
            piece: 512,
        };
        let messages = Reach::default();
        let by_lane = Reach {
            lane: Some(lane),
            ..messages
        };
        let words = Reach {
            words: Some(0),
            ..by_lane
        };
        let skewed = Reach {
            words: Some(4),
            ..by_lane
        };
        let node = Reach {
            shared: Shared::PutsAndGets,
            ..by_lane
        };
        let segment = Reach {
            shared: Shared::Everything,
            ..words
        };
        [messages, by_lane, words, skewed, node, segment]
    }

    #[test]
    fn each_access_has_its_carrier() {
        use Carrier::{LaneGet, LanePut, Memory, Messages, Word};
        let [messages, by_lane, words, skewed, node, segment] = reaches();
        let table = [
            // reach, put of 8, put of 64, get of 64, get of 256, sum of 8, sum of 16, swap
            (
                messages,
                [
                    Messages, Messages, Messages, Messages, Messages, Messages, Messages,
                ],
            ),
            (
                by_lane,
                [
                    Messages, LanePut, Messages, LaneGet, Messages, Messages, Messages,
                ],
            ),
            (
                words,
                [Messages, LanePut, Messages, LaneGet, Word, Messages, Word],
            ),
            (
                skewed,
                [
                    Messages, LanePut, Messages, LaneGet, Messages, Messages, Messages,
                ],
            ),
            (
                node,
                [Memory, Memory, Memory, Memory, Messages, Messages, Messages],
            ),
            (segment, [Memory; 7]),
        ];
        let accesses = || [put(8), put(64), get(64), get(256), sum(8), sum(16), swap()];
        for (reach, expected) in table {
            let chosen = accesses().map(|access| choose(&access, &reach, |_| true));
            assert_eq!(chosen, expected, "{reach:?}");
        }
        // What would overtake something goes by messages, except for words, which then wait.
        for (reach, expected) in [
            (by_lane, [Messages; 7]),
            (
                words,
                [Messages, Messages, Messages, Messages, Word, Messages, Word],
            ),
            (node, [Messages; 7]),
            (segment, [Memory; 7]),
        ] {
            let chosen = accesses().map(|access| choose(&access, &reach, |_| false));
            assert_eq!(chosen, expected, "{reach:?}");
        }
        // A node's memory may have to wait where a lane need not.
        let chosen = choose(&put(64), &node, |carrier| carrier == LanePut);
        assert_eq!(chosen, LanePut);
        // Only what others can stand in for is asked whether it follows.
        let _ = choose(&sum(8), &words, |carrier| panic!("{carrier:?}"));
        let _ = choose(&put(8), &by_lane, |carrier| panic!("{carrier:?}"));
    }
}
