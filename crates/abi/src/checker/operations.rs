//! Operations under way: their buffers, and the types of both ends of a message.
//!
//! A message carries the mark of what its sender passed ([`check::mark`]), which the receiver
//! compares with what it passed itself. A buffer that is sent is hashed when its operation begins
//! and when it ends.

use std::ops::Range;
use std::sync::Arc;

use check::buffers::{self, Buffers, Hash, Held, Use};
use check::mark::Mark;
use datatype::{Buffer, Datatype};

use super::reports::Origin;
use crate::addresses::Map;
use crate::args::{Comm, Request};
use crate::generated::constants::*;
use crate::hooks::{Call, Role, Side};
use crate::runtime;

/// Operations of the program that have a request.
#[derive(Default)]
pub(super) struct Operations {
    /// By what of their handle is used again.
    all: Map<usize, Operation>,
    buffers: Buffers<usize>,
    /// Reports that were found while tables were entered, to be printed behind that.
    found: Vec<(Origin, String)>,
}

/// An operation with a request.
#[derive(Clone)]
pub(super) struct Operation {
    pub(super) request: Request,
    pub(super) origin: Origin,
    pub(super) comm: String,
    /// The communicator and the mark of what it sends.
    pub(super) sends: Option<(Comm, Mark)>,
    /// The datatype that it receives.
    pub(super) receives: Option<Arc<Datatype>>,
    /// The buffers that it uses.
    pub(super) spans: Vec<(Range<usize>, Use)>,
    /// Hash of the first buffer, if it is read.
    pub(super) hash: Option<Hash>,
    pub(super) is_persistent: bool,
}

/// An operation that has a buffer which another one must not have: its slot, and the report.
pub(super) struct Conflict {
    pub(super) slot: usize,
    pub(super) request: Request,
    pub(super) text: String,
}

/// The bits of a handle without its generation.
pub(super) fn slot(handle: usize) -> usize {
    handle & 0xFFFF_FFFF
}

/// The number of a buffer of the operation in a slot.
fn number(slot: usize, at: usize) -> u64 {
    (slot as u64) << 1 | at as u64
}

impl Operations {
    /// The requests that were made, with their origins.
    pub(super) fn requests(&self) -> Vec<(Request, Origin)> {
        let all = self.all.values();
        all.map(|operation| (operation.request, operation.origin))
            .collect()
    }

    pub(super) fn get(&self, request: Request) -> Option<&Operation> {
        let found = self.all.get(&slot(request.0));
        found.filter(|operation| operation.request == request)
    }

    pub(super) fn insert(&mut self, operation: Operation) {
        let slot = slot(operation.request.0);
        self.release(slot);
        let is_active = !operation.is_persistent;
        self.all.insert(slot, operation);
        if is_active {
            self.activate(slot);
        }
    }

    /// The operation of a slot uses its buffers from now on.
    pub(super) fn activate(&mut self, slot: usize) {
        let Some(operation) = self.all.get_mut(&slot) else {
            return;
        };
        operation.hash = match operation.spans.first() {
            Some((bytes, Use::Reads)) => hash_of(bytes),
            _ => None,
        };
        for (at, (bytes, usage)) in operation.spans.iter().enumerate() {
            let held = Held {
                bytes: bytes.clone(),
                usage: *usage,
                about: slot,
            };
            self.buffers.begin(number(slot, at), held);
        }
    }

    /// The operation of a slot does not use its buffers any more.
    pub(super) fn release(&mut self, slot: usize) {
        for at in 0..SPANS_MAX {
            self.buffers.end(number(slot, at));
        }
    }

    /// Forgets the request of a handle.
    pub(super) fn forget(&mut self, request: Request) {
        if self.get(request).is_some() {
            self.release(slot(request.0));
            self.all.remove(&slot(request.0));
        }
    }

    /// Returns the operations that use some of these buffers in a way that excludes this one.
    pub(super) fn conflicts(&self, spans: &[(Range<usize>, Use)]) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        for (bytes, usage) in spans {
            for number in self.buffers.conflicts(bytes, *usage) {
                let held = self.buffers.get(number);
                let other = held.and_then(|held| Some((held, self.all.get(&held.about)?)));
                let Some((held, other)) = other else { continue };
                let common = buffers::common(bytes, &held.bytes);
                let verb = match usage {
                    Use::Reads => "reads",
                    Use::Writes => "writes",
                };
                let theirs = match held.usage {
                    Use::Reads => "reads",
                    Use::Writes => "writes",
                };
                conflicts.push(Conflict {
                    slot: held.about,
                    request: other.request,
                    text: format!(
                        "{verb} its buffer of {} bytes, {common} while {{}} is under way, which \
                         {theirs} them: use another buffer, or complete that operation before",
                        bytes.len()
                    ),
                });
            }
        }
        conflicts
    }

    /// Takes what was found while nothing could be reported.
    pub(super) fn take_found(&mut self) -> Vec<(Origin, String)> {
        std::mem::take(&mut self.found)
    }

    /// The request of a handle has come to an end.
    pub(super) fn ended(&mut self, request: Request, status: &pml::Status) {
        let Some(operation) = self.get(request).cloned() else {
            return;
        };
        match operation.is_persistent {
            true => self.release(slot(request.0)),
            false => self.forget(request),
        }
        if let (Some(before), Some((bytes, Use::Reads))) = (operation.hash, operation.spans.first())
        {
            if hash_of(bytes).is_some_and(|now| now != before) {
                let text = format!(
                    " on {}: its buffer of {} bytes was changed before the operation was \
                     complete: change it after MPI_Wait or MPI_Test",
                    operation.comm,
                    bytes.len()
                );
                self.found.push((operation.origin, text));
            }
        }
        if let Some(datatype) = &operation.receives {
            if let Some(text) = mismatch(datatype, status) {
                let text = format!(" on {}: {text}", operation.comm);
                self.found.push((operation.origin, text));
            }
        }
    }
}

