//! The pairs of partitioned requests, and the labels of their messages.
//!
//! "The order in which the local initialization calls are performed" decides which receive a send
//! belongs to (MPI 5.0, 4.2.1), not the order of the starts. So both sides count the calls that
//! name one communicator, peer and tag; peer, tag and number identify a pair, and both sides know
//! them without a message. The pair's messages have a *label*, which has fewer bits:
//!
//! * The first thousand pairs of a tag below 2^14 have labels that both sides compute.
//! * To any other pair the sender assigns a label when it starts for the first time, and sends it
//!   to the receiver, in a message whose tag is equal for all pairs. A receiver that needs a label
//!   receives these messages until that of its pair arrives.
//!
//! So no two pairs have one label, whatever their tags, except for pairs that one process begins
//! sixteen million labels apart.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU8, Ordering::Relaxed};

use base::wire::{read_i32, read_u32, write_i32, write_u32};
use base::Rank;
use datatype::Buffer;
use engine::Core;
use memory::Scratch;
use pml::{CommId, Pattern, Pml, RequestId, Tag};

use crate::tags::{PARTITIONED_BITS, PARTITIONED_TAGS};
use crate::{Class, Error};

/// Bits of the index of a message among those of one pair.
pub(super) const PLACE_BITS: u32 = 5;
const LABEL_BITS: u32 = PARTITIONED_BITS - PLACE_BITS;

/// Bits of the numbers of pairs (of one peer and tag) whose labels both sides compute.
const NUMBER_BITS: u32 = 10;
/// Bits of the tags of pairs whose labels both sides compute.
const PLAIN_BITS: u32 = LABEL_BITS - 1 - NUMBER_BITS;

/// First label of the upper half, which senders give. The first one itself is reserved for the
/// messages that carry labels.
const GIVEN: u32 = 1 << (LABEL_BITS - 1);

/// The label of a pair whose label is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// Bytes of a message that carries a label: the tag, the number, the label.
const LABEL_MESSAGE_BYTES: usize = 12;

/// End of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side of `MPI_Psend_init`.
    Send,
    /// The side of `MPI_Precv_init`.
    Recv,
}

/// State of a pair of partitioned requests at one end, once and for all its starts.
#[derive(Debug)]
pub struct Pairing {
    /// The peer.
    pub(super) partner: Rank,
    /// The user's tag.
    pub(super) tag: i32,
    /// Number of earlier pairs of this peer and tag.
    number: u32,
    label: AtomicU32,
    form: AtomicU8,
}

/// How the bytes of a pair travel; the sender decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairForm {
    /// The form is not known here yet.
    Unknown,
    /// One message.
    Whole,
    /// Pieces.
    Pieces,
}

/// The labels of a communicator.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    /// Number of requests made for each peer and tag.
    counts: HashMap<(Side, Rank, i32), u32>,
    /// Number of labels given to requests that send to a peer.
    given: HashMap<Rank, u32>,
    /// Labels received, by peer.
    received: HashMap<Rank, ReceivedLabels>,
}

/// Labels received from a peer.
#[derive(Debug, Default)]
struct ReceivedLabels {
    /// Labels that were not looked up yet, by tag and number.
    labels: HashMap<(i32, u32), u32>,
    /// The receive of its next label.
    listening: Option<(RequestId, Scratch)>,
}

impl Pairing {
    /// The label, where it is known.
    pub(super) fn label(&self) -> Option<u32> {
        match self.label.load(Relaxed) {
            UNKNOWN => None,
            label => Some(label),
        }
    }

    pub(super) fn set_label(&self, label: u32) {
        self.label.store(label, Relaxed);
    }

    pub(super) fn form(&self) -> PairForm {
        match self.form.load(Relaxed) {
            1 => PairForm::Whole,
            2 => PairForm::Pieces,
            _ => PairForm::Unknown,
        }
    }

    pub(super) fn set_form(&self, form: PairForm) {
        self.form.store(form as u8, Relaxed);
    }

    fn label_message(&self, label: u32) -> [u8; LABEL_MESSAGE_BYTES] {
        let mut bytes = [0; LABEL_MESSAGE_BYTES];
        write_i32(&mut bytes, 0, self.tag);
        write_u32(&mut bytes, 4, self.number);
        write_u32(&mut bytes, 8, label);
        bytes
    }
}

impl Labels {
    /// Returns the next request for a peer and tag.
    pub(crate) fn next(&mut self, side: Side, partner: Rank, tag: i32) -> Pairing {
        let count = self.counts.entry((side, partner, tag)).or_default();
        let number = *count;
        *count = count.wrapping_add(1);
        let label = plain(tag as u32, number).unwrap_or(UNKNOWN);
        Pairing {
            partner,
            tag,
            number,
            label: AtomicU32::new(label),
            form: AtomicU8::new(PairForm::Unknown as u8),
        }
    }

    /// Gives a pair, which sends, a label; also returns the message for its peer under
    /// [`label_tag`].
    pub(super) fn give(&mut self, pairing: &Pairing) -> (u32, Scratch) {
        let given = self.given.entry(pairing.partner).or_default();
        *given = *given % (GIVEN - 1) + 1;
        let label = GIVEN | *given;
        let bytes = Scratch::new(LABEL_MESSAGE_BYTES);
        bytes.buf().write(0, &pairing.label_message(label));
        (label, bytes)
    }

