//! [`Faults`]: the communicators of a process as fault tolerance sees them, and the messages of
//! [`ft`] that wait to be taken in or sent. It enters nothing: the caller has its lock.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use base::PeerId;
use ft::{Early, Member, Message};
use mca::Framework;
use pml::CommId;

/// Freed communicators that are kept for others, of those in which all is decided.
const FREED_MAX: usize = 64;
/// Placeholder for a member that has died and is forgotten.
pub(crate) const NOBODY: PeerId = PeerId(u32::MAX);
/// Messages that wait for communicators to be opened between two warnings about them.
const EARLY_WARNED: usize = 4096;

/// The communicators of a process, as fault tolerance sees them.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) comms: HashMap<u64, Entry>,
    /// Contexts of freed communicators, the oldest first.
    pub(crate) freed: VecDeque<u64>,
    /// Messages for communicators that are not open yet.
    pub(crate) early: Early,
    /// Entries of the engine's list of failures that were reported to the members.
    pub(crate) reported: usize,
}

/// The state of fault tolerance of a communicator.
pub(crate) struct Entry {
    /// All members, of both groups, in an order that is equal at all.
    pub(crate) peers: Vec<PeerId>,
    pub(crate) me: u32,
    pub(crate) member: Option<Member>,
    pub(crate) planes: Vec<CommId>,
    /// Planes on which messages of a revoked communicator are held.
    pub(crate) held: Vec<CommId>,
    pub(crate) revoked: Arc<AtomicBool>,
    pub(crate) is_freed: bool,
    /// Contexts of duplicates that are revoked with this communicator: an object of it is being
    /// made on them.
    pub(crate) making: Vec<u64>,
}

impl Entry {
    pub(crate) fn member(&mut self, failed: &[PeerId]) -> &mut Member {
        let (me, peers) = (self.me, &self.peers);
        self.member.get_or_insert_with(|| {
            let mut member = Member::new(me, peers.len() as u32);
            let ranks = failed.iter().filter_map(|peer| rank_of(peers, *peer));
            ranks.for_each(|rank| member.died(rank));
            member
        })
    }
}

/// Returns the rank of a peer among the members.
pub(crate) fn rank_of(peers: &[PeerId], peer: PeerId) -> Option<u32> {
    let at = peers.iter().position(|member| *member == peer)?;
    Some(at as u32)
}

/// Messages that are to be sent.
pub(crate) type Outgoing = Vec<(PeerId, Vec<u8>)>;

impl Faults {
    /// Registers a communicator. Messages that have come for it are for the next call of
    /// [`crate::Process::attend_faults`].
    pub(crate) fn open(&mut self, context: u64, entry: Entry) {
        self.comms.insert(context, entry);
    }

    /// Takes note that a communicator is freed here. Returns those that are to be closed.
    pub(crate) fn close(&mut self, context: u64, out: &mut Outgoing) -> Vec<CommId> {
        let Some(entry) = self.comms.get_mut(&context) else {
            return Vec::new();
        };
        let held = std::mem::take(&mut entry.held);
        entry.is_freed = true;
        if !entry.member.as_ref().is_some_and(Member::is_needed) {
            self.comms.remove(&context);
            return held;
        }
        self.freed.push_back(context);
        if self.freed.len() > FREED_MAX {
            self.retire(out);
        }
        held
    }

    /// Forgets the oldest freed communicator in which all is decided, once its members have what
    /// they may still need of this one.
    pub(crate) fn retire(&mut self, out: &mut Outgoing) {
        let is_over = |context: &u64| {
            let member = self
                .comms
                .get(context)
                .and_then(|entry| entry.member.as_ref());
            member.is_none_or(Member::has_decided_all)
        };
        let Some(at) = self.freed.iter().position(is_over) else {
            return;
        };
        let context = self.freed.remove(at).expect("it was just there");
        if let Some(member) = self.comms.get_mut(&context).and_then(|e| e.member.as_mut()) {
            member.retire();
            self.collect(context, out);
        }
        self.comms.remove(&context);
    }

    /// Revokes a communicator on behalf of this process.
    pub(crate) fn revoke(&mut self, context: u64, failed: &[PeerId], out: &mut Outgoing) {
        if let Some(entry) = self.comms.get_mut(&context) {
            entry.member(failed).revoke();
            self.collect(context, out);
        }
    }

    /// Ends what is under way on communicators that are revoked since the last time. Returns the
    /// contexts of those on which objects of them are being made.
    pub(crate) fn follow(&mut self, core: &mut engine::Core) -> Vec<u64> {
        let mut making = Vec::new();
        for entry in self.comms.values_mut() {
            let is_revoked = entry.member.as_ref().is_some_and(Member::is_revoked);
            if is_revoked && !entry.revoked.swap(true, Ordering::SeqCst) && !entry.is_freed {
                for plane in std::mem::take(&mut entry.planes) {
                    entry.held.extend(core.revoke_comm(plane));
                }
                making.append(&mut entry.making);
                core.note_failure();
            }
        }
        making
    }

    /// Takes out what the members of a communicator have to send.
    pub(crate) fn collect(&mut self, context: u64, out: &mut Outgoing) {
        let Some(entry) = self.comms.get_mut(&context) else {
            return;
        };
        let Some(member) = &mut entry.member else {
            return;
        };
        let (me, peers) = (entry.me, &entry.peers);
        for (to, message) in member.take_outgoing() {
            let peer = peers[to as usize];
            if peer != NOBODY {
                out.push((peer, message.encode(context, me)));
            }
        }
    }

    /// Takes a message.
    pub(crate) fn arrived(
        &mut self,
        from: PeerId,
        bytes: &[u8],
        failed: &[PeerId],
        out: &mut Outgoing,
    ) {
        match Message::decode(bytes) {
            Some((context, rank, message)) => {
                self.take((context, from, rank), message, failed, out);
            }
            None => warn(from, format_args!("malformed, {} bytes", bytes.len())),
        }
    }

    /// Takes a message for the communicator of a context, from a peer that names this rank.
    pub(crate) fn take(
        &mut self,
        (context, from, rank): (u64, PeerId, u32),
        message: Message,
        failed: &[PeerId],
        out: &mut Outgoing,
    ) {
        let entry = self.comms.get_mut(&context);
        // A stranger does not know its rank.
        let rank = match (&message, &entry) {
            (Message::Stranger, Some(entry)) => rank_of(&entry.peers, from).unwrap_or(rank),
            _ => rank,
        };
        match entry {
            Some(entry) if entry.peers.get(rank as usize) == Some(&from) => {
                if !entry.member(failed).arrived(rank, message) {
                    warn(
                        from,
                        format_args!("beyond the limits of context {context:#x}"),
                    );
                }
                self.collect(context, out);
            }
            Some(_) => warn(
                from,
                format_args!("sent as rank {rank} of context {context:#x}"),
            ),
            None => {
                if message == Message::Revoke {
                    // The place of this process in it is not known: the sender knows the receiver.
                    out.push((from, Message::Stranger.encode(context, u32::MAX)));
                }
                let is_kept = self.early.keep(context, from, rank, message);
                if is_kept && self.early.len().is_multiple_of(EARLY_WARNED) {
                    Framework::Mpi.warn(format_args!(
                        "{} messages wait for communicators that are not open here; the latest \
                         is {from}'s for {context:#x}",
                        self.early.len()
                    ));
                }
            }
        }
    }
}

/// Logs that a message of a peer is ignored.
fn warn(from: PeerId, what: std::fmt::Arguments<'_>) {
    Framework::Mpi.warn(format_args!(
        "{from} sent a message that is ignored: {what}"
    ));
}
