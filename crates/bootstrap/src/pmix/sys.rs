//! Bindings of the part of the PMIx standard's C interface that is used, with safe functions.
//!
//! Names and numbers are those of the standard (PMIx 4 and 5; the structures are those of 3). The
//! functions of [`Library`] are safe: they check what comes in, copy what comes out, and free what
//! the library allocated.

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::mem;

use super::app::App;
use super::data::{directive, terminated, ByteObject, Data, Entry, Info, Proc, Question, Value};
use super::data::{BYTE_OBJECT, STRING};
use super::mail::{Envelope, Reply};

/// The name under which versions 2 to 5 are installed.
pub(super) const NAME: &str = "libpmix.so.2";

/// Every process of a job.
pub(super) const EVERYBODY: u32 = u32::MAX - 1;

pub(super) const SUCCESS: i32 = 0;
pub(super) const ERR_NOT_FOUND: i32 = -46;
pub(super) const ERR_NOT_SUPPORTED: i32 = -47;
/// Done, and nobody will be called back.
const OPERATION_SUCCEEDED: i32 = -157;

const BOOL: u16 = 1;
const INT: u16 = 6;
/// Values are for all processes, on all hosts.
const GLOBAL: u8 = 3;

type Done = extern "C" fn(c_int, *mut c_void);
type Got = extern "C" fn(c_int, *mut Value, *mut c_void);

type Init = unsafe extern "C" fn(*mut Proc, *mut Info, usize) -> c_int;
type Finalize = unsafe extern "C" fn(*const Info, usize) -> c_int;
type Put = unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int;
type Commit = unsafe extern "C" fn() -> c_int;
type FenceNb =
    unsafe extern "C" fn(*const Proc, usize, *const Info, usize, Done, *mut c_void) -> c_int;
type Get =
    unsafe extern "C" fn(*const Proc, *const c_char, *const Info, usize, *mut *mut Value) -> c_int;
type GetNb =
    unsafe extern "C" fn(*const Proc, *const c_char, *const Info, usize, Got, *mut c_void) -> c_int;
type Abort = unsafe extern "C" fn(c_int, *const c_char, *mut Proc, usize) -> c_int;
type Spawn = unsafe extern "C" fn(*const Info, usize, *const App, usize, *mut c_char) -> c_int;
type Query = unsafe extern "C" fn(*mut Question, usize, *mut *mut Info, *mut usize) -> c_int;
type Publish = unsafe extern "C" fn(*const Info, usize) -> c_int;
type LookUp = unsafe extern "C" fn(*mut Entry, usize, *const Info, usize) -> c_int;
type Unpublish = unsafe extern "C" fn(*mut *mut c_char, *const Info, usize) -> c_int;
type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;
type GetVersion = unsafe extern "C" fn() -> *const c_char;

/// The library, loaded, and not initialised yet. It is never unloaded: it leaves a thread behind.
pub(super) struct Library {
    init: Init,
    finalize: Finalize,
    put: Put,
    commit: Commit,
    fence_nb: FenceNb,
    get: Get,
    get_nb: GetNb,
    abort: Abort,
    pub(super) spawn: Spawn,
    /// `None` before version 4.
    pub(super) query: Option<Query>,
    pub(super) publish: Publish,
    pub(super) look_up: LookUp,
    pub(super) unpublish: Unpublish,
    error_string: ErrorString,
    version: String,
}

/// A connection to the server: the library after `PMIx_Init`.
pub(super) struct Session {
    library: Library,
    own: Proc,
}

/// A value that the server returned.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fetched {
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// A value of a type that nothing here requests.
    Other(u16),
}

