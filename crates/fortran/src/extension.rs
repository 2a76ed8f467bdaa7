//! Functions that a library of the standard ABI may lack: this one has them (`mpi-ext.h`).

use std::ffi::{c_char, c_void};

extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Returns the address of a function of the libraries that the program has, null without one.
/// `name` ends in a zero byte.
pub(crate) fn find(name: &'static str) -> *mut c_void {
    // SAFETY: a null library stands for all of the program, and the name ends in a zero byte.
    unsafe { dlsym(std::ptr::null_mut(), name.as_ptr().cast()) }
}

/// Defines functions that call those of the same names, where there are any.
macro_rules! extension {
    ([$($name:ident)+] $params:tt) => {
        $(extension!(@one $name $params);)+
    };
    (@one $name:ident ($($param:ident: $ty:ty),*)) => {
        #[allow(non_snake_case)]
        pub unsafe fn $name($($param: $ty),*) -> i32 {
            let found = $crate::extension::find(concat!(stringify!($name), "\0"));
            if found.is_null() {
                return edge::generated::constants::MPI_ERR_UNSUPPORTED_OPERATION;
            }
            // SAFETY: functions of this name have these parameters, and the caller gives them as
            // the interface declares them.
            unsafe {
                let function: unsafe extern "C" fn($($ty),*) -> i32 = std::mem::transmute(found);
                function($($param),*)
            }
        }
    };
}

pub(crate) use extension;
