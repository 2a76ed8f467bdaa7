//! Failures of calls: the error code and text, and the object whose error handler is called.

use std::ops::Deref;

use crate::args::{Comm, Errhandler, File, Session, Win};

/// An MPI error on its way from a call to the wall.
///
/// One machine word, so that what a call returns when all is well stays in registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure(Box<Facts>);

/// Contents of a [`Failure`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The error code that the caller gets: an error class, or a code that the user added.
    pub code: i32,
    /// The object, the value and what to do, without the name of the function.
    pub text: String,
    /// The object whose error handler is meant, where the entry point cannot know (a wait learns it
    /// from the request). `None`: the object that the entry point was called on.
    pub on: Option<On>,
    /// Whether it is about a process of another job, whose end this one's launcher does not see.
    pub is_elsewhere: bool,
}

impl Deref for Failure {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

/// The object whose error handler an error goes to (MPI 5.0, 9.3). The handle is what the user
/// passed: where it names nothing, the error goes to `MPI_COMM_SELF`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// A communicator.
    Comm(Comm),
    /// A window.
    Win(Win),
    /// A file.
    File(File),
    /// A file that is not open yet: the handler of `MPI_FILE_NULL`.
    NoFile,
    /// A session.
    Session(Session),
    /// The error handler that the call was given, for the object that it did not make.
    Handler(Errhandler),
    /// No object: the handler of `MPI_COMM_SELF`, or that of `MPI_COMM_WORLD` where the program
    /// set none for `MPI_COMM_SELF`, or before `MPI_Init` the initial one.
    Nothing,
}

impl Failure {
    /// A failure of class (or code) `code`, for the object that the entry point was called on.
    pub fn new(code: i32, text: impl Into<String>) -> Failure {
        Failure(Box::new(Facts {
            code,
            text: base::system::plain(text),
            on: None,
            is_elsewhere: false,
        }))
    }

    /// Sets the object whose error handler is meant.
    pub fn on(mut self, on: On) -> Failure {
        self.0.on = Some(on);
        self
    }

    /// Adds the communicator's name to the text.
    pub fn naming(mut self, comm: &str) -> Failure {
        if !self.text.contains(comm) {
            self.0.text += &format!(" (communicator {comm})");
        }
        self
    }

    /// Names processes of other worlds as the user knows them.
    pub fn spelled_out(mut self, process: &mpi::Process) -> Failure {
        if let Some(spelled) = mpi_dynamic::spell_out(process, &self.text) {
            self.0.text = spelled.text;
            self.0.is_elsewhere = !spelled.same_launcher;
        }
        self
    }

    /// Returns it as an error of the layers below, for those who wait for this process and get
    /// it there.
    pub fn into_error(self) -> mpi::Error {
        mpi::Error::user(self.code, self.0.text)
    }

    /// Replaces the code.
    pub fn coded(mut self, code: i32) -> Failure {
        self.0.code = code;
        self
    }
}

impl From<mpi::Error> for Failure {
    #[cold]
    fn from(error: mpi::Error) -> Failure {
        Failure::new(error.code(), error.text)
    }
}

impl From<datatype::Error> for Failure {
    #[cold]
    fn from(error: datatype::Error) -> Failure {
        mpi::Error::from(error).into()
    }
}

/// The name of an error class (`MPI_ERR_COMM`), or `None` for a code that the user added.
pub fn class_name(class: i32) -> Option<&'static str> {
    mpi::Class::from_code(class).map(mpi::Class::name)
}
