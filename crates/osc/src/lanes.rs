//! Operations that a transport does by itself: puts into the target's memory and gets from it,
//! without the target's help.
//!
//! The driver of an [`Osc`] decides which operations take this path, cuts them into pieces and
//! hands these to a lane. Here they are counted beside those that go by messages, and
//! synchronisation waits for both: a lane's part first, since the release of a lock, or the control
//! message that ends an epoch, must not arrive before the bytes. An operation that a lane refuses
//! goes by messages after all: putting the same bytes twice does no harm.

use ::memory::UserBuf;
use base::{Key, PeerId, Rank};

use crate::order::Carrier;
use crate::origin::{Access, OpId, Operation, Place};
use crate::peer::Item;
use crate::{Error, Osc, WindowId};

/// Pieces examined before it is clear whether an operation is worth a lane.
const LOOKED_AT: usize = 8;

/// Bytes that a lane moves in one act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The local source or destination.
    pub local: UserBuf,
    /// Offset from the beginning of the target's window, in bytes.
    pub offset: u64,
}

impl Access {
    /// Returns whether bytes go to the target, where a lane can do the access; else `None`.
    pub fn puts(&self) -> Option<bool> {
        match self {
            Access::Put { .. } => Some(true),
            Access::Get { .. } => Some(false),
            Access::Accumulate { .. } | Access::CompareAndSwap { .. } => None,
        }
    }

    /// Appends the pieces of a put or a get in a window addressed by offsets. False, and nothing of
    /// use, where they would have less than `least` bytes on average.
    pub fn cut(&self, Place(place): &Place, least: usize, into: &mut Vec<Piece>) -> bool {
        let local = match self {
            Access::Put { from } => from,
            Access::Get { into } => into,
            _ => return false,
        };
        let len = place.len();
        if len == 0 || local.len() != len {
            return false;
        }
        if let (Some(local), Some(place)) = (local.contiguous(), place.contiguous()) {
            let offset = place.address().addr() as u64;
            into.push(Piece { local, offset });
            return true;
        }
        let least = least.max(1);
        let (mut here, mut there) = (Vec::new(), Vec::new());
        // Data in small pieces is mostly so from the start, and not expanded any further.
        for part in [len.min(least.saturating_mul(LOOKED_AT)), len] {
            here.clear();
            there.clear();
            local.segments(0, part, &mut here);
            place.segments(0, part, &mut there);
            if here.len().max(there.len()) > part / least + 1 {
                return false;
            }
        }
        pair(&here, &there, into);
        true
    }
}

/// Returns the carrier of a lane's puts, or gets.
#[inline]
pub(crate) fn carrier(puts: bool) -> Carrier {
    match puts {
        true => Carrier::LanePut,
        false => Carrier::LaneGet,
    }
}

/// Cuts two lists of contiguous runs alike.
fn pair(here: &[UserBuf], there: &[UserBuf], into: &mut Vec<Piece>) {
    let (mut there, mut used) = (there.iter(), 0);
    let mut far = there.next().copied();
    for local in here {
        let mut at = 0;
        while at < local.len() {
            let Some(place) = far else { return };
            let len = (local.len() - at).min(place.len() - used);
            into.push(Piece {
                local: local.part(at, len),
                offset: place.address().addr() as u64 + used as u64,
            });
            at += len;
            used += len;
            if used == place.len() {
                (far, used) = (there.next().copied(), 0);
            }
        }
    }
}

impl Osc {
    /// Begins a put or a get that [`Osc::may_begin`] allows and that a lane does in `pieces`
    /// pieces, at least one. Each is to be reported by [`Osc::piece_done`]. For `held` see
    /// [`Osc::begin`].
    pub fn begin_on_lane(
        &mut self,
        window: WindowId,
        rank: Rank,
        access: Access,
        Place(place): Place,
        held: bool,
        pieces: usize,
    ) -> OpId {
        let puts = access.puts() == Some(true);
        let len = place.len();
        let target = self.window(window).target(rank);
        target.open += 1;
        target.enter_lane(carrier(puts));
        if puts {
            target.flush.put();
        }
        let (peer, name) = (target.peer, target.name);
        let mut operation = Operation::new(window, rank, (peer, name), access, place, (len, held));
        operation.on_lane = true;
        operation.pieces = pieces;
        let key = self.operations.insert(operation);
        if let Err(error) = self.check_peer(peer) {
            self.finish(key, Err(error));
        }
        OpId(key)
    }