    /// Returns the label that the peer of a pair, which receives, has given; `None` while nothing
    /// has been received of it.
    pub(super) fn receive(
        &mut self,
        core: &mut Core,
        plane: CommId,
        pairing: &Pairing,
    ) -> Option<Result<u32, Error>> {
        let received = self.received.entry(pairing.partner).or_default();
        loop {
            if let Some(label) = received.labels.remove(&(pairing.tag, pairing.number)) {
                return Some(Ok(label));
            }
            let (request, bytes) = received.listening.get_or_insert_with(|| {
                let bytes = Scratch::new(LABEL_MESSAGE_BYTES);
                let pattern = Pattern {
                    source: Some(pairing.partner),
                    tag: Some(label_tag()),
                };
                let room = Buffer::bytes(bytes.buf());
                (core.start_recv(plane, pattern, room), bytes)
            });
            let outcome = core.outcome(*request)?;
            let mut message = [0; LABEL_MESSAGE_BYTES];
            bytes.buf().read(0, &mut message);
            received.listening = None;
            if let Err(failure) = outcome.result {
                return Some(Err(failure.into()));
            }
            match parse(&message[..(outcome.status.bytes as usize).min(LABEL_MESSAGE_BYTES)]) {
                Some((name, label)) => received.labels.insert(name, label),
                None => return Some(Err(malformed(pairing))),
            };
        }
    }
}

impl Drop for Labels {
    /// A pending receive owns the memory that it goes to.
    fn drop(&mut self) {
        for received in self.received.values_mut() {
            std::mem::forget(received.listening.take());
        }
    }
}

/// Returns the tag, of [`PARTITIONED_BITS`] bits, of a pair's message by its index.
pub(super) fn tag_of(label: u32, place: usize) -> Tag {
    Tag::from(label << PLACE_BITS) | place as Tag
}

/// Returns the tag of the messages that carry labels, on the collective plane.
pub(super) fn label_tag() -> Tag {
    PARTITIONED_TAGS | tag_of(GIVEN, 0)
}

/// The label that both sides compute.
fn plain(tag: u32, number: u32) -> Option<u32> {
    let known = tag < 1 << PLAIN_BITS && number < 1 << NUMBER_BITS;
    known.then_some(number << PLAIN_BITS | tag)
}

/// Parses the name and the label that a peer has sent.
fn parse(bytes: &[u8]) -> Option<((i32, u32), u32)> {
    let name = (read_i32(bytes, 0)?, read_u32(bytes, 4)?);
    let label = read_u32(bytes, 8)?;
    let given = GIVEN + 1..1 << LABEL_BITS;
    given.contains(&label).then_some((name, label))
}

fn malformed(pairing: &Pairing) -> Error {
    let (partner, tag) = (pairing.partner.0, pairing.tag);
    let text =
        format!("rank {partner} has sent a malformed label of partitioned messages (tag {tag})");
    Error::new(Class::Intern, text)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn both_sides_count_alike_whatever_the_order_of_the_tags() {
        let (mut send, mut recv) = (Labels::default(), Labels::default());
        let peer = Rank(3);
        let sent = [2, 1, 2, 1].map(|tag| send.next(Side::Send, peer, tag).label());
        let received = [1, 1, 2, 2].map(|tag| recv.next(Side::Recv, peer, tag).label());
        assert_eq!(sent, [received[2], received[0], received[3], received[1]]);
        assert!(sent.iter().all(Option::is_some));
    }

    #[test]
    fn tags_partners_and_sides_are_counted_apart() {
        let mut labels = Labels::default();
        let mut next = |side, rank, tag| labels.next(side, Rank(rank), tag).label();
        let first = next(Side::Send, 0, 7);
        assert_eq!(next(Side::Recv, 0, 7), first);
        assert_eq!(next(Side::Send, 1, 7), first);
        assert_ne!(next(Side::Send, 0, 7), first);
        assert_ne!(next(Side::Send, 0, 8), first);
    }

    /// Checks tags that a hash of as many bits as a label has could not all distinguish.
    #[test]
    fn no_two_pairs_have_one_label() {
        let mut labels = Labels::default();
        let peer = Rank(0);
        let tags = (0..40_000).step_by(7);
        let tags = tags.chain((0..31).map(|bit| 1 << bit)).chain([i32::MAX, 5]);
        let mut tags: Vec<i32> = tags.collect();
        tags.sort();
        tags.dedup();
        let mut seen = HashSet::new();
        for tag in tags {
            let rounds = if tag == 5 { (1 << NUMBER_BITS) + 3 } else { 2 };
            for _ in 0..rounds {
                let pairing = labels.next(Side::Send, peer, tag);
                let label = match pairing.label() {
                    Some(label) => label,
                    None => labels.give(&pairing).0,
                };
                assert!(label < 1 << LABEL_BITS && label != GIVEN);
                assert!(seen.insert(label), "{pairing:?}");
            }
        }
        assert!(seen.len() > 10_000);
    }

    #[test]
    fn labels_wrap_and_none_is_that_of_the_messages_that_carry_them() {
        let mut labels = Labels::default();
        let pairing = labels.next(Side::Send, Rank(2), i32::MAX);
        labels.given.insert(Rank(2), GIVEN - 2);
        assert_eq!(labels.give(&pairing).0, (1 << LABEL_BITS) - 1);
        assert_eq!(labels.give(&pairing).0, GIVEN + 1);
    }

    #[test]
    fn label_messages_are_parsed_and_other_bytes_are_refused() {
        let pairing = Labels::default().next(Side::Send, Rank(2), 1 << 30);
        let message = pairing.label_message(GIVEN + 9);
        assert_eq!(parse(&message), Some(((1 << 30, 0), GIVEN + 9)));
        assert_eq!(parse(&message[..11]), None);
        for label in [0, GIVEN - 1, GIVEN, 1 << LABEL_BITS, UNKNOWN] {
            assert_eq!(parse(&pairing.label_message(label)), None, "{label}");
        }
    }
}
