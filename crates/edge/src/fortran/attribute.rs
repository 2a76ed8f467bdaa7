//! Attributes of Fortran, which are numbers, where C has addresses: each language reads what the
//! other stored in its own form (MPI 5.0, 19.3.7). The standard library keeps them apart by an
//! extension.
//!
//! The routines of MPI-1 have default integers; all others have address-sized ones.

use std::ffi::c_void;

use super::Logical;
use crate::argument::{Form, Out};
use crate::callback::{returned, Destructor};
use crate::extension;
use crate::generated::constants::{
    MPI_HOST, MPI_IO, MPI_LASTUSEDCODE, MPI_SUCCESS, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL,
};
use crate::generated::types::{Comm, Datatype, Win};
use crate::generated::values::{KEYVAL, RANK, WIN_FLAVOR, WIN_MODEL};
use crate::interface::{Abi, Kind};
use crate::value::{error_out, number_in, number_out};

/// Copies an attribute, as C has it.
pub type Copy<K> =
    unsafe extern "C" fn(K, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32;
/// Ends an attribute, as C has it.
pub type Delete<K> = unsafe extern "C" fn(K, i32, *mut c_void, *mut c_void) -> i32;

/// The extensions of the standard library for a kind of object.
#[derive(Clone, Copy)]
pub struct Extensions<K> {
    /// `MPIX_X_create_keyval_x`.
    pub create: unsafe extern "C" fn(Copy<K>, Delete<K>, Destructor, *mut i32, *mut c_void) -> i32,
    /// `MPIX_X_get_attr_as_fortran`.
    pub get: unsafe extern "C" fn(K, i32, *mut c_void, *mut i32) -> i32,
    /// `MPIX_X_set_attr_as_fortran`.
    pub set: unsafe extern "C" fn(K, i32, *mut c_void) -> i32,
}

/// Kinds of objects with attributes.
pub trait Attributed: Kind {
    /// The extensions of the standard library for them.
    const EXTENSIONS: Extensions<Self>;
}

impl Attributed for Comm {
    const EXTENSIONS: Extensions<Comm> = Extensions {
        create: extension::comm_create_keyval_x,
        get: extension::comm_get_attr_as_fortran,
        set: extension::comm_set_attr_as_fortran,
    };
}

impl Attributed for Datatype {
    const EXTENSIONS: Extensions<Datatype> = Extensions {
        create: extension::type_create_keyval_x,
        get: extension::type_get_attr_as_fortran,
        set: extension::type_set_attr_as_fortran,
    };
}

impl Attributed for Win {
    const EXTENSIONS: Extensions<Win> = Extensions {
        create: extension::win_create_keyval_x,
        get: extension::win_get_attr_as_fortran,
        set: extension::win_set_attr_as_fortran,
    };
}

/// An integer of attributes: address-sized, or the default of MPI-1.
pub trait Integer: std::marker::Copy + Default {
    /// Whether C writes to it as it is: it has what C wrote even where no attribute was found.
    const IS_WORD: bool;
    /// Returns the integer in a word.
    fn from_word(word: i64) -> Self;
    /// Returns the word for an integer.
    fn to_word(self) -> i64;
}

impl Integer for i64 {
    const IS_WORD: bool = true;

    fn from_word(word: i64) -> i64 {
        word
    }

    fn to_word(self) -> i64 {
        self
    }
}

impl Integer for i32 {
    const IS_WORD: bool = false;

    fn from_word(word: i64) -> i32 {
        word as i32
    }

    fn to_word(self) -> i64 {
        i64::from(self)
    }
}

/// The user's procedures of a key.
struct Functions<T> {
    copy: unsafe extern "C" fn(*mut i32, *mut i32, *mut T, *mut T, *mut T, *mut i32, *mut i32),
    delete: unsafe extern "C" fn(*mut i32, *mut i32, *mut T, *mut T, *mut i32),
    state: T,
}

unsafe extern "C" fn copy<A: Abi, K: Kind, T: Integer>(
    object: K,
    key: i32,
    state: *mut c_void,
    value: *mut c_void,
    copied: *mut c_void,
    flag: *mut i32,
) -> i32
where
    K::Raw<A>: Into<i32>,
{
    let (mut number, mut key): (i32, i32) = (object.encode::<A>().into(), key);
    let (mut old, mut new) = (T::from_word(value as i64), T::default());
    let (mut wanted, mut code) = (0, MPI_SUCCESS);
    // SAFETY: the state is the one that came with this function, and MPI gives places.
    unsafe {
        let of = &*state.cast::<Functions<T>>();
        let (mut state, number, key) = (of.state, &mut number, &mut key);
        let (old, into) = (&mut old, &mut new);
        (of.copy)(number, key, &mut state, old, into, &mut wanted, &mut code);
        *copied.cast::<i64>() = new.to_word();
        *flag = i32::from(wanted != 0);
    }
    returned::<A>(code)
}

unsafe extern "C" fn delete<A: Abi, K: Kind, T: Integer>(
    object: K,
    key: i32,
    value: *mut c_void,
    state: *mut c_void,
) -> i32
where
    K::Raw<A>: Into<i32>,
{
    let (mut number, mut key): (i32, i32) = (object.encode::<A>().into(), key);
    let (mut value, mut code) = (T::from_word(value as i64), MPI_SUCCESS);
    // SAFETY: the state is the one that came with this function.
    unsafe {
        let of = &*state.cast::<Functions<T>>();
        let mut state = of.state;
        (of.delete)(&mut number, &mut key, &mut value, &mut state, &mut code);
    }
    returned::<A>(code)
}

unsafe extern "C" fn end<T>(state: *mut c_void) {
    // SAFETY: the state is the one that came with this function, which is called once and last.
    drop(unsafe { Box::from_raw(state.cast::<Functions<T>>()) });
}

/// Makes a key, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn create<A: Abi, K: Attributed, T: Integer>(
    by: Extensions<K>,
    [copies, deletes]: [*mut c_void; 2],
    key: *mut i32,
    state: T,
) -> i32
where
    K::Raw<A>: Into<i32>,
{
    // SAFETY: both types are those of a procedure's address, and the rest the caller promises.
    unsafe {
        let made = Box::new(Functions::<T> {
            copy: std::mem::transmute_copy(&copies),
            delete: std::mem::transmute_copy(&deletes),
            state,
        });
        let (copy, delete) = (copy::<A, K, T>, delete::<A, K, T>);
        (by.create)(copy, delete, end::<T>, key, Box::into_raw(made).cast())
    }
}

