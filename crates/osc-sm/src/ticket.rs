//! The ticket that this rank holds for the lock of a place, if any.

use std::sync::atomic::{AtomicU64, Ordering};

use sync::turnstile::Ticket;

/// The ticket that this rank holds for a place's lock, or none.
#[derive(Debug, Default)]
pub(crate) struct OwnTicket(AtomicU64);

impl OwnTicket {
    const NONE: u64 = 0;

    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.0.load(Ordering::Acquire) != OwnTicket::NONE
    }

    #[inline]
    pub(crate) fn hold(&self, ticket: Ticket) {
        self.0.store(ticket.into_bits(), Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn take(&self) -> Option<Ticket> {
        let ticket = Ticket::from_bits(self.0.load(Ordering::Relaxed));
        self.0.store(OwnTicket::NONE, Ordering::Relaxed);
        ticket
    }
}
