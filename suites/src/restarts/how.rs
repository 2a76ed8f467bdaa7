//! How jobs are run whose ranks are started again.

/// Ranks of each job.
pub const RANKS: usize = 4;

/// The transports, with the components that each needs.
pub(super) const TRANSPORTS: [(&str, &str); 2] = [("sm", "sm,self"), ("tcp", "tcp,self")];

/// Options of `mpirun` by which a rank is started again.
pub const LOGGED: [&str; 4] = ["--enable-recovery", "--mca", "vprotocol", "pessimist"];
