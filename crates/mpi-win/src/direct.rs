//! The component `sm`: windows whose memory all processes load and store themselves.
//!
//! It serves windows that MPI allocates, where all their processes are on one node; it serves all
//! of a window or nothing. Of other windows on one node it holds the locks. Which epochs are open
//! is still the business of `osc`, as are the errors; what synchronises is in the shared segment
//! (`osc_sm`), and a target need not help.

use base::Mutex;
use mca::Framework;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{PeerId, Rank};
use engine::Core;
use memory::UserBuf;
use osc::{Osc, Verb, WindowId};
use osc_sm::{Died, Handshake, Member, Plan, Spacing, Wait};
use pml::Pml;
use shm::handshake::{Status, STATUS_BYTES};
use shm::sharers::Sharers;

use crate::elements::Elements;
use mpi::POLLS;
use mpi::{Class, Comm, Error};
use mpi_components::windows::COMPONENTS;
use osc::Lock;

/// The shared side of a window.
pub(crate) struct Direct {
    pub(crate) member: Member,
    /// Accesses use the segment, rather than the memory alone being shared.
    pub(crate) serves: bool,
    deaths: Deaths,
}

/// Failed processes of a window.
struct Deaths {
    /// Length of the engine's list of failed peers at the last check.
    checked: AtomicUsize,
    ranks: Mutex<Vec<u32>>,
}

/// Waits in the engine for what others write into the segment.
pub(super) struct Waiter<'a> {
    comm: &'a Comm,
    deaths: &'a Deaths,
}

impl Wait for Waiter<'_> {
    fn until(&self, ready: impl FnMut() -> bool, note_sleep: impl FnMut(bool)) -> Result<(), Died> {
        let process = self.comm.process();
        let stop =
            |core: &Core| (self.check_failures(core) || self.comm.is_revoked()).then_some(Died);
        process.wait_for_segment(process.segment_polls(), ready, stop, note_sleep)
    }

    #[cold]
    fn wake(&self, rank: u32) {
        let peer = self.comm.group().peers()[rank as usize];
        self.comm.process().engine.wake(peer);
    }

    fn is_dead(&self, rank: u32) -> bool {
        // No process joins a window any more that was revoked while it was made.
        self.comm.is_revoked() || self.deaths.ranks.lock().contains(&rank)
    }
}

impl Waiter<'_> {
    /// Notes the processes that have failed since the last check; returns whether one is a member.
    fn check_failures(&self, core: &Core) -> bool {
        let failed = core.failed();
        let checked = self.deaths.checked.load(Ordering::Relaxed);
        failed.len() > checked && self.note(&failed[checked..])
    }

    #[cold]
    fn note(&self, failures: &[(PeerId, String)]) -> bool {
        let mut dead = self.deaths.ranks.lock();
        let rank = |(peer, _): &(PeerId, String)| self.comm.group().rank(*peer).map(|rank| rank.0);
        let ranks: Vec<u32> = failures.iter().filter_map(rank).collect();
        self.deaths
            .checked
            .fetch_add(failures.len(), Ordering::Relaxed);
        dead.extend(&ranks);
        !ranks.is_empty()
    }
}

impl Direct {
    /// Meets the other processes of a communicator in a segment with `size` bytes of each. All
    /// decide alike.
    ///
    /// # Errors
    /// Why there is no segment, as the text of an error of class `RmaShared` where the processes
    /// are apart, and `NoMem` otherwise; or what a message met.
    pub(crate) fn meet(comm: &Comm, size: u64, apart: bool) -> Result<Direct, Error> {
        let peers = comm.group().peers();
        let nodes = comm.process().nodes_of(peers);
        if let Some(far) = nodes.iter().position(|node| *node != nodes[0]) {
            let far = peers[far];
            let text = format!("{far} is on another node: no memory can be shared with it");
            return Err(Error::new(Class::RmaShared, text));
        }
        let rows = comm.collect(&[size, u64::from(apart)])?;
        let apart = rows.iter().any(|row| row[1] != 0);
        let plan = Plan {
            ranks: comm.size(),
            places: (0..comm.size()).collect(),
            sizes: rows.iter().map(|row| row[0]).collect(),
            spacing: match apart {
                true => Spacing::Apart,
                false => Spacing::Contiguous,
            },
        };
        let (member, serves) = share(comm, plan)?;
        let checked = comm.process().engine.enter().failed().len();
        Ok(Direct {
            member,
            serves,
            deaths: Deaths {
                checked: AtomicUsize::new(checked),
                ranks: Mutex::default(),
            },
        })
    }

    /// Meets them for locks alone: in a window whose memory each process has for itself. `None`
    /// where messages serve the locks.
    pub(crate) fn meet_for_locks(comm: &Comm) -> Option<Direct> {
        let met = Direct::meet(comm, 0, true);
        met.ok().filter(|met| met.serves)
    }

    pub(super) fn waiter<'a>(&'a self, comm: &'a Comm) -> Waiter<'a> {
        Waiter {
            comm,
            deaths: &self.deaths,
        }
    }

    /// Does an access, which the epoch allows.
    pub(crate) fn access(
        &self,
        comm: &Comm,
        Rank(target): Rank,
        verb: &Verb,
        elements: &Elements<'_>,
    ) -> Result<(), Error> {
        let Elements {
            at,
            count,
            datatype,
        } = *elements;
        let (member, wait) = (&self.member, self.waiter(comm));
        let done = match verb {
            Verb::Put { from } => member.put(target, at, count, datatype, from),
            Verb::Get { into } => member.get(target, at, count, datatype, into),
            Verb::Accumulate {
                op,
                from,
                before: None,
                ..
            } => member.accumulate(&wait, target, at, count, datatype, *op, from),
            Verb::Accumulate {
                op,
                from,
                before: Some(before),
                ..
            } => member.get_accumulate(&wait, target, at, count, datatype, *op, from, before),
            Verb::CompareAndSwap {
                compare,
                new,
                before,
                ..
            } => {
                let before = before.contiguous().unwrap_or(UserBuf::EMPTY);
                let buffers = [*new, *compare, before];
                member.compare_and_swap(&wait, target, at, datatype, buffers)
            }
        };
        Ok(done?)
    }

