//! Puts and gets of windows by the lanes' own access to memory.
//!
//! An access that a lane takes is reported to `osc` when it is done; one that finds it busy waits
//! here; one that it refuses is sent by `osc` in messages. Its token has a bit that distinguishes
//! it from the reads of messages.

use base::{PeerId, Rank};
use bml::{Exposed, RemoteMemory};
use btl::{Error as LaneError, Flow, Least, Started};
use mca::Framework;
use memory::UserBuf;
use osc::{Access, OpId, Piece, WindowId};
use pml::Pml;

use crate::accesses::{token_of, Parked};
use crate::ob1::Ob1;
use crate::pml::Core;

impl Core {
    /// Makes a window's memory reachable over the lanes that can; `None` over a network that
    /// matches. Ends with [`Core::withdraw_window`].
    pub fn expose_window(&mut self, memory: UserBuf) -> Option<Exposed> {
        let access = btl::Access {
            read: true,
            write: true,
        };
        Some(self.lanes_mut()?.bml.expose_natively(memory, access))
    }

    /// Ends what [`Core::expose_window`] began.
    pub fn withdraw_window(&mut self, exposed: Exposed) {
        if let Some(lanes) = self.lanes_mut() {
            lanes.bml.withdraw(exposed);
        }
    }

    /// Returns the lane that puts into a peer's memory and gets from it by itself, and from how
    /// many bytes on that is faster than messages, if the peer is there for these.
    ///
    /// # Errors
    /// Why no lane does: one clause.
    pub fn window_lane(&self, peer: PeerId) -> Result<(&'static str, Least), String> {
        let Some(lanes) = self.lanes() else {
            return Err("messages go over a network that matches".into());
        };
        let Some(caps) = lanes.bml.rma_caps(peer) else {
            return Err("no transport reaches its memory".into());
        };
        let (name, hints) = (caps.name, lanes.bml.hints(peer));
        let does = |limits: Option<btl::RmaLimits>, emulated: bool| {
            limits.is_some_and(|limits| limits.alignment == 1) && !emulated
        };
        if !does(caps.get, caps.emulated.get) || !hints.reads {
            return Err(format!("{name} does not read its memory"));
        }
        if !does(caps.put, caps.emulated.put) {
            return Err(format!("{name} does not write into its memory"));
        }
        Ok((name, hints.transfer_min))
    }

    /// Returns the memory that a peer has exposed, by its pack, where [`Core::window_lane`] reaches
    /// it; with the bytes that this returns.
    ///
    /// # Errors
    /// Why it cannot be reached: one clause.
    pub fn import_window(
        &self,
        peer: PeerId,
        pack: &[u8],
    ) -> Result<(RemoteMemory, Least), String> {
        let (name, sooner) = self.window_lane(peer)?;
        let Some(lanes) = self.lanes() else {
            return Err("it is reached by messages".into());
        };
        let memory = lanes
            .bml
            .import(peer, pack)
            .map_err(|why| why.to_string())?;
        match memory.is_native() {
            true => Ok((memory, sooner)),
            false => Err(format!("its memory is not registered with {name}")),
        }
    }
}

impl Ob1 {
    /// Offers a contiguous put or get to the target's lane.
    #[inline(never)]
    pub(super) fn lane_now(
        &mut self,
        at: (WindowId, Rank),
        access: &Access,
        memory: &RemoteMemory,
    ) -> osc::AccessStart {
        let (bml, lands) = (&mut self.bml, memory.puts_land());
        let puts = access.verb.puts() == Some(true);
        self.osc
            .lane_now(at, access, lands, |peer, operation, piece| {
                let (there, token) = (memory.at(piece.offset), token_of(operation));
                match puts {
                    true => bml.put(peer, piece.local, there, token).ok(),
                    false => bml.get(peer, piece.local, there, token).ok(),
                }
            })
    }

    /// Begins a put or a get that the target's lane does in pieces.
    pub(super) fn begin_pieces(
        &mut self,
        (window, target): (WindowId, Rank),
        access: &Access,
        memory: &RemoteMemory,
        held: bool,
    ) -> OpId {
        let mut pieces = std::mem::take(&mut self.lanes.pieces);
        pieces.clear();
        access.cut(&mut pieces);
        let (puts, count) = (access.verb.puts() == Some(true), pieces.len());
        let access = access.clone();
        let begun = self.osc.begin_on_lane(window, target, access, held, count);
        self.move_pieces(begun, puts, memory, &pieces);
        self.lanes.pieces = pieces;
        begun
    }

    fn move_pieces(&mut self, operation: OpId, puts: bool, memory: &RemoteMemory, of: &[Piece]) {
        let Some(peer) = self.osc.peer_of(operation) else {
            return;
        };
        for piece in of {
            if !self.move_piece((operation, peer, puts), piece, memory) {
                self.lanes.parked.push_back(Parked {
                    operation,
                    peer,
                    puts,
                    piece: *piece,
                    memory: *memory,
                });
            }
        }
        if self.osc.has_frames() {
            self.offer_accesses();
        }
    }

    /// Hands a piece to its lane. False when that is busy.
    fn move_piece(
        &mut self,
        (operation, peer, puts): (OpId, PeerId, bool),
        piece: &Piece,
        memory: &RemoteMemory,
    ) -> bool {
        let token = token_of(operation);
        let remote = memory.at(piece.offset);
        let started = match puts {
            true => self.bml.put(peer, piece.local, remote, token),
            false => self.bml.get(peer, piece.local, remote, token),
        };
        match started {
            Ok(Started::Done) => drop(self.osc.lane_done(operation)),
            Ok(Started::Pending) => {}
            Ok(Started::Busy) => return false,
            Err(error) => self.access_failed(operation, error),
        }
        true
    }

    /// Takes the error of a lane that has not done an access, or a part of one.
    #[cold]
    pub(crate) fn access_failed(&mut self, operation: OpId, error: LaneError) {
        let why = error.to_string();
        match error {
            LaneError::PeerGone { peer, how } => self.peer_failed(peer, &how),
            error => Framework::Osc.info(format_args!("a lane refuses an access: {error}")),
        }
        self.osc.lane_failed(operation, why);
    }

    /// Hands over what waited for busy lanes, and flushes those that are due. Returns how much
    /// happened.
    #[cold]
    pub(crate) fn serve_lanes(&mut self) -> usize {
        let mut happened = 0;
        for _ in 0..self.lanes.parked.len() {
            let Some(parked) = self.lanes.parked.pop_front() else {
                break;
            };
            let over = self.osc.is_done(parked.operation);
            let of = (parked.operation, parked.peer, parked.puts);
            if !over && !self.move_piece(of, &parked.piece, &parked.memory) {
                // Another peer's turn is next, when something has happened: to offer all that waits
                // at each poll takes longer than what they wait for.
                self.lanes.parked.push_back(parked);
                break;
            }
            happened += 1;
        }
        happened + self.serve_steps() + self.flush_lanes()
    }

    fn flush_lanes(&mut self) -> usize {
        let (mut happened, mut at) = (0, 0);
        while let Some((window, target, peer)) = self.osc.unflushed(at) {
            let outcome = match self.bml.flush(peer) {
                Ok(Flow::Busy) => {
                    at += 1;
                    continue;
                }
                Ok(Flow::Sent) => Ok(()),
                Err(error) => Err(error.why()),
            };
            if let Err(why) = &outcome {
                self.peer_failed(peer, why);
            }
            self.osc.flushed(window, target, outcome);
            happened += 1;
        }
        if at == 0 {
            self.osc.await_pieces();
        }
        happened
    }
}
