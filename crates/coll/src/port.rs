//! The interface between an algorithm and its driver.
//!
//! An algorithm is an `async fn`: the compiler turns it into a state machine, and it reads like
//! the prose of a blocking collective. It posts sends and receives into a [`Port`] and awaits
//! them. The driver polls the [`Collective`] that holds algorithm and port, takes what was
//! posted, starts it as messages, and reports each end with [`Collective::complete`].
//!
//! * Driver and algorithm take turns: whoever has the [`Collective`] has the turn. The cell
//!   around the state makes it movable between threads, and is never contended.
//! * No wakers. The driver knows what has completed; the waker passed to the algorithm has no
//!   effect.
//! * A slot goes Free → Pending (posted) → Done (completed) → Free (awaited). Only the driver
//!   completes, only the algorithm posts and frees.
//! * Scratch memory belongs to the port and not to the algorithm, so it outlives an algorithm
//!   that gave up early. A port dropped with messages under way leaks its scratch memory rather
//!   than freeing what a peer may still write to.
//! * A port can be used again for the next collective ([`Collective::into_port`]); then a small
//!   collective allocates nothing but the algorithm's own state.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use atomic_refcell::{AtomicRefCell, AtomicRefMut};
use datatype::Buffer;
use memory::{Scratch, UserBuf};

use crate::{Error, Failure, Peer};

/// A running collective algorithm of this rank.
pub type Running = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// Most bytes of scratch memory that a port caches for the next collective.
const SCRATCH_KEPT_MAX: usize = 8 << 20;

/// Bytes of the arena from which small scratch memory is cut.
const ARENA_BYTES: usize = 4096;

/// Alignment of scratch memory in bytes, enough for every datatype.
const SCRATCH_ALIGN: usize = 64;

/// The direction of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Away from this process.
    Send,
    /// To this process.
    Recv,
}

/// A message that the driver has to start.
///
/// Messages of one collective between the same two processes match in the order in which they
/// were posted; the driver distinguishes collectives by communicator and call number.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The message's name in [`Collective::complete`].
    pub slot: u32,
    /// Send or receive.
    pub kind: Kind,
    /// The other end; never this process itself.
    pub peer: Peer,
    /// The data to send, or the memory to receive into. Valid until the slot completes.
    pub buffer: Buffer,
}

/// A posted message, to be awaited with [`Port::wait`] or [`Port::all`].
#[must_use = "a posted message must be awaited before its buffer is used"]
#[derive(Debug)]
pub struct Op(u32);

/// An algorithm's connection to its driver. Cheap to clone.
#[derive(Clone, Default)]
pub struct Port {
    shared: Arc<Shared>,
    /// The ranks of the part that this port is for; `None` for all ranks.
    members: Option<Arc<[u32]>>,
}

#[derive(Default)]
struct Shared {
    /// Messages that must still complete before a poll makes progress. Beside the state, so that
    /// asking costs next to nothing; the turns order its accesses.
    needed: AtomicUsize,
    state: AtomicRefCell<State>,
}

impl Port {
    /// Returns a port for one collective at a time.
    pub fn new() -> Port {
        Port::default()
    }

    /// Returns this port for an algorithm among some ranks only, which it numbers from 0 on in the
    /// order of `members`. Messages and scratch memory are those of this port.
    pub(crate) fn among(&self, members: &Arc<[u32]>) -> Port {
        debug_assert!(self.members.is_none(), "a part of a part");
        Port {
            shared: Arc::clone(&self.shared),
            members: Some(Arc::clone(members)),
        }
    }

    /// Returns a peer by its rank in the communicator.
    #[inline]
    fn peer(&self, peer: impl Into<Peer>) -> Peer {
        match (&self.members, peer.into()) {
            (Some(members), peer) if !peer.remote => members[peer.rank as usize].into(),
            (_, peer) => peer,
        }
    }

    /// Posts the sending of `buffer`.
    pub fn send(&self, to: impl Into<Peer>, buffer: &Buffer) -> Op {
        self.state().post(Kind::Send, self.peer(to), buffer, false)
    }

    /// Posts the receiving of exactly `buffer.len()` bytes.
    pub fn recv(&self, from: impl Into<Peer>, buffer: &Buffer) -> Op {
        self.state()
            .post(Kind::Recv, self.peer(from), buffer, false)
    }

    /// Waits for one message.
    pub fn wait(&self, op: Op) -> Wait<'_, [Op; 1]> {
        self.all([op])
    }

    /// Waits for all the messages, an array or a `Vec` of them.
    pub fn all<L: AsRef<[Op]> + Unpin>(&self, ops: L) -> Wait<'_, L> {
        Wait {
            port: self,
            ops,
            counted: false,
        }
    }

    /// Sends `outgoing` to one peer while receiving `incoming` from another (or the same).
    pub fn exchange(
        &self,
        to: impl Into<Peer>,
        outgoing: &Buffer,
        from: impl Into<Peer>,
        incoming: &Buffer,
    ) -> Wait<'_, [Op; 2]> {
        let mut state = self.state();
        // What the peer waits for goes first.
        let sent = state.post(Kind::Send, self.peer(to), outgoing, true);
        let received = state.post(Kind::Recv, self.peer(from), incoming, true);
        if state.error.is_none() {
            self.shared.needed.store(2, Relaxed);
        }
        Wait {
            port: self,
            ops: [sent, received],
            counted: true,
        }
    }

    /// Scratch memory of `len` bytes, aligned for every datatype, that stays until the
    /// collective is over. Its content is arbitrary.
    pub fn scratch(&self, len: usize) -> UserBuf {
        self.state().scratch(len)
    }

    fn is_runnable(&self) -> bool {
        self.shared.needed.load(Relaxed) == 0
    }

    fn state(&self) -> AtomicRefMut<'_, State> {
        self.shared.state.borrow_mut()
    }
}

