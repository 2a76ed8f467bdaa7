//! Checkpoints: the program says that its state is saved, and a next life goes on from there.
//!
//! A next life runs through the *prologue*, all up to its question whether it is one
//! ([`vprotocol::Vprotocol::end_prologue`]), as it would without checkpoints. There it *jumps*: the
//! numbers of its messages, receives and events become those of the last checkpoint, and the
//! program reads its state back. What it sends and receives from then on it does again.
//!
//! A checkpoint stores a [`Record`] in the event log, of this process alone: nobody else
//! waits. Its receives up to here are over, so a message is one of three:
//!
//! * It was received in the prologue: each life gets it again.
//! * It was received later: no life gets it again. Its sender frees its copy, and the next life
//!   passes over its number. These make the *cut*.
//! * It was not received yet: its sender has a copy, or will send it.
//!
//! The cut stands behind the address of each next life, and in a notice that each sender gets.

use std::collections::HashSet;

use base::{PeerId, Rank};
use datatype::Buffer;
use memory::Scratch;
use pml::{Context, Mode, Pattern, Received, Restart, Started};

use crate::account;
use crate::layer::{Comm, Peer, Pessimist, ACCOUNTS, NOTICE, TURNS_PER_LOOK};
use crate::record::{without, CommState, Record};

impl<P: Restart> Pessimist<P> {
    /// Takes over the record of an earlier life's last checkpoint.
    ///
    /// # Errors
    /// When it is damaged, or what it names cannot be had: one clause.
    pub(crate) fn begin_behind(&mut self, words: &[u64]) -> Result<(), String> {
        let record = Record::decode(words).filter(|record| {
            let peers = self.settings.peers as usize;
            record.cut.len() == peers && record.prologue.len() == peers
        });
        let record = record.ok_or("the record of its last checkpoint is damaged")?;
        self.payload.restore(&record.payload)?;
        for (peer, cut) in record.cut.iter().enumerate() {
            self.below.set_received(PeerId(peer as u32), cut.clone());
        }
        self.checkpoints.cut = record.cut.clone();
        self.checkpoints.start = Some(record);
        Ok(())
    }

    /// Ends the prologue. Returns the tag of the checkpoint that the program goes on from, and
    /// words of the layers above.
    pub(crate) fn pass_prologue(&mut self) -> Result<Option<(u64, Vec<u64>)>, String> {
        if self.checkpoints.has_asked {
            return Err("it was called before; what each life runs through ends once".into());
        }
        self.check_idle()?;
        self.log_matches();
        let saved = match self.checkpoints.start.take() {
            Some(record) => Some(self.jump(record)?),
            None => {
                self.events.end_prologue();
                self.checkpoints.prologue = self.taken();
                self.checkpoints.comms = self.open_contexts();
                None
            }
        };
        self.checkpoints.has_asked = true;
        Ok(saved)
    }

    /// Goes on as the earlier life did behind its last checkpoint.
    fn jump(&mut self, record: Record) -> Result<(u64, Vec<u64>), String> {
        let contexts: Vec<Context> = record.comms.iter().map(|comm| comm.context).collect();
        if self.open_contexts() != contexts {
            return Err(format!(
                "it has {} communicators where it asks whether it was restarted, and other ones \
                 than its earlier life had: the program does not do the same when it runs again",
                self.open_contexts().len()
            ));
        }
        self.replay.jump().map_err(|left| {
            format!(
                "it asks whether it was restarted where its earlier life called {}: the program \
                 does not do the same when it runs again",
                left.name()
            )
        })?;
        self.send_what_is_lacking()?;
        for comm in self.comms.iter_mut().flatten() {
            let state = record
                .comms
                .iter()
                .find(|state| state.context == comm.context);
            if let Some(state) = state {
                comm.receive = state.receive;
                for (at, next) in state.next.iter().enumerate() {
                    // Messages of this process to itself count on.
                    if comm.peers[at] != self.settings.me {
                        comm.next[at] = *next;
                        self.below.set_next(comm.id, Rank(at as u32), *next);
                    }
                }
            }
        }
        for peer in &mut self.peers {
            if let Peer::Greeted(has) = peer {
                *peer = Peer::Reported(std::mem::take(has));
            }
        }
        (self.wildcards, self.opened) = (record.wildcards, record.opened);
        self.checkpoints.comms = contexts;
        self.checkpoints.prologue = record.prologue;
        self.checkpoints.closed.clear();
        Ok((record.tag, record.library))
    }

