//! The layer: what is logged, what is brought about again, and what is not sent again.

use std::collections::{HashMap, HashSet};

use base::{PeerId, Rank};
use datatype::Buffer;
use mca::Framework;
use memory::Scratch;
use pml::{CommId, Context, Label, Mode, Pattern, Pml};
use pml::{Received, RequestId, Restart, Started, Tag};
use vprotocol::{Call, Saved, Vprotocol};

use crate::account;
use crate::events::{EventLog, Replay};
use crate::history::{CallHistory, CallRecord};
use crate::payload::{PayloadLog, Storage};
use crate::record::{self, Checkpoints};
use crate::{FILE, PAYLOAD};

/// The communicator of accounts: of a process that no job has.
pub(crate) const ACCOUNTS: Context = Context(((1 << 24) - 2) << 40);

/// The tags in it: of accounts, of no message, and of notices of checkpoints.
const ACCOUNT: Tag = 0;
const NO_MESSAGE: Tag = 1;
pub(crate) const NOTICE: Tag = 2;

/// Turns of progress after which notices are looked for.
pub(crate) const TURNS_PER_LOOK: u32 = 1 << 10;

/// Bits of a receive's number that count those of its communicator.
const RECEIVE_BITS: u32 = 40;

/// Settings of one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// This process.
    pub me: PeerId,
    /// Processes of the job.
    pub peers: u32,
    /// Whether this is the next life of a process that died.
    pub is_next_life: bool,
    /// Whether messages to processes of the same host are not copied.
    pub logs_remote_only: bool,
    /// Whether a summary of the log is reported at the end.
    pub reports: bool,
}

/// A communicator.
pub(crate) struct Comm {
    pub(crate) id: CommId,
    pub(crate) context: Context,
    rank: Rank,
    pub(crate) peers: Box<[PeerId]>,
    /// The numbers of the next messages to each rank.
    pub(crate) next: Box<[u64]>,
    /// The number of the next receive: the communicator's own, and a count. What runs beside the
    /// program, in communicators of its own, does not change it.
    pub(crate) receive: u64,
}

/// The messages that a peer has of this process, by communicator: those before a number, but for
/// some.
type Has = HashMap<Context, (u64, HashSet<u64>)>;

fn has(account: Vec<Received>) -> Has {
    let entry = |one: Received| {
        let missing: HashSet<u64> = one.missing.into_iter().collect();
        (one.context, (one.next, missing))
    };
    account.into_iter().map(entry).collect()
}

/// The knowledge of this process about the messages that a peer has of it.
pub(crate) enum Peer {
    /// The peer has got, or will get, each message that is sent.
    Ordinary,
    /// This process is a next life, and the peer has not reported yet. With the receive of its
    /// account.
    Silent(Option<(RequestId, Scratch)>),
    /// The peer has reported these messages of an earlier life of this process.
    Reported(Has),
    /// The peer has come back in the prologue of this process, a next life that goes on from a
    /// checkpoint: it has got all that the earlier life had sent, and needs nothing of the
    /// prologue. With what it has of later messages.
    Greeted(Has),
}

/// A point-to-point layer whose messages are logged.
pub struct Pessimist<P> {
    pub(crate) below: P,
    pub(crate) settings: Settings,
    pub(crate) events: EventLog,
    pub(crate) replay: Replay,
    pub(crate) payload: PayloadLog,
    /// Whether each peer is on the host of this process.
    near: Box<[bool]>,
    /// Whether the user knows that the payload log is full.
    has_warned: bool,
    /// By the index of the communicator's key.
    pub(crate) comms: Vec<Option<Comm>>,
    pub(crate) accounts: CommId,
    /// Accounts that were sent, kept until the end.
    sent: Vec<Scratch>,
    /// Notices that are on their way to peers, and those that come from them.
    pub(crate) notices: Vec<(RequestId, Scratch)>,
    pub(crate) coming: Vec<(PeerId, RequestId, Scratch)>,
    /// Turns of progress until notices are looked for.
    pub(crate) until_look: u32,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) peers: Vec<Peer>,
    /// Number of peers that have not reported which messages they have.
    silent: usize,
    /// Whether sends need a check of the peer's state: one is suspended or has reported.
    is_special: bool,
    /// Communicators so far.
    pub(crate) opened: u64,
    /// The number of each receive that may be under way, by the index of its key.
    pub(crate) numbers: Vec<(RequestId, u64)>,
    /// Receives from any source so far, and those whose match is not logged.
    pub(crate) wildcards: u64,
    unmatched: Vec<(RequestId, u64)>,
    /// Unmatched receives whose outcome will not be queried.
    detached: Vec<RequestId>,
    suppressed: u64,
    pub(crate) resent: u64,
    fault: Option<String>,
    pub(crate) history: CallHistory,
}

