//! How ranks find each other.
//!
//! A process that starts knows nothing of its job. A [`Provider`] tells it who it is
//! ([`Identity`]: rank, size, which peers share its node, the job's secret) and lets it hand
//! small values to its peers: [`Provider::publish`] them, [`Provider::fence`] with everybody,
//! [`Provider::fetch`] theirs. That is enough to exchange the addresses of transports (the
//! modex), and nothing here knows what an address looks like.
//!
//! The provider depends on the launcher of the process; [`connect`] decides:
//!
//! | provider    | chosen by                 | launcher                                     |
//! |-------------|---------------------------|----------------------------------------------|
//! | `singleton` | `OXMPI_SINGLETON=1`       | none: a job of one process                   |
//! | `native`    | `OXMPI_BOOT_FD`           | this project's `mpirun`                      |
//! | `pmi2`      | `PMI_FD` and `PMI_JOBID`  | `srun --mpi=pmi2`                            |
//! | `pmi1`      | `PMI_FD`                  | Hydra (MPICH, Intel MPI), gforker            |
//! | `pmi1`      | `PMI_PORT`                | Hydra with `-pmi-port`                       |
//! | `pmix`      | `PMIX_NAMESPACE`          | `srun --mpi=pmix`, Open MPI, PRRTE           |
//! | `singleton` | none of these             | none                                         |
//!
//! The first row that fits is tried. Launchers are started within each other's jobs, and variables
//! of the outer one are left over: where the connection turns out to be closed, or to belong to
//! another process, the next row that fits is tried. `OXMPI_BOOTSTRAP` names one of the providers
//! and leaves no choice.
//!
//! A launcher that says there are several processes but cannot be reached is an error with a
//! reason: N processes that each believe to be alone would run the same job N times.
//!
//! A provider is used by one thread at a time and owns its connection. The order of calls is
//! `publish*`, `fence` (or `begin_fence` and `poll_fence` until it says true), `fetch*`, any
//! number of times, then `finalize` or `abort`. What was published before a fence is seen by
//! every peer after it, and not to be relied on earlier. After `finalize` a process may `resume`
//! and begin anew, over the same connection, where the launcher allows it.
//!
//! Where [`Provider::can_meet`], some processes can exchange values without the others: a *meeting*
//! of `begin_meeting` and `poll_meeting`, any number of them at once and beside a fence.
//!
//! * [`native`] also holds the wire format that the launcher's side speaks.
//! * [`child`] is what a launcher does to a child between fork and exec.

mod agree;
mod ancestors;
mod blocks;
pub mod child;
mod choose;
mod error;
mod fd;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod identity;
pub mod native;
mod pmi;
mod pmix;
mod singleton;

use std::os::fd::RawFd;
use std::time::Duration;

use base::PeerId;

pub use choose::{connect, connect_from_env, providers, BOOTSTRAP_VARIABLE, SINGLETON_VARIABLE};
pub use error::Error;
pub use identity::{Identity, Launcher, Secret};

/// The longest key that every provider takes, in bytes. Keys are ASCII letters, digits, `.`,
/// `_` and `-`.
pub const KEY_BYTES_MAX: usize = 32;

/// The largest value that every provider takes, in bytes.
pub const VALUE_BYTES_MAX: usize = 1 << 20;

/// A meeting that this process is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ticket(pub(crate) u32);

/// A process's connection to its launcher and, through it, to its peers' published values.
pub trait Provider: Send {
    /// Returns the identity of this process.
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

    /// Returns what `peer` published under `key` before the last fence; `None` if it did not.
    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Requests that the launcher end the whole job with exit code `code`, with `reason` for the
    /// user. Returns once the launcher has the request; the caller ends its own process. `in_doubt`
    /// says that this may be the consequence of another process's end, which the launcher then
    /// searches for.
    fn abort(&mut self, code: i32, reason: &str, in_doubt: bool) -> Result<(), Error>;

    /// Whether the launcher knows meetings of some processes of the job.
    fn can_meet(&self) -> bool {
        false
    }

    /// Whether a process may [`Provider::resume`] after [`Provider::finalize`].
    fn can_return(&self) -> bool {
        self.can_meet()
    }

    /// Comes to a meeting with `value`. It is over when all `members` have come, each with the
    /// same members in the same order and the same `key`; of several with the same key each one
    /// comes to the first that it was not at yet.
    fn begin_meeting(
        &mut self,
        _members: &[PeerId],
        _key: &[u8],
        _value: &[u8],
    ) -> Result<Ticket, Error> {
        Err(Error::NoMeetings)
    }

    /// Returns what the members of a meeting brought, in their order, once, when it is over.
    /// Waits as [`Provider::poll_fence`] does.
    fn poll_meeting(
        &mut self,
        _ticket: Ticket,
        _wait: Option<Duration>,
    ) -> Result<Option<Vec<Vec<u8>>>, Error> {
        Err(Error::NoMeetings)
    }

    /// Returns a descriptor that becomes readable when the launcher may have news of peers.
    fn descriptor(&self) -> Option<RawFd> {
        None
    }

    /// Returns the peers that have died since the last call, each with one clause about how. Does
    /// not wait. Only launchers that let a job go on without them report them.
    fn take_gone(&mut self) -> Result<Vec<(PeerId, String)>, Error> {
        Ok(Vec::new())
    }

    /// Notifies the launcher that this process is done with its peers: a later exit is no failure
    /// of the job unless its status says so. The second call does nothing.
    fn finalize(&mut self) -> Result<(), Error>;

    /// Begins anew after [`Provider::finalize`], as that process of that job.
    ///
    /// # Errors
    /// When the launcher takes nobody back.
    fn resume(&mut self) -> Result<(), Error>;
}

/// Checks the arguments of a meeting, as every provider requires.
pub(crate) fn check_meeting(
    identity: &Identity,
    members: &[PeerId],
    key: &[u8],
    value: &[u8],
) -> Result<(), Error> {
    let size = identity.size;
    if let Some(&peer) = members.iter().find(|peer| peer.0 >= size) {
        return Err(Error::NoSuchPeer { peer, size });
    }
    let distinct: std::collections::HashSet<_> = members.iter().collect();
    if !members.contains(&identity.peer) || distinct.len() != members.len() {
        let members = members.to_vec();
        return Err(Error::Meeting { members });
    }
    if key.len() + value.len() > VALUE_BYTES_MAX {
        return Err(Error::ValueTooLong {
            key: String::from_utf8_lossy(&key[..key.len().min(KEY_BYTES_MAX)]).into_owned(),
            bytes: key.len() + value.len(),
        });
    }
    Ok(())
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
