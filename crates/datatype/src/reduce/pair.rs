//! `MPI_MINLOC` and `MPI_MAXLOC`: the extreme value with its index; of equal values, the lower
//! index (MPI 5.0, 6.9.4). Two values of which one is not a number give the second operand.

use std::marker::PhantomData;
use std::mem::offset_of;

use super::vectors::{Kernel, Loop, Vectors};
use crate::op::Op;

/// A value and its index, as C lays a structure of the two out.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Pair<V, I> {
    value: V,
    index: I,
}

/// The loops over pairs.
pub(super) fn pair<V, I>(op: Op, vectors: Vectors) -> Option<&'static Kernel>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    Some(match op {
        Op::Minloc => Kernel::of::<Extremes<V, I, true>, Pair<V, I>>(vectors),
        Op::Maxloc => Kernel::of::<Extremes<V, I, false>, Pair<V, I>>(vectors),
        _ => return None,
    })
}

struct Extremes<V, I, const LEAST: bool>(PhantomData<(V, I)>);

impl<V, I, const LEAST: bool> Loop for Extremes<V, I, LEAST>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    const BYTES: usize = size_of::<Pair<V, I>>();
    const SYMMETRIC: bool = false;

    #[inline(always)]
    unsafe fn run(a: *const u8, b: *const u8, out: *mut u8, count: usize) {
        let full = size_of::<Pair<V, I>>() == size_of::<V>() + size_of::<I>();
        for element in 0..count {
            let at = element * size_of::<Pair<V, I>>();
            // SAFETY: the caller promised the fields of `count` elements. Only those are touched
            // where there is padding: it is not ours, and the last element may lack it.
            unsafe {
                let better = pick::<V, I, LEAST>(load(a.add(at)), load(b.add(at)));
                match full {
                    true => out.add(at).cast::<Pair<V, I>>().write_unaligned(better),
                    false => {
                        let index = out.add(at + offset_of!(Pair<V, I>, index));
                        out.add(at).cast::<V>().write_unaligned(better.value);
                        index.cast::<I>().write_unaligned(better.index);
                    }
                }
            }
        }
    }
}

/// # Safety
/// The fields of a pair are readable.
#[inline(always)]
unsafe fn load<V: Copy, I: Copy>(from: *const u8) -> Pair<V, I> {
    // SAFETY: promised by the caller; unaligned access asks no more.
    unsafe {
        let index = from.add(offset_of!(Pair<V, I>, index));
        Pair {
            value: from.cast::<V>().read_unaligned(),
            index: index.cast::<I>().read_unaligned(),
        }
    }
}

/// Without a branch, so that it becomes a choice between vectors.
#[inline(always)]
fn pick<V, I, const LEAST: bool>(a: Pair<V, I>, b: Pair<V, I>) -> Pair<V, I>
where
    V: Copy + PartialOrd,
    I: Copy + PartialOrd,
{
    let better = match LEAST {
        true => a.value < b.value,
        false => a.value > b.value,
    };
    let first = better | ((a.value == b.value) & (a.index < b.index));
    Pair {
        value: if first { a.value } else { b.value },
        index: if first { a.index } else { b.index },
    }
}
