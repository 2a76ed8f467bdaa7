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
use crate::inbox::PeerBlocks;
use crate::path::Path;
use crate::segment::{View, CLOSED};

/// Checks for dead peers take at most one part in this many of a process's share of the cores: a
/// sleep of a few processes notices a death within about as long as it lasts.
const LOOK_PAUSE: u32 = 256;
/// The longest pause where each process has a core.
const LOOK_PAUSE_MAX: Duration = Duration::from_millis(50);
/// Peers that are checked at a time: if a thousand processes checked all others, the checks alone
/// would keep the cores busy.
const LOOK_PEERS: usize = 32;

/// The blocks of this process and the peers that are attached.
struct Pairs<'a> {
    own: &'a View,
    paths: &'a mut [Option<Path>],
}

impl PeerBlocks for Pairs<'_> {
    #[inline]
    fn blocks_of(&mut self, peer: PeerId, row: u32) -> Option<&mut Option<Box<Blocks>>> {
        let path = self.paths.get_mut(peer.index())?.as_mut()?;
        path.share_blocks(self.own, || Some(row));
        Some(&mut path.blocks)
    }
}

impl Sm {
    #[cold]
    fn push_backlogs(&mut self) -> usize {
        let paths = &mut self.paths;
        let mut filled = 0;
        self.backlogged.retain(|peer| {
            let path = paths.get_mut(peer.index()).and_then(Option::as_mut);
            path.is_some_and(|path| {
                filled += path.push_cells();
                path.has_backlog()
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
            let path = self.paths.get_mut(peer.index());
            if self.introduced.take(peer).is_some() {
                error = Error::PeerLeft { peer };
            } else if let Some(mut path) = path.and_then(Option::take) {
                if path.view.state().load(Ordering::Acquire) == CLOSED {
                    error = Error::PeerLeft { peer };
                }
                path.share_blocks(&self.own, || self.inbox.row_of(peer));
                self.inbox.inherit(&self.own, peer, path.blocks);
            }
            self.inbox.pass_over(peer);
            sink.peer_failed(peer, error);
        }
        dead.len()
    }

    /// The processes of all peers, with their numbers and whether they are of another world.
    fn processes(&self) -> impl Iterator<Item = (PeerId, u32, bool)> + '_ {
        let attached = self.paths.iter().enumerate();
        let attached = attached.filter_map(|(index, path)| {
            let path = path.as_ref()?;
            Some((PeerId(index as u32), path.pid, path.is_foreign))
        });
        let introduced = self.introduced.processes();
        attached.chain(introduced.map(|(peer, pid)| (peer, pid, false)))
    }

    /// Checks the next peers for processes that have ended, unless that would take more than a
    /// small part of the time: it is a system call for each peer.
    fn look_for_dead(&mut self) {
        let began = Instant::now();
        if began < self.look_due {
            return;
        }
        let (mut here, mut looked, mut gone) = (0, 0, Vec::new());
        for (peer, pid, is_foreign) in self.processes() {
            here += 1;
            if here <= self.look_from || looked == LOOK_PEERS {
                continue;
            }
            looked += 1;
            // Of its own world the launcher reports deaths, and keeps the numbers till the end.
            let is_gone = match is_foreign {
                true => shm::process::has_ended(pid),
                false => !shm::process::is_alive(pid),
            };
            if is_gone && !self.dead.contains(&peer) {
                gone.push(peer);
            }
        }
        self.dead.append(&mut gone);
        self.look_from = match self.look_from + looked < here {
            true => self.look_from + looked,
            false => 0,
        };
        let now = Instant::now();
        let sharers = (here + 1).div_ceil(self.cores) as u32;
        // A process that loses its core meanwhile has not checked for that long.
        let pause = (LOOK_PAUSE * (now - began)).min(LOOK_PAUSE_MAX);
        self.look_due = now + sharers * pause;
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
        if let Some(path) = self.paths.get_mut(peer.index()) {
            path.take().inspect(Path::leave);
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
        match self.paths.get_mut(peer.index()) {
            Some(Some(path)) => {
                if path.view.state().load(Ordering::Relaxed) == CLOSED {
                    // The rest in the queue of a peer that has left is never taken.
                    let how = "it has finalized".into();
                    return Err(Error::PeerGone { peer, how });
                }
                let through = path.push_backlog();
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
            paths: &mut self.paths,
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

    fn has_peer_on(&mut self, processor: usize) -> Option<bool> {
        // This process knows itself by an address, too.
        let own = std::process::id();
        let mut peers = self.processes().filter(|(_, pid, _)| *pid != own);
        Some(peers.any(|(_, pid, _)| shm::process::last_processor(pid) == Some(processor)))
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
        let path = self.paths.get(peer.index()).and_then(Option::as_ref);
        path.is_some_and(|path| path.view.attends().load(Ordering::Relaxed) != 0)
    }

    fn helper_word(&self) -> Arc<dyn FutexWord> {
        Arc::new(StandbyWord(self.own.clone()))
    }

    fn wake_helper(&mut self, peer: PeerId) {
        if let Some(Some(path)) = self.paths.get(peer.index()) {
            bell::wake_helper_thread(&path.view);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::address::Address;
    use crate::component::{open, Config};

    #[test]
    fn of_many_peers_a_few_are_checked_at_a_time_and_all_in_turn() {
        const PEERS: usize = 3 * LOOK_PEERS + 5;
        let mut child = Command::new("true").spawn().expect("a process");
        child.wait().expect("its end");
        let config = |peer| Config {
            attach_late: true,
            ..Config::with_defaults(PeerId(peer))
        };
        let other = open(config(1)).expect("a segment");
        let mut own = open(config(0)).expect("a segment");
        let dying = [PeerId(3), PeerId(PEERS as u32)];
        for peer in (1..=PEERS as u32).map(PeerId) {
            let mut address = Address::decode(&other.address()).expect("an address");
            if dying.contains(&peer) {
                address.pid = child.id();
            }
            own.introduced.put_off(peer, address);
        }
        for found in [
            &dying[..1],
            &dying[..1],
            &dying[..1],
            &dying[..],
            &dying[..],
        ] {
            own.look_due = Instant::now();
            own.look_for_dead();
            assert_eq!(own.dead, found);
        }
        assert_eq!(own.look_from, LOOK_PEERS, "the second turn");
    }
}
