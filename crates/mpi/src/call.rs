//! A collective call under way: an algorithm of `coll` with its messages in the engine.
//!
//! **Who calls differently is found out**, at no cost to those who do not. A call's messages have
//! a tag made of its number and of what is called, so those of calls that do not belong together
//! do not match. Whoever has waited a while looks at what lies unmatched before it: if the oldest
//! message of a rank that it waits for has its call's number and another signature, both are told
//! ([`Call::find_mismatch`]).
//!
//! Two that wait for each other, as those that both take the other for the root, send nothing. So
//! who has waited very long sends those it waits for a **note**, an empty message whose tag says
//! what it calls, and takes it back in the end if nobody has received it, which nobody does: who
//! waits as well sees it as any other message that lies there.

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use base::Rank;
use coll::port::{Kind, Peer, Posted};
use coll::{Collective, Function, Mismatch, Port, Running, Signature, Team};
use datatype::Buffer;
use engine::{Core, Engine, Started};
use pml::{CommId, Mode, Outcome, Pattern, RequestId};

use crate::{Comm, Error};

/// Where a call's messages go: the collective planes of its communicator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// To the own group.
    pub(crate) local: CommId,
    /// To the remote group of an inter-communicator; else the same as `local`.
    pub(crate) remote: CommId,
}

impl Planes {
    /// The one that messages to and from a peer take.
    fn to(&self, peer: Peer) -> CommId {
        match peer.remote {
            true => self.remote,
            false => self.local,
        }
    }
}

/// Tags of calls in turn, on a plane for collectives.
pub(crate) const CALL_TAGS: u32 = 1 << 28;
/// Between the tags of calls that have one number and differ by 1 in the code of what is called.
const TAGS_PER_CODE: u32 = 1 << 12;
/// Looks in vain between two at unmatched messages, where there is a core for each process: these
/// and the clock take as long as several looks. A power of two, since the count of looks wraps.
const LOOKS_BEFORE: u32 = 64;
/// How many unmatched messages are looked at each time.
const LOOKED_AT: usize = 16;
/// The tags of notes: so far above those of the messages of the same calls.
const NOTE_TAGS: i32 = (1 << 29) + (1 << 28);
/// How long a call waits in vain before it sends notes, and to how many at most.
const NOTES_AFTER: Duration = Duration::from_secs(1);
const NOTES_MAX: usize = 64;
/// How long a call waits in vain before each look where a network keeps what nobody expects, which
/// has to be asked.
const ASK_AFTER: Duration = Duration::from_millis(200);

/// Whether unmatched messages lie where the receiver sees them: a network that matches itself keeps
/// them, and may have no room for the tags of notes.
fn takes_notes(core: &Core) -> bool {
    core.pml.name() == "ob1"
}

/// What a call's messages bear.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    tag: i32,
    /// What is called; `None` for the library's own calls.
    signature: Option<Signature>,
}

impl Label {
    /// Of the call of a number below [`CALL_TAGS`]. The sum of number and code is as good as the
    /// number: calls of one function are as far apart, and others meet as rarely.
    pub(crate) fn new(number: u32, signature: Option<Signature>) -> Label {
        let code = signature.map_or(0, |signature| u32::from(signature.code()));
        let tag = number.wrapping_add(code * TAGS_PER_CODE) % CALL_TAGS;
        Label {
            tag: tag as i32,
            signature,
        }
    }

    /// The tag of a message of the same number that says something else.
    fn with_code(&self, code: u16) -> i32 {
        let ours = self.signature.map_or(0, |signature| signature.code());
        let apart = u32::from(code.wrapping_sub(ours)) * TAGS_PER_CODE;
        ((self.tag as u32).wrapping_add(apart) % CALL_TAGS) as i32
    }

    /// The tag of a note that says what this call is.
    fn note(&self) -> i32 {
        NOTE_TAGS + self.tag
    }

    /// What the sender of a message or note of the same number calls: `None` when it is one of
    /// another number, or of this very call.
    fn other(&self, tag: i32) -> Option<Option<Signature>> {
        let tag = if tag >= NOTE_TAGS {
            tag - NOTE_TAGS
        } else {
            tag
        };
        let apart = (tag as u32).wrapping_sub(self.tag as u32) % CALL_TAGS;
        let is_call = (0..CALL_TAGS as i32).contains(&tag);
        if !is_call || apart == 0 || !apart.is_multiple_of(TAGS_PER_CODE) {
            return None;
        }
        let ours = self.signature.map_or(0, |signature| signature.code());
        match ours.wrapping_add((apart / TAGS_PER_CODE) as u16) {
            0 => Some(None),
            code => Some(Some(Signature::of_code(code)?)),
        }
    }
}

