//! The index of a cache: its entries by address.
//!
//! Entries of equal access form a *class*. **Within a class no range contains another**: the
//! cache registers a range only if no entry of the class covers it, and retires those that the
//! new one covers. So in a class both starts and ends ascend, and each question is answered by
//! one walk from one place: the only candidate to cover a range is the last one that starts at
//! or before it, and the entries that overlap a range are neighbours.

use std::collections::BTreeMap;
use std::ops::Range;

use super::access::Access;

/// Ranges of one access: start to end and slot.
type Class = BTreeMap<usize, (usize, u32)>;

/// Where entries lie. At most one entry for each start and access.
#[derive(Default)]
pub struct Index {
    /// There are as many classes as kinds of access in use: a handful.
    classes: Vec<(Access, Class)>,
}

impl Index {
    /// An entry that covers `range` and allows `access`.
    pub fn find(&self, range: &Range<usize>, access: Access) -> Option<u32> {
        let fit = |(allowed, _): &&(Access, Class)| allowed.allows(access);
        let mut classes = self.classes.iter().filter(fit);
        classes.find_map(|(_, class)| covering(class, range).map(|(_, slot)| slot))
    }

    /// The range and access of an entry that covers `range`, whatever it allows.
    pub fn wider(&self, range: &Range<usize>) -> Option<(Range<usize>, Access)> {
        let mut classes = self.classes.iter();
        classes.find_map(|(access, class)| Some((covering(class, range)?.0, *access)))
    }

    /// The entries that have a byte in `range`.
    pub fn overlapping(&self, range: &Range<usize>) -> Vec<u32> {
        let mut found = Vec::new();
        for (_, class) in &self.classes {
            let before = class.range(..range.end).rev();
            let near = before.take_while(|(_, (end, _))| *end > range.start);
            found.extend(near.map(|(_, (_, slot))| *slot));
        }
        found
    }

    /// The entries inside `range` that allow no more than `access`.
    pub fn contained(&self, range: &Range<usize>, access: Access) -> Vec<u32> {
        let mut found = Vec::new();
        for (allowed, class) in &self.classes {
            if access.allows(*allowed) {
                let from = class.range(range.start..range.end);
                let inside = from.take_while(|(_, (end, _))| *end <= range.end);
                found.extend(inside.map(|(_, (_, slot))| *slot));
            }
        }
        found
    }

    /// Adds an entry. The caller has made sure of the rule above.
    pub fn insert(&mut self, range: &Range<usize>, access: Access, slot: u32) {
        let at = self.classes.iter().position(|(own, _)| *own == access);
        let at = at.unwrap_or_else(|| {
            self.classes.push((access, Class::new()));
            self.classes.len() - 1
        });
        let before = self.classes[at].1.insert(range.start, (range.end, slot));
        debug_assert!(before.is_none(), "two entries start at {:#x}", range.start);
    }

    /// Removes the entry of this start and access.
    pub fn remove(&mut self, start: usize, access: Access) {
        if let Some((_, class)) = self.classes.iter_mut().find(|(own, _)| *own == access) {
            class.remove(&start);
        }
    }
}

/// The entry of a class that covers `range`: its own range and slot.
fn covering(class: &Class, range: &Range<usize>) -> Option<(Range<usize>, u32)> {
    let (start, (end, slot)) = class.range(..=range.start).next_back()?;
    (*end >= range.end).then_some((*start..*end, *slot))
}
