//! Calls whose result depends on timing, as a layer of the framework `vprotocol` sees them.
//!
//! Such a layer learns the result of each, and may say what it has to be, since an earlier life of
//! this process got it. Without one these calls cost a branch.

use base::Rank;
use pml::{CommId, MessageId, Pattern, Pml, Status};
use vprotocol::Call;

use crate::Process;

impl Process {
    /// Returns whether a layer of `vprotocol` wants to know the results of calls.
    #[inline]
    pub fn is_observed(&self) -> bool {
        self.observed
    }

    /// Returns the positions that a call has to find; `None` where it is free, and its result to be
    /// passed to [`Process::observe`].
    #[inline]
    pub fn replay(&self, call: Call) -> Option<Vec<u32>> {
        match self.observed {
            false => None,
            true => self.engine.enter().replay(call),
        }
    }

    /// Tells a layer of `vprotocol` which positions a call has found.
    #[inline]
    pub fn observe(&self, call: Call, found: impl FnOnce() -> Vec<u32>) {
        if self.observed {
            self.engine.enter().observe(call, &found());
        }
    }

    /// Narrows the pattern of a probe to the sender whose message it has to find. `Err` where it
    /// has to find none.
    fn narrowed(&self, call: Call, pattern: Pattern) -> Result<Option<Pattern>, ()> {
        match self.replay(call) {
            None => Ok(None),
            Some(found) => match found.first() {
                None => Err(()),
                Some(source) => Ok(Some(Pattern {
                    source: Some(Rank(*source)),
                    ..pattern
                })),
            },
        }
    }

    fn observe_probe(&self, call: Call, status: Option<&Status>) {
        let source = || status.and_then(|status| status.source);
        self.observe(call, || {
            source().map(|source| source.0).into_iter().collect()
        });
    }

    /// Waits for a message that a receive would accept.
    pub fn probe(&self, plane: CommId, pattern: Pattern) -> Status {
        let narrowed = self.narrowed(Call::Probe, pattern).ok().flatten();
        let wanted = narrowed.unwrap_or(pattern);
        let status = self.wait_until(|core| core.probe(plane, wanted));
        if narrowed.is_none() {
            self.observe_probe(Call::Probe, Some(&status));
        }
        status
    }

    /// The message that a receive would accept now, after some progress.
    pub fn try_probe(&self, plane: CommId, pattern: Pattern) -> Option<Status> {
        match self.narrowed(Call::Probe, pattern) {
            Err(()) => None,
            Ok(Some(narrowed)) => Some(self.wait_until(|core| core.probe(plane, narrowed))),
            Ok(None) => {
                let found = self.test(|| self.engine.enter().probe(plane, pattern));
                self.observe_probe(Call::Probe, found.as_ref());
                found
            }
        }
    }

    /// Waits for a message and takes it out of matching.
    pub fn matched_probe(&self, plane: CommId, pattern: Pattern) -> (MessageId, Status) {
        let narrowed = self.narrowed(Call::MatchedProbe, pattern).ok().flatten();
        let wanted = narrowed.unwrap_or(pattern);
        let taken = self.wait_until(|core| core.matched_probe(plane, wanted));
        if narrowed.is_none() {
            self.observe_probe(Call::MatchedProbe, Some(&taken.1));
        }
        taken
    }

    /// Takes the message that a receive would accept now out of matching.
    pub fn try_matched_probe(
        &self,
        plane: CommId,
        pattern: Pattern,
    ) -> Option<(MessageId, Status)> {
        match self.narrowed(Call::MatchedProbe, pattern) {
            Err(()) => None,
            Ok(Some(wanted)) => Some(self.wait_until(|core| core.matched_probe(plane, wanted))),
            Ok(None) => {
                let taken = self.test(|| self.engine.enter().matched_probe(plane, pattern));
                self.observe_probe(Call::MatchedProbe, taken.as_ref().map(|taken| &taken.1));
                taken
            }
        }
    }
}
