//! Puts and gets of windows by the lanes' own access to memory.
//!
//! An access that a lane takes is reported to `osc` when it is done; one that finds it busy waits
//! here; one that it refuses is sent by `osc` in messages. Tokens of pieces have a bit of their
//! own, which tells their ends from those of messages' reads, and those of fast-path accesses
//! (`moves`) a second one.

use base::{PeerId, Rank};
use bml::{Exposed, RemoteMemory};
use btl::{Error as LaneError, Flow, Least, Started};
use memory::UserBuf;
use osc::{Access, Carrier, OpId, Piece, Place, WindowId};
use pml::Pml;

use crate::accesses::{Ended, Parked, Way};
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

    /// Begins an operation that [`osc::Osc::may_begin`] allows, by the lane where it has a path and
    /// can, by messages otherwise. See [`osc::Osc::begin`].
    ///
    /// # Errors
    /// Returns the operation where it would overtake one before it, with its carrier: to be retried
    /// once it may follow ([`osc::Osc::may_follow`]).
    pub fn begin_access(
        &mut self,
        window: WindowId,
        target: Rank,
        (access, place): (Access, Place),
        way: Option<&Way>,
        held: bool,
    ) -> Result<Option<OpId>, (Carrier, Access, Place)> {
        if let Some(ob1) = self.lanes_mut() {
            if let Some(word) = ob1.word_of(window, target, &access, &place) {
                if !ob1.osc.may_follow(window, target, Carrier::Word) {
                    return Err((Carrier::Word, access, place));
                }
                let begun = ob1.begin_on_word(window, target, (access, place), word, held);
                return Ok(Some(begun));
            }
        }
        if let (Some(way), Some(ob1)) = (way, self.lanes_mut()) {
            if let Some(puts) = ob1.cut_in_order((window, target), way, &access, &place) {
                let pieces = std::mem::take(&mut ob1.lanes.pieces);
                let count = pieces.len();
                let osc = &mut ob1.osc;
                let begun = osc.begin_on_lane(window, target, access, place, held, count);
                ob1.move_pieces(begun, puts, &way.memory, &pieces);
                ob1.lanes.pieces = pieces;
                return Ok(Some(begun));
            }
        }
        let osc = self.osc();
        if !osc.may_follow(window, target, Carrier::Messages) {
            return Err((Carrier::Messages, access, place));
        }
        let begun = osc.begin(window, target, access, place, held);
        self.send_accesses();
        Ok(begun)
    }
}

impl Ob1 {
    /// Cuts an operation into the pieces that its lane is to move, where it takes that path: then
    /// returns whether it puts.
    fn cut_for_lane(&mut self, way: &Way, access: &Access, place: &Place) -> Option<bool> {
        let puts = access.puts()?;
        if !self.goes_by(way, puts, place.0.len()) {
            return None;
        }
        let pieces = &mut self.lanes.pieces;
        pieces.clear();
        let piece_min = way.piece_min.max(way.least(puts));
        access.cut(place, piece_min, pieces).then_some(puts)
    }

    /// Cuts an operation for its lane, where it does not overtake an earlier one.
    fn cut_in_order(
        &mut self,
        (window, target): (WindowId, Rank),
        way: &Way,
        access: &Access,
        place: &Place,
    ) -> Option<bool> {
        let puts = self.cut_for_lane(way, access, place)?;
        let carrier = match puts {
            true => Carrier::LanePut,
            false => Carrier::LaneGet,
        };
        let follows = self.osc.may_follow(window, target, carrier);
        follows.then_some(puts)
    }

    /// Whether a put or a get of `len` bytes goes by the lane.
    #[inline]
    pub(super) fn goes_by(&mut self, way: &Way, puts: bool, len: usize) -> bool {
        let yields = |peer| self.bml.prefers_messages(peer, len);
        len >= way.least(puts) && !way.yields_to.is_some_and(yields)
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
        let token = Ended::Piece(operation).token();
        let remote = memory.at(piece.offset);
        let started = match puts {
            true => self.bml.put(peer, piece.local, remote, token),
            false => self.bml.get(peer, piece.local, remote, token),
        };
        match started {
            Ok(Started::Done) => self.osc.piece_done(operation, true),
            Ok(Started::Pending) => {}
            Ok(Started::Busy) => return false,
            Err(error) => self.piece_failed(operation, error),
        }
        true
    }

    /// A lane has not moved a piece.
    #[cold]
    pub(crate) fn piece_failed(&mut self, operation: OpId, error: LaneError) {
        if self.osc.is_on_word(operation) {
            return self.step_failed(operation, error);
        }
        match error {
            LaneError::PeerGone { peer, how } => self.peer_failed(peer, &how),
            error => log::info!(target: "osc", "an access goes by messages: {error}"),
        }
        self.osc.piece_done(operation, false);
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
                Err(error) => Err(error.to_string()),
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
