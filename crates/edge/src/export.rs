//! [`crate::export!`]: the macro that makes exported functions of rows.

/// Exports one function under several names, behind the [wall](crate::wall), for the interface `A`
/// where it is used. All names jump to one body.
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
#[allow(
    clippy::crate_in_macro_def,
    reason = "`crate::c` is the library that exports"
)]
#[macro_export]
macro_rules! export {
    ([$first:ident $($name:ident)*] $params:tt on $on:tt $body:tt) => {
        $crate::export!(@body $first $params -> i32 {} {
            $crate::wall::code::<A, _>(stringify!($first), || $on, || $body)
        } [$first $($name)*]);
    };
    ([$first:ident $($name:ident)*] $params:tt -> $returns:tt $body:tt) => {
        $crate::export!(@body $first $params -> $returns {} {
            $crate::wall::value(stringify!($first), || $body)
        } [$first $($name)*]);
    };
    ([$first:ident $($name:ident)*] $params:tt $ierror:ident on $on:tt $body:tt) => {
        $crate::export!(@body $first $params -> () {} {
            $crate::wall::store::<A, _>(stringify!($first), $ierror, || $on, || $body)
        } [$first $($name)*]);
    };
    ([$($call:ident($first:ident $($name:ident)*))+] $params:tt -> $returns:tt $body:tt) => {
        $($crate::export!(@body $first $params -> $returns { use crate::c::$call as call; } {
            $crate::wall::value(stringify!($first), || $body)
        } [$first $($name)*]);)+
    };
    ([$($call:ident($first:ident $($name:ident)*))+] $params:tt $ierror:ident on $on:tt
        $body:tt) => {
        $($crate::export!(@body $first $params -> () { use crate::c::$call as call; } {
            $crate::wall::store::<A, _>(stringify!($first), $ierror, || $on, || $body)
        } [$first $($name)*]);)+
    };
    (@body $first:ident ($($param:ident: $ty:ty),*) -> $returns:tt { $($use:tt)* } $body:block
        $names:tt) => {
        const _: () = {
            $($use)*
            #[allow(unused_braces)]
            unsafe extern "C" fn body($($param: $ty),*) -> $returns {
                // SAFETY: the caller gives each argument as MPI or the interface declares it.
                #[allow(unused_unsafe)]
                unsafe { $body }
            }

            $crate::export!(@names $names ($($param: $ty),*) -> $returns);
        };
    };
    (@names [$($name:ident)+] $params:tt -> $returns:tt) => {
        $($crate::export!(@name $name $params -> $returns);)+
    };
    (@name $name:ident ($($param:ident: $ty:ty),*) -> $returns:tt) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) -> $returns {
            // SAFETY: the arguments are passed on as they came.
            unsafe { body($($param),*) }
        }
    };
}
