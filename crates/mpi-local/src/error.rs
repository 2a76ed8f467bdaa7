//! MPI errors: an error class and a sentence; and the error codes that a program adds.
//!
//! All errors of the layers below are given an MPI error class here.

use std::collections::BTreeMap;
use std::fmt;
use std::thread::{self, ThreadId};

use base::system::plain;
use base::PeerId;

/// Why a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The error class (MPI 5.0, 9.4).
    pub class: Class,
    /// The object, the value and what to do, without the name of the function.
    pub text: String,
    /// The code that a function of the program returned, where that was the cause.
    user_code: Option<i32>,
}

macro_rules! classes {
    ($($class:ident = $value:literal, $name:literal, $text:literal;)*) => {
        /// The error classes of MPI 5.0, 9.4; the values are those of the standard ABI.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(i32)]
        #[allow(missing_docs)] // The variants are the constants MPI_ERR_x.
        pub enum Class {
            $($class = $value,)*
        }

        impl Class {
            /// Every error class, by rising value.
            pub const ALL: &'static [Class] = &[$(Class::$class,)*];

            /// The name of the constant.
            pub fn name(self) -> &'static str {
                match self {
                    $(Class::$class => $name,)*
                }
            }

            /// Meaning of the class, as `MPI_Error_string` returns it.
            pub fn text(self) -> &'static str {
                match self {
                    $(Class::$class => concat!($name, ": ", $text),)*
                }
            }
        }
    };
}

