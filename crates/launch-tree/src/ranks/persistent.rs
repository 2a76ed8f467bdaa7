//! State that outlives the process of a rank: its event log, and how much it has printed.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

use crate::ranks::journal::{apply, make_event_log, snapshot, Journal, Store};
use crate::ranks::payload_log::PayloadFiles;
use crate::wire::Up;
use launch_job::Event;
use launch_plan::plan::App;
use launch_plan::Error;

/// State that outlives the process of a rank that is started again when it is killed.
pub(crate) struct PersistentState {
    /// The memory of its event log.
    event_log: OwnedFd,
    /// The journal of that, where `mpirun` on another host has a copy.
    journal: Option<Journal>,
    /// The files of its payload log.
    payload_log: PayloadFiles,
    /// Bytes of each stream that its lives have printed at most, and that this life has printed.
    passed: [u64; 2],
    printed: [u64; 2],
}

/// The descriptors of an event log, of its journal and of a payload log, for a rank.
pub(crate) type Logs = (
    Option<OwnedFd>,
    Option<(OwnedFd, OwnedFd)>,
    Option<PayloadFiles>,
);

/// Returns the logs of a rank for its next life.
pub(crate) fn logs(persistent: &mut Option<PersistentState>) -> Result<Logs, Error> {
    let Some(persistent) = persistent else {
        return Ok((None, None, None));
    };
    let passing = Error::system::<io::Error>("passing on the memory of an event log");
    let log = persistent.event_log.try_clone().map_err(&passing)?;
    let journal = persistent.journal.as_mut().map(Journal::for_life);
    let payload_log = Some(persistent.payload_log.share()?);
    Ok((
        Some(log),
        journal.transpose().map_err(&passing)?,
        payload_log,
    ))
}

impl PersistentState {
    /// Returns the state of a rank that was not there before. Its log is `copied` where the host
    /// may be lost.
    pub(crate) fn new(copied: bool, app: &App) -> Result<PersistentState, Error> {
        let making = Error::system::<io::Error>("making the memory of an event log");
        let journal = copied.then(Journal::new).transpose();
        Ok(PersistentState {
            event_log: make_event_log().map_err(&making)?,
            journal: journal.map_err(&making)?,
            payload_log: PayloadFiles::make(app)?,
            passed: [0; 2],
            printed: [0; 2],
        })
    }

    /// Returns the state of a rank that comes from a host that was lost.
    pub(crate) fn moved(
        copied: bool,
        app: &App,
        passed: [u64; 2],
        stores: &[Store],
    ) -> Result<PersistentState, Error> {
        let persistent = PersistentState::new(copied, app)?;
        let filling = Error::system::<io::Error>("filling the memory of an event log");
        apply(&persistent.event_log, stores).map_err(filling)?;
        Ok(PersistentState {
            passed,
            ..persistent
        })
    }

    /// Removes what an earlier life has printed from what a rank prints. Returns whether anything
    /// is left. The end of the output is not: another life may follow.
    pub(crate) fn passes(&mut self, stream: usize, bytes: &mut Vec<u8>) -> bool {
        let before = self.printed[stream];
        // The rank itself may have said how much there is.
        self.printed[stream] = before.saturating_add(bytes.len() as u64);
        let known = self.passed[stream].saturating_sub(before);
        bytes.drain(..bytes.len().min(known as usize));
        self.passed[stream] = self.passed[stream].max(self.printed[stream]);
        !bytes.is_empty()
    }

    /// Returns how many bytes of each stream this life has printed; with `at` it counts on from
    /// there.
    pub(crate) fn count_from(&mut self, at: Option<[u64; 2]>) -> [u64; 2] {
        self.printed = at.unwrap_or(self.printed);
        self.printed
    }

    /// Begins another life, which has printed nothing yet.
    pub(crate) fn begin_life(&mut self) {
        self.printed = [0; 2];
    }

    /// Returns the socket of its journal, where it has one.
    pub(crate) fn journal(&self) -> Option<BorrowedFd<'_>> {
        self.journal.as_ref()?.socket()
    }

    /// Returns the events that were not sent to `mpirun` yet; where there is a token, also without
    /// any.
    pub(crate) fn ship(&mut self, rank: u32, token: u64) -> Option<Up> {
        let stores = match self.journal.as_mut()?.stores() {
            Ok(stores) if stores.is_empty() && token == 0 => return None,
            Ok(stores) => stores,
            Err(why) => return Some(damaged(rank, &why)),
        };
        let fresh = false;
        Some(Up::Log {
            rank,
            token,
            fresh,
            stores,
        })
    }

    /// Returns the whole event log, as a rank that has ended has left it.
    pub(crate) fn ship_all(&mut self, rank: u32) -> Option<Up> {
        let journal = self.journal.as_mut()?;
        let taken = journal.stores().and_then(|_| snapshot(&self.event_log));
        Some(match taken {
            Ok(stores) => Up::Log {
                rank,
                token: 0,
                fresh: true,
                stores,
            },
            Err(why) => damaged(rank, &why),
        })
    }

    /// Takes the tokens that have come: the copy of the log is to have all events.
    pub(crate) fn take_tokens(&mut self, rank: u32) -> Option<Up> {
        let token = self.journal.as_mut()?.token()?;
        self.ship(rank, token)
    }

    /// Notifies the rank that the copy of its log has what was stored before a token.
    pub(crate) fn logged(&self, token: u64) {
        if let Some(journal) = &self.journal {
            journal.answer(token);
        }
    }
}

fn damaged(rank: u32, why: &io::Error) -> Up {
    let detail = format!("its event log cannot be copied: {why}");
    Up::Event(Event::Malformed { rank, detail })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_may_say_of_its_output_what_it_likes() {
        let order = crate::order::tests::order();
        let mut state = PersistentState::new(false, order.plan.app(0)).unwrap();
        assert_eq!(state.count_from(Some([u64::MAX; 2])), [u64::MAX; 2]);
        let mut bytes = b"more".to_vec();
        assert!(state.passes(0, &mut bytes));
        assert_eq!(bytes, b"more");
    }
}