impl<P: Restart> Pessimist<P> {
    /// Wraps a layer. `events` is the log of this process, `replay` what its earlier lives have
    /// left there.
    ///
    /// # Errors
    /// Returns the layer where it cannot have peers suspended.
    pub fn over(
        mut below: P,
        settings: Settings,
        (events, replay): (EventLog, Replay),
    ) -> Result<Pessimist<P>, P> {
        if !below.enable_restarts() {
            return Err(below);
        }
        let all = || (0..settings.peers).map(PeerId);
        let accounts = below.open_comm(ACCOUNTS, Rank(settings.me.0), all().collect());
        let peer = |peer| match settings.is_next_life && peer != settings.me {
            true => Peer::Silent(None),
            false => Peer::Ordinary,
        };
        let silent = match settings.is_next_life {
            true => settings.peers as usize - 1,
            false => 0,
        };
        Ok(Pessimist {
            below,
            settings,
            events,
            replay,
            payload: PayloadLog::default(),
            near: vec![false; settings.peers as usize].into(),
            has_warned: false,
            comms: Vec::new(),
            accounts,
            sent: Vec::new(),
            notices: Vec::new(),
            coming: Vec::new(),
            until_look: TURNS_PER_LOOK,
            checkpoints: Checkpoints::default(),
            peers: all().map(peer).collect(),
            silent,
            is_special: settings.is_next_life,
            opened: 0,
            numbers: Vec::new(),
            wildcards: 0,
            unmatched: Vec::new(),
            detached: Vec::new(),
            suppressed: 0,
            resent: 0,
            fault: None,
            history: CallHistory::default(),
        })
    }

    /// Sets where copies of messages lie, and which peers are on the host of this process, before
    /// anything is sent.
    pub fn storing(self, storage: Storage, near: Box<[bool]>) -> Pessimist<P> {
        let mut layer = Pessimist {
            payload: PayloadLog::new(storage),
            near,
            ..self
        };
        if let Some(record) = layer.replay.record().map(<[u64]>::to_vec) {
            layer.fault = layer.begin_behind(&record).err();
        }
        layer
    }

    /// Sets the memory of what the program sends and receives.
    pub fn comparing(self, history: CallHistory) -> Pessimist<P> {
        Pessimist { history, ..self }
    }

    /// Logs the matches of receives from any source since the last call: before anything is sent
    /// that may depend on them.
    #[inline]
    pub(crate) fn log_matches(&mut self) {
        if !self.unmatched.is_empty() {
            self.log_matches_of_all();
        }
    }

    fn log_matches_of_all(&mut self) {
        let (below, events) = (&self.below, &mut self.events);
        self.unmatched.retain(|(request, number)| {
            let source = below.source_of(*request);
            if let Some(source) = source {
                events.matched(*number, source.0);
            }
            source.is_none() && below.is_open(*request)
        });
        if !self.detached.is_empty() {
            self.drop_detached();
        }
    }

    /// Drops the receives that have matched and that nobody asks about.
    #[cold]
    fn drop_detached(&mut self) {
        let below = &mut self.below;
        self.detached.retain(|request| {
            let is_logged = below.source_of(*request).is_some();
            if is_logged {
                below.detach(*request);
            }
            !is_logged
        });
    }

