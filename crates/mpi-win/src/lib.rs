//! Windows: memory that other processes may access by themselves (MPI 5.0, chapter 12).
//!
//! A [`Window`] is a duplicate of its communicator, for barriers and for its members; a window of
//! the engine's one-sided state (`osc`), which has the memory, the epochs and the lock; and the
//! sizes and displacement units of all, against which each access is checked before it leaves.
//!
//! * `access.rs` begins operations;
//! * `sync.rs` has what blocks: fences, post and start, locks, flushes;
//! * `direct.rs` is the component `sm`, in which processes of one node load and store each
//!   other's memory; all other windows are served by `am`, active messages;
//! * `contiguous.rs` starts those of contiguous elements, which loads and stores do at once;
//! * `nowait.rs` has flushes and locks that take no wait;
//! * `mixed.rs` is what processes of one node have of `sm` in a window over several nodes;
//! * `remote.rs` is the component `rdma`, which puts and gets by the transports beside `am`;
//! * `word_atomics.rs` decides whether these do accumulates of single 64-bit words too.
#![forbid(unsafe_code)]

mod access;
mod account;
mod contiguous;
mod direct;
mod elements;
mod mixed;
mod nowait;
mod remote;
mod sync;
mod word_atomics;

use base::Mutex;
use mca::Framework;
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

use memory::{memcheck, UserBuf};
use osc::{Memory, Osc, Permits, WindowId};

use crate::direct::Direct;
use crate::mixed::NodeSegment;
use crate::remote::{unpack, RemoteMemory, PACK_WORDS};
use crate::word_atomics::{AtomicsClaim, CLAIM_WORDS};
use mpi::Making;
use mpi_components::windows::{SINGLE, SINGLE_ALWAYS};
use mpi_local::hints::{self, assertion, Hint, Values};

use mpi::{collective, Attributes, Class, Comm, Errhandler, Error, Group, Info, Process};

pub use elements::Elements;
pub use osc::Lock;

/// How a window came to its memory (MPI 5.0, 12.2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    /// The application gave it.
    Create,
    /// MPI allocated it.
    Allocate,
    /// Memory that is attached and detached.
    Dynamic,
    /// MPI allocated it where all processes can load and store.
    Shared,
}

/// Memory that a process exposes in a window.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Bytes.
    pub size: u64,
    /// Bytes of a step of displacements.
    pub unit: u64,
}

/// A window.
pub struct Window {
    comm: Comm,
    id: WindowId,
    /// Decisions of the epochs that accesses may go by.
    permits: Permits,
    flavor: Flavor,
    base: UserBuf,
    /// Extents by rank.
    extents: Vec<Extent>,
    /// Memory that all processes have in common.
    common: Option<Direct>,
    /// Locks that all processes on one node have in common, where each has its own memory.
    locks: Option<Direct>,
    /// Memory that the processes of this node have in common, in a window over several.
    near: Option<NodeSegment>,
    /// Processes of this node may put and get by loads and stores.
    loads: bool,
    /// Memory that lanes reach, where they serve the window.
    remote: Option<RemoteMemory>,
    /// Transports change single 64-bit words, too; then accumulates of several are refused.
    words: bool,
    /// Calls with nothing to wait for until one moves messages: see [`Window::owes_progress`].
    unmoved: AtomicU32,
    name: Mutex<String>,
    /// Attributes; the caller runs their callbacks.
    pub attributes: Mutex<Attributes>,
    /// Handler of errors.
    pub errhandler: Mutex<Errhandler>,
    info: Mutex<Info>,
}

/// The keys that are understood, with what holds unless the user says otherwise
/// (MPI 5.0, 12.2.1).
const KEYS: &[Hint] = &[
    assertion("no_locks"),
    Hint {
        key: "accumulate_ordering",
        values: Values::List("none", &["rar", "raw", "war", "waw"]),
        usual: "rar,raw,war,waw",
    },
    Hint {
        key: "accumulate_ops",
        values: Values::OneOf(&["same_op", "same_op_no_op"]),
        usual: "same_op_no_op",
    },
    Hint {
        key: "mpi_accumulate_granularity",
        values: Values::Number,
        usual: "0",
    },
    assertion("same_size"),
    assertion("same_disp_unit"),
];

