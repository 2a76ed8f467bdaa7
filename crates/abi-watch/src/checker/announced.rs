//! Collective calls, and how their announcements end.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use abi_state::hooks::Note;
use check::collective::Function;

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
