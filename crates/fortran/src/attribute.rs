//! Attributes. Fortran stores a number where C stores an address, and each reads what the other
//! stored in its own form (MPI 5.0, 19.3.7); the C library keeps them apart by an extension.
//!
//! The routines of MPI-1 have default integers; all others have address-sized ones.

use std::ffi::c_void;

use crate::convert::{finish, logical, read, word, TruthOut, TRUE};
use crate::generated::constants::MPI_SUCCESS;
use crate::generated::types::{Comm, Datatype, Win};
use crate::handle::{handle, Handle};

type Destructor = unsafe extern "C" fn(*mut c_void);
type Copy<H> = unsafe extern "C" fn(H, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32;
type Delete<H> = unsafe extern "C" fn(H, i32, *mut c_void, *mut c_void) -> i32;

/// The user's procedures, whose values and states are integers of this type.
struct Functions<T> {
    copy: unsafe extern "C" fn(*mut i32, *mut i32, *mut T, *mut T, *mut T, *mut i32, *mut i32),
    delete: unsafe extern "C" fn(*mut i32, *mut i32, *mut T, *mut T, *mut i32),
    state: T,
}

/// An integer of attributes.
trait Integer: std::marker::Copy + Default {
    fn from_word(word: usize) -> Self;
    fn to_word(self) -> usize;
}

impl Integer for i64 {
    fn from_word(word: usize) -> i64 {
        word as i64
    }

    fn to_word(self) -> usize {
        self as usize
    }
}

impl Integer for i32 {
    fn from_word(word: usize) -> i32 {
        word as i32
    }

    fn to_word(self) -> usize {
        i64::from(self) as usize
    }
}

unsafe extern "C" fn copy<H: Handle, T: Integer>(
    object: H,
    keyval: i32,
    state: *mut c_void,
    attribute_in: *mut c_void,
    attribute_out: *mut c_void,
    flag: *mut i32,
) -> i32 {
    let (mut number, mut keyval) = (object.to_fortran(), keyval);
    let (mut old, mut new) = (T::from_word(attribute_in as usize), T::default());
    let (mut copied, mut code) = (0, MPI_SUCCESS);
    // SAFETY: the state is the one that came with this function, and MPI gives places for a pointer
    // and an integer.
    unsafe {
        let of = &*state.cast::<Functions<T>>();
        let mut state = of.state;
        (of.copy)(
            &mut number,
            &mut keyval,
            &mut state,
            &mut old,
            &mut new,
            &mut copied,
            &mut code,
        );
        *attribute_out.cast::<usize>() = new.to_word();
        *flag = i32::from(copied != 0);
    }
    code
}

unsafe extern "C" fn delete<H: Handle, T: Integer>(
    object: H,
    keyval: i32,
    attribute: *mut c_void,
    state: *mut c_void,
) -> i32 {
    let (mut number, mut keyval) = (object.to_fortran(), keyval);
    let (mut value, mut code) = (T::from_word(attribute as usize), MPI_SUCCESS);
    // SAFETY: the state is the one that came with this function.
    unsafe {
        let of = &*state.cast::<Functions<T>>();
        let mut state = of.state;
        (of.delete)(&mut number, &mut keyval, &mut value, &mut state, &mut code);
    }
    code
}

unsafe extern "C" fn end<T>(state: *mut c_void) {
    // SAFETY: the state is the one that came with this function, which is called once and last.
    drop(unsafe { Box::from_raw(state.cast::<Functions<T>>()) });
}

/// The state of a new key.
///
/// # Safety
/// The addresses are those of the user's procedures, and of an integer.
unsafe fn functions<T: Integer>(
    copy: *mut c_void,
    delete: *mut c_void,
    state: *const T,
) -> *mut c_void {
    // SAFETY: as the caller says; both types are those of a procedure's address.
    let made = unsafe {
        Functions::<T> {
            copy: std::mem::transmute_copy(&copy),
            delete: std::mem::transmute_copy(&delete),
            state: read(state),
        }
    };
    Box::into_raw(Box::new(made)).cast()
}

/// Exports the subroutines that make keys, for values of an integer type.
macro_rules! keyvals {
    ($($kind:ident $create:ident $($name:ident: $integer:ty),+;)+) => {
        extern "C" {
            $(fn $create(
                copy: Copy<$kind>,
                delete: Delete<$kind>,
                destructor: Destructor,
                keyval: *mut i32,
                state: *mut c_void,
            ) -> i32;)+
        }

        $($(#[no_mangle]
        unsafe extern "C" fn $name(
            copy_fn: *mut c_void,
            delete_fn: *mut c_void,
            keyval: *mut i32,
            extra_state: *const $integer,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let code = $create(
                    copy::<$kind, $integer>,
                    delete::<$kind, $integer>,
                    end::<$integer>,
                    keyval,
                    functions(copy_fn, delete_fn, extra_state),
                );
                finish(ierror, code);
            }
        })+)+
    };
}

