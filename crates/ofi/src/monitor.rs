//! Disables libfabric's own registration caches, through its interface for memory monitors.
//!
//! Some providers cache registrations. To notice released memory they patch the C library's
//! functions, or use a userfaultfd of their own: then `munmap` calls into a provider's locks, which
//! makes programs with other allocators hang; and two caches, one above the other, keep the same
//! memory pinned twice.
//!
//! Since 1.13 libfabric accepts an external memory monitor (`fi_open("mr_cache")`), which replaces
//! its own. The one that it is given here watches nothing and says so: `subscribe` refuses,
//! whereupon a provider registers and caches nothing. Nothing is patched, nothing of libfabric's
//! can be stale, and `memory::rcache` alone caches, which checks for reports of released memory
//! before every look-up.
//!
//! A user who sets `FI_MR_CACHE_MONITOR` keeps that choice.

use std::ptr;

use libc::{c_int, c_void};
use mca::Framework;

use crate::object::{close, demand, entry};
use crate::sys::{self, fi_ops, fi_ops_mem_monitor, fid, fid_mem_monitor};
use crate::{Error, Library};

/// The first interface that takes monitors.
const SINCE: u32 = 1 << 16 | 13;

/// The user's own choice of a monitor.
const CHOICE: &str = "FI_MR_CACHE_MONITOR";

impl Library {
    /// Keeps providers from caching registrations. To be called before a domain is opened; the
    /// second call in a process, which libfabric refuses, changes nothing.
    pub(crate) fn keep_from_caching(&self) {
        if environment::var_os(CHOICE).is_some() {
            return;
        }
        if let Err(error) = self.import_monitor() {
            Framework::Opal.debug(format_args!(
                "libfabric keeps its own monitor of memory: {error}"
            ));
        }
    }

    fn import_monitor(&self) -> Result<(), Error> {
        let call = "fi_open";
        let open = self.loaded().open.filter(|_| self.interface() >= SINCE);
        let open = demand(open, call)?;
        let mut cache: *mut fid = ptr::null_mut();
        // SAFETY: a terminated name, no attributes, room for the result.
        let answer = unsafe {
            open(
                self.interface(),
                c"mr_cache".as_ptr(),
                ptr::null_mut(),
                0,
                0,
                &mut cache,
                ptr::null_mut(),
            )
        };
        self.check(call, answer)?;
        let parts = Box::into_raw(Box::new(Parts::new()));
        // SAFETY: just allocated, and nobody else has it. `fi_open` succeeded, so `cache` is
        // there.
        let (monitor, table) = unsafe { (Parts::assemble(parts), (*cache).ops) };
        let call = "fi_import_fid";
        let outcome = match entry!(table, fi_ops, bind) {
            // SAFETY: the object is open; the monitor is complete, and is freed only when it was
            // not taken.
            Some(bind) => self.check(call, unsafe { bind(cache, monitor.cast(), 0) }),
            None => Err(Error::Lacking { call }),
        };
        // SAFETY: opened above and not used again.
        unsafe { close(cache, "memory cache") };
        if outcome.is_err() {
            // SAFETY: from `Box::into_raw` above; libfabric did not take it.
            drop(unsafe { Box::from_raw(parts) });
        }
        outcome
    }
}

/// The object and its tables in one allocation. Once libfabric has it, it is never freed: libfabric
/// never returns it.
struct Parts {
    monitor: fid_mem_monitor,
    object: fi_ops,
    export: fi_ops_mem_monitor,
}

impl Parts {
    fn new() -> Parts {
        Parts {
            monitor: fid_mem_monitor {
                fid: fid {
                    fclass: sys::CLASS_MEM_MONITOR,
                    context: ptr::null_mut(),
                    ops: ptr::null_mut(),
                },
                export_ops: ptr::null_mut(),
                import_ops: ptr::null_mut(),
            },
            object: fi_ops {
                size: size_of::<fi_ops>(),
                close: Some(nothing_to_close),
                bind: None,
                control: None,
                ops_open: None,
                tostr: None,
                ops_set: None,
            },
            export: fi_ops_mem_monitor {
                size: size_of::<fi_ops_mem_monitor>(),
                start: Some(start),
                stop: Some(stop),
                subscribe: Some(subscribe),
                unsubscribe: Some(unsubscribe),
                valid: Some(valid),
            },
        }
    }

    /// Lets the object point to its tables.
    ///
    /// # Safety
    /// `parts` is valid, and nobody else refers to it.
    unsafe fn assemble(parts: *mut Parts) -> *mut fid_mem_monitor {
        // SAFETY: promised by the caller.
        unsafe {
            (*parts).monitor.fid.ops = &raw mut (*parts).object;
            (*parts).monitor.export_ops = &raw mut (*parts).export;
            &raw mut (*parts).monitor
        }
    }
}

unsafe extern "C" fn nothing_to_close(_object: *mut fid) -> c_int {
    0
}

unsafe extern "C" fn start(_monitor: *mut fid_mem_monitor) -> c_int {
    0
}

unsafe extern "C" fn stop(_monitor: *mut fid_mem_monitor) {}

/// Nothing is watched, so nothing may be cached.
unsafe extern "C" fn subscribe(
    _monitor: *mut fid_mem_monitor,
    _address: *const c_void,
    _len: usize,
) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn unsubscribe(
    _monitor: *mut fid_mem_monitor,
    _address: *const c_void,
    _len: usize,
) {
}

unsafe extern "C" fn valid(
    _monitor: *mut fid_mem_monitor,
    _address: *const c_void,
    _len: usize,
) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// libfabric takes the monitor once, and says so the second time.
    #[test]
    fn the_monitor_is_taken() {
        let Ok(library) = Library::load(None) else {
            println!("skipped: no libfabric");
            return;
        };
        if library.interface() < SINCE || std::env::var_os(CHOICE).is_some() {
            return;
        }
        let first = library.import_monitor();
        // Another test may have opened a domain before.
        assert!(
            matches!(first, Ok(()) | Err(Error::Call { .. })),
            "{first:?}"
        );
        let second = library.import_monitor();
        assert!(matches!(second, Err(Error::Call { .. })), "{second:?}");
    }
}
