//! [`Kernels`]: the loop of each operation on each predefined datatype, for each set of vectors.

use super::fold::{complex, integer, real};
use super::pair::{pair, wide_pair};
use super::quad::F128;
use super::vectors::{Kernel, Vectors};
use super::{half, long_double};
use crate::basic::{self, Basic, Repr, BASICS};
use crate::op::Op;

/// The loops of a predefined datatype.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    /// The datatype.
    pub(super) row: &'static Basic,
    /// Loops by operation ([`column()`]); `None` where it is not defined.
    loops: [Option<&'static Kernel>; Op::HANDLES],
}

/// The loops of all datatypes, by their index in [`BASICS`], for each set of vectors. To choose one
/// as it is needed would take longer than to reduce a few elements.
static KERNELS: [[Kernels; BASICS.len()]; Vectors::SETS.len()] = {
    let none = Kernels {
        row: &BASICS[0],
        loops: [None; Op::HANDLES],
    };
    let mut all = [[none; BASICS.len()]; Vectors::SETS.len()];
    let mut at = 0;
    while at < all.len() * BASICS.len() * Op::ALL.len() {
        let (rest, op) = (at / Op::ALL.len(), Op::ALL[at % Op::ALL.len()]);
        let (set, row) = (rest / BASICS.len(), rest % BASICS.len());
        all[set][row].row = &BASICS[row];
        all[set][row].loops[column(op)] = choose(op, &BASICS[row], Vectors::SETS[set]);
        at += 1;
    }
    all
};

impl Kernels {
    /// Returns the loop of an operation; `None` where it is not defined for the datatype.
    #[inline]
    pub(super) fn of(&self, op: Op) -> Option<&'static Kernel> {
        self.loops[column(op)]
    }
}

#[inline]
const fn column(op: Op) -> usize {
    op.handle() as usize % Op::HANDLES
}

/// Returns the loops of a datatype whose elements have no gaps, with the widest vectors of the
/// machine; `None` where they have gaps.
pub(crate) fn kernels(row: &Basic) -> Option<&'static Kernels> {
    let place = basic::row(row.handle)?;
    (row.size == row.extent).then(|| &KERNELS[Vectors::best().place()][place])
}

/// Returns the loop of an operation on a predefined datatype; `None` where it is not defined.
#[inline]
pub(super) fn kernel(op: Op, row: &Basic, vectors: Vectors) -> Option<&'static Kernel> {
    KERNELS[vectors.place()][basic::row(row.handle)?].of(op)
}

/// Returns the loop of an operation on a representation, made from a generic one.
const fn choose(op: Op, row: &Basic, vectors: Vectors) -> Option<&'static Kernel> {
    let plain = Vectors::BASELINE;
    if !op.takes(row) {
        return None;
    }
    match row.repr {
        Repr::I8 => integer::<i8, u8>(op, true, vectors),
        Repr::U8 => integer::<i8, u8>(op, false, vectors),
        Repr::I16 => integer::<i16, u16>(op, true, vectors),
        Repr::U16 => integer::<i16, u16>(op, false, vectors),
        Repr::I32 => integer::<i32, u32>(op, true, vectors),
        Repr::U32 => integer::<i32, u32>(op, false, vectors),
        Repr::I64 => integer::<i64, u64>(op, true, vectors),
        Repr::U64 => integer::<i64, u64>(op, false, vectors),
        Repr::I128 => integer::<i128, u128>(op, true, vectors),
        Repr::U128 => integer::<i128, u128>(op, false, vectors),
        Repr::F16 => half::real(op, vectors),
        Repr::F32 => real::<f32>(op, vectors),
        Repr::F64 => real::<f64>(op, vectors),
        Repr::LongDouble => long_double::real(op),
        Repr::F128 => real::<F128>(op, plain),
        Repr::ComplexF16 => half::complex(op, vectors),
        Repr::ComplexF32 => complex::<f32>(op, vectors),
        Repr::ComplexF64 => complex::<f64>(op, vectors),
        Repr::ComplexLongDouble => long_double::complex(op),
        Repr::ComplexF128 => complex::<F128>(op, plain),
        Repr::F32I32 => pair::<f32, i32>(op, vectors),
        Repr::F64I32 => wide_pair::<f64, i32>(op, vectors),
        Repr::I64I32 => wide_pair::<i64, i32>(op, vectors),
        Repr::I32I32 => pair::<i32, i32>(op, vectors),
        Repr::I16I32 => pair::<i16, i32>(op, vectors),
        Repr::LongDoubleI32 => long_double::pair(op),
        Repr::F32F32 => pair::<f32, f32>(op, vectors),
        Repr::F64F64 => pair::<f64, f64>(op, vectors),
    }
}
