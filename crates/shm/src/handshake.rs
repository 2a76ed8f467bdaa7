//! The handshake by which processes come to share a segment.
//!
//! One process creates the segment and *invites* the others: where it has it, and how long it is.
//! They attach it. Then each sends all others its *status*, and a process that could not attach, or
//! does not want to, keeps all from using the segment. So all decide alike, whatever failed where.
//!
//! ```text
//! creator     create -> invitation ─┐                    ┌─ complete(statuses of all)
//! the others                        └─> attach ── status ┴─ complete(statuses of all)
//! ```
//!
//! The bytes between them travel by messages, which are the caller's. What is laid out in the
//! segment is the caller's, too, from byte 8 on: before it lies a cookie, by which a process that
//! attaches sees that it is the segment it was invited to, and not one that has its number now.

use std::sync::atomic::Ordering;

use base::wire::{read_u32, read_u64, write_u32, write_u64};
use sync::atomic::AtomicU64;

use crate::{cookie, Segment, WakeOrder};

/// Bytes that the creator sends to the others.
pub const INVITATION_BYTES: usize = 40;
/// Bytes in an invitation that the layout of the segment has for itself.
pub const NOTE_BYTES: usize = 16;
/// Bytes that each process sends to all.
pub const STATUS_BYTES: usize = 8;

const NOTE_AT: usize = 24;

const IS_IN: u32 = 1;
const NEEDS_FENCES: u32 = 2;

/// An invitation as it travels.
pub type Invitation = [u8; INVITATION_BYTES];
/// The layout's own part of an invitation.
pub type Note = [u8; NOTE_BYTES];
/// A status as it travels.
pub type Status = [u8; STATUS_BYTES];

/// Returns the invitation of a creator that has no segment.
pub fn none() -> Invitation {
    [0; INVITATION_BYTES]
}

/// Returns the layout's part of an invitation; `None` where the creator has no segment.
pub fn note(invitation: &Invitation) -> Option<Note> {
    cookie_of(invitation)?;
    invitation[NOTE_AT..].try_into().ok()
}

/// Returns the process id in a status.
pub fn pid(status: &Status) -> u32 {
    read_u32(status, 4).unwrap_or(0)
}

fn cookie_of(invitation: &Invitation) -> Option<u64> {
    read_u64(invitation, 8).filter(|cookie| *cookie != 0)
}

/// One process's part of a handshake, with its view of the segment.
#[derive(Debug)]
pub struct Handshake<V>(Result<Inside<V>, String>);

#[derive(Debug)]
struct Inside<V> {
    segment: Segment,
    view: V,
}

/// The segment and the group's facts that a process has after a handshake.
#[derive(Debug)]
pub struct Joined<V> {
    /// The view of the segment.
    pub view: V,
    /// The order between sleepers and wakers of all these processes.
    pub order: WakeOrder,
    /// The process ids of all, in the order of their statuses.
    pub pids: Vec<u32>,
}

/// Why a segment is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// This process has no segment, or refused it.
    Own(String),
    /// The process whose status has this index did not join, or sent none.
    Other(usize),
}

impl<V> Handshake<V> {
    /// Creates a segment of `len` bytes, in which `lay_out` reserves and prepares what it needs,
    /// and returns the invitation for the others.
    pub fn create(
        name: &str,
        len: usize,
        note: Note,
        lay_out: impl FnOnce(Segment) -> Result<V, String>,
    ) -> (Handshake<V>, Invitation) {
        let create = || {
            let segment = Segment::create(name, len)
                .map_err(|why| format!("no shared segment of {len} bytes: {why}"))?;
            let view = lay_out(segment.clone())?;
            Ok(Inside { segment, view })
        };
        let created = create();
        let invitation = match &created {
            Ok(inside) => invite(&inside.segment, note),
            Err(_) => none(),
        };
        (Handshake(created), invitation)
    }

