//! [`Provider`]: the connection of a process to its launcher.

use std::os::fd::RawFd;
use std::path::Path;
use std::time::Duration;

use base::PeerId;

use crate::account::Account;
use crate::constants::{KEY_BYTES_MAX, VALUE_BYTES_MAX};
use crate::names::{Answer, Question};
use crate::spawn::{Part, Refusal, Spawn};
use crate::{Error, Identity};

/// The identifier of a meeting or spawn that this process has begun.
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

    /// Returns how many bytes of its output and errors this process has printed, all that it has
    /// written before. With `at` it goes on where an earlier life had printed that many.
    ///
    /// # Errors
    /// When the launcher is gone.
    fn printed(&mut self, at: Option<[u64; 2]>) -> Result<[u64; 2], Error> {
        Ok(at.unwrap_or_default())
    }

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

    /// Enters a meeting as [`Provider::begin_meeting`] does, of processes of any parts of the job,
    /// which are named by their numbers.
    fn begin_meeting_of(
        &mut self,
        _members: &[u32],
        _key: &[u8],
        _value: &[u8],
    ) -> Result<Ticket, Error> {
        Err(Error::NoMeetings)
    }

    /// Has a process without a launcher start one, the program `launcher`, unless it has; nothing
    /// under other launchers.
    fn attach(&mut self, _launcher: &Path) -> Result<(), Error> {
        Ok(())
    }

    /// Requests that the launcher start further processes. [`Provider::poll_spawn`] returns the
    /// outcome.
    ///
    /// # Errors
    /// When the launcher cannot ([`Error::NoSpawn`]) or is gone.
    fn begin_spawn(&mut self, _spawn: &Spawn) -> Result<Ticket, Error> {
        Err(Error::NoSpawn {
            launcher: self.identity().launcher.to_string(),
        })
    }

    /// Whether what this launcher starts is a job of its own, which connects by a port
    /// ([`Provider::spawn_apart`]), instead of a part of this one.
    fn spawns_apart(&self) -> bool {
        false
    }

    /// Has the launcher start a job of its own, whose processes find the name of a port
    /// ([`Parent::Port`](crate::spawn::Parent::Port)). Returns when the launcher has agreed.
    ///
    /// # Errors
    /// When the launcher cannot, or refuses.
    fn spawn_apart(&mut self, _spawn: &Spawn, _port: &str) -> Result<(), Error> {
        Err(Error::NoSpawn {
            launcher: self.identity().launcher.to_string(),
        })
    }

    /// Whether a process of the job that [`Provider::spawn_apart`] has started last has ended;
    /// false where the launcher does not report it. Asked while that job has not connected yet.
    fn has_spawned_ended(&mut self) -> bool {
        false
    }

    /// Returns the outcome of a spawn, only the first time: a part once all its processes have
    /// connected to the launcher. Waits as [`Provider::poll_fence`] does.
    fn poll_spawn(
        &mut self,
        _ticket: Ticket,
        _wait: Option<Duration>,
    ) -> Result<Option<Result<Part, Refusal>>, Error> {
        Err(Error::NoSpawn {
            launcher: self.identity().launcher.to_string(),
        })
    }

    /// Asks the launcher about a published name, which it keeps for the processes of the job and
    /// withdraws when its owner ends. Returns `None` where the launcher keeps none.
    fn ask_names(&mut self, _question: &Question) -> Result<Option<Answer>, Error> {
        Ok(None)
    }

    /// Notifies the launcher that this process is no longer connected to the other side of the
    /// spawn of a part, which is named by the number of its first process.
    fn unlink(&mut self, _part: u32) -> Result<(), Error> {
        Ok(())
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

    /// Returns a descriptor that becomes readable when the launcher may have sent a report
    /// about peers.
    fn descriptor(&self) -> Option<RawFd> {
        None
    }

    /// Returns the peers whose next life has published something, each time it has.
    /// [`Provider::take_gone`] receives the reports; [`Provider::fetch`] returns the new values
    /// from this call on, and what the last fence has brought until then.
    fn take_reborn(&mut self) -> Vec<PeerId> {
        Vec::new()
    }

    /// Returns the peers that have died since the last call, each with one clause about how. Does
    /// not wait. Only launchers that let a job go on without them report them.
    fn take_gone(&mut self) -> Result<Vec<(PeerId, String)>, Error> {
        Ok(Vec::new())
    }

    /// Returns the processes of other parts of the job that have died since the last call, by their
    /// numbers in the job. [`Provider::take_gone`] receives the reports.
    fn take_gone_beyond(&mut self) -> Vec<(u32, String)> {
        Vec::new()
    }

    /// Returns the numbers of the launcher's questions what this process waits for, since the last
    /// call. [`Provider::take_gone`] receives them, and so does each wait for the launcher.
    fn take_questions(&mut self) -> Vec<u32> {
        Vec::new()
    }

    /// Reports to the launcher what this process waits for.
    fn give_account(&mut self, _account: Account) -> Result<(), Error> {
        Ok(())
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
    check_length(key, value)
}

/// Checks the length of what a process brings to a meeting.
pub(crate) fn check_length(key: &[u8], value: &[u8]) -> Result<(), Error> {
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
