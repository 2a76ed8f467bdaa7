//! The window of the last call that went the short way, found without the table of handles: to
//! enter the table's gate and to look there is half of what a flush with nothing to wait for does.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::Arc;

use mpi::Window;
use sync::Alone;

use crate::args::Win;
use crate::calls::win::WinEntry;
use crate::calls::win_sync::{Quick, Short};
use crate::tables::Tables;

/// The window of the last call that went the short way, or none.
///
/// It has one only while the table of handles is not shared, that is, while the application
/// promises that no two calls overlap (MPI 5.0, 11.6.2): who shares the table calls
/// [`Recent::forget`] then, and who takes windows out of it does so before.
pub struct Recent {
    /// 0, which is no handle, where there is none.
    handle: AtomicUsize,
    entry: AtomicPtr<WinEntry>,
}

impl Recent {
    /// No window.
    pub const fn new() -> Recent {
        Recent {
            handle: AtomicUsize::new(0),
            entry: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// The window of a handle, if that is the last one.
    ///
    /// # Safety
    /// It is not used once the application's call has returned.
    #[inline(always)]
    pub unsafe fn window<'call>(&self, handle: Win) -> Option<&'call Window> {
        if handle.0 == 0 || handle.0 != self.handle.load(Ordering::Relaxed) {
            return None;
        }
        // SAFETY: the entry is in the table, where it is not moved: who takes it out calls `forget`
        // before, and by the promise above not while this call goes on.
        let entry = unsafe { &*self.entry.load(Ordering::Relaxed) };
        Some(&entry.window)
    }

    /// Does a call's part on the window of a handle, if that is the last one.
    #[inline(always)]
    pub fn with(&self, handle: Win, call: &impl Short) -> Option<Quick> {
        // SAFETY: what is given is not kept.
        let window = unsafe { self.window(handle) };
        window.map(|window| call.alone(window))
    }

    /// Finds the window of a handle in the table, which is not shared, and keeps it.
    pub fn keep<'a>(&self, tables: &'a Alone<'_, Tables>, handle: Win) -> Option<&'a Window> {
        let entry = tables.wins.get(handle).ok()?;
        let place = Arc::as_ptr(entry).cast_mut();
        self.entry.store(place, Ordering::Relaxed);
        self.handle.store(handle.0, Ordering::Relaxed);
        Some(&entry.window)
    }

    /// Whichever window it was is about to go, or other threads may come.
    pub fn forget(&self) {
        self.handle.store(0, Ordering::Relaxed);
    }
}