    /// Returns the part of a process that is not in, with the reason.
    pub fn failed(why: String) -> Handshake<V> {
        Handshake(Err(why))
    }

    /// Attaches the segment that `creator` invites to, in which `lay_out` finds what the layout
    /// has. `len` is its length by that layout.
    pub fn attach(
        invitation: &Invitation,
        creator: &str,
        len: usize,
        lay_out: impl FnOnce(Segment) -> Result<V, String>,
    ) -> Handshake<V> {
        let attach = || {
            let Some(cookie) = cookie_of(invitation) else {
                return Err(format!("{creator} has no segment"));
            };
            let word = |at| read_u32(invitation, at).unwrap_or(0);
            let (owner, fd) = (word(0), word(4));
            let offered = read_u64(invitation, 16).unwrap_or(0);
            if offered != len as u64 {
                return Err(format!(
                    "the segment of {creator} has {offered} bytes where {len} were expected"
                ));
            }
            let segment = Segment::attach(owner, fd as i32, len)
                .map_err(|why| format!("the segment of {creator} cannot be opened: {why}"))?;
            if cookie_in(&segment).load(Ordering::Acquire) != cookie {
                return Err(format!(
                    "the segment of {creator} is that of another process"
                ));
            }
            let view = lay_out(segment.clone())?;
            Ok(Inside { segment, view })
        };
        Handshake(attach())
    }

    /// Keeps all from using the segment, for a reason of the caller's.
    pub fn refuse(&mut self, why: String) {
        self.0 = Err(why);
    }

