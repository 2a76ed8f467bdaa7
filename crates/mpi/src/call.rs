//! A pending collective call: an algorithm of `coll` with its messages in the engine.
//!
//! **Collective calls that differ between ranks are detected**, at no cost to correct calls. A
//! call's messages have a tag made of its number and its call signature, so those of calls that do
//! not belong together do not match. A call that has waited a while inspects the unexpected
//! messages: if the oldest message of a rank that it waits for has its call's number and another
//! signature, both ranks are notified ([`Call::find_mismatch`]). Number and signature have bits of
//! their own, and the number has more than a rank can be ahead of another: no message of a later
//! call looks like one of this call.
//!
//! Two calls that wait for each other, as those that both take the other for the root, send
//! nothing. So a call that has waited very long sends the ranks that it waits for a **note**, an
//! empty message whose tag has its call signature, and cancels it at the end. A note is never
//! received: a rank that waits as well sees it as any other unexpected message. Of several calls
//! under way on a communicator only the oldest inspects messages and sends notes
//! ([`crate::calls`]): the others come later.
//!
//! User-defined operators run while a call is polled, so the engine is never entered meanwhile.

mod label;
mod run;

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use base::{PeerId, Rank};
use coll::port::{Kind, Posted};
use coll::Peer;
use coll::{Collective, Mismatch, Port, Running, Signature, Team};
use datatype::Buffer;
use engine::{Core, Engine};
use pml::{CommId, Failure, Mode, Outcome, Pattern, Pml, RequestId, Started, Tag};

pub use label::Label;

use label::takes_notes;

use crate::{Error, Group};

/// The collective planes of a communicator, which carry a call's messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// Messages to the own group.
    pub(crate) local: CommId,
    /// Messages to the remote group of an inter-communicator; otherwise equal to `local`.
    pub(crate) remote: CommId,
}

impl Planes {
    /// The first member of either group that has failed, what was seen of it, its rank, and whether
    /// it is of the remote group.
    pub(crate) fn first_lost<'a>(&self, core: &'a Core) -> Option<(PeerId, &'a str, Rank, bool)> {
        let planes = [(self.local, false), (self.remote, true)];
        planes.into_iter().find_map(|(plane, remote)| {
            let (peer, rank, why) = core.first_lost(plane)?;
            Some((peer, why, rank, remote && self.remote != self.local))
        })
    }

    /// The one that messages to and from a peer take.
    fn to(&self, peer: Peer) -> CommId {
        match peer.remote {
            true => self.remote,
            false => self.local,
        }
    }
}

/// Empty polls between two inspections of unmatched messages, where there is a core for each
/// process: an inspection and the clock take as long as several polls. A power of two, since the
/// count of polls wraps.
const POLLS_BEFORE_INSPECTION: u32 = 64;
/// Number of unmatched messages inspected each time.
const INSPECTED_MAX: usize = 16;
/// How long a call waits without an event before it sends notes, and to how many ranks at most.
const NOTES_AFTER: Duration = Duration::from_secs(1);
const NOTES_MAX: usize = 64;
/// How long a call waits without an event between two queries of a network that holds the
/// unexpected messages itself.
const ASK_AFTER: Duration = Duration::from_millis(200);

/// Storage of a call that the next one may reuse, so that a small call allocates next to nothing.
#[derive(Default)]
pub(crate) struct CallStorage {
    pub(crate) port: Port,
    active: Vec<Active>,
    posted: Vec<Posted>,
}

/// A message under way.
#[derive(Clone, Copy)]
struct Active {
    slot: u32,
    request: RequestId,
    /// The sender, if this process receives the message.
    from: Option<Peer>,
}

/// A completed message: its slot, how it ended, and its sender, if this process received it.
type Ended = (u32, Outcome, Option<Peer>);

/// A long wait without an event.
struct LongWait {
    since: Instant,
    /// Time of the last query of a network that holds the unexpected messages.
    asked: Instant,
    /// Pending notes.
    notes: Vec<RequestId>,
}

