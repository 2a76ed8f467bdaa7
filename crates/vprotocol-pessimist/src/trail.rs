//! The trail: one machine word for each send and receive of the program, in memory that outlives
//! the process. A next life compares what it does with it, so that a program that does not do the
//! same when it runs again is told where, before it waits for a message that never comes.
//!
//! Only calls of the program are compared: a collective may start its messages in another order.
//! The trail ends where its memory does; what comes after is not compared. Each word has a check of
//! itself, so that a damaged trail is not taken for a program that does something else.

use base::PeerId;
use pml::{Label, Pattern, Tag};

use crate::events::{Damage, Words};

/// The kinds of calls. A word of the trail is never 0.
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

/// A send or receive, as the trail keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step(u64);

impl Step {
    /// A send of `bytes` to a peer, on the communicator that is the `comm`-th of its process.
    #[inline]
    pub(crate) fn send(comm: u64, peer: PeerId, label: Label, bytes: u64) -> Step {
        Step::of(SEND, comm, u64::from(peer.0), label.tag as u64, bytes)
    }

    /// A receive of at most `bytes`.
    #[inline]
    pub(crate) fn receive(comm: u64, peers: &[PeerId], pattern: Pattern, bytes: u64) -> Step {
        let peer = |rank: base::Rank| {
            peers
                .get(rank.index())
                .map_or(ANY, |peer| u64::from(peer.0))
        };
        let source = pattern.source.map_or(ANY, peer);
        let tag = pattern.tag.map_or(ANY, |tag: Tag| tag as u64);
        Step::of(RECEIVE, comm, source, tag, bytes)
    }

    #[inline]
    fn of(kind: u64, comm: u64, peer: u64, tag: u64, bytes: u64) -> Step {
        let length = bytes.wrapping_mul(SPREAD) >> (u64::BITS - LENGTH_MASK.count_ones());
        Step::checked(
            kind | (peer & PEER_MASK) << PEER_SHIFT
                | (tag & TAG_MASK) << TAG_SHIFT
                | (comm & COMM_MASK) << COMM_SHIFT
                | length << LENGTH_SHIFT,
        )
    }

    /// The step of these fields, with their check.
    #[inline]
    fn checked(fields: u64) -> Step {
        let check = fields.wrapping_mul(SPREAD) >> CHECK_SHIFT;
        Step(fields | check << CHECK_SHIFT)
    }

    /// Returns whether a word is one that a process has stored.
    fn is_whole(self) -> bool {
        let fields = self.0 & ((1 << CHECK_SHIFT) - 1);
        matches!(fields & 3, SEND | RECEIVE) && Step::checked(fields) == self
    }

    /// Describes it beside another one, with what differs of the two.
    fn describe(self, beside: Step) -> String {
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
        let comm = |step: Step| step.0 >> COMM_SHIFT & COMM_MASK;
        let on = match comm(self) == comm(beside) {
            true => "",
            false => " on another communicator",
        };
        let length = |step: Step| step.0 >> LENGTH_SHIFT & LENGTH_MASK;
        let of = match length(self) == length(beside) {
            true => "",
            false => " of another length",
        };
        format!("{kind} {peer} with {tag}{on}{of}")
    }
}

/// The trail of a process.
#[derive(Default)]
pub struct Trail {
    words: Option<Box<dyn Words>>,
    /// Steps of this life.
    at: usize,
}

impl Trail {
    /// Opens the trail in `words`, which are 0 before the first life.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn open(words: Box<dyn Words>) -> Result<Trail, Damage> {
        let steps = (0..words.len()).map(|at| Step(words.load(at)));
        let mut steps = steps.take_while(|step| step.0 != 0);
        if let Some(at) = steps.position(|step| !step.is_whole()) {
            return Err(Damage::Entry { at: at as u64 });
        }
        Ok(Trail {
            words: Some(words),
            at: 0,
        })
    }

    /// Takes a step.
    ///
    /// # Errors
    /// With what differs, where an earlier life took another one here.
    #[inline]
    pub(crate) fn take(&mut self, step: Step) -> Result<(), String> {
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
            return Err(self.differs(step, Step(earlier)));
        }
        self.at += 1;
        Ok(())
    }

    /// Says what differs. Nothing is compared any more.
    #[cold]
    fn differs(&mut self, step: Step, earlier: Step) -> String {
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
        let earlier = Step(words.load(self.at));
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
    struct Kept(Arc<[AtomicU64]>);

    impl Words for Kept {
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

    fn kept(words: usize) -> Kept {
        Kept((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    fn open(kept: &Kept) -> Trail {
        Trail::open(Box::new(kept.clone())).expect("a trail that is whole")
    }

    fn send(to: u32, tag: Tag) -> Step {
        let label = Label {
            context: Context(0),
            source: Rank(0),
            tag,
            sequence: 7,
        };
        Step::send(0, PeerId(to), label, 8)
    }

    fn receive(source: Option<u32>) -> Step {
        let peers = [PeerId(4), PeerId(5)];
        let source = source.map(Rank);
        let pattern = Pattern { source, tag: None };
        Step::receive(2, &peers, pattern, 100)
    }

    #[test]
    fn the_first_step_that_differs_is_told() {
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
        assert_eq!(next.take(send(2, 3)), Ok(()), "it is told once");
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
            let mut trail = open(&kept);
            assert_eq!(trail.take(send(1, 3)), Ok(()));
            assert_eq!(trail.take(send(1, tag)), Ok(()));
            assert_eq!(trail.rest(), None);
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
    fn each_bit_of_damage_is_told() {
        // The second one has no bit set but those of its kind and its check.
        let nothing = Step::of(SEND, 0, 0, 0, 0);
        let steps = [send(1, 3), nothing, receive(None), receive(Some(1))];
        for (at, bit) in (0..steps.len()).flat_map(|at| (0..64).map(move |bit| (at, bit))) {
            let kept = kept(10);
            let mut first = open(&kept);
            for step in steps {
                first.take(step).unwrap();
            }
            kept.store(at, kept.load(at) ^ 1 << bit);
            let found = Trail::open(Box::new(kept)).err();
            let told = Damage::Entry { at: at as u64 };
            assert_eq!(found, Some(told), "bit {bit} of step {at}");
        }
    }
}
