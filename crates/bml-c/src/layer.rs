//! The layer object behind the pointer that programs hold, and the check of every entry to it.

use std::cell::UnsafeCell;
use std::ffi::{c_int, CString};
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{wall, Key, PeerId, Slab};
use bml::{Bml, Exposed, RemoteMemory};
use sync::Patience;

use crate::failure::{code, text_of, Failure};
use crate::handlers::Handlers;

/// The object behind an `oxmpi_bml *`.
pub struct Layer {
    /// The thread that is inside; 0 for none.
    inside: AtomicUsize,
    inner: UnsafeCell<Inner>,
}

/// The state that a call works on.
pub struct Inner {
    pub bml: Bml,
    pub handlers: Handlers,
    /// Exposed memory of this process.
    pub exposed: Slab<Exposed>,
    /// Imported memory of peers.
    pub remotes: Slab<(PeerId, RemoteMemory)>,
    pub patience: Patience,
    /// The text of the last failure.
    pub failure_text: CString,
    /// Whether a call has panicked, after which the state is unknown.
    broken: bool,
}

impl Inner {
    /// Returns a layer over opened transports.
    pub fn new(bml: Bml, patience: Patience) -> Inner {
        Inner {
            bml,
            handlers: Handlers::default(),
            exposed: Slab::default(),
            remotes: Slab::default(),
            patience,
            failure_text: CString::default(),
            broken: false,
        }
    }

    /// Returns a peer's memory by its handle.
    pub fn remote(&self, handle: u64) -> Result<(PeerId, RemoteMemory), Failure> {
        let found = self.remotes.get(Key::from_bits(handle)).copied();
        found.ok_or_else(|| {
            Failure::argument(format!(
                "{handle:#x} is no handle of a peer's memory (any more)"
            ))
        })
    }

    fn fail(&mut self, failure: Failure) -> c_int {
        self.failure_text =
            CString::new(failure.text).unwrap_or_else(|_| text_of(failure.code).to_owned());
        failure.code
    }
}

/// A thread's stay inside the layer, which ends when this is dropped, also by unwinding.
struct Stay<'a>(&'a AtomicUsize);

impl Drop for Stay<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

impl Layer {
    /// Returns the object for a program to hold.
    pub fn new(inner: Inner) -> Box<Layer> {
        Box::new(Layer {
            inside: AtomicUsize::new(0),
            inner: UnsafeCell::new(inner),
        })
    }

    /// Lets this thread in, or returns the code of the refusal.
    fn take(&self) -> Result<Stay<'_>, c_int> {
        // SAFETY: it has no preconditions.
        let me = unsafe { libc::pthread_self() } as usize;
        let taken = self
            .inside
            .compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed);
        match taken {
            Ok(_) => Ok(Stay(&self.inside)),
            Err(holder) if holder == me => Err(code::ERR_HANDLER),
            Err(_) => Err(code::ERR_THREAD),
        }
    }
}

/// Runs a call on a layer, and catches panics. Returns the result of the body, or the code of its
/// failure, whose text is stored in the layer.
///
/// # Safety
/// `layer` is null, or what `oxmpi_bml_open` gave and `oxmpi_bml_close` has not taken.
pub unsafe fn enter(
    layer: *mut Layer,
    body: impl FnOnce(&mut Inner) -> Result<c_int, Failure>,
) -> c_int {
    // SAFETY: the caller's promise. The reference is shared: a handler may come here again while a
    // call of the same thread is inside.
    let Some(layer) = (unsafe { layer.as_ref() }) else {
        return code::ERR_ARGUMENT;
    };
    let _stay = match layer.take() {
        Ok(stay) => stay,
        Err(code) => return code,
    };
    // SAFETY: `take` let this call in alone, and the stay ends after the last use.
    let inner = unsafe { &mut *layer.inner.get() };
    if inner.broken {
        return code::ERR_INTERNAL;
    }
    match wall(|| Ok(body(inner)), |text| Err(text.to_string())) {
        Ok(Ok(answer)) => answer,
        Ok(Err(failure)) => inner.fail(failure),
        Err(text) => {
            inner.broken = true;
            inner.fail(Failure::new(code::ERR_INTERNAL, text))
        }
    }
}

/// Closes and frees a layer.
///
/// # Safety
/// See [`enter`]; the pointer is invalid once this succeeds.
pub unsafe fn leave(layer: *mut Layer) -> c_int {
    // SAFETY: the caller's promise, which is `enter`'s.
    let answer = unsafe {
        enter(layer, |inner| {
            inner.bml.close();
            Ok(code::OK)
        })
    };
    if !matches!(answer, code::OK | code::ERR_INTERNAL) {
        return answer;
    }
    // SAFETY: it was made by `Layer::new` as a box and nobody is inside, as `enter` has seen.
    let layer = unsafe { Box::from_raw(layer) };
    let freed = || {
        drop(layer);
        answer
    };
    wall(freed, |_| code::ERR_INTERNAL)
}