/// A collective call of this process.
pub struct Call {
    collective: Collective,
    planes: Planes,
    label: Label,
    /// Number of the call in the process, if it is non-blocking.
    owner: Option<u64>,
    /// Rank of this process in its group, and the size of the group.
    rank: u32,
    ranks: u32,
    /// Empty polls since a message last completed.
    idle: u32,
    /// How often threads had slept ([`Engine::sleeps`]) at the last empty poll.
    sleeps: u32,
    /// A mismatch that a message has shown and that the others are still to be notified of.
    found: Option<Mismatch>,
    /// The long wait that this has become.
    wait: Option<LongWait>,
    active: Vec<Active>,
    posted: Vec<Posted>,
    result: Option<Result<(), Error>>,
    /// The communicator, until the call is over, if this call owns it.
    kept: Option<Arc<dyn Keeper>>,
    /// Members whose failure ends the call, though it may need no message of theirs.
    needed: Option<Group>,
    /// Internal call (for `--check`): its failure is not reported to the program.
    aside: bool,
    /// Whether it runs code of the application.
    user_code: bool,
}

/// The communicator of a call.
pub(crate) trait Keeper: Send + Sync {
    /// Takes note that an error is raised on it.
    fn note_failure(&self);
}

/// Why a call that waits ends without the message.
enum Halt {
    /// Another rank calls differently.
    Mismatch(Mismatch),
    /// A member that it needs has failed.
    Lost(coll::Error),
}

impl Call {
    /// `running` was begun on the port of `storage`.
    pub(crate) fn new(
        storage: CallStorage,
        running: Running,
        planes: Planes,
        label: Label,
        team: Team,
    ) -> Call {
        let CallStorage {
            port,
            active,
            posted,
        } = storage;
        Call {
            collective: Collective::new(port, running),
            planes,
            label,
            owner: None,
            rank: team.rank,
            ranks: team.size,
            idle: 0,
            sleeps: 0,
            found: None,
            wait: None,
            active,
            posted,
            result: None,
            kept: None,
            needed: None,
            aside: false,
            user_code: label.signature().is_some_and(|it| it.has_user_op()),
        }
    }

    /// Makes the call an internal one, whose failure is not reported to the program.
    pub(crate) fn beside_calls(mut self) -> Call {
        self.aside = true;
        self
    }

    /// Whether this is an internal call, which the program has not made.
    pub(crate) fn is_aside(&self) -> bool {
        self.aside
    }

    /// Notes whether the call runs other code of the application than an operator.
    pub(crate) fn with_user_code(mut self, user_code: bool) -> Call {
        self.user_code |= user_code;
        self
    }

    /// Whether it runs code of the application, which only threads of the application do.
    pub(crate) fn runs_user_code(&self) -> bool {
        self.user_code
    }

    /// Makes the call fail once one of these members has failed.
    pub(crate) fn among(mut self, needed: Option<Group>) -> Call {
        self.needed = needed;
        self
    }

    /// Makes the call own its communicator.
    pub(crate) fn keeping(mut self, comm: Arc<dyn Keeper>) -> Call {
        self.kept = Some(comm);
        self
    }

    /// Sets the number under which the process has a non-blocking call.
    pub(crate) fn owned_by(mut self, owner: u64) -> Call {
        self.owner = Some(owner);
        self
    }

