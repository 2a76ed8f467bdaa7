//! The fields of a label: communicator, sender, tag, and kind of message.
//!
//! ```text
//!  highest                                                    lowest
//!  | acknowledgement | synchronous | context | sender | tag     |
//!  | 1               | 1           | rest    | 0 or n | 31 | 23 |
//! ```
//!
//! The label has the sender as long as that leaves enough bits to the contexts, with as many bits
//! as the job needs. In larger jobs receives name the sender by its address, on networks that keep
//! such receives in order with those from any source; not all do. A context has 64 bits in this
//! library and is folded to the bits that are left; a note beside the label, if the network carries
//! one, shows a receiver when two contexts were folded to equal bits. The mark of a tag
//! ([`pml::mark_of`]) is added to the note: a receive for another mark is refused the message, and
//! its outcome has the message's mark.

use std::fmt;

use base::PeerId;
use mtl::Caps;
use pml::{Context, Tag};

/// How labels are divided (`mtl_ofi_tag_mode`; the names are those of Open MPI).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagMode {
    /// Every tag, where the labels are long enough; else as `Short`.
    Auto,
    /// Every tag: 31 bits (`ofi_tag_full`, `ofi_tag_1`).
    Full,
    /// Tags of 20 bits (`ofi_tag_2`), which leaves more to the contexts.
    Short,
}

/// Fewest bits for contexts.
const CONTEXT_BITS_MIN: u32 = 12;
/// Bits for contexts that are enough for any job: more are not worth short tags, or names that
/// are resolved by the network.
const CONTEXT_BITS_GOOD: u32 = 24;
/// Bits of a tag that a short label keeps: the lowest ones, and those from `CLASS_SHIFT` up, which
/// distinguish the library's own messages from those of the application.
const SHORT_TAG_BITS: u32 = 20;
const CLASS_SHIFT: u32 = 28;
const CLASS_BITS: u32 = 3;
const SHORT_BITS: u32 = SHORT_TAG_BITS + CLASS_BITS;
const FULL_BITS: u32 = 31;

/// How a label is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    short: bool,
    context_bits: u32,
    /// Bits of the sender; `None` where receives name it by its address.
    sender_bits: Option<u32>,
}

impl Layout {
    /// Returns the division of a network's labels in a job of `peers` processes.
    ///
    /// # Errors
    /// When contexts would get fewer than 12 bits: one clause.
    pub fn new(mode: TagMode, caps: &Caps, peers: usize) -> Result<Layout, String> {
        let sender_bits = usize::BITS - peers.saturating_sub(1).leading_zeros();
        let divide = |short, sender_bits: Option<u32>| {
            let tag_bits = if short { SHORT_BITS } else { FULL_BITS };
            let taken = 2 + tag_bits + sender_bits.unwrap_or(0);
            let context_bits = caps.label_bits.min(64).saturating_sub(taken);
            Layout {
                short,
                context_bits,
                sender_bits,
            }
        };
        // Where contexts cannot have what is good for them, tags are short if they may be.
        let (tags, last): (&[bool], &[bool]) = match mode {
            TagMode::Auto => (&[false, true], &[true, false]),
            TagMode::Full => (&[false], &[false]),
            TagMode::Short => (&[true], &[true]),
        };
        for (enough, tags) in [(CONTEXT_BITS_GOOD, tags), (CONTEXT_BITS_MIN, last)] {
            for short in tags {
                let senders = [Some(sender_bits), None];
                let mut layouts = senders
                    .into_iter()
                    .filter(|bits| bits.is_some() || caps.directed)
                    .map(|bits| divide(*short, bits));
                if let Some(layout) = layouts.find(|layout| layout.context_bits >= enough) {
                    return Ok(layout);
                }
            }
        }
        let best = divide(last[0], Some(sender_bits));
        Err(format!(
            "labels of {} bits leave {} for communicators, which need {CONTEXT_BITS_MIN}",
            caps.label_bits, best.context_bits
        ))
    }

