//! Slots in the order in which they became idle: a doubly linked list in an array.

/// No slot.
const NONE: u32 = u32::MAX;

/// The neighbours of a slot that is in the list.
#[derive(Clone, Copy)]
struct Link {
    older: u32,
    newer: u32,
}

/// The list. Every operation takes constant time.
pub struct Lru {
    /// By slot; `None` for slots that are not in the list.
    links: Vec<Option<Link>>,
    oldest: u32,
    newest: u32,
}

impl Default for Lru {
    fn default() -> Lru {
        Lru {
            links: Vec::new(),
            oldest: NONE,
            newest: NONE,
        }
    }
}

impl Lru {
    /// The slot that has been in the list longest.
    pub fn oldest(&self) -> Option<u32> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// Adds a slot that is not in the list, as the newest.
    pub fn push(&mut self, slot: u32) {
        let at = slot as usize;
        if self.links.len() <= at {
            self.links.resize(at + 1, None);
        }
        let older = self.newest;
        self.links[at] = Some(Link { older, newer: NONE });
        self.newest = slot;
        match self.link(older) {
            Some(link) => link.newer = slot,
            None => self.oldest = slot,
        }
    }

    /// Takes a slot out; false where it was not in.
    pub fn remove(&mut self, slot: u32) -> bool {
        let Some(Link { older, newer }) = self.links.get_mut(slot as usize).and_then(Option::take)
        else {
            return false;
        };
        match self.link(older) {
            Some(link) => link.newer = newer,
            None => self.oldest = newer,
        }
        match self.link(newer) {
            Some(link) => link.older = older,
            None => self.newest = older,
        }
        true
    }

    fn link(&mut self, slot: u32) -> Option<&mut Link> {
        self.links.get_mut(slot as usize)?.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::Lru;

    #[test]
    fn slots_leave_in_the_order_in_which_they_came_wherever_others_are_taken_out() {
        let mut lru = Lru::default();
        for slot in [4, 0, 7, 2, 5] {
            lru.push(slot);
        }
        assert!(lru.remove(7) && lru.remove(4) && lru.remove(5));
        assert!(!lru.remove(7) && !lru.remove(100));
        lru.push(4);
        for slot in [0, 2, 4] {
            assert_eq!(lru.oldest(), Some(slot));
            assert!(lru.remove(slot));
        }
        assert_eq!(lru.oldest(), None);
    }
}
