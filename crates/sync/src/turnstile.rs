//! A lock for readers and writers in shared memory, fair, and with a name on everything.
//!
//! Who wants in takes a *ticket*; tickets are served in their order. A reader whose turn it is
//! marks that it is inside and passes the turn on at once, so readers are inside together. A writer
//! keeps the turn until it leaves, and is inside once the turn is its own and no reader is. So
//! nobody is overtaken, and a lock that is free costs one atomic step to enter and none to leave.
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
//! **The holder of a lock may die.** Each ticket that is waiting or has the turn bears the name of
//! who took it: that of the last one stands in `taken`, and who takes the next one first notes it
//! in `waiting`. A reader's mark has a place for each name. So whoever waits behind one that has
//! died passes its turn on ([`pass_dead`]); every step of that may be done by several at once.
//!
//! **Who comes again and again may keep its ticket** when it goes out ([`keep`]), as long as nobody
//! has taken one after it, and then comes back by two plain accesses ([`come_back`]): it takes the
//! mark away that it keeps the ticket, and looks whether still nobody has come. Who waits behind a
//! ticket that is kept takes it away ([`pass_kept`]), without help of its owner, who may never come
//! again. It has taken a ticket of its own before, and has every core see that (membarrier(2));
//! then either it finds the mark gone, or who comes back finds the ticket.
//!
//! ```text
//! keep        taken == (ticket + 1, my name) ?
//!             held[me] = kept                            Release
//! come_back   held[me] = inside; taken still the same ?  a barrier of others between the two
//!             no: give the ticket up, and take another
//! pass_kept   after a ticket and a barrier: held[holder] == kept ?
//!   reader's: held[holder] = 0                           one compare-and-swap
//!   writer's: served = its ticket + 1                    one compare-and-swap
//! ```
//!
//! A name takes one ticket at a time. What the words say is an allegation: a number of others is
//! compared, and never used as an index before it was bounded.

use crate::atomic::{AtomicU32, AtomicU64, AtomicU8, Ordering};
use crate::barrier;

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
    /// Whether a name is inside as a reader, or keeps its ticket; `name` is below [`Desk::names`].
    fn held(&self, name: u32) -> &AtomicU8;
    /// Who took a ticket; `slot` is below [`slots`] of the names.
    fn waiting(&self, slot: u32) -> &AtomicU64;
}

/// What stands in [`Desk::held`]: 0, or that a reader is inside, and that a ticket is kept. The
/// mark of a writer's stays when the ticket is taken away, until its owner comes back.
const READER: u8 = 1;
const KEPT: u8 = 2;

/// How many words [`Desk::waiting`] has for so many names.
pub fn slots(names: u32) -> u32 {
    names.next_power_of_two()
}

/// What a ticket is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Being inside with others.
    Shared,
    /// Being inside alone.
    Exclusive,
}

/// A place in the row, and then inside.
///
/// It is a word: what stands in `taken` after it was taken, and in a bit that no note has whether
/// it is a reader's.
#[derive(Debug)]
#[must_use = "a ticket that is dropped holds up all that come later"]
pub struct Ticket(u64);

/// The bit of readers' tickets, and those below the bits of a name that a [`Ticket`] leaves alone.
const SHARED: u64 = 1 << 31;
/// Bits of a word of a ticket ([`Ticket::into_bits`]) that are free for other uses.
pub const FREE_BITS: u64 = 0b11 << 29;

impl Ticket {
    #[inline]
    fn new(number: u32, name: u32, access: Access) -> Ticket {
        let note = note(number.wrapping_add(1), name);
        Ticket(note | Ticket::kind(access))
    }

    /// The ticket as a word; never 0.
    #[inline]
    pub fn into_bits(self) -> u64 {
        self.0
    }

    /// The ticket of such a word, whatever is in its [`FREE_BITS`]; `None` of 0.
    #[inline]
    pub fn from_bits(bits: u64) -> Option<Ticket> {
        (bits != 0).then_some(Ticket(bits & !FREE_BITS))
    }

    /// The bits in which the words of all tickets for one kind of access are alike; see
    /// [`Ticket::KIND`].
    #[inline]
    pub fn kind(access: Access) -> u64 {
        match access {
            Access::Shared => SHARED,
            Access::Exclusive => 0,
        }
    }

    /// Where [`Ticket::kind`] stands in a word.
    pub const KIND: u64 = SHARED;

    /// What it is for.
    #[inline]
    fn access(&self) -> Access {
        match self.0 & SHARED {
            0 => Access::Exclusive,
            _ => Access::Shared,
        }
    }

    /// Its number: one more than that of the ticket before, and wrapping.
    #[inline]
    pub fn number(&self) -> u32 {
        number_of(self.0).wrapping_sub(1)
    }

    /// Whose it is.
    #[inline]
    fn name(&self) -> u32 {
        (self.note() as u32).wrapping_sub(1)
    }

    /// What stands in `taken` until another one is taken.
    #[inline]
    fn note(&self) -> u64 {
        self.0 & !SHARED
    }

