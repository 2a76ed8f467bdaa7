//! Pending accesses to windows by lanes: their tokens, and those that wait for a busy lane.

use std::collections::VecDeque;

use base::PeerId;
use bml::{RemoteMemory, WordLane};
use btl::{Least, RemoteKey, Token};
use osc::{MoveId, OpId, Osc, Piece, WindowId};

/// Marks tokens of pieces. A table has fewer slots than this bit counts.
const OF_WINDOWS: u64 = 1 << 31;

/// A target's memory, as a lane reaches it.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The memory, as the lane knows it.
    pub memory: RemoteMemory,
    /// Bytes of an operation from which on it takes this path.
    pub least: Least,
    /// Whose it is, where messages do instead while that process waits for some
    /// ([`btl::Hints::waiting_max`]).
    pub yields_to: Option<PeerId>,
    /// Bytes of its pieces, on average, from which on one of several does. Each of these takes as
    /// long as an operation of its own, and so is to be worth one.
    pub piece_min: usize,
}

impl Way {
    /// Returns the bytes of a put or a get from which on it takes this path.
    #[inline]
    pub(crate) fn least(&self, puts: bool) -> usize {
        match puts {
            true => self.least.put,
            false => self.least.get,
        }
    }
}

/// A piece that a lane was too busy for.
pub(crate) struct Parked {
    pub(crate) operation: OpId,
    pub(crate) peer: PeerId,
    pub(crate) puts: bool,
    pub(crate) piece: Piece,
    pub(crate) memory: RemoteMemory,
}

/// Pieces that wait for busy lanes.
#[derive(Default)]
pub(crate) struct Lanes {
    pub(crate) parked: VecDeque<Parked>,
    /// Room for the pieces of one operation.
    pub(crate) pieces: Vec<Piece>,
}

impl Lanes {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.parked.is_empty()
    }
}

/// Marks, with [`OF_WINDOWS`], tokens of fast-path accesses. A table has fewer slots, too.
const OF_MOVES: u64 = 1 << 30;

/// The access by a lane that has ended, as its token names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// A piece of an operation, or a step.
    Piece(OpId),
    /// A fast-path access.
    Move(MoveId),
}

impl Ended {
    /// Returns the access of a token; `None` where it is no window's.
    #[inline]
    pub(crate) fn of(token: Token) -> Option<Ended> {
        match (token.0 & OF_WINDOWS != 0, token.0 & OF_MOVES != 0) {
            (false, _) => None,
            (true, false) => Some(Ended::Piece(OpId::from_bits(token.0 & !OF_WINDOWS))),
            (true, true) => {
                let bits = token.0 & !(OF_WINDOWS | OF_MOVES);
                Some(Ended::Move(MoveId::from_bits(bits)))
            }
        }
    }

    #[inline]
    pub(crate) fn token(self) -> Token {
        match self {
            Ended::Piece(operation) => Token(operation.bits() | OF_WINDOWS),
            Ended::Move(id) => Token(id.bits() | OF_WINDOWS | OF_MOVES),
        }
    }

    /// Says that it is done.
    #[inline]
    pub(crate) fn tell(self, osc: &mut Osc) {
        match self {
            Ended::Piece(operation) => osc.piece_done(operation, true),
            Ended::Move(id) => {
                osc.moved(id);
            }
        }
    }
}

/// The memory of a target, as [`Bml::change_word`](bml::Bml::change_word) knows it.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Its name.
    pub key: RemoteKey,
    /// Bytes that it begins behind a multiple of 8.
    pub skew: u64,
}

/// How the words of a window are changed.
pub(crate) struct Served {
    pub(crate) lane: WordLane,
    /// By rank.
    pub(crate) targets: Vec<Words>,
}

/// The windows whose words are changed so: few.
#[derive(Default)]
pub(crate) struct Windows(Vec<(WindowId, Served)>);

impl Windows {
    #[inline]
    pub(crate) fn get(&self, window: WindowId) -> Option<&Served> {
        let mut windows = self.0.iter();
        windows.find_map(|(id, served)| (*id == window).then_some(served))
    }

    pub(crate) fn add(&mut self, window: WindowId, served: Served) {
        self.0.push((window, served));
    }

    pub(crate) fn remove(&mut self, window: WindowId) -> Option<Served> {
        let at = self.0.iter().position(|(id, _)| *id == window)?;
        Some(self.0.swap_remove(at).1)
    }
}
