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
//! What a tool imports stands in its table of relocations ([`image`]). For what it looks up while
//! it runs it is given another `dlsym` ([`lookup`]), which finds the next tool's functions, too.

mod image;
mod lookup;
mod tool;

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::panic::{catch_unwind, AssertUnwindSafe};

use tool::{defined_behind, public_name, Tool};

/// The variable that lists the tools for the loader, separated by colons.
const TOOLS: &str = "OXMPI_TOOLS";

/// The exit code of a process that lacks a tool.
const FAILED: i32 = 1;

#[used]
#[link_section = ".init_array"]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    let names = std::env::var_os(TOOLS).unwrap_or_default();
    let joined = catch_unwind(AssertUnwindSafe(|| join(&names)));
    if let Err(why) = joined.unwrap_or_else(|_| Err("a fault in oxmpi".to_string())) {
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
