//! Attributes: functions of the user, and values of predefined keys that are constants.

use std::ffi::c_void;
use std::mem::transmute;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::callback::returned;
use crate::generated::c;
use crate::generated::constants::{
    MPI_HOST, MPI_IO, MPI_LASTUSEDCODE, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL,
};
use crate::generated::types::{Comm, Datatype, Win};
use crate::generated::values::{KEYVAL, RANK, WIN_FLAVOR, WIN_MODEL};
use crate::interface::Abi;
use crate::interface::Kind;
use crate::value::{error_out, number_in, number_out};

/// The functions of the standard library for a kind of object with attributes.
#[derive(Clone, Copy)]
pub struct Calls<K> {
    create: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut c_void) -> i32,
    get: unsafe extern "C" fn(K, i32, *mut c_void, *mut i32) -> i32,
    set: unsafe extern "C" fn(K, i32, *mut c_void) -> i32,
}

/// Kinds of objects with attributes.
pub trait HasAttributes: Kind {
    /// Their functions in the standard library.
    const CALLS: Calls<Self>;
}

impl HasAttributes for Comm {
    const CALLS: Calls<Comm> = Calls {
        create: c::comm_create_keyval,
        get: c::comm_get_attr,
        set: c::comm_set_attr,
    };
}

impl HasAttributes for Datatype {
    const CALLS: Calls<Datatype> = Calls {
        create: c::type_create_keyval,
        get: c::type_get_attr,
        set: c::type_set_attr,
    };
}

impl HasAttributes for Win {
    const CALLS: Calls<Win> = Calls {
        create: c::win_create_keyval,
        get: c::win_get_attr,
        set: c::win_set_attr,
    };
}

/// The user's functions of a key, which may be null.
struct Functions {
    copy: *mut c_void,
    delete: *mut c_void,
    state: *mut c_void,
}

unsafe extern "C" fn copy<A: Abi, K: Kind>(
    object: K,
    key: i32,
    state: *mut c_void,
    value: *mut c_void,
    copied: *mut c_void,
    flag: *mut i32,
) -> i32 {
    type User<R> =
        unsafe extern "C" fn(R, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32;
    // SAFETY: the state is the one that came with this function, and MPI gives places.
    unsafe {
        let of = &*state.cast::<Functions>();
        let user = transmute::<*mut c_void, User<K::Raw<A>>>(of.copy);
        returned::<A>(user(
            object.encode::<A>(),
            key,
            of.state,
            value,
            copied,
            flag,
        ))
    }
}

unsafe extern "C" fn delete<A: Abi, K: Kind>(
    object: K,
    key: i32,
    value: *mut c_void,
    state: *mut c_void,
) -> i32 {
    type User<R> = unsafe extern "C" fn(R, i32, *mut c_void, *mut c_void) -> i32;
    // SAFETY: the state is the one that came with this function.
    unsafe {
        let of = &*state.cast::<Functions>();
        let user = transmute::<*mut c_void, User<K::Raw<A>>>(of.delete);
        returned::<A>(user(object.encode::<A>(), key, value, of.state))
    }
}

/// Makes a key, and returns the standard's error code. Its functions are kept as long as the
/// process: nothing reports its end.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn create_keyval<A: Abi, K: HasAttributes>(
    copies: *mut c_void,
    deletes: *mut c_void,
    key: *mut i32,
    state: *mut c_void,
) -> i32 {
    let given = |user: *mut c_void, own: *mut c_void| if user.is_null() { user } else { own };
    let made = Box::into_raw(Box::new(Functions {
        copy: copies,
        delete: deletes,
        state,
    }));
    let copies = given(copies, copy::<A, K> as *mut c_void);
    let deletes = given(deletes, delete::<A, K> as *mut c_void);
    // SAFETY: the functions are those for this state; the caller promises a place.
    unsafe { (K::CALLS.create)(copies, deletes, key, made.cast()) }
}

/// Keys whose values are constants, or codes.
const CONSTANT: [i32; 5] = [
    MPI_IO,
    MPI_HOST,
    MPI_LASTUSEDCODE,
    MPI_WIN_CREATE_FLAVOR,
    MPI_WIN_MODEL,
];

/// The values of `MPI_IO`, `MPI_HOST` and `MPI_LASTUSEDCODE`, at addresses that stay.
static CELLS: [AtomicI32; 3] = [const { AtomicI32::new(0) }; 3];
/// The values that flavours and models of windows have, at addresses that stay.
static SMALL: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Returns the address of the interface's value of a predefined key.
///
/// # Safety
/// `value` is the address that the standard library has for it.
unsafe fn native<A: Abi>(key: i32, value: *const i32) -> *const i32 {
    // SAFETY: as the caller says.
    let standard = unsafe { *value };
    let cell = |at: usize, native: i32| {
        CELLS[at].store(native, Ordering::Relaxed);
        CELLS[at].as_ptr().cast_const()
    };
    let small = |native: i32| &SMALL[native as usize & 7] as *const i32;
    match key {
        MPI_IO => cell(0, number_out::<A>(&RANK, standard)),
        MPI_HOST => cell(1, number_out::<A>(&RANK, standard)),
        MPI_LASTUSEDCODE => cell(2, error_out::<A>(standard)),
        MPI_WIN_CREATE_FLAVOR => small(number_out::<A>(&WIN_FLAVOR, standard)),
        MPI_WIN_MODEL => small(number_out::<A>(&WIN_MODEL, standard)),
        _ => value,
    }
}

/// Gets an attribute, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn get<A: Abi, K: HasAttributes>(
    object: K,
    key: i32,
    value: *mut c_void,
    flag: *mut i32,
) -> i32 {
    let key = number_in::<A>(&KEYVAL, key);
    // SAFETY: as the caller says; the values of these keys are addresses of integers.
    unsafe {
        let code = (K::CALLS.get)(object, key, value, flag);
        let is_constant = CONSTANT.contains(&key);
        if code == 0 && *flag != 0 && is_constant {
            let at = value.cast::<*const i32>();
            *at = native::<A>(key, *at);
        }
        code
    }
}

/// Sets an attribute, and returns the standard's error code.
///
/// # Safety
/// The arguments are as MPI asks for them.
pub unsafe fn set<A: Abi, K: HasAttributes>(object: K, key: i32, value: *mut c_void) -> i32 {
    let key = number_in::<A>(&KEYVAL, key);
    // SAFETY: the caller promises what MPI asks for.
    unsafe { (K::CALLS.set)(object, key, value) }
}

/// Copies an attribute as it is: the interfaces' `MPI_DUP_FN`.
///
/// # Safety
/// MPI, or a function of the user, calls it with places.
pub unsafe extern "C" fn same(
    _object: usize,
    _key: i32,
    _state: *mut c_void,
    value: *mut c_void,
    copied: *mut c_void,
    flag: *mut i32,
) -> i32 {
    // SAFETY: as the caller says.
    unsafe {
        *copied.cast::<*mut c_void>() = value;
        *flag = 1;
    }
    0
}
