//! Which partitioned receive a partitioned send belongs to: "the order in which the local
//! initialization calls are performed" decides (MPI 5.0, 4.2.1), not that of the starts.
//!
//! Both sides count the calls that name the same communicator, partner and tag, and the message
//! goes under a tag made of the user's and of that number. Nothing needs to be exchanged.

use std::collections::HashMap;

use base::Rank;

/// Bits of a tag on the collective plane that partitioned messages have for themselves.
pub(crate) const TAG_BITS: u32 = 30;

/// Bits of the number; it starts again from zero. As many requests for one partner and tag would
/// have to be there at once for two to be taken for each other.
const NUMBER_BITS: u32 = 13;
/// User's tags below this many bits are told apart in full, with every number.
const PLAIN_BITS: u32 = TAG_BITS - 1 - NUMBER_BITS;

/// One of the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Of `MPI_Psend_init`.
    Send,
    /// Of `MPI_Precv_init`.
    Recv,
}

/// How many requests a communicator has seen for each partner and tag.
#[derive(Debug, Default)]
pub(crate) struct Counts(HashMap<(Side, Rank, i32), u32>);

impl Counts {
    /// The tag, of [`TAG_BITS`] bits, for the messages of the next request.
    pub(crate) fn next(&mut self, side: Side, partner: Rank, tag: i32) -> i32 {
        let count = self.0.entry((side, partner, tag)).or_default();
        let number = *count;
        *count = (*count + 1) % (1 << NUMBER_BITS);
        label(tag as u32, number) as i32
    }
}

/// The upper half of the tags is for user's tags that are larger than those of all but a few
/// programs. There two pairs of tag and number may have one label; the first request of each tag
/// below 2^29 has its own.
fn label(tag: u32, number: u32) -> u32 {
    const LARGE: u32 = 1 << (TAG_BITS - 1);
    if tag < 1 << PLAIN_BITS {
        return number << PLAIN_BITS | tag;
    }
    LARGE | (tag ^ number.wrapping_mul(0x9e37_79b1)) & (LARGE - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn both_sides_count_alike_whatever_the_order_of_the_tags() {
        let (mut send, mut recv) = (Counts::default(), Counts::default());
        let peer = Rank(3);
        let sent = [2, 1, 2, 1].map(|tag| send.next(Side::Send, peer, tag));
        let received = [1, 1, 2, 2].map(|tag| recv.next(Side::Recv, peer, tag));
        assert_eq!(sent, [received[2], received[0], received[3], received[1]]);
    }

    #[test]
    fn tags_partners_and_sides_are_counted_apart() {
        let mut counts = Counts::default();
        let first = counts.next(Side::Send, Rank(0), 7);
        assert_eq!(counts.next(Side::Recv, Rank(0), 7), first);
        assert_eq!(counts.next(Side::Send, Rank(1), 7), first);
        assert_ne!(counts.next(Side::Send, Rank(0), 7), first);
    }

    #[test]
    fn labels_differ_and_fit() {
        let tags = [0, 1, 65_535, 65_536, 1 << 20, (1 << 29) - 1];
        let numbers = [0, 1, 2, 100, (1 << NUMBER_BITS) - 1];
        let pairs = tags
            .iter()
            .flat_map(|tag| numbers.map(|number| (*tag, number)));
        let labels: HashSet<u32> = pairs.map(|(tag, number)| label(tag, number)).collect();
        assert_eq!(labels.len(), tags.len() * numbers.len());
        assert!(labels.iter().all(|label| *label < 1 << TAG_BITS));
    }
}
