//! Routines that no row can say: functions, those that Fortran alone has, and those whose texts
//! have a length with C's zero byte.

use std::ffi::c_void;

use crate::convert::{elements, finish, logical, read};
use crate::entry::entry;
use crate::generated::c;
use crate::generated::constants::MPI_SUCCESS;
use crate::generated::types::{
    Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request,
};
use crate::generated::types::{Session, Status, Win};
use crate::handle::handle;
use crate::section::{Array, Descriptor};
use crate::text::{Text, TextOut};

/// Exports functions that return a number.
macro_rules! functions {
    ($($c:ident($($name:ident)+) ($($param:ident: $ty:ty),*) -> $returns:ty;)+) => {
        $(functions!(@each $c [$($name)+] ($($param: $ty),*) -> $returns);)+
    };
    (@each $c:ident [$($name:ident)+] $params:tt -> $returns:ty) => {
        $(functions!(@one $c $name $params -> $returns);)+
    };
    (@one $c:ident $name:ident ($($param:ident: $ty:ty),*) -> $returns:ty) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) -> $returns {
            // SAFETY: the caller gives the address of a number.
            unsafe { c::$c($(read($param)),*) }
        }
    };
}

functions! {
    MPI_Wtime(mpi_wtime_ mpi_wtime_f08_) () -> f64;
    PMPI_Wtime(pmpi_wtime_ pmpi_wtime_f08_) () -> f64;
    MPI_Wtick(mpi_wtick_ mpi_wtick_f08_) () -> f64;
    PMPI_Wtick(pmpi_wtick_ pmpi_wtick_f08_) () -> f64;
    MPI_Aint_add(mpi_aint_add_ mpi_aint_add_f08_) (base: *const i64, disp: *const i64) -> i64;
    PMPI_Aint_add(pmpi_aint_add_ pmpi_aint_add_f08_) (base: *const i64, disp: *const i64) -> i64;
    MPI_Aint_diff(mpi_aint_diff_ mpi_aint_diff_f08_) (one: *const i64, two: *const i64) -> i64;
    PMPI_Aint_diff(pmpi_aint_diff_ pmpi_aint_diff_f08_) (one: *const i64, two: *const i64) -> i64;
    MPI_Pcontrol(mpi_pcontrol_ mpi_pcontrol_f08_) (level: *const i32) -> i32;
    PMPI_Pcontrol(pmpi_pcontrol_ pmpi_pcontrol_f08_) (level: *const i32) -> i32;
}

/// Exports subroutines that are no function of C, under the names of both prefixes.
macro_rules! subroutines {
    ($($name:ident $twin:ident $(=> $other:ident)? ($($param:ident: $ty:ty),*) $body:block)+) => {
        $(#[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) {
            // SAFETY: the caller gives each argument as the interface declares it.
            #[allow(unused_unsafe)]
            unsafe { $body };
        }

        #[no_mangle]
        unsafe extern "C" fn $twin($($param: $ty),*) {
            // SAFETY: the arguments are passed on as they came.
            unsafe { $name($($param),*) };
        })+
    };
}

subroutines! {
    mpi_sizeof_f08ts_ pmpi_sizeof_f08ts_(x: *const Descriptor, size: *mut i32, ierror: *mut i32) {
        *size = (*x).element() as i32;
        finish(ierror, MPI_SUCCESS);
    }
    mpi_f_sync_reg_ pmpi_f_sync_reg_(_buffer: *mut c_void) {}
    mpi_f_sync_reg_f08_ pmpi_f_sync_reg_f08_(_buffer: *mut c_void) {}
    mpi_f_sync_reg_f08ts_ pmpi_f_sync_reg_f08ts_(_buffer: *const Descriptor) {}
    mpi_status_f2f08_ pmpi_status_f2f08_(from: *const Status, to: *mut Status, ierror: *mut i32) {
        *to = *from;
        finish(ierror, MPI_SUCCESS);
    }
    mpi_status_f082f_ pmpi_status_f082f_(from: *const Status, to: *mut Status, ierror: *mut i32) {
        *to = *from;
        finish(ierror, MPI_SUCCESS);
    }
    mpi_status_f2f08_f08_ pmpi_status_f2f08_f08_(
        from: *const Status, to: *mut Status, ierror: *mut i32
    ) {
        mpi_status_f2f08_(from, to, ierror);
    }
    mpi_status_f082f_f08_ pmpi_status_f082f_f08_(
        from: *const Status, to: *mut Status, ierror: *mut i32
    ) {
        mpi_status_f082f_(from, to, ierror);
    }
}