    /// Starts a receive. One that the earlier life has cancelled in time gets no message.
    #[inline]
    fn start_numbered(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        let known = (self.comms.get_mut(comm.key().index())).and_then(Option::as_mut);
        let Some(known) = known else {
            return self.below.start_recv(comm, pattern, buffer);
        };
        let number = known.receive;
        known.receive += 1;
        let request = match self.replay.will_be_cancelled(number) {
            false => self.below.start_recv(comm, pattern, buffer),
            true => {
                let nobody = Pattern {
                    source: Some(Rank(self.settings.me.0)),
                    tag: Some(NO_MESSAGE),
                };
                self.below.start_recv(self.accounts, nobody, buffer)
            }
        };
        let index = request.key().index();
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, (request, number));
        }
        self.numbers[index] = (request, number);
        request
    }

    /// Notes why this process cannot go on; the first reason counts.
    #[cold]
    fn blame(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }

    /// Compares a receive of the program with that of the earlier life.
    #[inline]
    fn compare_receive(&mut self, comm: CommId, pattern: Pattern, buffer: &Buffer) {
        let known = self.comms.get(comm.key().index()).and_then(Option::as_ref);
        let Some(known) = known.filter(|known| known.context.is_of_program()) else {
            return;
        };
        let number = known.receive >> RECEIVE_BITS;
        let step = CallRecord::receive(number, &known.peers, pattern, buffer.len() as u64);
        if let Err(why) = self.history.take(step) {
            self.blame(why);
        }
    }

    /// Copies a message into the payload log.
    #[inline]
    fn log_payload(&mut self, peer: PeerId, label: Label, message: &Buffer) {
        if self.checkpoints.start.is_some() {
            // The earlier life has logged it.
            return;
        }
        if self.settings.logs_remote_only && self.near[peer.index()] {
            return self.payload.omit(peer, label);
        }
        if !self.payload.record(peer, label, message) {
            self.warn_of_full_log();
        }
    }

    /// Says once that a message has no copy.
    #[cold]
    fn warn_of_full_log(&mut self) {
        if std::mem::replace(&mut self.has_warned, true) {
            return;
        }
        let me = self.settings.me;
        let why = self.payload.why_full().unwrap_or_default();
        Framework::Vprotocol.warn(format_args!(
            "{me}: the payload log is full: {why}. The job goes on, but a rank that is killed and \
             has been sent a message since cannot be started again: the job ends then. Give \
             {FILE} a folder with more room"
        ));
    }

    /// Splits the address of a peer into that of the layer below and the cut for this process.
    fn split<'a>(&mut self, peer: PeerId, address: &'a [u8]) -> (&'a [u8], Vec<Received>) {
        record::split(address, self.settings.me).unwrap_or_else(|| {
            self.fault = Some(format!("{peer} has a malformed address"));
            (address, Vec::new())
        })
    }

    /// Begins a send that a peer may have already, or that it will get later.
    #[cold]
    fn send_specially(
        &mut self,
        (comm, to, peer): (CommId, Rank, PeerId),
        label: Label,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        if self.below.is_suspended(peer) {
            self.below.skip_send(comm, to);
            return Started::Complete;
        }
        if matches!(self.peers[peer.index()], Peer::Greeted(_)) {
            self.below.skip_send(comm, to);
            self.suppressed += 1;
            return Started::Complete;
        }
        if let Peer::Reported(has) = &self.peers[peer.index()] {
            let (next, missing) = has
                .get(&label.context)
                .map_or((0, None), |(next, missing)| (*next, Some(missing)));
            if label.sequence < next {
                self.below.skip_send(comm, to);
                if missing.is_some_and(|missing| missing.contains(&label.sequence)) {
                    return Started::Pending(self.below.resend(peer, label, buffer));
                }
                self.suppressed += 1;
                return Started::Complete;
            }
        }
        self.below.start_send(comm, to, label.tag, buffer, mode)
    }

    /// Sends a peer that has come back which of its messages this process has, and again all that
    /// its earlier life was sent.
    fn greet(&mut self, peer: PeerId) {
        let bytes = account::encode(&self.below.received_from(peer));
        let scratch = Scratch::new(bytes.len());
        scratch.buf().write(0, &bytes);
        let buffer = Buffer::bytes(scratch.buf());
        self.sent.push(scratch);
        let (comm, to) = (self.accounts, Rank(peer.0));
        let started = (self.below).start_send(comm, to, ACCOUNT, buffer, Mode::Standard);
        if let Started::Pending(request) = started {
            self.below.detach(request);
        }
        if !self.payload.is_complete(peer) {
            let me = self.settings.me;
            self.fault = Some(match self.payload.why_full() {
                Some(why) => format!(
                    "{peer} cannot be started again: {me} has no copy of all messages to it: {why}"
                ),
                None => format!(
                    "{peer} cannot be started again: {me} is on the same host and has kept no copy \
                     of its messages, by {PAYLOAD} remote; with `all` it can"
                ),
            });
        }
        for (label, buffer) in self.payload.sent_to(peer) {
            let request = self.below.resend(peer, label, buffer);
            self.below.detach(request);
            self.resent += 1;
        }
    }

    /// Takes in the accounts of peers.
    #[cold]
    fn receive_accounts(&mut self) {
        for index in 0..self.peers.len() {
            let Peer::Silent(receive) = &mut self.peers[index] else {
                continue;
            };
            let peer = PeerId(index as u32);
            let Some((request, _)) = receive else {
                let pattern = Pattern {
                    source: Some(Rank(peer.0)),
                    tag: Some(ACCOUNT),
                };
                if let Some((message, status)) = self.below.matched_probe(self.accounts, pattern) {
                    let scratch = Scratch::new(status.bytes as usize);
                    let buffer = Buffer::bytes(scratch.buf());
                    let request = self.below.start_matched_recv(message, buffer);
                    *receive = request.map(|request| (request, scratch));
                }
                continue;
            };
            let Some(outcome) = self.below.outcome(*request) else {
                continue;
            };
            let Some((_, scratch)) = receive.take() else {
                continue;
            };
            let mut bytes = vec![0; scratch.buf().len()];
            scratch.buf().read(0, &mut bytes);
            let account = account::decode(&bytes).filter(|_| outcome.result.is_ok());
            let Some(account) = account else {
                self.fault = Some(format!("{peer} gave a malformed account of its messages"));
                continue;
            };
            self.peers[index] = Peer::Reported(has(account));
            self.silent -= 1;
        }
    }

    #[inline]
    fn after_progress(&mut self, happened: usize) {
        if happened > 0 {
            self.log_matches();
            self.until_look -= 1;
            if self.until_look == 0 {
                self.receive_notices();
            }
        }
        if self.silent > 0 {
            self.receive_accounts();
        }
    }
}

