//! Handles, alone and in arrays.

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

/// A handle that MPI gives.
pub struct HandleOut<A: Abi, K: Kind> {
    at: *mut K::Raw<A>,
    written: K,
}

impl<A: Abi, K: Kind> HandleOut<A, K> {
    /// `at` is null or the address of a handle, which is written when this is dropped.
    #[inline]
    pub fn new(at: *mut K::Raw<A>) -> Self {
        let written = K::UNWRITTEN;
        HandleOut { at, written }
    }

    /// Returns where MPI writes.
    #[inline]
    pub fn c(&mut self) -> *mut K {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => &mut self.written,
        }
    }
}

impl<A: Abi, K: Kind> Drop for HandleOut<A, K> {
    #[inline]
    fn drop(&mut self) {
        if self.written != K::UNWRITTEN {
            // SAFETY: the caller of the entry gave the address of a handle.
            unsafe { *self.at = self.written.encode::<A>() };
        }
    }
}

/// A handle that MPI changes.
pub struct HandleInOut<A: Abi, K: Kind> {
    at: *mut K::Raw<A>,
    before: K,
    written: K,
}

impl<A: Abi, K: Kind> HandleInOut<A, K> {
    /// # Safety
    /// `at` is null or the address of a handle, which is written when this is dropped.
    #[inline]
    pub unsafe fn new(at: *mut K::Raw<A>) -> Self {
        let before = match at.is_null() {
            true => K::UNWRITTEN,
            // SAFETY: as the caller says.
            false => K::decode::<A>(unsafe { *at }),
        };
        HandleInOut {
            at,
            before,
            written: before,
        }
    }

    /// Returns where MPI writes.
    #[inline]
    pub fn c(&mut self) -> *mut K {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => &mut self.written,
        }
    }
}

impl<A: Abi, K: Kind> Drop for HandleInOut<A, K> {
    #[inline]
    fn drop(&mut self) {
        if self.written != self.before {
            // SAFETY: the caller of the entry gave the address of a handle.
            unsafe { *self.at = self.written.encode::<A>() };
        }
    }
}

/// Handles that MPI reads.
pub struct Handles<A, K> {
    list: Option<Vec<K>>,
    interface: std::marker::PhantomData<A>,
}

impl<A: Abi, K: Kind> Handles<A, K> {
    /// # Safety
    /// `at` is null or the address of this many handles.
    pub unsafe fn new(at: *const K::Raw<A>, length: usize) -> Self {
        let list = (!at.is_null()).then(|| {
            // SAFETY: as the caller says.
            let decode = |i| K::decode::<A>(unsafe { *at.add(i) });
            (0..length).map(decode).collect()
        });
        Handles {
            list,
            interface: std::marker::PhantomData,
        }
    }

    /// Returns the standard's array.
    pub fn c(&self) -> *const K {
        self.list
            .as_ref()
            .map_or(std::ptr::null(), |list| list.as_ptr())
    }
}

/// Handles that MPI gives, and that it may leave alone.
pub struct HandlesOut<A: Abi, K: Kind> {
    at: *mut K::Raw<A>,
    written: Vec<K>,
}

impl<A: Abi, K: Kind> HandlesOut<A, K> {
    /// `at` is null or the address of this many handles, which are written when this is dropped.
    pub fn new(at: *mut K::Raw<A>, length: usize) -> Self {
        let length = if at.is_null() { 0 } else { length };
        let written = vec![K::UNWRITTEN; length];
        HandlesOut { at, written }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut K {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => self.written.as_mut_ptr(),
        }
    }
}

impl<A: Abi, K: Kind> Drop for HandlesOut<A, K> {
    fn drop(&mut self) {
        for (i, handle) in self.written.iter().enumerate() {
            if *handle != K::UNWRITTEN {
                // SAFETY: the caller of the entry gave an array of this length.
                unsafe { *self.at.add(i) = handle.encode::<A>() };
            }
        }
    }
}

/// Handles that MPI changes.
pub struct HandlesInOut<A: Abi, K: Kind> {
    at: *mut K::Raw<A>,
    before: Vec<K>,
    written: Vec<K>,
}

impl<A: Abi, K: Kind> HandlesInOut<A, K> {
    /// # Safety
    /// `at` is null or the address of this many handles, which are written when this is dropped.
    pub unsafe fn new(at: *mut K::Raw<A>, length: usize) -> Self {
        let length = if at.is_null() { 0 } else { length };
        // SAFETY: as the caller says.
        let decode = |i| K::decode::<A>(unsafe { *at.add(i) });
        let before: Vec<K> = (0..length).map(decode).collect();
        HandlesInOut {
            at,
            written: before.clone(),
            before,
        }
    }

    /// Returns where MPI writes.
    pub fn c(&mut self) -> *mut K {
        match self.at.is_null() {
            true => std::ptr::null_mut(),
            false => self.written.as_mut_ptr(),
        }
    }
}

impl<A: Abi, K: Kind> Drop for HandlesInOut<A, K> {
    fn drop(&mut self) {
        let both = self.before.iter().zip(&self.written);
        for (i, (before, written)) in both.enumerate() {
            if before != written {
                // SAFETY: the caller of the entry gave an array of this length.
                unsafe { *self.at.add(i) = written.encode::<A>() };
            }
        }
    }
}
