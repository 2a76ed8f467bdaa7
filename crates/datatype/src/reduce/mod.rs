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
pub(crate) mod kernels;
mod long_double;
mod pair;
mod quad;
mod vectors;

pub use vectors::Vectors;

use memory::UserBuf;

use crate::basic::{Basic, Class};
use crate::datatype::Datatype;
use crate::error::Error;
use crate::op::Op;
use kernels::{kernel, Kernels};

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

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