    /// Returns why this process is not in; `None` where it is.
    pub fn failure(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    /// Returns what all others need to know of this process.
    pub fn status(&self) -> Status {
        let mut status = [0; STATUS_BYTES];
        let is_in = if self.0.is_ok() { IS_IN } else { 0 };
        let fences = if WakeOrder::register().fences() {
            NEEDS_FENCES
        } else {
            0
        };
        write_u32(&mut status, 0, is_in | fences);
        write_u32(&mut status, 4, std::process::id());
        status
    }

    /// Ends the handshake of `members` processes, whose statuses these are, in an order that all
    /// know.
    ///
    /// # Errors
    /// Why the segment is not used: all processes come to the same decision.
    pub fn complete(
        self,
        members: usize,
        statuses: impl Iterator<Item = Status>,
    ) -> Result<Joined<V>, Refusal> {
        let Inside { segment, view } = self.0.map_err(Refusal::Own)?;
        // All that could attach have said so: the segment outlives its descriptor.
        segment.close_descriptor();
        let (mut fences, mut pids) = (false, Vec::with_capacity(members));
        for (at, status) in statuses.enumerate() {
            let flags = read_u32(&status, 0).unwrap_or(0);
            if flags & IS_IN == 0 || at == members {
                return Err(Refusal::Other(at));
            }
            fences |= flags & NEEDS_FENCES != 0;
            pids.push(pid(&status));
        }
        if pids.len() != members {
            return Err(Refusal::Other(pids.len()));
        }
        let order = WakeOrder::between(fences);
        Ok(Joined { view, order, pids })
    }
}

fn cookie_in(segment: &Segment) -> &AtomicU64 {
    segment.header::<AtomicU64, 0>()
}

fn invite(segment: &Segment, note: Note) -> Invitation {
    let cookie = cookie();
    cookie_in(segment).store(cookie, Ordering::Release);
    let mut invitation = none();
    write_u32(&mut invitation, 0, std::process::id());
    write_u32(&mut invitation, 4, segment.descriptor() as u32);
    write_u64(&mut invitation, 8, cookie);
    write_u64(&mut invitation, 16, segment.len() as u64);
    invitation[NOTE_AT..].copy_from_slice(&note);
    invitation
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 8192;

    fn reserved(segment: Segment) -> Result<Segment, String> {
        let reserved = segment.reserve(0, LEN).map_err(|why| why.to_string());
        reserved.map(|()| segment)
    }

    fn create() -> (Handshake<Segment>, Invitation) {
        Handshake::create("test", LEN, [9; NOTE_BYTES], reserved)
    }

    fn attach(invitation: &Invitation) -> Handshake<Segment> {
        Handshake::attach(invitation, "rank 0", LEN, Ok)
    }

    fn word(segment: &Segment) -> &AtomicU64 {
        segment.word::<AtomicU64>(1024)
    }

    #[test]
    fn both_come_to_the_same_segment() {
        let (creator, invitation) = create();
        assert_eq!(note(&invitation), Some([9; NOTE_BYTES]));
        let other = attach(&invitation);
        assert_eq!((creator.failure(), other.failure()), (None, None));
        let statuses = [creator.status(), other.status()];
        let creator = creator.complete(2, statuses.into_iter()).unwrap();
        let other = other.complete(2, statuses.into_iter()).unwrap();
        word(&creator.view).store(5, Ordering::Relaxed);
        assert_eq!(word(&other.view).load(Ordering::Relaxed), 5);
        assert_eq!(creator.pids, [std::process::id(); 2]);
        assert_eq!(creator.order, WakeOrder::register());
        assert_eq!(creator.view.descriptor(), -1, "nobody attaches any more");
    }

    #[test]
    fn one_that_is_not_in_keeps_all_from_it() {
        let (creator, invitation) = create();
        let mut other = attach(&invitation);
        other.refuse("it does not want to".into());
        let statuses = [creator.status(), other.status()];
        let refusal = creator.complete(2, statuses.into_iter()).unwrap_err();
        assert_eq!(refusal, Refusal::Other(1));
        let refusal = other.complete(2, statuses.into_iter()).unwrap_err();
        assert_eq!(refusal, Refusal::Own("it does not want to".into()));
    }

    #[test]
    fn statuses_of_all_are_needed_and_no_more() {
        for (sent, position) in [(1, 1), (3, 2)] {
            let (creator, _) = create();
            let statuses = vec![creator.status(); sent];
            let refusal = creator.complete(2, statuses.into_iter()).unwrap_err();
            assert_eq!(refusal, Refusal::Other(position));
        }
    }

    #[test]
    fn a_fence_that_one_needs_is_made_by_all() {
        let (creator, _) = create();
        let mut needs = creator.status();
        needs[0] |= NEEDS_FENCES as u8;
        let joined = creator.complete(2, [creator_status(), needs].into_iter());
        assert!(joined.unwrap().order.fences());
    }

    fn creator_status() -> Status {
        create().0.status()
    }

    #[test]
    fn a_creator_that_fails_notifies_the_others() {
        let lay_out = |_| Err::<(), _>("no memory".to_string());
        let (creator, invitation) = Handshake::create("test", LEN, [9; NOTE_BYTES], lay_out);
        assert_eq!(creator.failure(), Some("no memory"));
        assert_eq!((invitation, note(&invitation)), (none(), None));
        assert_eq!(attach(&invitation).failure(), Some("rank 0 has no segment"));
    }

    #[test]
    fn another_segment_than_the_invitation_names_is_refused() {
        let (_creator, invitation) = create();
        let failure = |change: &dyn Fn(&mut Invitation)| {
            let mut changed = invitation;
            change(&mut changed);
            attach(&changed).failure().unwrap_or_default().to_string()
        };
        assert_eq!(failure(&|_| ()), "");
        let cookie = failure(&|invitation| invitation[9] ^= 1);
        assert_eq!(cookie, "the segment of rank 0 is that of another process");
        let len = failure(&|invitation| write_u64(invitation, 16, 4096));
        assert_eq!(
            len,
            "the segment of rank 0 has 4096 bytes where 8192 were expected"
        );
        let closed = failure(&|invitation| write_u32(invitation, 4, 1_000_000));
        assert!(
            closed.starts_with("the segment of rank 0 cannot be opened"),
            "{closed}"
        );
    }
}
