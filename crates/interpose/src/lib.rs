//! `liboxmpi_interpose.so`: lets several tools watch the calls of one program, each as if it were
//! alone (`mpirun --tool a.so,b.so`).
//!
//! A tool defines `MPI_X` and hands the call on by `PMPI_X`. The launcher has the loader load the
//! tools before the program's libraries, so the program finds the first tool that defines `MPI_X`.
//! The `PMPI_X` of that tool would be the MPI library's, past all other tools. This library is
//! loaded behind them. When it is initialised the loader has resolved what the tools import, and
//! it changes that: where a tool imports `PMPI_X`, and a later one defines `MPI_X`, the address of
//! the latter is written there. No call costs more than a tool alone.
//!
//! What a tool imports stands in its table of relocations ([`image`]). For what it looks up while it
//! runs it is given another `dlsym` ([`lookup`]), which finds the next tool's functions, too.

mod image;
mod lookup;

use std::ffi::{c_void, CStr, CString, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use image::Image;

/// The variable with the tools, separated by colons, as the loader was told them.
const TOOLS: &str = "OXMPI_TOOLS";

/// The exit code of a process that lacks a tool.
const FAILED: i32 = 1;

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    let names = std::env::var_os(TOOLS).unwrap_or_default();
    if let Err(why) = join(&names) {
        let line = format!("oxmpi: {why}\n");
        // SAFETY: the bytes are the line's. Nothing is to run in a process whose tools do not
        // watch it, also no handler of its exit.
        unsafe {
            libc::write(2, line.as_ptr().cast(), line.len());
            libc::_exit(FAILED);
        }
    }
}

/// Joins the tools of these names in their order.
fn join(names: &OsString) -> Result<(), String> {
    let mut tools = Vec::new();
    for name in names.as_bytes().split(|byte| *byte == b':') {
        if !name.is_empty() {
            tools.push(Tool::find(name)?);
        }
    }
    // The last tool has none behind it.
    let last = tools.len().saturating_sub(1);
    for (at, tool) in tools.iter().enumerate().take(last) {
        for import in tool.image.imports() {
            let next = match import.name.to_bytes() {
                b"dlsym" => Some(lookup::of(at)?),
                _ => {
                    public_name(import.name).and_then(|public| defined_behind(&tools, at, &public))
                }
            };
            if let Some(next) = next {
                tool.image.set(&import, next)?;
            }
        }
    }
    lookup::serve(tools);
    Ok(())
}

/// Returns the address of a function that a tool behind the one at a position defines.
fn defined_behind(tools: &[Tool], at: usize, name: &CStr) -> Option<usize> {
    tools[at + 1..].iter().find_map(|other| other.defines(name))
}

/// The name by which programs call what a tool calls by `name`: `MPI_Send` of `PMPI_Send`, and
/// `mpi_send_` of `pmpi_send_`.
fn public_name(name: &CStr) -> Option<CString> {
    let name = name.to_bytes();
    let is_profiled = name.starts_with(b"PMPI_") || name.starts_with(b"pmpi_");
    let public = name.get(1..).filter(|_| is_profiled)?;
    CString::new(public).ok()
}

/// A tool, which stays loaded.
struct Tool {
    handle: *mut c_void,
    image: Image,
}

// SAFETY: the addresses are of a library that stays loaded and of its tables, which are only read
// once the tools are joined; the loader's functions take them from any thread.
unsafe impl Send for Tool {}
// SAFETY: as above.
unsafe impl Sync for Tool {}

impl Tool {
    /// Finds a tool that the loader has loaded by this name.
    fn find(name: &[u8]) -> Result<Tool, String> {
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
    fn defines(&self, name: &CStr) -> Option<usize> {
        // SAFETY: the handle is the loader's, the name ends in a zero byte.
        let address = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        // The search goes on in what the tool depends on, the MPI library among that.
        Some(address as usize).filter(|address| *address != 0 && self.image.holds(*address))
    }
}