impl Library {
    /// Loads the library from `path`, or from where the system has it; an error is its reason.
    pub(super) fn load(path: &str) -> Result<Library, String> {
        environment::unless_secure()?;
        let name = CString::new(path).map_err(|error| error.to_string())?;
        let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE;
        // SAFETY: a terminated string and valid flags. What the library runs when it is loaded is
        // trusted as any library of the system is.
        let handle = unsafe { libc::dlopen(name.as_ptr(), flags) };
        if handle.is_null() {
            // SAFETY: `dlerror` gives null or a terminated string that stays until this thread's
            // next call.
            return Err(unsafe { text(libc::dlerror()) });
        }
        let find = |symbol: &CStr| {
            // SAFETY: the handle was just opened and is never closed; the string is terminated.
            let found = unsafe { libc::dlsym(handle, symbol.as_ptr()) };
            match found.is_null() {
                true => Err(format!("it has no {}", symbol.to_string_lossy())),
                false => Ok(found),
            }
        };
        // SAFETY: the standard declares the functions so, the sizes of what they point to are
        // asserted above, and no symbol is null.
        let mut library = unsafe {
            Library {
                init: mem::transmute::<*mut c_void, Init>(find(c"PMIx_Init")?),
                finalize: mem::transmute::<*mut c_void, Finalize>(find(c"PMIx_Finalize")?),
                put: mem::transmute::<*mut c_void, Put>(find(c"PMIx_Put")?),
                commit: mem::transmute::<*mut c_void, Commit>(find(c"PMIx_Commit")?),
                fence_nb: mem::transmute::<*mut c_void, FenceNb>(find(c"PMIx_Fence_nb")?),
                get: mem::transmute::<*mut c_void, Get>(find(c"PMIx_Get")?),
                get_nb: mem::transmute::<*mut c_void, GetNb>(find(c"PMIx_Get_nb")?),
                abort: mem::transmute::<*mut c_void, Abort>(find(c"PMIx_Abort")?),
                spawn: mem::transmute::<*mut c_void, Spawn>(find(c"PMIx_Spawn")?),
                query: find(c"PMIx_Query_info")
                    .ok()
                    .map(|query| mem::transmute::<*mut c_void, Query>(query)),
                publish: mem::transmute::<*mut c_void, Publish>(find(c"PMIx_Publish")?),
                look_up: mem::transmute::<*mut c_void, LookUp>(find(c"PMIx_Lookup")?),
                unpublish: mem::transmute::<*mut c_void, Unpublish>(find(c"PMIx_Unpublish")?),
                error_string: mem::transmute::<*mut c_void, ErrorString>(find(
                    c"PMIx_Error_string",
                )?),
                version: String::new(),
            }
        };
        let version = find(c"PMIx_Get_version")?;
        // SAFETY: declared so in all versions; the string is terminated and stays.
        library.version = unsafe { text(mem::transmute::<*mut c_void, GetVersion>(version)()) };
        Ok(library)
    }

    /// Returns the name and version of the library, such as `OpenPMIx 4.2.2 (...)`.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Connects to the server that the environment names; an error is the library's text.
    pub(super) fn connect(self) -> Result<Session, String> {
        let mut own = Proc::none();
        // SAFETY: the library fills in `own`; no directives are given.
        let status = unsafe { (self.init)(&mut own, std::ptr::null_mut(), 0) };
        match status {
            SUCCESS => Ok(Session { library: self, own }),
            status => Err(self.status_text(status)),
        }
    }

    /// Returns the library's text for one of its numbers.
    pub(super) fn status_text(&self, status: i32) -> String {
        // SAFETY: the function takes any number and gives a terminated string that stays.
        unsafe { text((self.error_string)(status)) }
    }
}

impl Session {
    pub(super) fn library(&self) -> &Library {
        &self.library
    }

    pub(super) fn rank(&self) -> u32 {
        self.own.rank
    }

    /// Stores `value` for all, from the next commit on. The key is never used again.
    pub(super) fn put(&self, key: &str, value: &[u8]) -> Result<(), i32> {
        let key = terminated(key);
        let mut value = Value {
            kind: BYTE_OBJECT,
            data: Data {
                bytes: ByteObject {
                    bytes: value.as_ptr().cast_mut().cast(),
                    size: value.len(),
                },
            },
        };
        // SAFETY: the key is terminated and shorter than a key may be; the library copies the
        // value, and writes neither to it nor to the bytes that it names.
        check(unsafe { (self.library.put)(GLOBAL, key.as_ptr(), &mut value) })
    }

    /// Hands what was put to the server.
    pub(super) fn commit(&self) -> Result<(), i32> {
        // SAFETY: takes nothing; the library is initialised while a session lives.
        check(unsafe { (self.library.commit)() })
    }

    /// Enters a fence of all processes that brings what all have committed.
    pub(super) fn fence(&self, envelope: Envelope) -> Result<(), i32> {
        let note = Note::new(envelope, self.process(EVERYBODY), "", flag(c"pmix.collect"));
        // SAFETY: all pointers are into the note, which stays until the callback takes it back;
        // that comes once, or never where the answer is not success.
        let status = unsafe {
            let Note {
                process, directive, ..
            } = &*note;
            (self.library.fence_nb)(process, 1, directive, 1, done, note.cast())
        };
        outcome_of(status, note)
    }