    /// Sends peers the messages of the earlier life, up to its last checkpoint, that they lack and
    /// that the prologue has not sent.
    fn send_what_is_lacking(&mut self) -> Result<(), String> {
        let mut sent = std::mem::take(&mut self.checkpoints.closed);
        for comm in self.comms.iter().flatten() {
            for (peer, next) in comm.peers.iter().zip(&comm.next) {
                sent.insert((comm.context, *peer), *next);
            }
        }
        for index in 0..self.peers.len() {
            let peer = PeerId(index as u32);
            let Peer::Reported(has) = &self.peers[index] else {
                continue;
            };
            if self.below.is_suspended(peer) {
                continue;
            }
            let lacks = |context: Context, number: u64| {
                let is_there = has
                    .get(&context)
                    .is_some_and(|(next, missing)| number < *next && !missing.contains(&number));
                let again = sent.get(&(context, peer)).copied().unwrap_or(0);
                !is_there && number >= again
            };
            if let Some(why) = self.payload.lacks_copy(peer, lacks) {
                return Err(why);
            }
            let copies = self.payload.sent_to(peer).into_iter();
            let lacking = copies.filter(|(label, _)| lacks(label.context, label.sequence));
            for (label, buffer) in lacking.collect::<Vec<_>>() {
                let request = self.below.resend(peer, label, buffer);
                self.below.detach(request);
                self.resent += 1;
            }
        }
        Ok(())
    }

    /// Cuts the logs: the program has saved its state under a tag.
    pub(crate) fn cut(&mut self, tag: u64, library: &[u64]) -> Result<(), String> {
        if !self.checkpoints.has_asked {
            return Err("OXMPI_Restarted has to be called before, once".into());
        }
        self.check_idle()?;
        let contexts = self.open_contexts();
        if contexts != self.checkpoints.comms {
            let before: HashSet<&Context> = self.checkpoints.comms.iter().collect();
            let made = contexts.iter().filter(|one| !before.contains(one)).count();
            return Err(format!(
                "the communicators are not those that there were at OXMPI_Restarted: {made} of \
                 their message contexts were made since and are open, {} are closed; make them \
                 before it, and free what is made later before the checkpoint",
                before.len() + made - contexts.len()
            ));
        }
        self.log_matches();
        if !self.replay.is_over() {
            return Err(
                "its earlier life had more events before its death: the program does not do the \
                 same when it runs again"
                    .into(),
            );
        }
        self.payload.make_lasting()?;
        if self.resent == 0 {
            self.payload.drop_retired();
        }
        self.receive_notices();
        let cut: Vec<Vec<Received>> = (self.taken().into_iter())
            .zip(&self.checkpoints.prologue)
            .map(|(taken, prologue)| without(taken, prologue))
            .collect();
        let state = |comm: &Comm| CommState {
            context: comm.context,
            receive: comm.receive,
            next: comm.next.to_vec(),
        };
        let mut comms: Vec<CommState> = self.comms.iter().flatten().map(state).collect();
        comms.sort_by_key(|comm| comm.context);
        let record = Record {
            tag,
            wildcards: self.wildcards,
            opened: self.opened,
            comms,
            prologue: self.checkpoints.prologue.clone(),
            cut,
            payload: self.payload.save(),
            library: library.to_vec(),
        };
        self.history.cut();
        self.events.checkpoint(&record.encode())?;
        // Before anybody frees what only an older record needs.
        self.events.settle();
        self.checkpoints.count += 1;
        self.notify(&record.cut);
        self.checkpoints.cut = record.cut;
        Ok(())
    }

