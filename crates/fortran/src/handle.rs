//! Handles: a Fortran handle is an INTEGER, and a C handle of the same kind is what
//! `MPI_X_fromint` makes of it. Those of predefined objects have the same number in both.

use crate::generated::types::*;

/// Numbers below this are those of the ABI's constants (MPI 5.0, 20.3).
const FIRST_FREE: usize = 0x1000;

/// A kind of handle.
pub trait Handle: Copy {
    /// The value that C never gives, in a place where C may or may not write.
    const UNWRITTEN: Self;
    /// Returns C's handle.
    fn from_fortran(number: i32) -> Self;
    /// Returns Fortran's handle.
    fn to_fortran(self) -> i32;
    /// Returns the bits of C's handle.
    fn bits(self) -> usize;
}

extern "C" {
    fn PMPI_Comm_fromint(number: i32) -> Comm;
    fn PMPI_Comm_toint(handle: Comm) -> i32;
    fn PMPI_Group_fromint(number: i32) -> Group;
    fn PMPI_Group_toint(handle: Group) -> i32;
    fn PMPI_Type_fromint(number: i32) -> Datatype;
    fn PMPI_Type_toint(handle: Datatype) -> i32;
    fn PMPI_Op_fromint(number: i32) -> Op;
    fn PMPI_Op_toint(handle: Op) -> i32;
    fn PMPI_Request_fromint(number: i32) -> Request;
    fn PMPI_Request_toint(handle: Request) -> i32;
    fn PMPI_Message_fromint(number: i32) -> Message;
    fn PMPI_Message_toint(handle: Message) -> i32;
    fn PMPI_Errhandler_fromint(number: i32) -> Errhandler;
    fn PMPI_Errhandler_toint(handle: Errhandler) -> i32;
    fn PMPI_Info_fromint(number: i32) -> Info;
    fn PMPI_Info_toint(handle: Info) -> i32;
    fn PMPI_Win_fromint(number: i32) -> Win;
    fn PMPI_Win_toint(handle: Win) -> i32;
    fn PMPI_File_fromint(number: i32) -> File;
    fn PMPI_File_toint(handle: File) -> i32;
    fn PMPI_Session_fromint(number: i32) -> Session;
    fn PMPI_Session_toint(handle: Session) -> i32;
}

macro_rules! handles {
    ($($kind:ident $from:ident $to:ident;)*) => {
        $(impl Handle for $kind {
            const UNWRITTEN: Self = $kind(usize::MAX);

            #[inline(always)]
            fn from_fortran(number: i32) -> Self {
                if (number as u32 as usize) < FIRST_FREE {
                    return $kind(number as usize);
                }
                // SAFETY: C takes any number, and gives a handle that names nothing for a bad one.
                unsafe { $from(number) }
            }

            #[inline]
            fn to_fortran(self) -> i32 {
                if self.0 < FIRST_FREE {
                    return self.0 as i32;
                }
                // SAFETY: C takes any handle.
                unsafe { $to(self) }
            }

            fn bits(self) -> usize {
                self.0
            }
        })*
    };
}

handles! {
    Comm PMPI_Comm_fromint PMPI_Comm_toint;
    Group PMPI_Group_fromint PMPI_Group_toint;
    Datatype PMPI_Type_fromint PMPI_Type_toint;
    Op PMPI_Op_fromint PMPI_Op_toint;
    Request PMPI_Request_fromint PMPI_Request_toint;
    Message PMPI_Message_fromint PMPI_Message_toint;
    Errhandler PMPI_Errhandler_fromint PMPI_Errhandler_toint;
    Info PMPI_Info_fromint PMPI_Info_toint;
    Win PMPI_Win_fromint PMPI_Win_toint;
    File PMPI_File_fromint PMPI_File_toint;
    Session PMPI_Session_fromint PMPI_Session_toint;
}

/// Returns C's handle for the one at an address.
///
/// # Safety
/// The address is that of an INTEGER.
#[inline(always)]
pub unsafe fn handle<H: Handle>(at: *const i32) -> H {
    // SAFETY: as the caller says.
    H::from_fortran(unsafe { *at })
}

/// A handle that C gives.
pub struct HandleOut<H: Handle> {
    at: *mut i32,
    written: H,
}