    /// Queries what `rank` committed under `key`. The reply may be that it is not there yet.
    pub(super) fn ask(&self, rank: u32, key: &str, envelope: Envelope) -> Result<(), i32> {
        let note = Note::new(envelope, self.process(rank), key, flag(c""));
        // SAFETY: as in `fence`; no directives are given.
        let status = unsafe {
            let Note { process, key, .. } = &*note;
            let none = std::ptr::null();
            (self.library.get_nb)(process, key.as_ptr(), none, 0, got, note.cast())
        };
        outcome_of(status, note)
    }

    /// Returns what the server knows of `rank`, or of the job for [`EVERYBODY`], under `key`.
    pub(super) fn known(&self, rank: u32, key: &str) -> Result<Fetched, i32> {
        self.get(rank, key, &flag(c"pmix.immediate"))
    }

    /// Returns what `rank` has committed under `key`. After a fence a server may still have to
    /// query the one of the other host, for which it has `seconds`.
    pub(super) fn committed(&self, rank: u32, key: &str, seconds: i32) -> Result<Fetched, i32> {
        self.get(rank, key, &number(c"pmix.timeout", seconds))
    }

    fn get(&self, rank: u32, key: &str, how: &Info) -> Result<Fetched, i32> {
        let (process, key) = (self.process(rank), terminated(key));
        let mut value = std::ptr::null_mut();
        // SAFETY: the library reads what the pointers name and writes one pointer.
        let status = unsafe { (self.library.get)(&process, key.as_ptr(), how, 1, &mut value) };
        check(status)?;
        // SAFETY: on success the library gives null or a value that it allocated for the caller.
        Ok(unsafe { taken(value) })
    }

    /// Requests the end of the job.
    pub(super) fn abort(&self, code: i32, reason: &str) -> Result<(), i32> {
        let reason = terminated(reason);
        // SAFETY: the string is terminated; no processes mean all.
        check(unsafe { (self.library.abort)(code, reason.as_ptr(), std::ptr::null_mut(), 0) })
    }

    /// Closes the connection to the server. No request may follow.
    pub(super) fn finalize(&self) -> Result<(), i32> {
        // SAFETY: no directives; the library allows it after every `PMIx_Init`.
        check(unsafe { (self.library.finalize)(std::ptr::null(), 0) })
    }

    fn process(&self, rank: u32) -> Proc {
        Proc {
            rank,
            ..self.own.clone()
        }
    }
}

/// A pending request: its receiver, and what the library reads until it calls back.
struct Note {
    envelope: Envelope,
    process: Proc,
    key: CString,
    directive: Info,
}

impl Note {
    fn new(envelope: Envelope, process: Proc, key: &str, directive: Info) -> *mut Note {
        Box::into_raw(Box::new(Note {
            envelope,
            process,
            key: terminated(key),
            directive,
        }))
    }
}

/// Returns the result of handing a request over. There is no callback for one that was not.
fn outcome_of(status: i32, note: *mut Note) -> Result<(), i32> {
    if status == SUCCESS {
        return Ok(());
    }
    // SAFETY: `note` came from a box; the library keeps it only where it says success.
    let Note { envelope, .. } = *unsafe { Box::from_raw(note) };
    if status == OPERATION_SUCCEEDED {
        envelope.post(Reply {
            status: SUCCESS,
            value: None,
        });
        return Ok(());
    }
    Err(status)
}

pub(super) fn check(status: i32) -> Result<(), i32> {
    match status {
        SUCCESS | OPERATION_SUCCEEDED => Ok(()),
        status => Err(status),
    }
}

/// Callback of the library: a fence is complete.
extern "C" fn done(status: c_int, note: *mut c_void) {
    // SAFETY: `fence` gave a box of this type away, for this one call.
    let Note { envelope, .. } = *unsafe { Box::from_raw(note.cast::<Note>()) };
    envelope.post(Reply {
        status,
        value: None,
    });
}

/// A value is there, or will not be.
extern "C" fn got(status: c_int, value: *mut Value, note: *mut c_void) {
    // SAFETY: `ask` gave a box of this type away, for this one call.
    let Note { envelope, .. } = *unsafe { Box::from_raw(note.cast::<Note>()) };
    let value = match status == SUCCESS && !value.is_null() {
        // SAFETY: on success the library lends the value until this returns.
        true => match unsafe { copied(&*value) } {
            Fetched::Bytes(bytes) => Some(bytes),
            _ => None,
        },
        false => None,
    };
    envelope.post(Reply { status, value });
}

