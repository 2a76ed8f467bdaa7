//! The languages that a value of an attribute can be for (MPI 5.0, 19.3.7).

use mpi_local::attr::Value;

/// The language in which attributes are read and stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Addresses.
    C,
    /// Numbers.
    Fortran,
}

impl Language {
    /// Returns a value as this language reads it.
    pub fn read(self, value: &Value) -> usize {
        match self {
            Language::C => value.for_c(),
            Language::Fortran => value.for_fortran() as usize,
        }
    }

    /// Returns the value that a function or a call of this language gave.
    pub fn given(self, value: usize) -> Value {
        match self {
            Language::C => Value::Pointer(value),
            Language::Fortran => Value::number(value as i64),
        }
    }
}

/// The value of an attribute that MPI defines: C reads the address of a number, but for what is an
/// address itself; Fortran reads the number.
#[derive(Clone, Copy)]
pub enum Own {
    /// An integer of the runtime or of a window.
    Integer(*const i32),
    /// A size of a window.
    Size(*const i64),
    /// An address.
    Address(usize),
}

impl Own {
    /// Returns the value as a language reads it.
    ///
    /// # Safety
    /// The number is there: it is the runtime's, or that of a window that nobody frees meanwhile.
    pub unsafe fn read(self, language: Language) -> usize {
        match (self, language) {
            (Own::Integer(at), Language::C) => at as usize,
            // SAFETY: as the caller says.
            (Own::Integer(at), Language::Fortran) => i64::from(unsafe { *at }) as usize,
            (Own::Size(at), Language::C) => at as usize,
            // SAFETY: as the caller says.
            (Own::Size(at), Language::Fortran) => unsafe { *at as usize },
            (Own::Address(address), _) => address,
        }
    }
}