classes! {
    Success = 0, "MPI_SUCCESS", "no error";
    Buffer = 1, "MPI_ERR_BUFFER", "the buffer address is not valid";
    Count = 2, "MPI_ERR_COUNT", "the count is not valid";
    Type = 3, "MPI_ERR_TYPE", "the datatype is not valid";
    Tag = 4, "MPI_ERR_TAG", "the tag is not valid";
    Comm = 5, "MPI_ERR_COMM", "the communicator is not valid";
    Rank = 6, "MPI_ERR_RANK", "the rank is not valid";
    Request = 7, "MPI_ERR_REQUEST", "the request is not valid";
    Root = 8, "MPI_ERR_ROOT", "the root is not valid";
    Group = 9, "MPI_ERR_GROUP", "the group is not valid";
    Op = 10, "MPI_ERR_OP", "the operation is not valid";
    Topology = 11, "MPI_ERR_TOPOLOGY", "the topology is not valid";
    Dims = 12, "MPI_ERR_DIMS", "the dimensions are not valid";
    Arg = 13, "MPI_ERR_ARG", "an argument is not valid";
    Unknown = 14, "MPI_ERR_UNKNOWN", "an error that is not known";
    Truncate = 15, "MPI_ERR_TRUNCATE", "the message is longer than the receive buffer";
    Other = 16, "MPI_ERR_OTHER", "an error that no other class describes";
    Intern = 17, "MPI_ERR_INTERN", "a fault in the MPI library";
    Pending = 18, "MPI_ERR_PENDING", "the request is neither complete nor failed";
    InStatus = 19, "MPI_ERR_IN_STATUS", "the error of each request is in its status";
    Access = 20, "MPI_ERR_ACCESS", "the file may not be accessed so";
    Amode = 21, "MPI_ERR_AMODE", "the mode of opening the file is not valid";
    Assert = 22, "MPI_ERR_ASSERT", "the assertion is not valid";
    BadFile = 23, "MPI_ERR_BAD_FILE", "the file name is not valid";
    Base = 24, "MPI_ERR_BASE", "the base address was not given by MPI_Alloc_mem";
    Conversion = 25, "MPI_ERR_CONVERSION", "a data conversion function failed";
    Disp = 26, "MPI_ERR_DISP", "the displacement is not valid";
    DupDatarep = 27, "MPI_ERR_DUP_DATAREP", "the data representation is defined already";
    FileExists = 28, "MPI_ERR_FILE_EXISTS", "the file exists";
    FileInUse = 29, "MPI_ERR_FILE_IN_USE", "the file is in use";
    File = 30, "MPI_ERR_FILE", "the file handle is not valid";
    InfoKey = 31, "MPI_ERR_INFO_KEY", "the info key is too long or empty";
    InfoNokey = 32, "MPI_ERR_INFO_NOKEY", "the info object has no such key";
    InfoValue = 33, "MPI_ERR_INFO_VALUE", "the info value is too long or not valid";
    Info = 34, "MPI_ERR_INFO", "the info object is not valid";
    Io = 35, "MPI_ERR_IO", "input or output failed";
    Keyval = 36, "MPI_ERR_KEYVAL", "the attribute key is not valid";
    Locktype = 37, "MPI_ERR_LOCKTYPE", "the lock type is not valid";
    Name = 38, "MPI_ERR_NAME", "the service name is not published";
    NoMem = 39, "MPI_ERR_NO_MEM", "there is not enough memory";
    NotSame = 40, "MPI_ERR_NOT_SAME", "the processes passed different arguments";
    NoSpace = 41, "MPI_ERR_NO_SPACE", "there is not enough space on the device";
    NoSuchFile = 42, "MPI_ERR_NO_SUCH_FILE", "the file does not exist";
    Port = 43, "MPI_ERR_PORT", "the port name is not valid";
    Quota = 44, "MPI_ERR_QUOTA", "the quota is used up";
    ReadOnly = 45, "MPI_ERR_READ_ONLY", "the file or file system is read-only";
    RmaAttach = 46, "MPI_ERR_RMA_ATTACH", "the memory cannot be attached to the window";
    RmaConflict = 47, "MPI_ERR_RMA_CONFLICT", "accesses to the window conflict";
    RmaRange = 48, "MPI_ERR_RMA_RANGE", "the target memory is not part of the window";
    RmaShared = 49, "MPI_ERR_RMA_SHARED", "the memory cannot be shared";
    RmaSync = 50, "MPI_ERR_RMA_SYNC", "the window is synchronised wrongly";
    Service = 51, "MPI_ERR_SERVICE", "the service name cannot be published, looked up or removed";
    Size = 52, "MPI_ERR_SIZE", "the size is not valid";
    Spawn = 53, "MPI_ERR_SPAWN", "processes could not be started";
    UnsupportedDatarep = 54, "MPI_ERR_UNSUPPORTED_DATAREP",
        "the data representation is not supported";
    UnsupportedOperation = 55, "MPI_ERR_UNSUPPORTED_OPERATION", "the operation is not supported";
    Win = 56, "MPI_ERR_WIN", "the window is not valid";
    RmaFlavor = 57, "MPI_ERR_RMA_FLAVOR", "the window is of the wrong flavor";
    ProcAborted = 58, "MPI_ERR_PROC_ABORTED", "a process has aborted";
    ValueTooLarge = 59, "MPI_ERR_VALUE_TOO_LARGE", "a value does not fit its argument";
    Session = 60, "MPI_ERR_SESSION", "the session is not valid";
    Errhandler = 61, "MPI_ERR_ERRHANDLER", "the error handler is not valid";
    Abi = 62, "MPI_ERR_ABI", "the ABI does not allow it";
    ProcFailed = 101, "MPIX_ERR_PROC_FAILED", "a process has failed";
    ProcFailedPending = 102, "MPIX_ERR_PROC_FAILED_PENDING",
        "a process has failed, and the request is still pending";
    Revoked = 103, "MPIX_ERR_REVOKED", "the communicator was revoked";
    Lastcode = 16383, "MPI_ERR_LASTCODE", "the last of the predefined error codes";
}

impl Class {
    /// The value of the constant.
    pub fn code(self) -> i32 {
        self as i32
    }

    /// The class of a value.
    pub fn from_code(code: i32) -> Option<Class> {
        Class::ALL
            .iter()
            .copied()
            .find(|class| class.code() == code)
    }
}

impl Error {
    /// An error of a class.
    pub fn new(class: Class, text: impl Into<String>) -> Error {
        Error {
            class,
            text: plain(text),
            user_code: None,
        }
    }

    /// An error of no class of its own, by the text of an error of a layer below.
    pub fn other(error: impl fmt::Display) -> Error {
        Error::new(Class::Other, error.to_string())
    }