/// Messages that an algorithm waits for; a failure of any message ends the wait.
#[must_use = "futures do nothing unless awaited"]
pub struct Wait<'a, L> {
    port: &'a Port,
    ops: L,
    /// Whether the messages were just posted and counted in `needed`: then the first poll has
    /// nothing to look up.
    counted: bool,
}

impl<L: AsRef<[Op]> + Unpin> Future for Wait<'_, L> {
    type Output = Result<(), Error>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let needed = &self.port.shared.needed;
        if mem::take(&mut self.counted) && needed.load(Relaxed) > 0 {
            return Poll::Pending;
        }
        self.port.state().poll_ops(self.ops.as_ref(), needed)
    }
}

/// One collective call of this rank: an algorithm and its port.
///
/// The driver's loop, which [`Collective::advance`] also offers ready-made:
///
/// 1. [`Collective::poll`]; when ready, the collective is over.
/// 2. [`Collective::take_posted`], and start each message. A message may complete at once.
/// 3. [`Collective::complete`] for every message that ends, at any time; then poll again.
///
/// After an error some messages may still be under way; the driver cancels them and keeps the
/// value until [`Collective::in_flight`] is 0, or drops it and thereby leaks scratch memory.
pub struct Collective {
    port: Port,
    running: Option<Running>,
}

impl Collective {
    /// Starts an algorithm of this crate; nothing is posted before the first poll.
    ///
    /// `port` must be the one that `running` was made with.
    pub fn new(port: Port, running: Running) -> Collective {
        Collective {
            port,
            running: Some(running),
        }
    }

    /// Lets the algorithm go on as far as it can.
    ///
    /// User-defined operators run in here, so the driver must hold no lock that they could want.
    ///
    /// # Errors
    /// The first error that the algorithm met.
    ///
    /// # Panics
    /// When polled again after it was ready.
    pub fn poll(&mut self) -> Poll<Result<(), Error>> {
        let running = self
            .running
            .as_mut()
            .expect("a collective that is not over");
        if !self.port.is_runnable() {
            return Poll::Pending;
        }
        let result = running
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        if result.is_ready() {
            self.running = None;
        }
        result
    }

    /// Moves the messages to be started into `into`, in the order in which they must match.
    pub fn take_posted(&mut self, into: &mut Vec<Posted>) {
        let posted = &mut self.port.state().posted;
        if into.is_empty() {
            mem::swap(into, posted);
        } else {
            into.append(posted);
        }
    }

    /// Reports the end of a message: the bytes moved, or why it failed.
    ///
    /// # Panics
    /// When `slot` names no message in flight.
    pub fn complete(&mut self, slot: u32, result: Result<usize, Failure>) {
        self.port
            .state()
            .complete(slot, result, &self.port.shared.needed);
    }

    /// Ends the algorithm with an error that is no message's, at the next poll. Messages in flight
    /// stay so: the scratch memory that they use is not released before they complete.
    pub fn fail(&mut self, error: Error) {
        self.port.state().error.get_or_insert(error);
        self.port.shared.needed.store(0, Relaxed);
    }

    /// Polls and starts messages until nothing more can be done now.
    ///
    /// `start` begins one message and returns its result if it completed at once.
    ///
    /// # Errors
    /// See [`Collective::poll`].
    pub fn advance(
        &mut self,
        posted: &mut Vec<Posted>,
        mut start: impl FnMut(Posted) -> Option<Result<usize, Failure>>,
    ) -> Poll<Result<(), Error>> {
        loop {
            if let Poll::Ready(result) = self.poll() {
                return Poll::Ready(result);
            }
            self.take_posted(posted);
            for message in posted.drain(..) {
                let slot = message.slot;
                if let Some(result) = start(message) {
                    self.complete(slot, result);
                }
            }
            if !self.is_runnable() {
                return Poll::Pending;
            }
        }
    }

    /// Whether all messages that the algorithm waits for have completed, so that a poll makes
    /// progress.
    pub fn is_runnable(&self) -> bool {
        self.port.is_runnable()
    }

    /// Number of messages that were posted and have not completed.
    pub fn in_flight(&self) -> usize {
        self.port.state().in_flight
    }

    /// Returns the port, ready for the next collective; `None` when messages are still in flight.
    pub fn into_port(mut self) -> Option<Port> {
        self.running = None;
        self.take_port()
    }

