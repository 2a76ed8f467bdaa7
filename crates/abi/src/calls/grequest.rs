//! Generalized requests (MPI 5.0, 13.2).

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use abi_state::args::{Out, Request, Status};
use abi_state::failure::Failure;
use abi_state::generated::constants::*;
use abi_state::generated::types::{
    GrequestCancelFunction, GrequestFreeFunction, GrequestQueryFunction,
};
use abi_state::runtime;
use mpi::{Generalized, Outcome, Request as Held};

/// An operation of the application: three functions and what they are called with.
struct Operation {
    query: GrequestQueryFunction,
    free: GrequestFreeFunction,
    cancel: GrequestCancelFunction,
    state: *mut c_void,
    complete: AtomicBool,
}

// SAFETY: the functions and their state are the application's, which promises that they may be
// called by whatever thread completes the request (MPI 5.0, 13.2).
unsafe impl Send for Operation {}
// SAFETY: as for `Send`.
unsafe impl Sync for Operation {}

/// Converts the code that a function of the application returned.
fn result_of(code: i32) -> Result<(), mpi::Error> {
    match code {
        MPI_SUCCESS => Ok(()),
        code => Err(mpi::Error::user(
            code,
            "a function of a generalized request failed",
        )),
    }
}

impl Generalized for Operation {
    fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    fn query(&self) -> Outcome {
        let mut status = Status::EMPTY;
        let code = match self.query {
            // SAFETY: the application gave the function and its state.
            Some(query) => unsafe { query(self.state, &mut status) },
            None => MPI_SUCCESS,
        };
        Outcome {
            status: status.known(),
            result: result_of(code),
        }
    }

    fn free(&self) -> Result<(), mpi::Error> {
        match self.free {
            // SAFETY: as above; called once, when the request ends.
            Some(free) => result_of(unsafe { free(self.state) }),
            None => Ok(()),
        }
    }

    fn cancel(&self) -> Result<(), mpi::Error> {
        let Some(cancel) = self.cancel else {
            return Ok(());
        };
        // SAFETY: the application gave the function and its state.
        result_of(unsafe { cancel(self.state, i32::from(self.is_complete())) })
    }

    fn complete(&self) {
        self.complete.store(true, Ordering::Release);
    }
}

/// `MPI_Grequest_start` (MPI 5.0, 13.2).
pub fn grequest_start(
    query_fn: GrequestQueryFunction,
    free_fn: GrequestFreeFunction,
    cancel_fn: GrequestCancelFunction,
    extra_state: *mut c_void,
    request: Out<Request>,
) -> Result<(), Failure> {
    let operation = Operation {
        query: query_fn,
        free: free_fn,
        cancel: cancel_fn,
        state: extra_state,
        complete: AtomicBool::new(false),
    };
    let held = Held::Generalized(Arc::new(operation));
    let handle = runtime::get()
        .tables
        .enter()
        .request_handle(held, MPI_COMM_SELF)?;
    request.set(handle)
}

/// `MPI_Grequest_complete` (MPI 5.0, 13.2). One that was freed before ends here.
pub fn grequest_complete(request: Request) -> Result<(), Failure> {
    let mut tables = runtime::get().tables.enter();
    if let Some(freed) = tables.freed_operations.remove(&request.0) {
        drop(tables);
        return freed.free().map_err(Failure::from);
    }
    match &tables.requests.get(request)?.request {
        Held::Generalized(operation) => {
            operation.complete();
            Ok(())
        }
        _ => Err(Failure::new(
            MPI_ERR_REQUEST,
            "the request is not a generalized one",
        )),
    }
}

/// Frees a generalized request: at once where it is complete, otherwise when it will be.
pub(super) fn free(operation: Arc<dyn Generalized>, handle: Request) -> Result<(), Failure> {
    let mut tables = runtime::get().tables.enter();
    let complete = operation.is_complete();
    tables.requests.remove(handle)?;
    if !complete {
        tables.freed_operations.insert(handle.0, operation);
        return Ok(());
    }
    drop(tables);
    operation.free().map_err(Failure::from)
}