    /// The failure of an operation with a peer that has died, and what is known of its end.
    pub fn lost(peer: PeerId, why: &str) -> Error {
        let text = format!("rank {} of MPI_COMM_WORLD failed: {why}", peer.0);
        Error::new(Class::ProcFailed, text)
    }

    /// The failure of an operation on a communicator that was revoked.
    pub fn revoked(comm: &dyn fmt::Display) -> Error {
        Error::new(Class::Revoked, format!("{comm} was revoked"))
    }

    /// The failure of a function of the program (an attribute's copy function, say), which
    /// returned `code`. The call that ran it returns that code.
    pub fn user(code: i32, text: impl Into<String>) -> Error {
        Error {
            class: Class::from_code(code).unwrap_or(Class::Other),
            text: text.into(),
            user_code: Some(code),
        }
    }

    /// The error code: that of a function of the program, or the class.
    pub fn code(&self) -> i32 {
        self.user_code.unwrap_or(self.class.code())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.name(), self.text)
    }
}

impl std::error::Error for Error {}

impl From<datatype::Error> for Error {
    fn from(error: datatype::Error) -> Error {
        use datatype::Error as Cause;
        let class = match &error {
            Cause::Negative { what, .. } if what.contains("count") => Class::Count,
            Cause::Negative { .. } | Cause::Lengths { .. } | Cause::Argument { .. } => Class::Arg,
            Cause::Overflow { .. } => Class::ValueTooLarge,
            Cause::Truncated { .. } => Class::Truncate,
            Cause::Room { .. } => Class::Buffer,
            Cause::NotPredefined { .. } => Class::Type,
            Cause::NotAllowed { .. } => Class::Op,
            Cause::NoSuchKind { .. } => Class::Arg,
            _ => Class::Other,
        };
        Error::new(class, error.to_string())
    }
}

impl From<pml::Failure> for Error {
    fn from(failure: pml::Failure) -> Error {
        let class = match &failure {
            pml::Failure::Truncated { .. } => Class::Truncate,
            pml::Failure::PeerFailed { .. } => Class::ProcFailed,
            pml::Failure::Pending { .. } => Class::ProcFailedPending,
            pml::Failure::Revoked => Class::Revoked,
            pml::Failure::Refused { .. } => Class::Other,
        };
        match failure {
            pml::Failure::PeerFailed { peer, why } => Error::lost(peer, &why),
            other => Error::new(class, other.to_string()),
        }
    }
}

impl From<osc::Error> for Error {
    fn from(error: osc::Error) -> Error {
        let class = match &error {
            osc::Error::Epoch(_) => Class::RmaSync,
            osc::Error::Range { .. } => Class::RmaRange,
            osc::Error::Attach(_) => Class::RmaAttach,
            osc::Error::Conflict { .. } => Class::RmaConflict,
            osc::Error::Lane { .. } => Class::Other,
            osc::Error::PeerFailed { .. } => Class::ProcFailed,
        };
        match error {
            osc::Error::PeerFailed { peer, why } => Error::lost(peer, &why),
            other => Error::new(class, other.to_string()),
        }
    }
}

impl From<osc_sm::Error> for Error {
    fn from(error: osc_sm::Error) -> Error {
        let class = match &error {
            osc_sm::Error::Range { .. } => Class::RmaRange,
            osc_sm::Error::Died { .. } => Class::ProcFailed,
            osc_sm::Error::Taken { .. } => Class::RmaSync,
            osc_sm::Error::Datatype(cause) => Error::from(cause.clone()).class,
            _ => Class::Other,
        };
        Error::new(class, error.to_string())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        use io::Error as Cause;
        let class = match &error {
            Cause::UnknownRepresentation { .. } => Class::UnsupportedDatarep,
            Cause::DuplicateRepresentation { .. } => Class::DupDatarep,
            Cause::Conversion { .. } => Class::Conversion,
            Cause::Datatype(datatype::Error::Conversion { .. }) => Class::Conversion,
            // The class that ROMIO's users know: MPI names none.
            Cause::Descends { .. } | Cause::NotOfEtypes { .. } | Cause::EmptyEtype => Class::Io,
            _ => Class::Arg,
        };
        Error::new(class, error.to_string())
    }
}

