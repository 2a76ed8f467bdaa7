//! The `dlsym` of tools: what a tool looks up while it runs is what it would have imported.
//!
//! * `PMPI_X`, by whatever handle, is the `MPI_X` of the next tool that defines it.
//! * The next definition of any name (`RTLD_NEXT`) is that of the next tool that has one. To the
//!   loader the search would begin behind this library, since it is the one that asks.
//!
//! All else is the loader's. The function that a tool calls identifies the tool: each has one of
//! its own.

use std::ffi::{c_char, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

use crate::tool::{defined_behind, public_name, Tool};

/// The tools of this process, once they are joined.
static TOOLS: OnceLock<Vec<Tool>> = OnceLock::new();

type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// The functions of the tools, by position.
const FUNCTIONS: [Dlsym; 16] = [
    by::<0>, by::<1>, by::<2>, by::<3>, by::<4>, by::<5>, by::<6>, by::<7>, by::<8>, by::<9>,
    by::<10>, by::<11>, by::<12>, by::<13>, by::<14>, by::<15>,
];

/// Returns the address of the `dlsym` for the tool at a position.
///
/// # Errors
/// If there are more tools than functions.
pub fn of(at: usize) -> Result<usize, String> {
    let function = FUNCTIONS.get(at);
    let function = function.ok_or_else(|| {
        let most = FUNCTIONS.len();
        format!(
            "more than {most} tools, of which number {} calls dlsym",
            at + 1
        )
    })?;
    Ok(*function as usize)
}

/// Lets the functions answer for these tools. Until then they leave all to the loader.
pub fn serve(tools: Vec<Tool>) {
    let _ = TOOLS.set(tools);
}

unsafe extern "C" fn by<const AT: usize>(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: the tool gives what `dlsym` takes.
    let found = catch_unwind(AssertUnwindSafe(|| unsafe { find(AT, handle, name) }));
    match found.unwrap_or(None) {
        Some(address) => std::ptr::with_exposed_provenance_mut(address),
        // SAFETY: as above.
        None => unsafe { libc::dlsym(handle, name) },
    }
}

/// # Safety
/// The name ends in a zero byte.
unsafe fn find(at: usize, handle: *mut c_void, name: *const c_char) -> Option<usize> {
    let tools = TOOLS.get().filter(|_| !name.is_null())?;
    // SAFETY: the caller sees to it.
    let name = unsafe { CStr::from_ptr(name) };
    match public_name(name) {
        Some(public) => defined_behind(tools, at, &public),
        None if handle == libc::RTLD_NEXT => defined_behind(tools, at, name),
        None => None,
    }
}
