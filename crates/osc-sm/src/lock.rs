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
    /// The ticket's bits, or [`NONE`]; with [`KEPT`] while it is kept and the lock is not held.
    ticket: AtomicU64,
    /// The number that the next ticket has if nobody comes between.
    next: AtomicU32,
    /// Tickets in a row between which nobody came.
    alone: AtomicU32,
    /// How many of them there have to be for one to be kept.
    patience: AtomicU32,
}

/// No ticket.
const NONE: u64 = 0;
/// A bit that no ticket has.
const KEPT: u64 = 1 << 31;

/// A barrier of all cores takes as long as this many locks by a ticket that is kept save: 9 us, and
/// 7 to 8 ns.
const PATIENCE: u32 = 1024;
const PATIENCE_MAX: u32 = 1 << 20;

impl Own {
    /// With `keeps`, tickets may be kept: barriers of others reach this process.
    pub(crate) fn new(keeps: bool) -> Own {
        Own {
            ticket: AtomicU64::new(NONE),
            next: AtomicU32::new(0),
            alone: AtomicU32::new(0),
            patience: AtomicU32::new(if keeps { PATIENCE } else { u32::MAX }),
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
        self.ticket.store(ticket.into_bits(), Ordering::Relaxed);
    }

    /// Whether keeping the ticket is worth it.
    #[inline]
    fn is_worth_keeping(&self) -> bool {
        self.alone.load(Ordering::Relaxed) >= self.patience.load(Ordering::Relaxed)
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
        let wake = |rank| wait.wake(rank);
        match self.come_back(place, access, wake) {
            Some(true) => return Ok(()),
            Some(false) => {}
            None => return Err(self.taken(place)),
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
        let back = self.come_back(place, access, &mut wake);
        if back != Some(false) {
            return back == Some(true);
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

    /// Locks by the ticket that was kept. False where there is none, or no more; `None` where this
    /// rank has the lock already.
    #[inline]
    fn come_back(&self, place: u32, access: Access, wake: impl FnMut(u32)) -> Option<bool> {
        let own = &self.own[place as usize];
        let bits = own.ticket.load(Ordering::Acquire);
        if bits == NONE {
            return Some(false);
        }
        let ticket = Ticket::from_bits(bits & !KEPT, self.name).filter(|_| bits & KEPT != 0)?;
        if ticket.access() == access {
            if turnstile::come_back(&self.view.lock(place), &ticket) {
                own.ticket.store(bits & !KEPT, Ordering::Relaxed);
                return Some(true);
            }
            own.lose();
        }
        self.give_up(place, ticket, wake);
        Some(false)
    }

    /// Gives up a ticket that was kept.
    #[cold]
    fn give_up(&self, place: u32, ticket: Ticket, wake: impl FnMut(u32)) {
        self.own[place as usize]
            .ticket
            .store(NONE, Ordering::Relaxed);
        turnstile::give_up(&self.view.lock(place), ticket);
        self.wake_waiting(place, wake);
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
    pub fn unlock(&self, place: u32, wake: impl FnMut(u32)) -> bool {
        let own = &self.own[place as usize];
        let bits = own.ticket.load(Ordering::Relaxed);
        let held = Ticket::from_bits(bits, self.name).filter(|_| bits & KEPT == 0);
        let Some(ticket) = held else {
            return false;
        };
        let kept = own.is_worth_keeping() && turnstile::keep(&self.view.lock(place), &ticket);
        if kept {
            own.ticket.store(bits | KEPT, Ordering::Release);
        } else {
            own.ticket.store(NONE, Ordering::Relaxed);
            self.give_back(Hold { place, ticket });
        }
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
