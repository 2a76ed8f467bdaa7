//! [`Stage`]: copies that a layer above keeps of a request's buffers.
//!
//! MPI uses the copies. The layer copies its buffers in before the operation starts, and out when
//! it is complete: once for each start, by whichever call notices it first.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// A function of a layer, given the layer's state.
pub type Step = unsafe extern "C" fn(*mut c_void);

/// The functions of a layer around the operation of a request.
pub struct Stage {
    copy_in: Step,
    copy_out: Step,
    destructor: Option<Step>,
    state: *mut c_void,
    /// Whether the operation was started, and its end not noticed.
    is_active: AtomicBool,
}

// SAFETY: the state is the layer's, whose functions may be called from any thread that is inside
// MPI.
unsafe impl Send for Stage {}
// SAFETY: as for `Send`.
unsafe impl Sync for Stage {}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(destructor) = self.destructor {
            // SAFETY: the layer's function, called once, when nothing will use the state.
            unsafe { destructor(self.state) };
        }
    }
}

impl Stage {
    /// Returns what a layer does around an operation that was started.
    pub fn new(
        copy_in: Step,
        copy_out: Step,
        destructor: Option<Step>,
        state: *mut c_void,
    ) -> Stage {
        Stage {
            copy_in,
            copy_out,
            destructor,
            state,
            is_active: AtomicBool::new(true),
        }
    }

    /// Sets whether the operation is under way.
    pub fn set_active(&self, is_active: bool) {
        self.is_active.store(is_active, Ordering::Relaxed);
    }

    /// Copies the buffers in, as the operation starts.
    pub fn start(&self) {
        self.is_active.store(true, Ordering::Relaxed);
        // SAFETY: the layer's function, which gets its own state.
        unsafe { (self.copy_in)(self.state) };
    }

    /// Copies the buffers out, unless that was done since the start.
    pub fn complete(&self) {
        if self.is_active.swap(false, Ordering::Relaxed) {
            // SAFETY: the layer's function, which gets its own state.
            unsafe { (self.copy_out)(self.state) };
        }
    }

    /// Lets go of the copies. Those of an operation under way stay for ever, since no call will
    /// notice its end.
    pub fn release(stage: Option<Arc<Stage>>) {
        if let Some(stage) = stage.filter(|stage| stage.is_active.load(Ordering::Relaxed)) {
            std::mem::forget(stage);
        }
    }
}
