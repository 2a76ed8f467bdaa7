//! Passive targets: the lock of each place (MPI 5.0, 12.5.3).
//!
//! A rank locks without the target's help. Who waits may also be the target, for a rank of another
//! node that has asked it by a message: then it takes a ticket in that rank's name, and looks now
//! and then.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use sync::barrier;
use sync::turnstile::{self, Access, Ticket};

use crate::error::Error;
use crate::member::{Member, Wait};

/// What a rank knows of its ticket for a place's lock.
///
/// Who takes a lock often, and nobody else does, keeps the ticket when it gives the lock back: the
/// next time it needs no atomic instruction. Who then wants it pays a barrier of all cores for
/// that, some microseconds; so a ticket is kept after so many locks in a row as make up for one,
/// and after each time that it was taken away, after twice as many.
#[derive(Debug)]
pub(crate) struct Own {
    /// The ticket's bits, or [`NONE`]; with [`WORTHY`] and [`KEPT`].
    ticket: AtomicU64,
    /// The number that the next ticket has if nobody comes between.
    next: AtomicU32,
    /// Tickets in a row between which nobody came.
    alone: AtomicU32,
    /// How many of them there have to be for one to be kept.
    patience: AtomicU32,
    /// Whether it may be kept at all.
    keeps: bool,
}

/// No ticket.
const NONE: u64 = 0;
/// That it is worth keeping.
const WORTHY: u64 = 1 << 29;
/// That it is kept, and the lock is not held.
const KEPT: u64 = 1 << 30;
const _: () = assert!(WORTHY | KEPT == turnstile::FREE_BITS);

/// A barrier of all cores takes as long as this many locks by a ticket that is kept save, roughly.
const PATIENCE: u32 = 1024;
const PATIENCE_MAX: u32 = 1 << 20;

impl Own {
    /// With `keeps`, tickets may be kept: barriers of others reach this process.
    pub(crate) fn new(keeps: bool) -> Own {
        Own {
            ticket: AtomicU64::new(NONE),
            next: AtomicU32::new(0),
            alone: AtomicU32::new(0),
            patience: AtomicU32::new(PATIENCE),
            keeps,
        }
    }

    /// The ticket was taken, and nobody is in its way.
    #[inline]
    fn enter(&self, ticket: Ticket) {
        let number = ticket.number();
        let alone = match self.next.load(Ordering::Relaxed) == number {
            true => self.alone.load(Ordering::Relaxed).saturating_add(1),
            false => 0,
        };
        self.alone.store(alone, Ordering::Relaxed);
        self.next.store(number.wrapping_add(1), Ordering::Relaxed);
        let worthy = self.keeps && alone >= self.patience.load(Ordering::Relaxed);
        let worthy = if worthy { WORTHY } else { 0 };
        self.ticket
            .store(ticket.into_bits() | worthy, Ordering::Relaxed);
    }

    /// It was taken away.
    #[cold]
    fn lose(&self) {
        self.alone.store(0, Ordering::Relaxed);
        let patience = self.patience.load(Ordering::Relaxed);
        let patience = patience.saturating_mul(2).min(PATIENCE_MAX);
        self.patience.store(patience, Ordering::Relaxed);
    }
}

/// A place's lock, held or asked for in somebody's name.
#[derive(Debug)]
#[must_use = "a lock is held until it is given back"]
pub struct Hold {
    place: u32,
    ticket: Ticket,
}

impl Hold {
    /// The place whose lock it is.
    pub fn place(&self) -> u32 {
        self.place
    }
}

impl Member {
    /// Locks a place's memory (`MPI_WIN_LOCK`), in the order in which ranks come.
    ///
    /// # Errors
    /// When this rank has the lock already.
    #[inline]
    pub fn lock(&self, wait: &impl Wait, place: u32, access: Access) -> Result<(), Error> {
        if self.lock_again(place, access) {
            return Ok(());
        }
        let wake = |rank| wait.wake(rank);
        if !self.give_up(place, wake) {
            return Err(self.taken(place));
        }
        let hold = self.ask(place, self.name, access)?;
        if !self.is_open(&hold) {
            self.await_turn(wait, &hold);
        }
        self.own[place as usize].enter(hold.ticket);
        if access == Access::Shared {
            // The next one may be a reader, too.
            self.wake_waiting(place, wake);
        }
        Ok(())
    }

    /// The same where nobody is in the way, and this rank has not the lock already. False says that
    /// it was not taken.
    #[inline]
    pub fn try_lock(&self, place: u32, access: Access, mut wake: impl FnMut(u32)) -> bool {
        if self.lock_again(place, access) {
            return true;
        }
        if !self.give_up(place, &mut wake) {
            return false;
        }
        let ticket = turnstile::try_take(&self.view.lock(place), self.name, access);
        let Some(ticket) = ticket else {
            return false;
        };
        self.own[place as usize].enter(ticket);
        if access == Access::Shared {
            self.wake_waiting(place, wake);
        }
        true
    }

