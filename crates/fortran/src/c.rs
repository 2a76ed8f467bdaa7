//! The functions of C that the routines call: those of the standard, and extensions for what has
//! no state there.

use std::ffi::{c_char, c_void};

use edge::callback::{CreateHandler, Destructor, Reduction};
use edge::fortran::attribute::Extensions;
use edge::types::{Comm, Datatype, Errhandler, File, Op, Request, Session, Win};

pub use crate::generated::c::*;

/// Declares the extensions that make error handlers, and says which kind of object has each.
macro_rules! errhandlers {
    ($($kind:ident $create:ident;)+) => {
        extern "C" {
            $(pub fn $create(
                function: unsafe extern "C" fn($kind, i32, *mut c_void),
                destructor: Option<Destructor>,
                state: *mut c_void,
                errhandler: *mut Errhandler,
            ) -> i32;)+
        }

        $(const _: CreateHandler<$kind> = $create;)+
    };
}

errhandlers! {
    Comm MPIX_Comm_create_errhandler_x;
    Comm PMPIX_Comm_create_errhandler_x;
    Win MPIX_Win_create_errhandler_x;
    Win PMPIX_Win_create_errhandler_x;
    File MPIX_File_create_errhandler_x;
    File PMPIX_File_create_errhandler_x;
    Session MPIX_Session_create_errhandler_x;
    Session PMPIX_Session_create_errhandler_x;
}

/// Declares the extensions for attributes of a kind of object, and a constant that has them.
macro_rules! attributes {
    ($($constant:ident $kind:ident $create:ident $get:ident $set:ident;)+) => {
        extern "C" {
            $(fn $create(
                copy: unsafe extern "C" fn(
                    $kind, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32
                ) -> i32,
                delete: unsafe extern "C" fn($kind, i32, *mut c_void, *mut c_void) -> i32,
                destructor: Destructor,
                keyval: *mut i32,
                state: *mut c_void,
            ) -> i32;
            fn $get(object: $kind, keyval: i32, value: *mut c_void, flag: *mut i32) -> i32;
            fn $set(object: $kind, keyval: i32, value: *mut c_void) -> i32;)+
        }

        $(/// The extensions for attributes.
        pub const $constant: Extensions<$kind> =
            Extensions { create: $create, get: $get, set: $set };)+
    };
}

attributes! {
    COMM Comm MPIX_Comm_create_keyval_x MPIX_Comm_get_attr_as_fortran
        MPIX_Comm_set_attr_as_fortran;
    PCOMM Comm PMPIX_Comm_create_keyval_x PMPIX_Comm_get_attr_as_fortran
        PMPIX_Comm_set_attr_as_fortran;
    TYPE Datatype MPIX_Type_create_keyval_x MPIX_Type_get_attr_as_fortran
        MPIX_Type_set_attr_as_fortran;
    PTYPE Datatype PMPIX_Type_create_keyval_x PMPIX_Type_get_attr_as_fortran
        PMPIX_Type_set_attr_as_fortran;
    WIN Win MPIX_Win_create_keyval_x MPIX_Win_get_attr_as_fortran MPIX_Win_set_attr_as_fortran;
    PWIN Win PMPIX_Win_create_keyval_x PMPIX_Win_get_attr_as_fortran
        PMPIX_Win_set_attr_as_fortran;
}

type Step = unsafe extern "C" fn(*mut c_void);

extern "C" {
    pub fn MPIX_Op_create_x(
        function: Reduction,
        destructor: Option<Destructor>,
        commute: i32,
        state: *mut c_void,
        op: *mut Op,
    ) -> i32;
    pub fn PMPIX_Op_create_x(
        function: Reduction,
        destructor: Option<Destructor>,
        commute: i32,
        state: *mut c_void,
        op: *mut Op,
    ) -> i32;
    fn POXMPI_Refuse_buffer(
        call: *const c_char,
        kind: i32,
        object: usize,
        text: *const c_char,
    ) -> i32;
    fn POXMPI_Request_stage(
        copy_in: Step,
        copy_out: Step,
        destructor: Option<Step>,
        state: *mut c_void,
        request: *mut Request,
    ) -> i32;
}

/// Returns the address of an extension that the conversions of buffers call by its name; 0 for one
/// that a routine calls itself.
pub fn extension(name: &str) -> usize {
    match name {
        "POXMPI_Refuse_buffer" => POXMPI_Refuse_buffer as *const () as usize,
        "POXMPI_Request_stage" => POXMPI_Request_stage as *const () as usize,
        _ => 0,
    }
}
