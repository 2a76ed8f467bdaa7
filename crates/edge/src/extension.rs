//! The extensions of the standard library that conversions need, and those that interfaces have
//! too: what has no state in the standard, attributes of Fortran, and going on after failures.
//! Their addresses follow those of the functions of the standard.

use std::ffi::{c_char, c_void};

use crate::callback::{Destructor, OnError, Reduction};
use crate::fortran::attribute::{Copy, Delete};
use crate::generated::types::{Comm, Datatype, Errhandler, File, Group, Op, Request, Session, Win};
use crate::table::functions;

type P = *mut c_void;
type Step = unsafe extern "C" fn(P);

functions! {
    1024 "PMPIX_Op_create_x" op_create_x(
        function: Reduction, end: Option<Destructor>, commute: i32, state: P, op: *mut Op
    ) -> i32;
    1025 "PMPIX_Comm_create_errhandler_x" comm_create_errhandler_x(
        function: OnError<Comm>, end: Option<Destructor>, state: P, made: *mut Errhandler
    ) -> i32;
    1026 "PMPIX_Win_create_errhandler_x" win_create_errhandler_x(
        function: OnError<Win>, end: Option<Destructor>, state: P, made: *mut Errhandler
    ) -> i32;
    1027 "PMPIX_File_create_errhandler_x" file_create_errhandler_x(
        function: OnError<File>, end: Option<Destructor>, state: P, made: *mut Errhandler
    ) -> i32;
    1028 "PMPIX_Session_create_errhandler_x" session_create_errhandler_x(
        function: OnError<Session>, end: Option<Destructor>, state: P, made: *mut Errhandler
    ) -> i32;
    1029 "PMPIX_Comm_create_keyval_x" comm_create_keyval_x(
        copy: Copy<Comm>, delete: Delete<Comm>, end: Destructor, key: *mut i32, state: P
    ) -> i32;
    1030 "PMPIX_Comm_get_attr_as_fortran" comm_get_attr_as_fortran(
        of: Comm, key: i32, value: P, flag: *mut i32
    ) -> i32;
    1031 "PMPIX_Comm_set_attr_as_fortran" comm_set_attr_as_fortran(
        of: Comm, key: i32, value: P
    ) -> i32;
    1032 "PMPIX_Type_create_keyval_x" type_create_keyval_x(
        copy: Copy<Datatype>, delete: Delete<Datatype>, end: Destructor, key: *mut i32, state: P
    ) -> i32;
    1033 "PMPIX_Type_get_attr_as_fortran" type_get_attr_as_fortran(
        of: Datatype, key: i32, value: P, flag: *mut i32
    ) -> i32;
    1034 "PMPIX_Type_set_attr_as_fortran" type_set_attr_as_fortran(
        of: Datatype, key: i32, value: P
    ) -> i32;
    1035 "PMPIX_Win_create_keyval_x" win_create_keyval_x(
        copy: Copy<Win>, delete: Delete<Win>, end: Destructor, key: *mut i32, state: P
    ) -> i32;
    1036 "PMPIX_Win_get_attr_as_fortran" win_get_attr_as_fortran(
        of: Win, key: i32, value: P, flag: *mut i32
    ) -> i32;
    1037 "PMPIX_Win_set_attr_as_fortran" win_set_attr_as_fortran(
        of: Win, key: i32, value: P
    ) -> i32;
    1038 "PMPIX_Comm_revoke" comm_revoke(comm: Comm) -> i32;
    1039 "PMPIX_Comm_failure_ack" comm_failure_ack(comm: Comm) -> i32;
    1040 "PMPIX_Comm_failure_get_acked" comm_failure_get_acked(
        comm: Comm, group: *mut Group
    ) -> i32;
    1041 "PMPIX_Comm_agree" comm_agree(comm: Comm, flag: *mut i32) -> i32;
    1042 "PMPIX_Comm_shrink" comm_shrink(comm: Comm, made: *mut Comm) -> i32;
    1043 "POXMPI_Refuse_buffer" refuse_buffer(
        call: *const c_char, kind: i32, object: usize, why: *const c_char
    ) -> i32;
    1044 "POXMPI_Request_stage" request_stage(
        copy_in: Step, copy_out: Step, end: Option<Step>, state: P, request: *mut Request
    ) -> i32;
}