    /// Whether the call is over.
    pub(crate) fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Takes the storage of a call that is over, for another one; `None` where messages are left.
    pub(crate) fn take_storage(&mut self) -> Option<CallStorage> {
        if !self.is_over() {
            return None;
        }
        Some(CallStorage {
            port: self.collective.take_port()?,
            active: std::mem::take(&mut self.active),
            posted: std::mem::take(&mut self.posted),
        })
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

    /// Reports messages that ended and continues the algorithm. Returns whether anything happened.
    pub(crate) fn advance(&mut self, engine: &Engine) -> bool {
        if self.result.is_some() {
            return false;
        }
        let mut ended = Vec::new();
        let mut core = engine.enter();
        self.reap(&mut core, &mut ended);
        let happened = !ended.is_empty();
        if happened {
            self.moves_again(&mut core);
        }
        drop(core);
        for (slot, outcome, from) in ended {
            self.complete(slot, outcome, from);
        }
        self.go_on(engine);
        self.clear_up(engine);
        happened
    }

    /// Checks now and then whether it waits for a message that will not come. Returns whether that
    /// ended the call.
    pub(crate) fn look_around(&mut self, engine: &Engine) -> bool {
        if self.result.is_some() {
            return false;
        }
        self.idle = self.idle.wrapping_add(1);
        let patience = self.patience(engine);
        let halt = self.find_halt(&mut engine.enter(), patience);
        let Some(halt) = halt else {
            return false;
        };
        self.halt(engine, halt);
        self.go_on(engine);
        self.clear_up(engine);
        true
    }

    /// Cancels the pending operations of a call that is over.
    fn clear_up(&mut self, engine: &Engine) {
        if self.result.is_some() {
            let mut core = engine.enter();
            self.moves_again(&mut core);
            withdraw(&mut self.active, &mut core);
            if let (Some(Err(_)), false) = (&self.result, self.aside) {
                core.note_failure();
                if let Some(comm) = &self.kept {
                    comm.note_failure();
                }
            }
        }
    }

    /// Gives the call up.
    #[cold]
    pub(crate) fn abandon(&mut self, engine: &Engine) {
        if self.result.is_none() {
            self.result = Some(Ok(()));
            self.kept = None;
        }
        withdraw(&mut self.active, &mut engine.enter());
    }

    /// Ends a long wait: its notes are cancelled.
    fn moves_again(&mut self, core: &mut Core) {
        self.idle = 0;
        if let Some(wait) = self.wait.take() {
            for note in wait.notes {
                core.cancel(note);
                core.detach(note);
            }
        }
    }

    /// A reason to end the call, in a wait without an event.
    #[inline]
    fn find_halt(&mut self, core: &mut Core, patience: u32) -> Option<Halt> {
        match self.find_lost(core) {
            Some(lost) => Some(Halt::Lost(lost)),
            None => self.find_mismatch(core, patience).map(Halt::Mismatch),
        }
    }

    /// A member that the call needs and that has failed.
    fn find_lost(&self, core: &Core) -> Option<coll::Error> {
        let among =
            |group| first_lost(core, group).map(|(peer, why, rank)| (peer, why, rank, false));
        let (peer, why, rank, remote) = match self.planes.first_lost(core) {
            Some(lost) => lost,
            None => self.needed.as_ref().and_then(among)?,
        };
        Some(coll::Error::Message {
            peer: Peer {
                rank: rank.0,
                remote,
            },
            sending: false,
            source: Box::new(Error::lost(peer, why)),
        })
    }

    fn halt(&mut self, engine: &Engine, halt: Halt) {
        match halt {
            Halt::Mismatch(mismatch) => self.give_up(engine, mismatch),
            Halt::Lost(error) => self.collective.fail(error),
        }
    }

    /// Ends the call with an error, and lets no member of the own group wait for this process.
    #[cold]
    fn give_up(&mut self, engine: &Engine, mismatch: Mismatch) {
        self.notify_others(engine, mismatch.theirs);
        self.collective
            .fail(coll::Error::Mismatch(Box::new(mismatch)));
    }

    /// Notifies the own group that this process gives the call up.
    #[cold]
    fn notify_others(&self, engine: &Engine, theirs: Option<Signature>) {
        let (plane, team) = (self.planes.local, (self.rank, self.ranks));
        self.label.give_up(engine, plane, team, theirs);
    }

    /// Returns the empty polls before a search for a mismatch: few where each takes a yield or a
    /// sleep.
    #[inline]
    fn patience(&mut self, engine: &Engine) -> u32 {
        let sleeps = engine.sleeps();
        let has_slept = std::mem::replace(&mut self.sleeps, sleeps) != sleeps;
        match has_slept || !engine.spins() {
            true => 1,
            false => POLLS_BEFORE_INSPECTION,
        }
    }

    /// After a long wait, a message that is waited for and does not come, since its sender has
    /// called something else.
    #[inline]
    fn find_mismatch(&mut self, core: &mut Core, patience: u32) -> Option<Mismatch> {
        if self.idle == 0 || !self.idle.is_multiple_of(patience) {
            return None;
        }
        let turn = self.idle / patience;
        self.wait_on(core)
            .then(|| self.look_for_mismatch(core, turn))?
    }

    /// Continues a long wait: whether it is time to search for a mismatch.
    #[cold]
    fn wait_on(&mut self, core: &mut Core) -> bool {
        if !core.capabilities().whole_tags {
            return false;
        }
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
            let mut notified: Vec<Peer> = Vec::new();
            for peer in self.active.iter().filter_map(|message| message.from) {
                if notified.len() < NOTES_MAX && !notified.contains(&peer) {
                    notified.push(peer);
                }
            }
            let note = |peer: Peer| {
                let (plane, rank) = (self.planes.to(peer), Rank(peer.rank));
                let (tag, empty) = (self.label.note(), Buffer::EMPTY);
                // A send that waits to be received can be cancelled.
                match core.start_send(plane, rank, tag, empty, Mode::Synchronous) {
                    Started::Pending(request) => Some(request),
                    Started::Complete => None,
                }
            };
            wait.notes = notified.into_iter().filter_map(note).collect();
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
        let first = (turn as usize).wrapping_mul(INSPECTED_MAX);
        (0..len.min(INSPECTED_MAX)).find_map(|step| {
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
        let tags = [None, Some(self.label.gave_up())];
        let (seen, theirs) = tags.into_iter().find_map(|tag| {
            let seen = core.probe(plane, Pattern { source, tag })?;
            Some((seen, self.label.other(seen.tag)?))
        })?;
        let peer = Peer {
            rank: seen.source?.0,
            remote: remote && self.planes.remote != self.planes.local,
        };
        Some(self.mismatch(peer, theirs))
    }

    /// Continues the algorithm until it waits for messages, or is over.
    fn go_on(&mut self, engine: &Engine) {
        while self.collective.is_runnable() {
            if let Some(found) = self.found.take() {
                self.notify_others(engine, found.theirs);
            }
            // The algorithm runs user-defined operators: the engine must not be entered here.
            if let Poll::Ready(result) = self.collective.poll() {
                // The others may wait for what this rank would have sent on.
                if let Err(coll::Error::Length { .. }) = &result {
                    self.notify_others(engine, None);
                }
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
        let (rank, tag) = (Rank(peer.rank), self.label.tag());
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
        let from = (kind == Kind::Recv).then_some(peer);
        if let Some(outcome) = core.outcome(request) {
            return self.complete(slot, outcome, from);
        }
        if let Some(owner) = self.owner {
            core.report(request, owner);
        }
        let message = Active {
            slot,
            request,
            from,
        };
        self.active.push(message);
    }

    fn complete(&mut self, slot: u32, outcome: Outcome, from: Option<Peer>) {
        // The length of a send is not looked at: what was posted was sent.
        let result = match outcome.result {
            Ok(()) => Ok(outcome.status.bytes as usize),
            // Longer than what was expected, which the collective says with the expected length.
            Err(Failure::Truncated { sent, .. }) => Ok(sent as usize),
            Err(failure) => {
                self.found = self.explain(&failure, outcome.status.tag, from);
                Err(Box::new(Error::from(failure)) as coll::Failure)
            }
        };
        if let Some(found) = &self.found {
            let error = coll::Error::Mismatch(Box::new(found.clone()));
            self.collective.fail(error);
        }
        self.collective.complete(slot, result);
    }

    /// A network that matches compares the numbers of calls alone, and a receive that got the
    /// message of another call of the same number is refused.
    #[cold]
    fn explain(&self, failure: &Failure, tag: Tag, from: Option<Peer>) -> Option<Mismatch> {
        match failure {
            Failure::Refused { .. } => Some(self.mismatch(from?, self.label.other(tag)?)),
            _ => None,
        }
    }

    fn mismatch(&self, peer: Peer, theirs: Option<Signature>) -> Mismatch {
        Mismatch {
            peer: peer.to_string(),
            theirs,
            rank: self.rank,
            ours: self.label.signature(),
            ranks: self.ranks,
        }
    }

    /// Takes out the messages that ended.
    fn reap(&mut self, core: &mut Core, ended: &mut Vec<Ended>) {
        self.active
            .retain(|message| match core.outcome(message.request) {
                Some(outcome) => {
                    ended.push((message.slot, outcome, message.from));
                    false
                }
                None => true,
            });
    }

    /// A message that has ended, or will not come.
    #[inline]
    fn next_end(&mut self, core: &mut Core, engine: &Engine) -> Option<Result<Ended, Halt>> {
        let active = &mut self.active;
        let done = |message: &Active| core.is_done(message.request);
        let Some(at) = active.iter().position(done) else {
            self.idle = self.idle.wrapping_add(1);
            let patience = self.patience(engine);
            return self.find_halt(core, patience).map(Err);
        };
        let message = active.swap_remove(at);
        let outcome = core.outcome(message.request)?;
        Some(Ok((message.slot, outcome, message.from)))
    }
}

/// The first member of a group that has failed, what was seen of it, and its rank.
pub(crate) fn first_lost<'a>(core: &'a Core, group: &Group) -> Option<(PeerId, &'a str, Rank)> {
    core.failed().iter().find_map(|(peer, why)| {
        let rank = group.rank(*peer)?;
        (!core.has_left(*peer)).then_some((*peer, why.as_str(), rank))
    })
}

/// Cancels the operations that a failed call has posted: its buffers are the caller's again.
#[cold]
fn withdraw(active: &mut Vec<Active>, core: &mut Core) {
    for message in active.drain(..) {
        if message.from.is_some() {
            core.cancel(message.request);
        }
        core.detach(message.request);
    }
}