impl From<coll::Error> for Error {
    fn from(error: coll::Error) -> Error {
        use coll::Error as Cause;
        let text = error.to_string();
        match error {
            Cause::Message { source, .. } if is_lost(&source) => from_boxed(source, None),
            Cause::Message { source, .. } | Cause::Operator(source) => {
                from_boxed(source, Some(text))
            }
            Cause::Length { .. } => Error::new(Class::Truncate, text),
            Cause::Mismatch(mismatch) => Error::from(*mismatch),
            Cause::Datatype(cause) => Error::new(Error::from(cause).class, text),
            Cause::Arguments(_) => Error::new(Class::Arg, text),
        }
    }
}

impl From<coll::Mismatch> for Error {
    fn from(mismatch: coll::Mismatch) -> Error {
        let class = match mismatch.difference() {
            coll::Difference::Function => Class::Other,
            coll::Difference::Root => Class::Root,
            coll::Difference::Operator => Class::Op,
            coll::Difference::Length => Class::Count,
        };
        Error::new(class, mismatch.to_string())
    }
}

/// Whether a failure needs no further text: a peer has failed, or the communicator was revoked.
fn is_lost(source: &coll::Failure) -> bool {
    let known = source.downcast_ref::<Error>().map(|error| error.class);
    known.is_some_and(|class| matches!(class, Class::ProcFailed | Class::Revoked))
}

/// Converts a failure of a driver or an operator; the drivers of this crate box an [`Error`], which
/// keeps its own text where none is given.
fn from_boxed(source: coll::Failure, text: Option<String>) -> Error {
    let source = match source.downcast::<Error>() {
        Ok(error) => {
            let text = text.unwrap_or_else(|| error.text.clone());
            return Error { text, ..*error };
        }
        Err(source) => source,
    };
    let text = plain(text.unwrap_or_else(|| source.to_string()));
    let source = match source.downcast::<coll::Mismatch>() {
        Ok(mismatch) => return Error::from(*mismatch),
        Err(source) => source,
    };
    match source.downcast::<datatype::Error>() {
        Ok(error) => Error::new(Error::from(*error).class, text),
        Err(_) => Error::new(Class::Other, text),
    }
}

/// Error classes, codes and texts that a program adds (MPI 5.0, 9.5).
///
/// Classes and codes are numbered together, above the predefined ones. A removed number is not
/// used again.
#[derive(Debug)]
pub struct ErrorCodes {
    last: i32,
    /// Code to class; a class is its own class.
    added: BTreeMap<i32, Added>,
    /// Text of the last error of each class, more detailed than that of the class, and the thread
    /// that got it.
    last_texts: BTreeMap<i32, (ThreadId, String)>,
}

#[derive(Debug)]
struct Added {
    class: i32,
    text: String,
}

impl Default for ErrorCodes {
    fn default() -> ErrorCodes {
        ErrorCodes {
            last: Class::Lastcode.code(),
            added: BTreeMap::new(),
            last_texts: BTreeMap::new(),
        }
    }
}

impl ErrorCodes {
    /// Adds an error class.
    ///
    /// # Errors
    /// `NoMem` when all numbers are used up.
    pub fn add_class(&mut self) -> Result<i32, Error> {
        let class = self.next()?;
        self.insert(class, class);
        Ok(class)
    }

    /// Adds an error code to a class.
    ///
    /// # Errors
    /// `Arg` when there is no such class.
    pub fn add_code(&mut self, class: i32) -> Result<i32, Error> {
        if self.class(class)? != class {
            let text = format!("{class} is an error code; a class is needed");
            return Err(Error::new(Class::Arg, text));
        }
        let code = self.next()?;
        self.insert(code, class);
        Ok(code)
    }

    /// Sets the text of an added class or code.
    ///
    /// # Errors
    /// `Arg` for a predefined or unknown code.
    pub fn set_text(&mut self, code: i32, text: &str) -> Result<(), Error> {
        self.added_mut(code)?.text = text.to_owned();
        Ok(())
    }

