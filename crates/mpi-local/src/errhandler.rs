//! Error handlers (MPI 5.0, 9.3).
//!
//! An [`Errhandler`] is attached to a communicator, window, file or session; copies share the
//! program's function. A call that meets an error finds the handler, releases every lock, and then
//! acts on it.

use std::fmt;
use std::sync::Arc;

use mca::Registry;

/// Reaction to an error, as the program wants it.
#[derive(Clone)]
pub enum Errhandler {
    /// The job ends (`MPI_ERRORS_ARE_FATAL`).
    Fatal,
    /// The processes of the object end (`MPI_ERRORS_ABORT`).
    Abort,
    /// The call returns the error code (`MPI_ERRORS_RETURN`).
    Return,
    /// A function of the program runs, and then the call returns the error code.
    User(Arc<dyn ErrorFunction>),
}

/// A function that the program made an error handler of.
pub trait ErrorFunction: Send + Sync {
    /// The kind of object it is for.
    fn kind(&self) -> Kind;

    /// Runs the function for the object of this handle, and gives the code that the failed call
    /// returns: `code`, unless the function changed it. It may call MPI, so no lock is held.
    fn call(&self, handle: usize, code: i32) -> i32;
}

/// The kinds of objects that error handlers are attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The variants are MPI's objects.
pub enum Kind {
    Comm,
    Win,
    File,
    Session,
}

impl Kind {
    /// The object's name, for error texts.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Comm => "communicator",
            Kind::Win => "window",
            Kind::File => "file",
            Kind::Session => "session",
        }
    }
}

/// The parameter that names the initial error handler; the value is also that of the key of this
/// name in `MPI_INFO_ENV` (MPI 5.0, 9.3 and 11.2.1).
pub const INITIAL: &str = "mpi_initial_errhandler";

/// The values of [`INITIAL`], as MPI spells them.
pub const INITIAL_WORDS: [&str; 3] = [
    "mpi_errors_are_fatal",
    "mpi_errors_abort",
    "mpi_errors_return",
];

impl Errhandler {
    /// Returns the handler that [`INITIAL`] names.
    pub fn initial(registry: &Registry) -> Errhandler {
        match registry.choice(INITIAL) {
            "mpi_errors_return" => Errhandler::Return,
            "mpi_errors_abort" => Errhandler::Abort,
            _ => Errhandler::Fatal,
        }
    }

    /// Returns the value of [`INITIAL`] that names this handler; `None` for a function.
    pub fn word(&self) -> Option<&'static str> {
        let [fatal, abort, returns] = INITIAL_WORDS;
        match self {
            Errhandler::Fatal => Some(fatal),
            Errhandler::Abort => Some(abort),
            Errhandler::Return => Some(returns),
            Errhandler::User(_) => None,
        }
    }

    /// Whether the handler may be attached to an object of a kind.
    pub fn suits(&self, kind: Kind) -> bool {
        match self {
            Errhandler::User(function) => function.kind() == kind,
            _ => true,
        }
    }

    /// Whether both are one handler.
    pub fn same(&self, other: &Errhandler) -> bool {
        match (self, other) {
            (Errhandler::User(a), Errhandler::User(b)) => Arc::ptr_eq(a, b),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

impl fmt::Debug for Errhandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Errhandler::Fatal => "MPI_ERRORS_ARE_FATAL",
            Errhandler::Abort => "MPI_ERRORS_ABORT",
            Errhandler::Return => "MPI_ERRORS_RETURN",
            Errhandler::User(_) => "a function of the program",
        })
    }
}