/// Buffers that an operation has at most.
const SPANS_MAX: usize = 2;

/// Describes how the message of a status differs in type from the elements that received it.
pub(super) fn mismatch(datatype: &Datatype, status: &pml::Status) -> Option<String> {
    let theirs = Mark(status.mark);
    let source = status.source?;
    if status.cancelled || theirs == Mark::UNKNOWN {
        return None;
    }
    let ours = Mark::of(datatype, status.bytes);
    if ours.fits(theirs) {
        return None;
    }
    Some(format!(
        "receives {} from rank {}, tag {}, which has sent {}: both ends must have the same types",
        ours.describe(status.bytes),
        source.0,
        status.tag,
        theirs.describe(status.bytes)
    ))
}

/// Returns the mark of what a call sends.
pub(super) fn mark_of(side: &Side) -> Mark {
    if side.peer == MPI_PROC_NULL {
        return Mark::UNKNOWN;
    }
    let datatype = runtime::get().datatype(side.datatype).ok();
    let count = u64::try_from(side.count).ok();
    let bytes = datatype
        .as_ref()
        .zip(count)
        .and_then(|(datatype, count)| count.checked_mul(datatype.size() as u64));
    match (datatype, bytes) {
        (Some(datatype), Some(bytes)) => Mark::of(&datatype, bytes),
        _ => Mark::UNKNOWN,
    }
}

/// Returns the buffers that a call uses which have no gaps, and how.
pub(super) fn spans(call: &Call) -> Vec<(Range<usize>, Use)> {
    let note = call.note;
    let reads = || span(&note.sent).map(|bytes| (bytes, Use::Reads));
    let writes = || span(&note.received).map(|bytes| (bytes, Use::Writes));
    let both = match note.role {
        Role::Sends | Role::PreparesSend => [reads(), None],
        Role::Receives | Role::Posts | Role::PreparesReceive => [None, writes()],
        Role::Exchanges if note.sent.buffer != note.received.buffer => [reads(), writes()],
        _ => [None, None],
    };
    both.into_iter().flatten().collect()
}

/// Returns the bytes of a side, if they have no gaps.
fn span(side: &Side) -> Option<Range<usize>> {
    if side.peer == MPI_PROC_NULL || side.buffer == MPI_IN_PLACE {
        return None;
    }
    let datatype = runtime::get().datatype(side.datatype).ok()?;
    let base = std::ptr::with_exposed_provenance_mut(side.buffer);
    // SAFETY: only the address and the length are taken, nothing is accessed.
    let bytes = unsafe { Buffer::stretch(base, side.count, &datatype) }?;
    let start = bytes.address().addr();
    (!bytes.is_empty()).then(|| start..start + bytes.len())
}

/// Most bytes that are hashed at each end of a buffer.
const HASHED: usize = 512 << 10;

/// Returns the hash of memory of the program; `None` where it cannot be read.
fn hash_of(bytes: &Range<usize>) -> Option<Hash> {
    let mut hash = Hash::default();
    let len = bytes.len();
    let ends = match len <= 2 * HASHED {
        true => [bytes.clone(), 0..0],
        false => [
            bytes.start..bytes.start + HASHED,
            bytes.end - HASHED..bytes.end,
        ],
    };
    let mut part = vec![0; len.min(64 << 10)];
    for end in ends {
        let mut at = end.start;
        while at < end.end {
            let wanted = part.len().min(end.end - at);
            if !read(at, &mut part[..wanted]) {
                return None;
            }
            hash.add(&part[..wanted]);
            at += wanted;
        }
    }
    Some(hash)
}

/// Reads memory of this process, which the program may have released. False where it cannot be
/// read.
fn read(address: usize, into: &mut [u8]) -> bool {
    let local = libc::iovec {
        iov_base: into.as_mut_ptr().cast(),
        iov_len: into.len(),
    };
    let remote = libc::iovec {
        iov_base: std::ptr::with_exposed_provenance_mut(address),
        iov_len: into.len(),
    };
    // SAFETY: the local vector is the slice; the system checks the addresses of the remote one.
    let count = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    count == into.len() as isize
}