/// Indexes, in the numbers that a process sends of its window, of its claim about 64-bit words, and
/// of its memory's packed key.
const CLAIM_AT: usize = 4;
const PACK_AT: usize = CLAIM_AT + CLAIM_WORDS;

/// A key of shared windows (MPI 5.0, 12.2.3).
const NONCONTIGUOUS: &str = "alloc_shared_noncontig";

impl Window {
    /// Makes a window over memory of this process; all processes of the communicator call it.
    /// `unit` is more than 0. `memory` may be an error, which all receive: no process gets a window
    /// then.
    ///
    /// # Errors
    /// That of this process or of another one; also when the communicator has two groups.
    pub fn create(
        comm: &Comm,
        flavor: Flavor,
        memory: Result<UserBuf, Error>,
        unit: u64,
        info: &Info,
    ) -> Result<Window, Error> {
        let (comm, _making) = own_comm(comm)?;
        Window::over(comm, flavor, memory, unit, info, None)
    }

    /// A window over memory that is allocated for it, `size` bytes of this process: in common where
    /// all processes are on one node, and otherwise by `allocate`. `size` may be an error, as the
    /// memory of [`Window::create`] may.
    ///
    /// # Errors
    /// See [`Window::create`].
    pub fn allocate(
        comm: &Comm,
        size: Result<u64, Error>,
        unit: u64,
        info: &Info,
        allocate: impl FnOnce() -> Result<UserBuf, Error>,
    ) -> Result<Window, Error> {
        let (comm, _making) = own_comm(comm)?;
        let (bytes, failure) = part(size);
        let why = match Direct::meet(&comm, bytes, true) {
            Ok(common) => {
                let own = failure.map_or(Ok(common.member.memory(comm.rank())), Err);
                return Window::over(comm, Flavor::Allocate, own, unit, info, Some(common));
            }
            Err(why) => why,
        };
        Framework::Osc.info(format_args!("a window is not served by sm: {why}"));
        // Whether they are apart all know alike.
        let near = match why.class {
            Class::RmaShared => NodeSegment::meet(&comm, bytes)?,
            _ => None,
        };
        let memory = match (&near, failure) {
            (_, Some(failure)) => Err(failure),
            (Some(near), None) => Ok(near.own()),
            (None, None) => allocate(),
        };
        let mut window = Window::over(comm, Flavor::Allocate, memory, unit, info, None)?;
        window.near = near;
        Ok(window)
    }

    /// A window over memory that all processes of the communicator, which are on one node, load
    /// and store: `size` bytes of this process (MPI 5.0, 12.2.3), or an error.
    ///
    /// # Errors
    /// See [`Window::create`]; and when the processes share no memory, or there is not enough.
    pub fn allocate_shared(
        comm: &Comm,
        size: Result<u64, Error>,
        unit: u64,
        info: &Info,
    ) -> Result<Window, Error> {
        let (comm, _making) = own_comm(comm)?;
        let apart = info.get(NONCONTIGUOUS)? == Some("true");
        let (bytes, failure) = part(size);
        let common = match (Direct::meet(&comm, bytes, apart), &failure) {
            // The process with the wrong argument reports that error.
            (Err(_), Some(own)) => return Err(own.clone()),
            (met, _) => met?,
        };
        let own = failure.map_or(Ok(common.member.memory(comm.rank())), Err);
        Window::over(comm, Flavor::Shared, own, unit, info, Some(common))
    }

