//! [`export`](crate::export): the macro that makes exported functions of rows.

/// Exports one function under several names, each behind the [wall](crate::wall), for the interface
/// `A` where it is used.
///
/// * `[MPI_X PMPI_X] (parameters) on {object} {body}`: a function of C, whose body returns the
///   standard's error code; the error handler of the object, if there is one, gets a panic.
/// * `[mpi_x_ pmpi_x_] (parameters) ierror on {object} {body}`: a subroutine of Fortran.
/// * `[MPI_X(mpi_x_) PMPI_X(pmpi_x_)] (parameters) ierror on {object} {body}`: the same, and the
///   body calls what `crate::c` has by the name before the parenthesis as `call`.
/// * `[mpi_x_] (parameters) -> type {body}`: a function that returns no error code; with names
///   before parentheses, too.
///
/// What an argument writes back it writes when it is dropped, at the end of the statement of the
/// call.
#[macro_export]
macro_rules! export {
    ([$($name:ident)+] $params:tt on $on:tt $body:tt) => {
        $($crate::export!(@c $name $params $on $body);)+
    };
    ([$($name:ident)+] $params:tt -> $returns:tt $body:tt) => {
        $($crate::export!(@value $name $params $returns {} $body);)+
    };
    ([$($name:ident)+] $params:tt $ierror:ident on $on:tt $body:tt) => {
        $($crate::export!(@fortran $name $params $ierror $on {} $body);)+
    };
    ([$($call:ident($($name:ident)+))+] $params:tt -> $returns:tt $body:tt) => {
        $($crate::export!(@values $call [$($name)+] $params $returns $body);)+
    };
    ([$($call:ident($($name:ident)+))+] $params:tt $ierror:ident on $on:tt $body:tt) => {
        $($crate::export!(@calls $call [$($name)+] $params $ierror $on $body);)+
    };
    (@values $call:ident [$($name:ident)+] $params:tt $returns:tt $body:tt) => {
        $($crate::export!(@value $name $params $returns { use crate::c::$call as call; } $body);)+
    };
    (@calls $call:ident [$($name:ident)+] $params:tt $ierror:ident $on:tt $body:tt) => {
        $($crate::export!(@fortran $name $params $ierror $on
            { use crate::c::$call as call; } $body);)+
    };
    (@c $name:ident ($($param:ident: $ty:ty),*) { $($on:tt)* } { $($body:tt)* }) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) -> i32 {
            // SAFETY: the caller gives each argument as MPI declares it.
            #[allow(unused_unsafe)]
            unsafe {
                $crate::wall::code::<A, _>(stringify!($name), || { $($on)* }, || { $($body)* })
            }
        }
    };
    (@value $name:ident ($($param:ident: $ty:ty),*) $returns:tt { $($use:tt)* }
        { $($body:tt)* }) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) -> $returns {
            $($use)*
            // SAFETY: the caller gives each argument as MPI declares it.
            #[allow(unused_unsafe)]
            unsafe {
                $crate::wall::value(stringify!($name), || { $($body)* })
            }
        }
    };
    (@fortran $name:ident ($($param:ident: $ty:ty),*) $ierror:ident { $($on:tt)* }
        { $($use:tt)* } { $($body:tt)* }) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) {
            $($use)*
            // SAFETY: the caller gives each argument as the interface declares it.
            #[allow(unused_unsafe)]
            unsafe {
                let on = || { $($on)* };
                $crate::wall::store::<A, _>(stringify!($name), $ierror, on, || { $($body)* })
            }
        }
    };
}
