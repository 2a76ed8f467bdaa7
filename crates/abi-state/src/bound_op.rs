//! An operation of the user, bound to the datatype of one reduction.

use std::sync::Arc;

use datatype::Datatype;
use memory::UserBuf;
use mpi_local::op::{Combine, CombineFailure, Operator};
use sync::Gate;

use crate::args;
use crate::callback::OpFunction;
use crate::failure::Failure;
use crate::tables::{self, Tables};

/// A user-defined operation for reductions of one datatype. The function gets the handle that the
/// reduction was called with (MPI 5.0, 6.9.5), unless the user has freed it since.
struct BoundOp {
    /// Where the function's handle of a derived datatype is.
    tables: &'static Gate<Tables>,
    function: Arc<OpFunction>,
    datatype: Arc<Datatype>,
    handle: args::Datatype,
}

/// Returns the operator for a reduction of a datatype, which the user calls `handle`.
pub(crate) fn bind(
    tables: &'static Gate<Tables>,
    function: Arc<OpFunction>,
    datatype: &Arc<Datatype>,
    handle: args::Datatype,
) -> Operator {
    Operator::User(Arc::new(BoundOp {
        tables,
        function,
        datatype: datatype.clone(),
        handle,
    }))
}

impl Combine for BoundOp {
    fn commutative(&self) -> bool {
        self.function.commutes()
    }

    fn combine(
        &self,
        datatype: &Datatype,
        source: UserBuf,
        inout: UserBuf,
        count: usize,
    ) -> Result<(), CombineFailure> {
        // Both begin at the first byte of data; the function wants the buffers' addresses.
        let lead = datatype.true_lb() as isize;
        let address = |buffer: UserBuf| buffer.address().wrapping_offset(lead.wrapping_neg());
        let derived = tables::predefined(self.handle).is_none();
        let handle = match derived {
            true => self
                .tables
                .enter()
                .lend_datatype(self.handle, &self.datatype),
            false => Ok(self.handle),
        };
        let handle = handle.map_err(refused)?;
        // SAFETY: whoever made the buffers vouched for `count` elements of the datatype, which
        // the handle names.
        unsafe {
            let (source, inout) = (address(source), address(inout));
            self.function
                .run(source, inout, count, datatype.extent(), handle);
        }
        if derived {
            let gone = self.tables.enter().return_datatype(handle);
            drop(gone);
        }
        Ok(())
    }
}

fn refused(failure: Failure) -> CombineFailure {
    let class = mpi::Class::from_code(failure.code).unwrap_or(mpi::Class::Other);
    Box::new(mpi::Error::new(class, failure.text.clone()))
}
