//! Errors of calls: the code that a call returns, and the text that belongs to it.

use std::ffi::{c_int, CStr};

use btl::Error;

/// The codes of the header.
pub mod code {
    use std::ffi::c_int;

    /// Done.
    pub const OK: c_int = 0;
    /// Nothing was taken: to be tried again after some progress.
    pub const BUSY: c_int = 1;
    /// Under way: the handler of completions will be called.
    pub const PENDING: c_int = 2;
    /// An argument is wrong.
    pub const ERR_ARGUMENT: c_int = -1;
    /// Called from inside a handler.
    pub const ERR_HANDLER: c_int = -2;
    /// Called while another thread is inside.
    pub const ERR_THREAD: c_int = -3;
    /// More bytes than fit.
    pub const ERR_TOO_LARGE: c_int = -4;
    /// The path to the peer has no such operation.
    pub const ERR_UNSUPPORTED: c_int = -5;
    /// Nothing reaches the peer.
    pub const ERR_UNREACHABLE: c_int = -6;
    /// The peer has ended, or the path to it broke.
    pub const ERR_PEER_GONE: c_int = -7;
    /// A peer, or the network between, sent something that the protocol does not allow.
    pub const ERR_PROTOCOL: c_int = -8;
    /// A range outside the peer's memory.
    pub const ERR_RANGE: c_int = -9;
    /// An atomic operation on a misaligned word.
    pub const ERR_ALIGNMENT: c_int = -10;
    /// Memory could not be registered.
    pub const ERR_REGISTRATION: c_int = -11;
    /// The system refused a resource.
    pub const ERR_RESOURCE: c_int = -12;
    /// A fault of this library.
    pub const ERR_INTERNAL: c_int = -13;
}

/// Every code with its name, as the header has it, and what it says.
const CODES: &[(c_int, &str, &CStr)] = &[
    (code::OK, "OK", c"done"),
    (
        code::BUSY,
        "BUSY",
        c"nothing was taken; try again after some progress",
    ),
    (code::PENDING, "PENDING", c"under way"),
    (code::ERR_ARGUMENT, "ERR_ARGUMENT", c"an argument is wrong"),
    (
        code::ERR_HANDLER,
        "ERR_HANDLER",
        c"a handler may not call the layer; note what to do, and do it after progress",
    ),
    (
        code::ERR_THREAD,
        "ERR_THREAD",
        c"another thread is inside; a layer is used by one thread at a time",
    ),
    (code::ERR_TOO_LARGE, "ERR_TOO_LARGE", c"more bytes than fit"),
    (
        code::ERR_UNSUPPORTED,
        "ERR_UNSUPPORTED",
        c"the path to the peer has no such operation",
    ),
    (
        code::ERR_UNREACHABLE,
        "ERR_UNREACHABLE",
        c"nothing reaches the peer",
    ),
    (code::ERR_PEER_GONE, "ERR_PEER_GONE", c"the peer is gone"),
    (
        code::ERR_PROTOCOL,
        "ERR_PROTOCOL",
        c"a peer broke the protocol",
    ),
    (
        code::ERR_RANGE,
        "ERR_RANGE",
        c"a range outside the peer's memory",
    ),
    (
        code::ERR_ALIGNMENT,
        "ERR_ALIGNMENT",
        c"a word that does not lie at a multiple of its size",
    ),
    (
        code::ERR_REGISTRATION,
        "ERR_REGISTRATION",
        c"memory could not be registered",
    ),
    (
        code::ERR_RESOURCE,
        "ERR_RESOURCE",
        c"the system refused a resource",
    ),
    (
        code::ERR_INTERNAL,
        "ERR_INTERNAL",
        c"a fault of this library; the layer is of no use any more",
    ),
];

/// Returns the text of a code.
pub fn text_of(code: c_int) -> &'static CStr {
    let row = CODES.iter().find(|row| row.0 == code);
    row.map_or(c"no such code", |row| row.2)
}

/// The codes with their names.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = (&'static str, c_int)> {
    CODES.iter().map(|row| (row.1, row.0))
}

/// A call that failed, and why.
#[derive(Debug)]
pub struct Failure {
    /// The code.
    pub code: c_int,
    /// The whole text.
    pub text: String,
}

impl Failure {
    /// A failure of a code and a text.
    pub fn new(code: c_int, text: impl Into<String>) -> Failure {
        let text = text.into();
        Failure { code, text }
    }

    /// A wrong argument.
    pub fn argument(text: impl Into<String>) -> Failure {
        Failure::new(code::ERR_ARGUMENT, text)
    }
}

/// The code of an error of the layer below.
pub fn code_of(error: &Error) -> c_int {
    match error {
        Error::TooLarge { .. } => code::ERR_TOO_LARGE,
        Error::Unsupported { .. } => code::ERR_UNSUPPORTED,
        Error::Unreachable { .. } => code::ERR_UNREACHABLE,
        Error::PeerGone { .. } | Error::PeerLeft { .. } => code::ERR_PEER_GONE,
        Error::Protocol { .. } => code::ERR_PROTOCOL,
        Error::OutOfRange { .. } => code::ERR_RANGE,
        Error::Unaligned { .. } => code::ERR_ALIGNMENT,
        Error::Registration { .. } => code::ERR_REGISTRATION,
        Error::Resource { .. } | Error::Unconnected { .. } => code::ERR_RESOURCE,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::new(code_of(&error), error.to_string())
    }
}
