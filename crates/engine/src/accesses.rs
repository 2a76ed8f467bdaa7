//! Accesses to windows that lanes carry: their tokens, and those that wait for a lane.

use std::collections::VecDeque;

use base::PeerId;
use bml::{RemoteMemory, WordLane};
use btl::{RemoteKey, Token};
use osc::{OpId, Piece, WindowId};

/// Marks tokens of operations in windows. A table has fewer slots than this bit counts.
const OF_WINDOWS: u64 = 1 << 31;

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

/// Returns the operation of a window that a lane's token names; `None` for a read of a message.
#[inline]
pub(crate) fn operation_of(token: Token) -> Option<OpId> {
    (token.0 & OF_WINDOWS != 0).then(|| OpId::from_bits(token.0 & !OF_WINDOWS))
}

/// Returns the token by which a lane reports an operation.
#[inline]
pub(crate) fn token_of(operation: OpId) -> Token {
    Token(operation.bits() | OF_WINDOWS)
}

/// The memory of a target, as [`Bml::change_word`](bml::Bml::change_word) knows it.
#[derive(Clone, Copy, Debug)]
pub struct WordMemory {
    /// Remote key of the memory.
    pub key: RemoteKey,
    /// Bytes from the preceding multiple of 8 to the memory's start.
    pub skew: u64,
}

/// The lane that changes a window's words, and the memory of its targets.
pub(crate) struct Served {
    pub(crate) lane: WordLane,
    /// By rank.
    pub(crate) targets: Vec<WordMemory>,
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
