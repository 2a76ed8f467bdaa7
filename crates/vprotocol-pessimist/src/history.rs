//! The call history: one machine word for each send and receive of the program, in memory that
//! outlives the process. A next life compares its calls with it, so that a program whose calls
//! differ when it runs again gets an error, and does not wait for a message that never comes.
//!
//! Only calls of the program are compared: a collective may start its messages in another order.
//! The history ends where its memory does; later calls are not compared. Each word has a check of
//! itself, so that a damaged history is not taken for a program whose calls differ.

use base::PeerId;
use pml::{Label, Pattern, Tag};

use crate::events::{Damage, StableWords};

/// The kinds of calls. A word of the history is never 0.
const SEND: u64 = 1;
const RECEIVE: u64 = 2;

/// Bits of a word, from the lowest: kind, peer, tag, communicator, a digest of the length, a check
/// of all of these.
const PEER_SHIFT: u32 = 2;
const PEER_MASK: u64 = 0xffff;
const TAG_SHIFT: u32 = 18;
const TAG_MASK: u64 = 0xff_ffff;
const COMM_SHIFT: u32 = 42;
const COMM_MASK: u64 = 0x3f;
const LENGTH_SHIFT: u32 = 48;
const LENGTH_MASK: u64 = 0xff;
const CHECK_SHIFT: u32 = 56;

/// Spreads a word over its highest bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stands for any source, or any tag.
const ANY: u64 = u64::MAX;

/// A send or receive, as the history keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CallRecord(u64);

impl CallRecord {
    /// A send of `bytes` to a peer, on the communicator that is the `comm`-th of its process.
    #[inline]
    pub(crate) fn send(comm: u64, peer: PeerId, label: Label, bytes: u64) -> CallRecord {
        CallRecord::of(SEND, comm, u64::from(peer.0), label.tag as u64, bytes)
    }

    /// A receive of at most `bytes`.
    #[inline]
    pub(crate) fn receive(comm: u64, peers: &[PeerId], pattern: Pattern, bytes: u64) -> CallRecord {
        let peer = |rank: base::Rank| {
            peers
                .get(rank.index())
                .map_or(ANY, |peer| u64::from(peer.0))
        };
        let source = pattern.source.map_or(ANY, peer);
        let tag = pattern.tag.map_or(ANY, |tag: Tag| tag as u64);
        CallRecord::of(RECEIVE, comm, source, tag, bytes)
    }

    #[inline]
    fn of(kind: u64, comm: u64, peer: u64, tag: u64, bytes: u64) -> CallRecord {
        let length = bytes.wrapping_mul(SPREAD) >> (u64::BITS - LENGTH_MASK.count_ones());
        CallRecord::checked(
            kind | (peer & PEER_MASK) << PEER_SHIFT
                | (tag & TAG_MASK) << TAG_SHIFT
                | (comm & COMM_MASK) << COMM_SHIFT
                | length << LENGTH_SHIFT,
        )
    }

    /// The step of these fields, with their check.
    #[inline]
    fn checked(fields: u64) -> CallRecord {
        let check = fields.wrapping_mul(SPREAD) >> CHECK_SHIFT;
        CallRecord(fields | check << CHECK_SHIFT)
    }

    /// Returns whether a word is one that a process has stored.
    fn is_whole(self) -> bool {
        let fields = self.0 & ((1 << CHECK_SHIFT) - 1);
        matches!(fields & 3, SEND | RECEIVE) && CallRecord::checked(fields) == self
    }

    /// Describes it beside another one, with what differs of the two.
    fn describe(self, beside: CallRecord) -> String {
        let (peer, tag) = (
            self.0 >> PEER_SHIFT & PEER_MASK,
            self.0 >> TAG_SHIFT & TAG_MASK,
        );
        let kind = match self.0 & 3 {
            SEND => "send to",
            _ => "receive from",
        };
        let peer = match peer {
            PEER_MASK => "any source".to_string(),
            peer => format!("rank {peer}"),
        };
        let tag = match tag {
            TAG_MASK => "any tag".to_string(),
            tag => format!("tag {tag}"),
        };
        let comm = |step: CallRecord| step.0 >> COMM_SHIFT & COMM_MASK;
        let on = match comm(self) == comm(beside) {
            true => "",
            false => " on another communicator",
        };
        let length = |step: CallRecord| step.0 >> LENGTH_SHIFT & LENGTH_MASK;
        let of = match length(self) == length(beside) {
            true => "",
            false => " of another length",
        };
        format!("{kind} {peer} with {tag}{on}{of}")
    }
}

/// The call history of a process.
#[derive(Default)]
pub struct CallHistory {
    words: Option<Box<dyn StableWords>>,
    /// Steps of this life.
    at: usize,
}

