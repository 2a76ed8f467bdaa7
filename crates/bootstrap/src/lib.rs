//! Connects a process to its launcher: its identity in the job, and exchange of small values.
//!
//! A [`Provider`] returns the [`Identity`] of the process (rank, size, which peers share its node,
//! the job's secret) and exchanges small values among the processes: [`Provider::publish`] one's
//! own, [`Provider::fence`] with all, [`Provider::fetch`] those of others. That is enough to
//! exchange the addresses of transports (the modex); nothing here depends on their format.
//!
//! The provider depends on the launcher of the process; [`connect`] chooses it:
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
//! The first row whose variables are set is tried. A launcher may run inside the job of another one
//! and inherit its variables: if the connection is closed or belongs to another process, the next
//! matching row is tried. `OXMPI_BOOTSTRAP` names one provider, which is then the only candidate.
//!
//! If the environment announces several processes but the launcher cannot be reached, that is an
//! error with the reason. Otherwise N processes would each run alone, as N jobs of one process.
//!
//! A provider is used by one thread at a time and owns its connection. The order of calls is
//! `publish*`, `fence` (or `begin_fence`, and `poll_fence` until it returns true), `fetch*`, any
//! number of times, then `finalize` or `abort`. Every peer sees a published value after the next
//! fence, and may or may not see it earlier. After `finalize` a process may `resume` over the same
//! connection, if [`Provider::can_return`].
//!
//! If [`Provider::can_meet`], some processes can exchange values without the others in a *meeting*:
//! `begin_meeting`, and `poll_meeting` until it returns the values. Any number of meetings may be
//! pending at once, also during a fence.
//!
//! * [`native`] also has the wire format, which `launch` uses for the launcher's side.
//! * [`child`] has the steps of a launcher in a child between fork and exec.

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

/// Most bytes of a key; every provider accepts this many. Keys are ASCII letters, digits, `.`, `_`
/// and `-`.
pub const KEY_BYTES_MAX: usize = 32;

/// Most bytes of a value; every provider accepts this many.
pub const VALUE_BYTES_MAX: usize = 1 << 20;

/// The identifier of a meeting that this process has begun.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ticket(pub(crate) u32);

/// The connection of a process to its launcher.
pub trait Provider: Send {
    /// Returns the identity of this process.
    fn identity(&self) -> &Identity;

    /// Makes `value` available to all peers under `key`, from the next fence on. Publishing a key
    /// again replaces its value.
    fn publish(&mut self, key: &str, value: &[u8]) -> Result<(), Error>;

    /// Enters a fence of all processes of the job, which distributes everything published so far.
    /// [`Provider::poll_fence`] returns when it is complete.
    fn begin_fence(&mut self) -> Result<(), Error>;

    /// Whether the fence that was begun is complete. Waits for that at most `wait`; `None` waits
    /// without a limit, `Some(Duration::ZERO)` not at all.
    fn poll_fence(&mut self, wait: Option<Duration>) -> Result<bool, Error>;

    /// Waits until all processes of the job have entered the fence, after which all see what each
    /// has published before.
    fn fence(&mut self) -> Result<(), Error> {
        self.begin_fence()?;
        while !self.poll_fence(None)? {}
        Ok(())
    }

    /// Returns what `peer` published under `key` before the last fence; `None` if it did not.
    fn fetch(&mut self, peer: PeerId, key: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Requests that the launcher end the whole job with exit code `code`, with `reason` for the
    /// user. Returns once the launcher has the request; the caller ends its own process. `in_doubt`
    /// says that the end of another process may be the cause, which the launcher then looks for.
    fn abort(&mut self, code: i32, reason: &str, in_doubt: bool) -> Result<(), Error>;

    /// Whether the launcher supports meetings of some processes of the job.
    fn can_meet(&self) -> bool {
        false
    }

    /// Whether a process may [`Provider::resume`] after [`Provider::finalize`].
    fn can_return(&self) -> bool {
        self.can_meet()
    }

    /// Enters a meeting with `value`. It is complete when all `members` have entered, each with
    /// equal `members` in equal order and an equal `key`. Of several meetings with one key each
    /// process enters the first that it has not entered yet.
    fn begin_meeting(
        &mut self,
        _members: &[PeerId],
        _key: &[u8],
        _value: &[u8],
    ) -> Result<Ticket, Error> {
        Err(Error::NoMeetings)
    }

    /// Returns the values of a meeting's members, in their order, once the meeting is complete;
    /// only the first time. Waits as [`Provider::poll_fence`] does.
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

    /// Notifies the launcher that this process has finished with its peers: its exit is no failure
    /// of the job from now on, unless with a status other than 0. A second call does nothing.
    fn finalize(&mut self) -> Result<(), Error>;

    /// Rejoins the job after [`Provider::finalize`], with the identity as before.
    ///
    /// # Errors
    /// When the launcher does not support it ([`Provider::can_return`]).
    fn resume(&mut self) -> Result<(), Error>;
}

/// Checks the arguments of a meeting.
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

/// Checks a key and the size of a value against the limits of every provider.
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