    /// Notifies peers which copies of their messages no life of this process needs any more.
    fn notify(&mut self, cut: &[Vec<Received>]) {
        let below = &mut self.below;
        (self.notices).retain(|(request, _)| below.outcome(*request).is_none());
        for (index, received) in cut.iter().enumerate() {
            let peer = PeerId(index as u32);
            let is_known = self.checkpoints.cut.get(index) == Some(received);
            if received.is_empty() || is_known || self.below.is_suspended(peer) {
                continue;
            }
            let bytes = account::encode(received);
            let scratch = Scratch::new(bytes.len());
            scratch.buf().write(0, &bytes);
            let buffer = Buffer::bytes(scratch.buf());
            let (comm, to) = (self.accounts, Rank(peer.0));
            let started = (self.below).start_send(comm, to, NOTICE, buffer, Mode::Standard);
            if let Started::Pending(request) = started {
                self.notices.push((request, scratch));
            }
        }
    }

    /// Takes in the notices of peers, and frees what they do not need any more.
    pub(crate) fn receive_notices(&mut self) {
        self.until_look = TURNS_PER_LOOK;
        for index in 0..self.settings.peers {
            let from = PeerId(index);
            let pattern = Pattern {
                source: Some(Rank(index)),
                tag: Some(NOTICE),
            };
            while let Some((message, status)) = self.below.matched_probe(self.accounts, pattern) {
                let scratch = Scratch::new(status.bytes as usize);
                let buffer = Buffer::bytes(scratch.buf());
                if let Some(request) = self.below.start_matched_recv(message, buffer) {
                    self.coming.push((from, request, scratch));
                }
            }
        }
        let mut coming = std::mem::take(&mut self.coming);
        coming.retain(|(from, request, scratch)| {
            let Some(outcome) = self.below.outcome(*request) else {
                return true;
            };
            let mut bytes = vec![0; scratch.buf().len()];
            scratch.buf().read(0, &mut bytes);
            let got = account::decode(&bytes).filter(|_| outcome.result.is_ok());
            self.payload.free(*from, &got.unwrap_or_default());
            false
        });
        self.coming = coming;
    }

    /// Fails where a receive is open or a message is half received.
    fn check_idle(&self) -> Result<(), String> {
        let mut receives = self.numbers.iter();
        if receives.any(|(request, _)| self.below.is_open(*request)) {
            return Err("a receive is not complete".into());
        }
        if self.below.has_taken() {
            return Err("a message of a matched probe was not received".into());
        }
        let taken = self.below.taken_from(self.settings.me);
        let is_behind = |comm: &Comm| {
            let me = comm.peers.iter().position(|peer| *peer == self.settings.me);
            let sent = me.map_or(0, |me| comm.next[me]);
            let taken = taken.iter().find(|one| one.context == comm.context);
            // It may be on its way still, and not have come.
            taken.map_or(0, |one| one.next - one.missing.len() as u64) != sent
        };
        if self.comms.iter().flatten().any(is_behind) {
            return Err("a message of this process to itself was not received".into());
        }
        Ok(())
    }

    /// Returns which messages of each peer were received.
    fn taken(&self) -> Vec<Vec<Received>> {
        let of = |peer| match peer == self.settings.me {
            true => Vec::new(),
            false => {
                let all = self.below.taken_from(peer).into_iter();
                all.filter(|one| one.context != ACCOUNTS).collect()
            }
        };
        (0..self.settings.peers).map(PeerId).map(of).collect()
    }

    /// Returns the contexts of the open communicators, in order.
    fn open_contexts(&self) -> Vec<Context> {
        let comms = self.comms.iter().flatten();
        let mut contexts: Vec<Context> = comms.map(|comm| comm.context).collect();
        contexts.sort_unstable();
        contexts
    }
}
