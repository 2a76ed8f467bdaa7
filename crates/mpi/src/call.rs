//! A collective call under way: an algorithm of `coll` with its messages in the engine.

use std::sync::Arc;
use std::task::Poll;

use base::Rank;
use coll::port::{Kind, Posted};
use coll::{Collective, Port, Running};
use engine::{Core, Engine, Started};
use pml::{CommId, Mode, Outcome, Pattern, RequestId};

use crate::{Comm, Error};

/// Where a call's messages go: the collective planes of its communicator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// To the own group.
    pub(crate) local: CommId,
    /// To the remote group of an inter-communicator; else the same as `local`.
    pub(crate) remote: CommId,
}

/// What a call works with, and the next one may use again: then a small one allocates next to
/// nothing.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) port: Port,
    active: Vec<(u32, RequestId)>,
    posted: Vec<Posted>,
}

/// One collective call of this process.
pub(crate) struct Call {
    collective: Collective,
    planes: Planes,
    tag: i32,
    active: Vec<(u32, RequestId)>,
    posted: Vec<Posted>,
    result: Option<Result<(), Error>>,
    /// The communicator, until the call is over, if nobody else answers for it.
    kept: Option<Arc<Comm>>,
}

impl Call {
    /// `running` was begun on the port of `desk`.
    pub(crate) fn new(desk: Desk, running: Running, planes: Planes, tag: i32) -> Call {
        let Desk {
            port,
            active,
            posted,
        } = desk;
        Call {
            collective: Collective::new(port, running),
            planes,
            tag,
            active,
            posted,
            result: None,
            kept: None,
        }
    }

    /// The same call, with a hold on its communicator.
    pub(crate) fn keeping(mut self, comm: Arc<Comm>) -> Call {
        self.kept = Some(comm);
        self
    }

    /// Whether the call is over.
    pub(crate) fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// How the call ended. It stays over: another thread may still come to advance it.
    pub(crate) fn take_result(&mut self) -> Option<Result<(), Error>> {
        let result = self.result.as_mut()?;
        Some(std::mem::replace(result, Ok(())))
    }

    /// Reports messages that ended and lets the algorithm go on. Whether anything happened.
    pub(crate) fn advance(&mut self, engine: &Engine) -> bool {
        if self.result.is_some() {
            return false;
        }
        let mut ended = Vec::new();
        self.reap(&mut engine.enter(), &mut ended);
        let happened = !ended.is_empty();
        for (slot, outcome) in ended {
            self.complete(slot, outcome);
        }
        self.go_on(engine);
        happened
    }

    /// Lets the algorithm go on until it waits for messages, or is over.
    fn go_on(&mut self, engine: &Engine) {
        while self.collective.is_runnable() {
            // The algorithm runs user-defined operators: the engine must not be entered here.
            if let Poll::Ready(result) = self.collective.poll() {
                self.result = Some(result.map_err(Error::from));
                self.kept = None;
                return;
            }
            self.collective.take_posted(&mut self.posted);
            let mut posted = std::mem::take(&mut self.posted);
            let mut core = engine.enter();
            for message in posted.drain(..) {
                self.start(&mut core, message);
            }
            drop(core);
            self.posted = posted;
        }
    }

    fn start(&mut self, core: &mut Core, message: Posted) {
        let Posted {
            slot,
            kind,
            peer,
            buffer,
        } = message;
        let plane = if peer.remote {
            self.planes.remote
        } else {
            self.planes.local
        };
        let len = buffer.len();
        let rank = Rank(peer.rank);
        let request = match kind {
            Kind::Send => match core.start_send(plane, rank, self.tag, buffer, Mode::Standard) {
                Started::Complete => return self.collective.complete(slot, Ok(len)),
                Started::Pending(request) => request,
            },
            Kind::Recv => {
                let pattern = Pattern {
                    source: Some(rank),
                    tag: Some(self.tag),
                };
                core.start_recv(plane, pattern, buffer)
            }
        };
        match core.pml.outcome(request) {
            Some(outcome) => self.complete(slot, outcome),
            None => self.active.push((slot, request)),
        }
    }

    fn complete(&mut self, slot: u32, outcome: Outcome) {
        // The length of a send is not looked at: what was posted was sent.
        let result = match outcome.result {
            Ok(()) => Ok(outcome.status.bytes as usize),
            Err(failure) => Err(Box::new(Error::from(failure)) as coll::Failure),
        };
        self.collective.complete(slot, result);
    }

    /// Takes out the messages that ended.
    fn reap(&mut self, core: &mut Core, ended: &mut Vec<(u32, Outcome)>) {
        self.active
            .retain(|(slot, request)| match core.pml.outcome(*request) {
                Some(outcome) => {
                    ended.push((*slot, outcome));
                    false
                }
                None => true,
            });
    }

    /// Runs the call to its end. The desk is gone after a failure that left messages behind.
    pub(crate) fn run(mut self, process: &crate::Process) -> (Result<(), Error>, Option<Desk>) {
        self.go_on(&process.engine);
        while self.result.is_none() {
            let active = &mut self.active;
            let (slot, outcome) = process.wait_until(|core| {
                let at = active
                    .iter()
                    .position(|(_, request)| core.pml.is_done(*request))?;
                let (slot, request) = active.swap_remove(at);
                core.pml.outcome(request).map(|outcome| (slot, outcome))
            });
            self.complete(slot, outcome);
            self.go_on(&process.engine);
        }
        let result = self.result.take().unwrap_or(Ok(()));
        let (active, posted) = (self.active, self.posted);
        let desk = self.collective.into_port().map(|port| Desk {
            port,
            active,
            posted,
        });
        (result, desk)
    }
}
