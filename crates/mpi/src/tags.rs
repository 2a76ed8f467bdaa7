//! Tags of messages on the collective plane.

use pml::Tag;

/// Bits of a tag that partitioned messages have for themselves.
pub(crate) const PARTITIONED_BITS: u32 = 30;

/// Tags of the collective plane, by their lowest 31 bits: the lowest for calls in turn
/// (`Label`), the rest for what is matched by tag. Each starts a range that ends where the next
/// one starts.
const TEXT_TAGS: Tag = 1 << 28;
const GROUP_TAGS: Tag = 1 << 29;
/// Those of exchanges beside the calls: of checks with the code 0, of ranks that come to share
/// memory in a call with that of the call.
pub(crate) const ASIDE_TAGS: Tag = 3 << 28;
pub(crate) const PARTITIONED_TAGS: Tag = 1 << PARTITIONED_BITS;

/// The tag under which members of a new group find each other on the collective plane.
pub(crate) fn of_group(tag: Tag) -> Tag {
    let (first, rest) = (tag % TEXT_TAGS, tag / TEXT_TAGS);
    GROUP_TAGS | first | rest << 48
}

/// The tag under which the callers of a group without a communicator find each other.
pub(crate) fn of_text(mark: u64) -> Tag {
    TEXT_TAGS | (mark % TEXT_TAGS as u64) as Tag
}
