//! The functions of `libmpi_abi.so.1`, found once when this library is loaded.
//!
//! They cannot be called by their names, which this library has too. Nor is the standard library
//! named as needed: its names would be visible to the whole program, beside these. It is looked for
//! beside this library and in the folder above, so that a library path of one folder suffices, and
//! then by the loader's rules; a process that has it already gets the same one.

use std::ffi::{c_void, CStr, CString};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::extension;
pub use crate::generated::c::NAMES;

/// The file of the standard library.
const FILE: &str = "libmpi_abi.so.1";

/// Functions that there is room for, before the extensions.
const ROOM: usize = 1024;

const _: () = assert!(NAMES.len() <= ROOM);

/// The addresses, by position in [`NAMES`], and behind them those of extensions. They are
/// written before any entry is called.
static ADDRESSES: [AtomicUsize; ROOM + extension::NAMES.len()] =
    [const { AtomicUsize::new(0) }; ROOM + extension::NAMES.len()];

/// Defines the functions of the standard library.
macro_rules! functions {
    ($($at:literal $name:literal $call:ident($($param:ident: $ty:ty),*) -> $returns:ty;)*) => {
        /// The names, by position.
        pub const NAMES: &[&str] = &[$($name),*];

        $(
            #[doc = concat!("Calls `", $name, "` of the standard library.")]
            ///
            /// # Safety
            /// As MPI says of its arguments.
            #[inline(always)]
            pub unsafe extern "C" fn $call($($param: $ty),*) -> $returns {
                // SAFETY: the function of this name has this type in the standard, and the caller
                // vouches for the arguments.
                unsafe {
                    let function = std::mem::transmute::<
                        usize,
                        unsafe extern "C" fn($($ty),*) -> $returns
                    >($crate::table::address($at));
                    function($($param),*)
                }
            }
        )*
    };
}

pub(crate) use functions;

/// Returns the address of a function.
#[inline(always)]
pub fn address(at: usize) -> usize {
    ADDRESSES[at].load(Ordering::Relaxed)
}

/// Finds all functions. Each library for programs of another MPI calls this when it is loaded, with
/// an address in itself.
pub fn load(own: *const c_void) {
    let library = open(own);
    fill(NAMES.iter().map(|name| find(library, name)), |name| {
        find(library, name)
    });
}

/// Stores the addresses of the functions of the standard in the order of [`NAMES`], and those of
/// the extensions by name, before any entry is called. An address of 0 stands for none.
pub fn fill(functions: impl Iterator<Item = usize>, named: impl Fn(&str) -> usize) {
    let extensions = extension::NAMES.iter().map(|name| named(name));
    for (address, found) in ADDRESSES[..ROOM].iter().zip(functions) {
        address.store(found, Ordering::Relaxed);
    }
    for (address, found) in ADDRESSES[ROOM..].iter().zip(extensions) {
        address.store(found, Ordering::Relaxed);
    }
}

/// Returns the address of a function, or of one that reports that it is missing.
fn find(library: *mut c_void, name: &str) -> usize {
    let name = CString::new(name).expect("names have no zero byte");
    // SAFETY: the library is open, and the text ends in a zero byte.
    let found = unsafe { libc::dlsym(library, name.as_ptr()) };
    match found.is_null() {
        true => missing as *const () as usize,
        false => found as usize,
    }
}

fn open(own: *const c_void) -> *mut c_void {
    let folder = folder(own);
    for path in [
        format!("{folder}/{FILE}"),
        format!("{folder}/../{FILE}"),
        FILE.to_string(),
    ] {
        let path = CString::new(path).expect("paths have no zero byte");
        // SAFETY: the text ends in a zero byte.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if !library.is_null() {
            return library;
        }
    }
    // SAFETY: after a failure this is a text, which ends in a zero byte.
    let reason = unsafe { CStr::from_ptr(libc::dlerror()) };
    eprintln!(
        "oxmpi: {FILE} is not in {folder}, nor above it: {}",
        reason.to_string_lossy()
    );
    std::process::exit(1);
}

/// The folder of the library that has this address.
fn folder(own: *const c_void) -> String {
    // SAFETY: zero bytes are a value of this type, which the call fills.
    let path = unsafe {
        let mut about: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(own, &mut about) == 0 || about.dli_fname.is_null() {
            return ".".to_string();
        }
        CStr::from_ptr(about.dli_fname)
            .to_string_lossy()
            .into_owned()
    };
    let real = std::fs::canonicalize(&path).unwrap_or_else(|_| path.into());
    let parent = real.parent().map(|parent| parent.display().to_string());
    parent.unwrap_or_else(|| ".".to_string())
}

/// Stands for a function that the library lacks.
extern "C" fn missing() {
    eprintln!("oxmpi: {FILE} lacks a function that this program calls; is it another library's?");
    std::process::exit(1);
}
