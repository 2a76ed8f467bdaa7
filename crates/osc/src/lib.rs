//! One-sided communication by active messages (the component `am` of the framework `osc`).
//!
//! An [`Osc`] is the state of one process; it performs no I/O and knows no clock. Its driver
//! (`engine`) calls it as it calls the PML:
//!
//! * `open_window`, `join` and `close_window` bracket a window;
//! * `begin_*` starts something and `is_*` tests whether it is complete; a blocking MPI call is
//!   both;
//! * an [`Access`] starts by the carrier that [`choose`] names: at once by [`Osc::send_now`],
//!   [`Osc::lane_now`] or [`Osc::word_now`], or queued by [`Osc::begin`], [`Osc::begin_on_lane`] or
//!   [`Osc::begin_on_word`]; [`Osc::lane_done`] and [`Osc::lane_failed`] report what lanes did;
//! * [`Osc::arrived`] takes each received message, [`Osc::peer_failed`] each failure of a peer;
//! * [`Osc::next_frame`] and [`Osc::frame_sent`] drain the send queues: the handler of an arrival
//!   cannot send, and leaves its reply in the peer's queue;
//! * [`Osc::reply`] returns the reply to the message just handled, which bypasses the queues.
//!
//! ```text
//! origin                                    target
//! begin: the runs of the target's datatype
//!   Put, Accumulate, Get ... in pieces  ->  check every range, then do it
//!   Data                                <-  what a reading operation read
//!   Flush                               ->
//!   Ack                                 <-  so all before is done
//! ```
//!
//! A target handles the messages of one origin in the order in which they were sent, so accumulates
//! stay in order, one flush confirms everything before it, and `Complete` needs no reply. It
//! executes requests one after the other as they arrive: each element is accessed atomically (MPI
//! 5.0, 12.7.1). Accesses that are not messages keep that order, too (`order`).
//!
//! **The origin expands its target's datatype** into runs of equal contiguous blocks (`wire`). A
//! target needs no description of types, and a broken peer can send no more than a list of ranges,
//! each of which is checked.
//!
//! The memory that a target may have to buffer for an origin is bounded: an origin requests a
//! window of bytes at most, and more once those have arrived.
//!
//! **No load on a fast path may take bytes of several recent stores:** it would wait for the stores
//! to leave the processor. `cargo xtask test --only count` finds such loads.
//!
//! **Tests.** `tests/random` runs random programs over links that delay, refuse and reorder;
//! `tests/programs.rs` has damaged messages and deaths. `tests/c/rma_random.c` does random programs
//! over each transport, and `cargo xtask test --only rma-all` runs everything about windows over
//! every carrier.
#![forbid(unsafe_code)]

mod access;
mod check;
mod epoch;
mod error;
mod finish;
mod lanes;
mod locks;
mod memory;
mod operation;
mod order;
mod outbox;
mod permit;
mod phase;
mod runs;
mod send;
mod service;
mod start;
mod steps;
mod sync;
mod target;
mod turns;
mod window;
mod words;

#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod wire;

use ::memory::UserBuf;
use base::{Key, PeerId, Rank, Slab};

pub use crate::access::{Access, Piece, TargetBytes, Verb};
pub use crate::check::{Conflict, Party};
pub use crate::epoch::Ranks;
pub use crate::error::Error;
pub use crate::finish::Flushed;
pub use crate::locks::Lock;
pub use crate::memory::Memory;
pub use crate::operation::{LaneStep, OpId};
pub use crate::order::{choose, Carrier, LaneMin, Reach, Shared};
pub use crate::outbox::{Frame, Reply};
pub use crate::permit::{Permit, Permits};
pub use crate::start::AccessStart;
pub use crate::window::WindowId;
pub use crate::wire::Violation;
pub use crate::words::TargetWord;

use crate::memory::ScratchBuffer;
use crate::operation::Operation;
use crate::outbox::Peer;
use crate::steps::StepQueue;
use crate::window::Window;
use crate::wire::Run;

/// The one-sided state of a process.
#[derive(Default)]
pub struct Osc {
    windows: Slab<Window>,
    operations: Slab<Operation>,
    peers: Vec<Peer>,
    /// The message that waits for the end of a poll.
    reply: Option<Reply>,
    /// Peers that something may be sent to.
    ready: Vec<PeerId>,
    /// Targets whose lanes are to be flushed.
    unflushed: Vec<(WindowId, Rank)>,
    /// Whether any target in `unflushed` may be flushed by now.
    flush_due: bool,
    /// Steps of accumulates for lanes.
    steps: StepQueue,
    /// Buffers for replies.
    spare: Vec<Vec<u8>>,
    /// Buffer for data to be combined.
    room: ScratchBuffer,
    /// Buffer for the runs of one message.
    runs: Vec<Run>,
}

impl Osc {
    /// Opens a window over memory of this process. No peer can reach it before [`Osc::join`].
    pub fn open_window(&mut self, memory: Memory) -> WindowId {
        WindowId(self.windows.insert(Window::new(memory)))
    }

    /// Sets the processes of the window, in rank order, each with its own name of it.
    pub fn join(&mut self, window: WindowId, members: &[(PeerId, u64)]) {
        if let Some(window) = self.windows.get_mut(window.0) {
            window.join(members);
        }
    }

    /// Returns what the open epochs of a window allow, from [`Osc::join`] on.
    pub fn permits(&mut self, window: WindowId) -> Permits {
        self.window(window).epochs.permits().clone()
    }

