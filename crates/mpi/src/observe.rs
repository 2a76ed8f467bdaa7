//! Calls whose result depends on timing, as a layer of the framework `vprotocol` sees them.
//!
//! Such a layer learns the result of each, and may say what it has to be, since an earlier life of
//! this process got it. Without one these calls cost a branch.

use std::io::Write as _;
use std::time::{Duration, Instant};

use base::{PeerId, Rank};
use bootstrap::native::PASSED;
use mca::Framework;
use pml::{CommId, Failure, MessageId, Pattern, Pml, Status};
use vprotocol::Call;

use crate::introductions::MODEX;
use crate::membership::Card;
use crate::{Class, Error, Process};
use mpi_components::is_restarted;

/// How long a process waits at its beginning for the next life of a peer that it cannot reach:
/// much longer than a start takes.
const NEXT_LIFE_WITHIN: Duration = Duration::from_secs(10);
const NEXT_LIFE_CHECK: Duration = Duration::from_millis(2);

impl Process {
    /// Returns an error where messages are logged so that a rank can be started again, which `what`
    /// would go past.
    ///
    /// # Errors
    /// `UnsupportedOperation` under `--mca vprotocol pessimist`.
    pub fn check_logged(&self, what: &str) -> Result<(), Error> {
        if !mpi_components::is_logged(&self.registry) {
            return Ok(());
        }
        let text = format!(
            "{what} cannot be had with `--mca vprotocol pessimist`: it is not in the log of \
             messages by which a killed rank is started again"
        );
        Err(Error::new(Class::UnsupportedOperation, text))
    }

    /// Returns whether threads may call at any time. Not where calls are logged: their order could
    /// not be brought about again.
    pub fn may_be_threaded(&self) -> bool {
        let is_logged = mpi_components::is_logged(&self.registry);
        if is_logged && self.identity.peer == PeerId(0) {
            Framework::Vprotocol.warn(format_args!(
                "MPI_THREAD_MULTIPLE is not provided, but MPI_THREAD_SERIALIZED: the order of \
                 calls of several threads cannot be brought about again. A program with one thread \
                 at a time goes on; `mpi4py.rc.thread_level = \"serialized\"` asks for no more"
            ));
        }
        !is_logged
    }

    /// Returns whether a layer of `vprotocol` wants to know the results of calls.
    #[inline]
    pub fn is_observed(&self) -> bool {
        self.recovery.observed
    }

    /// Returns the positions that a call has to find; `None` where it is free, and its result to be
    /// passed to [`Process::observe`].
    #[inline]
    pub fn replay(&self, call: Call) -> Option<Vec<u32>> {
        match self.recovery.observed {
            false => None,
            true => self.replay_logged(call),
        }
    }

    #[cold]
    fn replay_logged(&self, call: Call) -> Option<Vec<u32>> {
        let mut core = self.engine.enter();
        let found = core.replay(call);
        drop(core);
        self.end_at_fault();
        found
    }

