//! Where calls of MPI come from: the address behind the call, in the code of the user.
//!
//! Rust has no way to ask for a return address, and unwinding the stack takes a microsecond. But
//! the frames of the library's own functions have constant sizes: an entry point, which calls
//! `abi::wall`, keeps its return address at a constant distance from the wall's own variables.
//! So the stack is unwound once for each function, and the distances are kept together with the
//! return addresses on the way: as long as these are the same, the frames are. Functions of
//! Fortran's library and of the libraries for programs of other MPIs count as the library's own.

use std::ffi::{c_int, c_void, CStr};

use crate::addresses::Cached;

/// How many frames of libraries there are at most between the wall and the user.
const FRAMES_MAX: usize = 4;

/// Places of calls, as they are found.
#[derive(Default)]
pub struct CallSites {
    /// How to find the caller, by function.
    frames: Cached<usize, Frames>,
}

/// The return addresses from the wall up to the user.
#[derive(Clone, Copy, Default)]
struct Frames {
    /// Each one's distance from the anchor, and its value when the stack was unwound.
    all: [(usize, usize); FRAMES_MAX],
    len: usize,
}

impl Frames {
    /// Returns the last address, if all before it are where and what they were.
    fn follow(&self, anchor: usize) -> Option<usize> {
        let (last, own) = self.all[..self.len].split_last()?;
        own.iter()
            .all(|(distance, known)| read(anchor, *distance) == *known)
            .then(|| read(anchor, last.0))
    }
}

impl CallSites {
    /// Returns the address behind the call of the function `name` in the user's code; `None` where
    /// the stack cannot be unwound. `anchor` is the address of a variable of `abi::wall`.
    #[inline]
    pub fn caller(&mut self, name: &'static &'static str, anchor: usize) -> Option<usize> {
        let key = std::ptr::from_ref(name).addr();
        let frames = self.frames.get(key);
        if let Some(found) = frames.and_then(|frames| frames.follow(anchor)) {
            return Some(found);
        }
        self.unwound(key, anchor)
    }

    #[cold]
    fn unwound(&mut self, key: usize, anchor: usize) -> Option<usize> {
        let frames = unwind(anchor)?;
        self.frames.insert(key, frames);
        frames.follow(anchor)
    }
}

/// Reads the word at a distance from the anchor.
fn read(anchor: usize, distance: usize) -> usize {
    // SAFETY: the anchor is in the frame of a function that has not returned, and the stack above
    // it is deeper than any distance that `unwind` stores: the frames up to the user's code are
    // there in every call.
    unsafe { std::ptr::with_exposed_provenance::<usize>(anchor + distance).read() }
}

/// The frames that the unwinder has found.
struct Walk {
    anchor: usize,
    frames: Frames,
    /// Whether the last address is the user's.
    found: bool,
}

#[cfg(target_arch = "x86_64")]
fn unwind(anchor: usize) -> Option<Frames> {
    let mut walk = Walk {
        anchor,
        frames: Frames::default(),
        found: false,
    };
    // SAFETY: the function calls `visit` with the pointer, and returns.
    unsafe { _Unwind_Backtrace(visit, std::ptr::from_mut(&mut walk).cast()) };
    walk.found.then_some(walk.frames)
}

/// Elsewhere return addresses are kept in registers.
#[cfg(not(target_arch = "x86_64"))]
fn unwind(_anchor: usize) -> Option<Frames> {
    None
}

const GO_ON: c_int = 0;
const STOP: c_int = 5;

extern "C" {
    /// From the library that unwinds the stack for Rust's panics, too.
    fn _Unwind_Backtrace(
        visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

/// Notes the return address of a frame.
unsafe extern "C" fn visit(context: *mut c_void, walk: *mut c_void) -> c_int {
    // SAFETY: the unwinder passes a frame and the pointer that it was given.
    let (address, end, walk) = unsafe {
        (
            _Unwind_GetIP(context),
            _Unwind_GetCFA(context),
            &mut *walk.cast::<Walk>(),
        )
    };
    let slot = end.wrapping_sub(size_of::<usize>());
    if slot <= walk.anchor {
        return GO_ON;
    }
    let distance = slot - walk.anchor;
    let len = walk.frames.len;
    if len == FRAMES_MAX || read(walk.anchor, distance) != address {
        return STOP;
    }
    walk.frames.all[len] = (distance, address);
    walk.frames.len = len + 1;
    walk.found = !is_own(address);
    match walk.found {
        true => STOP,
        false => GO_ON,
    }
}

/// Whether an address is in one of the project's libraries.
fn is_own(address: usize) -> bool {
    let Some(found) = locate(address) else {
        return false;
    };
    let name = found.file.rsplit('/').next().unwrap_or_default();
    ["libmpi_abi.so", "libmpifort_abi.so", "libmpi.so", "libmpi_"]
        .iter()
        .any(|own| name.starts_with(own))
}

/// A place in the code of the process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file that the code was loaded from.
    pub file: String,
    /// The address in the file, as debuggers count.
    pub address: usize,
    /// The function, where the file exports it.
    pub symbol: Option<String>,
}

/// Returns where an address of code is.
pub fn locate(address: usize) -> Option<Location> {
    // SAFETY: plain data, which the call fills.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    let at = std::ptr::with_exposed_provenance::<c_void>(address);
    // SAFETY: the function compares the address with those of what is loaded.
    if unsafe { libc::dladdr(at, &mut info) } == 0 {
        return None;
    }
    let text = |text: *const std::ffi::c_char| {
        if text.is_null() {
            return None;
        }
        // SAFETY: the texts belong to the loader, which has this code loaded while it runs.
        let text = unsafe { CStr::from_ptr(text) };
        Some(text.to_string_lossy().into_owned())
    };
    let mut file = text(info.dli_fname).unwrap_or_default();
    let own = std::fs::read_link("/proc/self/exe");
    let is_program =
        !file.contains('/') || std::fs::canonicalize(&file).ok() == own.as_ref().ok().cloned();
    if let (true, Ok(own)) = (is_program, own) {
        file = own.to_string_lossy().into_owned();
    }
    Some(Location {
        file,
        address: address.wrapping_sub(bias(info.dli_fbase.addr())),
        symbol: text(info.dli_sname),
    })
}

/// Returns what the loader adds to the addresses in a file whose first byte is at `base`: nothing
/// for a program that is linked for a fixed address.
fn bias(base: usize) -> usize {
    const POSITION_INDEPENDENT: u16 = 3;
    const TYPE_AT: usize = 16;
    // SAFETY: the header of a loaded file is mapped at its base.
    let kind = unsafe { std::ptr::with_exposed_provenance::<u16>(base + TYPE_AT).read() };
    match kind {
        POSITION_INDEPENDENT => base,
        _ => 0,
    }
}
