//! Extensions under the names that MPICH has for them: progress while the program computes, and
//! what layers of other languages need.
//!
//! A layer such as Fortran's has functions of its user to call with arguments that it must convert
//! first. Operations and error handlers of the standard pass no state by which a function could
//! find the user's; these do. A destructor ends the state when nothing will use it; it calls
//! nothing of MPI. Attributes are read and stored as Fortran has them: a number, where C has an
//! address.

use std::ffi::{c_char, c_void, CStr};
use std::sync::Arc;

use abi_state::args::{Comm, Datatype, Errhandler, File, InOut, Op, Out, Request, Win};
use abi_state::callback::{
    AttributeFunctions, CopyFunction, DeleteFunction, Destructor, ErrorFunctionWithState,
    LargeWithState, OnError, OpFunction, State,
};
use abi_state::failure::{Failure, On};
use abi_state::generated::constants::{MPI_ERR_BUFFER, MPI_ERR_REQUEST};
use abi_state::language::Language;
use abi_state::request_handle::{message_of, COMPLETE};
use abi_state::runtime;
use abi_state::stage::{Stage, Step};
use mpi_local::errhandler::Kind;

use crate::calls::attr::{create, get_in, set_in, Object, ObjectKind};
use crate::calls::{errhandler, op};
use crate::entry::entry;
use crate::wall;

/// Checks a stream, of which there is one.
fn check_stream(stream: *mut c_void) -> Result<(), Failure> {
    match stream.is_null() {
        true => Ok(()),
        false => {
            let text = format!("stream is {stream:p}: the only one is MPIX_STREAM_NULL");
            Err(mpi::Error::new(mpi::Class::Arg, text).into())
        }
    }
}

// As MPICH has it: pending operations move on while the program computes, whatever the parameter
// `mpi_standby_thread` says.
entry!(MPIX_Start_progress_thread PMPIX_Start_progress_thread(stream: *mut c_void) -> i32 {
    wall::call(&"MPIX_Start_progress_thread", On::Nothing, || {
        check_stream(stream)?;
        runtime::get().process()?.start_progress()?;
        Ok(())
    })
});

entry!(MPIX_Stop_progress_thread PMPIX_Stop_progress_thread(stream: *mut c_void) -> i32 {
    wall::call(&"MPIX_Stop_progress_thread", On::Nothing, || {
        check_stream(stream)?;
        runtime::get().process()?.stop_progress();
        Ok(())
    })
});

entry!(MPIX_Op_create_x PMPIX_Op_create_x(
    user_fn_x: Option<LargeWithState>, destructor_fn: Option<Destructor>, commute: i32,
    extra_state: *mut c_void, op: *mut Op
) -> i32 {
    wall::call(&"MPIX_Op_create_x", On::Nothing, || {
        let function = user_fn_x.ok_or_else(op::no_function)?;
        let place = Out::new(op, "op");
        place.check()?;
        let state = State::new(extra_state, destructor_fn);
        op::give(OpFunction::with_state(function, state, commute != 0), place)
    })
});

/// Defines the function that makes error handlers of one kind of objects.
macro_rules! errhandlers {
    ($($name:ident $profiled:ident $kind:expr;)*) => {
        $(entry!($name $profiled(
            errhandler_fn_x: Option<ErrorFunctionWithState>, destructor_fn: Option<Destructor>,
            extra_state: *mut c_void, errhandler: *mut Errhandler
        ) -> i32 {
            wall::call(&stringify!($name), On::Nothing, || {
                let place = Out::new(errhandler, "errhandler");
                place.check()?;
                let state = State::new(extra_state, destructor_fn);
                let function = errhandler_fn_x;
                let made = function.map(|function| OnError::WithState($kind, function, state));
                errhandler::create(made, place)
            })
        });)*
    };
}

errhandlers! {
    MPIX_Comm_create_errhandler_x PMPIX_Comm_create_errhandler_x Kind::Comm;
    MPIX_Win_create_errhandler_x PMPIX_Win_create_errhandler_x Kind::Win;
    MPIX_File_create_errhandler_x PMPIX_File_create_errhandler_x Kind::File;
    MPIX_Session_create_errhandler_x PMPIX_Session_create_errhandler_x Kind::Session;
}

