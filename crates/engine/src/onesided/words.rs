//! Accumulates of single words by a transport's own atomic operations (`osc::words`), on windows
//! whose processes have agreed on one.

use base::{PeerId, Rank};
use bml::WordLane;
use btl::{RemoteKey, RemoteRange, Started};
use osc::{Access, LaneStep, OpId, WindowId};

use crate::accesses::{token_of, Served, WordMemory};
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
    pub fn serve_words(&mut self, window: WindowId, lane: WordLane, targets: Vec<WordMemory>) {
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
    /// Returns how the words of a target are changed, where a transport does so.
    #[inline]
    pub(super) fn words_at(&self, (window, target): (WindowId, Rank)) -> Option<&WordMemory> {
        self.words.get(window)?.targets.get(target.index())
    }

    /// Offers an accumulate of a word to the transport that changes those of its window.
    #[inline(never)]
    pub(super) fn word_now(&mut self, at: (WindowId, Rank), access: &Access) -> osc::AccessStart {
        let (window, target) = at;
        let Some(Served { lane, targets }) = self.words.get(window) else {
            return osc::AccessStart::Refused;
        };
        let Some(WordMemory { key, skew }) = targets.get(target.index()).copied() else {
            return osc::AccessStart::Refused;
        };
        let bml = &mut self.bml;
        let start = |peer, operation, offset, atomic, before| {
            let (place, token) = ((peer, RemoteRange { key, offset }), token_of(operation));
            bml.change_word(lane, place, atomic, before, token).ok()
        };
        self.osc.word_now(at, access, skew, start)
    }

    /// Begins an accumulate of such a word, in steps; `None` where it is not one of a word.
    pub(super) fn begin_steps(
        &mut self,
        at: (WindowId, Rank),
        access: &Access,
        held: bool,
    ) -> Option<OpId> {
        let word = access.word(self.words_at(at)?.skew)?;
        let osc = &mut self.osc;
        let begun = osc.begin_on_word(at.0, at.1, access.clone(), word, held);
        self.serve_steps();
        Some(begun)
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

    /// Hands a step to its lane. False when that is busy. A step that fails must not go by messages
    /// instead: what these do is not atomic to what lanes do.
    fn start_step(&mut self, step: &LaneStep) -> bool {
        let served = self.words.get(step.window);
        let target = served.and_then(|served| {
            let words = served.targets.get(step.target.index())?;
            Some((&served.lane, words.key))
        });
        let Some((lane, key)) = target else {
            let why = "the window is closed".into();
            self.osc.lane_failed(step.operation, why);
            return true;
        };
        let offset = step.offset;
        let place = (step.peer, RemoteRange { key, offset });
        let token = token_of(step.operation);
        let (atomic, result) = (step.atomic, Some(step.result));
        match self.bml.change_word(lane, place, atomic, result, token) {
            Ok(Started::Done) => drop(self.osc.lane_done(step.operation)),
            Ok(Started::Pending) => {}
            Ok(Started::Busy) => return false,
            Err(error) => self.access_failed(step.operation, error),
        }
        true
    }
}
