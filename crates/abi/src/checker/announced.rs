//! Announcements that others have not answered yet.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use check::collective::Function;

use crate::hooks::Note;

/// Numbers of announcements of this process.
#[derive(Default)]
pub(super) struct Announced {
    /// How many others have not answered yet.
    pub(super) under_way: AtomicUsize,
    /// Whether no more are made: too many were not answered.
    pub(super) is_over: AtomicBool,
}

/// The collective call that a call is.
pub(super) struct Draft {
    pub(super) function: Function,
    pub(super) note: Note,
    /// How its announcement ended, once it is made.
    pub(super) outcome: Option<Arc<Outcome>>,
}

// SAFETY: the pointers of the note are read by the thread alone that is in the call, and no longer
// than that lasts.
unsafe impl Send for Draft {}

impl Draft {
    pub(super) fn new(function: Function, note: &Note) -> Draft {
        Draft {
            function,
            note: *note,
            outcome: None,
        }
    }
}

/// How an announcement has ended.
#[derive(Default)]
pub(super) struct Outcome {
    /// Whether the announcements of all ranks are there.
    pub(super) is_known: AtomicBool,
    /// Whether they differ.
    pub(super) differs: AtomicBool,
}

impl Announced {
    pub(super) fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }
}

/// An announcement under way.
pub(super) struct UnderWay(Arc<Announced>);

impl UnderWay {
    pub(super) fn new(announced: Arc<Announced>) -> UnderWay {
        announced.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(announced)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}
