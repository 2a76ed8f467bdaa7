//! Probes: queries to the network, which are complete before the call returns.

use base::Key;
use datatype::Buffer;
use mca::Framework;
use memory::UserBuf;
use mtl::{Envelope, Selector, Started, Token};
use pml::{CommId, MessageId, Pattern, Status};

use crate::request::{Request, Role};
use crate::Cm;

impl Cm {
    /// Returns the status of the oldest message that a receive would accept; it stays (MPI 5.0,
    /// 3.8.1). It is empty in a communicator that was refused: the receive fails with the reason.
    pub(crate) fn peek(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        let comm = comm.key();
        if self.state.comms.get(comm)?.refused.is_some() {
            return Some(Status::EMPTY);
        }
        let (_, selector) = self.state.selector(comm, &pattern);
        let (peek, found) = self.peek_network(&selector, false)?;
        self.state.requests.remove(peek);
        found.map(|envelope| self.state.status_of(comm, &envelope))
    }

    /// Takes the oldest message that a receive would accept out of matching.
    pub(crate) fn claim(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        let comm = comm.key();
        let (asked, selector) = self.state.selector(comm, &pattern);
        let (peek, found) = self.peek_network(&selector, true)?;
        let Some(envelope) = found else {
            self.state.requests.remove(peek);
            return None;
        };
        let status = self.state.status_of(comm, &envelope);
        // The receive names the message that was found, not the pattern.
        let from = envelope.from.or(asked);
        let selector = Selector {
            from: from.filter(|_| !self.state.layout.has_sender()),
            bits: envelope.bits,
            ignore: 0,
        };
        self.state.requests.get_mut(peek)?.role = Role::Claimed {
            comm,
            from,
            selector,
        };
        self.state.join_comm(comm);
        Some((MessageId::from_key(peek), status))
    }

    /// Peeks at the network and waits for the result. `None` when it could not: queued receives
    /// come first, and the network may be busy.
    fn peek_network(
        &mut self,
        selector: &Selector,
        claim: bool,
    ) -> Option<(Key, Option<Envelope>)> {
        self.offer_receives();
        if !self.state.receives.is_empty() {
            return None;
        }
        let role = Role::Peek { found: None };
        let request = Request::new(role, Buffer::bytes(UserBuf::EMPTY));
        let key = self.state.requests.insert(request);
        match self.network.peek(selector, claim, Token(key.bits())) {
            Ok(Started::Pending | Started::Done) => {}
            Ok(Started::Busy) => {
                self.state.requests.remove(key);
                return None;
            }
            Err(error) => {
                let failure = self.state.failure_of(error);
                Framework::Pml.warn(format_args!("a probe failed: {failure}"));
                self.state.requests.remove(key);
                return None;
            }
        }
        loop {
            if let Role::Peek { found: Some(found) } = self.state.requests.get(key)?.role {
                return Some((key, found));
            }
            self.network.progress(&mut self.state);
        }
    }
}
