//! Completion of requests, and queries of their outcomes.

use base::Key;
use pml::{Failure, Outcome, RequestId, Status};

use crate::protocol::Protocol;
use crate::request::{After, Phase, Request};

impl Protocol {
    /// Notes the request that a caller waits for.
    #[inline]
    pub fn watch(&mut self, request: RequestId) {
        self.watched = Some(request.key());
    }

    /// Returns whether the watched request is complete, and its outcome not taken yet.
    pub fn is_watched_done(&self) -> bool {
        let watched = self.watched.and_then(|key| self.requests.get(key));
        watched.is_some_and(Request::is_done)
    }

    /// Returns whether a request is complete. A request that is gone is.
    #[inline]
    pub fn is_done(&self, request: RequestId) -> bool {
        self.requests
            .get(request.key())
            .is_none_or(Request::is_done)
    }

    /// Takes the outcome of a complete request, which is gone after this. `None` while it is under
    /// way.
    #[inline]
    pub fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        let entry = self.requests.get(request.key())?;
        let outcome = entry.outcome()?;
        if !entry.is_disturbed() {
            self.requests.discard(request.key());
        }
        Some(outcome)
    }

    /// Takes the status of a request that is complete and did not fail; it is gone after this.
    /// `None`: the request stays, if there is one, and [`Protocol::outcome`] has its failure.
    #[inline]
    pub fn take_success(&mut self, request: RequestId) -> Option<Status> {
        let entry = self.requests.get(request.key())?;
        if !entry.is_done() || entry.failure.is_some() {
            return None;
        }
        let status = entry.status;
        self.requests.discard(request.key());
        Some(status)
    }

    /// Returns whether a request is under way or its outcome can be taken, and somebody may still
    /// ask: it was not detached.
    #[inline]
    pub fn is_open(&self, request: RequestId) -> bool {
        let entry = self.requests.get(request.key());
        entry.is_some_and(|entry| entry.after != After::Dropped)
    }

    /// Returns the outcome of a complete request, which stays.
    pub fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        self.requests.get(request.key())?.outcome()
    }

    /// Returns how many failures there have been. Whoever waits for several requests looks for a
    /// failed one when this has changed.
    #[inline]
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Removes a request by itself once it is complete (MPI 5.0, 3.7.3, MPI_Request_free).
    pub fn detach(&mut self, request: RequestId) {
        self.calm(request.key());
        if let Some(entry) = self.requests.get_mut(request.key()) {
            entry.after = After::Dropped;
            if entry.is_done() {
                self.requests.remove(request.key());
            }
        }
    }

    /// Has [`Protocol::take_ended`] return `owner` once a request that is under way has ended.
    pub fn report(&mut self, request: RequestId, owner: u64) {
        if let Some(entry) = self.requests.get_mut(request.key()) {
            entry.after = After::Reported(owner);
        }
    }

    /// Appends the owners of reported requests that have ended since the last call, once for each
    /// request.
    #[inline]
    pub fn take_ended(&mut self, owners: &mut Vec<u64>) {
        owners.append(&mut self.ended);
    }

    /// Returns how many requests are not gone: those under way and those whose outcome nobody took.
    pub fn open_requests(&self) -> usize {
        self.requests.len()
    }

    /// Returns how many requests somebody may still ask about: detached ones end by themselves.
    pub fn held_requests(&self) -> usize {
        let held = self
            .requests
            .iter()
            .filter(|(_, entry)| entry.after != After::Dropped);
        held.count()
    }

    /// Completes a request.
    pub(crate) fn finish(&mut self, request: Key, result: Result<(), Failure>) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        entry.phase = Phase::Done;
        entry.failure = match result {
            Ok(()) => None,
            Err(failure) => {
                self.failures += 1;
                if matches!(failure, Failure::PeerFailed { .. }) {
                    // The status of a receive has the length of the whole message: more than
                    // arrived, and perhaps more than the buffer holds.
                    entry.status.bytes = 0;
                }
                Some(Box::new(failure))
            }
        };
        match entry.after {
            After::Stays => {}
            After::Dropped => drop(self.requests.remove(request)),
            After::Reported(owner) => self.ended.push(owner),
        }
    }
}