keyvals! {
    Comm MPIX_Comm_create_keyval_x mpi_comm_create_keyval_: i64, mpi_comm_create_keyval_f08_: i64,
        mpi_keyval_create_: i32;
    Comm PMPIX_Comm_create_keyval_x pmpi_comm_create_keyval_: i64,
        pmpi_comm_create_keyval_f08_: i64, pmpi_keyval_create_: i32;
    Datatype MPIX_Type_create_keyval_x mpi_type_create_keyval_: i64,
        mpi_type_create_keyval_f08_: i64;
    Datatype PMPIX_Type_create_keyval_x pmpi_type_create_keyval_: i64,
        pmpi_type_create_keyval_f08_: i64;
    Win MPIX_Win_create_keyval_x mpi_win_create_keyval_: i64, mpi_win_create_keyval_f08_: i64;
    Win PMPIX_Win_create_keyval_x pmpi_win_create_keyval_: i64, pmpi_win_create_keyval_f08_: i64;
}

/// Exports the subroutines that read and store attributes.
macro_rules! attributes {
    ($($kind:ident $get:ident($($getter:ident)+) $set:ident($($setter:ident)+);)+) => {
        extern "C" {
            $(fn $get(object: $kind, keyval: i32, value: *mut c_void, flag: *mut i32) -> i32;
            fn $set(object: $kind, keyval: i32, value: *mut c_void) -> i32;)+
        }

        $($(#[no_mangle]
        unsafe extern "C" fn $getter(
            object: *const i32,
            keyval: *const i32,
            attribute_val: *mut i64,
            flag: *mut i32,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let place = attribute_val.cast();
                let mut flag = TruthOut::new(flag);
                finish(ierror, $get(handle(object), read(keyval), place, flag.c()));
            }
        })+

        $(#[no_mangle]
        unsafe extern "C" fn $setter(
            object: *const i32,
            keyval: *const i32,
            attribute_val: *const i64,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                finish(ierror, $set(handle(object), read(keyval), word(attribute_val)));
            }
        })+)+
    };
}

attributes! {
    Comm MPIX_Comm_get_attr_as_fortran(mpi_comm_get_attr_ mpi_comm_get_attr_f08_)
        MPIX_Comm_set_attr_as_fortran(mpi_comm_set_attr_ mpi_comm_set_attr_f08_);
    Comm PMPIX_Comm_get_attr_as_fortran(pmpi_comm_get_attr_ pmpi_comm_get_attr_f08_)
        PMPIX_Comm_set_attr_as_fortran(pmpi_comm_set_attr_ pmpi_comm_set_attr_f08_);
    Datatype MPIX_Type_get_attr_as_fortran(mpi_type_get_attr_ mpi_type_get_attr_f08_)
        MPIX_Type_set_attr_as_fortran(mpi_type_set_attr_ mpi_type_set_attr_f08_);
    Datatype PMPIX_Type_get_attr_as_fortran(pmpi_type_get_attr_ pmpi_type_get_attr_f08_)
        PMPIX_Type_set_attr_as_fortran(pmpi_type_set_attr_ pmpi_type_set_attr_f08_);
    Win MPIX_Win_get_attr_as_fortran(mpi_win_get_attr_ mpi_win_get_attr_f08_)
        MPIX_Win_set_attr_as_fortran(mpi_win_set_attr_ mpi_win_set_attr_f08_);
    Win PMPIX_Win_get_attr_as_fortran(pmpi_win_get_attr_ pmpi_win_get_attr_f08_)
        PMPIX_Win_set_attr_as_fortran(pmpi_win_set_attr_ pmpi_win_set_attr_f08_);
}

