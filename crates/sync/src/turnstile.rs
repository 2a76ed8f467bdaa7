//! A fair readers-writer lock in shared memory that survives the death of its holders.
//!
//! A process that wants the lock takes a *ticket*; tickets are served in order. A reader whose turn
//! has come marks that it is inside and passes the turn on at once, so readers are inside together.
//! A writer keeps the turn until it leaves, and is inside once it has the turn and no reader is
//! inside. Nobody is overtaken. A free lock costs one atomic read-modify-write to enter and none to
//! leave.
//!
//! ```text
//! take        taken = (ticket + 1, my name)              one compare-and-swap
//! try_take    the same, if served == ticket and, for a writer, no held[..]
//! is_open     served == ticket ?                         Acquire
//!   reader:   held[me] = 1, served = ticket + 1          Release: the next one sees the mark
//!   writer:   all held[..] == 0 ?                        Acquire: what readers did comes before
//! leave
//!   reader:   held[me] = 0                               Release
//!   writer:   served = ticket + 1                        Release
//! ```
//!
//! **The holder of a lock may die.** Every ticket in use carries the name of its owner: `taken`
//! holds the name of the last one, and whoever takes the next ticket first copies that name to
//! `waiting`. Each name has a slot of its own for a reader's mark. So a process that waits behind a
//! dead one passes the dead one's turn on ([`pass_dead`]); several may do so at once.
//!
//! A name takes one ticket at a time. The words may have been corrupted by a peer: numbers read
//! from them are compared, and bounded before they are used as an index.

use crate::atomic::{AtomicU32, AtomicU64, AtomicU8, Ordering};

/// Where a lock's words are.
///
/// # Safety
/// Each function gives the same word to all for the same number and a different one for different
/// numbers; all are zero at first and used for nothing else.
pub unsafe trait Desk {
    /// How many names there are, counted from 0; fewer than 2^29.
    fn names(&self) -> u32;
    /// Tickets taken, and the last taker.
    fn taken(&self) -> &AtomicU64;
    /// The ticket whose turn it is.
    fn served(&self) -> &AtomicU32;
    /// Whether a name is inside as a reader: 0 or 1; `name` is below [`Desk::names`].
    fn held(&self, name: u32) -> &AtomicU8;
    /// The taker of a ticket; `slot` is below [`slots`] of the names.
    fn waiting(&self, slot: u32) -> &AtomicU64;
}

/// The value of [`Desk::held`] while a reader is inside.
const READER: u8 = 1;

/// Returns the number of words that [`Desk::waiting`] has for this many names.
pub fn slots(names: u32) -> u32 {
    names.next_power_of_two()
}

/// How a process wants to be inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Inside together with other readers.
    Shared,
    /// Inside alone.
    Exclusive,
}

/// A place in the queue of a lock, and then the right to be inside.
///
/// One word: the value of `taken` after the ticket was taken, with [`SHARED`] set for a reader's.
#[derive(Debug)]
#[must_use = "a ticket that is dropped blocks all later ones"]
pub struct Ticket(u64);

/// The bit of a reader's ticket; names are below it.
const SHARED: u64 = 1 << 31;

impl Ticket {
    #[inline]
    fn new(number: u32, name: u32, access: Access) -> Ticket {
        let note = note(number.wrapping_add(1), name);
        match access {
            Access::Shared => Ticket(note | SHARED),
            Access::Exclusive => Ticket(note),
        }
    }

    /// The ticket as a word; never 0.
    #[inline]
    pub fn into_bits(self) -> u64 {
        self.0
    }

    /// The ticket of a word made by [`Ticket::into_bits`]; `None` for 0.
    #[inline]
    pub fn from_bits(bits: u64) -> Option<Ticket> {
        (bits != 0).then_some(Ticket(bits))
    }

    #[inline]
    fn access(&self) -> Access {
        match self.0 & SHARED {
            0 => Access::Exclusive,
            _ => Access::Shared,
        }
    }

    /// The ticket's number: one more than that of the ticket before, wrapping.
    #[inline]
    fn number(&self) -> u32 {
        number_of(self.0).wrapping_sub(1)
    }

    /// The name of the ticket's owner.
    #[inline]
    fn name(&self) -> u32 {
        ((self.0 & !SHARED) as u32).wrapping_sub(1)
    }
}

/// More tickets are in use than there are names: a name took two, or the words are corrupt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overdrawn;

/// The value of `taken` and of `waiting`: the number of tickets taken, and the last owner's name
/// plus one.
fn note(number: u32, name: u32) -> u64 {
    u64::from(number) << 32 | u64::from(name + 1)
}

fn number_of(note: u64) -> u32 {
    (note >> 32) as u32
}

fn name_of(note: u64) -> Option<u32> {
    (note as u32).checked_sub(1)
}

