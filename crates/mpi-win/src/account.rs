//! A window in the account of what a process waits for, which the launcher asks for.

use bootstrap::account::{Lock, Object};

use crate::Window;

impl Window {
    /// Returns the window as an account names it.
    pub fn for_account(&self) -> Object {
        Object {
            context: self.context(),
            name: match self.name() {
                name if name.is_empty() => "a window without a name".to_string(),
                name => name,
            },
            members: self.group().peers().iter().map(|peer| peer.0).collect(),
        }
    }

    /// Returns the locks of the window that this process has or wants, for its account.
    pub fn locks_for_account(&self) -> Vec<Lock> {
        let group = self.group();
        let targets = self.lock_targets().into_iter();
        let lock = |target| {
            Some(Lock {
                window: self.context(),
                target: group.peer(target)?.0,
            })
        };
        targets.filter_map(lock).collect()
    }
}
