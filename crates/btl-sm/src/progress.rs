//! Implements the transport contract ([`btl::Transport`]), and the periodic work of polls.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Caps, Carriage, Error, Flow, Foreign, FutexWord, Hints, Presence, Reach, Rma, Sink, SleepKind,
};
use btl::{Transport, Waker};
use memory::{Slot, UserBuf};

use crate::bell::{self, SleepWord, StandbyWord, ON_WORD};
use crate::blocks::Blocks;
use crate::component::Sm;
use crate::endpoint::Endpoint;
use crate::inbox::PeerBlocks;
use crate::segment::{View, CLOSED};

/// Checks for dead peers take at most one part in this many of the time: a sleep notices a death
/// within about as long as it lasts, also with a thousand peers.
const LOOK_PAUSE: u32 = 256;
const LOOK_PAUSE_MAX: Duration = Duration::from_millis(50);

/// The blocks of this process and the peers that are attached.
struct Pairs<'a> {
    own: &'a View,
    endpoints: &'a mut [Option<Endpoint>],
}

impl PeerBlocks for Pairs<'_> {
    #[inline]
    fn blocks_of(&mut self, peer: PeerId, row: u32) -> Option<&mut Option<Box<Blocks>>> {
        let endpoint = self.endpoints.get_mut(peer.index())?.as_mut()?;
        endpoint.share_blocks(self.own, || Some(row));
        Some(&mut endpoint.blocks)
    }
}

impl Sm {
    #[cold]
    fn push_backlogs(&mut self) -> usize {
        let endpoints = &mut self.endpoints;
        let mut filled = 0;
        self.backlogged.retain(|peer| {
            let endpoint = endpoints.get_mut(peer.index()).and_then(Option::as_mut);
            endpoint.is_some_and(|endpoint| {
                filled += endpoint.push_cells();
                endpoint.has_backlog()
            })
        });
        filled
    }

    #[cold]
    pub(crate) fn report_dead(&mut self, sink: &mut dyn Sink) -> usize {
        let dead = std::mem::take(&mut self.dead);
        for &peer in &dead {
            let how = "its process has ended".to_string();
            let mut error = Error::PeerGone { peer, how };
            let endpoint = self.endpoints.get_mut(peer.index());
            if self.introduced.take(peer).is_some() {
                error = Error::PeerLeft { peer };
            } else if let Some(mut endpoint) = endpoint.and_then(Option::take) {
                if endpoint.view.state().load(Ordering::Acquire) == CLOSED {
                    error = Error::PeerLeft { peer };
                }
                endpoint.share_blocks(&self.own, || self.inbox.row_of(peer));
                self.inbox.inherit(&self.own, peer, endpoint.blocks);
            }
            self.inbox.pass_over(peer);
            sink.peer_failed(peer, error);
        }
        dead.len()
    }

    /// Checks for peers whose process has ended, unless that would take more than a small part of
    /// the time: it is a system call for each peer.
    fn look_for_dead(&mut self) {
        let began = Instant::now();
        if began < self.look_due {
            return;
        }
        let attached = self.endpoints.iter().enumerate();
        let attached = attached.filter_map(|(index, endpoint)| {
            let endpoint = endpoint.as_ref()?;
            // Of its own world the launcher reports deaths, and keeps the numbers till the end.
            let is_gone = match endpoint.is_foreign {
                true => shm::process::has_ended(endpoint.pid),
                false => !shm::process::is_alive(endpoint.pid),
            };
            Some((PeerId(index as u32), is_gone))
        });
        let introduced = self.introduced.processes();
        let introduced = introduced.map(|(peer, pid)| (peer, !shm::process::is_alive(pid)));
        for (peer, is_gone) in attached.chain(introduced) {
            if is_gone && !self.dead.contains(&peer) {
                self.dead.push(peer);
            }
        }
        let now = Instant::now();
        // A process that loses its core meanwhile has not checked for that long.
        self.look_due = now + (LOOK_PAUSE * (now - began)).min(LOOK_PAUSE_MAX);
    }
}

