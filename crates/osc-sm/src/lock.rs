//! Passive target synchronisation: the lock of each rank's memory (MPI 5.0, 12.5.3).
//!
//! A rank locks without the target's help. A target may also wait on behalf of a rank of another
//! node that has asked it by a message: then it takes a ticket in that rank's name, and polls.

use sync::turnstile::{self, Access, Ticket};

use crate::error::Error;
use crate::member::{Member, Wait};

/// A place's lock, held or asked for in a rank's name.
#[derive(Debug)]
#[must_use = "a lock is held until it is released"]
pub struct Hold {
    place: u32,
    ticket: Ticket,
}

impl Hold {
    /// Returns the place whose lock it is.
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
        if own.is_held() {
            return Err(self.taken(place));
        }
        let hold = self.ask(place, self.name, access)?;
        if !self.is_open(&hold) {
            self.await_turn(wait, &hold);
        }
        own.hold(hold.ticket);
        if access == Access::Shared {
            // The next one may be a reader, too.
            self.wake_waiting(place, |rank| wait.wake(rank));
        }
        Ok(())
    }

    /// Locks a place's memory if that takes no wait. False where it would, or where this rank holds
    /// the lock already: then nothing has changed.
    #[inline]
    pub fn try_lock(&self, place: u32, access: Access, wake: impl FnMut(u32)) -> bool {
        let own = &self.own[place as usize];
        if own.is_held() {
            return false;
        }
        let ticket = turnstile::try_take(&self.view.lock(place), self.name, access);
        let Some(ticket) = ticket else {
            return false;
        };
        own.hold(ticket);
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
                open = self.is_open(hold);
                open || passed
            };
            match wait.until(look, |asleep| self.note_sleep(hold.place, asleep)) {
                // Those behind the dead may have the turn now.
                Ok(()) if !open => self.wake_waiting(hold.place, |rank| wait.wake(rank)),
                Ok(()) => {}
                Err(_) => deaths = true,
            }
        }
    }

    /// Releases a lock that [`Member::lock`] took (`MPI_WIN_UNLOCK`), after all accesses under it.
    /// False where none is held.
    #[inline]
    pub fn unlock(&self, place: u32, wake: impl FnMut(u32)) -> bool {
        let Some(ticket) = self.own[place as usize].take() else {
            return false;
        };
        self.give_back(Hold { place, ticket });
        self.wake_waiting(place, wake);
        true
    }

    /// Asks for a place's lock in the name of a rank; the caller then polls [`Member::is_open`].
    ///
    /// # Errors
    /// When more have asked than there are ranks: a rank asks again.
    #[inline]
    pub fn ask(&self, place: u32, name: u32, access: Access) -> Result<Hold, Error> {
        let ticket = turnstile::take(&self.view.lock(place), name, access);
        let ticket = ticket.map_err(|_| self.taken(place))?;
        Ok(Hold { place, ticket })
    }

    /// Whether a lock that was asked for is held now. Once it is, the caller does not ask again and
    /// calls [`Member::wake_waiting`].
    #[inline]
    pub fn is_open(&self, hold: &Hold) -> bool {
        turnstile::is_open(&self.view.lock(hold.place), &hold.ticket)
    }

    /// Releases a lock; the caller wakes others ([`Member::wake_waiting`]).
    #[inline]
    pub fn give_back(&self, hold: Hold) {
        turnstile::leave(&self.view.lock(hold.place), hold.ticket);
    }

    /// Takes a place's lock from dead ranks and passes their turns on. Returns whether that has
    /// changed anything.
    pub fn pass_dead(&self, place: u32, is_dead: impl Fn(u32) -> bool) -> bool {
        turnstile::pass_dead(&self.view.lock(place), is_dead)
    }
}
