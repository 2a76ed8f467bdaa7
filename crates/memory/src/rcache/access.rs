//! Rights to registered memory.

/// A set of rights: operations that may be made on registered memory, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Access(u8);

impl Access {
    /// Nothing.
    pub const NONE: Access = Access(0);
    /// Operations of this process may read the memory.
    pub const LOCAL_READ: Access = Access(1);
    /// Operations of this process may write the memory.
    pub const LOCAL_WRITE: Access = Access(2);
    /// Peers may read the memory.
    pub const REMOTE_READ: Access = Access(4);
    /// Peers may write the memory.
    pub const REMOTE_WRITE: Access = Access(8);
    /// Peers may change words of the memory by atomic operations.
    pub const REMOTE_ATOMIC: Access = Access(16);

    /// Returns what either allows.
    pub const fn with(self, other: Access) -> Access {
        Access(self.0 | other.0)
    }

    /// Whether everything that `other` allows is allowed.
    pub const fn allows(self, other: Access) -> bool {
        self.0 & other.0 == other.0
    }
}
