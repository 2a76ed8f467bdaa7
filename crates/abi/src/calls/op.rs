//! Operations for reductions (MPI 5.0, 6.9).

use std::ffi::c_void;
use std::sync::Arc;

use memory::UserBuf;
use mpi::op::Operator;

use crate::args::{self, Datatype, Op, UserFunction, UserFunctionC};
use crate::callback::OpFunction;
use crate::failure::Failure;
use crate::generated::constants::{
    MPI_ERR_ARG, MPI_ERR_BUFFER, MPI_ERR_OP, MPI_IN_PLACE, MPI_OP_NULL,
};
use crate::{runtime, tables};

use super::buffers::buffer;

/// `MPI_Op_create`.
pub unsafe fn op_create(user_fn: UserFunction, commute: i32, op: *mut Op) -> Result<(), Failure> {
    let function = user_fn.ok_or_else(no_function)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(OpFunction::small(function, commute != 0), op) }
}

/// `MPI_Op_create_c`.
pub unsafe fn op_create_c(
    user_fn: UserFunctionC,
    commute: i32,
    op: *mut Op,
) -> Result<(), Failure> {
    let function = user_fn.ok_or_else(no_function)?;
    // SAFETY: MPI's caller gives a place for a handle.
    unsafe { give(OpFunction::large(function, commute != 0), op) }
}

/// `MPI_Op_free`. Reductions under way keep the function.
pub unsafe fn op_free(op: *mut Op) -> Result<(), Failure> {
    // SAFETY: MPI's caller gives the place of a handle.
    let handle = unsafe { args::read(op, "op") }?;
    if let Some(predefined) = runtime::predefined_op(handle) {
        let text = format!("{} is predefined and cannot be freed", predefined.name());
        return Err(Failure::new(MPI_ERR_OP, text));
    }
    runtime::get().tables.enter().ops.remove(handle)?;
    // SAFETY: as above.
    unsafe { args::write(op, MPI_OP_NULL, "op") }
}

/// `MPI_Op_commutative`.
pub unsafe fn op_commutative(op: Op, commute: *mut i32) -> Result<(), Failure> {
    let commutes = match runtime::predefined_op(op) {
        Some(predefined) => predefined.commutative(),
        None => runtime::get().tables.enter().ops.get(op)?.commutes(),
    };
    // SAFETY: MPI's caller gives a place for an integer.
    unsafe { args::write(commute, i32::from(commutes), "commute") }
}

/// `MPI_Reduce_local`: `inoutbuf[i] = inbuf[i] op inoutbuf[i]`.
pub unsafe fn reduce_local(
    inbuf: *const c_void,
    inoutbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Result<(), Failure> {
    let [from, to] = [inbuf as usize, inoutbuf as usize];
    if from != to && from.min(to) > MPI_IN_PLACE {
        let known = (tables::predefined(datatype), runtime::predefined_op(op));
        if let (Some(datatype), Some(op)) = known {
            if count > 0 && !op.one_sided_only() {
                // SAFETY: MPI's caller gives `count` elements of the datatype at both addresses.
                let done = unsafe { reduce_predefined(inbuf, inoutbuf, count, datatype, op) };
                if done.is_ok() {
                    return Ok(());
                }
                // Nothing was touched, and what is wrong is said below.
            }
        }
    }
    // SAFETY: as above.
    unsafe { reduce_other(inbuf, inoutbuf, count, datatype, op) }
}

/// What both are MPI's own, and nothing is wrong with: the elements begin where the buffers do.
///
/// # Safety
/// As for `reduce_local`.
#[inline(always)]
unsafe fn reduce_predefined(
    inbuf: *const c_void,
    inoutbuf: *mut c_void,
    count: i64,
    datatype: &datatype::Datatype,
    op: datatype::Op,
) -> Result<(), datatype::Error> {
    let bytes = datatype.extent().saturating_mul(count) as usize;
    // SAFETY: promised by the caller. The padding of the last element is not used, and a length
    // that memory cannot have is refused.
    let (source, inout) = unsafe {
        let source = UserBuf::new(inbuf.cast_mut().cast(), bytes);
        (source, UserBuf::new(inoutbuf.cast(), bytes))
    };
    let (vectors, operands) = (runtime::get().vectors(), [source, inout]);
    datatype::reduce_with(vectors, op, datatype, operands, inout, count as usize)
}

/// The same for derived datatypes, operations of the user and wrong arguments.
///
/// # Safety
/// As for `reduce_local`.
#[inline(never)]
unsafe fn reduce_other(
    inbuf: *const c_void,
    inoutbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Result<(), Failure> {
    let runtime = runtime::get();
    // SAFETY: MPI's caller gives `count` elements of the datatype at both addresses.
    let (source, inout) = unsafe {
        let source = buffer(runtime, inbuf, count, datatype)?;
        (source, buffer(runtime, inoutbuf, count, datatype)?)
    };
    let (source, inout): (UserBuf, UserBuf) = (source.span(), inout.span());
    let known = runtime.committed(datatype)?;
    let operator = runtime.operator(op, &known, datatype)?;
    let datatype = known;
    if count == 0 {
        return Ok(());
    }
    if source.address() == inout.address() && !source.is_empty() {
        return Err(Failure::new(
            MPI_ERR_BUFFER,
            "inbuf and inoutbuf are the same",
        ));
    }
    match operator {
        Operator::Predefined(op) => {
            datatype::reduce(op, &datatype, source, inout, count as usize)?;
        }
        Operator::User(function) => {
            let run = function.combine(&datatype, source, inout, count as usize);
            run.map_err(|error| Failure::new(MPI_ERR_OP, error.to_string()))?;
        }
    }
    Ok(())
}

/// # Safety
/// The place may be written where it is not null.
unsafe fn give(function: OpFunction, place: *mut Op) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::new(MPI_ERR_ARG, "op is a null pointer"));
    }
    let handle = runtime::get()
        .tables
        .enter()
        .ops
        .insert(Arc::new(function))?;
    // SAFETY: the caller promises it.
    unsafe { args::write(place, handle, "op") }
}

#[cold]
fn no_function() -> Failure {
    Failure::new(MPI_ERR_ARG, "user_fn is a null pointer")
}
