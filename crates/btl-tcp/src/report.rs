//! Reports for the layers above: reads that are complete, and peers that are gone.

use std::collections::VecDeque;

use base::PeerId;
use btl::{Error, Sink, Token};

/// A report for the sink when the transport next progresses.
pub enum Report {
    /// A read is complete.
    Done(Token, Result<(), Error>),
    /// A peer is gone.
    Failed(PeerId, Error),
}

/// The reports that wait for the next progress, the oldest first.
pub type Reports = VecDeque<Report>;

impl Report {
    /// Passes the report to the sink.
    pub fn emit(self, sink: &mut dyn Sink) {
        match self {
            Report::Done(token, outcome) => sink.done(token, outcome),
            Report::Failed(peer, error) => sink.peer_failed(peer, error),
        }
    }
}