impl<P: Restart> Vprotocol for Pessimist<P> {
    type Below = P;

    fn name(&self) -> &'static str {
        "pessimist"
    }

    fn below(&self) -> &P {
        &self.below
    }

    fn below_mut(&mut self) -> &mut P {
        &mut self.below
    }

    fn replay(&mut self, call: Call) -> Option<Vec<u32>> {
        match self.replay.take(call) {
            Ok(None) if self.checkpoints.start.is_some() => {
                self.fault = Some(format!(
                    "it calls {} where its earlier life asked whether it was restarted: the \
                     program does not do the same when it runs again",
                    call.name()
                ));
                None
            }
            Ok(found) => found,
            Err(before) => {
                self.blame(format!(
                    "it calls {} where its earlier life called {}: the program does not do the \
                     same when it runs again",
                    call.name(),
                    before.name()
                ));
                None
            }
        }
    }

    fn observe(&mut self, call: Call, found: &[u32]) {
        self.log_matches();
        self.events.found(call, found);
    }

    fn end_prologue(&mut self) -> Result<Option<Saved>, String> {
        if self.checkpoints.has_asked {
            return Err("it was called before".into());
        }
        let passed = self.pass_prologue();
        if let (Err(why), true) = (&passed, self.settings.is_next_life) {
            self.fault = Some(why.clone());
        }
        Ok(passed?.map(|(tag, library)| Saved { tag, library }))
    }

    fn checkpoint(&mut self, saved: &Saved) -> Result<(), String> {
        self.cut(saved.tag, &saved.library)
    }

    fn restart_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<P::Route, P::Error> {
        self.below.suspend_peer(peer);
        self.below.reset_comm(self.accounts, peer);
        let (address, cut) = self.split(peer, address);
        let route = self.below.add_peer(peer, address)?;
        let (is_of_it, others) = (std::mem::take(&mut self.coming).into_iter())
            .partition(|(from, _, _): &(PeerId, _, _)| *from == peer);
        self.coming = others;
        for (_, request, notice) in Vec::from_iter::<Vec<_>>(is_of_it) {
            self.below.detach(request);
            self.sent.push(notice);
        }
        self.payload.free(peer, &cut);
        if let Some(entry) = self.peers.get_mut(peer.index()) {
            // It gets all of this process but for what it has got for good, which this life may be
            // about to send again.
            let has = has(cut);
            let after = match self.checkpoints.start {
                Some(_) => Peer::Greeted(has),
                None if has.is_empty() => Peer::Ordinary,
                None => Peer::Reported(has),
            };
            let before = std::mem::replace(entry, after);
            self.silent -= usize::from(matches!(before, Peer::Silent(_)));
            if let Peer::Silent(Some((request, account))) = before {
                self.below.detach(request);
                self.sent.push(account);
            }
        }
        self.is_special = true;
        self.greet(peer);
        Ok(route)
    }

    fn expect_peer(&mut self, peer: PeerId) {
        self.below.suspend_peer(peer);
        self.is_special = true;
    }

    fn begin_anew(&mut self) {
        self.peers.fill_with(|| Peer::Ordinary);
        self.silent = 0;
        self.is_special = false;
    }

    fn finalizing(&mut self) {
        let next = self.replay.calls.front().map(|next| next.call.name());
        let next = self.history.rest().or(next.map(String::from));
        let sent = |(index, peer): (usize, &Peer)| {
            let Peer::Reported(has) = peer else {
                return None;
            };
            let mut known = self.comms.iter().flatten();
            let peer = PeerId(index as u32);
            let lacks = known.find(|known| {
                let at = known.peers.iter().position(|other| *other == peer);
                let has = has.get(&known.context).map_or(0, |(next, _)| *next);
                at.is_some_and(|at| known.next[at] < has)
            });
            lacks.map(|_| format!("messages of a collective to rank {}", peer.0))
        };
        let next = next.or_else(|| self.replay.unmatched());
        let next = next.or_else(|| self.peers.iter().enumerate().find_map(sent));
        if let Some(next) = next {
            self.blame(format!(
                "it calls MPI_Finalize where its earlier life went on to {next}: the program does \
                 not do the same when it runs again"
            ));
        }
    }

    fn awaited(&self) -> Option<PeerId> {
        let mut silent = self.peers.iter().enumerate();
        let found = silent.find(|(_, peer)| matches!(peer, Peer::Silent(_)));
        found.map(|(index, _)| PeerId(index as u32))
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    fn account(&self) -> Vec<String> {
        if !self.settings.reports {
            return Vec::new();
        }
        let (messages, bytes, freed) = self.payload.size();
        let in_file = match self.payload.taken() {
            (_, 0) => String::new(),
            (_, bytes) => format!(", a file of {bytes} bytes"),
        };
        let in_file = match self.checkpoints.count {
            0 => in_file,
            count => format!("{in_file}; {count} checkpoints, {freed} copies freed"),
        };
        let full = match self.events.is_full() {
            true => ", and had no room for more",
            false => "",
        };
        vec![format!(
            "logged {} events{full}, {messages} messages ({bytes} bytes{in_file}); left out {} \
             sends, sent {} again",
            self.events.entries(),
            self.suppressed,
            self.resent
        )]
    }
}

