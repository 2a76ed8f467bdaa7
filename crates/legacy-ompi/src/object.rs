//! Predefined objects: data that programs refer to by name. A program that is not
//! position-independent holds a copy, at which then this library looks, too; so each is as large as
//! in Open MPI, and is reached by its exported name alone.

use std::ffi::c_void;

/// An object, whose first word is the standard's handle.
#[repr(C, align(32))]
pub struct Object<const WORDS: usize>([usize; WORDS]);

impl<const WORDS: usize> Object<WORDS> {
    pub const fn of(handle: usize) -> Self {
        let mut words = [0; WORDS];
        words[0] = handle;
        Object(words)
    }
}

/// Addresses of objects, by the standard's handle.
pub struct Addresses([*const c_void; LAST]);

// SAFETY: the objects are never written.
unsafe impl Sync for Addresses {}

/// Handles of predefined objects are below this.
const LAST: usize = 0x300;

/// Defines objects, and the table of their addresses.
macro_rules! objects {
    ($($name:ident $words:literal $handle:literal;)*) => {
        $(
            #[doc = "A predefined object."]
            #[no_mangle]
            #[allow(non_upper_case_globals)]
            pub static mut $name: $crate::object::Object<$words> =
                $crate::object::Object::of($handle);
        )*

        /// The addresses of the objects.
        pub static ADDRESSES: $crate::object::Addresses = $crate::object::Addresses::of(&[
            $(($handle, (&raw const $name).cast())),*
        ]);
    };
}

pub(crate) use objects;

impl Addresses {
    /// Returns the addresses, by handle.
    pub fn list(&self) -> &[*const c_void; LAST] {
        &self.0
    }

    /// The first of several objects with one handle has its place.
    pub const fn of(objects: &[(usize, *const c_void)]) -> Addresses {
        let mut addresses = [std::ptr::null(); LAST];
        let mut at = objects.len();
        while at > 0 {
            at -= 1;
            addresses[objects[at].0] = objects[at].1;
        }
        Addresses(addresses)
    }
}
