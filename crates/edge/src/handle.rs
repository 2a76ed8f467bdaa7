//! Handles, alone and in arrays.

use std::marker::PhantomData;

use crate::argument::{Form, ValueInOut, ValueOut, ValuesIn, ValuesInOut, ValuesOut};
use crate::generated::c;
use crate::generated::types::*;
use crate::generated::values as table;
use crate::interface::{Abi, Kind};
use crate::lookup::Lookup;

/// Handles of the standard below this are those of its constants (MPI 5.0, 20.3), and so are the
/// integers of `MPI_X_toint`.
pub const FIRST_FREE: usize = 0x1000;

/// A handle of an interface.
pub type Handle<A> = <A as Abi>::Handle;

macro_rules! kinds {
    ($($kind:ident $from:ident $to:ident $mpich:ident $fortran:ident
        $raw:ident $decode:ident $encode:ident;)*) => {
        $(impl Kind for $kind {
            type Raw<A: Abi> = A::$raw;
            const UNWRITTEN: Self = $kind(usize::MAX);
            const MPICH: &'static Lookup = &Lookup::new(table::$mpich);
            const FORTRAN: &'static Lookup = &Lookup::new(table::$fortran);

            #[inline(always)]
            fn new(bits: usize) -> Self {
                $kind(bits)
            }

            #[inline(always)]
            fn bits(self) -> usize {
                self.0
            }

            #[inline]
            fn from_int(number: i32) -> Self {
                if (number as u32 as usize) < FIRST_FREE {
                    return $kind(number as usize);
                }
                // SAFETY: any number may be passed.
                unsafe { c::$from(number) }
            }

            #[inline]
            fn to_int(self) -> i32 {
                if self.0 < FIRST_FREE {
                    return self.0 as i32;
                }
                // SAFETY: any handle may be passed.
                unsafe { c::$to(self) }
            }

            #[inline(always)]
            fn decode<A: Abi>(raw: A::$raw) -> Self {
                A::$decode(raw)
            }

            #[inline(always)]
            fn encode<A: Abi>(self) -> A::$raw {
                A::$encode(self)
            }
        })*
    };
}

kinds! {
    Comm comm_fromint comm_toint COMM_HANDLES COMM_FORTRAN Handle decode encode;
    Group group_fromint group_toint GROUP_HANDLES GROUP_FORTRAN Handle decode encode;
    Datatype type_fromint type_toint DATATYPE_HANDLES DATATYPE_FORTRAN Handle decode encode;
    Op op_fromint op_toint OP_HANDLES OP_FORTRAN Handle decode encode;
    Request request_fromint request_toint REQUEST_HANDLES REQUEST_FORTRAN Handle decode encode;
    Message message_fromint message_toint MESSAGE_HANDLES MESSAGE_FORTRAN Handle decode encode;
    Errhandler errhandler_fromint errhandler_toint ERRHANDLER_HANDLES ERRHANDLER_FORTRAN
        Handle decode encode;
    Info info_fromint info_toint INFO_HANDLES INFO_FORTRAN Handle decode encode;
    Win win_fromint win_toint WIN_HANDLES WIN_FORTRAN Handle decode encode;
    Session session_fromint session_toint SESSION_HANDLES SESSION_FORTRAN Handle decode encode;
    File file_fromint file_toint FILE_HANDLES FILE_FORTRAN File decode_file encode_file;
}

/// Returns the standard's handle.
#[inline(always)]
pub fn handle_in<A: Abi, K: Kind>(raw: K::Raw<A>) -> K {
    K::decode::<A>(raw)
}

/// The form of a handle of an interface.
pub struct HandleForm<A, K>(PhantomData<(A, K)>);

impl<A, K> Clone for HandleForm<A, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, K> Copy for HandleForm<A, K> {}

impl<A, K> Default for HandleForm<A, K> {
    #[inline(always)]
    fn default() -> Self {
        HandleForm(PhantomData)
    }
}

impl<A: Abi, K: Kind> Form for HandleForm<A, K> {
    type Standard = K;
    type Native = K::Raw<A>;
    const UNWRITTEN: K = K::UNWRITTEN;

    #[inline(always)]
    fn standard(self, native: K::Raw<A>) -> K {
        K::decode::<A>(native)
    }

    #[inline(always)]
    fn native(self, standard: K) -> K::Raw<A> {
        standard.encode::<A>()
    }
}

/// A handle that MPI gives.
pub type HandleOut<A, K> = ValueOut<HandleForm<A, K>>;
/// A handle that MPI changes.
pub type HandleInOut<A, K> = ValueInOut<HandleForm<A, K>>;
/// Handles that MPI reads.
pub type Handles<A, K> = ValuesIn<HandleForm<A, K>>;
/// Handles that MPI gives, and that it may leave alone.
pub type HandlesOut<A, K> = ValuesOut<HandleForm<A, K>>;
/// Handles that MPI changes.
pub type HandlesInOut<A, K> = ValuesInOut<HandleForm<A, K>>;