/// What a call works with, and the next one may use again: then a small one allocates next to
/// nothing.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) port: Port,
    active: Vec<Active>,
    posted: Vec<Posted>,
}

/// A message under way.
#[derive(Clone, Copy)]
struct Active {
    slot: u32,
    request: RequestId,
    /// Who sends it, if this process receives it.
    from: Option<Peer>,
}

/// A wait in vain that lasts.
struct LongWait {
    since: Instant,
    /// When a network that keeps what nobody expects was last asked.
    asked: Instant,
    /// Notes under way.
    notes: Vec<RequestId>,
}

/// One collective call of this process.
pub(crate) struct Call {
    collective: Collective,
    planes: Planes,
    label: Label,
    /// This process's rank in its group, and how many there are.
    rank: u32,
    ranks: u32,
    /// Looks in vain since a message last ended.
    idle: u32,
    /// The long wait that this has become.
    wait: Option<LongWait>,
    active: Vec<Active>,
    posted: Vec<Posted>,
    result: Option<Result<(), Error>>,
    /// The communicator, until the call is over, if nobody else answers for it.
    kept: Option<Arc<Comm>>,
}

impl Call {
    /// `running` was begun on the port of `desk`.
    pub(crate) fn new(
        desk: Desk,
        running: Running,
        planes: Planes,
        label: Label,
        team: Team,
    ) -> Call {
        let Desk {
            port,
            active,
            posted,
        } = desk;
        Call {
            collective: Collective::new(port, running),
            planes,
            label,
            rank: team.rank,
            ranks: team.size,
            idle: 0,
            wait: None,
            active,
            posted,
            result: None,
            kept: None,
        }
    }

    /// The same call, with a hold on its communicator.
    pub(crate) fn keeping(mut self, comm: Arc<Comm>) -> Call {
        self.kept = Some(comm);
        self
    }

    /// Whether the call is over.
    pub(crate) fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// How the call failed, if it has.
    pub(crate) fn failure(&self) -> Option<&Error> {
        self.result.as_ref()?.as_ref().err()
    }

    /// How the call ended. It stays over: another thread may still come to advance it.
    pub(crate) fn take_result(&mut self) -> Option<Result<(), Error>> {
        let result = self.result.as_mut()?;
        Some(std::mem::replace(result, Ok(())))
    }

    /// Reports messages that ended and lets the algorithm go on. Whether anything happened.
    pub(crate) fn advance(&mut self, engine: &Engine) -> bool {
        if self.result.is_some() {
            return false;
        }
        let mut ended = Vec::new();
        let mut core = engine.enter();
        self.reap(&mut core, &mut ended);
        let happened = !ended.is_empty();
        match happened {
            true => self.moves_again(&mut core),
            false => self.idle = self.idle.wrapping_add(1),
        }
        let mismatch = self.find_mismatch(&mut core, engine.spins());
        drop(core);
        for (slot, outcome) in ended {
            self.complete(slot, outcome);
        }
        if let Some(mismatch) = mismatch {
            self.give_up(engine, mismatch);
        }
        self.go_on(engine);
        if self.result.is_some() {
            let mut core = engine.enter();
            self.moves_again(&mut core);
            withdraw(&mut self.active, &mut core);
            if let Some(Err(_)) = self.result {
                core.pml.note_failure();
            }
        }
        happened
    }

    /// A wait is over: its notes are taken back.
    fn moves_again(&mut self, core: &mut Core) {
        self.idle = 0;
        if let Some(wait) = self.wait.take() {
            for note in wait.notes {
                core.pml.cancel(note);
                core.pml.detach(note);
            }
        }
    }

    /// Ends the call with an error, and lets nobody of the own group wait for this process.
    #[cold]
    fn give_up(&mut self, engine: &Engine, mismatch: Mismatch) {
        let gave_up = Signature::new(Function::GaveUp);
        if mismatch.theirs != Some(gave_up) {
            let tag = self.label.with_code(gave_up.code());
            // Before it what this call is: who waits longer than this process has seen neither
            // message nor note of it.
            let mut core = engine.enter();
            let note = takes_notes(&core).then_some(self.label.note());
            for to in (0..self.ranks).filter(|rank| *rank != self.rank) {
                for tag in note.into_iter().chain([tag]) {
                    let (plane, empty) = (self.planes.local, Buffer::EMPTY);
                    let sent = core.start_send(plane, Rank(to), tag, empty, Mode::Standard);
                    if let Started::Pending(request) = sent {
                        core.pml.detach(request);
                    }
                }
            }
        }
        self.collective
            .fail(coll::Error::Mismatch(Box::new(mismatch)));
    }

