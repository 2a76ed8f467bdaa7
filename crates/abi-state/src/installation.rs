//! Where the library lies, which is where its parameter files are searched.

use std::ffi::CStr;
use std::path::{Path, PathBuf};

/// Returns where the library is installed: the folder above the one that it was loaded from.
pub fn prefix() -> PathBuf {
    library_path()
        .and_then(|path| Some(path.parent()?.parent()?.to_path_buf()))
        .unwrap_or_else(|| PathBuf::from("/usr"))
}

fn library_path() -> Option<PathBuf> {
    // SAFETY: all-zero bytes are a valid `Dl_info`: null pointers.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    let inside = library_path as *const libc::c_void;
    // SAFETY: the address is that of a function, and `found` has room for what it returns.
    if unsafe { libc::dladdr(inside, &mut found) } == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr gave a C string that stays while the library is loaded.
    let name = unsafe { CStr::from_ptr(found.dli_fname) };
    Path::new(name.to_str().ok()?).canonicalize().ok()
}
