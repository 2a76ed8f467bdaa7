//! A tool as the loader has loaded it, and the names by which tools find each other.

use std::ffi::{c_void, CStr, CString, OsString};
use std::os::unix::ffi::OsStringExt;

use crate::image::Image;

/// Returns the address of a function that a tool behind the one at a position defines.
pub fn defined_behind(tools: &[Tool], at: usize, name: &CStr) -> Option<usize> {
    tools[at + 1..].iter().find_map(|other| other.defines(name))
}

/// The name by which programs call what a tool calls by `name`: `MPI_Send` of `PMPI_Send`, and
/// `mpi_send_` of `pmpi_send_`.
pub fn public_name(name: &CStr) -> Option<CString> {
    let name = name.to_bytes();
    let is_profiled = name.starts_with(b"PMPI_") || name.starts_with(b"pmpi_");
    let public = name.get(1..).filter(|_| is_profiled)?;
    CString::new(public).ok()
}

/// A tool, which stays loaded.
pub struct Tool {
    handle: *mut c_void,
    /// The tables of the tool.
    pub image: Image,
}

// SAFETY: the addresses are of a library that stays loaded and of its tables, which are only read
// once the tools are joined; the loader's functions take them from any thread.
unsafe impl Send for Tool {}
// SAFETY: as above.
unsafe impl Sync for Tool {}

impl Tool {
    /// Finds a tool that the loader has loaded by this name.
    pub fn find(name: &[u8]) -> Result<Tool, String> {
        let shown = OsString::from_vec(name.to_vec());
        let missing = || {
            format!(
                "the tool {} is not loaded in process {}, which mpirun --tool wants: is it on this \
                 host?",
                shown.display(),
                std::process::id()
            )
        };
        let name = CString::new(name).map_err(|_| missing())?;
        // SAFETY: the name ends in a zero byte; with RTLD_NOLOAD nothing is loaded or initialised.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if handle.is_null() {
            return Err(missing());
        }
        // SAFETY: the handle is of a library that stays loaded, since it was loaded at the start.
        let image = unsafe { Image::of(handle) };
        let image =
            image.ok_or_else(|| format!("the loader says nothing of {}", shown.display()))?;
        Ok(Tool { handle, image })
    }

    /// Returns the address of a function that the tool defines itself.
    pub fn defines(&self, name: &CStr) -> Option<usize> {
        // SAFETY: the handle is the loader's, the name ends in a zero byte.
        let address = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        // The search goes on in what the tool depends on, the MPI library among that.
        Some(address as usize).filter(|address| *address != 0 && self.image.holds(*address))
    }
}
