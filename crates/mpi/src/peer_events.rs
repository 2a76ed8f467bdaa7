//! Deaths and restarts of peers: the launcher reports them, and a process that waits for others at
//! the launcher receives the reports meanwhile.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use base::PeerId;
use mca::Framework;

use crate::{Error, Process};

impl Process {
    /// Returns the progress to be made during a wait for `awaited` at the launcher. Some launchers
    /// do not report that one of them has died, and most of these let the others wait forever; then
    /// a transport may have seen the death.
    pub fn progress_beside<'a>(
        &'a self,
        awaited: impl Fn(PeerId) -> bool + 'a,
    ) -> impl FnMut() -> Result<(), Error> + 'a {
        let mut looked = Instant::now();
        move || {
            self.progress();
            if self.recovery.deaths.are_reported() {
                // The wait has read the connection, so what it received will end no sleep.
                self.receive_reports(self.engine.sleeps());
                return Ok(());
            }
            if looked.elapsed() < DEATHS_CHECK {
                return Ok(());
            }
            looked = Instant::now();
            self.attend_faults();
            match self.engine.failed_of(&awaited) {
                Some((peer, why)) => Err(Error::lost(peer, &why)),
                None => Ok(()),
            }
        }
    }

    /// Receives the reports of the launcher and the messages about faults; the latter alone where
    /// the launcher does not report deaths. Returns whether anything arrived.
    #[cold]
    pub fn receive_events(&self, sleeps: u32) -> bool {
        if self.recovery.deaths.are_reported() {
            return self.receive_reports(sleeps);
        }
        self.link.note_sleeps(sleeps);
        self.attend_faults()
    }

    /// Receives events after a sleep that was not the engine's.
    pub fn receive_events_after_sleep(&self) {
        self.receive_events(self.engine.sleeps());
    }

    /// Receives the reports of the launcher: gives up peers that have died, and connects to those
    /// that were started again. Returns whether anything arrived.
    #[cold]
    pub(crate) fn receive_reports(&self, sleeps: u32) -> bool {
        let Some(gone) = self.link.take_deaths(sleeps) else {
            self.engine.watch(None);
            let why = "the launcher of both has ended";
            let mut lost = false;
            for service in self.services.all() {
                lost |= service.lose_launcher(self, why);
            }
            return lost | self.attend_faults();
        };
        self.answer();
        for (peer, why) in &gone {
            self.engine.lose_peer(*peer, why);
        }
        let beyond = self.link.take_deaths_beyond();
        for (number, why) in &beyond {
            let peer = self.lock(&self.peers.foreign).with_launcher_number(*number);
            if let Some(peer) = peer {
                self.engine.lose_peer(peer, why);
            }
        }
        if !gone.is_empty() || !beyond.is_empty() {
            self.recovery.deaths.reported();
        }
        let reborn = match self.peers.has_met.load(Ordering::Relaxed) {
            true => self.link.reborn(),
            false => Vec::new(),
        };
        for peer in &reborn {
            if let Err(why) = self.meet_by_card(*peer) {
                Framework::Mpi.warn(format_args!(
                    "cannot connect to {peer}, which was started again: {why}"
                ));
                self.engine.enter().expect_peer(*peer);
            }
        }
        if self.recovery.observed {
            self.end_at_fault();
        }
        self.attend_faults() | !gone.is_empty() | !beyond.is_empty() | !reborn.is_empty()
    }

    /// Receives reports of the launcher from now on, where it had none when this process began.
    pub fn watch_launcher(&self) {
        if let Some(descriptor) = self.link.descriptor() {
            self.engine.watch(Some(descriptor));
            self.recovery.deaths.expect();
        }
    }
}

/// How often a wait at the launcher checks for peers that have died.
const DEATHS_CHECK: Duration = Duration::from_millis(50);
