//! Probes: queries to the network, which are complete before the call returns.

use base::Key;
use datatype::Buffer;
use memory::UserBuf;
use mtl::{Envelope, Selector, Started, Token};
use pml::{CommId, MessageId, Pattern, Status};

use crate::request::{Request, Role};
use crate::Cm;

impl Cm {
    /// The oldest message that a receive would accept; it stays (MPI 5.0, 3.8.1). In a
    /// communicator that was refused an empty one, so that the receive says why.
    pub(crate) fn peek(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        let comm = comm.key();
        if self.state.comms.get(comm)?.refused.is_some() {
            return Some(Status::EMPTY);
        }
        let (_, selector) = self.state.selector(comm, &pattern);
        let (look, found) = self.look(&selector, false)?;
        self.state.requests.remove(look);
        found.map(|envelope| self.state.status_of(comm, &envelope))
    }

    /// The oldest message that a receive would accept, taken out of matching.
    pub(crate) fn claim(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        let comm = comm.key();
        let (asked, selector) = self.state.selector(comm, &pattern);
        let (look, found) = self.look(&selector, true)?;
        let Some(envelope) = found else {
            self.state.requests.remove(look);
            return None;
        };
        let status = self.state.status_of(comm, &envelope);
        // The receive names what was found, not what was looked for.
        let from = envelope.from.or(asked);
        let selector = Selector {
            from: from.filter(|_| !self.state.layout.tells_sender()),
            bits: envelope.bits,
            ignore: 0,
        };
        self.state.requests.get_mut(look)?.role = Role::Claimed {
            comm,
            from,
            selector,
        };
        self.state.join_comm(comm);
        Some((MessageId::from_key(look), status))
    }

    /// Asks the network and waits for its answer. `None` when it could not be asked: receives
    /// that wait for the network come first, and it may be busy.
    fn look(&mut self, selector: &Selector, claim: bool) -> Option<(Key, Option<Envelope>)> {
        self.offer_receives();
        if !self.state.receives.is_empty() {
            return None;
        }
        let role = Role::Look { answer: None };
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
                log::warn!(target: "pml", "a probe failed: {failure}");
                self.state.requests.remove(key);
                return None;
            }
        }
        loop {
            if let Role::Look {
                answer: Some(found),
            } = self.state.requests.get(key)?.role
            {
                return Some((key, found));
            }
            self.network.progress(&mut self.state);
        }
    }
}
