//! The macro that turns rows into exported functions.

/// Defines the entry points of a routine: for each C function, the Fortran names that call it.
///
/// A row has the parameters, the name of the one for the error code, what choice buffers become,
/// and the C arguments. What an argument writes back it writes when it is dropped, at the end of
/// the statement of the call. A row may begin with `with NAME = VALUE`: what several arguments use.
/// `stages NAME` names the request whose buffers may be copies.
macro_rules! entry {
    ([$($c:ident($($name:ident)+))+] $params:tt $ierror:ident $rest:tt) => {
        $(entry!(@names $c [$($name)+] $params $ierror $rest);)+
    };
    (@names $c:ident [$($name:ident)+] $params:tt $ierror:ident $rest:tt) => {
        $(entry!(@one $c $name $params $ierror $rest);)+
    };
    (@one $c:ident $name:ident ($($param:ident: $ty:ty),*) $ierror:ident
        [($($argument:expr),*)]) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let code = c::$c($($argument),*);
                $crate::convert::finish($ierror, code);
            }
        }
    };
    (@one $c:ident $name:ident ($($param:ident: $ty:ty),*) $ierror:ident
        [with $shared:ident = $made:expr; ($($argument:expr),*)]) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                let $shared = $made;
                let code = c::$c($($argument),*);
                $crate::convert::finish($ierror, code);
            }
        }
    };
    (@one $c:ident $name:ident ($($param:ident: $ty:ty),*) $ierror:ident
        [on $on:block { $($buffer:ident = $made:expr);* } ($($argument:expr),*)]) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                $(
                    let $buffer = $made;
                    if let Some(why) = $buffer.refusal() {
                        let code = $crate::section::refuse(stringify!($c), $on, why);
                        return $crate::convert::finish($ierror, code);
                    }
                )*
                let code = c::$c($($argument),*);
                $crate::convert::finish($ierror, code);
            }
        }
    };
    (@one $c:ident $name:ident ($($param:ident: $ty:ty),*) $ierror:ident
        [on $on:block stages $request:ident { $($buffer:ident = $made:expr);* }
        ($($argument:expr),*)]) => {
        #[no_mangle]
        unsafe extern "C" fn $name($($param: $ty),*) {
            // SAFETY: the caller gives each argument as the interface declares it.
            unsafe {
                $(
                    let mut $buffer = $made;
                    if let Some(why) = $buffer.refusal() {
                        let code = $crate::section::refuse(stringify!($c), $on, why);
                        return $crate::convert::finish($ierror, code);
                    }
                )*
                let code = c::$c($($argument),*);
                if code == $crate::generated::constants::MPI_SUCCESS {
                    $crate::section::stage(handle($request), [$($buffer.take_staged()),*]);
                }
                $crate::convert::finish($ierror, code);
            }
        }
    };
}

pub(crate) use entry;