/// Defines the function that makes attribute keys of one kind of objects.
macro_rules! keyvals {
    ($($name:ident $profiled:ident $kind:expr;)*) => {
        $(entry!($name $profiled(
            copy_fn: Option<CopyFunction>, delete_fn: Option<DeleteFunction>,
            destructor_fn: Option<Destructor>, keyval: *mut i32, extra_state: *mut c_void
        ) -> i32 {
            wall::call(&stringify!($name), On::Nothing, || {
                let state = State::new(extra_state, destructor_fn);
                let language = Language::Fortran;
                let functions = AttributeFunctions::new(copy_fn, delete_fn, language, state);
                create($kind, functions, Out::new(keyval, "keyval"))
            })
        });)*
    };
}

keyvals! {
    MPIX_Comm_create_keyval_x PMPIX_Comm_create_keyval_x ObjectKind::Comm;
    MPIX_Type_create_keyval_x PMPIX_Type_create_keyval_x ObjectKind::Type;
    MPIX_Win_create_keyval_x PMPIX_Win_create_keyval_x ObjectKind::Win;
}

/// Defines the functions that get and set attributes of one kind of objects.
macro_rules! attributes {
    ($($get:ident $get_profiled:ident $set:ident $set_profiled:ident $kind:ident $on:expr;)*) => {
        $(entry!($get $get_profiled(
            object: $kind, keyval: i32, attribute_val: *mut c_void, flag: *mut i32
        ) -> i32 {
            wall::call(&stringify!($get), $on(object), || {
                let value = Out::new(attribute_val.cast::<usize>(), "attribute_val");
                let flag = Out::new(flag, "flag");
                get_in(Language::Fortran, Object::from(object), keyval, value, flag)
            })
        });

        entry!($set $set_profiled(
            object: $kind, keyval: i32, attribute_val: *mut c_void
        ) -> i32 {
            wall::call(&stringify!($set), $on(object), || {
                let value = attribute_val as usize;
                set_in(Language::Fortran, Object::from(object), keyval, value)
            })
        });)*
    };
}

attributes! {
    MPIX_Comm_get_attr_as_fortran PMPIX_Comm_get_attr_as_fortran
        MPIX_Comm_set_attr_as_fortran PMPIX_Comm_set_attr_as_fortran Comm On::Comm;
    MPIX_Type_get_attr_as_fortran PMPIX_Type_get_attr_as_fortran
        MPIX_Type_set_attr_as_fortran PMPIX_Type_set_attr_as_fortran Datatype nobody;
    MPIX_Win_get_attr_as_fortran PMPIX_Win_get_attr_as_fortran
        MPIX_Win_set_attr_as_fortran PMPIX_Win_set_attr_as_fortran Win On::Win;
}

/// Datatypes have no error handler.
fn nobody(_: Datatype) -> On {
    On::Nothing
}

// Has functions of a layer copy the buffers of a request that it has just made, and started unless
// it is persistent: `copy_in` before each later start, `copy_out` at each completion.
// `destructor_fn` ends the state. A request that is a plain message has no such buffers.
entry!(OXMPI_Request_stage POXMPI_Request_stage(
    copy_in: Step, copy_out: Step, destructor_fn: Option<Step>,
    extra_state: *mut c_void, request: *mut Request
) -> i32 {
    wall::call(&"OXMPI_Request_stage", On::Nothing, || {
        let stage = Stage::new(copy_in, copy_out, destructor_fn, extra_state);
        attach(stage, InOut::new(request, "request").get()?)
    })
});

fn attach(stage: Stage, handle: Request) -> Result<(), Failure> {
    let stage = Arc::new(stage);
    if handle == COMPLETE {
        stage.complete();
        return Ok(());
    }
    let mut tables = runtime::get().tables.enter();
    match tables.requests.get_mut(handle) {
        Ok(entry) if message_of(handle).is_none() => {
            stage.set_active(!entry.request.is_inactive());
            entry.stage = Some(stage);
            Ok(())
        }
        _ => {
            // The operation may be under way.
            Stage::release(Some(stage));
            let text = "the request is not one whose buffers can be copies";
            Err(Failure::new(MPI_ERR_REQUEST, text))
        }
    }
}

// Reports that a call cannot be made with one of its buffers, by the error handler of an object: a
// communicator (`kind` 1), a window (2), a file (3) or none (0). Returns the error code.
entry!(OXMPI_Refuse_buffer POXMPI_Refuse_buffer(
    call: *const c_char, kind: i32, object: usize, text: *const c_char
) -> i32 {
    let on = match kind {
        1 => On::Comm(Comm(object)),
        2 => On::Win(Win(object)),
        3 => On::File(File(object)),
        _ => On::Nothing,
    };
    let read = |text: *const c_char| CStr::from_ptr(text).to_string_lossy().into_owned();
    wall::refuse(&read(call), on, Failure::new(MPI_ERR_BUFFER, read(text)))
});