    /// Ends the job where a layer of `vprotocol` cannot bring a process back to its state.
    #[expect(
        clippy::disallowed_methods,
        reason = "the launcher was asked to end the job, and ends this process"
    )]
    pub(crate) fn end_at_fault(&self) {
        let fault = self.engine.enter().fault();
        if let Some(fault) = fault {
            self.abort(1, &fault, false);
            // The launcher ends this process.
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }

    /// Reports to a layer of `vprotocol` the positions that a call has found.
    #[inline]
    pub fn observe(&self, call: Call, found: impl FnOnce() -> Vec<u32>) {
        if self.recovery.observed {
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
    ///
    /// # Errors
    /// When its sender has failed, or may have, or the communicator was revoked.
    pub fn probe(&self, plane: CommId, pattern: Pattern) -> Result<Status, Failure> {
        let narrowed = self.narrowed(Call::Probe, pattern).ok().flatten();
        let wanted = narrowed.unwrap_or(pattern);
        let status = self.probe_unless_hopeless(plane, wanted)?;
        if narrowed.is_none() {
            self.observe_probe(Call::Probe, Some(&status));
        }
        Ok(status)
    }

    fn probe_unless_hopeless(&self, plane: CommId, wanted: Pattern) -> Result<Status, Failure> {
        self.wait_until(|core| match core.probe(plane, wanted) {
            Some(status) => Some(Ok(status)),
            None => core.hopeless(plane, wanted.source).map(Err),
        })
    }

    fn take_unless_hopeless(
        &self,
        plane: CommId,
        wanted: Pattern,
    ) -> Result<(MessageId, Status), Failure> {
        self.wait_until(|core| match core.matched_probe(plane, wanted) {
            Some(taken) => Some(Ok(taken)),
            None => core.hopeless(plane, wanted.source).map(Err),
        })
    }

    /// Fails where a probe has found nothing and may never find anything.
    fn check_hope<T>(
        &self,
        found: Option<T>,
        plane: CommId,
        pattern: Pattern,
    ) -> Result<Option<T>, Failure> {
        let hopeless = || self.engine.enter().hopeless(plane, pattern.source);
        match found.is_none().then(hopeless).flatten() {
            Some(failure) => Err(failure),
            None => Ok(found),
        }
    }

    /// The message that a receive would accept now, after some progress.
    ///
    /// # Errors
    /// When its sender has failed, or may have, or the communicator was revoked.
    pub fn try_probe(&self, plane: CommId, pattern: Pattern) -> Result<Option<Status>, Failure> {
        match self.narrowed(Call::Probe, pattern) {
            Err(()) => Ok(None),
            Ok(Some(narrowed)) => self.probe_unless_hopeless(plane, narrowed).map(Some),
            Ok(None) => {
                let found = self.test(|| self.engine.enter().probe(plane, pattern));
                self.observe_probe(Call::Probe, found.as_ref());
                self.check_hope(found, plane, pattern)
            }
        }
    }

    /// Waits for a message and takes it out of matching.
    ///
    /// # Errors
    /// When its sender has failed, or may have, or the communicator was revoked.
    pub fn matched_probe(
        &self,
        plane: CommId,
        pattern: Pattern,
    ) -> Result<(MessageId, Status), Failure> {
        let narrowed = self.narrowed(Call::MatchedProbe, pattern).ok().flatten();
        let wanted = narrowed.unwrap_or(pattern);
        let taken = self.take_unless_hopeless(plane, wanted)?;
        if narrowed.is_none() {
            self.observe_probe(Call::MatchedProbe, Some(&taken.1));
        }
        Ok(taken)
    }

    /// Takes the message that a receive would accept now out of matching.
    ///
    /// # Errors
    /// When its sender has failed, or may have, or the communicator was revoked.
    pub fn try_matched_probe(
        &self,
        plane: CommId,
        pattern: Pattern,
    ) -> Result<Option<(MessageId, Status)>, Failure> {
        match self.narrowed(Call::MatchedProbe, pattern) {
            Err(()) => Ok(None),
            Ok(Some(wanted)) => self.take_unless_hopeless(plane, wanted).map(Some),
            Ok(None) => {
                let taken = self.test(|| self.engine.enter().matched_probe(plane, pattern));
                self.observe_probe(Call::MatchedProbe, taken.as_ref().map(|taken| &taken.1));
                self.check_hope(taken, plane, pattern)
            }
        }
    }

    /// Makes a peer known by the card that it has published. Returns `None` for one that has died
    /// and whose next life is to come.
    pub(crate) fn meet_by_card(&self, peer: PeerId) -> Result<Option<Card>, Error> {
        let card = self.link.ask(|provider| provider.fetch(peer, MODEX))?;
        let card = card.as_deref().and_then(Card::decode);
        let known = match &card {
            Some(card) => self.introduce(peer, card),
            None => {
                let text = format!(
                    "{peer} of this job published no address (`{MODEX}`): it runs another MPI \
                     library, or another version of this one; start all with the same"
                );
                Err(Error::new(Class::Other, text))
            }
        };
        match known {
            Err(why) if is_restarted(self.link.life) => {
                Framework::Mpi.info(format_args!("{why}; its next life is to come"));
                self.engine.enter().expect_peer(peer);
                Ok(None)
            }
            known => known.map(|()| card),
        }
    }

    /// Returns whether the last fence was one that an earlier life of this process has passed.
    pub(crate) fn has_passed(&self) -> Result<bool, Error> {
        let own = self.identity.peer;
        let passed = self.link.ask(|provider| provider.fetch(own, PASSED))?;
        Ok(passed.is_some())
    }

    /// Waits until a peer that cannot be reached is known by its next life: it may have died while
    /// this process began.
    ///
    /// # Errors
    /// Returns `why` when nobody starts it again.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits at its beginning for the next life of a peer that died"
    )]
    pub(crate) fn wait_for_next_life(&self, peer: PeerId, why: Error) -> Result<(), Error> {
        let until = Instant::now() + NEXT_LIFE_WITHIN;
        while self.lock(&self.peers.known)[peer.index()].life == 0 {
            if Instant::now() > until {
                return Err(why);
            }
            std::thread::sleep(NEXT_LIFE_CHECK);
            self.receive_reports(0);
        }
        Ok(())
    }

    /// Waits, in the next life of a rank that was killed, until all peers have said which messages
    /// they have.
    pub(crate) fn wait_for_accounts(&self) -> Result<(), Error> {
        if !is_restarted(self.link.life) {
            return Ok(());
        }
        self.wait_until(|core| (core.fault().is_some() || core.awaited().is_none()).then_some(()));
        match self.engine.enter().fault() {
            Some(fault) => Err(Error::new(Class::Other, fault)),
            None => Ok(()),
        }
    }

    /// Prints what a layer of `vprotocol` has to say at the end.
    pub(crate) fn print_account(&self) {
        let lines = self.engine.enter().account();
        for line in lines {
            let line = format!("[{}] vprotocol {line}\n", self.identity.peer.0);
            // Nobody reads it when standard error is closed.
            let _ = std::io::stderr().lock().write_all(line.as_bytes());
        }
    }
}
