//! The fast path of an access: contiguous elements of one predefined datatype, which need no
//! description of their layout.
//!
//! Where this process can load and store the target's memory, the access is done here; elsewhere it
//! is handed to its lane or sent as one message, if an epoch is known to be open and it can go at
//! once. Each function says whether it has done the access; where not, nothing has changed, and the
//! caller goes on by the slow path, which waits and finds errors.

use std::ptr;

use datatype::{Basic, Buffer, Class};
use memory::UserBuf;
use mpi::{Act, Plain, Window};

use super::aim::Aim;
use crate::args::{Elements, Op};
use crate::generated::constants::MPI_IN_PLACE;
use crate::{runtime, tables};

/// Bytes up to which an access is done while the table of handles is held; the window of a longer
/// one is reference-counted, so that other threads' calls do not wait for the copy.
const HELD_MAX: usize = 4096;

/// Returns the origin's elements as bytes, where they are contiguous and have the predefined
/// datatype and number of the target's.
#[inline(always)]
fn alike(origin: Elements, aim: Aim, datatype: &datatype::Datatype) -> Option<UserBuf> {
    // The slow path refuses more elements than memory could hold, and whatever else is odd.
    const COUNT_MAX: u64 = 1 << 40;
    let same = origin.count() == aim.count && origin.datatype() == aim.datatype;
    if !same || origin.count() as u64 > COUNT_MAX || origin.address() as usize <= MPI_IN_PLACE {
        return None;
    }
    // SAFETY: MPI's caller gives these elements (`Elements::new`).
    unsafe { Buffer::stretch(origin.address().cast(), origin.count(), datatype) }
}

/// An access as a message, and the bytes that go with it.
type Message = (Act, UserBuf);

/// Names bytes of another process, for code that only needs their address.
fn far(at: u64, len: usize) -> UserBuf {
    let begin = ptr::without_provenance_mut(at as usize);
    // SAFETY: nothing is read or written through this (`mpi::Far`).
    unsafe { UserBuf::new(begin, len) }
}

/// Does an access to `len` bytes of a target: `act` by loads and stores, or else as the message
/// that `message` makes.
#[inline(always)]
fn access(
    aim: Aim,
    len: usize,
    act: impl FnOnce(&Plain<'_>) -> bool,
    message: impl FnOnce() -> Message,
) -> bool {
    let tables = runtime::get().tables.enter();
    let Ok(entry) = tables.wins.get(aim.win) else {
        return false;
    };
    if len <= HELD_MAX {
        return on_window(&entry.window, aim, len, act, message);
    }
    let entry = entry.clone();
    drop(tables);
    on_window(&entry.window, aim, len, act, message)
}

#[inline(always)]
fn on_window(
    window: &Window,
    aim: Aim,
    len: usize,
    act: impl FnOnce(&Plain<'_>) -> bool,
    message: impl FnOnce() -> Message,
) -> bool {
    match window.plain(aim.rank, aim.displacement, len) {
        Some(plain) => act(&plain),
        None => window.access_plainly(aim.rank, aim.displacement, len, &message(), far),
    }
}

/// Puts contiguous elements.
#[inline(always)]
pub(super) fn put(origin: Elements, aim: Aim) -> bool {
    let datatype = tables::predefined(aim.datatype);
    let Some(from) = datatype.and_then(|datatype| alike(origin, aim, datatype)) else {
        return false;
    };
    let put = |plain: &Plain<'_>| {
        plain.put(from);
        true
    };
    access(aim, from.len(), put, || (Act::Put, from))
}

/// Gets contiguous elements.
#[inline(always)]
pub(super) fn get(origin: Elements, aim: Aim) -> bool {
    let datatype = tables::predefined(aim.datatype);
    let Some(into) = datatype.and_then(|datatype| alike(origin, aim, datatype)) else {
        return false;
    };
    let get = |plain: &Plain<'_>| {
        plain.get(into);
        true
    };
    access(aim, into.len(), get, || (Act::Get { into }, UserBuf::EMPTY))
}

/// Combines contiguous elements, where the operation is defined for their datatype.
#[inline(always)]
pub(super) fn combine(op: Op, origin: Elements, before: Option<Elements>, aim: Aim) -> bool {
    let (Some(op), Some(datatype)) = (runtime::predefined_op(op), tables::predefined(aim.datatype))
    else {
        return false;
    };
    let into = before.map(|before| alike(before, aim, datatype));
    if into == Some(None) {
        return false;
    }
    let into = into.flatten();
    // MPI_NO_OP ignores the origin's arguments.
    let from = match op {
        datatype::Op::NoOp => into,
        _ => alike(origin, aim, datatype),
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
    access(aim, from.len(), combine, message)
}

/// Compares and swaps one element: the new value, what to compare with, and where the previous
/// value goes.
#[inline(always)]
pub(super) fn swap([new, compare, before]: [Elements; 3], aim: Aim) -> bool {
    let Some(known) = tables::predefined(aim.datatype) else {
        return false;
    };
    let bytes = |elements| alike(elements, aim, known);
    let [Some(new), Some(compare), Some(before)] = [new, compare, before].map(bytes) else {
        return false;
    };
    let Some(element) = known.predefined().filter(|row: &&Basic| is_comparable(row)) else {
        return false;
    };
    let swap = move |plain: &Plain<'_>| plain.swap([new, compare, before]);
    let message = move || {
        let act = Act::CompareAndSwap {
            element,
            compare,
            before,
        };
        (act, new)
    };
    access(aim, new.len(), swap, message)
}

/// Whether elements of a predefined datatype may be compared (MPI 5.0, 12.3.4.5).
#[inline]
pub(super) fn is_comparable(element: &Basic) -> bool {
    use Class::{Byte, CInteger, FortranInteger, Logical, MultiLanguage};
    matches!(
        element.class,
        Byte | CInteger | FortranInteger | Logical | MultiLanguage
    )
}