impl Transport for Sm {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        self.own_address()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.introduce(peer, address, None)
    }

    fn expect_foreign(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn add_foreign(
        &mut self,
        peer: PeerId,
        foreign: &Foreign,
        address: &[u8],
    ) -> Result<Reach, Error> {
        self.introduce(peer, address, Some(foreign))
    }

    fn remove_peer(&mut self, peer: PeerId) {
        if let Some(endpoint) = self.endpoints.get_mut(peer.index()) {
            endpoint.take().inspect(Endpoint::leave);
        }
        self.introduced.take(peer);
        self.dead.retain(|dead| *dead != peer);
        self.inbox.dismiss(&self.own, peer, peer != self.me);
    }

    fn hints(&self, peer: PeerId) -> Hints {
        self.hints_of(peer)
    }

    #[inline]
    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.send_user(peer, tag, header, payload)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.send_closure(peer, tag, header, len, pack)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        match self.endpoints.get_mut(peer.index()) {
            Some(Some(endpoint)) => {
                if endpoint.view.state().load(Ordering::Relaxed) == CLOSED {
                    // The rest in the queue of a peer that has left is never taken.
                    let how = "it has finalized".into();
                    return Err(Error::PeerGone { peer, how });
                }
                let through = endpoint.push_backlog();
                Ok(if through { Flow::Sent } else { Flow::Busy })
            }
            // Nothing was sent to it.
            _ if self.introduced.has(peer) => Ok(Flow::Sent),
            _ => Err(Error::Unreachable { peer }),
        }
    }

    fn batch(&mut self, _peer: PeerId, _open: bool) {}

    fn is_kept(&self, _peer: PeerId) -> bool {
        false
    }

    #[inline]
    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let mut pairs = Pairs {
            own: &self.own,
            endpoints: &mut self.endpoints,
        };
        let mut reports = self.inbox.progress(&self.own, &mut pairs, sink);
        if !self.backlogged.is_empty() {
            reports += self.push_backlogs();
        }
        if !self.dead.is_empty() {
            reports += self.report_dead(sink);
        }
        reports
    }

    fn back_off(&mut self) {}

    fn is_live(&self) -> bool {
        self.inbox.expects_any()
    }

    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        if !self.is_live() {
            return None;
        }
        self.look_for_dead();
        self.inbox.be_thorough(true);
        if !self.backlogged.is_empty() {
            // A reader that makes room in a queue rings no doorbell.
            return Some(Waker::Poll);
        }
        self.bell.arm(kind == SleepKind::Futex);
        Some(match kind {
            SleepKind::Futex => Waker::Futex(Arc::new(SleepWord(self.own.clone())), ON_WORD),
            SleepKind::Descriptors => {
                Waker::Descriptors(vec![(self.bell.descriptor(), btl::Interest::Readable)])
            }
        })
    }

    fn disarm(&mut self) {
        self.inbox.be_thorough(false);
        self.bell.disarm();
    }

    fn close(&mut self) {
        self.say_goodbye();
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        Some(self)
    }

    fn presence(&mut self) -> Option<&mut dyn Presence> {
        Some(self)
    }

    fn carriage(&mut self) -> Option<&mut dyn Carriage> {
        Some(self)
    }
}

impl Presence for Sm {
    fn set_waiting(&mut self, waits: bool) {
        self.own
            .attends()
            .store(u32::from(waits), Ordering::Relaxed);
    }

    fn is_waiting(&self, peer: PeerId) -> bool {
        let endpoint = self.endpoints.get(peer.index()).and_then(Option::as_ref);
        endpoint.is_some_and(|endpoint| endpoint.view.attends().load(Ordering::Relaxed) != 0)
    }

    fn helper_word(&self) -> Arc<dyn FutexWord> {
        Arc::new(StandbyWord(self.own.clone()))
    }

    fn wake_helper(&mut self, peer: PeerId) {
        if let Some(Some(endpoint)) = self.endpoints.get(peer.index()) {
            bell::summon(&endpoint.view);
        }
    }
}