    /// Takes the port of a collective that is over, ready for the next one; `None` when messages
    /// are still in flight.
    pub fn take_port(&mut self) -> Option<Port> {
        if self.running.is_some() || !self.port.state().reset() {
            return None;
        }
        self.port.shared.needed.store(0, Relaxed);
        Some(mem::take(&mut self.port))
    }
}

/// The state of a posted message.
#[derive(Default)]
enum Slot {
    #[default]
    Free,
    Pending {
        peer: Peer,
        kind: Kind,
        bytes: usize,
        awaited: bool,
    },
    Done,
}

#[derive(Default)]
struct State {
    slots: Vec<Slot>,
    free: Vec<u32>,
    posted: Vec<Posted>,
    in_flight: usize,
    /// The first failure: it ends whatever the algorithm is waiting for.
    error: Option<Error>,
    arena: Arena,
}

impl State {
    fn post(&mut self, kind: Kind, peer: Peer, buffer: &Buffer, awaited: bool) -> Op {
        let pending = Slot::Pending {
            peer,
            kind,
            bytes: buffer.len(),
            awaited,
        };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = pending;
                slot
            }
            None => {
                self.slots.push(pending);
                self.slots.len() as u32 - 1
            }
        };
        self.in_flight += 1;
        self.posted.push(Posted {
            slot,
            kind,
            peer,
            buffer: buffer.clone(),
        });
        Op(slot)
    }

    fn complete(&mut self, slot: u32, result: Result<usize, Failure>, needed: &AtomicUsize) {
        let entry = &mut self.slots[slot as usize];
        let Slot::Pending {
            peer,
            kind,
            bytes,
            awaited,
        } = *entry
        else {
            panic!("slot {slot} completed without being under way");
        };
        let error = match result {
            Err(source) => Some(Error::Message {
                peer,
                sending: kind == Kind::Send,
                source,
            }),
            Ok(received) if kind == Kind::Recv && received != bytes => Some(Error::Length {
                peer,
                expected: bytes,
                received,
            }),
            Ok(_) => None,
        };
        *entry = Slot::Done;
        self.in_flight -= 1;
        if error.is_some() {
            needed.store(0, Relaxed);
            self.error = self.error.take().or(error);
        } else if awaited {
            needed.store(needed.load(Relaxed).saturating_sub(1), Relaxed);
        }
    }

    fn poll_ops(&mut self, ops: &[Op], waiting_for: &AtomicUsize) -> Poll<Result<(), Error>> {
        if let Some(error) = self.error.take() {
            return Poll::Ready(Err(error));
        }
        let mut needed = 0;
        for op in ops {
            match &mut self.slots[op.0 as usize] {
                Slot::Pending { awaited, .. } => {
                    *awaited = true;
                    needed += 1;
                }
                Slot::Done => {}
                Slot::Free => unreachable!("an `Op` is awaited once"),
            }
        }
        waiting_for.store(needed, Relaxed);
        if needed > 0 {
            return Poll::Pending;
        }
        for op in ops {
            self.slots[op.0 as usize] = Slot::Free;
            self.free.push(op.0);
        }
        Poll::Ready(Ok(()))
    }

    fn scratch(&mut self, len: usize) -> UserBuf {
        self.arena.cut(len)
    }

    /// Resets the port after a collective; false when messages are still in flight.
    fn reset(&mut self) -> bool {
        if self.in_flight > 0 {
            return false;
        }
        self.slots.clear();
        self.free.clear();
        self.posted.clear();
        self.error = None;
        self.arena.reset();
        true
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if self.in_flight > 0 {
            // A message in flight may still write to this memory: losing it is the lesser evil.
            mem::forget(mem::take(&mut self.arena));
        }
    }
}

/// The scratch memory of a port: one small piece cut up, and large ones cached for reuse.
#[derive(Default)]
struct Arena {
    small: Option<Scratch>,
    small_used: usize,
    in_use: Vec<Scratch>,
    idle: Vec<Scratch>,
}

impl Arena {
    fn cut(&mut self, len: usize) -> UserBuf {
        let from = self.small_used.next_multiple_of(SCRATCH_ALIGN);
        if from + len.min(ARENA_BYTES) <= ARENA_BYTES && len <= ARENA_BYTES {
            let small = self.small.get_or_insert_with(|| Scratch::new(ARENA_BYTES));
            self.small_used = from + len;
            return small.buf().part(from, len);
        }
        let fitting = self.idle.iter().position(|piece| piece.buf().len() >= len);
        let piece = match fitting {
            Some(index) => self.idle.swap_remove(index),
            None => Scratch::new(len),
        };
        let memory = piece.buf().part(0, len);
        self.in_use.push(piece);
        memory
    }

    fn reset(&mut self) {
        self.small_used = 0;
        self.idle.append(&mut self.in_use);
        let mut kept = 0;
        self.idle.retain(|piece| {
            let bytes = piece.buf().len();
            let keep = kept + bytes <= SCRATCH_KEPT_MAX;
            kept += if keep { bytes } else { 0 };
            keep
        });
    }
}