/// Takes the next ticket.
///
/// # Errors
/// When more tickets are in use than there are names.
#[inline]
pub fn take(desk: &impl Desk, name: u32, access: Access) -> Result<Ticket, Overdrawn> {
    assert!(name < desk.names());
    let mut last = desk.taken().load(Ordering::Acquire);
    loop {
        let number = number_of(last);
        if desk.served().load(Ordering::Acquire) != number {
            let waiting = number.wrapping_sub(desk.served().load(Ordering::Acquire));
            if waiting as i32 > desk.names() as i32 {
                return Err(Overdrawn);
            }
            note_last(desk, last);
        }
        let next = note(number.wrapping_add(1), name);
        let word = desk.taken();
        match word.compare_exchange(last, next, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return Ok(Ticket::new(number, name, access)),
            Err(seen) => last = seen,
        }
    }
}

/// Takes the next ticket only if that puts its owner inside at once; the owner does not ask
/// [`is_open`] then.
#[inline]
pub fn try_take(desk: &impl Desk, name: u32, access: Access) -> Option<Ticket> {
    assert!(name < desk.names());
    let last = desk.taken().load(Ordering::Acquire);
    let number = number_of(last);
    // Earlier owners have passed their turns on, and the readers among them have set their marks. A
    // later one would need a ticket, and then the exchange below fails.
    if desk.served().load(Ordering::Acquire) != number {
        return None;
    }
    if access == Access::Exclusive && !no_reader(desk) {
        return None;
    }
    let next = note(number.wrapping_add(1), name);
    let word = desk.taken();
    let taken = word.compare_exchange(last, next, Ordering::AcqRel, Ordering::Relaxed);
    taken.ok()?;
    let ticket = Ticket::new(number, name, access);
    if access == Access::Shared {
        let opened = is_open(desk, &ticket);
        debug_assert!(opened, "its turn had come before it was taken");
    }
    Some(ticket)
}

/// Copies the owner of the last ticket to `waiting` before the next is taken. Several may do so at
/// once. The slot's previous value is older as long as the ticket is the last one; a late helper
/// finds another value of `taken` than it read, and leaves the slot alone.
#[cold]
fn note_last(desk: &impl Desk, last: u64) {
    let ticket = number_of(last).wrapping_sub(1);
    let word = desk.waiting(ticket & (slots(desk.names()) - 1));
    loop {
        let before = word.load(Ordering::Acquire);
        if before == last || desk.taken().load(Ordering::Acquire) != last {
            return;
        }
        let _ = word.compare_exchange(before, last, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// Whether the ticket's owner is inside now. Polled until it is, and not called afterwards.
#[inline]
pub fn is_open(desk: &impl Desk, ticket: &Ticket) -> bool {
    if desk.served().load(Ordering::Acquire) != ticket.number() {
        return false;
    }
    match ticket.access() {
        Access::Shared => {
            // Only the ticket's owner writes these two words, and others once it is dead.
            desk.held(ticket.name()).store(READER, Ordering::Relaxed);
            let next = ticket.number().wrapping_add(1);
            desk.served().store(next, Ordering::Release);
            true
        }
        Access::Exclusive => no_reader(desk),
    }
}

#[inline]
fn no_reader(desk: &impl Desk) -> bool {
    (0..desk.names()).all(|name| desk.held(name).load(Ordering::Acquire) != READER)
}

/// Leaves the lock. The caller wakes those that sleep.
#[inline]
pub fn leave(desk: &impl Desk, ticket: Ticket) {
    match ticket.access() {
        Access::Shared => desk.held(ticket.name()).store(0, Ordering::Release),
        Access::Exclusive => {
            let next = ticket.number().wrapping_add(1);
            desk.served().store(next, Ordering::Release);
        }
    }
}

/// Passes another owner's turn on. False where it was passed on before.
fn pass_turn(desk: &impl Desk, turn: u32) -> bool {
    let next = turn.wrapping_add(1);
    let served = desk.served();
    let passed = served.compare_exchange(turn, next, Ordering::AcqRel, Ordering::Acquire);
    passed.is_ok()
}

/// Passes on the turns of dead owners and clears their marks. Returns whether anything changed.
/// Called at each poll by a waiter that knows of a death.
#[cold]
pub fn pass_dead(desk: &impl Desk, is_dead: impl Fn(u32) -> bool) -> bool {
    let mut changed = false;
    for name in (0..desk.names()).filter(|name| is_dead(*name)) {
        changed |= desk.held(name).swap(0, Ordering::AcqRel) != 0;
    }
    for _ in 0..desk.names() {
        let turn = desk.served().load(Ordering::Acquire);
        match holder(desk, turn) {
            Some(name) if is_dead(name) => {}
            _ => break,
        }
        // It may have marked itself as a reader, and died before it passed the turn on.
        changed |= pass_turn(desk, turn);
    }
    changed
}

/// The owner of a ticket in use; `None` where it is not in use, or not known any more.
fn holder(desk: &impl Desk, ticket: u32) -> Option<u32> {
    let last = desk.taken().load(Ordering::Acquire);
    let after = ticket.wrapping_add(1);
    if number_of(last) == after {
        return name_of(last);
    }
    let noted = desk.waiting(ticket & (slots(desk.names()) - 1));
    let noted = noted.load(Ordering::Acquire);
    let is_out = number_of(last).wrapping_sub(after) as i32 >= 0;
    if !is_out || number_of(noted) != after {
        return None;
    }
    name_of(noted)
}

#[cfg(all(test, not(loom)))]
mod tests;
