//! Accesses to contiguous elements of one predefined datatype, which need no description of their
//! layout.
//!
//! Each function returns whether the access has started: by loads and stores, or by a carrier that
//! takes it at once. Where not, nothing has changed, and the caller decodes the arguments in full,
//! which finds the errors, and has the access queued or waited for.

use abi_state::args::{Elements, Op};
use abi_state::generated::constants::MPI_IN_PLACE;
use abi_state::runtime;
use abi_state::tables;
use datatype::{Basic, Buffer, Class};
use memory::UserBuf;

use super::aim::Aim;

/// Bytes up to which an access is done while the table of handles is held; the window of a longer
/// one is reference-counted, so that other threads' calls do not wait for the copy.
const HELD_MAX: usize = 4096;

/// Returns the origin's elements as bytes, where they are contiguous and have the predefined
/// datatype and number of the target's.
#[inline(always)]
fn alike(origin: Elements, aim: Aim, datatype: &datatype::Datatype) -> Option<UserBuf> {
    // The full decoding refuses more elements than memory could hold, and whatever else is odd.
    const COUNT_MAX: u64 = 1 << 40;
    let same = origin.count() == aim.count && origin.datatype() == aim.datatype;
    if !same || origin.count() as u64 > COUNT_MAX || origin.address() as usize <= MPI_IN_PLACE {
        return None;
    }
    // SAFETY: MPI's caller gives these elements (`Elements::new`).
    unsafe { Buffer::contiguous_memory(origin.address().cast(), origin.count(), datatype) }
}

/// Evaluates an expression about the window of an access, whose length in bytes decides how the
/// window is held; returns `false` from the function around it where there is no such window. A
/// macro, since the compiler leaves closures out of line here, whose arguments then pass through
/// memory: that doubled the time of a put.
macro_rules! on_window {
    ($aim:expr, $len:expr, $window:ident => $start:expr) => {{
        let tables = runtime::get().tables.enter();
        let Ok(entry) = tables.wins.get($aim.win) else {
            return false;
        };
        let counted;
        let $window = if $len <= HELD_MAX {
            &entry.window
        } else {
            counted = entry.clone();
            drop(tables);
            &counted.window
        };
        $start
    }};
}

/// Puts contiguous elements.
#[inline(always)]
pub(super) fn put(origin: Elements, aim: Aim) -> bool {
    let datatype = tables::predefined(aim.datatype);
    let Some(from) = datatype.and_then(|datatype| alike(origin, aim, datatype)) else {
        return false;
    };
    on_window!(aim, from.len(), window => {
        window.put_contiguous(aim.rank, aim.displacement, from)
    })
}

/// Gets contiguous elements.
#[inline(always)]
pub(super) fn get(origin: Elements, aim: Aim) -> bool {
    let datatype = tables::predefined(aim.datatype);
    let Some(into) = datatype.and_then(|datatype| alike(origin, aim, datatype)) else {
        return false;
    };
    on_window!(aim, into.len(), window => {
        window.get_contiguous(aim.rank, aim.displacement, into)
    })
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
    on_window!(aim, from.len(), window => {
        window.combine_contiguous(aim.rank, aim.displacement, how, from, into)
    })
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
    let buffers = [new, compare, before];
    on_window!(aim, new.len(), window => {
        window.swap_contiguous(aim.rank, aim.displacement, element, buffers)
    })
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
