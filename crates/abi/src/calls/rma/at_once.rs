//! Accesses that are done, or begun, as soon as they are called: bytes of a target that this
//! process loads and stores, or that its lane or one message takes.

use std::ptr;

use datatype::Buffer;
use memory::UserBuf;
use mpi::{Act, Plain, Window};
use sync::Entered;

use super::{Aim, Own};
use crate::args::{Op, Win};
use crate::generated::constants::MPI_IN_PLACE;
use crate::tables::Tables;
use crate::{runtime, tables};

/// More bytes than this are not moved while nobody else may look at handles.
pub(super) const HELD_MAX: usize = 4096;

/// The caller's elements as bytes, where they are of a predefined datatype without gaps, and as
/// many of the same are aimed at.
#[inline(always)]
pub(super) fn alike(own: Own, aim: Aim, datatype: &datatype::Datatype) -> Option<UserBuf> {
    // More elements than memory could hold are looked at closer, as is everything odd.
    const COUNT_MAX: u64 = 1 << 40;
    let same = own.count == aim.count && own.datatype == aim.datatype;
    if !same || own.count as u64 > COUNT_MAX || own.address as usize <= MPI_IN_PLACE {
        return None;
    }
    // SAFETY: MPI's caller gives these elements, until the operation is complete, which it is when
    // the call returns.
    unsafe { Buffer::stretch(own.address.cast(), own.count, datatype) }
}

/// What an access is as a message, and what it brings.
pub(super) type Message = (Act, UserBuf);

/// Where bytes of another process lie, for what only asks that.
fn far(at: u64, len: usize) -> UserBuf {
    let begin = ptr::without_provenance_mut(at as usize);
    // SAFETY: nothing is read or written through this (`mpi::Far`).
    unsafe { UserBuf::new(begin, len) }
}

/// Does an operation on `len` bytes of a target at once, by loads and stores, by its lane or by a
/// message. False says that it was not done. Each closure is called in one place, and what it needs
/// in registers.
#[inline(always)]
pub(super) fn at_once(
    aim: Aim,
    len: usize,
    act: impl FnOnce(&Plain<'_>) -> bool,
    message: impl FnOnce() -> Message,
) -> bool {
    let mut held = None;
    let Some(window) = find(aim.win, len, &mut held) else {
        return false;
    };
    match window.plain(aim.rank, aim.displacement, len) {
        Some(plain) => act(&plain),
        // The whole call tries that.
        None if len > HELD_MAX => false,
        None => window.access_plainly(aim.rank, aim.displacement, len, &message(), far),
    }
}

/// The window of a handle: the last one, or for `len` bytes that do not take long one of the table
/// of handles, which is `held` meanwhile.
#[inline(always)]
fn find<'call>(
    win: Win,
    len: usize,
    held: &'call mut Option<Entered<'static, Tables>>,
) -> Option<&'call Window> {
    // SAFETY: it is not given longer than what the caller holds for its call.
    let last = || unsafe { runtime::RECENT.window(win) };
    if let Some(window) = last() {
        return Some(window);
    }
    if keep(win) {
        return last();
    }
    if len > HELD_MAX {
        return None;
    }
    let tables = held.insert(runtime::get().tables.enter());
    tables.wins.get(win).ok().map(|entry| &entry.window)
}

/// Makes the window of a handle the last one. False where it names none, and where other threads
/// may be there.
#[inline(never)]
fn keep(win: Win) -> bool {
    let tables = runtime::get().tables.enter_unshared();
    tables.is_some_and(|tables| runtime::RECENT.keep(&tables, win).is_some())
}

/// The same for more bytes: where other threads may be, the window is kept, and not the table held.
#[inline(never)]
pub(super) fn long_at_once(
    aim: Aim,
    len: usize,
    act: impl FnOnce(&Plain<'_>) -> bool,
    message: impl FnOnce() -> Message,
) -> bool {
    let mut entry = None;
    // SAFETY: it is not used longer than the caller's call takes.
    let window = match unsafe { runtime::RECENT.window(aim.win) } {
        Some(window) => window,
        None => {
            let found = runtime::get().tables.enter().wins.get(aim.win).cloned();
            let Ok(found) = found else {
                return false;
            };
            &entry.insert(found).window
        }
    };
    match window.plain(aim.rank, aim.displacement, len) {
        Some(plain) => act(&plain),
        None => window.access_plainly(aim.rank, aim.displacement, len, &message(), far),
    }
}

/// An accumulate at once, where that goes: elements of one predefined datatype that the operation
/// is defined for. False says that it was not done.
#[inline(always)]
pub(super) fn combine_at_once(op: Op, own: Own, before: Option<Own>, aim: Aim) -> bool {
    combine::<false>(op, own, before, aim)
}

#[inline(always)]
fn combine<const LONG: bool>(op: Op, own: Own, before: Option<Own>, aim: Aim) -> bool {
    let (Some(op), Some(datatype)) = (runtime::predefined_op(op), tables::predefined(aim.datatype))
    else {
        return false;
    };
    let into = before.map(|before| alike(before, aim, datatype));
    if into == Some(None) {
        return false;
    }
    let into = into.flatten();
    // With MPI_NO_OP the origin counts for nothing, and may be anything.
    let from = match op {
        datatype::Op::NoOp => into,
        _ => alike(own, aim, datatype),
    };
    let (Some(from), Some(how)) = (from, datatype.combining(op)) else {
        return false;
    };
    let combine = |plain: &Plain<'_>| plain.combine(how, from, into);
    let message = || {
        let brought = match op {
            datatype::Op::NoOp => UserBuf::EMPTY,
            _ => from,
        };
        let act = Act::Accumulate {
            op,
            element: how.element(),
            before: into,
        };
        (act, brought)
    };
    match LONG {
        true => long_at_once(aim, from.len(), combine, message),
        false => at_once(aim, from.len(), combine, message),
    }
}

/// The same for more bytes.
#[inline(never)]
pub(super) fn combine_long_at_once(op: Op, own: Own, before: Option<Own>, aim: Aim) -> bool {
    combine::<true>(op, own, before, aim)
}
