//! The calls of a program, as the layers above the engine make them: waits and tests whose results
//! a layer of `vprotocol` learns, or says what they have to be.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context as Task, Poll};

use base::Rank;
use datatype::Buffer;
use engine::Engine;
use memory::Scratch;
use pml::{CommId, MessageId, Mode, Pattern, Pml, RequestId, Started, Status, Tag};
use vprotocol::Call;

use super::history::{MessageRecord, Trace};
use crate::content::content;

/// A communicator of a program.
#[derive(Clone, Copy)]
pub(crate) struct Comm {
    pub(crate) id: CommId,
    /// Context of the communicator.
    pub(crate) number: u64,
}

/// A pending operation.
pub(crate) struct Request {
    id: Option<RequestId>,
    /// The memory, the communicator and the number of a receive.
    room: Option<(Scratch, u64, u64)>,
}

/// The calls that a program makes, and what it has seen.
pub(crate) struct Mpi {
    pub(crate) engine: Rc<Engine>,
    /// A hash of everything received so far.
    pub(crate) state: Cell<u64>,
    pub(crate) trace: Rc<RefCell<Trace>>,
    /// Memory of sends, kept until the end.
    sent: RefCell<Vec<Scratch>>,
    pub(crate) posted: Cell<u64>,
    pub(crate) does: Cell<&'static str>,
}

