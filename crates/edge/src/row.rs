//! The macros that turn rows into exported functions.

/// Exports `MPI_X` and `PMPI_X`. What an argument writes back it writes when it is dropped, at the
/// end of the statement of the call.
#[macro_export]
macro_rules! row {
    ($abi:ident, $name:ident $profiled:ident $call:ident($($param:ident: $ty:ty),*)
        ($($argument:expr),*)) => {
        const _: () = {
            #[inline(always)]
            unsafe fn body($($param: $ty),*) -> i32 {
                // SAFETY: the caller gives each argument as MPI asks for it.
                #[allow(unused_unsafe)]
                unsafe {
                    let code = $crate::c::$call($($argument),*);
                    $crate::value::finish::<$abi>(code)
                }
            }

            #[no_mangle]
            unsafe extern "C" fn $name($($param: $ty),*) -> i32 {
                // SAFETY: the arguments are passed on as they came.
                unsafe { body($($param),*) }
            }

            #[no_mangle]
            unsafe extern "C" fn $profiled($($param: $ty),*) -> i32 {
                // SAFETY: the arguments are passed on as they came.
                unsafe { body($($param),*) }
            }
        };
    };
}

/// Exports a subroutine of Fortran under its names: for `mpif.h` and the module `mpi`, and for
/// `mpi_f08`, whose handles are an INTEGER each and whose error codes may lack.
#[macro_export]
macro_rules! fortran_row {
    ($abi:ident, $name:ident $profiled:ident $modern:ident $modern_profiled:ident
        $call:ident($($param:ident: $ty:ty),*) $ierror:ident
        ($($argument:expr),*)) => {
        const _: () = {
            #[inline(always)]
            unsafe fn body($($param: $ty),*) {
                // SAFETY: the caller gives each argument as the interface declares it.
                #[allow(unused_unsafe)]
                unsafe {
                    let code = $crate::c::$call($($argument),*);
                    $crate::fortran::finish_at::<$abi>($ierror, code);
                }
            }

            #[no_mangle]
            unsafe extern "C" fn $name($($param: $ty),*) {
                // SAFETY: the arguments are passed on as they came.
                unsafe { body($($param),*) }
            }

            #[no_mangle]
            unsafe extern "C" fn $profiled($($param: $ty),*) {
                // SAFETY: the arguments are passed on as they came.
                unsafe { body($($param),*) }
            }

            #[no_mangle]
            unsafe extern "C" fn $modern($($param: $ty),*) {
                // SAFETY: the arguments are passed on as they came.
                unsafe { $name($($param),*) }
            }

            #[no_mangle]
            unsafe extern "C" fn $modern_profiled($($param: $ty),*) {
                // SAFETY: the arguments are passed on as they came.
                unsafe { $name($($param),*) }
            }
        };
    };
}

/// Exports a subroutine of `mpi_f08` whose choice buffers come by descriptors. `on` says whose
/// error handler hears of a buffer that cannot be used, `stages` which request's buffers may be
/// copies.
#[macro_export]
macro_rules! modern_row {
    ($abi:ident, $name:ident $profiled:ident $call:ident $params:tt $ierror:ident on $on:block
        { $($buffer:ident = $made:expr);* } $arguments:tt) => {
        $crate::modern_row!(@with $abi, $name $profiled $call $params $ierror $on
            { $($buffer = $made);* } $arguments {});
    };
    ($abi:ident, $name:ident $profiled:ident $call:ident $params:tt $ierror:ident on $on:block
        stages $request:ident { $($buffer:ident = $made:expr);* } $arguments:tt) => {
        $crate::modern_row!(@with $abi, $name $profiled $call $params $ierror $on
            { $($buffer = $made);* } $arguments {
                let request = $crate::handle::handle_in::<$abi, $crate::types::Request>(*$request);
                $crate::section::stage(request, [$($buffer.take_staged()),*]);
            });
    };
    (@with $abi:ident, $name:ident $profiled:ident $call:ident($($param:ident: $ty:ty),*)
        $ierror:ident $on:block { $($buffer:ident = $made:expr);* } ($($argument:expr),*)
        $then:block) => {
        const _: () = {
            #[no_mangle]
            unsafe extern "C" fn $name($($param: $ty),*) {
                // SAFETY: the caller gives each argument as the interface declares it.
                #[allow(unused_unsafe, unused_mut)]
                unsafe {
                    $(
                        let mut $buffer = $made;
                        if let Some(why) = $buffer.refusal() {
                            let code = $crate::section::refuse(stringify!($name), $on, why);
                            return $crate::fortran::finish_at::<$abi>($ierror, code);
                        }
                    )*
                    let code = $crate::c::$call($($argument),*);
                    if code == 0 {
                        $then
                    }
                    $crate::fortran::finish_at::<$abi>($ierror, code);
                }
            }

            #[no_mangle]
            unsafe extern "C" fn $profiled($($param: $ty),*) {
                // SAFETY: the arguments are passed on as they came.
                unsafe { $name($($param),*) }
            }
        };
    };
}