/// Exports the subroutines of MPI-1 that read and store attributes of communicators.
macro_rules! old_attributes {
    ($($get:ident $getter:ident $set:ident $setter:ident;)+) => {
        $(#[no_mangle]
        unsafe extern "C" fn $getter(
            comm: *const i32,
            keyval: *const i32,
            attribute_val: *mut i32,
            flag: *mut i32,
            ierror: *mut i32,
        ) {
            let (mut number, mut found) = (0i64, 0);
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let place = (&raw mut number).cast();
                let code = $get(handle(comm), read(keyval), place, &mut found);
                if code == MPI_SUCCESS {
                    *flag = logical(found);
                    if found != 0 {
                        *attribute_val = number as i32;
                    }
                }
                finish(ierror, code);
            }
        }

        #[no_mangle]
        unsafe extern "C" fn $setter(
            comm: *const i32,
            keyval: *const i32,
            attribute_val: *const i32,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let number = read(attribute_val).to_word() as *mut c_void;
                finish(ierror, $set(handle(comm), read(keyval), number));
            }
        })+
    };
}

old_attributes! {
    MPIX_Comm_get_attr_as_fortran mpi_attr_get_ MPIX_Comm_set_attr_as_fortran mpi_attr_put_;
    PMPIX_Comm_get_attr_as_fortran pmpi_attr_get_ PMPIX_Comm_set_attr_as_fortran pmpi_attr_put_;
}

/// Exports procedures of MPI that a user may give: one that copies no attribute, one that copies
/// each, and one that does nothing when an attribute goes.
macro_rules! own {
    ($($null:ident $dup:ident $deleted:ident $integer:ty;)+) => {
        $(#[no_mangle]
        unsafe extern "C" fn $null(
            _object: *mut i32,
            _keyval: *mut i32,
            _extra_state: *mut $integer,
            _attribute_in: *mut $integer,
            _attribute_out: *mut $integer,
            flag: *mut i32,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives the addresses of a LOGICAL and an INTEGER.
            unsafe {
                *flag = 0;
                *ierror = MPI_SUCCESS;
            }
        }

        #[no_mangle]
        unsafe extern "C" fn $dup(
            _object: *mut i32,
            _keyval: *mut i32,
            _extra_state: *mut $integer,
            attribute_in: *mut $integer,
            attribute_out: *mut $integer,
            flag: *mut i32,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives the addresses of values, a LOGICAL and an INTEGER.
            unsafe {
                *attribute_out = *attribute_in;
                *flag = TRUE;
                *ierror = MPI_SUCCESS;
            }
        }

        #[no_mangle]
        unsafe extern "C" fn $deleted(
            _object: *mut i32,
            _keyval: *mut i32,
            _attribute: *mut $integer,
            _extra_state: *mut $integer,
            ierror: *mut i32,
        ) {
            // SAFETY: the caller gives the address of an INTEGER.
            unsafe { *ierror = MPI_SUCCESS };
        })+
    };
}

own! {
    mpi_null_copy_fn_ mpi_dup_fn_ mpi_null_delete_fn_ i32;
    mpi_comm_null_copy_fn_ mpi_comm_dup_fn_ mpi_comm_null_delete_fn_ i64;
    mpi_type_null_copy_fn_ mpi_type_dup_fn_ mpi_type_null_delete_fn_ i64;
    mpi_win_null_copy_fn_ mpi_win_dup_fn_ mpi_win_null_delete_fn_ i64;
}
