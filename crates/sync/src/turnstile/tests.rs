//! The rules of the lock, one step after the other; loom has the interleavings.

use super::*;

struct Booth {
    taken: AtomicU64,
    served: AtomicU32,
    held: Vec<AtomicU8>,
    waiting: Vec<AtomicU64>,
}

// SAFETY: a word for each number, zero at first.
unsafe impl Desk for Booth {
    fn names(&self) -> u32 {
        self.held.len() as u32
    }
    fn taken(&self) -> &AtomicU64 {
        &self.taken
    }
    fn served(&self) -> &AtomicU32 {
        &self.served
    }
    fn held(&self, name: u32) -> &AtomicU8 {
        &self.held[name as usize]
    }
    fn waiting(&self, slot: u32) -> &AtomicU64 {
        &self.waiting[slot as usize]
    }
}

/// A lock whose tickets begin at a number.
fn booth(names: u32, first: u32) -> Booth {
    Booth {
        taken: AtomicU64::new(u64::from(first) << 32),
        served: AtomicU32::new(first),
        held: (0..names).map(|_| AtomicU8::new(0)).collect(),
        waiting: (0..slots(names)).map(|_| AtomicU64::new(0)).collect(),
    }
}

fn ask(booth: &Booth, name: u32, access: Access) -> Ticket {
    take(booth, name, access).expect("a ticket for each name")
}

#[test]
fn tickets_are_served_in_their_order_also_where_numbers_wrap() {
    use Access::{Exclusive, Shared};
    for first in [0, u32::MAX - 2] {
        let booth = booth(5, first);
        let readers = [ask(&booth, 0, Shared), ask(&booth, 1, Shared)];
        let writer = ask(&booth, 2, Exclusive);
        let late = ask(&booth, 3, Shared);
        assert!(!is_open(&booth, &late) && !is_open(&booth, &writer));
        assert!(
            !is_open(&booth, &readers[1]),
            "the first one passes the turn on"
        );
        assert!(readers.iter().all(|ticket| is_open(&booth, ticket)));
        let [one, two] = readers;
        leave(&booth, two);
        assert!(!is_open(&booth, &writer), "one reader is inside");
        leave(&booth, one);
        assert!(is_open(&booth, &writer) && !is_open(&booth, &late));
        leave(&booth, writer);
        assert!(is_open(&booth, &late));
        leave(&booth, late);
        for name in 0..100 {
            let again = ask(&booth, name % 5, Exclusive);
            assert!(is_open(&booth, &again));
            leave(&booth, again);
        }
    }
}

#[test]
fn a_reader_that_stays_holds_up_no_other() {
    let booth = booth(2, 0);
    let stays = ask(&booth, 0, Access::Shared);
    assert!(is_open(&booth, &stays));
    for _ in 0..100 {
        let comes = ask(&booth, 1, Access::Shared);
        assert!(is_open(&booth, &comes));
        leave(&booth, comes);
    }
    let writer = ask(&booth, 1, Access::Exclusive);
    assert!(!is_open(&booth, &writer));
    leave(&booth, stays);
    assert!(is_open(&booth, &writer));
}

#[test]
fn the_dead_lose_their_turns_and_their_marks() {
    use Access::{Exclusive, Shared};
    let booth = booth(6, u32::MAX - 1);
    let inside = ask(&booth, 0, Shared);
    assert!(is_open(&booth, &inside));
    let dead: Vec<Ticket> = (1..4).map(|name| ask(&booth, name, Exclusive)).collect();
    let waits = ask(&booth, 4, Exclusive);
    assert!(!pass_dead(&booth, |_| false));
    assert!(pass_dead(&booth, |name| (1..4).contains(&name)));
    assert!(!is_open(&booth, &waits), "a reader that lives is inside");
    assert!(pass_dead(&booth, |name| name < 4), "its mark goes");
    assert!(is_open(&booth, &waits));
    leave(&booth, waits);
    // The last taker is known by `taken` alone.
    let last = ask(&booth, 5, Exclusive);
    assert!(pass_dead(&booth, |name| name == 5));
    assert!(!pass_dead(&booth, |name| name == 5));
    let next = ask(&booth, 4, Exclusive);
    assert!(is_open(&booth, &next));
    leave(&booth, next);
    drop((inside, dead, last));
}

#[test]
fn more_tickets_than_names_are_refused() {
    let booth = booth(2, 0);
    let held: Vec<_> = (0..3)
        .map(|at| take(&booth, at % 2, Access::Exclusive))
        .collect();
    assert!(held.iter().all(Result::is_ok));
    assert_eq!(take(&booth, 1, Access::Exclusive).err(), Some(Overdrawn));
}