    /// Has the accesses to a window compared with each other (`osc_check`); all its processes must
    /// do so before they join it.
    pub fn check_conflicts(&mut self, window: WindowId) {
        self.window(window).check = Some(Box::default());
    }

    /// Sets whether the window may be locked: not where the user passed `no_locks`.
    pub fn allow_locks(&mut self, window: WindowId, allowed: bool) {
        self.window(window).epochs.allow_locks(allowed);
    }

    /// Closes a window; a peer that addresses it from then on is in error.
    pub fn close_window(&mut self, window: WindowId) {
        self.queue_reply();
        self.windows.remove(window.0);
        self.unflushed.retain(|(closed, _)| *closed != window);
    }

    /// Lets peers access memory through a dynamic window.
    ///
    /// # Errors
    /// When the window is not dynamic, or the memory overlaps what is attached already.
    pub fn attach(&mut self, window: WindowId, region: UserBuf) -> Result<(), Error> {
        let regions = self.regions(window)?;
        let begin = |region: &UserBuf| region.address().addr();
        let end = |region: &UserBuf| begin(region).saturating_add(region.len());
        let overlaps =
            |other: &&UserBuf| begin(other) < end(&region) && begin(&region) < end(other);
        if let Some(other) = regions.iter().find(overlaps) {
            let text = format!("{region:?} lies on {other:?}, which is attached already");
            return Err(Error::Attach(text));
        }
        regions.push(region);
        Ok(())
    }

    /// Detaches the region that begins at an address.
    ///
    /// # Errors
    /// When the window is not dynamic, or no attached region begins there.
    pub fn detach(&mut self, window: WindowId, address: usize) -> Result<(), Error> {
        let regions = self.regions(window)?;
        let found = regions
            .iter()
            .position(|region| region.address().addr() == address);
        let Some(found) = found else {
            let text = format!("no attached memory begins at {address:#x}");
            return Err(Error::Attach(text));
        };
        regions.remove(found);
        Ok(())
    }

    fn regions(&mut self, window: WindowId) -> Result<&mut Vec<UserBuf>, Error> {
        match &mut self.window(window).memory {
            Memory::Attached(regions) => Ok(regions),
            Memory::Fixed(_) => Err(Error::Attach("the window is not dynamic".into())),
        }
    }

    /// Whether nothing is under way in any window.
    pub fn is_idle(&self) -> bool {
        self.operations.is_empty() && !self.has_frames() && self.unflushed.is_empty()
    }

    /// Returns the peers that this process waits for: for bytes, a confirmation or a lock. A peer
    /// may occur several times.
    pub fn awaited(&self) -> impl Iterator<Item = PeerId> + '_ {
        let targets = self.windows.iter().flat_map(|(_, window)| &window.targets);
        let awaited = targets.filter(|target| target.is_awaited());
        awaited.map(|target| target.peer)
    }

    /// Returns the number of open windows.
    pub fn open_windows(&self) -> usize {
        self.windows.len()
    }

    fn window(&mut self, window: WindowId) -> &mut Window {
        self.with_peers(window).0
    }

    /// Returns a window, and the state of all peers.
    fn with_peers(&mut self, window: WindowId) -> (&mut Window, &[Peer]) {
        let state = self.windows.get_mut(window.0);
        let state = state.expect("whoever has a window keeps it open");
        (state, &self.peers)
    }

    /// Checks that a peer is not known to have failed.
    fn check_peer(&self, peer: PeerId) -> Result<(), Error> {
        let known = self.peers.get(peer.index());
        match known.and_then(|known| known.failed.as_ref()) {
            None => Ok(()),
            Some(why) => Err(Error::PeerFailed {
                peer,
                why: why.clone(),
            }),
        }
    }

    /// Fails everything that needs a peer, which is gone, and releases its locks.
    pub fn peer_failed(&mut self, peer: PeerId, why: &str) {
        self.queue_reply();
        let state = self.peer(peer);
        *state = Peer::gone(why);
        self.ready.retain(|ready| *ready != peer);
        let lost = |(key, operation): (Key, &Operation)| (operation.peer == peer).then_some(key);
        let lost: Vec<Key> = self.operations.iter().filter_map(lost).collect();
        for key in lost {
            let why = why.to_string();
            self.finish(key, Err(Error::PeerFailed { peer, why }));
        }
        let held = |(key, window): (Key, &Window)| Some((key, window.rank(peer)?));
        let held: Vec<(Key, u32)> = self.windows.iter().filter_map(held).collect();
        for (key, rank) in held {
            if let Some(window) = self.windows.get_mut(key) {
                window.locks.forget(rank);
                if let Some(check) = &mut window.check {
                    check.forget(rank);
                }
            }
            self.grant_locks(key);
        }
    }

    /// Forgets a peer that has left in good order, and may return as another instance.
    pub fn forget_peer(&mut self, peer: PeerId) {
        self.queue_reply();
        if let Some(state) = self.peers.get_mut(peer.index()) {
            *state = Peer::default();
        }
        self.ready.retain(|ready| *ready != peer);
    }

    /// Returns the rank of a peer in a window.
    fn rank_of(&self, window: Key, peer: PeerId) -> Option<Rank> {
        let window = self.windows.get(window)?;
        window.rank(peer).map(Rank)
    }
}
