//! Accumulates of single words by a transport's own atomic operations (`osc::words`), on windows
//! whose processes have agreed on one.

use base::{PeerId, Rank};
use bml::WordLane;
use btl::{Error as LaneError, RemoteKey, RemoteRange, Started};
use osc::{Access, OpId, Place, Step, WindowId, Word};
use pml::Pml;

use crate::accesses::{Ended, Served, Words};
use crate::ob1::Ob1;
use crate::pml::Core;

impl Core {
    /// Returns the transport by whose own atomics these peers and `own`, this process, can change
    /// each other's words. `None` while that is being found out: retry after some progress.
    ///
    /// # Errors
    /// Why no transport can: one clause.
    pub fn word_lane(&mut self, own: PeerId, peers: &[PeerId]) -> Option<Result<WordLane, String>> {
        match self.lanes_mut() {
            Some(lanes) => lanes.bml.word_lane(own, peers),
            None => Some(Err("messages go over a network that matches".into())),
        }
    }

    /// Whether the lane to a peer's memory changes words there by its own atomics.
    pub fn changes_words(&self, peer: PeerId) -> bool {
        let caps = self.lanes().and_then(|lanes| lanes.bml.rma_caps(peer));
        caps.is_some_and(|caps| caps.atomics && !caps.emulated.atomics)
    }

    /// Returns the key of exposed memory for a transport of words, by the memory's pack.
    pub fn words_of(&self, lane: &WordLane, pack: &[u8]) -> Option<RemoteKey> {
        self.lanes()?.bml.words_of(lane, pack)
    }

    /// From now on accumulates of single words in a window go by a transport, on which all its
    /// processes have agreed; `targets` by rank. Ends with [`Core::leave_words`].
    pub fn serve_words(&mut self, window: WindowId, lane: WordLane, targets: Vec<Words>) {
        if let Some(ob1) = self.lanes_mut() {
            ob1.bml.keep_words(&lane);
            ob1.words.add(window, Served { lane, targets });
        }
    }

    /// Ends what [`Core::serve_words`] began, if it did.
    pub fn leave_words(&mut self, window: WindowId) {
        if let Some(ob1) = self.lanes_mut() {
            if let Some(served) = ob1.words.remove(window) {
                ob1.bml.drop_words(&served.lane);
            }
        }
    }
}

impl Ob1 {
    /// The word that an access changes, where the window's are changed by a transport.
    pub(crate) fn word_of(
        &self,
        window: WindowId,
        target: Rank,
        access: &Access,
        place: &Place,
    ) -> Option<Word> {
        let served = self.words.get(window)?;
        access.word(place, served.targets.get(target.index())?.skew)
    }

    /// Begins an accumulate of such a word.
    pub(crate) fn begin_on_word(
        &mut self,
        window: WindowId,
        target: Rank,
        (access, place): (Access, Place),
        word: Word,
        held: bool,
    ) -> OpId {
        let osc = &mut self.osc;
        let begun = osc.begin_on_word(window, target, access, place, word, held);
        self.serve_steps();
        begun
    }

    /// Hands the steps that are due to their lanes, until one is busy. Returns how much happened.
    pub(crate) fn serve_steps(&mut self) -> usize {
        let mut happened = 0;
        for _ in 0..self.osc.steps() {
            let Some(step) = self.osc.next_step() else {
                break;
            };
            if !self.start_step(&step) {
                self.osc.step_busy(step.operation);
                break;
            }
            happened += 1;
        }
        happened
    }

    /// Hands a step to its lane. False when that is busy.
    fn start_step(&mut self, step: &Step) -> bool {
        let served = self.words.get(step.window);
        let target =
            served.and_then(|served| Some((served, served.targets.get(step.target.index())?)));
        let Some((served, words)) = target else {
            self.osc
                .step_failed(step.operation, "the window is closed".into());
            return true;
        };
        let (key, offset) = (words.key, step.offset);
        let place = (step.peer, RemoteRange { key, offset });
        let token = Ended::Piece(step.operation).token();
        let (atomic, result) = (step.atomic, Some(step.result));
        match self
            .bml
            .change_word(&served.lane, place, atomic, result, token)
        {
            Ok(Started::Done) => self.osc.piece_done(step.operation, true),
            Ok(Started::Pending) => {}
            Ok(Started::Busy) => return false,
            Err(error) => self.step_failed(step.operation, error),
        }
        true
    }

    /// A lane has not done a step. It must not go by messages instead: what these do is not atomic
    /// to what lanes do.
    #[cold]
    pub(crate) fn step_failed(&mut self, operation: OpId, error: LaneError) {
        let why = error.to_string();
        if let LaneError::PeerGone { peer, how } = error {
            self.peer_failed(peer, &how);
        }
        self.osc.step_failed(operation, why);
    }
}