    /// Returns the largest tag of an application.
    pub fn tag_max(&self) -> i32 {
        if self.short {
            (1 << SHORT_TAG_BITS) - 1
        } else {
            i32::MAX
        }
    }

    /// Returns how many bits contexts have.
    pub fn context_bits(&self) -> u32 {
        self.context_bits
    }

    fn tag_bits(&self) -> u32 {
        if self.short {
            SHORT_BITS
        } else {
            FULL_BITS
        }
    }

    fn context_shift(&self) -> u32 {
        self.tag_bits() + self.sender_bits.unwrap_or(0)
    }

    /// Returns the bits of a folded context.
    #[inline]
    pub fn context(&self, folded: u64) -> u64 {
        (folded & ((1 << self.context_bits) - 1)) << self.context_shift()
    }

    /// Returns whether labels have the sender.
    #[inline]
    pub fn has_sender(&self) -> bool {
        self.sender_bits.is_some()
    }

    /// Returns the bits of a sender; none where labels do not have it.
    #[inline]
    pub fn sender(&self, peer: PeerId) -> u64 {
        match self.sender_bits {
            Some(_) => u64::from(peer.0) << self.tag_bits(),
            None => 0,
        }
    }

    /// Returns the sender of a label, where labels have it.
    #[inline]
    pub fn sender_of(&self, label: u64) -> Option<PeerId> {
        let bits = self.sender_bits?;
        let sender = (label >> self.tag_bits()) & ((1 << bits) - 1);
        Some(PeerId(sender as u32))
    }

    /// Returns all bits of senders, which a receive from any source ignores.
    #[inline]
    pub fn any_sender(&self) -> u64 {
        ((1 << self.sender_bits.unwrap_or(0)) - 1) << self.tag_bits()
    }

    /// Returns the bits of a tag: its lowest 31.
    #[inline]
    pub fn tag(&self, tag: Tag) -> u64 {
        let tag = tag as u64 & ((1 << FULL_BITS) - 1);
        if self.short {
            (tag >> CLASS_SHIFT) << SHORT_TAG_BITS | tag & ((1 << SHORT_TAG_BITS) - 1)
        } else {
            tag
        }
    }

    /// Returns the tag of a label, as many bits of it as labels have.
    #[inline]
    pub fn tag_of(&self, label: u64) -> Tag {
        let bits = label & self.any_tag();
        let tag = if self.short {
            (bits >> SHORT_TAG_BITS) << CLASS_SHIFT | bits & ((1 << SHORT_TAG_BITS) - 1)
        } else {
            bits
        };
        tag as Tag
    }

    /// Returns all bits of tags, which a receive of any tag ignores.
    #[inline]
    pub fn any_tag(&self) -> u64 {
        (1 << self.tag_bits()) - 1
    }

    /// Returns the bit of a synchronous message, which every receive ignores.
    #[inline]
    pub fn synchronous(&self) -> u64 {
        1 << (self.context_shift() + self.context_bits)
    }

    /// Returns the bit of an acknowledgement.
    #[inline]
    pub fn acknowledgement(&self) -> u64 {
        self.synchronous() << 1
    }

    /// Returns the label under which `by` acknowledges a message of a label.
    #[inline]
    pub fn acknowledging(&self, label: u64, by: PeerId) -> u64 {
        label & !(self.synchronous() | self.any_sender()) | self.acknowledgement() | self.sender(by)
    }
}

/// Returns the note that a sender writes beside the label, where it can: a part of the context,
/// mixed otherwise than any label, so that two contexts agree in both only by chance.
pub(crate) fn note(context: Context) -> u16 {
    let mut mixed = context.0 ^ (context.0 >> 31);
    mixed = mixed.wrapping_mul(0x7fb5_d329_728e_a185);
    mixed ^= mixed >> 27;
    mixed = mixed.wrapping_mul(0x81da_def4_bc2d_d44d);
    (mixed >> 48) as u16
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bits of context, {} of sender, {} of tag",
            self.context_bits,
            self.sender_bits.unwrap_or(0),
            self.tag_bits()
        )
    }
}