struct Turn(bool);

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<()> {
        match std::mem::replace(&mut self.0, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

/// Ends the turn of a rank.
pub(crate) fn end_turn() -> impl Future<Output = ()> {
    Turn(false)
}

impl Mpi {
    pub(crate) fn new(engine: Engine, seed: u64) -> Mpi {
        Mpi {
            engine: Rc::new(engine),
            state: Cell::new(seed),
            trace: Rc::default(),
            sent: RefCell::default(),
            posted: Cell::new(0),
            does: Cell::new("begins"),
        }
    }

    /// Returns the calls of a strand that runs beside this one: the order of the two does not
    /// matter to what either sees.
    pub(crate) fn beside(&self) -> Mpi {
        Mpi {
            engine: self.engine.clone(),
            state: self.state.clone(),
            trace: self.trace.clone(),
            sent: RefCell::default(),
            posted: Cell::new(0),
            does: Cell::new("beside"),
        }
    }

    /// Mixes something that the program has seen into its state.
    pub(crate) fn see(&self, what: u64) {
        let mixed = (self.state.get() ^ what).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.state.set(mixed ^ mixed >> 29);
    }

    pub(crate) fn isend(&self, comm: Comm, to: usize, tag: Tag, len: usize, mode: Mode) -> Request {
        let bytes = content(self.state.get() >> 20, len);
        let memory = Scratch::new(len);
        memory.buf().write(0, bytes);
        let mut trace = self.trace.borrow_mut();
        let number = trace.sent.len() as u64;
        trace.sent.push(MessageRecord {
            comm: comm.number,
            peer: to,
            tag,
            number,
            hash: hash(bytes),
        });
        let buffer = Buffer::bytes(memory.buf());
        self.sent.borrow_mut().push(memory);
        let to = Rank(to as u32);
        let started = (self.engine.enter()).start_send(comm.id, to, tag, buffer, mode);
        let id = match started {
            Started::Complete => None,
            Started::Pending(id) => Some(id),
        };
        Request { id, room: None }
    }

    pub(crate) fn irecv(&self, comm: Comm, from: Option<usize>, tag: Tag, room: usize) -> Request {
        let memory = Scratch::new(room);
        let buffer = Buffer::bytes(memory.buf());
        let pattern = pattern(from, tag);
        let id = self.engine.enter().start_recv(comm.id, pattern, buffer);
        Request {
            id: Some(id),
            room: Some((memory, comm.number, self.number())),
        }
    }

    fn number(&self) -> u64 {
        self.posted.set(self.posted.get() + 1);
        self.posted.get()
    }

    fn is_done(&self, request: &Request) -> bool {
        request.id.is_none_or(|id| self.engine.enter().is_done(id))
    }

    /// Ends a complete operation. Returns its status.
    fn end(&self, request: &mut Request) -> Status {
        let Some(id) = request.id.take() else {
            return Status::EMPTY;
        };
        let outcome = self.engine.enter().outcome(id).expect("it is complete");
        assert!(outcome.result.is_ok(), "{:?}", outcome.result);
        let status = outcome.status;
        let Some((memory, comm, number)) = request.room.take() else {
            return status;
        };
        self.see(u64::from(status.cancelled));
        if status.cancelled {
            return status;
        }
        let mut bytes = vec![0; status.bytes as usize];
        memory.buf().read(0, &mut bytes);
        let source = status.source.expect("the sender of a message").index();
        let hash = hash(&bytes);
        self.see(hash);
        self.see(source as u64);
        self.trace.borrow_mut().received.push(MessageRecord {
            comm,
            peer: source,
            tag: status.tag,
            number,
            hash,
        });
        status
    }

    pub(crate) async fn wait(&self, request: &mut Request) -> Status {
        while !self.is_done(request) {
            end_turn().await;
        }
        self.end(request)
    }

    pub(crate) async fn wait_all(&self, requests: &mut [Request]) {
        for request in requests {
            self.wait(request).await;
        }
    }

    /// Makes progress as a call that tests does, and looks for complete requests.
    fn poll(&self, requests: &[Request]) -> Vec<u32> {
        self.engine.enter().progress();
        self.done_of(requests)
    }

    fn done_of(&self, requests: &[Request]) -> Vec<u32> {
        let open = |at: &usize| requests[*at].id.is_some() && self.is_done(&requests[*at]);
        let found = (0..requests.len()).filter(open);
        found.map(|at| at as u32).collect()
    }

    /// `MPI_Test`.
    pub(crate) async fn test(&self, request: &mut Request) -> Option<Status> {
        let replayed = self.engine.enter().replay(Call::Test);
        match replayed {
            Some(found) if found.is_empty() => None,
            Some(_) => Some(self.wait(request).await),
            None => {
                let done = !self.poll(std::slice::from_ref(request)).is_empty();
                let found: &[u32] = if done { &[0] } else { &[] };
                self.engine.enter().observe(Call::Test, found);
                done.then(|| self.end(request))
            }
        }
    }

    /// `MPI_Waitany`, or `MPI_Testany`, which may find none.
    pub(crate) async fn any(&self, requests: &mut [Request], waits: bool) -> Option<usize> {
        let found = self.some_of(requests, Call::Any, waits).await;
        let at = *found.first()? as usize;
        self.see(at as u64);
        self.end(&mut requests[at]);
        Some(at)
    }

    /// `MPI_Waitsome`, or `MPI_Testsome`. Returns how many have ended.
    pub(crate) async fn some(&self, requests: &mut [Request], waits: bool) -> usize {
        let found = self.some_of(requests, Call::Some, waits).await;
        for at in &found {
            self.see(u64::from(*at));
            self.end(&mut requests[*at as usize]);
        }
        found.len()
    }

    async fn some_of(&self, requests: &[Request], call: Call, waits: bool) -> Vec<u32> {
        let replayed = self.engine.enter().replay(call);
        if let Some(found) = replayed {
            for at in &found {
                while !self.is_done(&requests[*at as usize]) {
                    end_turn().await;
                }
            }
            return found;
        }
        let mut found = self.poll(requests);
        while waits && found.is_empty() {
            end_turn().await;
            found = self.done_of(requests);
        }
        if call == Call::Any {
            found.truncate(1);
        }
        self.engine.enter().observe(call, &found);
        found
    }

    /// `MPI_Iprobe`. Returns the sender of the message.
    pub(crate) async fn probe(&self, comm: Comm, tag: Tag) -> Option<usize> {
        let replayed = self.engine.enter().replay(Call::Probe);
        match replayed {
            Some(found) => {
                let source = *found.first()? as usize;
                while (self
                    .engine
                    .enter()
                    .probe(comm.id, pattern(Some(source), tag)))
                .is_none()
                {
                    end_turn().await;
                }
                Some(source)
            }
            None => {
                let mut core = self.engine.enter();
                core.progress();
                let status = core.probe(comm.id, pattern(None, tag));
                let source = status.and_then(|status| status.source);
                let found: Vec<u32> = source.iter().map(|source| source.0).collect();
                core.observe(Call::Probe, &found);
                source.map(Rank::index)
            }
        }
    }

    /// `MPI_Improbe`.
    pub(crate) async fn matched_probe(&self, comm: Comm, tag: Tag) -> Option<MessageId> {
        let replayed = self.engine.enter().replay(Call::MatchedProbe);
        match replayed {
            Some(found) => {
                let source = Some(*found.first()? as usize);
                loop {
                    let pattern = pattern(source, tag);
                    let taken = self.engine.enter().matched_probe(comm.id, pattern);
                    match taken {
                        Some((message, _)) => return Some(message),
                        None => end_turn().await,
                    }
                }
            }
            None => {
                let mut core = self.engine.enter();
                core.progress();
                let taken = core.matched_probe(comm.id, pattern(None, tag));
                let source = taken.and_then(|(_, status)| status.source);
                let found: Vec<u32> = source.iter().map(|source| source.0).collect();
                core.observe(Call::MatchedProbe, &found);
                taken.map(|(message, _)| message)
            }
        }
    }

    /// `MPI_Imrecv`.
    pub(crate) fn receive_taken(&self, comm: Comm, message: MessageId, room: usize) -> Request {
        let memory = Scratch::new(room);
        let buffer = Buffer::bytes(memory.buf());
        let id = self.engine.enter().start_matched_recv(message, buffer);
        Request {
            id: Some(id.expect("a message that was taken")),
            room: Some((memory, comm.number, self.number())),
        }
    }

    /// `MPI_Cancel`.
    pub(crate) fn cancel(&self, request: &Request) {
        if let Some(id) = request.id {
            self.engine.enter().cancel(id);
        }
    }
}

fn pattern(from: Option<usize>, tag: Tag) -> Pattern {
    Pattern {
        source: from.map(|from| Rank(from as u32)),
        tag: Some(tag),
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64 ^ 0xcbf2_9ce4_8422_2325;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 31;
    }
    hash
}