/// Copies a value.
///
/// # Safety
/// The member of the union that `kind` names is set, and what it points to is there.
unsafe fn copied(value: &Value) -> Fetched {
    // SAFETY: promised by the caller; integers are read by their width from the union's start,
    // where every member begins.
    unsafe {
        let number = value.data.number;
        match value.kind {
            STRING => Fetched::Text(text(value.data.bytes.bytes)),
            BYTE_OBJECT => {
                let ByteObject { bytes, size } = value.data.bytes;
                Fetched::Bytes(match bytes.is_null() {
                    true => Vec::new(),
                    false => std::slice::from_raw_parts(bytes.cast::<u8>(), size).to_vec(),
                })
            }
            // size_t, int64, uint64
            4 | 10 | 15 => Fetched::Number(number as i64),
            // pid_t, int, int32, status
            5 | 6 | 9 | 20 => Fetched::Number(i64::from(number as i32)),
            // unsigned int, uint32, rank
            11 | 14 | 40 => Fetched::Number(i64::from(number as u32)),
            7 => Fetched::Number(i64::from(number as i8)),
            8 => Fetched::Number(i64::from(number as i16)),
            2 | 12 => Fetched::Number(i64::from(number as u8)),
            13 => Fetched::Number(i64::from(number as u16)),
            other => Fetched::Other(other),
        }
    }
}

/// Copies a value and gives it back to the C library's heap.
///
/// # Safety
/// `value` is null or was allocated by PMIx for its caller, who does not use it any more.
unsafe fn taken(value: *mut Value) -> Fetched {
    if value.is_null() {
        return Fetched::Other(0);
    }
    // SAFETY: promised by the caller; PMIx allocates values, strings and byte objects with malloc.
    unsafe {
        let found = copied(&*value);
        if matches!((*value).kind, STRING | BYTE_OBJECT) {
            libc::free((*value).data.bytes.bytes.cast());
        }
        libc::free(value.cast());
        found
    }
}

/// Copies a text that PMIx has written into a value of its caller's, and frees it; `None` for a
/// value of another type.
///
/// # Safety
/// The member of the union that `kind` names is set, and nobody else uses what it points to.
pub(super) unsafe fn taken_text(value: &mut Value) -> Option<String> {
    if value.kind != STRING {
        return None;
    }
    // SAFETY: promised by the caller; PMIx allocates strings with malloc.
    unsafe {
        let bytes = value.data.bytes.bytes;
        let found = text(bytes);
        libc::free(bytes.cast());
        value.kind = 0;
        Some(found)
    }
}

/// A directive that is on.
fn flag(key: &CStr) -> Info {
    directive(key, BOOL, 1)
}

/// A directive with a number.
fn number(key: &CStr, number: i32) -> Info {
    directive(key, INT, number)
}

/// A C string as text; empty for null.
///
/// # Safety
/// `string` is null or points to a terminated string.
pub(super) unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    let string = unsafe { CStr::from_ptr(string) };
    string.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_named() {
        let why = Library::load("/nowhere/libpmix.so.2").err().unwrap();
        assert!(why.contains("/nowhere/libpmix.so.2"), "{why}");
        let why = Library::load("libc.so.6").err().unwrap();
        assert!(why.contains("PMIx_Init"), "{why}");
    }

    #[test]
    fn values_are_read_by_their_type() {
        let number = |kind, number: u64| {
            let data = Data { number };
            // SAFETY: the member that the type names is part of `number`.
            unsafe { copied(&Value { kind, data }) }
        };
        let upper = 0xaaaa_bbbb_0000_0000;
        assert_eq!(number(14, upper | 7), Fetched::Number(7));
        assert_eq!(number(9, upper | 0xffff_ffff), Fetched::Number(-1));
        assert_eq!(number(13, upper | 0x1_0009), Fetched::Number(9));
        assert_eq!(number(15, 1 << 40), Fetched::Number(1 << 40));
        assert_eq!(number(39, 5), Fetched::Other(39));
        let bytes = b"abc\0def";
        let object = |kind| Value {
            kind,
            data: Data {
                bytes: ByteObject {
                    bytes: bytes.as_ptr().cast_mut().cast(),
                    size: 7,
                },
            },
        };
        // SAFETY: both read at most the seven bytes, and the string ends at its zero.
        let both = unsafe { (copied(&object(STRING)), copied(&object(BYTE_OBJECT))) };
        assert_eq!(both.0, Fetched::Text("abc".into()));
        assert_eq!(both.1, Fetched::Bytes(bytes.to_vec()));
    }
}
