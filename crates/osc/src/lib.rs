//! One-sided communication by active messages (the component `am` of the framework `osc`).
//!
//! An [`Osc`] is the state of one process; it performs no I/O and knows no clock. Its driver
//! (`engine`) calls it as it calls the PML:
//!
//! * `open_window`, `join` and `close_window` bracket a window;
//! * `begin_*` starts something, `is_*` asks how it stands; what blocks in MPI is made of both;
//! * [`Osc::arrived`] hands in what a transport received, [`Osc::peer_failed`] what it saw;
//! * [`Osc::next_frame`] and [`Osc::frame_sent`] drain what is to be sent: who handles an arrival
//!   cannot send, and leaves an answer in a peer's queue;
//! * [`Osc::say_plainly`] makes the message of a simple access, to go past the empty queues;
//! * [`Osc::leave`] says what its lane is to do, where that does it;
//! * [`Osc::ahead`] gives the answer to what has just come past them, too.
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
//! Messages of one process to another are handled in the order in which they were sent, so
//! accumulates keep it, one question confirms everything before it, and `Complete` needs no answer.
//! Requests are executed one after the other, as they arrive: each element is accessed atomically
//! (MPI 5.0, 12.7.1). What is not a message keeps that order, too (`order`).
//!
//! **The origin spells its target's datatype out** as runs of equal stretches (`wire`). A target
//! needs no description of types, and what a broken peer can say is no more than a list of ranges,
//! each of which is checked.
//!
//! What a target may have to keep for an origin is bounded: an origin asks for a window of bytes
//! only, and goes on when they are there.
#![forbid(unsafe_code)]

mod ahead;
mod answers;
mod check;
mod epoch;
mod error;
mod lanes;
mod locks;
mod memory;
mod moves;
mod order;
mod origin;
mod peer;
mod plain;

mod runs;
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

pub use crate::ahead::Ahead;
pub use crate::check::{Conflict, Party};
pub use crate::epoch::Ranks;
pub use crate::error::{Error, Violation};
pub use crate::lanes::Piece;
pub use crate::locks::Lock;
pub use crate::memory::Memory;
pub use crate::moves::{Far, Leaving, Motion, MoveId};
pub use crate::order::Carrier;
pub use crate::origin::{Access, OpId, Place};
pub use crate::peer::Frame;
pub use crate::plain::{Act, Flushed, Plainly, Stretch};
pub use crate::words::{Step, Word};

use crate::answers::Answer;
use crate::memory::Room;
use crate::moves::Move;
use crate::origin::Operation;
use crate::peer::Peer;
use crate::window::Window;
use crate::wire::Run;
use crate::words::Words;

/// A window of an [`Osc`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WindowId(Key);

impl WindowId {
    /// This process's name of the window, for the others to address it by.
    pub fn name(self) -> u64 {
        self.0.bits()
    }
}

/// The one-sided state of a process.
#[derive(Default)]
pub struct Osc {
    windows: Slab<Window>,
    operations: Slab<Operation>,
    /// What plain accesses wait for.
    answers: Slab<Answer>,
    /// Plain accesses that lanes do.
    moves: Slab<Move>,
    peers: Vec<Peer>,
    /// The answer that waits for the end of a poll.
    ahead: Option<Ahead>,
    /// Peers that something may be sent to.
    ready: Vec<PeerId>,
    /// Targets whose lanes are to be flushed.
    unflushed: Vec<(WindowId, Rank)>,
    /// Whether any of them may be flushed by now.
    flush_due: bool,
    /// What lanes are to do for accumulates.
    words: Words,
    /// Room for answers.
    spare: Vec<Vec<u8>>,
    /// Room for what is to be combined.
    room: Room,
    /// Room for the runs of one message.
    runs: Vec<Run>,
}

impl Osc {
    /// Opens a window over memory of this process. Nobody can reach it before [`Osc::join`].
    pub fn open_window(&mut self, memory: Memory) -> WindowId {
        WindowId(self.windows.insert(Window::new(memory)))
    }

    /// Tells who has the window, in rank order, each with its own name of it.
    pub fn join(&mut self, window: WindowId, members: &[(PeerId, u64)]) {
        if let Some(window) = self.windows.get_mut(window.0) {
            window.join(members);
        }
    }

    /// Has the accesses to a window compared with each other (`osc_check`); all its processes do so
    /// before they join it.
    pub fn check_conflicts(&mut self, window: WindowId) {
        self.window(window).check = Some(Box::default());
    }

    /// Says whether the window may be locked: not where its user said `no_locks`.
    pub fn allow_locks(&mut self, window: WindowId, allowed: bool) {
        self.window(window).epochs.allow_locks(allowed);
    }

    /// Closes a window; who addresses it from then on is in the wrong.
    pub fn close_window(&mut self, window: WindowId) {
        self.put_off();
        self.windows.remove(window.0);
        self.unflushed.retain(|(closed, _)| *closed != window);
    }

    /// Lets peers reach memory through a dynamic window.
    ///
    /// # Errors
    /// When the window is not dynamic, or the memory lies on what is attached already.
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

    /// Ends what [`Osc::attach`] began, of the region that begins at an address.
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

    /// Whether nothing that was begun is under way, in any window.
    pub fn is_idle(&self) -> bool {
        let by_messages = !self.operations.is_empty() || !self.answers.is_empty();
        let under_way = by_messages || !self.moves.is_empty();
        !under_way && !self.has_frames() && self.unflushed.is_empty()
    }

    /// The peers that owe something to accesses of this process: bytes, a confirmation, a lock. One
    /// may come several times.
    pub fn awaited(&self) -> impl Iterator<Item = PeerId> + '_ {
        let partners = self.windows.iter().flat_map(|(_, window)| &window.partners);
        let awaited = partners.filter(|partner| partner.is_awaited());
        awaited.map(|partner| partner.peer)
    }

    /// How many windows are open.
    pub fn open_windows(&self) -> usize {
        self.windows.len()
    }

    fn window(&mut self, window: WindowId) -> &mut Window {
        self.with_peers(window).0
    }

    /// A window, and what is known of all peers.
    fn with_peers(&mut self, window: WindowId) -> (&mut Window, &[Peer]) {
        let state = self.windows.get_mut(window.0);
        let state = state.expect("whoever has a window keeps it open");
        (state, &self.peers)
    }

    /// Whether a peer is known to have failed.
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

    /// A peer is gone: everything that needs it fails, and it holds no lock any more.
    pub fn peer_failed(&mut self, peer: PeerId, why: &str) {
        self.put_off();
        let state = self.peer(peer);
        *state = Peer::gone(why);
        self.ready.retain(|ready| *ready != peer);
        let lost = |(key, operation): (Key, &Operation)| (operation.peer == peer).then_some(key);
        let lost: Vec<Key> = self.operations.iter().filter_map(lost).collect();
        for key in lost {
            let why = why.to_string();
            self.finish(key, Err(Error::PeerFailed { peer, why }));
        }
        self.fail_answers(peer, why);
        self.fail_moves(peer, why);
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

    /// Forgets a peer that has left in good order, and may come back as another instance.
    pub fn forget_peer(&mut self, peer: PeerId) {
        self.put_off();
        if let Some(state) = self.peers.get_mut(peer.index()) {
            *state = Peer::default();
        }
        self.ready.retain(|ready| *ready != peer);
    }

    /// The rank that a peer has in a window.
    fn rank_of(&self, window: Key, peer: PeerId) -> Option<Rank> {
        let window = self.windows.get(window)?;
        window.rank(peer).map(Rank)
    }
}
