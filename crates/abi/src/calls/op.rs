//! Operations for reductions (MPI 5.0, 6.9).

use std::sync::Arc;

use abi_state::args::{Elements, InOut, Op, Out, UserFunction, UserFunctionC};
use abi_state::callback::OpFunction;
use abi_state::failure::Failure;
use abi_state::generated::constants::{
    MPI_ERR_ARG, MPI_ERR_BUFFER, MPI_ERR_OP, MPI_IN_PLACE, MPI_OP_NULL,
};
use abi_state::runtime;
use abi_state::tables;
use memory::UserBuf;
use mpi_local::op::Operator;

/// `MPI_Op_create`.
pub fn op_create(user_fn: UserFunction, commute: i32, op: Out<Op>) -> Result<(), Failure> {
    let function = user_fn.ok_or_else(no_function)?;
    give(OpFunction::small(function, commute != 0), op)
}

/// `MPI_Op_create_c`.
pub fn op_create_c(user_fn: UserFunctionC, commute: i32, op: Out<Op>) -> Result<(), Failure> {
    let function = user_fn.ok_or_else(no_function)?;
    give(OpFunction::large(function, commute != 0), op)
}

/// `MPI_Op_free`. Pending reductions keep the function.
pub fn op_free(op: InOut<Op>) -> Result<(), Failure> {
    let handle = op.get()?;
    if let Some(predefined) = runtime::predefined_op(handle) {
        let text = format!("{} is predefined and cannot be freed", predefined.name());
        return Err(Failure::new(MPI_ERR_OP, text));
    }
    // What ends the function's state runs outside of the tables.
    let gone = runtime::get().tables.enter().ops.remove(handle)?;
    drop(gone);
    op.set(MPI_OP_NULL)
}

/// `MPI_Op_commutative`.
pub fn op_commutative(op: Op, commute: Out<i32>) -> Result<(), Failure> {
    let commutes = match runtime::predefined_op(op) {
        Some(predefined) => predefined.commutative(),
        None => runtime::get().tables.enter().ops.get(op)?.commutes(),
    };
    commute.set(i32::from(commutes))
}

/// `MPI_Reduce_local`: `inoutbuf[i] = inbuf[i] op inoutbuf[i]`.
pub fn reduce_local(source: Elements, inout: Elements, op: Op) -> Result<(), Failure> {
    let [from, to] = [source.address() as usize, inout.address() as usize];
    if from != to && from.min(to) > MPI_IN_PLACE {
        let known = (
            tables::predefined(source.datatype()),
            runtime::predefined_op(op),
        );
        if let (Some(datatype), Some(op)) = known {
            if source.count() > 0 && !op.one_sided_only() {
                let done = reduce_predefined(source, inout, datatype, op);
                if done.is_ok() {
                    return Ok(());
                }
                // Nothing was touched, and what is wrong is said below.
            }
        }
    }
    reduce_other(source, inout, op)
}

/// Reduces with a predefined datatype and operation: the elements begin where the buffers do.
#[inline(always)]
fn reduce_predefined(
    source: Elements,
    inout: Elements,
    datatype: &datatype::Datatype,
    op: datatype::Op,
) -> Result<(), datatype::Error> {
    let count = source.count();
    let bytes = datatype.extent().saturating_mul(count) as usize;
    // SAFETY: MPI's caller gives these elements (`Elements::new`). The padding of the last one is
    // not used, and a length that memory cannot have is refused.
    let [source, inout] =
        [source, inout].map(|from| unsafe { UserBuf::new(from.address().cast(), bytes) });
    let (vectors, operands) = (runtime::get().vectors(), [source, inout]);
    datatype::reduce_with(vectors, op, datatype, operands, inout, count as usize)
}

/// Reduces with derived datatypes and operations of the user, or returns what is wrong.
#[inline(never)]
fn reduce_other(source: Elements, inout: Elements, op: Op) -> Result<(), Failure> {
    let runtime = runtime::get();
    let (count, handle) = (source.count(), source.datatype());
    let (source, inout) = (source.send_buffer(runtime)?, inout.send_buffer(runtime)?);
    let (source, inout): (UserBuf, UserBuf) = (source.span(), inout.span());
    let datatype = runtime.committed(handle)?;
    let operator = runtime.operator(op, &datatype, handle)?;
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

pub(crate) fn give(function: OpFunction, place: Out<Op>) -> Result<(), Failure> {
    let handle = runtime::get()
        .tables
        .enter()
        .ops
        .insert(Arc::new(function))?;
    place.set(handle)
}

#[cold]
pub(crate) fn no_function() -> Failure {
    Failure::new(MPI_ERR_ARG, "user_fn is a null pointer")
}