    fn over(
        comm: Comm,
        flavor: Flavor,
        memory: Result<UserBuf, Error>,
        unit: u64,
        info: &Info,
        common: Option<Direct>,
    ) -> Result<Window, Error> {
        let (base, failure) = match memory {
            Ok(memory) => (memory, None),
            Err(error) => (UserBuf::EMPTY, Some(error)),
        };
        memcheck::make_defined(base.address().addr(), base.len());
        let opened = match flavor {
            Flavor::Dynamic => Memory::Attached(Vec::new()),
            _ => Memory::Fixed(base),
        };
        let locks = match &common {
            Some(_) => None,
            None => Direct::meet_for_locks(&comm),
        };
        let process = comm.process().clone();
        let checked = mpi_components::checks::checks_accesses(&process.registry);
        let loads = !checked && mixed::is_admitted(&comm)?;
        let (id, permits) = with(&process, |osc| {
            let id = osc.open_window(opened);
            if checked {
                osc.check_conflicts(id);
            }
            (id, osc.permits(id))
        });
        let mut window = Window {
            comm,
            id,
            permits,
            flavor,
            base,
            extents: Vec::new(),
            common,
            locks,
            near: None,
            loads,
            remote: None,
            words: false,
            unmoved: AtomicU32::new(1),
            name: Mutex::default(),
            attributes: Mutex::default(),
            errhandler: Mutex::new(Errhandler::Fatal),
            info: Mutex::default(),
        };
        if window.notifies_fences() {
            window.with(|osc| osc.notify_fences(id));
        }
        window.set_info(info)?;
        let failed = failure.as_ref().map_or(0, number);
        let mut words = vec![id.name(), base.len() as u64, unit, failed];
        let promised = window.is_promised()?;
        let claim = window.expose(promised, &mut words)?;
        let rows = window.comm.collect(&words)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        window.join(&rows)?;
        let served = window.serve_words(claim.as_ref(), &rows)?;
        window.report(promised, served)?;
        window.start_helper();
        // A process that is through may access windows of others, which must know it by then.
        window.comm.call(collective::barrier(&window.comm))?;
        Ok(window)
    }

    /// Starts the helper thread, which makes progress while this process computes, where messages
    /// carry the window.
    fn start_helper(&self) {
        if self.direct().is_none() {
            self.process().start_helper(self.group().peers());
        }
    }

    /// Runs `act` on the one-sided state, then sends what it has queued.
    fn with<T>(&self, act: impl FnOnce(&mut Osc) -> T) -> T {
        with(self.process(), act)
    }

    /// Notes the extents and keys that all processes have sent.
    fn join(&mut self, rows: &[Vec<u64>]) -> Result<(), Error> {
        let failed = rows.iter().position(|row| row[3] != 0);
        if let Some(rank) = failed {
            let class = Class::from_code(rows[rank][3] as i32).unwrap_or(Class::Other);
            let text = format!("rank {rank} could not make its part of the window");
            return Err(Error::new(class, text));
        }
        let extent = |row: &Vec<u64>| Extent {
            size: row[1],
            unit: row[2],
        };
        self.extents = rows.iter().map(extent).collect();
        let peers = self.comm.group().peers();
        let members = peers.iter().zip(rows).map(|(peer, row)| (*peer, row[0]));
        let members: Vec<_> = members.collect();
        let process = self.comm.process();
        self.permits = with(process, |osc| {
            osc.join(self.id, &members);
            osc.permits(self.id)
        });
        if let Some(remote) = &mut self.remote {
            let packs = rows.iter().map(|row| row.get(PACK_AT..).unwrap_or(&[]));
            remote.join(process, peers, packs);
        }
        Ok(())
    }

    /// Whether the info promises that accumulates have one element each.
    fn is_promised(&self) -> Result<bool, Error> {
        Ok(self.info.lock().get(SINGLE)? == Some("true"))
    }