    /// Takes the end of a piece that a lane has done, or with `moved` false has refused; or of a
    /// step of an accumulate that it has done: [`Osc::step_failed`] takes those that it refuses.
    pub fn piece_done(&mut self, OpId(key): OpId, moved: bool) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        if operation.course.is_some() {
            return self.step_done(key);
        }
        if operation.pieces == 0 {
            return;
        }
        operation.pieces -= 1;
        operation.refused |= !moved;
        match (operation.pieces, operation.refused) {
            (0, false) if operation.is_unheard() => self.drop_moved(key),
            (0, false) => self.finish(key, Ok(())),
            (0, true) => self.go_by_messages(key),
            _ => {}
        }
    }

    /// Ends an operation that a lane has done and nobody queries: the fast path of [`Osc::finish`].
    fn drop_moved(&mut self, key: Key) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let (window, rank, carrier) = (operation.window, operation.target, operation.carrier());
        self.operations.discard(key);
        if let Some(window) = self.windows.get_mut(window.0) {
            let target = window.target(rank);
            target.open -= 1;
            target.leave_lane(carrier);
        }
        self.flush_due = !self.unflushed.is_empty();
    }

    /// Does by messages what a lane has refused.
    #[cold]
    fn go_by_messages(&mut self, key: Key) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        if operation.ended.is_some() {
            return;
        }
        let carrier = operation.carrier();
        operation.on_lane = false;
        let (window, rank, peer) = (operation.window, operation.target, operation.peer);
        let reads = operation.reads();
        let target = self.window(window).target(rank);
        target.leave_lane(carrier);
        self.flush_due = !self.unflushed.is_empty();
        self.peer(peer).requests.push_back(Item::Operation(key));
        self.list(peer);
        if !reads {
            // Somebody may wait for it already, and has asked for no confirmation.
            self.window(window).target(rank).unconfirmed.access();
            self.begin_confirm(window, rank);
        }
    }

    /// Has the lane's accesses to a target flushed, where there are any; returns whether a flush is
    /// under way. See [`Osc::unflushed`].
    pub(crate) fn begin_flush_lane(&mut self, window: WindowId, rank: Rank) -> bool {
        let target = self.window(window).target(rank);
        let busy = target.on_lane > 0;
        if target.flush.begun(busy) {
            self.unflushed.push((window, rank));
            self.flush_due = true;
        }
        self.window(window).target(rank).flush.is_under_way()
    }

    /// Whether lanes are to be flushed, and some of them may be by now.
    #[inline]
    pub fn has_unflushed(&self) -> bool {
        self.flush_due
    }

    /// Whether anything waits for a lane's flush.
    pub fn awaits_flush(&self) -> bool {
        !self.unflushed.is_empty()
    }

    /// Records that all lanes to be flushed wait for pieces: [`Osc::has_unflushed`] is false until
    /// one has ended, so that a waiter need not test again and again.
    pub fn await_pieces(&mut self) {
        self.flush_due = false;
    }

    /// Returns the `at`th target whose lane is to be flushed and has done all its pieces;
    /// [`Osc::flushed`] reports its flush.
    pub fn unflushed(&self, at: usize) -> Option<(WindowId, Rank, PeerId)> {
        let due = |&(window, rank): &(WindowId, Rank)| {
            let state = self.windows.get(window.0)?;
            let target = &state.targets[rank.index()];
            (target.on_lane == 0).then_some((window, rank, target.peer))
        };
        self.unflushed.iter().filter_map(due).nth(at)
    }

    /// Records that everything that a lane did at a target is there; or cannot be, with why.
    pub fn flushed(&mut self, window: WindowId, rank: Rank, outcome: Result<(), String>) {
        self.unflushed.retain(|due| *due != (window, rank));
        self.flush_due = !self.unflushed.is_empty();
        let Some(state) = self.windows.get_mut(window.0) else {
            return;
        };
        let target = state.target(rank);
        let then_unlock = target.flush.flushed();
        if let Err(why) = outcome {
            let peer = target.peer;
            target.note(Error::PeerFailed { peer, why });
        }
        if then_unlock {
            self.send_unlock(window, rank);
        }
    }
}

#[cfg(test)]
mod tests {
    use ::memory::Scratch;
    use datatype::Buffer;

    use super::*;

    /// Stretches of a buffer as (from, length).
    fn stretches(of: &Scratch, parts: &[(usize, usize)]) -> Vec<UserBuf> {
        let part = |&(at, len): &(usize, usize)| of.buf().part(at, len);
        parts.iter().map(part).collect()
    }

    #[test]
    fn two_lists_of_stretches_are_cut_alike() {
        let (near, far) = (Scratch::new(100), Scratch::new(100));
        let here = stretches(&near, &[(0, 10), (20, 5), (40, 15)]);
        let there = stretches(&far, &[(50, 12), (0, 18)]);
        let mut pieces = Vec::new();
        pair(&here, &there, &mut pieces);
        let base = (
            near.buf().address().addr(),
            far.buf().address().addr() as u64,
        );
        let plain = |piece: &Piece| {
            let at = piece.local.address().addr() - base.0;
            (at, piece.offset - base.1, piece.local.len())
        };
        let plain: Vec<_> = pieces.iter().map(plain).collect();
        let expected = [(0, 50, 10), (20, 60, 2), (22, 0, 3), (40, 3, 15)];
        assert_eq!(plain, expected);
    }

    #[test]
    fn what_is_short_or_in_small_pieces_is_not_cut() {
        let memory = Scratch::new(4096);
        let byte = datatype::predefined(0x209).unwrap();
        let vector = datatype::Datatype::vector(64, 1, 4, byte).unwrap();
        let gaps = Buffer::over(memory.buf(), 1, &std::sync::Arc::new(vector)).unwrap();
        let whole = Buffer::bytes(memory.buf().part(0, gaps.len()));
        let put = Access::Put {
            from: whole.clone(),
        };
        let mut pieces = Vec::new();
        assert!(!put.cut(&Place(gaps.clone()), 64, &mut pieces));
        assert!(put.cut(&Place(gaps), 1, &mut pieces));
        assert_eq!(pieces.len(), 64);
        pieces.clear();
        assert!(put.cut(&Place(whole), 1 << 20, &mut pieces));
        assert_eq!(pieces.len(), 1);
        let short = Buffer::bytes(memory.buf().part(0, 8));
        assert!(
            !put.cut(&Place(short), 1, &mut pieces),
            "as long as its origin"
        );
    }
}
