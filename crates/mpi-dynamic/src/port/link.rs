//! Byte strings between the roots of two groups, over a stream that is polled.

use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use base::wire::read_u32;
use rustix::event::{poll, PollFd, PollFlags, Timespec};

use bootstrap::port::{read_some, write_some, Session, Side};
use mpi::Bridge;
use mpi::Process;
use mpi::{Class, Comm, Error};

/// Most bytes of one string.
const STRING_BYTES_MAX: usize = 1 << 30;
const MAC_BYTES: usize = 32;
const HEAD_BYTES: usize = 4;

/// Longest sleep between two polls of the transports: at first, and as it grows while nothing
/// happens.
const NAP: Duration = Duration::from_micros(100);
const NAP_MAX: Duration = Duration::from_millis(2);

/// A wait of a root for the other one: progress goes on, and it sleeps where nothing moves.
pub(crate) struct Wait<'a> {
    process: &'a Process,
    group: Option<&'a Comm>,
    deadline: Option<Instant>,
    nap: Duration,
}

impl<'a> Wait<'a> {
    /// Begins a wait for as long as a group's communicator is not revoked, where there is one.
    pub(crate) fn until(
        process: &'a Process,
        group: Option<&'a Comm>,
        deadline: Option<Instant>,
    ) -> Wait<'a> {
        Wait {
            process,
            group,
            deadline,
            nap: NAP,
        }
    }

    /// Moves messages; where none moved, sleeps for a moment, or until a descriptor is ready. False
    /// when the time is over, or nobody waits any more for what the root would bring.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits for another group's root, 2 ms at most between polls of the transports"
    )]
    pub(crate) fn pause(&mut self, watched: &[(BorrowedFd<'_>, PollFlags)]) -> bool {
        let now = Instant::now();
        let is_late = self.deadline.is_some_and(|deadline| deadline <= now);
        if is_late || self.group.is_some_and(Comm::is_revoked) {
            return false;
        }
        if self.process.progress() {
            self.nap = NAP;
            return true;
        }
        let mut descriptors: Vec<PollFd<'_>> = watched
            .iter()
            .map(|(descriptor, flags)| PollFd::from_borrowed_fd(*descriptor, *flags))
            .collect();
        let nap = Timespec {
            tv_sec: 0,
            tv_nsec: self.nap.as_nanos() as i64,
        };
        // An interrupted sleep is a short one.
        let _ = poll(&mut descriptors, Some(&nap));
        self.process.receive_events_after_sleep();
        self.nap = (2 * self.nap).min(NAP_MAX);
        true
    }
}

/// A stream that never blocks.
pub(crate) trait Stream: Read + Write + AsFd {}
impl<T: Read + Write + AsFd> Stream for T {}

/// A connection of two roots.
pub(crate) struct Link<'a, S> {
    process: &'a Process,
    group: Option<&'a Comm>,
    stream: S,
    /// Keys to what this side sends and receives, with the counts of strings so far; `None` where
    /// the stream is the user's.
    keys: Option<([u8; 32], [u8; 32])>,
    shared: [u8; 32],
    count: u64,
    deadline: Option<Instant>,
}

impl<'a, S: Stream> Link<'a, S> {
    /// Returns a connection whose other end is known.
    pub(crate) fn new(
        process: &'a Process,
        group: Option<&'a Comm>,
        stream: S,
        session: Option<(Session, Side)>,
        deadline: Option<Instant>,
    ) -> Link<'a, S> {
        let shared = session
            .as_ref()
            .map_or([0; 32], |(session, _)| session.shared);
        let keys = session.map(|(session, side)| session.keys(side));
        Link {
            process,
            group,
            stream,
            keys,
            shared,
            count: 0,
            deadline,
        }
    }

    fn mac(&self, key: Option<[u8; 32]>, bytes: &[u8]) -> [u8; MAC_BYTES] {
        let Some(key) = key else {
            return [0; MAC_BYTES];
        };
        let mut hasher = blake3::Hasher::new_keyed(&key);
        hasher.update(&self.count.to_le_bytes()).update(bytes);
        *hasher.finalize().as_bytes()
    }

    fn lost(&self, why: impl std::fmt::Display) -> Error {
        let text = format!("the connection to the other group is lost: {why}");
        Error::new(Class::Port, text)
    }
}

impl<S: Stream> Bridge for Link<'_, S> {
    fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let (outward, inward) = self.keys.map_or((None, None), |(o, i)| (Some(o), Some(i)));
        let mut out = (bytes.len() as u32).to_le_bytes().to_vec();
        out.extend(self.mac(outward, bytes));
        out.extend_from_slice(bytes);
        let (mut sent, mut got) = (0, Vec::new());
        let mut wait = Wait::until(self.process, self.group, self.deadline);
        let head = HEAD_BYTES + MAC_BYTES;
        loop {
            sent += write_some(&mut self.stream, &out[sent..]).map_err(|why| self.lost(why))?;
            let due = match read_u32(&got, 0).filter(|_| got.len() >= head) {
                Some(len) if len as usize > STRING_BYTES_MAX => {
                    return Err(self.lost(format!("it announces {len} bytes")));
                }
                Some(len) => head + len as usize,
                None => head,
            };
            let before = got.len();
            read_some(&mut self.stream, &mut got, due).map_err(|why| self.lost(why))?;
            if got.len() > before {
                continue;
            }
            if got.len() == due && got.len() >= head && sent == out.len() {
                break;
            }
            let wants = match sent == out.len() {
                true => PollFlags::IN,
                false => PollFlags::IN | PollFlags::OUT,
            };
            if !wait.pause(&[(self.stream.as_fd(), wants)]) {
                return Err(self.lost("the other side took too long"));
            }
        }
        let received: [u8; MAC_BYTES] = got[HEAD_BYTES..head].try_into().expect("read above");
        let payload = got.split_off(head);
        let expected = self.mac(inward, &payload);
        self.count += 1;
        match blake3::Hash::from_bytes(expected) == blake3::Hash::from_bytes(received) {
            true => Ok(payload),
            false => Err(self.lost("a message from the other side was altered on its way")),
        }
    }

    fn key(&self) -> [u8; 32] {
        self.shared
    }
}
