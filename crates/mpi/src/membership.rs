//! Membership of this process in its job: what remains between two initialisations of MPI.
//!
//! A process inherits one connection to its launcher and cannot get another, so it outlives the
//! [`crate::Process`] that uses it. So do two numbers: that of the life, by which peers distinguish
//! the address of this one from those of earlier ones, and the next name for a communicator, since
//! messages for the last one may still be on their way.
//!
//! Several threads may wait for the launcher at once. Nobody holds the connection while waiting for
//! long: it is taken for one poll, and the engine goes on between the polls.

use base::Mutex;
use std::os::fd::RawFd;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base::PeerId;
use bootstrap::spawn::{Part, Spawn};
use bootstrap::{Provider, Ticket};

use mpi_components::params::Agreed;
use shm::locality::{Locality, LOCALITY_BYTES};

use crate::{Class, Error};

/// The membership of this process in its job, while no [`crate::Process`] uses it.
pub struct Membership {
    pub(crate) provider: Box<dyn Provider>,
    /// The number of earlier lives of this process.
    pub(crate) lives: u64,
    /// The next number for a communicator that this process names.
    pub(crate) next_name: u32,
}

impl Membership {
    /// Connects to the launcher; possible only once in a process.
    pub(crate) fn connect(first_name: u32) -> Result<Membership, Error> {
        // Before it connects, which clears the environment of what is its own.
        let earlier = restarts();
        Ok(Membership {
            provider: bootstrap::connect_from_env().map_err(Error::other)?,
            lives: mpi_components::of_restarts(earlier),
            next_name: first_name,
        })
    }

    /// Notifies the launcher that this process rejoins the job.
    pub(crate) fn resume(&mut self) -> Result<(), Error> {
        self.provider.resume().map_err(Error::other)?;
        self.lives += 1;
        Ok(())
    }

    /// Notifies the launcher that this process has finished with its peers.
    ///
    /// # Errors
    /// When the launcher cannot be reached any more.
    pub fn pause(&mut self) -> Result<(), Error> {
        self.provider.finalize().map_err(Error::other)
    }

    /// Whether a process may leave its job and rejoin it.
    pub fn can_return(&self) -> bool {
        self.provider.can_return()
    }
}

/// Returns how often this rank was started again.
fn restarts() -> u64 {
    let life = environment::var(bootstrap::native::LIFE_VARIABLE);
    let life = life.and_then(|life| life.parse::<u64>().ok());
    life.map_or(0, |life| life.saturating_sub(1))
}

/// Whether the job goes on when a rank fails.
pub(crate) fn survives() -> bool {
    environment::var_os(bootstrap::native::RECOVERY_VARIABLE).is_some()
}

/// The connection to the launcher while MPI is initialised.
pub struct Link {
    provider: Mutex<Option<Box<dyn Provider>>>,
    /// Threads that wait for the launcher.
    waiting: AtomicUsize,
    names: AtomicU32,
    /// Number of checks whether a poll was due, and the sleeps at the last poll of the launcher.
    looks: AtomicU32,
    sleeps: AtomicU32,
    /// [`PATIENT_LOOK`] on this node.
    patient_look: Duration,
    /// The number of this life of the process, counted from 1.
    pub life: u64,
    /// The launcher has meetings of some of its processes.
    pub can_meet: bool,
    /// This process may leave its job and rejoin it.
    pub can_return: bool,
}

/// Result of one poll of the connection: what arrived, or `None`.
type PollResult<T> = Result<Option<T>, bootstrap::Error>;

/// Work between two polls; an error ends the wait.
type Progress<'a> = &'a mut dyn FnMut() -> Result<(), Error>;

/// Longest wait in one poll of the connection, at first and later. The latter holds for a core that
/// is not shared: the more ranks share a core, the more rarely each polls, so that together they
/// leave the core to the ranks that they wait for.
const LOOK: Duration = Duration::from_micros(50);
const PATIENT_LOOK: Duration = Duration::from_micros(1000);
const PATIENT_LOOK_MAX: Duration = Duration::from_millis(20);
const PATIENT_AFTER: Duration = Duration::from_millis(2);
/// Longest wait in one poll of the connection if nothing has to progress meanwhile. A message of
/// the launcher ends it.
const IDLE_LOOK: Duration = Duration::from_millis(100);