/// Exports `MPI_Sizeof` for compilers without descriptors, by the size of an element.
macro_rules! sizes {
    ($($bytes:literal $name:ident $twin:ident;)*) => {
        subroutines! {
            $($name $twin(_x: *const c_void, size: *mut i32, ierror: *mut i32) {
                *size = $bytes;
                finish(ierror, MPI_SUCCESS);
            })*
        }
    };
}

sizes! {
    1 mpi_sizeof_1_ pmpi_sizeof_1_;
    2 mpi_sizeof_2_ pmpi_sizeof_2_;
    4 mpi_sizeof_4_ pmpi_sizeof_4_;
    8 mpi_sizeof_8_ pmpi_sizeof_8_;
    16 mpi_sizeof_16_ pmpi_sizeof_16_;
}

/// Exports the comparisons of handles of `mpi_f08`.
macro_rules! comparisons {
    ($($kind:ident $eq:ident $ne:ident;)*) => {
        $(#[no_mangle]
        unsafe extern "C" fn $eq(a: *const i32, b: *const i32) -> i32 {
            // SAFETY: the caller gives two handles.
            logical(i32::from(unsafe { handle::<$kind>(a) == handle::<$kind>(b) }))
        }

        #[no_mangle]
        unsafe extern "C" fn $ne(a: *const i32, b: *const i32) -> i32 {
            // SAFETY: the caller gives two handles.
            logical(i32::from(unsafe { handle::<$kind>(a) != handle::<$kind>(b) }))
        })*
    };
}

comparisons! {
    Comm mpi_comm_eq_ mpi_comm_ne_;
    Datatype mpi_datatype_eq_ mpi_datatype_ne_;
    Errhandler mpi_errhandler_eq_ mpi_errhandler_ne_;
    File mpi_file_eq_ mpi_file_ne_;
    Group mpi_group_eq_ mpi_group_ne_;
    Info mpi_info_eq_ mpi_info_ne_;
    Message mpi_message_eq_ mpi_message_ne_;
    Op mpi_op_eq_ mpi_op_ne_;
    Request mpi_request_eq_ mpi_request_ne_;
    Session mpi_session_eq_ mpi_session_ne_;
    Win mpi_win_eq_ mpi_win_ne_;
}

/// The length of a text, which C counts with its zero byte and Fortran without.
struct Length {
    at: *mut i32,
    c: i32,
}

impl Length {
    /// # Safety
    /// `at` is the address of an INTEGER, which is written when this is dropped.
    unsafe fn new(at: *mut i32) -> Length {
        // SAFETY: as the caller says.
        let c = match unsafe { *at } {
            0 => 0,
            length => length.saturating_add(1),
        };
        Length { at, c }
    }

    fn c(&mut self) -> *mut i32 {
        &mut self.c
    }
}

impl Drop for Length {
    fn drop(&mut self) {
        // SAFETY: the caller of the entry gave the address of an INTEGER.
        unsafe { *self.at = (self.c - 1).max(0) };
    }
}

entry!([MPI_Info_get_string(mpi_info_get_string_ mpi_info_get_string_f08_)
PMPI_Info_get_string(pmpi_info_get_string_ pmpi_info_get_string_f08_)]
(info: *const i32, key: *const u8, buflen: *mut i32, text: *mut u8, flag: *mut i32,
    ierror: *mut i32, key_length: usize, text_length: usize) ierror
[(
    handle(info),
    Text::trimmed(key, key_length).c(),
    Length::new(buflen).c(),
    TextOut::new(text, text_length, elements(i64::from(*buflen)) + 1).c(),
    crate::convert::TruthOut::new(flag).c()
)]);

entry!([MPI_Session_get_nth_pset(mpi_session_get_nth_pset_ mpi_session_get_nth_pset_f08_)
PMPI_Session_get_nth_pset(pmpi_session_get_nth_pset_ pmpi_session_get_nth_pset_f08_)]
(session: *const i32, info: *const i32, n: *const i32, pset_len: *mut i32, pset_name: *mut u8,
    ierror: *mut i32, name_length: usize) ierror
[(
    handle(session),
    handle(info),
    read(n),
    Length::new(pset_len).c(),
    TextOut::new(pset_name, name_length, elements(i64::from(*pset_len)) + 1).c()
)]);
