//! Operations under way: their buffers, and the types of both ends of a message.
//!
//! A message carries the mark of what its sender passed ([`check::mark`]), which the receiver
//! compares with what it passed itself. A buffer that is sent is hashed when its operation begins
//! and when it ends.

use std::sync::Arc;

use abi_state::args::{self, Comm, Request};
use abi_state::generated::constants::*;
use abi_state::hooks::{Call, Note, Role, Side};
use abi_state::runtime;
use check::buffers::{BufferInUse, Buffers, Footprint, Hash, Use};
use check::collective::{Form, Function};
use check::mark::Mark;
use datatype::{Buffer, Datatype};

use super::reports::Origin;
use crate::addresses::Map;

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
    pub(super) places: Vec<(Footprint, Use)>,
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
        operation.hash = match operation.places.first() {
            Some((place, Use::Reads)) => hash_of(place),
            _ => None,
        };
        for (at, (place, usage)) in operation.places.iter().enumerate() {
            let held = BufferInUse {
                footprint: place.clone(),
                usage: *usage,
                about: slot,
            };
            self.buffers.begin(number(slot, at), held);
        }
    }

    /// The operation of a slot does not use its buffers any more.
    pub(super) fn release(&mut self, slot: usize) {
        for at in 0..PLACES_MAX {
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
    pub(super) fn conflicts(&self, places: &[(Footprint, Use)]) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        for (place, usage) in places {
            for number in self.buffers.conflicts(place, *usage) {
                let held = self.buffers.get(number);
                let other = held.and_then(|held| Some((held, self.all.get(&held.about)?)));
                let Some((held, other)) = other else { continue };
                let Some(common) = place.common(&held.footprint) else {
                    continue;
                };
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
                        "{verb} its {}, {common} while {{}} is under way, which {theirs} them: use \
                         another buffer, or complete that operation before",
                        place.describe()
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

    /// Notes that the operation of a request is complete, and that the program has learned so: its
    /// buffers are the program's again, though the request is still to be ended.
    pub(super) fn completed(&mut self, request: Request) {
        if self.get(request).is_none() {
            return;
        }
        let slot = slot(request.0);
        self.release(slot);
        let Some(operation) = self.all.get_mut(&slot) else {
            return;
        };
        let before = operation.hash.take();
        if let (Some(before), Some((place, Use::Reads))) = (before, operation.places.first()) {
            if hash_of(place).is_some_and(|now| now != before) {
                let text = format!(
                    " on {}: its {} was changed before the operation was complete: change it after \
                     MPI_Wait or MPI_Test",
                    operation.comm,
                    place.describe()
                );
                self.found.push((operation.origin, text));
            }
        }
    }

    /// The request of a handle has come to an end.
    pub(super) fn ended(&mut self, request: Request, status: &pml::Status) {
        self.completed(request);
        let Some(operation) = self.get(request).cloned() else {
            return;
        };
        if !operation.is_persistent {
            self.forget(request);
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
const PLACES_MAX: usize = 2;

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

/// Returns the buffers that a call of a message uses, and how.
pub(super) fn places(call: &Call) -> Vec<(Footprint, Use)> {
    let note = call.note;
    let of = |side: &Side, usage: Use| {
        let is_used = side.peer != MPI_PROC_NULL && side.buffer != MPI_IN_PLACE;
        let place = is_used.then(|| place(side.buffer, side.count, side.datatype))?;
        place.map(|place| (place, usage))
    };
    // What is sent from the buffer that is received into is a copy.
    let is_copied = call.note.receives() && call.name.contains("_replace");
    let reads = || of(&note.sent, Use::Reads).filter(|_| !is_copied);
    let writes = || of(&note.received, Use::Writes);
    let both = match note.role {
        Role::Receives | Role::Posts | Role::PreparesReceive => [None, writes()],
        Role::Sends | Role::PreparesSend if !note.receives() => [reads(), None],
        Role::Sends | Role::Exchanges => [reads(), writes()],
        _ => [None, None],
    };
    both.into_iter().flatten().collect()
}

/// Returns the buffers that a collective of one group uses, and how, where it has blocks of one
/// length. `root` says whether this process is the root.
pub(super) fn collective_places(
    note: &Note,
    function: Function,
    root: bool,
    ranks: i64,
) -> Vec<(Footprint, Use)> {
    let name = function.name_of_blocking();
    // Blocks that are sent and received; none where that side does not count here.
    let (sent, received) = match name {
        "Bcast" if root => (1, 0),
        "Gather" => (1, if root { ranks } else { 0 }),
        "Scatter" => (if root { ranks } else { 0 }, 1),
        "Allgather" => (1, ranks),
        "Alltoall" => (ranks, ranks),
        "Reduce" => (1, i64::from(root)),
        "Allreduce" | "Scan" => (1, 1),
        "Reduce_scatter_block" => (ranks, 1),
        _ => (0, 0),
    };
    let of = |buffer: usize, blocks: i64, side: &Side, usage: Use| {
        let is_used = blocks > 0 && buffer != MPI_IN_PLACE;
        let count = side.count.checked_mul(blocks).filter(|_| is_used)?;
        place(buffer, count, side.datatype).map(|place| (place, usage))
    };
    // A reduction passes its count and type once.
    let counted = match name {
        "Reduce_scatter_block" => &note.received,
        _ => &note.sent,
    };
    let both = match name {
        "Bcast" if !root => [None, of(note.sent.buffer, 1, &note.sent, Use::Writes)],
        _ => [
            of(note.sent.buffer, sent, counted, Use::Reads),
            of(note.received.buffer, received, &note.received, Use::Writes),
        ],
    };
    both.into_iter().flatten().collect()
}

/// Whether a collective goes on behind its call.
pub(super) fn goes_on(function: Function) -> bool {
    function.form() != Form::Blocking
}

/// Describes bytes that a call both reads and writes; `None` where there are none.
pub(super) fn overlap(places: &[(Footprint, Use)]) -> Option<String> {
    let [(read, Use::Reads), (written, Use::Writes)] = places else {
        return None;
    };
    let common = written.common(read)?;
    Some(format!(
        "its receive {} overlaps its send {}, in {common}: use another buffer",
        written.describe(),
        read.describe()
    ))
}

/// Most packed bytes of a buffer with gaps that are looked at: its first ones.
const WITH_GAPS_MAX: usize = 4 << 20;

/// Returns the bytes of elements; `None` where there are none, or the arguments are invalid.
fn place(address: usize, count: i64, datatype: args::Datatype) -> Option<Footprint> {
    let datatype = runtime::get().datatype(datatype).ok()?;
    let base = std::ptr::with_exposed_provenance_mut(address);
    // SAFETY: only addresses and lengths are taken, nothing is accessed.
    let buffer = unsafe { Buffer::new(base, count, &datatype) }.ok()?;
    let mut pieces = Vec::new();
    match buffer.contiguous() {
        Some(bytes) => pieces.push(bytes),
        None => buffer.segments(0, buffer.len().min(WITH_GAPS_MAX), &mut pieces),
    }
    let range = |piece: &memory::UserBuf| {
        let start = piece.address().addr();
        start..start + piece.len()
    };
    Footprint::of(pieces.iter().map(range).collect())
}

/// Most bytes that are hashed at each end of a buffer.
const HASHED: usize = 512 << 10;

/// Most pieces of a buffer with gaps that are hashed: each takes a system call.
const HASHED_PIECES: usize = 4096;

/// Bytes that are read at a time.
const PART: usize = 64 << 10;

/// Returns the hash of memory of the program; `None` where it cannot be read.
fn hash_of(place: &Footprint) -> Option<Hash> {
    let mut hash = Hash::default();
    let mut left = Vec::new();
    for piece in place.pieces().iter().take(HASHED_PIECES) {
        // Of a long piece both ends.
        let ends = match piece.len() <= 2 * HASHED {
            true => [piece.clone(), 0..0],
            false => [
                piece.start..piece.start + HASHED,
                piece.end - HASHED..piece.end,
            ],
        };
        for end in ends {
            let mut at = end.start;
            while at < end.end {
                let wanted = (PART - left.len()).min(end.end - at);
                let from = left.len();
                left.resize(from + wanted, 0);
                if !read(at, &mut left[from..]) {
                    return None;
                }
                at += wanted;
                if left.len() == PART {
                    hash.add(&left);
                    left.clear();
                }
            }
        }
    }
    hash.add(&left);
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