    /// Takes the text of an added class or code away.
    ///
    /// # Errors
    /// `Arg` for a predefined or unknown code, or one without a text.
    pub fn remove_text(&mut self, code: i32) -> Result<(), Error> {
        let added = self.added_mut(code)?;
        if added.text.is_empty() {
            let text = format!("error code {code} has no text to remove");
            return Err(Error::new(Class::Arg, text));
        }
        added.text.clear();
        Ok(())
    }

    /// Removes an added class that has neither codes nor a text left.
    ///
    /// # Errors
    /// `Arg` for a predefined or unknown class, or one with codes or a text.
    pub fn remove_class(&mut self, class: i32) -> Result<(), Error> {
        if self.added_mut(class)?.class != class {
            let text = format!("{class} is an error code, not a class");
            return Err(Error::new(Class::Arg, text));
        }
        let mut codes = self.added.iter();
        if let Some((code, _)) = codes.find(|(code, added)| **code != class && added.class == class)
        {
            let text = format!("error class {class} still has the code {code}; remove that first");
            return Err(Error::new(Class::Arg, text));
        }
        self.remove(class)
    }

    /// Removes an added code that has no text left.
    ///
    /// # Errors
    /// `Arg` for a predefined or unknown code, one with a text, or a class.
    pub fn remove_code(&mut self, code: i32) -> Result<(), Error> {
        if self.added_mut(code)?.class == code {
            let text = format!("{code} is an error class, not a code");
            return Err(Error::new(Class::Arg, text));
        }
        self.remove(code)
    }

    fn remove(&mut self, code: i32) -> Result<(), Error> {
        if !self.added_mut(code)?.text.is_empty() {
            let text = format!("error code {code} still has a text; remove that first");
            return Err(Error::new(Class::Arg, text));
        }
        self.added.remove(&code);
        Ok(())
    }

    /// The class of a code.
    ///
    /// # Errors
    /// `Arg` for an unknown code.
    pub fn class(&self, code: i32) -> Result<i32, Error> {
        if Class::from_code(code).is_some() {
            return Ok(code);
        }
        let added = self.added.get(&code).ok_or_else(|| unknown(code))?;
        Ok(added.class)
    }

    /// Notes the error that the calling thread gets. That thread finds the text of the last one in
    /// the text of the class.
    pub fn note(&mut self, code: i32, text: &str) {
        if let Some(class) = Class::from_code(code) {
            let text = format!("{}: {text}", class.text());
            self.last_texts.insert(code, (thread::current().id(), text));
        }
    }

    /// The text of a code; empty for an added one that has none.
    ///
    /// # Errors
    /// `Arg` for an unknown code.
    pub fn text(&self, code: i32) -> Result<&str, Error> {
        if let Some(class) = Class::from_code(code) {
            let last = self.last_texts.get(&code);
            let own = last.filter(|(thread, _)| *thread == thread::current().id());
            return Ok(own.map_or(class.text(), |(_, text)| text));
        }
        let added = self.added.get(&code).ok_or_else(|| unknown(code))?;
        Ok(&added.text)
    }

    /// The largest code in use (`MPI_LASTUSEDCODE`).
    pub fn last_used(&self) -> i32 {
        let added = self.added.keys().next_back().copied();
        added.unwrap_or(Class::Lastcode.code())
    }

    fn next(&self) -> Result<i32, Error> {
        let exhausted = || Error::new(Class::NoMem, "all error codes are in use");
        self.last.checked_add(1).ok_or_else(exhausted)
    }

    fn insert(&mut self, code: i32, class: i32) {
        self.last = code;
        let text = String::new();
        self.added.insert(code, Added { class, text });
    }

    fn added_mut(&mut self, code: i32) -> Result<&mut Added, Error> {
        if Class::from_code(code).is_some() {
            let text = format!("error code {code} is predefined and cannot be changed");
            return Err(Error::new(Class::Arg, text));
        }
        self.added.get_mut(&code).ok_or_else(|| unknown(code))
    }
}

