//! Questions to the owner of the handles, for accounts of what a process waits for.

use base::Mutex;
use bootstrap::account::{Lock, Object};

/// Answers of the owner of the handles, who alone knows them.
#[derive(Clone, Copy)]
pub struct Inquiry {
    /// Returns the MPI function that the process is in, with its communicator or window.
    pub call: fn() -> Option<(&'static str, Option<Object>)>,
    /// Returns the name of the communicator of a context.
    pub name: fn(u64) -> Option<String>,
    /// Returns the locks of windows that this process has or wants.
    pub locks: fn() -> Vec<Lock>,
    /// Returns whether the program has generalized requests, which anything may complete.
    pub is_generalized: fn() -> bool,
}

impl Inquiry {
    /// Answers for a process without handles.
    pub const NONE: Inquiry = Inquiry {
        call: || None,
        name: |_| None,
        locks: Vec::new,
        is_generalized: || false,
    };
}

/// Accounts of what this process waits for.
pub(crate) struct Accounts {
    pub(crate) inquiry: Inquiry,
    /// Questions of the launcher that are to be answered at the next poll.
    pub(crate) questions: Mutex<Vec<u32>>,
}

impl Accounts {
    /// Returns the state before the launcher has asked for an account.
    pub(crate) fn new(inquiry: Inquiry) -> Accounts {
        Accounts {
            inquiry,
            questions: Mutex::default(),
        }
    }
}
