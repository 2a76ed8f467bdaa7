//! Reports to the layers above that wait for the next poll.

use std::collections::VecDeque;

use base::PeerId;
use btl::{Error, Sink, Token};

enum Report {
    Done(Token, Result<(), Error>),
    Failed(PeerId, Error),
}

/// Reports that wait for the next poll, in the order in which they were made.
#[derive(Default)]
pub(crate) struct PendingReports(VecDeque<Report>);

impl PendingReports {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the end of an operation.
    pub(crate) fn add_done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.0.push_back(Report::Done(token, outcome));
    }

    /// Adds the failure of a peer.
    pub(crate) fn add_failed(&mut self, peer: PeerId, error: Error) {
        self.0.push_back(Report::Failed(peer, error));
    }

    /// Makes the reports; returns their number.
    pub(crate) fn deliver(&mut self, sink: &mut dyn Sink) -> usize {
        let count = self.0.len();
        for report in self.0.drain(..) {
            match report {
                Report::Done(token, outcome) => sink.done(token, outcome),
                Report::Failed(peer, error) => sink.peer_failed(peer, error),
            }
        }
        count
    }
}