fn unknown(code: i32) -> Error {
    Error::new(Class::Arg, format!("there is no error code {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_below_keeps_its_class_on_the_way_up() {
        let cut = pml::Failure::Truncated { sent: 9, room: 4 };
        assert_eq!(Error::from(cut.clone()).class, Class::Truncate);
        let error = Error::from(coll::Error::Operator(Box::new(Error::from(cut))));
        assert_eq!(error.class, Class::Truncate);
        let mismatch = coll::Mismatch {
            peer: "rank 1".into(),
            theirs: None,
            rank: 0,
            ours: Some(coll::Signature::new(coll::Function::Barrier)),
            ranks: 2,
        };
        let error = Error::from(coll::Error::Operator(Box::new(mismatch.clone())));
        assert_eq!(
            (error.class, error.text),
            (Class::Other, mismatch.to_string())
        );
        let lost = Error::lost(PeerId(3), "it was killed");
        let message = coll::Error::Message {
            peer: 1.into(),
            sending: true,
            source: Box::new(lost.clone()),
        };
        assert_eq!(
            Error::from(message),
            lost,
            "who failed and why is said once"
        );
        let inner = Error::user(20000, "the program said no");
        let error = Error::from(coll::Error::Operator(Box::new(inner)));
        assert_eq!((error.code(), error.class), (20000, Class::Other));
        let negative = datatype::Error::Negative {
            what: "count",
            value: -1,
        };
        assert_eq!(Error::from(negative).class, Class::Count);
    }

    #[test]
    fn added_codes_live_above_the_predefined_ones_and_go_in_order() {
        let mut codes = ErrorCodes::default();
        assert_eq!(codes.last_used(), 16383);
        let class = codes.add_class().unwrap();
        let code = codes.add_code(class).unwrap();
        assert_eq!((class, code), (16384, 16385));
        assert_eq!(codes.class(code), Ok(class));
        codes.set_text(code, "lost a coin").unwrap();
        assert_eq!(codes.text(code), Ok("lost a coin"));
        assert_eq!(codes.text(class), Ok(""));
        assert_eq!(codes.remove_class(class).unwrap_err().class, Class::Arg);
        assert_eq!(codes.remove_code(code).unwrap_err().class, Class::Arg);
        codes.remove_text(code).unwrap();
        codes.remove_code(code).unwrap();
        assert_eq!(codes.last_used(), class);
        codes.remove_class(class).unwrap();
        assert_eq!(codes.add_class(), Ok(16386));
    }

    #[test]
    fn predefined_codes_cannot_be_changed_and_unknown_ones_are_refused() {
        let mut codes = ErrorCodes::default();
        assert_eq!(codes.set_text(5, "x").unwrap_err().class, Class::Arg);
        assert_eq!(codes.class(-1).unwrap_err().class, Class::Arg);
        assert!(codes.text(6).unwrap().starts_with("MPI_ERR_RANK: "));
        let aborted = Class::ProcFailed;
        assert_eq!(codes.text(aborted.code()), Ok(aborted.text()));
        let lost = Error::lost(PeerId(3), "it was killed");
        codes.note(lost.code(), &lost.text);
        let text = codes.text(aborted.code()).unwrap();
        assert!(
            text.starts_with(aborted.text()) && text.contains("rank 3 "),
            "{text}"
        );
        codes.note(Class::Other.code(), "the device is busy");
        assert!(codes.text(16).unwrap().ends_with(": the device is busy"));
        let elsewhere = thread::scope(|scope| {
            let ask = || codes.text(16).map(str::to_string);
            scope.spawn(ask).join().unwrap()
        });
        assert_eq!(elsewhere.as_deref(), Ok(Class::Other.text()));
        codes.note(Class::Spawn.code(), "no such program");
        assert!(codes.text(53).unwrap().ends_with(": no such program"));
        codes.note(6, "rank 7 of 4");
        assert!(codes.text(6).unwrap().ends_with(": rank 7 of 4"));
        let code = codes.add_code(6).unwrap();
        assert_eq!(codes.class(code), Ok(6));
        assert_eq!(codes.add_code(code).unwrap_err().class, Class::Arg);
    }
}