    /// What its holder's mark is while that is inside.
    #[inline]
    fn mark_inside(&self) -> u8 {
        (self.0 & SHARED != 0).into()
    }
}

/// More tickets are out than there are names: a name took two, or the words are broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overdrawn;

/// What stands in `taken` and in `waiting`: a number of tickets, and one more than a name.
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
/// When more tickets are out than there are names.
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

/// Takes the next ticket if its holder is inside at once; it is then, and does not ask [`is_open`].
#[inline]
pub fn try_take(desk: &impl Desk, name: u32, access: Access) -> Option<Ticket> {
    assert!(name < desk.names());
    let last = desk.taken().load(Ordering::Acquire);
    let number = number_of(last);
    // Who had the turns before has passed them on, and the readers among them have their marks. A
    // later one needs a ticket, and then this one is not to be had any more.
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

/// Notes in `waiting` who took the last ticket, before the next is taken. Several may do so at
/// once. What is in the word's way is older, while the ticket is the last one; a helper that comes
/// late finds another word than it read, and leaves it.
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

/// Whether the ticket's holder is inside now; asked again and again until it is, and not
/// afterwards.
#[inline]
pub fn is_open(desk: &impl Desk, ticket: &Ticket) -> bool {
    if desk.served().load(Ordering::Acquire) != ticket.number() {
        return false;
    }
    match ticket.access() {
        Access::Shared => {
            // Only the ticket's owner and, once that is dead, others write these two.
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
    (0..desk.names()).all(|name| desk.held(name).load(Ordering::Acquire) & READER == 0)
}

/// Goes out. Whoever may be asleep is to be woken.
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

/// Goes out and keeps the ticket for [`come_back`] or [`give_up`]. False, and nothing is done,
/// where somebody has come meanwhile. Whoever may be asleep is to be woken.
#[inline]
pub fn keep(desk: &impl Desk, ticket: &Ticket) -> bool {
    let kept = is_last(desk, ticket);
    if kept {
        let mark = ticket.mark_inside() | KEPT;
        desk.held(ticket.name()).store(mark, Ordering::Release);
    }
    kept
}

/// Goes inside by a ticket that was kept. False where somebody has come meanwhile: then the ticket
/// is to be given up.
#[inline]
pub fn come_back(desk: &impl Desk, ticket: &Ticket) -> bool {
    let (held, inside) = (desk.held(ticket.name()), ticket.mark_inside());
    // loom loses the order of a store that races with an exchange of another thread.
    #[cfg(loom)]
    held.swap(inside, Ordering::Relaxed);
    #[cfg(not(loom))]
    held.store(inside, Ordering::Relaxed);
    barrier::of_others();
    is_last(desk, ticket)
}

/// Gives a ticket up that was kept, and may have been taken away. Whoever may be asleep is to be
/// woken.
#[cold]
pub fn give_up(desk: &impl Desk, ticket: Ticket) {
    desk.held(ticket.name()).swap(0, Ordering::AcqRel);
    if ticket.access() == Access::Exclusive {
        pass_turn(desk, ticket.number());
    }
}

/// Takes away what is kept and in the way of a ticket, and its owner inside meanwhile. Whether
/// anything changed. For who waits, at each look; `barrier` is one that reaches everybody.
#[inline]
pub fn pass_kept(desk: &impl Desk, ticket: &Ticket, barrier: impl FnOnce()) -> bool {
    let turn = desk.served().load(Ordering::Acquire);
    let kept = |name: &u32| desk.held(*name).load(Ordering::Acquire) & KEPT != 0;
    if turn != ticket.number() {
        let keeper = || holder(desk, turn).filter(|name| *name < desk.names() && kept(name));
        if keeper().is_none() {
            return false;
        }
        barrier();
        return keeper().is_some() && pass_turn(desk, turn);
    }
    let is_reader = |name: &u32| desk.held(*name).load(Ordering::Acquire) == READER | KEPT;
    if ticket.access() == Access::Shared || !(0..desk.names()).any(|name| is_reader(&name)) {
        return false;
    }
    barrier();
    let mut changed = false;
    for name in (0..desk.names()).filter(is_reader) {
        let mark = desk.held(name);
        let gone = mark.compare_exchange(READER | KEPT, 0, Ordering::AcqRel, Ordering::Acquire);
        changed |= gone.is_ok();
    }
    changed
}

/// Whether nobody has taken a ticket after this one.
#[inline]
fn is_last(desk: &impl Desk, ticket: &Ticket) -> bool {
    desk.taken().load(Ordering::Acquire) == ticket.note()
}

/// Passes a turn on, for somebody else. False where it was passed on before.
fn pass_turn(desk: &impl Desk, turn: u32) -> bool {
    let next = turn.wrapping_add(1);
    let served = desk.served();
    let passed = served.compare_exchange(turn, next, Ordering::AcqRel, Ordering::Acquire);
    passed.is_ok()
}

/// Passes on the turn of those that have died, and takes their marks away. Whether anything
/// changed. For who waits, after it has heard of a death, at each look.
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

/// Who took a ticket that is out; `None` where it is not, or not known any more.
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