    /// Exposes the memory to transports, where they serve the window, and appends the claim and the
    /// packed key to the words that this process sends.
    fn expose(
        &mut self,
        promised: bool,
        words: &mut Vec<u64>,
    ) -> Result<Option<AtomicsClaim>, Error> {
        if self.direct().is_some() || self.flavor == Flavor::Dynamic {
            return Ok(None);
        }
        let process = self.process().clone();
        self.remote = RemoteMemory::expose(&process, self.base)?;
        let remote = self.remote.as_ref();
        let claim = AtomicsClaim::make(&process, self.group().peers(), promised, remote);
        words.extend(claim.words());
        words.extend(remote.map_or([0; PACK_WORDS], RemoteMemory::pack));
        Ok(Some(claim))
    }

    /// Lets a transport do accumulates of single words, where the claims of all processes allow it;
    /// returns the transport's name, or what carries them instead.
    fn serve_words(
        &mut self,
        claim: Option<&AtomicsClaim>,
        rows: &[Vec<u64>],
    ) -> Result<Result<&'static str, String>, Error> {
        let claim = match claim {
            Some(claim) => claim,
            None if self.flavor == Flavor::Dynamic => {
                return Ok(Err("by messages: it is dynamic".into()))
            }
            None => return Ok(Err("by loads and stores".into())),
        };
        let claims = |row: &Vec<u64>| [row[CLAIM_AT], row[CLAIM_AT + 1]];
        let all: Vec<[u64; CLAIM_WORDS]> = rows.iter().map(claims).collect();
        let lane = match claim.agree(&all) {
            Ok(lane) => lane,
            Err(why) => return Ok(Err(format!("by messages: {why}"))),
        };
        let packs = rows.iter().map(|row| unpack(&row[PACK_AT..]));
        let targets = packs.zip(all);
        let served = word_atomics::serve(self.process(), self.id, lane, targets);
        served.map_err(|why| Error::new(Class::Intern, why))?;
        let ordering = self.info.lock().get("accumulate_ordering")? != Some("none");
        self.with(|osc| osc.order_words(self.id, ordering));
        self.words = true;
        Ok(Ok(lane.name()))
    }

    /// Reports what carries the accesses of this process, in the log of the framework `osc`.
    fn report_carriers(&self) {
        if self.direct().is_some() {
            return Framework::Osc.info(format_args!("{self}: loads and stores (sm)"));
        }
        let ranks = (0..self.comm.size()).map(base::Rank);
        let lane = |rank| self.remote.as_ref()?.lane(rank);
        let by_transport = ranks.filter_map(lane).count();
        Framework::Osc.info(format_args!(
            "{self}: puts and gets by the transport (rdma) at {by_transport} of {} processes, \
             all else by messages (am)",
            self.comm.size()
        ));
    }

    /// Reports what carries accesses, accumulates of single words among them.
    fn report(&self, promised: bool, by: Result<&str, String>) -> Result<(), Error> {
        self.report_carriers();
        self.report_word_atomics(promised, by)
    }

    /// Reports how accumulates of single words go, and notes it as the hint in use.
    fn report_word_atomics(&self, promised: bool, by: Result<&str, String>) -> Result<(), Error> {
        self.info
            .lock()
            .set(SINGLE, if by.is_ok() { "true" } else { "false" })?;
        if !promised {
            return Ok(());
        }
        let how = match by {
            Ok(name) => format!("by the atomic operations of {name}"),
            Err(otherwise) => otherwise,
        };
        let report = format!("{self}: accumulates of single words go {how}");
        Framework::Osc.info(format_args!("{report}"));
        if self.rank() == 0 {
            self.process().explain_window(&report);
        }
        Ok(())
    }

    /// Ends the window; all its processes call it. Its memory is theirs again. Attributes are the
    /// caller's to delete before, and memory that was allocated is the caller's to free.
    ///
    /// # Errors
    /// When an epoch is open: the window stays as it is. Later failures are not reported.
    pub fn free(&self) -> Result<(), Error> {
        self.with(|osc| osc.begin_free(self.id))?;
        // Those that have died bring nothing any more, nor do those that gave up because of it.
        let id = self.id;
        self.process().wait_until(|core| {
            let lost = self.comm.has_lost_needed(core);
            let settled = !matches!(core.osc().is_all_settled(id), Ok(false));
            (lost || settled || self.comm.is_revoked()).then_some(())
        });
        self.comm.call(collective::barrier(&self.comm))
    }

    /// Whether the window may be freed.
    ///
    /// # Errors
    /// When an epoch is open.
    pub fn check_free(&self) -> Result<(), Error> {
        let checked = self.with(|osc| osc.check_free(self.id));
        checked.map_err(Error::from)
    }

    /// The process that the window belongs to.
    pub fn process(&self) -> &Arc<Process> {
        self.comm.process()
    }

    /// The window's own communicator.
    pub fn comm(&self) -> &Comm {
        &self.comm
    }

    /// The processes of the window.
    pub fn group(&self) -> &Group {
        self.comm.group()
    }

    /// Returns this process's rank.
    pub fn rank(&self) -> u32 {
        self.comm.rank()
    }

    /// How it came to its memory.
    pub fn flavor(&self) -> Flavor {
        self.flavor
    }

    /// The memory of this process; nothing in a dynamic window.
    pub fn base(&self) -> UserBuf {
        self.base
    }

    /// Returns the memory that a process exposes. `rank` is one of the window's.
    #[inline]
    pub fn extent(&self, rank: u32) -> Extent {
        self.extents[rank as usize]
    }

    /// The memory of a process as this process loads and stores it (MPI 5.0, 12.2.3); without a
    /// rank that of the first one that has any.
    ///
    /// # Errors
    /// `RmaFlavor` where the window's memory is not shared.
    pub fn shared(&self, rank: Option<u32>) -> Result<(UserBuf, Extent), Error> {
        let own = |rank: u32| rank == self.rank() && self.flavor != Flavor::Dynamic;
        let first = || {
            let sizes = self.extents.iter();
            let found = sizes.enumerate().find(|(_, extent)| extent.size > 0);
            found.map_or(0, |(rank, _)| rank as u32)
        };
        match (&self.common, rank) {
            (Some(common), rank) => {
                let rank = rank.unwrap_or_else(first);
                // Of what has no bytes there is no address either.
                let memory = match self.extent(rank).size {
                    0 => UserBuf::EMPTY,
                    _ => common.member.memory(rank),
                };
                Ok((memory, self.extent(rank)))
            }
            (None, Some(rank)) if own(rank) => Ok((self.base, self.extent(rank))),
            (None, _) if self.flavor == Flavor::Dynamic || self.flavor == Flavor::Shared => {
                let text = "the window has no memory that can be shared";
                Err(Error::new(Class::RmaFlavor, text))
            }
            // What is not shared has no bytes here (MPI 5.0, 12.2.3).
            (None, rank) => {
                let unit = rank.map_or(1, |rank| self.extent(rank).unit);
                Ok((UserBuf::EMPTY, Extent { size: 0, unit }))
            }
        }
    }

    /// The component `sm`, where it serves this window.
    #[inline]
    fn direct(&self) -> Option<&Direct> {
        self.common.as_ref().filter(|common| common.serves)
    }

    /// Returns the shared memory that holds the locks, where messages do not serve them.
    #[inline]
    fn lock_memory(&self) -> Option<&Direct> {
        self.direct().or(self.locks.as_ref())
    }

    /// Returns, where `sm` does not serve the window, the memory that processes of this node put
    /// into and get from nevertheless.
    fn nearby(&self) -> Option<&osc_sm::Member> {
        let common = self.common.as_ref().filter(|_| self.loads);
        let common = common.map(|common| &common.member);
        common.or(self.near.as_ref().map(NodeSegment::member))
    }

    /// Returns the number of the window's communicator, equal on all its processes.
    pub fn context(&self) -> u64 {
        self.comm.context()
    }

    /// Returns the targets whose locks this process has, or wants.
    pub fn lock_targets(&self) -> Vec<base::Rank> {
        self.process().engine.enter().osc().lock_targets(self.id)
    }

    /// The name, empty when it has none.
    pub fn name(&self) -> String {
        self.name.lock().clone()
    }

    /// Gives the window a name.
    pub fn set_name(&self, name: &str) {
        *self.name.lock() = name.to_string();
    }

    /// The hints in use.
    pub fn info(&self) -> Info {
        self.info.lock().clone()
    }

    /// Takes hints; those that are not understood are left.
    ///
    /// # Errors
    /// Never for hints that an `Info` can hold.
    pub fn set_info(&self, given: &Info) -> Result<(), Error> {
        let mut used = self.info.lock();
        let is_new = used.is_empty();
        hints::take(&mut used, given, KEYS)?;
        // What these decide is decided when the window is made; they are returned as they were set
        // last.
        if self.flavor == Flavor::Shared {
            hints::take(&mut used, given, &[assertion(NONCONTIGUOUS)])?;
        }
        if is_new {
            let usual = self.process().registry.bool(SINGLE_ALWAYS).to_string();
            let said = given.get(SINGLE)?.unwrap_or(&usual).to_string();
            used.set(SINGLE, &said)?;
        }
        let lockless = used.get("no_locks")? == Some("true");
        drop(used);
        self.with(|osc| osc.allow_locks(self.id, !lockless));
        Ok(())
    }

    /// Lets the others reach memory of this process (MPI 5.0, 12.2.4).
    ///
    /// # Errors
    /// `RmaFlavor` when the window is not dynamic, `RmaAttach` when the memory lies on what is
    /// attached.
    pub fn attach(&self, region: UserBuf) -> Result<(), Error> {
        self.check_dynamic()?;
        memcheck::make_defined(region.address().addr(), region.len());
        let attached = self.with(|osc| osc.attach(self.id, region));
        attached.map_err(Error::from)
    }

    /// Ends what [`Window::attach`] began for memory that begins at an address.
    ///
    /// # Errors
    /// `RmaFlavor` when the window is not dynamic, `RmaAttach` when no such memory is attached.
    pub fn detach(&self, address: usize) -> Result<(), Error> {
        self.check_dynamic()?;
        let detached = self.with(|osc| osc.detach(self.id, address));
        detached.map_err(Error::from)
    }

    fn check_dynamic(&self) -> Result<(), Error> {
        match self.flavor {
            Flavor::Dynamic => Ok(()),
            _ => Err(Error::new(Class::RmaFlavor, "the window is not dynamic")),
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let id = self.id;
        if let Some(remote) = &self.remote {
            remote.withdraw(self.process());
        }
        self.process().engine.enter().close_window(id);
    }
}

impl std::fmt::Display for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name().as_str() {
            "" => write!(f, "window {:#x}", self.comm.context()),
            name => write!(f, "window {name}"),
        }
    }
}

/// The one-sided state, and what it leaves to be sent.
fn with<T>(process: &Process, act: impl FnOnce(&mut Osc) -> T) -> T {
    process.engine.enter().with_accesses(act)
}

/// Returns an error's class as a number for the others.
fn number(error: &Error) -> u64 {
    error.class.code() as u64
}

/// Returns the bytes of this process where it cannot have those that its user requested: the
/// others, which must not wait for it, are notified later.
fn part(size: Result<u64, Error>) -> (u64, Option<Error>) {
    match size {
        Ok(size) => (size, None),
        Err(error) => (0, Some(error)),
    }
}

/// The communicator that a window has for itself.
fn own_comm(comm: &Comm) -> Result<(Comm, Making<'_>), Error> {
    if comm.is_inter() {
        let text = format!("{comm} is an inter-communicator");
        return Err(Error::new(Class::Comm, text));
    }
    comm.process().check_logged("a window")?;
    comm.process().open_accesses()?;
    comm.duplicate_for_object()
}
