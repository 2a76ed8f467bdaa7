//! Native atomic operations: words that all processes change by one transport.
//!
//! [`Bml::atomic`] uses the lane of each peer, and these may be of several transports, whose
//! atomics are not atomic to each other. Here one transport is chosen for the purpose: one that
//! reaches all processes that change the words, whatever their lanes are, and that loops back to
//! this process. The choice is that of one process; the caller ensures that all make it alike.

use base::PeerId;
use btl::{Atomic, Error, Polled, RemoteKey, RemoteRange, Started, Token};
use memory::UserBuf;

use crate::{address, Bml};

/// A transport by which words are changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordLane {
    lane: usize,
    name: &'static str,
    carries: bool,
}

impl WordLane {
    /// Returns the transport's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the transport is also the lane to the memory of one of the peers.
    pub fn carries(&self) -> bool {
        self.carries
    }
}

impl Bml {
    /// Returns the transport whose own atomics reach these peers and `own`, which is this process.
    /// `None` while that is being found out: call again after some progress.
    ///
    /// # Errors
    /// The reason that no transport does: one clause.
    pub fn word_lane(&mut self, own: PeerId, peers: &[PeerId]) -> Option<Result<WordLane, String>> {
        let others = || peers.iter().filter(|peer| **peer != own);
        let mut why = "no transport reaches memory of all processes".to_string();
        for lane in 0..self.lanes.len() {
            let caps = self.lanes.transport(lane).caps();
            let (name, reads) = (caps.name, caps.get.is_some());
            let mut far = others().filter(|peer| !self.lanes.reaches(**peer, lane));
            if !reads || others().next().is_none() || far.next().is_some() {
                continue;
            }
            if !caps.atomics {
                why = format!("{name} has no atomic operations, or not all of them");
                continue;
            }
            let Some(rma) = self.lanes.access(lane) else {
                continue;
            };
            match rma.loop_back()? {
                Err(refusal) => why = refusal,
                Ok(()) => {
                    let carries = others().any(|peer| self.lanes.rma(*peer) == Some(lane));
                    return Some(Ok(WordLane {
                        lane,
                        name,
                        carries,
                    }));
                }
            }
        }
        Some(Err(why))
    }

    /// Returns the remote key of memory for [`Bml::change_word`], from its
    /// [`crate::Exposed::pack`]; `None` where it is not registered with the transport.
    pub fn words_of(&self, lane: &WordLane, pack: &[u8]) -> Option<RemoteKey> {
        let entries = address::decode(pack)?;
        let (_, bytes) = entries.into_iter().find(|(name, _)| *name == lane.name)?;
        RemoteKey::new(bytes)
    }

    /// Polls the transport from now on at every progress, as one that carries a lane of this
    /// process. Ends with [`Bml::drop_words`].
    pub fn keep_words(&mut self, lane: &WordLane) {
        self.lanes.opened[lane.lane].lanes += 1;
    }

    /// Ends the polling that [`Bml::keep_words`] began.
    pub fn drop_words(&mut self, lane: &WordLane) {
        if let Some(opened) = self.lanes.opened.get_mut(lane.lane) {
            opened.lanes -= 1;
        }
    }

    /// Changes a word of a peer, or of this process; see [`btl::Rma::atomic`].
    ///
    /// # Errors
    /// When the transport refuses.
    #[inline]
    pub fn change_word(
        &mut self,
        lane: &WordLane,
        (peer, range): (PeerId, RemoteRange),
        atomic: Atomic,
        result: Option<UserBuf>,
        token: Token,
    ) -> Result<Started, Error> {
        let what = "atomic";
        let rma = self.lanes.access(lane.lane);
        let rma = rma.ok_or(Error::Unsupported { peer, what })?;
        rma.atomic(peer, atomic, result, range, token)
    }

    /// Polls for the completion of one such change; see [`btl::Rma::poll_for`].
    #[inline]
    pub fn poll_for_word(&mut self, lane: &WordLane, token: Token, polls: u32) -> Polled {
        match self.lanes.access(lane.lane) {
            Some(rma) => rma.poll_for(token, polls),
            None => Polled::Other,
        }
    }
}
