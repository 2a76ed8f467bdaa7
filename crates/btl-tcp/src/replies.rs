//! Replies that this process owes to a peer that reads its memory.

use std::collections::VecDeque;

use base::Key;

use crate::rma::{Answer, ReplyPiece};

/// The replies owed to one peer, and the order in which their pieces are sent.
#[derive(Default)]
pub struct Replies {
    /// Replies that the peer has asked for and not been sent in full.
    owed: VecDeque<Answer>,
    /// Whether the next piece is not of the oldest reply.
    others_turn: bool,
    /// Pieces that were on a connection that broke.
    again: VecDeque<ReplyPiece>,
}

impl Replies {
    /// Returns how many replies, and pieces that have to be sent again, are owed.
    pub fn len(&self) -> usize {
        self.owed.len() + self.again.len()
    }

    /// Whether nothing is owed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.owed.is_empty() && self.again.is_empty()
    }

    /// Returns the number of replies that are not sent in full.
    pub fn owed(&self) -> usize {
        self.owed.len()
    }

    /// Adds a reply.
    pub fn push(&mut self, answer: Answer) {
        self.owed.push_back(answer);
    }

    /// Adds the pieces of a connection that broke, in their order, before all others.
    pub fn repeat(&mut self, pieces: impl DoubleEndedIterator<Item = ReplyPiece>) {
        for piece in pieces.rev() {
            self.again.push_front(piece);
        }
    }

    /// Forgets everything that is owed.
    pub fn clear(&mut self) {
        self.owed.clear();
        self.again.clear();
    }

    /// Takes the operations whose requests were for memory that is not there.
    pub fn take_refused(&mut self) -> Vec<u64> {
        let refused = |answer: &&Answer| answer.source.is_none();
        let operations = self.owed.iter().filter(refused);
        let operations: Vec<u64> = operations.map(|answer| answer.operation).collect();
        if !operations.is_empty() {
            self.owed.retain(|answer| answer.source.is_some());
        }
        operations
    }

    /// Takes the next piece; one without a registration is to be refused. Every other piece is of
    /// the oldest reply, so that replies are complete one after the other and not all at the end;
    /// the rest take turns.
    pub fn next_piece(&mut self) -> Option<ReplyPiece> {
        if let Some(piece) = self.again.pop_front() {
            return Some(piece);
        }
        let oldest = self.owed.len() < 2 || !self.others_turn;
        self.others_turn = oldest;
        let answer = self.owed.remove(usize::from(!oldest))?;
        let (piece, rest) = answer.split()?;
        match rest {
            Some(rest) if oldest => self.owed.push_front(rest),
            rest => self.owed.extend(rest),
        }
        Some(piece)
    }

    /// Returns the bytes of the next piece, and of all that is owed.
    pub fn bytes(&self) -> (usize, usize) {
        let again: usize = self.again.iter().map(|piece| piece.data.len()).sum();
        let sources = || self.owed.iter().filter_map(|answer| answer.source);
        let owed: usize = sources().map(|source| source.rest.len()).sum();
        let next = match self.again.front() {
            Some(piece) => Some(piece.data.len()),
            None => sources()
                .next()
                .map(|source| source.piece.min(source.rest.len())),
        };
        (next.unwrap_or(0), again + owed)
    }

    /// Withdraws a registration: its replies become refusals.
    pub fn release(&mut self, export: Key) {
        for answer in &mut self.owed {
            answer.source = answer.source.filter(|source| source.export != export);
        }
        self.again
            .iter_mut()
            .for_each(|piece| piece.withdraw(export));
    }
}
