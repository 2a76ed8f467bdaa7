//! User-defined C functions, wrapped so that the layers below can call them.
//!
//! A C function pointer that MPI was given stays valid until the program ends, and may be called
//! from any thread that is inside MPI: MPI requires that of the program (MPI 5.0, 2.9), and the
//! SAFETY notes here rely on it. No table is locked while such a function runs.

use std::ffi::c_void;

use mpi_local::attr::{Functions, Value};
use mpi_local::errhandler::{ErrorFunction, Kind};

use crate::args;
use crate::generated::constants::MPI_SUCCESS;
use crate::language::Language;

/// The function of a user-defined operation (MPI 5.0, 6.9.5).
pub struct OpFunction {
    function: Reduction,
    commutes: bool,
}

type Small = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut args::Datatype);
type Large = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut args::Datatype);

enum Reduction {
    Small(Small),
    Large(Large),
    WithState(LargeWithState, State),
}

/// `MPIX_User_function_x`: a function of an operation that gets a state.
pub type LargeWithState =
    unsafe extern "C" fn(*mut c_void, *mut c_void, i64, args::Datatype, *mut c_void);

/// `MPIX_Destructor_function`.
pub type Destructor = unsafe extern "C" fn(*mut c_void);

/// A pointer that a user gave with a function, to be passed at each call, and what ends it.
pub struct State {
    address: *mut c_void,
    destructor: Option<Destructor>,
}

impl State {
    /// From what the user passed.
    pub fn new(address: *mut c_void, destructor: Option<Destructor>) -> State {
        State {
            address,
            destructor,
        }
    }
}

// SAFETY: the state is the program's, whose functions may be called from any thread that is inside
// MPI.
unsafe impl Send for State {}
// SAFETY: as for `Send`.
unsafe impl Sync for State {}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(destructor) = self.destructor {
            // SAFETY: the user's function, called once, when nothing will use the state.
            unsafe { destructor(self.address) };
        }
    }
}

impl OpFunction {
    /// A function that takes its length as an `int`.
    pub fn small(function: Small, commutes: bool) -> OpFunction {
        OpFunction {
            function: Reduction::Small(function),
            commutes,
        }
    }

    /// A function that takes its length as an `MPI_Count`.
    pub fn large(function: Large, commutes: bool) -> OpFunction {
        OpFunction {
            function: Reduction::Large(function),
            commutes,
        }
    }

    /// A function that takes its length as an `MPI_Count`, and a state.
    pub fn with_state(function: LargeWithState, state: State, commutes: bool) -> OpFunction {
        OpFunction {
            function: Reduction::WithState(function, state),
            commutes,
        }
    }

    /// Whether `a op b` is `b op a`, as the user said.
    pub fn commutes(&self) -> bool {
        self.commutes
    }

    /// `inout[i] = source[i] op inout[i]`. A length beyond `int` is given in several calls to a
    /// function that takes an `int`.
    ///
    /// # Safety
    /// The addresses are those of `count` elements of the datatype with this handle and extent.
    pub unsafe fn run(
        &self,
        source: *mut u8,
        inout: *mut u8,
        count: usize,
        extent: i64,
        handle: args::Datatype,
    ) {
        let mut handle = handle;
        let function = match &self.function {
            Reduction::WithState(function, state) => {
                let length = count as i64;
                // SAFETY: the user's function, called with the state that came with it, on elements
                // that the caller vouches for.
                return unsafe {
                    function(source.cast(), inout.cast(), length, handle, state.address);
                };
            }
            Reduction::Large(function) => {
                let mut length = count as i64;
                // SAFETY: the user's function, called as MPI says, on elements that the caller
                // vouches for.
                return unsafe {
                    function(source.cast(), inout.cast(), &mut length, &mut handle);
                };
            }
            Reduction::Small(function) => function,
        };
        let mut done = 0;
        while done < count {
            let part = (count - done).min(i32::MAX as usize);
            let ahead = (done as i64 * extent) as isize;
            let (from, to) = (source.wrapping_offset(ahead), inout.wrapping_offset(ahead));
            let mut length = part as i32;
            // SAFETY: as above, for a part of the elements.
            unsafe { function(from.cast(), to.cast(), &mut length, &mut handle) };
            done += part;
        }
    }
}

/// A function for copying attributes, whatever the kind of object: handles are all alike to C.
pub type CopyFunction =
    unsafe extern "C" fn(usize, i32, *mut c_void, *mut c_void, *mut c_void, *mut i32) -> i32;

