//! News of peers: the launcher tells which have died and which were started again, and a process
//! that waits for others at the launcher hears of it meanwhile.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use base::PeerId;
use mca::Framework;

use crate::{Error, Process};

impl Process {
    /// Progress beside a wait for `awaited` at the launcher. Not every launcher says that one of
    /// them has died, and most let the others wait for ever; a transport may have seen it.
    pub fn progress_beside<'a>(
        &'a self,
        awaited: impl Fn(PeerId) -> bool + 'a,
    ) -> impl FnMut() -> Result<(), Error> + 'a {
        let mut looked = Instant::now();
        move || {
            self.progress();
            if self.deaths.are_reported() {
                // The wait has read the connection, so that no sleep ends by what it has brought.
                self.hear_news(self.engine.sleeps());
                return Ok(());
            }
            if looked.elapsed() < DEATHS_LOOK {
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

    /// Hears news, of the other processes alone where the launcher has none. Whether anything
    /// came.
    #[cold]
    pub fn hear(&self, sleeps: u32) -> bool {
        if self.deaths.are_reported() {
            return self.hear_news(sleeps);
        }
        self.link.note_sleeps(sleeps);
        self.attend_faults()
    }

    /// Hears news after a sleep that was not the engine's.
    pub fn hear_after_sleep(&self) {
        self.hear(self.engine.sleeps());
    }

    /// Gives up the peers of which the launcher says that they have died. Whether there were any.
    #[cold]
    pub(crate) fn hear_news(&self, sleeps: u32) -> bool {
        let Some(gone) = self.link.news(sleeps) else {
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
        let beyond = self.link.news_beyond();
        for (number, why) in &beyond {
            let peer = self.lock(&self.peers.foreign).started_as(*number);
            if let Some(peer) = peer {
                self.engine.lose_peer(peer, why);
            }
        }
        if !gone.is_empty() || !beyond.is_empty() {
            self.deaths.reported();
        }
        let reborn = match self.peers.has_met.load(Ordering::Relaxed) {
            true => self.link.reborn(),
            false => Vec::new(),
        };
        for peer in &reborn {
            if let Err(why) = self.meet_by_card(*peer) {
                Framework::Mpi.warn(format_args!(
                    "the next life of {peer} is not reached: {why}"
                ));
                self.engine.enter().expect_peer(*peer);
            }
        }
        if self.observed {
            self.end_at_fault();
        }
        self.attend_faults() | !gone.is_empty() | !beyond.is_empty() | !reborn.is_empty()
    }

    /// Hears news from the launcher from now on, where this process had none when it began.
    pub fn listen(&self) {
        if let Some(news) = self.link.descriptor() {
            self.engine.watch(Some(news));
            self.deaths.expect();
        }
    }
}

/// How often a wait at the launcher checks for peers that have died.
const DEATHS_LOOK: Duration = Duration::from_millis(50);
