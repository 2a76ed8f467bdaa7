//! Reductions: `inout[i] = source[i] op inout[i]`, and `out[i] = a[i] op b[i]`.
//!
//! The operation and the representation select one loop, made from a generic one ([`fold`],
//! [`pair`]). The loops read and write single fields without asking for alignment, so any address
//! will do and the padding of pair types is left alone. The compiler vectorises them for each set
//! of instructions in [`Vectors`]; formats that have no vectors (`long double`, binary128) have one
//! loop.
//!
//! Integers wrap. Of real numbers, `a < b ? a : b` is the minimum and `a > b ? a : b` the maximum:
//! where one of both is not a number, and for zeros of different sign, that is `b`.

mod fold;
mod half;
mod long_double;
mod pair;
mod quad;
mod vectors;

pub use vectors::Vectors;

use memory::UserBuf;

use crate::basic::{self, Basic, Class, Repr, BASICS};
use crate::error::Error;
use crate::op::Op;
use crate::Datatype;
use quad::F128;
use vectors::Kernel;

/// Whether the operation is defined for the datatype. Never for derived ones.
#[inline]
pub fn allowed(op: Op, datatype: &Datatype) -> bool {
    datatype.predefined().is_some_and(|row| op.takes(row))
}

/// Combines `count` elements: `inout[i] = source[i] op inout[i]`, the source being the operand
/// of the lower rank (MPI 5.0, 6.9.1), with the widest vectors of the machine.
///
/// Both buffers start at the lowest byte of data and cover [`Datatype::span_bytes`]. They are
/// the same or do not overlap.
///
/// # Errors
/// When the datatype is derived, the operation is not defined for it, or a buffer is too small.
pub fn reduce(
    op: Op,
    datatype: &Datatype,
    source: UserBuf,
    inout: UserBuf,
    count: usize,
) -> Result<(), Error> {
    reduce_with(Vectors::best(), op, datatype, [source, inout], inout, count)
}

/// Combines `count` elements into a third buffer: `out[i] = a[i] op b[i]`, `a` being the operand
/// of the lower rank. `MPI_REPLACE` gives `a`, `MPI_NO_OP` gives `b`.
///
/// `out` is `a`, or `b`, or overlaps neither; all are as [`reduce`] asks.
///
/// # Errors
/// See [`reduce`].
pub fn reduce_into(
    op: Op,
    datatype: &Datatype,
    a: UserBuf,
    b: UserBuf,
    out: UserBuf,
    count: usize,
) -> Result<(), Error> {
    reduce_with(Vectors::best(), op, datatype, [a, b], out, count)
}

/// [`reduce_into`] with no vectors but those given.
///
/// # Errors
/// See [`reduce`].
#[inline(always)]
pub fn reduce_with(
    vectors: Vectors,
    op: Op,
    datatype: &Datatype,
    [a, b]: [UserBuf; 2],
    out: UserBuf,
    count: usize,
) -> Result<(), Error> {
    let room = a.len().min(b.len()).min(out.len());
    let Some(row) = datatype.predefined() else {
        return Err(not_predefined(datatype));
    };
    if count == 0 {
        return Ok(());
    }
    let needed = span_bytes(row, count)?;
    if needed > room {
        return Err(Error::Room { needed, room });
    }
    if op.one_sided_only() {
        let from = if op == Op::Replace { a } else { b };
        out.part(0, needed).copy_from(&from);
        return Ok(());
    }
    let Some(kernel) = kernel(op, row, vectors) else {
        return Err(not_allowed(op, row));
    };
    let bytes = count * row.extent as usize;
    // SAFETY: all buffers have the bytes of `count` elements, as just checked, and whoever made
    // them promised that those are readable and writable. The kernel is of a set of this machine.
    unsafe { kernel.run(a.address(), b.address(), out.address(), bytes) };
    Ok(())
}

/// The loop that combines elements of a predefined datatype without gaps, chosen before it is
/// needed: for callers that keep others waiting while they combine.
#[derive(Clone, Copy)]
pub struct Combining {
    kernels: &'static Kernels,
    op: Op,
}

impl Combining {
    /// The operation.
    #[inline]
    pub fn op(&self) -> Op {
        self.op
    }

    /// The predefined datatype of the elements.
    #[inline]
    pub fn element(&self) -> &'static Basic {
        self.kernels.row
    }

    /// `inout[i] = source[i] op inout[i]` for all elements of `inout`, as [`reduce`] does it.
    ///
    /// # Panics
    /// When the source is shorter.
    #[inline]
    pub fn run(self, source: UserBuf, inout: UserBuf) {
        let bytes = inout.len();
        match self.kernels.of(self.op) {
            Some(kernel) => {
                assert!(source.len() >= bytes);
                // SAFETY: as in `reduce_with`, since the elements have no gaps.
                unsafe { kernel.run(source.address(), inout.address(), inout.address(), bytes) };
            }
            None if self.op == Op::Replace => inout.copy_from(&source.part(0, bytes)),
            None => {}
        }
    }
}

impl Datatype {
    /// Returns the loop for elements of a datatype. `None` for derived datatypes, for those that
    /// the operation is not defined for, and for pairs with gaps.
    #[inline]
    pub fn combining(&self, op: Op) -> Option<Combining> {
        let kernels = self.kernels?;
        let known = kernels.of(op).is_some() || op.one_sided_only();
        known.then_some(Combining { kernels, op })
    }
}

/// The bytes from the first to past the last that elements of a predefined datatype cover: the
/// padding of the last one is not among them.
#[inline]
fn span_bytes(row: &Basic, count: usize) -> Result<usize, Error> {
    let extent = row.extent as usize;
    let padding = match row.class {
        Class::Pair => extent - row.data_end(),
        _ => 0,
    };
    match count.checked_mul(extent) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(bytes - padding),
        _ => Err(Error::Overflow {
            what: "the memory of the elements",
        }),
    }
}

#[cold]
#[inline(never)]
fn not_predefined(datatype: &Datatype) -> Error {
    Error::NotPredefined {
        datatype: datatype.name(),
    }
}

#[cold]
#[inline(never)]
fn not_allowed(op: Op, row: &Basic) -> Error {
    Error::NotAllowed {
        op: op.name(),
        datatype: row.name,
    }
}

/// The loops of a predefined datatype.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    row: &'static Basic,
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
    #[inline]
    fn of(&self, op: Op) -> Option<&'static Kernel> {
        self.loops[column(op)]
    }
}

#[inline]
const fn column(op: Op) -> usize {
    op.handle() as usize % Op::HANDLES
}

/// The loops of a datatype whose elements have no gaps, with the widest vectors of the machine.
pub(crate) fn kernels(row: &Basic) -> Option<&'static Kernels> {
    let place = basic::row(row.handle)?;
    (row.size == row.extent).then(|| &KERNELS[Vectors::best().place()][place])
}

/// The loop for an operation on a predefined datatype; `None` where it is not defined.
#[inline]
fn kernel(op: Op, row: &Basic, vectors: Vectors) -> Option<&'static Kernel> {
    KERNELS[vectors.place()][basic::row(row.handle)?].of(op)
}

const fn choose(op: Op, row: &Basic, vectors: Vectors) -> Option<&'static Kernel> {
    use fold::{complex, integer, real};
    use pair::{pair, wide_pair};
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

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
