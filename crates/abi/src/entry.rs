//! A row of the generated table made into two C functions.

/// Defines `MPI_X` and `PMPI_X` with one body.
///
/// Both are functions of their own that hold the same inlined body, for a tool may interpose either
/// (MPI 5.0, 15.2); an assembler alias would not be exported. The linker may give them one address.
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

pub(crate) use entry;