/// A function for deleting attributes, whatever the kind of object.
pub type DeleteFunction = unsafe extern "C" fn(usize, i32, *mut c_void, *mut c_void) -> i32;

/// Addresses of MPI's constants in the position of a copy function (MPI 5.0, A.1.1).
const NULL_COPY: usize = 0;
const DUP: usize = 1;

/// The functions behind an attribute key.
pub struct AttributeFunctions {
    copy: Copy,
    delete: Option<DeleteFunction>,
    language: Language,
    /// The user's value that is passed at each call.
    state: State,
}

enum Copy {
    Not,
    Same,
    Function(CopyFunction),
}

impl AttributeFunctions {
    /// From what the user passed.
    pub fn new(
        copy: Option<CopyFunction>,
        delete: Option<DeleteFunction>,
        language: Language,
        state: State,
    ) -> AttributeFunctions {
        let copy = match copy {
            None => Copy::Not,
            Some(function) => match function as usize {
                NULL_COPY => Copy::Not,
                DUP => Copy::Same,
                _ => Copy::Function(function),
            },
        };
        AttributeFunctions {
            copy,
            delete,
            language,
            state,
        }
    }
}

impl Functions for AttributeFunctions {
    fn copy(&self, object: usize, keyval: i32, value: &Value) -> Result<Option<Value>, i32> {
        let function = match self.copy {
            Copy::Not => return Ok(None),
            Copy::Same => return Ok(Some(value.clone())),
            Copy::Function(function) => function,
        };
        let (mut copied, mut flag) = (0usize, 0);
        let place = (&mut copied as *mut usize).cast();
        let value = self.language.read(value) as *mut c_void;
        // SAFETY: the user's function, called as MPI says (MPI 5.0, 7.7.2), with places for a
        // pointer and an integer.
        match unsafe { function(object, keyval, self.state.address, value, place, &mut flag) } {
            MPI_SUCCESS => Ok((flag != 0).then(|| self.language.given(copied))),
            code => Err(code),
        }
    }

    fn delete(&self, object: usize, keyval: i32, value: &Value) -> Result<(), i32> {
        let Some(function) = self.delete else {
            return Ok(());
        };
        let value = self.language.read(value) as *mut c_void;
        // SAFETY: the user's function, called as MPI says.
        match unsafe { function(object, keyval, value, self.state.address) } {
            MPI_SUCCESS => Ok(()),
            code => Err(code),
        }
    }
}

/// `MPIX_Comm_errhandler_function_x` and its kin: handles are all alike to C.
pub type ErrorFunctionWithState = unsafe extern "C" fn(usize, i32, *mut c_void);

/// A function that handles errors, for one kind of object.
pub enum OnError {
    /// Handler of this kind of objects, with a state.
    WithState(Kind, ErrorFunctionWithState, State),
    /// Handler of communicators.
    Comm(unsafe extern "C" fn(*mut args::Comm, *mut i32, ...)),
    /// Handler of windows.
    Win(unsafe extern "C" fn(*mut args::Win, *mut i32, ...)),
    /// Handler of files.
    File(unsafe extern "C" fn(*mut args::File, *mut i32, ...)),
    /// Handler of sessions.
    Session(unsafe extern "C" fn(*mut args::Session, *mut i32, ...)),
}

impl ErrorFunction for OnError {
    fn kind(&self) -> Kind {
        match self {
            OnError::WithState(kind, ..) => *kind,
            OnError::Comm(_) => Kind::Comm,
            OnError::Win(_) => Kind::Win,
            OnError::File(_) => Kind::File,
            OnError::Session(_) => Kind::Session,
        }
    }

    fn call(&self, handle: usize, code: i32) -> i32 {
        let mut code = code;
        // SAFETY: the user's functions, called as MPI says (MPI 5.0, 9.3), with places that hold
        // a handle and an integer.
        unsafe {
            match self {
                OnError::WithState(_, function, state) => function(handle, code, state.address),
                OnError::Comm(function) => function(&mut args::Comm(handle), &mut code),
                OnError::Win(function) => function(&mut args::Win(handle), &mut code),
                OnError::File(function) => function(&mut args::File(handle), &mut code),
                OnError::Session(function) => function(&mut args::Session(handle), &mut code),
            }
        }
        code
    }
}
