//! Reductions: `inout[i] = source[i] op inout[i]`.
//!
//! The operation and the representation select one loop, made from a generic one. The loops
//! read and write single fields without asking for alignment, so any address will do and the
//! padding of pair types is left alone; simple ones are vectorised by the compiler, twice: for
//! every x86-64, and for those with AVX2.

mod fold;
mod long_double;
mod soft;

use memory::UserBuf;

use crate::basic::Repr;
use crate::error::Error;
use crate::op::Op;
use crate::Datatype;
use fold::{Complex, Kernel, Pair};
use long_double::LongDouble;
use soft::{F128, F16};

/// Combines `count` elements: `inout[i] = source[i] op inout[i]`, the source being the operand
/// of the lower rank (MPI 5.0, 6.9.1).
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
    let Some(row) = datatype.predefined() else {
        return Err(Error::NotPredefined {
            datatype: datatype.name(),
        });
    };
    if op == Op::NoOp || count == 0 {
        return Ok(());
    }
    let refused = Error::NotAllowed {
        op: op.name(),
        datatype: row.name,
    };
    if !op.takes(row) {
        return Err(refused);
    }
    let span = i64::try_from(count)
        .ok()
        .and_then(|count| datatype.span(count));
    let needed = span
        .ok_or(Error::Overflow {
            what: "the memory of the elements",
        })?
        .1 as usize;
    let room = source.len().min(inout.len());
    if needed > room {
        return Err(Error::Room { needed, room });
    }
    if op == Op::Replace {
        inout.part(0, needed).copy_from(&source);
        return Ok(());
    }
    let kernel = kernel(op, row.repr).ok_or(refused)?;
    // SAFETY: both buffers have the bytes of `count` elements, as just checked, and whoever made
    // them promised that those are readable and writable.
    unsafe { kernel(source.address(), inout.address(), count) };
    Ok(())
}

/// The loop for an operation on a representation; `None` where there is no such operation.
fn kernel(op: Op, repr: Repr) -> Option<Kernel> {
    match repr {
        Repr::I8 => fold::integer::<i8>(op),
        Repr::U8 => fold::integer::<u8>(op),
        Repr::I16 => fold::integer::<i16>(op),
        Repr::U16 => fold::integer::<u16>(op),
        Repr::I32 => fold::integer::<i32>(op),
        Repr::U32 => fold::integer::<u32>(op),
        Repr::I64 => fold::integer::<i64>(op),
        Repr::U64 => fold::integer::<u64>(op),
        Repr::I128 => fold::integer::<i128>(op),
        Repr::U128 => fold::integer::<u128>(op),
        Repr::F16 => fold::real::<F16>(op),
        Repr::F32 => fold::real::<f32>(op),
        Repr::F64 => fold::real::<f64>(op),
        Repr::LongDouble => fold::real::<LongDouble>(op),
        Repr::F128 => fold::real::<F128>(op),
        Repr::ComplexF16 => fold::complex::<F16>(op),
        Repr::ComplexF32 => fold::complex::<f32>(op),
        Repr::ComplexF64 => fold::complex::<f64>(op),
        Repr::ComplexLongDouble => fold::complex::<LongDouble>(op),
        Repr::ComplexF128 => fold::complex::<F128>(op),
        Repr::F32I32 => fold::pair::<f32, i32>(op),
        Repr::F64I32 => fold::pair::<f64, i32>(op),
        Repr::I64I32 => fold::pair::<i64, i32>(op),
        Repr::I32I32 => fold::pair::<i32, i32>(op),
        Repr::I16I32 => fold::pair::<i16, i32>(op),
        Repr::LongDoubleI32 => fold::pair::<LongDouble, i32>(op),
        Repr::F32F32 => fold::pair::<f32, f32>(op),
        Repr::F64F64 => fold::pair::<f64, f64>(op),
    }
}

const _: () = assert!(size_of::<Complex<LongDouble>>() == 32);
const _: () = assert!(size_of::<Pair<LongDouble, i32>>() == 32);
const _: () = assert!(size_of::<Pair<f64, i32>>() == 16);
const _: () = assert!(size_of::<Pair<i16, i32>>() == 8);

#[cfg(test)]
mod tests;
