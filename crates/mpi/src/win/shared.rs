//! Memory that the processes of a window on one node have in common.
//!
//! The first process makes one segment for all, in which each has its part, and tells the others
//! where to find it. All hear of a failure of one.

use std::ptr::NonNull;

use memory::segment::Segment;
use memory::UserBuf;

use crate::process::other;
use crate::{Class, Comm, Error};

/// Where a part begins when the parts may lie apart.
const PAGE_BYTES: u64 = 4096;
/// Where parts begin otherwise: the strictest alignment of a datatype.
const ALIGNMENT_BYTES: u64 = 16;

/// Makes memory of an operation out of a part of a mapping that lasts until the window is freed:
/// whoever may vouch for memory does.
pub type Vouch = fn(NonNull<u8>, usize) -> UserBuf;

/// Memory in common.
#[derive(Debug)]
pub(crate) struct Common {
    vouch: Vouch,
    segment: Segment,
    /// By rank: where its part begins, and its bytes.
    parts: Vec<(usize, usize)>,
}

impl Common {
    /// Allocates `size` bytes for this process. With `apart` each part begins on a page;
    /// otherwise each begins where the one before ends.
    ///
    /// # Errors
    /// `RmaShared` when the processes are not on one node, `NoMem` when there is not enough.
    pub(crate) fn allocate(
        comm: &Comm,
        size: u64,
        apart: bool,
        vouch: Vouch,
    ) -> Result<Common, Error> {
        let nodes = &comm.process().identity.nodes;
        let mut peers = comm.group().peers().iter();
        let node = |peer: &base::PeerId| nodes.get(peer.index());
        let first = peers.next().and_then(node);
        if let Some(far) = peers.find(|peer| node(peer) != first) {
            let text = format!("{far} is on another node: no memory can be shared with it");
            return Err(Error::new(Class::RmaShared, text));
        }
        let sizes = comm.collect(&[size, u64::from(apart)])?;
        let apart = sizes.iter().any(|row| row[1] != 0);
        let layout = layout(sizes.iter().map(|row| row[0]), apart);
        // All know all sizes, so all fail alike.
        let (parts, len) = layout.ok_or_else(|| too_much(u64::MAX))?;
        let made = match comm.rank() {
            0 => Some(make(len)),
            _ => None,
        };
        let descriptor = match &made {
            Some(Ok(segment)) => segment.descriptor() as u64,
            _ => u64::MAX,
        };
        let found = comm.tell(&[u64::from(std::process::id()), descriptor])?;
        let segment = match made {
            Some(made) => made.map_err(|error| lack(len, &error)),
            None if found[1] == u64::MAX => Err(too_much(len as u64)),
            None => Segment::attach(found[0] as u32, found[1] as i32, len).map_err(other),
        };
        segment.map(|segment| Common {
            vouch,
            segment,
            parts,
        })
    }

    /// The part of a rank.
    pub(crate) fn part(&self, rank: u32) -> UserBuf {
        let (at, len) = self.parts[rank as usize];
        let part = self.segment.at(at, len);
        (self.vouch)(
            part.expect("the parts were laid out inside the segment"),
            len,
        )
    }

    /// All have it: nobody else is to.
    pub(crate) fn seal(&mut self) {
        self.segment.close_descriptor();
    }
}

fn make(len: usize) -> std::io::Result<Segment> {
    let segment = Segment::create("oxmpi-window", len)?;
    segment.reserve(0, len)?;
    Ok(segment)
}

fn lack(len: usize, error: &std::io::Error) -> Error {
    let text = format!("no shared memory of {len} bytes: {error}");
    Error::new(Class::NoMem, text)
}

fn too_much(len: u64) -> Error {
    let text = format!("the first process of the window has no shared memory of {len} bytes");
    Error::new(Class::NoMem, text)
}

/// Where each part begins, and the bytes of all: one at least.
fn layout(sizes: impl Iterator<Item = u64>, apart: bool) -> Option<(Vec<(usize, usize)>, usize)> {
    let alignment = if apart { PAGE_BYTES } else { 1 };
    let mut parts = Vec::new();
    let mut end = 0u64;
    for size in sizes {
        let at = end.checked_next_multiple_of(alignment)?;
        parts.push((usize::try_from(at).ok()?, usize::try_from(size).ok()?));
        end = at.checked_add(size)?;
    }
    let len = end.max(1).checked_next_multiple_of(ALIGNMENT_BYTES)?;
    let len = usize::try_from(len).ok()?;
    (len <= isize::MAX as usize).then_some((parts, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_or_begin_on_pages() {
        let sizes = || [10, 0, 6].into_iter();
        let (parts, len) = layout(sizes(), false).unwrap();
        assert_eq!((parts, len), (vec![(0, 10), (10, 0), (10, 6)], 16));
        let (parts, _) = layout(sizes(), true).unwrap();
        assert_eq!(parts, [(0, 10), (4096, 0), (4096, 6)]);
        assert_eq!(layout([u64::MAX, 2].into_iter(), false), None);
        assert_eq!(layout([0].into_iter(), false).unwrap().1, 16);
    }
}
