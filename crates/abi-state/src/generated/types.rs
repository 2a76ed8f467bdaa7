//! The types of the standard ABI (MPI 5.0, 20.3).
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

use std::ffi::c_void;

/// `MPI_Comm`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Comm(pub usize);

/// `MPI_Group`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Group(pub usize);

/// `MPI_Datatype`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Datatype(pub usize);

/// `MPI_Op`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Op(pub usize);

/// `MPI_Request`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Request(pub usize);

/// `MPI_Message`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Message(pub usize);

/// `MPI_Errhandler`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Errhandler(pub usize);

/// `MPI_Info`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Info(pub usize);

/// `MPI_Win`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Win(pub usize);

/// `MPI_File`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct File(pub usize);

/// `MPI_Session`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Session(pub usize);

/// `MPI_T_enum`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TEnum(pub usize);

/// `MPI_T_cvar_handle`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TCvarHandle(pub usize);

/// `MPI_T_pvar_handle`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TPvarHandle(pub usize);

/// `MPI_T_pvar_session`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TPvarSession(pub usize);

/// `MPI_T_event_registration`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TEventRegistration(pub usize);

/// `MPI_T_event_instance`: a value that the user holds, not known to name anything.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TEventInstance(pub usize);

/// `MPI_T_cb_safety`.
pub type TCbSafety = i32;

/// `MPI_T_source_order`.
pub type TSourceOrder = i32;

/// `MPI_Status`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// `MPI_SOURCE`.
    pub source: i32,
    /// `MPI_TAG`.
    pub tag: i32,
    /// `MPI_ERROR`.
    pub error: i32,
    /// `MPI_internal`.
    pub internal: [i32; 5],
}

/// `MPI_User_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type UserFunction =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut Datatype)>;

/// `MPI_User_function_c*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type UserFunctionC =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut Datatype)>;

/// `MPI_Grequest_query_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type GrequestQueryFunction =
    Option<unsafe extern "C" fn(*mut c_void, *mut Status) -> i32>;

/// `MPI_Grequest_free_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type GrequestFreeFunction =
    Option<unsafe extern "C" fn(*mut c_void) -> i32>;

/// `MPI_Grequest_cancel_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type GrequestCancelFunction =
    Option<unsafe extern "C" fn(*mut c_void, i32) -> i32>;

/// `MPI_Copy_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type CopyFunction =
    Option<unsafe extern "C" fn(Comm, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32>;

/// `MPI_Delete_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type DeleteFunction =
    Option<unsafe extern "C" fn(Comm, i32, *mut c_void, *mut c_void) -> i32>;

/// `MPI_Comm_copy_attr_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type CommCopyAttrFunction =
    Option<unsafe extern "C" fn(Comm, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32>;

/// `MPI_Comm_delete_attr_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type CommDeleteAttrFunction =
    Option<unsafe extern "C" fn(Comm, i32, *mut c_void, *mut c_void) -> i32>;

/// `MPI_Type_copy_attr_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type TypeCopyAttrFunction =
    Option<unsafe extern "C" fn(Datatype, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32>;

/// `MPI_Type_delete_attr_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type TypeDeleteAttrFunction =
    Option<unsafe extern "C" fn(Datatype, i32, *mut c_void, *mut c_void) -> i32>;

/// `MPI_Win_copy_attr_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type WinCopyAttrFunction =
    Option<unsafe extern "C" fn(Win, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32>;

/// `MPI_Win_delete_attr_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type WinDeleteAttrFunction =
    Option<unsafe extern "C" fn(Win, i32, *mut c_void, *mut c_void) -> i32>;

/// `MPI_Datarep_extent_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type DatarepExtentFunction =
    Option<unsafe extern "C" fn(Datatype, *mut i64, *mut c_void) -> i32>;

/// `MPI_Datarep_conversion_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type DatarepConversionFunction =
    Option<unsafe extern "C" fn(*mut c_void, Datatype, i32, *mut c_void, i64, *mut c_void) -> i32>;

/// `MPI_Datarep_conversion_function_c*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type DatarepConversionFunctionC =
    Option<unsafe extern "C" fn(*mut c_void, Datatype, i64, *mut c_void, i64, *mut c_void) -> i32>;

/// `MPI_Comm_errhandler_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type CommErrhandlerFunction =
    Option<unsafe extern "C" fn(*mut Comm, *mut i32, ...)>;

/// `MPI_File_errhandler_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type FileErrhandlerFunction =
    Option<unsafe extern "C" fn(*mut File, *mut i32, ...)>;

/// `MPI_Win_errhandler_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type WinErrhandlerFunction =
    Option<unsafe extern "C" fn(*mut Win, *mut i32, ...)>;

/// `MPI_Session_errhandler_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type SessionErrhandlerFunction =
    Option<unsafe extern "C" fn(*mut Session, *mut i32, ...)>;

/// `MPI_T_event_cb_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type TEventCbFunction =
    Option<unsafe extern "C" fn(TEventInstance, TEventRegistration, TCbSafety, *mut c_void)>;

/// `MPI_T_event_free_cb_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type TEventFreeCbFunction =
    Option<unsafe extern "C" fn(TEventRegistration, TCbSafety, *mut c_void)>;

/// `MPI_T_event_dropped_cb_function*`; a small integer cast to it is one of MPI's constants, not to be called.
pub type TEventDroppedCbFunction =
    Option<unsafe extern "C" fn(i64, TEventRegistration, i32, TCbSafety, *mut c_void)>;