impl CallHistory {
    /// Opens the history in `words`, which are 0 before the first life.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn open(words: Box<dyn StableWords>) -> Result<CallHistory, Damage> {
        let steps = (0..words.len()).map(|at| CallRecord(words.load(at)));
        let mut steps = steps.take_while(|step| step.0 != 0);
        if let Some(at) = steps.position(|step| !step.is_whole()) {
            return Err(Damage::Entry { at: at as u64 });
        }
        Ok(CallHistory {
            words: Some(words),
            at: 0,
        })
    }

    /// Takes a step.
    ///
    /// # Errors
    /// With what differs, where an earlier life took another one here.
    #[inline]
    pub(crate) fn take(&mut self, step: CallRecord) -> Result<(), String> {
        let Some(words) = &self.words else {
            return Ok(());
        };
        if self.at >= words.len() {
            return Ok(());
        }
        let earlier = words.load(self.at);
        if earlier == 0 {
            words.store(self.at, step.0);
        } else if earlier != step.0 {
            return Err(self.differs(step, CallRecord(earlier)));
        }
        self.at += 1;
        Ok(())
    }

    /// Describes the difference, and ends the comparison.
    #[cold]
    fn differs(&mut self, step: CallRecord, earlier: CallRecord) -> String {
        self.words = None;
        format!(
            "its send or receive {} is a {}, where its earlier life had a {}: the program does not \
             do the same when it runs again",
            self.at + 1,
            step.describe(earlier),
            earlier.describe(earlier)
        )
    }

    /// Describes the step of an earlier life that this one has not taken, if there is one.
    pub(crate) fn rest(&self) -> Option<String> {
        let words = self.words.as_ref().filter(|words| self.at < words.len())?;
        let earlier = CallRecord(words.load(self.at));
        (earlier.0 != 0).then(|| format!("a {}", earlier.describe(earlier)))
    }

    /// Forgets all steps: the next life does not begin where this one did. Called before a
    /// checkpoint counts; a life that dies meanwhile leaves its first steps, in order.
    pub fn cut(&mut self) {
        let Some(words) = self.words.take() else {
            return;
        };
        for at in (0..self.at.min(words.len())).rev() {
            words.store(at, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::Arc;

    use base::Rank;
    use pml::Context;

    use super::*;

    #[derive(Clone)]
    struct SharedMemory(Arc<[AtomicU64]>);

    impl StableWords for SharedMemory {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn load(&self, at: usize) -> u64 {
            self.0[at].load(Ordering::Relaxed)
        }

        fn store(&self, at: usize, word: u64) {
            self.0[at].store(word, Ordering::Relaxed);
        }
    }

    fn kept(words: usize) -> SharedMemory {
        SharedMemory((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    fn open(kept: &SharedMemory) -> CallHistory {
        CallHistory::open(Box::new(kept.clone())).expect("a history that is whole")
    }

    fn send(to: u32, tag: Tag) -> CallRecord {
        let label = Label {
            context: Context(0),
            source: Rank(0),
            tag,
            sequence: 7,
        };
        CallRecord::send(0, PeerId(to), label, 8)
    }

    fn receive(source: Option<u32>) -> CallRecord {
        let peers = [PeerId(4), PeerId(5)];
        let source = source.map(Rank);
        let pattern = Pattern { source, tag: None };
        CallRecord::receive(2, &peers, pattern, 100)
    }

    #[test]
    fn the_first_step_that_differs_is_reported() {
        let kept = kept(10);
        let mut first = open(&kept);
        for step in [send(1, 3), receive(None), receive(Some(1))] {
            assert_eq!(first.take(step), Ok(()));
        }
        let mut next = open(&kept);
        assert_eq!(next.take(send(1, 3)), Ok(()));
        assert_eq!(
            next.rest().unwrap(),
            "a receive from any source with any tag"
        );
        assert_eq!(
            next.take(send(2, 3)).unwrap_err(),
            "its send or receive 2 is a send to rank 2 with tag 3 on another communicator of \
             another length, where its earlier life had a receive from any source with any tag: \
             the program does not do the same when it runs again"
        );
        assert_eq!(next.take(send(2, 3)), Ok(()), "it is reported once");
        let mut last = open(&kept);
        for step in [send(1, 3), receive(None), receive(Some(1)), send(2, 3)] {
            assert_eq!(last.take(step), Ok(()));
        }
        assert_eq!(last.rest(), None);
    }

    #[test]
    fn what_is_past_the_memory_is_not_compared() {
        let kept = kept(1);
        for tag in 0..2 {
            let mut history = open(&kept);
            assert_eq!(history.take(send(1, 3)), Ok(()));
            assert_eq!(history.take(send(1, tag)), Ok(()));
            assert_eq!(history.rest(), None);
        }
    }

    #[test]
    fn a_checkpoint_forgets_what_was_done() {
        let kept = kept(10);
        let mut first = open(&kept);
        first.take(send(1, 3)).unwrap();
        first.cut();
        first.take(send(1, 4)).unwrap();
        let mut next = open(&kept);
        assert_eq!(next.rest(), None);
        assert_eq!(next.take(send(2, 9)), Ok(()));
    }

    #[test]
    fn each_bit_of_damage_is_found() {
        // The second one has no bit set but those of its kind and its check.
        let nothing = CallRecord::of(SEND, 0, 0, 0, 0);
        let steps = [send(1, 3), nothing, receive(None), receive(Some(1))];
        for (at, bit) in (0..steps.len()).flat_map(|at| (0..64).map(move |bit| (at, bit))) {
            let kept = kept(10);
            let mut first = open(&kept);
            for step in steps {
                first.take(step).unwrap();
            }
            kept.store(at, kept.load(at) ^ 1 << bit);
            let found = CallHistory::open(Box::new(kept)).err();
            let expected = Damage::Entry { at: at as u64 };
            assert_eq!(found, Some(expected), "bit {bit} of step {at}");
        }
    }
}