/// Polls of a thread that spins or tests between two polls of the launcher, which are system calls.
const CHECKS_BETWEEN_POLLS: u32 = 1024;

impl Link {
    pub(crate) fn new(membership: Membership) -> Link {
        let ranks = membership.provider.identity().local_size();
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as u32;
        let patient_look = PATIENT_LOOK * ranks.div_ceil(cores);
        Link {
            patient_look: patient_look.min(PATIENT_LOOK_MAX),
            life: membership.lives,
            can_meet: membership.provider.can_meet(),
            can_return: membership.can_return(),
            names: AtomicU32::new(membership.next_name),
            looks: AtomicU32::new(0),
            sleeps: AtomicU32::new(0),
            provider: Mutex::new(Some(membership.provider)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Returns the membership, for the next life; `None` the second time.
    pub(crate) fn take(&self) -> Option<Membership> {
        Some(Membership {
            provider: self.provider.lock().take()?,
            lives: self.life,
            next_name: self.names.load(Ordering::Relaxed),
        })
    }

    /// Returns a number that this process has not used to name a communicator.
    pub(crate) fn new_name(&self) -> u32 {
        self.names.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns how many communicators this process has named.
    pub(crate) fn names(&self) -> u32 {
        self.names.load(Ordering::Relaxed)
    }

    /// Continues the numbers of communicators where an earlier life of this process stopped.
    pub(crate) fn set_names(&self, names: u32) {
        self.names.store(names, Ordering::Relaxed);
    }

    /// Sends the launcher a request; `None` when this process has left.
    pub fn ask<T>(
        &self,
        question: impl FnOnce(&mut dyn Provider) -> Result<T, bootstrap::Error>,
    ) -> Result<T, Error> {
        match self.provider.lock().as_mut() {
            Some(provider) => question(&mut **provider).map_err(of_launcher),
            None => Err(Error::other("this process has left its job")),
        }
    }

    /// Returns a descriptor that becomes readable when the launcher may have sent a report.
    pub(crate) fn descriptor(&self) -> Option<RawFd> {
        self.provider.lock().as_ref()?.descriptor()
    }

    /// Whether the launcher should be polled for deaths of peers: after each sleep of a waiting
    /// thread, and after some polls while none sleeps, since a thread that only tests never does.
    #[inline]
    pub(crate) fn is_poll_due(&self, sleeps: u32) -> bool {
        // Not atomic: if two threads count as one, the next poll of the launcher is only later.
        let looks = self.looks.load(Ordering::Relaxed).wrapping_add(1);
        self.looks.store(looks, Ordering::Relaxed);
        looks.is_multiple_of(CHECKS_BETWEEN_POLLS) || self.sleeps.load(Ordering::Relaxed) != sleeps
    }

    /// Notes that reports were received after this many sleeps.
    pub(crate) fn note_sleeps(&self, sleeps: u32) {
        self.sleeps.store(sleeps, Ordering::Relaxed);
    }

    /// Returns the peers whose death the launcher has reported since the last call; `None` if it
    /// will report no more. Does not wait for the connection: another thread that holds it receives
    /// the reports as well.
    pub(crate) fn take_deaths(&self, sleeps: u32) -> Option<Vec<(PeerId, String)>> {
        let Some(mut provider) = self.provider.try_lock() else {
            return Some(Vec::new());
        };
        self.note_sleeps(sleeps);
        provider.as_mut()?.take_gone().ok()
    }

    /// Returns the processes of other parts of the job whose death the launcher has reported, by
    /// their numbers, once [`Link::take_deaths`] has received them.
    pub(crate) fn take_deaths_beyond(&self) -> Vec<(u32, String)> {
        self.take_now(|provider| provider.take_gone_beyond())
    }

    /// Returns the launcher's questions what this process waits for. Does not wait for the
    /// connection.
    pub(crate) fn take_questions(&self) -> Vec<u32> {
        self.take_now(|provider| provider.take_questions())
    }

    /// Takes what the provider has received meanwhile. Does not wait for the connection.
    fn take_now<T>(&self, take: impl FnOnce(&mut dyn Provider) -> Vec<T>) -> Vec<T> {
        let mut provider = self.provider.try_lock();
        let provider = provider.as_mut().and_then(|provider| provider.as_mut());
        provider.map_or_else(Vec::new, |provider| take(&mut **provider))
    }

    /// Returns the peers whose next life has published its address.
    pub(crate) fn reborn(&self) -> Vec<PeerId> {
        self.take_now(|provider| provider.take_reborn())
    }

    /// Runs a fence of all processes, with `progress` between the polls; its error ends the wait.
    pub(crate) fn fence(
        &self,
        mut progress: impl FnMut() -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.fence_beside(Some(&mut progress))
    }

    /// Runs a fence of all processes, without progress meanwhile.
    pub(crate) fn fence_alone(&self) -> Result<(), Error> {
        self.fence_beside(None)
    }

    fn fence_beside(&self, progress: Option<Progress<'_>>) -> Result<(), Error> {
        self.ask(|provider| provider.begin_fence())?;
        self.wait(progress, |provider, look| {
            Ok(provider.poll_fence(look)?.then_some(()))
        })
    }

    /// Runs a meeting of some processes, with `progress` between the polls.
    pub fn meet(
        &self,
        members: &[PeerId],
        key: &[u8],
        value: &[u8],
        mut progress: impl FnMut() -> Result<(), Error>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let ticket: Ticket = self.ask(|provider| provider.begin_meeting(members, key, value))?;
        self.wait(Some(&mut progress), |provider, look| {
            provider.poll_meeting(ticket, look)
        })
    }

    /// Runs a meeting of processes of any parts of the job, which are named by their numbers.
    pub fn meet_of(
        &self,
        members: &[u32],
        key: &[u8],
        value: &[u8],
        mut progress: impl FnMut() -> Result<(), Error>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let ticket = self.ask(|provider| provider.begin_meeting_of(members, key, value))?;
        self.wait(Some(&mut progress), |provider, look| {
            provider.poll_meeting(ticket, look)
        })
    }

    /// Requests that the launcher start processes; returns when all have connected to it.
    ///
    /// # Errors
    /// `Spawn` when they have not, or the launcher starts none. A process without a launcher starts
    /// the program `launcher` for that.
    pub fn spawn(
        &self,
        spawn: &Spawn,
        launcher: &Path,
        mut progress: impl FnMut() -> Result<(), Error>,
    ) -> Result<Part, Error> {
        let refused = |error: Error| Error::new(Class::Spawn, error.text);
        self.ask(|provider| provider.attach(launcher))
            .map_err(refused)?;
        let ticket = self
            .ask(|provider| provider.begin_spawn(spawn))
            .map_err(refused)?;
        let outcome = self
            .wait(Some(&mut progress), |provider, look| {
                provider.poll_spawn(ticket, look)
            })
            .map_err(refused)?;
        outcome.map_err(|refusal| Error::new(Class::Spawn, refusal.reason))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "waits for the launcher, between polls of the transports"
    )]
    fn wait<T>(
        &self,
        mut progress: Option<Progress<'_>>,
        mut look: impl FnMut(&mut dyn Provider, Option<Duration>) -> PollResult<T>,
    ) -> Result<T, Error> {
        let began = Instant::now();
        let _waiter = WaitCount::join(&self.waiting);
        loop {
            // A thread that sleeps while it holds the connection blocks the others.
            let alone = self.waiting.load(Ordering::Relaxed) == 1;
            let patience = match began.elapsed() > PATIENT_AFTER {
                _ if !alone => Duration::ZERO,
                _ if progress.is_none() => IDLE_LOOK,
                true => self.patient_look,
                false => LOOK,
            };
            if let Some(found) = self.ask(|provider| look(provider, Some(patience)))? {
                return Ok(found);
            }
            if let Some(progress) = &mut progress {
                progress()?;
            }
            if !alone {
                std::thread::sleep(LOOK);
            }
        }
    }
}

fn of_launcher(error: bootstrap::Error) -> Error {
    match error {
        bootstrap::Error::PeerGone { peer, why } => Error::lost(peer, &why),
        error => Error::other(error),
    }
}

struct WaitCount<'a>(&'a AtomicUsize);

impl<'a> WaitCount<'a> {
    fn join(waiting: &'a AtomicUsize) -> WaitCount<'a> {
        waiting.fetch_add(1, Ordering::Relaxed);
        WaitCount(waiting)
    }
}

impl Drop for WaitCount<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The value of a process in a meeting: what the other members need to know of it.
pub struct Card {
    /// The number of the life that the address belongs to.
    pub life: u64,
    /// A digest of the lives of the members that are introduced already.
    pub acquaintances: u64,
    /// Other threads of it may receive messages already.
    pub(crate) busy: bool,
    /// The address of its transports.
    pub address: Vec<u8>,
    /// Parameters that must be equal.
    pub(crate) agreed: Agreed,
    /// Node of the process.
    pub locality: Locality,
    /// Further bytes for the other members.
    pub word: Vec<u8>,
}

/// Bytes of a card before its parts of any length.
const HEAD_BYTES: usize = 17 + LOCALITY_BYTES;

impl Card {
    /// Returns the card as bytes, for the others.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&self.life.to_le_bytes());
        bytes.extend_from_slice(&self.acquaintances.to_le_bytes());
        bytes.push(u8::from(self.busy));
        bytes.extend_from_slice(&self.locality.encode());
        let Agreed { messages, memory } = &self.agreed;
        for part in [&self.address[..], messages.as_bytes(), memory.as_bytes()] {
            bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
            bytes.extend_from_slice(part);
        }
        bytes.extend_from_slice(&self.word);
        bytes
    }

    /// Returns the card that another process has sent; `None` where it is malformed.
    pub fn decode(bytes: &[u8]) -> Option<Card> {
        let (address, rest) = part(bytes.get(HEAD_BYTES..)?)?;
        let (messages, rest) = part(rest)?;
        let (memory, word) = part(rest)?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        Some(Card {
            life: base::wire::read_u64(bytes, 0)?,
            acquaintances: base::wire::read_u64(bytes, 8)?,
            busy: *bytes.get(16)? != 0,
            address: address.to_vec(),
            agreed: Agreed {
                messages: text(messages)?,
                memory: text(memory)?,
            },
            locality: Locality::decode(&bytes[17..])?,
            word: word.to_vec(),
        })
    }
}

/// Splits off bytes that follow their length. Returns them and the rest.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = (base::wire::read_u32(bytes, 0)? as usize).checked_add(4)?;
    Some((bytes.get(4..end)?, &bytes[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_comes_back_as_it_went_and_a_cut_one_does_not() {
        let card = Card {
            life: 3,
            acquaintances: 4,
            busy: true,
            address: vec![1; 40],
            agreed: Agreed {
                messages: "a=b".into(),
                memory: "c=d".into(),
            },
            locality: Locality {
                machine: 5,
                node: 6,
                collectives: 7,
                cores: 8,
            },
            word: vec![2; 5],
        };
        let bytes = card.encode();
        let back = Card::decode(&bytes).unwrap();
        assert_eq!((back.life, back.acquaintances, back.busy), (3, 4, true));
        assert_eq!((back.address, back.word), (card.address, card.word));
        assert_eq!((back.agreed, back.locality), (card.agreed, card.locality));
        for length in 0..HEAD_BYTES + 58 {
            assert!(Card::decode(&bytes[..length]).is_none(), "{length} bytes");
        }
        let mut absurd = bytes;
        absurd[HEAD_BYTES..HEAD_BYTES + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Card::decode(&absurd).is_none());
    }
}
