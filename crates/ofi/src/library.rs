//! Finds and loads libfabric.

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use libc::{c_char, c_int, c_void};
use mca::Framework;

use crate::signals::keep_handlers;
use crate::sys;
use crate::Error;

/// The name under which every version from 1.0 to 2.x is installed.
const NAME: &str = "libfabric.so.1";

/// The oldest interface that has everything used here.
const OLDEST: u32 = version(1, 9);

/// Bytes that loading may take: libfabric with all that Debian links it to takes 4 MiB.
const LOAD_BYTES: usize = 16 << 20;

/// The newest interface that this crate knows.
const NEWEST: u32 = version(1, 18);

/// The loaded library. Copies are cheap and share it.
///
/// It is never unloaded: providers leave threads and exit handlers behind that would run into
/// unmapped code.
#[derive(Clone)]
pub struct Library(Arc<Loaded>);

pub(crate) struct Loaded {
    path: String,
    version: u32,
    pub(crate) getinfo: sys::GetInfo,
    pub(crate) freeinfo: sys::FreeInfo,
    pub(crate) dupinfo: sys::DupInfo,
    pub(crate) fabric: sys::OpenFabric,
    /// Missing before 1.13.
    pub(crate) open: Option<sys::Open>,
    strerror: sys::StrError,
}

impl Library {
    /// Loads the library from `path`, or from the system's default location.
    ///
    /// # Errors
    /// [`Error::Library`] when it is missing, [`Error::TooOld`] when it is older than 1.9, and
    /// [`Error::NoRoom`] where loading may not fit: `libnuma`, which comes along, ends the process
    /// then.
    pub fn load(path: Option<&Path>) -> Result<Library, Error> {
        Error::unless_room("loading libfabric", LOAD_BYTES)?;
        let path = path.map_or(NAME.into(), |path| path.to_string_lossy().into_owned());
        let missing = |why: String| Error::Library {
            path: path.clone(),
            why,
        };
        environment::unless_secure().map_err(missing)?;
        let name = CString::new(path.as_str()).map_err(|error| missing(error.to_string()))?;
        let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE;
        // SAFETY: a terminated string and valid flags. What the library runs when it is loaded
        // is trusted as any library of the system is.
        let load = || unsafe { libc::dlopen(name.as_ptr(), flags) };
        let handle = keep_handlers(load);
        if handle.is_null() {
            return Err(missing(loader_error()));
        }
        let find = |symbol: &'static CStr, edition: &'static CStr| {
            // SAFETY: the handle was just opened and is never closed; both strings are
            // terminated.
            let found = unsafe { libc::dlvsym(handle, symbol.as_ptr(), edition.as_ptr()) };
            match found.is_null() {
                true => Err(missing(format!("no symbol {symbol:?} of {edition:?}"))),
                false => Ok(found),
            }
        };
        let version_of = find(c"fi_version", c"FABRIC_1.0")?;
        // SAFETY: libfabric declares `fi_version` so in all its versions.
        let version: u32 = unsafe { mem::transmute::<*mut c_void, sys::Version>(version_of)() };
        if version < OLDEST {
            let version = shown(version);
            return Err(Error::TooOld { path, version });
        }
        let (getinfo, freeinfo) = (
            find(c"fi_getinfo", c"FABRIC_1.3")?,
            find(c"fi_freeinfo", c"FABRIC_1.3")?,
        );
        let (dupinfo, fabric) = (
            find(c"fi_dupinfo", c"FABRIC_1.3")?,
            find(c"fi_fabric", c"FABRIC_1.1")?,
        );
        let strerror = find(c"fi_strerror", c"FABRIC_1.0")?;
        // SAFETY: as in `find`; `fi_open` has one edition, which plain look-up finds.
        let open = unsafe { libc::dlsym(handle, c"fi_open".as_ptr()) };
        // SAFETY: these are the types that libfabric's headers declare for the editions that
        // were asked for; the sizes of what they point to are asserted in `sys`.
        let loaded = unsafe {
            Loaded {
                version,
                getinfo: mem::transmute::<*mut c_void, sys::GetInfo>(getinfo),
                freeinfo: mem::transmute::<*mut c_void, sys::FreeInfo>(freeinfo),
                dupinfo: mem::transmute::<*mut c_void, sys::DupInfo>(dupinfo),
                fabric: mem::transmute::<*mut c_void, sys::OpenFabric>(fabric),
                open: mem::transmute::<*mut c_void, Option<sys::Open>>(open),
                strerror: mem::transmute::<*mut c_void, sys::StrError>(strerror),
                path,
            }
        };
        Framework::Opal.debug(format_args!(
            "libfabric {} from {}",
            shown(version),
            loaded.path
        ));
        Ok(Library(Arc::new(loaded)))
    }

    /// Returns the library's version, such as `1.17`.
    pub fn version(&self) -> String {
        shown(self.0.version)
    }

    /// Returns the file it was loaded from, as it was asked for.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns libfabric's text for one of its codes, positive or negative.
    pub fn text_of(&self, code: i32) -> String {
        // SAFETY: the function takes any number and gives a terminated string that stays.
        unsafe { text((self.0.strerror)(code.wrapping_abs())) }
    }

    pub(crate) fn loaded(&self) -> &Loaded {
        &self.0
    }

    /// Returns the version of the interface to ask for.
    pub(crate) fn interface(&self) -> u32 {
        self.0.version.min(NEWEST)
    }

    /// Checks a call's return value: 0 or more is success.
    pub(crate) fn check(&self, call: &'static str, answer: c_int) -> Result<(), Error> {
        match answer >= 0 {
            true => Ok(()),
            false => Err(self.refused(call, i64::from(answer))),
        }
    }

    /// Returns the error of a call that returned a negative code.
    #[cold]
    pub(crate) fn refused(&self, call: &'static str, answer: i64) -> Error {
        let code = i32::try_from(answer.unsigned_abs()).unwrap_or(i32::MAX);
        let text = self.text_of(code);
        Error::Call { call, code, text }
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "libfabric {} ({})", self.version(), self.0.path)
    }
}

const fn version(major: u32, minor: u32) -> u32 {
    major << 16 | minor
}

fn shown(version: u32) -> String {
    format!("{}.{}", version >> 16, version & 0xffff)
}

fn loader_error() -> String {
    // SAFETY: `dlerror` gives null or a terminated string that stays until the next call of
    // this thread.
    unsafe { text(libc::dlerror()) }
}

/// Converts a C string to text; empty for null.
///
/// # Safety
/// `string` is null or points to a terminated string.
pub(crate) unsafe fn text(string: *const c_char) -> String {
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
        let error = Library::load(Some(Path::new("/nowhere/libfabric.so.1"))).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("/nowhere/libfabric.so.1"), "{text}");
    }

    #[test]
    fn another_library_is_no_libfabric() {
        let error = Library::load(Some(Path::new("libc.so.6"))).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("fi_version"), "{text}");
    }
}