impl<H: Handle> HandleOut<H> {
    /// `at` is the address of an INTEGER, which is written when this is dropped.
    #[inline]
    pub fn new(at: *mut i32) -> Self {
        let written = H::UNWRITTEN;
        HandleOut { at, written }
    }

    /// Returns where C writes.
    #[inline]
    pub fn c(&mut self) -> *mut H {
        &mut self.written
    }
}

impl<H: Handle> Drop for HandleOut<H> {
    #[inline]
    fn drop(&mut self) {
        if self.written.bits() != H::UNWRITTEN.bits() {
            // SAFETY: the caller of the entry gave the address of an INTEGER.
            unsafe { *self.at = self.written.to_fortran() };
        }
    }
}

/// A handle that C changes.
pub struct HandleInOut<H: Handle> {
    at: *mut i32,
    before: H,
    written: H,
}

impl<H: Handle> HandleInOut<H> {
    /// # Safety
    /// `at` is the address of an INTEGER, which is written when this is dropped.
    #[inline]
    pub unsafe fn new(at: *mut i32) -> Self {
        // SAFETY: as the caller says.
        let before = unsafe { handle(at) };
        HandleInOut {
            at,
            before,
            written: before,
        }
    }

    /// Returns where C writes.
    #[inline]
    pub fn c(&mut self) -> *mut H {
        &mut self.written
    }
}

impl<H: Handle> Drop for HandleInOut<H> {
    #[inline]
    fn drop(&mut self) {
        if self.written.bits() != self.before.bits() {
            // SAFETY: the caller of the entry gave the address of an INTEGER.
            unsafe { *self.at = self.written.to_fortran() };
        }
    }
}

/// Handles that C reads.
pub struct Handles<H>(Vec<H>);

impl<H: Handle> Handles<H> {
    /// # Safety
    /// `at` is the address of this many INTEGER.
    pub unsafe fn new(at: *const i32, length: usize) -> Self {
        // SAFETY: as the caller says.
        Handles((0..length).map(|i| unsafe { handle(at.add(i)) }).collect())
    }

    /// Returns C's array.
    pub fn c(&self) -> *const H {
        self.0.as_ptr()
    }
}

/// Handles that C gives, and that it may leave alone.
pub struct HandlesOut<H: Handle> {
    at: *mut i32,
    written: Vec<H>,
}

impl<H: Handle> HandlesOut<H> {
    /// `at` is the address of this many INTEGER, which are written when this is dropped.
    pub fn new(at: *mut i32, length: usize) -> Self {
        let written = vec![H::UNWRITTEN; length];
        HandlesOut { at, written }
    }

    /// Returns where C writes.
    pub fn c(&mut self) -> *mut H {
        self.written.as_mut_ptr()
    }
}

impl<H: Handle> Drop for HandlesOut<H> {
    fn drop(&mut self) {
        for (i, handle) in self.written.iter().enumerate() {
            if handle.bits() != H::UNWRITTEN.bits() {
                // SAFETY: the caller of the entry gave an array of this length.
                unsafe { *self.at.add(i) = handle.to_fortran() };
            }
        }
    }
}

/// Handles that C changes.
pub struct HandlesInOut<H: Handle> {
    at: *mut i32,
    before: Vec<H>,
    written: Vec<H>,
}

impl<H: Handle> HandlesInOut<H> {
    /// # Safety
    /// `at` is the address of this many INTEGER, which are written when this is dropped.
    pub unsafe fn new(at: *mut i32, length: usize) -> Self {
        // SAFETY: as the caller says.
        let before: Vec<H> = (0..length).map(|i| unsafe { handle(at.add(i)) }).collect();
        HandlesInOut {
            at,
            written: before.clone(),
            before,
        }
    }

    /// Returns where C writes.
    pub fn c(&mut self) -> *mut H {
        self.written.as_mut_ptr()
    }
}

impl<H: Handle> Drop for HandlesInOut<H> {
    fn drop(&mut self) {
        let both = self.before.iter().zip(&self.written);
        for (i, (before, written)) in both.enumerate() {
            if before.bits() != written.bits() {
                // SAFETY: the caller of the entry gave an array of this length.
                unsafe { *self.at.add(i) = written.to_fortran() };
            }
        }
    }
}