/// Gets an attribute, and returns the standard's error code.
///
/// # Safety
/// The addresses are those of an INTEGER of this kind and of a LOGICAL.
pub unsafe fn get<A: Abi, K: Attributed, T: Integer>(
    by: Extensions<K>,
    object: K,
    key: i32,
    value: *mut T,
    flag: *mut i32,
) -> i32 {
    let key = number_in::<A>(&KEYVAL, A::keyval(key));
    // SAFETY: the caller promises an INTEGER and a LOGICAL.
    let (value, flag) = unsafe { (Out::new(value), Out::new(flag)) };
    let before = value.get().map_or(0, T::to_word);
    let (mut word, mut found) = (before, Logical::UNWRITTEN);
    // SAFETY: the places are those of a word and of a number; the standard library checks the rest.
    let code = unsafe { (by.get)(object, key, (&raw mut word).cast(), &mut found) };
    let is_written = found != Logical::UNWRITTEN;
    if is_written {
        flag.set(Logical.native(found));
    }
    let is_found = is_written && found != 0;
    if is_found || (T::IS_WORD && word != before) {
        value.set(T::from_word(match key {
            MPI_IO | MPI_HOST => i64::from(number_out::<A>(&RANK, word as i32)),
            MPI_LASTUSEDCODE => i64::from(error_out::<A>(word as i32)),
            MPI_WIN_CREATE_FLAVOR => i64::from(number_out::<A>(&WIN_FLAVOR, word as i32)),
            MPI_WIN_MODEL => i64::from(number_out::<A>(&WIN_MODEL, word as i32)),
            _ => word,
        }));
    }
    code
}

/// Sets an attribute, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn set<A: Abi, K: Attributed>(
    by: Extensions<K>,
    object: K,
    key: i32,
    value: impl Integer,
) -> i32 {
    let key = number_in::<A>(&KEYVAL, A::keyval(key));
    // SAFETY: the caller promises what MPI asks for.
    unsafe { (by.set)(object, key, value.to_word() as *mut c_void) }
}