/// Calls the layer below.
macro_rules! below {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => {
        $self.below.$($call)+
    };
}

impl<P: Restart> Pml for Pessimist<P> {
    type Route = P::Route;
    type Error = P::Error;

    fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId {
        let id = self.below.open_comm(context, rank, peers.clone());
        let comm = Comm {
            id,
            context,
            rank,
            next: vec![0; peers.len()].into(),
            receive: self.opened << RECEIVE_BITS,
            peers: peers.into(),
        };
        self.opened += 1;
        let index = id.key().index();
        if self.comms.len() <= index {
            self.comms.resize_with(index + 1, || None);
        }
        self.comms[index] = Some(comm);
        id
    }

    fn close_comm(&mut self, comm: CommId) {
        let known = self.comms.get_mut(comm.key().index());
        let closed = known.and_then(|known| known.take_if(|known| known.id == comm));
        if let (Some(closed), Some(_)) = (closed, &self.checkpoints.start) {
            let next = closed.peers.iter().zip(&closed.next);
            let next = next.map(|(peer, next)| ((closed.context, *peer), *next));
            self.checkpoints.closed.extend(next);
        }
        self.below.close_comm(comm);
    }

    /// Returns the address, with the cut of the last checkpoint behind it.
    fn address(&self) -> Vec<u8> {
        record::with_cut(self.below.address(), &self.checkpoints.cut)
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<P::Route, P::Error> {
        let (address, _) = self.split(peer, address);
        self.below.add_peer(peer, address)
    }

    #[inline]
    fn start_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> Started {
        self.log_matches();
        self.events.settle();
        let known = self
            .comms
            .get_mut(comm.key().index())
            .and_then(Option::as_mut);
        let Some(known) = known else {
            return self.below.start_send(comm, to, tag, buffer, mode);
        };
        let peer = known.peers[to.index()];
        let sequence = known.next[to.index()];
        known.next[to.index()] += 1;
        if peer == self.settings.me || peer.0 >= self.settings.peers {
            return self.below.start_send(comm, to, tag, buffer, mode);
        }
        let label = Label {
            context: known.context,
            source: known.rank,
            tag,
            sequence,
        };
        if label.context.is_of_program() {
            let number = known.receive >> RECEIVE_BITS;
            let step = CallRecord::send(number, peer, label, buffer.len() as u64);
            if let Err(why) = self.history.take(step) {
                self.blame(why);
            }
        }
        let message = buffer.clone();
        let started = match self.is_special || self.below.is_suspended(peer) {
            true => self.send_specially((comm, to, peer), label, buffer, mode),
            false => self.below.start_send(comm, to, tag, buffer, mode),
        };
        // Copied after it has left, and while the receiver takes it: only the next life of the
        // receiver needs the copy, and the program gets its buffer back when this call returns.
        self.log_payload(peer, label, &message);
        started
    }

    #[inline]
    fn start_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        self.compare_receive(comm, pattern, &buffer);
        if pattern.source.is_some() {
            return self.start_numbered(comm, pattern, buffer);
        }
        let number = self.wildcards;
        self.wildcards += 1;
        if let Some(source) = self.replay.take_match(number) {
            let source = Some(Rank(source));
            return self.start_numbered(comm, Pattern { source, ..pattern }, buffer);
        }
        let request = self.start_numbered(comm, pattern, buffer);
        self.unmatched.push((request, number));
        self.log_matches_of_all();
        request
    }

