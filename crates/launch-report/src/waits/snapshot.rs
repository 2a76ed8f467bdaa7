//! [`Snapshot`]: the state of a process at one look.

use bootstrap::account::{Account, Object};

/// The number of a wait of which the launcher itself knows that it lasts: for all processes.
pub(super) const IN_FENCE: u64 = u64::MAX;

/// State of a process, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Snapshot {
    /// It has answered.
    Account(Box<Account>),
    /// It uses MPI, and has not answered: it is outside of MPI. What the system says of it.
    Silent(String),
    /// It has not called `MPI_Init`. What the system says of it.
    Unconnected(String),
    /// It has called `MPI_Finalize`.
    Finalized,
    /// It has ended.
    Exited,
}

impl Snapshot {
    /// Returns what is known of a process that waits for all `size` at the beginning or the end.
    pub fn in_fence(begins: bool, size: u32) -> Snapshot {
        let call = if begins { "MPI_Init" } else { "MPI_Finalize" };
        let world = Object {
            context: u64::MAX,
            name: "MPI_COMM_WORLD".to_string(),
            members: (0..size).collect(),
        };
        Snapshot::Account(Box::new(Account {
            call: call.to_string(),
            object: Some(world),
            wait: IN_FENCE,
            ..Account::default()
        }))
    }
}
