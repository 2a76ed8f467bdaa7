//! What a label says: which communicator, which tag, and what kind of message.
//!
//! ```text
//!  highest                                        lowest
//!  | acknowledgement | synchronous | context | tag     |
//!  | 1               | 1           | rest    | 31 | 23 |
//! ```
//!
//! The sender stands in no label: receives name it by its address. A context has 64 bits in this
//! library and is folded to what is left; a note beside the label, where the network carries
//! one, shows a receiver when two were folded to the same.

use std::fmt;

use pml::Context;

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
/// Fewest bits for contexts with which `Auto` spends 31 on tags.
const CONTEXT_BITS_GOOD: u32 = 24;
/// Bits of a tag that a short label keeps: the lowest ones, and those from `CLASS_SHIFT` up, which
/// tell the library's own messages from those of the application.
const SHORT_TAG_BITS: u32 = 20;
const CLASS_SHIFT: u32 = 28;
const CLASS_BITS: u32 = 3;
const FULL_TAG_BITS: u32 = 31;

/// How a label is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    short: bool,
    context_bits: u32,
}

impl Layout {
    /// The division of labels of `label_bits` bits.
    ///
    /// # Errors
    /// When contexts would get fewer than 12 bits: one clause.
    pub fn new(mode: TagMode, label_bits: u32) -> Result<Layout, String> {
        let rest = |tag_bits| label_bits.min(64).saturating_sub(2 + tag_bits);
        let short = match mode {
            TagMode::Full => false,
            TagMode::Short => true,
            TagMode::Auto => rest(FULL_TAG_BITS) < CONTEXT_BITS_GOOD,
        };
        let tag_bits = if short {
            SHORT_TAG_BITS + CLASS_BITS
        } else {
            FULL_TAG_BITS
        };
        let context_bits = rest(tag_bits);
        if context_bits < CONTEXT_BITS_MIN {
            return Err(format!(
                "labels of {label_bits} bits leave {context_bits} for communicators, which need \
                 {CONTEXT_BITS_MIN}"
            ));
        }
        Ok(Layout {
            short,
            context_bits,
        })
    }

    /// The largest tag of an application.
    pub fn tag_max(&self) -> i32 {
        if self.short {
            (1 << SHORT_TAG_BITS) - 1
        } else {
            i32::MAX
        }
    }

    /// The bits that contexts get.
    pub fn context_bits(&self) -> u32 {
        self.context_bits
    }

    fn tag_bits(&self) -> u32 {
        if self.short {
            SHORT_TAG_BITS + CLASS_BITS
        } else {
            FULL_TAG_BITS
        }
    }

    /// The bits of a folded context.
    #[inline]
    pub fn context(&self, folded: u64) -> u64 {
        (folded & ((1 << self.context_bits) - 1)) << self.tag_bits()
    }

    /// The bits of a tag, which is not negative.
    #[inline]
    pub fn tag(&self, tag: i32) -> u64 {
        let tag = tag as u32 as u64;
        if self.short {
            (tag >> CLASS_SHIFT) << SHORT_TAG_BITS | tag & ((1 << SHORT_TAG_BITS) - 1)
        } else {
            tag
        }
    }

    /// The tag of a label.
    #[inline]
    pub fn tag_of(&self, label: u64) -> i32 {
        let bits = label & self.any_tag();
        let tag = if self.short {
            (bits >> SHORT_TAG_BITS) << CLASS_SHIFT | bits & ((1 << SHORT_TAG_BITS) - 1)
        } else {
            bits
        };
        tag as i32
    }

    /// All bits of tags: what a receive of any tag ignores.
    #[inline]
    pub fn any_tag(&self) -> u64 {
        (1 << self.tag_bits()) - 1
    }

    /// The bit of a synchronous message, which every receive ignores.
    #[inline]
    pub fn synchronous(&self) -> u64 {
        1 << (self.tag_bits() + self.context_bits)
    }

    /// The bit of an acknowledgement.
    #[inline]
    pub fn acknowledgement(&self) -> u64 {
        self.synchronous() << 1
    }

    /// The label under which the message of a label is acknowledged.
    #[inline]
    pub fn acknowledging(&self, label: u64) -> u64 {
        label & !self.synchronous() | self.acknowledgement()
    }
}

/// What a sender writes beside the label, where it can: a part of the context that was mixed
/// otherwise than any label, so that two contexts agree in both only by chance.
pub(crate) fn note(context: Context) -> u32 {
    let mut mixed = context.0 ^ (context.0 >> 31);
    mixed = mixed.wrapping_mul(0x7fb5_d329_728e_a185);
    mixed ^= mixed >> 27;
    mixed = mixed.wrapping_mul(0x81da_def4_bc2d_d44d);
    (mixed >> 32) as u32
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bits of context, {} of tag",
            self.context_bits,
            self.tag_bits()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, TagMode};

    #[test]
    fn labels_keep_context_tag_and_kind_apart() {
        for (mode, bits) in [
            (TagMode::Auto, 64),
            (TagMode::Full, 47),
            (TagMode::Short, 64),
            (TagMode::Auto, 40),
        ] {
            let layout = Layout::new(mode, bits).unwrap();
            let all = layout.any_tag()
                | layout.context(u64::MAX)
                | layout.synchronous()
                | layout.acknowledgement();
            assert_eq!(all.count_ones(), bits, "{layout}");
            assert_eq!(all.trailing_ones(), bits, "{layout}");
            for tag in [0, 1, 77, layout.tag_max() - 1, layout.tag_max()] {
                let label = layout.context(u64::MAX) | layout.tag(tag) | layout.synchronous();
                assert_eq!(layout.tag_of(label), tag, "{layout}");
            }
        }
    }

    #[test]
    fn auto_spends_short_labels_on_contexts() {
        assert_eq!(Layout::new(TagMode::Auto, 64).unwrap().tag_max(), i32::MAX);
        assert_eq!(Layout::new(TagMode::Auto, 64).unwrap().context_bits(), 31);
        assert_eq!(Layout::new(TagMode::Short, 64).unwrap().context_bits(), 39);
        assert_eq!(Layout::new(TagMode::Auto, 48).unwrap().tag_max(), 0xf_ffff);
        assert!(Layout::new(TagMode::Full, 44).is_err());
        assert!(Layout::new(TagMode::Auto, 36).is_err());
    }

    #[test]
    fn short_labels_keep_the_classes_of_the_librarys_own_tags() {
        let layout = Layout::new(TagMode::Short, 64).unwrap();
        let tags = [5, 1 << 28 | 5, 1 << 29 | 5, 1 << 30 | 5].map(|tag| layout.tag(tag));
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag));
        }
        assert_eq!(layout.tag_of(tags[3]), 1 << 30 | 5);
    }
}