#[cfg(test)]
mod tests {
    use base::PeerId;
    use mtl::sim::Config;
    use mtl::Caps;

    use super::{Layout, Tag, TagMode};

    fn caps(label_bits: u32, directed: bool) -> Caps {
        Caps {
            label_bits,
            directed,
            ..Config::calm(1).caps
        }
    }

    #[test]
    fn labels_keep_context_sender_tag_and_kind_apart() {
        for (mode, bits, peers) in [
            (TagMode::Auto, 64, 1),
            (TagMode::Auto, 64, 3),
            (TagMode::Auto, 64, 1 << 20),
            (TagMode::Full, 47, 2),
            (TagMode::Short, 64, 100),
            (TagMode::Auto, 40, 2),
        ] {
            let layout = Layout::new(mode, &caps(bits, true), peers).unwrap();
            let all = layout.any_tag()
                | layout.any_sender()
                | layout.context(u64::MAX)
                | layout.synchronous()
                | layout.acknowledgement();
            assert_eq!(all.count_ones(), bits, "{layout}");
            assert_eq!(all.trailing_ones(), bits, "{layout}");
            let last = PeerId(peers as u32 - 1);
            for tag in [0, 1, 77, layout.tag_max() - 1, layout.tag_max()] {
                let label = layout.context(u64::MAX)
                    | layout.sender(last)
                    | layout.tag(tag.into())
                    | layout.synchronous();
                assert_eq!(layout.tag_of(label), Tag::from(tag), "{layout}");
                let sender = layout.has_sender().then_some(last);
                assert_eq!(layout.sender_of(label), sender);
                let answer = layout.acknowledging(label, PeerId(0));
                assert_eq!(layout.tag_of(answer), Tag::from(tag));
                assert_eq!(layout.sender_of(answer), sender.map(|_| PeerId(0)));
                assert_ne!(answer & layout.acknowledgement(), 0);
                assert_eq!(answer & layout.synchronous(), 0);
            }
        }
    }

    #[test]
    fn short_labels_and_large_jobs_omit_the_least_important_fields() {
        let layout = |mode, bits, directed, peers| {
            let layout = Layout::new(mode, &caps(bits, directed), peers)?;
            Ok::<_, String>((layout.short, layout.context_bits, layout.sender_bits))
        };
        let auto = TagMode::Auto;
        assert_eq!(layout(auto, 64, true, 2), Ok((false, 30, Some(1))));
        assert_eq!(layout(auto, 64, true, 128), Ok((false, 24, Some(7))));
        assert_eq!(layout(auto, 64, true, 129), Ok((false, 31, None)));
        assert_eq!(layout(auto, 64, false, 129), Ok((true, 31, Some(8))));
        assert_eq!(layout(auto, 64, false, 1 << 20), Ok((true, 19, Some(20))));
        assert_eq!(layout(auto, 48, true, 4), Ok((true, 21, Some(2))));
        assert_eq!(layout(TagMode::Full, 46, true, 64), Ok((false, 13, None)));
        assert!(layout(TagMode::Full, 44, true, 64).is_err());
        assert!(layout(auto, 36, true, 2).is_err());
        assert!(layout(TagMode::Short, 64, true, 2).is_ok_and(|layout| layout.0));
    }

    #[test]
    fn short_labels_keep_the_classes_of_the_librarys_own_tags() {
        let layout = Layout::new(TagMode::Short, &caps(64, true), 2).unwrap();
        let tags = [5, 1 << 28 | 5, 1 << 29 | 5, 1 << 30 | 5].map(|tag| layout.tag(tag));
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag));
        }
        assert_eq!(layout.tag_of(tags[3]), 1 << 30 | 5);
    }
}
