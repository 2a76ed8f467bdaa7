//! Passive targets: the lock of each place (MPI 5.0, 12.5.3).
//!
//! A rank locks without the target's help. Who waits may also be the target, for a rank of another
//! node that has asked it by a message: then it takes a ticket in that rank's name, and looks now
//! and then.

use std::sync::atomic::Ordering;

use sync::turnstile::{self, Access, Ticket};

use crate::error::Error;
use crate::member::{Member, Wait};

/// No ticket.
const NONE: u64 = 0;

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
        let own = &self.own[place as usize];
        if own.load(Ordering::Relaxed) != NONE {
            return Err(self.taken(place));
        }
        let hold = self.ask(place, self.name, access)?;
        if !self.is_open(&hold) {
            self.await_turn(wait, &hold);
        }
        own.store(hold.ticket.into_bits(), Ordering::Relaxed);
        if access == Access::Shared {
            // The next one may be a reader, too.
            self.wake_waiting(place, |rank| wait.wake(rank));
        }
        Ok(())
    }

    /// The same where nobody is in the way, and this rank has not the lock already. False says that
    /// it was not taken.
    #[inline]
    pub fn try_lock(&self, place: u32, access: Access, wake: impl FnMut(u32)) -> bool {
        let own = &self.own[place as usize];
        if own.load(Ordering::Relaxed) != NONE {
            return false;
        }
        let ticket = turnstile::try_take(&self.view.lock(place), self.name, access);
        let Some(ticket) = ticket else {
            return false;
        };
        own.store(ticket.into_bits(), Ordering::Relaxed);
        if access == Access::Shared {
            self.wake_waiting(place, wake);
        }
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
                open = turnstile::is_open(&self.view.lock(hold.place), &hold.ticket);
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
        let Some(ticket) = Ticket::from_bits(own.load(Ordering::Relaxed), self.name) else {
            return false;
        };
        own.store(NONE, Ordering::Relaxed);
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
        turnstile::is_open(&self.view.lock(hold.place), &hold.ticket)
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