    #[inline]
    fn progress(&mut self) -> usize {
        let happened = self.below.progress();
        self.after_progress(happened);
        happened
    }

    fn progress_all(&mut self) -> usize {
        let happened = self.below.progress_all();
        self.after_progress(happened);
        happened
    }

    /// Lets a receive end that nobody asks about. Its match is logged before.
    fn detach(&mut self, request: RequestId) {
        match self.unmatched.iter().any(|(known, _)| *known == request) {
            true => self.detached.push(request),
            false => self.below.detach(request),
        }
    }

    /// Cancels a receive, or leaves it where the earlier life was too late. A send is not
    /// cancelled: its receiver may not have what the next life takes for sent.
    fn cancel(&mut self, request: RequestId) -> bool {
        let known = self.numbers.get(request.key().index());
        let Some((_, number)) = known.filter(|(known, _)| *known == request) else {
            return false;
        };
        let number = *number;
        match self.replay.take_cancel(number) {
            Some(false) => false,
            Some(true) => self.below.cancel(request),
            None => {
                let in_time = self.below.cancel(request);
                self.events.cancelled(number, in_time);
                in_time
            }
        }
    }

    pml::forward!(
        below:
        capabilities, remove_peer, peer_failed, failed, has_left,
        start_matched_recv, probe, matched_probe, find_unexpected, is_done,
        is_open, outcome, take_success, peek_outcome, watch, report, take_ended, failures,
        has_queued, is_flushed, arm, disarm, has_idle, backs_off, depart,
        close, open_requests, held_requests, unexpected_len,
    );
}
