//! Point-to-point operations: each reads as the story of a message.

use base::Rank;
use cm::Begun;
use datatype::Buffer;
use pml::{CommId, Failure, MessageId, Mode, Outcome, Pattern, RequestId, Status, Tag};

use crate::core::Core;
use crate::messages::Messages;
use crate::Engine;

/// How a send began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Started {
    /// Complete: its buffer may be reused, and there is no request.
    Complete,
    /// Under way.
    Pending(RequestId),
}

impl Core {
    /// Starts a send. `comm` and `to` are valid.
    #[inline]
    pub fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.start_send(comm, to, tag, buffer, mode),
            Messages::Cm(network) => match network.cm.begin_send(comm, to, tag, buffer, mode) {
                Begun::Complete => Started::Complete,
                Begun::Pending(request) => Started::Pending(request),
            },
        }
    }

    /// Starts a receive. `comm` and the pattern's source are valid.
    #[inline]
    pub fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.start_recv(comm, pattern, buffer),
            Messages::Cm(network) => network.cm.begin_recv(comm, pattern, buffer),
        }
    }

    /// Starts to receive a message that a matched probe took. `None` when it was received before.
    pub fn start_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId> {
        match &mut self.pml {
            Messages::Ob1(ob1) => ob1.start_matched_recv(message, buffer),
            Messages::Cm(network) => network.cm.begin_matched_recv(message, buffer),
        }
    }
}

impl Engine {
    /// Sends and waits until the buffer may be reused (in synchronous mode, until it matched).
    ///
    /// # Errors
    /// When the peer fails.
    #[inline]
    pub fn send(
        &self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Result<(), Failure> {
        let started = self.enter().start_send(comm, to, tag, buffer, mode);
        match started {
            Started::Complete => Ok(()),
            Started::Pending(request) => self.wait(request).result,
        }
    }

    /// Starts a receive and looks for its message for a moment: without what a longer wait needs,
    /// and without leaving the gate. Otherwise the request is to be waited for.
    #[inline]
    pub fn try_recv(
        &self,
        comm: CommId,
        pattern: Pattern,
        buffer: Buffer,
    ) -> Result<Status, RequestId> {
        let mut core = self.enter();
        let request = core.start_recv(comm, pattern, buffer);
        core.pml.watch(request);
        for _ in 0..self.short_looks() {
            if let Some(status) = core.pml.take_success(request) {
                return Ok(status);
            }
            core.progress();
        }
        core.pml.take_success(request).ok_or(request)
    }

    /// Receives a message.
    #[inline]
    pub fn recv(&self, comm: CommId, pattern: Pattern, buffer: Buffer) -> Outcome {
        match self.try_recv(comm, pattern, buffer) {
            Ok(status) => Outcome {
                status,
                result: Ok(()),
            },
            Err(request) => self.wait(request),
        }
    }

    /// Waits until a request is complete, and ends it.
    #[inline]
    pub fn wait(&self, request: RequestId) -> Outcome {
        self.wait_until(|core| {
            core.pml.watch(request);
            core.pml.outcome(request)
        })
    }

    /// Waits for a message that a receive would accept.
    pub fn probe(&self, comm: CommId, pattern: Pattern) -> Status {
        self.wait_until(|core| core.pml.probe(comm, pattern))
    }

    /// Waits for a message that a receive would accept, and takes it out of matching.
    pub fn matched_probe(&self, comm: CommId, pattern: Pattern) -> (MessageId, Status) {
        self.wait_until(|core| core.pml.matched_probe(comm, pattern))
    }
}