    /// Locks by a ticket that was kept. False where there is none, or somebody has come meanwhile:
    /// it is taken anew.
    #[inline]
    pub fn lock_again(&self, place: u32, access: Access) -> bool {
        let Some(own) = self.own.get(place as usize) else {
            return false;
        };
        let bits = own.ticket.load(Ordering::Acquire);
        if bits & (Ticket::KIND | KEPT) != Ticket::kind(access) | KEPT {
            return false;
        }
        let back = Ticket::from_bits(bits)
            .is_some_and(|ticket| turnstile::come_back(&self.view.lock(place), &ticket));
        match back {
            true => own.ticket.store(bits & !KEPT, Ordering::Relaxed),
            false => own.lose(),
        }
        back
    }

    /// Gives a lock back and keeps its ticket. False where it is not worth it, or somebody has come
    /// meanwhile, or there is none: it is given back by [`Member::unlock`].
    #[inline]
    pub fn unlock_for_now(&self, place: u32, wake: impl FnMut(u32)) -> bool {
        let Some(own) = self.own.get(place as usize) else {
            return false;
        };
        let bits = own.ticket.load(Ordering::Relaxed);
        if bits & (WORTHY | KEPT) != WORTHY {
            return false;
        }
        let kept = Ticket::from_bits(bits)
            .is_some_and(|ticket| turnstile::keep(&self.view.lock(place), &ticket));
        if kept {
            own.ticket.store(bits | KEPT, Ordering::Release);
            self.wake_waiting(place, wake);
        }
        kept
    }

    /// Gives up a ticket that may be kept. False where this rank has the lock.
    #[inline]
    fn give_up(&self, place: u32, wake: impl FnMut(u32)) -> bool {
        let own = &self.own[place as usize];
        let bits = own.ticket.load(Ordering::Acquire);
        let ticket = Ticket::from_bits(bits).filter(|_| bits & KEPT != 0);
        let Some(ticket) = ticket else {
            return bits == NONE;
        };
        own.ticket.store(NONE, Ordering::Relaxed);
        turnstile::give_up(&self.view.lock(place), ticket);
        self.wake_waiting(place, wake);
        true
    }

    #[cold]
    fn taken(&self, place: u32) -> Error {
        Error::Taken {
            rank: self.rank(place),
        }
    }

    #[cold]
    fn await_turn(&self, wait: &impl Wait, hold: &Hold) {
        let mut deaths = self.has_dead(wait);
        let mut open = false;
        while !open {
            let look = || {
                let passed = deaths && self.pass_dead(hold.place, |rank| wait.is_dead(rank));
                open = self.is_open(hold);
                open || passed
            };
            match wait.until(look, |asleep| self.doze(hold.place, asleep)) {
                // Those behind the dead may have their turn now.
                Ok(()) if !open => self.wake_waiting(hold.place, |rank| wait.wake(rank)),
                Ok(()) => {}
                Err(_) => deaths = true,
            }
        }
    }

    /// Gives a lock back that [`Member::lock`] took (`MPI_WIN_UNLOCK`), after all that was done
    /// under it. False where it took none.
    #[inline]
    pub fn unlock(&self, place: u32, mut wake: impl FnMut(u32)) -> bool {
        if self.unlock_for_now(place, &mut wake) {
            return true;
        }
        let own = &self.own[place as usize];
        let bits = own.ticket.load(Ordering::Relaxed);
        let held = Ticket::from_bits(bits).filter(|_| bits & KEPT == 0);
        let Some(ticket) = held else {
            return false;
        };
        own.ticket.store(NONE, Ordering::Relaxed);
        self.give_back(Hold { place, ticket });
        self.wake_waiting(place, wake);
        true
    }

    /// Asks for a place's lock in the name of a rank, which then looks with [`Member::is_open`].
    ///
    /// # Errors
    /// When more have asked than there are ranks: a rank asks again.
    #[inline]
    pub fn ask(&self, place: u32, name: u32, access: Access) -> Result<Hold, Error> {
        let ticket = turnstile::take(&self.view.lock(place), name, access);
        let ticket = ticket.map_err(|_| self.taken(place))?;
        Ok(Hold { place, ticket })
    }

    /// Whether a lock that was asked for is held now. Not asked again afterwards; then
    /// [`Member::wake_waiting`].
    #[inline]
    pub fn is_open(&self, hold: &Hold) -> bool {
        let (lock, ticket) = (&self.view.lock(hold.place), &hold.ticket);
        turnstile::is_open(lock, ticket)
            || turnstile::pass_kept(lock, ticket, barrier::expedited)
                && turnstile::is_open(lock, ticket)
    }

    /// Gives a lock back; the caller wakes others ([`Member::wake_waiting`]).
    #[inline]
    pub fn give_back(&self, hold: Hold) {
        turnstile::leave(&self.view.lock(hold.place), hold.ticket);
    }

    /// Takes a place's lock from ranks that have died, and passes their turns on. Whether anything
    /// changed.
    pub fn pass_dead(&self, place: u32, is_dead: impl Fn(u32) -> bool) -> bool {
        turnstile::pass_dead(&self.view.lock(place), is_dead)
    }
}