    /// After a long wait, a message that is waited for and does not come, since its sender has
    /// called something else.
    #[inline]
    fn find_mismatch(&mut self, core: &mut Core, spins: bool) -> Option<Mismatch> {
        let patience = if spins { LOOKS_BEFORE } else { 1 };
        if self.idle == 0 || !self.idle.is_multiple_of(patience) {
            return None;
        }
        let turn = self.idle / patience;
        self.wait_on(core)
            .then(|| self.look_for_mismatch(core, turn))?
    }

    /// Goes on with a long wait: whether it is time to look for a mismatch.
    #[cold]
    fn wait_on(&mut self, core: &mut Core) -> bool {
        let now = Instant::now();
        let wait = self.wait.get_or_insert_with(|| LongWait {
            since: now,
            asked: now,
            notes: Vec::new(),
        });
        if !takes_notes(core) {
            let due = now - wait.asked >= ASK_AFTER;
            if due {
                wait.asked = now;
            }
            return due;
        }
        if now - wait.since >= NOTES_AFTER && wait.notes.is_empty() {
            let mut told: Vec<Peer> = Vec::new();
            for peer in self.active.iter().filter_map(|message| message.from) {
                if told.len() < NOTES_MAX && !told.contains(&peer) {
                    told.push(peer);
                }
            }
            let note = |peer: Peer| {
                let (plane, rank) = (self.planes.to(peer), Rank(peer.rank));
                let (tag, empty) = (self.label.note(), Buffer::EMPTY);
                // One that waits to be received can be taken back.
                match core.start_send(plane, rank, tag, empty, Mode::Synchronous) {
                    Started::Pending(request) => Some(request),
                    Started::Complete => None,
                }
            };
            wait.notes = told.into_iter().filter_map(note).collect();
        }
        true
    }

    fn look_for_mismatch(&self, core: &mut Core, turn: u32) -> Option<Mismatch> {
        let awaited = |message: &&Active| message.from.is_some();
        self.active.iter().find(awaited)?;
        // The oldest message of all, then the oldest ones of those that are waited for.
        for remote in [false, true] {
            if let Some(mismatch) = self.look_at(core, None, remote) {
                return Some(mismatch);
            }
        }
        let len = self.active.len();
        let first = (turn as usize).wrapping_mul(LOOKED_AT);
        (0..len.min(LOOKED_AT)).find_map(|step| {
            let message = &self.active[first.wrapping_add(step) % len];
            let Peer { rank, remote } = message.from?;
            self.look_at(core, Some(Rank(rank)), remote)
        })
    }

    fn look_at(&self, core: &mut Core, source: Option<Rank>, remote: bool) -> Option<Mismatch> {
        let plane = if remote {
            self.planes.remote
        } else {
            self.planes.local
        };
        // What says no more than this call's own messages must not hide that its sender gave up.
        let gave_up = Signature::new(Function::GaveUp).code();
        let tags = [None, Some(self.label.with_code(gave_up))];
        let (seen, theirs) = tags.into_iter().find_map(|tag| {
            let seen = core.pml.probe(plane, Pattern { source, tag })?;
            Some((seen, self.label.other(seen.tag)?))
        })?;
        let peer = Peer {
            rank: seen.source?.0,
            remote: remote && self.planes.remote != self.planes.local,
        };
        Some(Mismatch {
            peer: peer.to_string(),
            theirs,
            rank: self.rank,
            ours: self.label.signature,
            ranks: self.ranks,
        })
    }

    /// Lets the algorithm go on until it waits for messages, or is over.
    fn go_on(&mut self, engine: &Engine) {
        while self.collective.is_runnable() {
            // The algorithm runs user-defined operators: the engine must not be entered here.
            if let Poll::Ready(result) = self.collective.poll() {
                self.result = Some(result.map_err(Error::from));
                self.kept = None;
                return;
            }
            self.collective.take_posted(&mut self.posted);
            let mut posted = std::mem::take(&mut self.posted);
            let mut core = engine.enter();
            for message in posted.drain(..) {
                self.start(&mut core, message);
            }
            drop(core);
            self.posted = posted;
        }
    }

    fn start(&mut self, core: &mut Core, message: Posted) {
        let Posted {
            slot,
            kind,
            peer,
            buffer,
        } = message;
        let plane = self.planes.to(peer);
        let len = buffer.len();
        let (rank, tag) = (Rank(peer.rank), self.label.tag);
        let request = match kind {
            Kind::Send => match core.start_send(plane, rank, tag, buffer, Mode::Standard) {
                Started::Complete => return self.collective.complete(slot, Ok(len)),
                Started::Pending(request) => request,
            },
            Kind::Recv => {
                let pattern = Pattern {
                    source: Some(rank),
                    tag: Some(tag),
                };
                core.start_recv(plane, pattern, buffer)
            }
        };
        match core.pml.outcome(request) {
            Some(outcome) => self.complete(slot, outcome),
            None => self.active.push(Active {
                slot,
                request,
                from: (kind == Kind::Recv).then_some(peer),
            }),
        }
    }

