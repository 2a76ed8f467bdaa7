//! Macros that turn rows of the generated tables into C functions.

/// Defines `MPI_X` and `PMPI_X` with one body.
///
/// Both are functions of their own that hold one inlined body, for a tool may interpose either (MPI
/// 5.0, 15.2); an assembler alias would not be exported. The linker may give them one address.
macro_rules! entry {
    ($name:ident $profiled:ident ($($arg:ident: $ty:ty),*) -> $returns:ty $body:block) => {
        const _: () = {
            // A row whose call is safe, or is not written yet, needs no block.
            #[allow(unused_unsafe)]
            #[inline(always)]
            unsafe fn body($($arg: $ty),*) -> $returns {
                // SAFETY: what a call asks of its arguments is what MPI asks of its caller, who is
                // the one that called the entry point.
                unsafe { $body }
            }

            entry!(@exported $name $profiled ($($arg: $ty),*) -> $returns);
        };
    };
    (@exported $name:ident $profiled:ident ($($arg:ident: $ty:ty),*) -> $returns:ty) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($arg: $ty),*) -> $returns {
            // SAFETY: the arguments are passed on as they came.
            unsafe { body($($arg),*) }
        }

        #[no_mangle]
        unsafe extern "C" fn $profiled($($arg: $ty),*) -> $returns {
            // SAFETY: the arguments are passed on as they came.
            unsafe { body($($arg),*) }
        }
    };
}

/// Defines a function that makes typed values of C arguments for a call.
macro_rules! decode {
    ($name:ident($($arg:ident: $ty:ty),*) $body:block) => {
        /// Decodes the arguments of the MPI function of this name, and calls it.
        ///
        /// # Safety
        /// The arguments are as MPI asks for them.
        #[allow(unused_unsafe)]
        #[inline]
        pub(crate) unsafe fn $name($($arg: $ty),*) -> Result<(), Failure> {
            // SAFETY: each typed value asks of an argument what MPI asks of it.
            unsafe { $body }
        }
    };
}

pub(crate) use {decode, entry};
