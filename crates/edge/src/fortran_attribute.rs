//! Attributes of Fortran, which are numbers: the standard library keeps them apart from C's by an
//! extension.

use std::ffi::c_void;
use std::mem::transmute;

use crate::callback::returned;
use crate::generated::types::{Comm, Datatype, Win};
use crate::generated::values::{KEYVAL, RANK, WIN_FLAVOR, WIN_MODEL};
use crate::interface::Abi;
use crate::interface::Kind;
use crate::table;
use crate::value::{error_out, finish, number_in, number_out};

type Destructor = unsafe extern "C" fn(*mut c_void);
type Copy<K> = unsafe extern "C" fn(K, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32;
type Delete<K> = unsafe extern "C" fn(K, i32, *mut c_void, *mut c_void) -> i32;
type Create<K> = unsafe extern "C" fn(Copy<K>, Delete<K>, Destructor, *mut i32, *mut c_void) -> i32;
type Get<K> = unsafe extern "C" fn(K, i32, *mut c_void, *mut i32) -> i32;
type Set<K> = unsafe extern "C" fn(K, i32, *mut c_void) -> i32;

/// Kinds of objects with attributes, by the position of their first extension: to create a key, to
/// get and to set a value.
pub trait Attributed: Kind {
    /// The position.
    const FIRST: usize;
}

impl Attributed for Comm {
    const FIRST: usize = 5;
}

impl Attributed for Datatype {
    const FIRST: usize = 8;
}

impl Attributed for Win {
    const FIRST: usize = 11;
}

/// An integer of attributes: address-sized, or the default of MPI-1.
pub trait Integer: std::marker::Copy + Default {
    /// Returns the integer in a word.
    fn from_word(word: usize) -> Self;
    /// Returns the word for an integer.
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
    let (mut old, mut new) = (T::from_word(value as usize), T::default());
    let (mut wanted, mut code) = (0, 0);
    // SAFETY: the state is the one that came with this function, and MPI gives places.
    unsafe {
        let of = &*state.cast::<Functions<T>>();
        let mut state = of.state;
        let places = (&mut old, &mut new);
        (of.copy)(
            &mut number,
            &mut key,
            &mut state,
            places.0,
            places.1,
            &mut wanted,
            &mut code,
        );
        *copied.cast::<usize>() = new.to_word();
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
    let (mut value, mut code) = (T::from_word(value as usize), 0);
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

/// Makes a key.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn create<A: Abi, K: Attributed, T: Integer>(
    copies: *mut c_void,
    deletes: *mut c_void,
    key: *mut i32,
    state: T,
) -> i32
where
    K::Raw<A>: Into<i32>,
{
    // SAFETY: both types are those of a procedure's address; the extension has this type.
    let code = unsafe {
        let made = Box::into_raw(Box::new(Functions::<T> {
            copy: std::mem::transmute_copy(&copies),
            delete: std::mem::transmute_copy(&deletes),
            state,
        }));
        let create = transmute::<usize, Create<K>>(table::extension(K::FIRST));
        create(
            copy::<A, K, T>,
            delete::<A, K, T>,
            end::<T>,
            key,
            made.cast(),
        )
    };
    finish::<A>(code)
}

/// Gets an attribute.
///
/// # Safety
/// The addresses are those of an address-sized INTEGER and a LOGICAL.
pub unsafe fn get<A: Abi, K: Attributed>(
    object: K,
    key: i32,
    value: *mut i64,
    flag: *mut i32,
) -> i32 {
    const IO: i32 = 502;
    const HOST: i32 = 503;
    const LASTUSEDCODE: i32 = 506;
    const CREATE_FLAVOR: i32 = 604;
    const MODEL: i32 = 605;
    let key = number_in::<A>(&KEYVAL, A::keyval(key));
    // SAFETY: the extension has this type, and as the caller says.
    unsafe {
        let get = transmute::<usize, Get<K>>(table::extension(K::FIRST + 1));
        let code = get(object, key, value.cast(), flag);
        if code == 0 && *flag != 0 {
            let standard = *value as i32;
            match key {
                IO | HOST => *value = i64::from(number_out::<A>(&RANK, standard)),
                LASTUSEDCODE => *value = i64::from(error_out::<A>(standard)),
                CREATE_FLAVOR => *value = i64::from(number_out::<A>(&WIN_FLAVOR, standard)),
                MODEL => *value = i64::from(number_out::<A>(&WIN_MODEL, standard)),
                _ => {}
            }
        }
        finish::<A>(code)
    }
}

/// Sets an attribute.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn set<A: Abi, K: Attributed>(object: K, key: i32, value: i64) -> i32 {
    // SAFETY: the extension has this type, and as the caller says.
    let code = unsafe {
        let set = transmute::<usize, Set<K>>(table::extension(K::FIRST + 2));
        set(
            object,
            number_in::<A>(&KEYVAL, A::keyval(key)),
            value as usize as *mut c_void,
        )
    };
    finish::<A>(code)
}
