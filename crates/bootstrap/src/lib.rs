//! How ranks find each other.
//!
//! A process that starts knows nothing of its job. A [`Provider`] tells it who it is
//! ([`Identity`]: rank, size, which peers share its node, the job's secret) and lets it hand
//! small values to its peers: [`Provider::publish`] them, [`Provider::fence`] with everybody,
//! [`Provider::fetch`] theirs. That is enough to exchange the addresses of transports (the
//! modex), and nothing here knows what an address looks like.
//!
//! Who provides depends on who started the process; [`connect`] decides:
//!
//! | provider    | chosen by                       | launcher                               |
//! |-------------|---------------------------------|----------------------------------------|
//! | `native`    | `OXMPI_BOOT_FD`                 | this project's `mpirun`                |
//! | `pmi1`      | `PMI_FD` or `PMI_PORT`          | Hydra, Slurm with `--mpi=pmi2`, gforker |
//! | `singleton` | none of these, or `OXMPI_SINGLETON=1` | none: a job of one process       |
//!
//! A launcher that says there are several processes but cannot be reached is an error with a
//! reason: N processes that each believe to be alone would run the same job N times.
//!
//! A provider is used by one thread at a time and owns its connection. The order of calls is
//! `publish*`, `fence` (or `begin_fence` and `poll_fence` until it says true), `fetch*`, any
//! number of times, then `finalize` or `abort`. What was published before a fence is seen by
//! every peer after it, and not to be relied on earlier.
//!
//! * [`native`] also holds the wire format that the launcher's side speaks.
//! * [`child`] is what a launcher does to a child between fork and exec.

pub mod child;
mod choose;
mod error;
mod fd;
mod identity;
pub mod native;
mod pmi1;
mod singleton;

use std::time::Duration;

use base::PeerId;

pub use choose::{connect, connect_from_env, SINGLETON_VARIABLE};
pub use error::Error;
pub use identity::{Identity, Launcher, Secret};

/// The longest key that every provider takes, in bytes. Keys are ASCII letters, digits, `.`,
/// `_` and `-`.
pub const KEY_BYTES_MAX: usize = 32;

/// The largest value that every provider takes, in bytes.
pub const VALUE_BYTES_MAX: usize = 1 << 20;

/// A process's way to its launcher and, through it, to its peers' published values.
pub trait Provider: Send {
    /// Who this process is.
    fn identity(&self) -> &Identity;

    /// Offers `value` under `key` to all peers, from the next fence on. Publishing a key again
    /// replaces its value.
    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error>;

    /// Enters a fence of all processes of the job; what was published so far goes with it.
    /// The fence is over when [`Provider::poll_fence`] says so.
    fn begin_fence(&mut self) -> Result<(), Error>;

    /// Whether the fence that was begun is over. Waits for that at most `wait`; `None` waits as
    /// long as it takes, `Some(Duration::ZERO)` not at all.
    fn poll_fence(&mut self, wait: Option<Duration>) -> Result<bool, Error>;

    /// Waits until all processes of the job have come here, and makes visible what each
    /// published before.
    fn fence(&mut self) -> Result<(), Error> {
        self.begin_fence()?;
        while !self.poll_fence(None)? {}
        Ok(())
    }

    /// What `peer` published under `key` before the last fence; `None` when it did not.
    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Asks the launcher to end the whole job with exit code `code`, telling the user `reason`.
    /// Returns once the launcher has been told; the caller ends its own process.
    fn abort(&mut self, code: i32, reason: &str) -> Result<(), Error>;

    /// Tells the launcher that this process is done with its peers: a later exit is no failure
    /// of the job unless its status says so.
    fn finalize(self: Box<Self>) -> Result<(), Error>;
}

/// Checks a key and the size of a value against what every provider takes.
pub(crate) fn check_entry(key: &str, value: &[u8]) -> Result<(), Error> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    if key.is_empty() || key.len() > KEY_BYTES_MAX || !key.bytes().all(allowed) {
        return Err(Error::Key {
            key: key.to_string(),
        });
    }
    if value.len() > VALUE_BYTES_MAX {
        return Err(Error::ValueTooLong {
            key: key.to_string(),
            bytes: value.len(),
        });
    }
    Ok(())
}