    /// Everything that this process has done is done.
    #[inline]
    pub(crate) fn flush(&self) {
        self.member.flush();
    }

    /// Takes a target's lock.
    pub(crate) fn lock(&self, comm: &Comm, target: Rank, kind: Lock) -> Result<(), Error> {
        let wait = self.waiter(comm);
        Ok(self.member.lock(&wait, target.0, access(kind))?)
    }

    /// Gives a target's lock back, where it was taken.
    #[inline]
    pub(crate) fn unlock(&self, comm: &Comm, target: Rank) {
        self.flush();
        self.member
            .unlock(target.0, |rank| self.waiter(comm).wake(rank));
    }

    /// Opens the window to a group.
    pub(crate) fn post(&self, comm: &Comm, group: &[Rank]) {
        self.member.post(&self.waiter(comm), numbers(group));
    }

    /// Whether nobody's `MPI_Win_post` has to be waited for longer than for as many polls as a
    /// receive takes. A process that has to wait meets the dead, too. Called behind the engine's
    /// gate.
    pub(super) fn sees_posts(&self, comm: &Comm, id: WindowId, osc: &mut Osc) -> bool {
        let awaited = osc.awaited_posts(id);
        if awaited.is_empty() {
            return true;
        }
        let polls = POLLS * comm.process().engine.short_polls() as usize;
        let seen = (0..polls).any(|_| self.member.start_posted(numbers(awaited)));
        if seen {
            osc.take_awaited_posts(id);
        }
        seen
    }

    /// Waits for the posts of a started group, which the caller has taken from the epoch.
    pub(super) fn await_posts(&self, comm: &Comm, group: &[Rank]) -> Result<(), Error> {
        if group.is_empty() {
            return Ok(());
        }
        let started = self.member.start(&self.waiter(comm), numbers(group));
        started.map_err(|error| failed(comm, error))
    }

    /// Ends accesses to a group; the posts of those in `awaited` are to be waited for.
    pub(crate) fn complete(
        &self,
        comm: &Comm,
        group: &[Rank],
        awaited: &[Rank],
    ) -> Result<(), Error> {
        let posted = self.await_posts(comm, awaited);
        self.member.complete(&self.waiter(comm), numbers(group));
        posted
    }

    /// Waits until a group has ended its accesses.
    pub(crate) fn wait(&self, comm: &Comm, group: &[Rank]) -> Result<(), Error> {
        let ended = self.member.wait(&self.waiter(comm), numbers(group));
        ended.map_err(|error| failed(comm, error))
    }
}

/// Returns why a wait for others has failed.
fn failed(comm: &Comm, error: osc_sm::Error) -> Error {
    let revoked = comm.check_revoked().err();
    revoked.unwrap_or_else(|| Error::from(error))
}

#[inline]
pub(super) fn access(kind: Lock) -> osc_sm::Access {
    match kind {
        Lock::Shared => osc_sm::Access::Shared,
        Lock::Exclusive => osc_sm::Access::Exclusive,
    }
}

fn numbers(ranks: &[Rank]) -> impl Iterator<Item = u32> + Clone + '_ {
    ranks.iter().map(|rank| rank.0)
}

/// Creates the segment of a plan, or attaches it. Also returns whether all may access each other by
/// it.
fn share(comm: &Comm, plan: Plan) -> Result<(Member, bool), Error> {
    let sharers = Sharers::all(comm.size(), comm.rank());
    let create = || Handshake::create(plan.clone());
    let attach = |invitation: &_| Handshake::attach(plan.clone(), comm.rank(), invitation);
    let handshake = sharers.invite(comm, create, attach)?;
    let obstacle = obstacle(comm)?;
    if let Some(why) = &obstacle {
        Framework::Osc.info(format_args!("sm does not serve a window: {why}"));
    }
    // The status, and whether this process may access the others.
    let mut sent = [0; 2 * STATUS_BYTES];
    sent[..STATUS_BYTES].copy_from_slice(&handshake.status());
    sent[STATUS_BYTES] = u8::from(obstacle.is_none());
    let received = sharers.exchange(comm, &sent)?;
    let serves = received.iter().all(|row| row[STATUS_BYTES] != 0);
    let statuses = received.iter().filter_map(|row| row.first_chunk().copied());
    let member = handshake.complete(comm.rank(), &statuses.collect::<Vec<Status>>());
    let member = member.map_err(|why| Error::new(Class::NoMem, why))?;
    Ok((member, serves))
}

/// Returns the reason why this process cannot access the others' memory itself: its parameters, or
/// that it cannot wake one of them.
fn obstacle(comm: &Comm) -> Result<Option<String>, Error> {
    let process = comm.process();
    if mpi_components::checks::checks_accesses(&process.registry) {
        return Ok(Some(
            "`osc_check` needs accesses to arrive at their target".into(),
        ));
    }
    let list = process.registry.components(Framework::Osc, COMPONENTS);
    if !list.map_err(Error::other)?.admits("sm") {
        return Ok(Some("`--mca osc` does not admit it".into()));
    }
    let apart = process.first_apart(comm.group(), &process.engine.enter());
    Ok(apart.map(|peer| format!("messages to {peer} do not go by shared memory")))
}