    fn complete(&mut self, slot: u32, outcome: Outcome) {
        // The length of a send is not looked at: what was posted was sent.
        let result = match outcome.result {
            Ok(()) => Ok(outcome.status.bytes as usize),
            Err(failure) => Err(Box::new(Error::from(failure)) as coll::Failure),
        };
        self.collective.complete(slot, result);
    }

    /// Takes out the messages that ended.
    fn reap(&mut self, core: &mut Core, ended: &mut Vec<(u32, Outcome)>) {
        self.active
            .retain(|message| match core.pml.outcome(message.request) {
                Some(outcome) => {
                    ended.push((message.slot, outcome));
                    false
                }
                None => true,
            });
    }

    /// Runs the call to its end. The desk is gone after a failure that left messages behind.
    pub(crate) fn run(mut self, process: &crate::Process) -> (Result<(), Error>, Option<Desk>) {
        let spins = process.engine.spins();
        self.go_on(&process.engine);
        while self.result.is_none() {
            self.idle = 0;
            match process.wait_until(|core| self.next_end(core, spins)) {
                Ok((slot, outcome)) => self.complete(slot, outcome),
                Err(mismatch) => self.give_up(&process.engine, mismatch),
            }
            if self.wait.is_some() {
                self.moves_again(&mut process.engine.enter());
            }
            self.go_on(&process.engine);
        }
        let result = self.result.take().unwrap_or(Ok(()));
        if result.is_err() {
            withdraw(&mut self.active, &mut process.engine.enter());
        }
        let (active, posted) = (self.active, self.posted);
        let desk = self.collective.into_port().map(|port| Desk {
            port,
            active,
            posted,
        });
        (result, desk)
    }

    /// A message that has ended, or will not come.
    #[inline]
    fn next_end(
        &mut self,
        core: &mut Core,
        spins: bool,
    ) -> Option<Result<(u32, Outcome), Mismatch>> {
        let active = &mut self.active;
        let done = |message: &Active| core.pml.is_done(message.request);
        let Some(at) = active.iter().position(done) else {
            self.idle = self.idle.wrapping_add(1);
            return self.find_mismatch(core, spins).map(Err);
        };
        let Active { slot, request, .. } = active.swap_remove(at);
        let outcome = core.pml.outcome(request)?;
        Some(Ok((slot, outcome)))
    }
}

/// Takes back what was posted by a call that has failed: its buffers are the caller's again.
#[cold]
fn withdraw(active: &mut Vec<Active>, core: &mut Core) {
    for message in active.drain(..) {
        if message.from.is_some() {
            core.pml.cancel(message.request);
        }
        core.pml.detach(message.request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(number: u32, function: Function) -> Label {
        Label::new(number, Some(Signature::new(function)))
    }

    #[test]
    fn a_tag_shows_what_else_was_called_under_the_same_number() {
        for number in [0, 1, 77, 4095, 4096, CALL_TAGS - 1] {
            let ours = label(number, Function::Barrier);
            let theirs = label(number, Function::Allgather);
            let seen = ours.other(theirs.tag);
            assert_eq!(seen, Some(Some(Signature::new(Function::Allgather))));
            assert_eq!(ours.other(ours.tag), None);
            assert_eq!(ours.with_code(theirs.signature.unwrap().code()), theirs.tag);
            assert_eq!(ours.other(theirs.note()), seen);
            assert_eq!(ours.other(ours.note()), None);
            let own = Label::new(number, None);
            assert_eq!(ours.other(own.tag), Some(None));
            assert_eq!(own.other(ours.tag), Some(ours.signature));
            // What is on its way for later calls is no mismatch.
            for later in 1..2000 {
                let number = (number + later) % CALL_TAGS;
                assert_eq!(ours.other(label(number, Function::Barrier).tag), None);
                assert_eq!(ours.other(label(number, Function::Allgather).tag), None);
            }
        }
    }

    #[test]
    fn the_tags_of_notes_are_tags_of_messages_and_of_nothing_else() {
        let last = label(CALL_TAGS - 1, Function::Barrier);
        assert!(last.note() > 0 && last.note() < 1 << 30);
        assert!(Comm::group_tag(i32::MAX) < NOTE_TAGS);
        assert_eq!(last.other(Comm::group_tag(7)), None);
    }
}
