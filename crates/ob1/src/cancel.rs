//! Cancellation of requests that were not matched (MPI 5.0, 3.8.4).
//!
//! A receive is cancelled locally. For a send the receiver is asked: WITHDRAW names the message,
//! and the receiver drops it and replies WITHDRAWN if it is still unmatched. Otherwise a receive
//! has it, and the send completes as any other. An eager message that has left is complete, and
//! cannot be cancelled.

use base::{Key, PeerId};
use pml::{Failure, RequestId};

use crate::driver::{Driver, Violation};
use crate::matching::UnexpectedData;
use crate::protocol::Protocol;
use crate::request::{Phase, Request};
use crate::wire::Header;

impl Protocol {
    /// Asks that a request be taken back. True when it is already: a receive that was in time. Of a
    /// send it shows in the status, once its receiver has replied.
    pub fn cancel(&mut self, request: RequestId) -> bool {
        self.calm(request.key());
        let Some(entry) = self.requests.get(request.key()) else {
            return false;
        };
        match entry.phase {
            Phase::Posted { .. } => return self.cancel_recv(request.key()),
            Phase::Rendezvous { peer, .. }
            | Phase::Unmatched { peer }
            | Phase::Queued {
                peer,
                synchronous: true,
            } => self.enqueue_control(
                peer,
                Header::Withdraw {
                    sender: request.key(),
                },
            ),
            _ => {}
        }
        false
    }

    fn cancel_recv(&mut self, request: Key) -> bool {
        let Some(Request {
            phase: Phase::Posted { comm, source },
            ..
        }) = self.requests.get(request)
        else {
            return false;
        };
        let (comm, source) = (*comm, *source);
        let matching = self.comms.get_mut(comm);
        let waited = matching.is_some_and(|matching| matching.unpost(source, request));
        if waited {
            self.end_cancelled(request);
            self.drop_if_closed(comm);
        }
        waited
    }

    fn end_cancelled(&mut self, request: Key) {
        let comm = self.origins.get(request).and_then(|origin| origin.comm);
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        if comm.is_some_and(|comm| self.comms.get(comm).is_none()) && self.any_failed {
            return self.finish(request, Err(Failure::Revoked));
        }
        entry.status.cancelled = true;
        self.finish(request, Ok(()));
    }

    /// Handles WITHDRAW: the sender cancels its message.
    pub(crate) fn on_withdraw(&mut self, from: PeerId, sender: Key) -> Result<(), Violation> {
        let comms: Vec<Key> = self.comms.iter().map(|(key, _)| key).collect();
        let mut given = comms.into_iter().find_map(|comm| {
            let matching = self.comms.get_mut(comm)?;
            matching.withdraw(from, sender)
        });
        if given.is_none() {
            // Messages for a context that is not open yet keep their numbers.
            let mut own = self.orphans.iter_mut().filter(|m| m.from == from);
            let found = own.find(|message| message.held.sender() == Some(sender));
            given = found
                .map(|message| std::mem::replace(&mut message.held, UnexpectedData::Withdrawn));
        }
        if let Some(held) = &given {
            self.peers[from.index()].unbuffer(held.as_incoming().charged());
        }
        match given {
            Some(UnexpectedData::EagerAck { bytes, .. }) => self.consumed(from, bytes.len()),
            Some(UnexpectedData::Rts { prefix, .. }) if !prefix.is_empty() => {
                self.consumed(from, prefix.len());
            }
            Some(_) => {}
            None => {
                let known = self.unmatched.iter().position(|own| *own == (from, sender));
                let Some(at) = known else {
                    return Ok(());
                };
                self.unmatched.swap_remove(at);
            }
        }
        self.enqueue_control(from, Header::Withdrawn { sender });
        Ok(())
    }

    /// Handles WITHDRAWN: the message was cancelled.
    pub(crate) fn on_withdrawn(
        &mut self,
        from: PeerId,
        sender: Key,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        match self.requests.get(sender).map(|entry| entry.phase) {
            Some(Phase::Unmatched { peer }) if peer == from => {}
            _ => {
                if let (Some(key), _) = self.rendezvous_of(from, sender)? {
                    driver.deregister(from, key);
                }
            }
        }
        self.end_cancelled(sender);
        Ok(())
    }
}
