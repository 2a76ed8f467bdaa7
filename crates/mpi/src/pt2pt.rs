//! Point-to-point operations of a process (MPI 5.0, chapter 3).

use std::cell::Cell;
use std::sync::Arc;

use base::{PeerId, Rank};
use datatype::Buffer;
use pml::Started;
use pml::{CommId, Failure, MessageId, Mode, Pattern, Pml, RequestId, Status, Tag};

use crate::bsend::{Bsend, BsendBuffer};
use crate::call::Planes;
use crate::outcome::{SendMode, NO_PARTNER};
use crate::request::Request;
use crate::{Class, Comm, Errhandler, Error, Process};

impl Process {
    /// Sends and waits until the buffer may be reused.
    ///
    /// # Errors
    /// When the peer fails.
    #[inline(always)]
    pub fn send(
        &self,
        plane: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Result<(), Failure> {
        let started = self.engine.enter().start_send(plane, to, tag, buffer, mode);
        match started {
            Started::Complete => Ok(()),
            Started::Pending(request) => self.wait(request).result,
        }
    }

    /// Receives a message.
    #[inline]
    pub fn recv(&self, plane: CommId, pattern: Pattern, buffer: Buffer) -> pml::Outcome {
        match self.engine.try_recv(plane, pattern, buffer) {
            Ok(status) => pml::Outcome {
                status,
                result: Ok(()),
            },
            Err(request) => self.wait_blocking(request),
        }
    }

    /// Waits until a message is complete, for a call that does not return before: a receive that
    /// may wait for nothing ends.
    #[inline]
    fn wait_blocking(&self, request: RequestId) -> pml::Outcome {
        let outcome = self.wait(request);
        match outcome.result {
            Err(Failure::Pending { peer, why }) => self.give_up(request, peer, why),
            _ => outcome,
        }
    }

    #[cold]
    fn give_up(&self, request: RequestId, peer: PeerId, why: Arc<str>) -> pml::Outcome {
        let mut core = self.engine.enter();
        core.cancel(request);
        core.detach(request);
        pml::Outcome {
            status: Status::EMPTY,
            result: Err(Failure::PeerFailed { peer, why }),
        }
    }

    /// Waits for a message while all members of the communicator live, of both groups of an
    /// inter-communicator: one that learned of a failure earlier may have given up.
    ///
    /// # Errors
    /// When the message or a member fails.
    pub(crate) fn wait_among(&self, planes: Planes, request: RequestId) -> Result<(), Error> {
        self.wait_until(|core| {
            core.watch(request);
            if let Some(outcome) = core.outcome(request) {
                return Some(outcome.result.map_err(Error::from));
            }
            let (peer, why, ..) = planes.first_lost(core)?;
            let lost = Error::lost(peer, why);
            core.cancel(request);
            core.detach(request);
            Some(Err(lost))
        })
    }

    /// Waits until a message is complete, and ends its request.
    #[inline]
    pub fn wait(&self, request: RequestId) -> pml::Outcome {
        self.wait_until(|core| {
            core.watch(request);
            core.outcome(request)
        })
    }

    /// Starts to receive a message that a matched probe took.
    ///
    /// # Errors
    /// When it was received before.
    pub fn start_matched_recv(
        &self,
        message: MessageId,
        buffer: Buffer,
    ) -> Result<RequestId, Error> {
        self.engine
            .enter()
            .start_matched_recv(message, buffer)
            .ok_or_else(|| Error::new(Class::Request, "a message that was received already"))
    }
}

impl Comm {
    /// Starts a send. `None` stands for `MPI_PROC_NULL`.
    ///
    /// # Errors
    /// In buffered mode, when no buffer is attached or it has no room.
    #[inline]
    pub fn start_send(
        &self,
        to: Option<Rank>,
        tag: Tag,
        buffer: Buffer,
        mode: SendMode,
    ) -> Result<Request, Error> {
        let Some(to) = to else {
            return Ok(Request::Done(NO_PARTNER));
        };
        let mode = match mode {
            SendMode::Buffered => {
                self.send_buffered(to, tag, buffer)?;
                return Ok(Request::Done(NO_PARTNER));
            }
            SendMode::Synchronous => Mode::Synchronous,
            SendMode::Standard | SendMode::Ready => Mode::Standard,
        };
        let process = self.process();
        let mut core = process.engine.enter();
        let started = core.start_send(self.messages(), to, tag, buffer, mode);
        drop(core);
        Ok(match started {
            Started::Complete => Request::Done(NO_PARTNER),
            Started::Pending(request) => {
                process.leave_pending();
                Request::Message(request)
            }
        })
    }

    /// Starts a receive. `None` stands for `MPI_PROC_NULL`.
    #[inline]
    pub fn start_recv(&self, pattern: Option<Pattern>, buffer: Buffer) -> Request {
        let Some(pattern) = pattern else {
            return Request::Done(NO_PARTNER);
        };
        let process = self.process();
        let bytes = buffer.len();
        let request = process
            .engine
            .enter()
            .start_recv(self.messages(), pattern, buffer);
        process.leave_receive_pending(bytes);
        Request::Message(request)
    }

