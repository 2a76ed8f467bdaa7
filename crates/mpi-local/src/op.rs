//! Reduction operations: predefined and user-defined.

use datatype::Datatype;

use crate::{Class, Error};

pub use coll::{Combine, Failure as CombineFailure, Operator};

/// Checks that an operation may be used in a reduction of a datatype (MPI 5.0, 6.9.2). Those that
/// the program made take every datatype.
///
/// # Errors
/// `Op` when the operation is for one-sided communication only, or not defined for the type.
pub fn check(operator: &Operator, datatype: &Datatype) -> Result<(), Error> {
    let Operator::Predefined(op) = operator else {
        return Ok(());
    };
    if op.one_sided_only() {
        let text = format!(
            "{} is valid only in MPI_Accumulate and the other accumulates",
            op.name()
        );
        return Err(Error::new(Class::Op, text));
    }
    if !datatype::allowed(*op, datatype) {
        let name = datatype.name();
        let name = if name.is_empty() {
            "a derived datatype"
        } else {
            &name
        };
        let text = format!("{} is not defined for {name}", op.name());
        return Err(Error::new(Class::Op, text));
    }
    Ok(())
}
