//! The tables that debuggers read in the launcher: the processes of the job (the MPIR process
//! acquisition interface, version 1.0, which TotalView, DDT and STAT use, and scripts of gdb).
//!
//! A debugger that starts `mpirun` sets [`MPIR_being_debugged`] and a breakpoint at
//! [`MPIR_Breakpoint`], which the launcher calls once all processes of a part run. While the
//! debugger holds the launcher there, no process passes `MPI_Init`: that needs an answer of the
//! launcher. A debugger that attaches to an `mpirun` finds the table filled.
//!
//! The names, types and values are the interface's; the launcher writes them through [`publish`]
//! and [`abort`] alone, and it has one thread.

use std::ffi::{c_char, c_int, CString};

use base::Mutex;

/// A process, as a debugger reads it.
#[allow(non_camel_case_types)]
#[repr(C)]
pub struct MPIR_PROCDESC {
    host_name: *const c_char,
    executable_name: *const c_char,
    pid: c_int,
}

/// A process of the job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// The host that it runs on, as the debugger reaches it.
    pub host: String,
    /// The file of its program on that host.
    pub program: String,
    /// Its process id there.
    pub pid: u32,
}

/// The processes, by number in the job.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_proctable: *mut MPIR_PROCDESC = std::ptr::null_mut();

/// How many they are.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_proctable_size: c_int = 0;

/// The state of the job: 0 before the table is there, 1 from then on, 2 when it ends by a failure.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_debug_state: c_int = 0;

/// Why the job ends, in state 2.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_debug_abort_string: *const c_char = std::ptr::null();

/// Set by a debugger that has started the launcher.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_being_debugged: c_int = 0;

/// Says by its existence that this program starts the processes and is not one of them.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_i_am_starter: c_int = 1;

/// Says by its existence that a debugger need not attach to all processes: the launcher lets them
/// go on.
#[allow(non_upper_case_globals)]
#[no_mangle]
#[used]
pub static mut MPIR_partial_attach_ok: c_int = 1;

/// Keeps the function, which nothing but a debugger has a use for.
#[used]
static BREAKPOINT: extern "C" fn() = MPIR_Breakpoint;

/// The texts that the table points at.
static TEXTS: Mutex<Vec<CString>> = Mutex::new(Vec::new());

/// The function that a debugger stops the launcher in, to read the table.
#[allow(non_snake_case)]
#[no_mangle]
#[inline(never)]
pub extern "C" fn MPIR_Breakpoint() {
    std::hint::black_box(());
}

/// Whether a debugger has started the launcher.
pub fn is_being_debugged() -> bool {
    // SAFETY: reads a number that only a debugger writes, while the process is stopped.
    unsafe { std::ptr::read_volatile(&raw const MPIR_being_debugged) != 0 }
}

/// Makes these the processes of the job, and lets a debugger stop here.
pub fn publish(processes: &[Process]) {
    let mut texts = Vec::new();
    let mut keep = |text: &str| {
        let text = CString::new(text).unwrap_or_default();
        let at = text.as_ptr();
        texts.push(text);
        at
    };
    let table = processes.iter().map(|process| MPIR_PROCDESC {
        host_name: keep(&process.host),
        executable_name: keep(&process.program),
        pid: process.pid as c_int,
    });
    let table: Box<[MPIR_PROCDESC]> = table.collect();
    let size = table.len() as c_int;
    let table = Box::into_raw(table);
    // An earlier table and its texts stay: a debugger may have read where they are.
    TEXTS.lock().extend(texts);
    // SAFETY: the launcher has one thread that writes these words, and a debugger reads them while
    // it is stopped. The table and its texts are never freed.
    unsafe {
        std::ptr::write_volatile(&raw mut MPIR_proctable, table.cast());
        std::ptr::write_volatile(&raw mut MPIR_proctable_size, size);
        std::ptr::write_volatile(&raw mut MPIR_debug_state, 1);
    }
    breakpoint();
}

/// Says that the job ends by a failure, and lets a debugger stop here.
pub fn abort(why: &str) {
    let text = CString::new(why).unwrap_or_default();
    // SAFETY: as in `publish`; the text is never freed.
    unsafe {
        std::ptr::write_volatile(&raw mut MPIR_debug_abort_string, text.into_raw());
        std::ptr::write_volatile(&raw mut MPIR_debug_state, 2);
    }
    breakpoint();
}

/// Calls the function through a pointer, so that no compiler leaves the call out.
fn breakpoint() {
    std::hint::black_box(BREAKPOINT)();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_debugger_finds_the_processes() {
        let process = |pid| Process {
            host: format!("n{pid}"),
            program: "/bin/x".to_string(),
            pid,
        };
        publish(&[process(1), process(2)]);
        publish(&[process(3), process(4), process(5)]);
        assert!(!is_being_debugged());
        // SAFETY: this test is the only one that uses these words; `publish` has filled a table of
        // three processes with texts that stay.
        let (size, last, host) = unsafe {
            let last = &*MPIR_proctable.add(2);
            let host = CStr::from_ptr(last.host_name).to_str().unwrap();
            (MPIR_proctable_size, last.pid, host)
        };
        assert_eq!((size, last, host), (3, 5, "n5"));
    }
}