    /// Sends out of the attached buffer: the communicator's own, else its session's, else the
    /// process's.
    ///
    /// # Errors
    /// When none is attached, or the message does not fit.
    pub fn send_buffered(&self, to: Rank, tag: Tag, buffer: Buffer) -> Result<(), Error> {
        let places = [
            Some(&self.bsend),
            self.group().session_bsend(),
            Some(&self.process().bsend),
        ];
        for place in places.into_iter().flatten() {
            if let Some(bsend) = self.process().lock(place).as_mut() {
                let mut core = self.process().engine.enter();
                return bsend.send(&mut core, self.messages(), to, tag, &buffer);
            }
        }
        Err(Bsend::none_attached())
    }

    /// Sends to one rank and receives from another at a time (MPI 5.0, 3.10). `None` when there was
    /// nobody to receive from.
    ///
    /// # Errors
    /// When either fails. The other half is then cancelled, as it may never end, unless it has
    /// begun or the failure was a message that was too long.
    pub fn exchange(
        &self,
        to: Option<Rank>,
        tag: Tag,
        outgoing: Buffer,
        pattern: Option<Pattern>,
        incoming: Buffer,
    ) -> Result<Option<Status>, Error> {
        let process = self.process();
        let mut core = process.engine.enter();
        let plane = self.messages();
        let received = pattern.map(|pattern| core.start_recv(plane, pattern, incoming));
        let sent = to.map(|to| core.start_send(plane, to, tag, outgoing, Mode::Standard));
        drop(core);
        let mut failed = None;
        if let Some(Started::Pending(request)) = sent {
            failed = self.wait_beside(request, received)?.result.err();
        }
        if let (Some(failure), Some(request)) = (&failed, received) {
            if self.errors_are_fatal() {
                return Err(failure.clone().into());
            }
            process.engine.enter().cancel(request);
        }
        let status = match received.map(|request| process.wait_blocking(request)) {
            None => None,
            Some(outcome) => {
                outcome.result?;
                Some(outcome.status)
            }
        };
        match failed {
            Some(failure) => Err(failure.into()),
            None => Ok(status),
        }
    }

    /// Waits for the send of an exchange, beside its receive.
    ///
    /// # Errors
    /// That of the receive, where it ends the job.
    fn wait_beside(
        &self,
        sent: RequestId,
        received: Option<RequestId>,
    ) -> Result<pml::Outcome, Error> {
        let mut withdrawn = false;
        self.process().wait_until(|core| {
            core.watch(sent);
            if let Some(outcome) = core.outcome(sent) {
                return Some(Ok(outcome));
            }
            if withdrawn || core.failures() == 0 {
                return None;
            }
            match core.peek_outcome(received?)?.result.err()? {
                failure if self.errors_are_fatal() => return Some(Err(failure.into())),
                Failure::Truncated { .. } => return None,
                _ => withdrawn = true,
            }
            core.cancel(sent);
            core.outcome(sent).map(Ok)
        })
    }

    fn errors_are_fatal(&self) -> bool {
        matches!(
            *self.errhandler.lock(),
            Errhandler::Fatal | Errhandler::Abort
        )
    }
}

impl Process {
    /// Waits until all messages of a buffer that was detached have gone.
    pub fn empty_buffer(&self, bsend: &mut Bsend) {
        for request in bsend.take_pending() {
            self.wait(request);
        }
    }

    /// Waits until the messages that are in a buffer now have gone. The buffer is not locked
    /// meanwhile: a buffered send of another thread is local, and the receiver may wait for it.
    pub fn flush_buffer(&self, place: &BsendBuffer) {
        let started = self.lock(place).as_ref().map(|bsend| bsend.started());
        let Some(count) = started else { return };
        let has_sent = || {
            let mut bsend = self.lock(place);
            let core = &mut self.engine.enter();
            bsend
                .as_mut()
                .is_none_or(|bsend| bsend.has_sent(count, core))
        };
        if has_sent() {
            return;
        }
        let is_over = Cell::new(false);
        self.wait_between(
            |_| is_over.get().then_some(()),
            || {
                is_over.set(is_over.get() || has_sent());
                is_over.get()
            },
        );
    }
}

impl Request {
    /// Returns the request of a flush that does not wait (`MPI_Buffer_iflush` and its kin):
    /// complete when the messages that are in the buffer now have been sent. `buffer_of` is where
    /// `owner` has the buffer.
    pub fn flush_of<T: Send + Sync + 'static>(
        owner: Arc<T>,
        buffer_of: fn(&T) -> &BsendBuffer,
    ) -> Request {
        let count = buffer_of(&owner).lock().as_ref().map_or(0, Bsend::started);
        // The owner of the lock may wait for the engine: not waited for in here. A buffer that was
        // detached meanwhile is empty.
        Request::Other(Box::new(move |core| match buffer_of(&owner).try_lock() {
            Some(mut bsend) => bsend
                .as_mut()
                .is_none_or(|bsend| bsend.has_sent(count, core)),
            None => false,
        }))
    }
}
