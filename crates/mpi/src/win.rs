//! Windows: memory that other processes may access by themselves (MPI 5.0, chapter 12).
//!
//! A [`Window`] is a duplicate of its communicator, for barriers and for who takes part; a window
//! of the engine's one-sided state (`osc`), which has the memory, the epochs and the lock; and the
//! sizes and displacement units of all, against which each access is checked before it leaves.
//!
//! * `win/access.rs` begins operations;
//! * `win/sync.rs` has what blocks: fences, post and start, locks, flushes;
//! * `win/direct.rs` is the component `sm`, in which processes of one node load and store each
//!   other's memory; all other windows are served by `am`, active messages.

mod access;
mod direct;
mod sync;

use std::sync::{Arc, Mutex};

use memory::UserBuf;
use osc::{Memory, Osc, WindowId};

use crate::process::lock;
use crate::win::direct::Direct;
use crate::{collective, Attributes, Class, Comm, Errhandler, Error, Group, Info, Process};

pub use access::Elements;
pub use osc::Lock;

/// The components of the framework `osc`.
pub(crate) const COMPONENTS: &[&str] = &["sm", "am"];

/// How a window came to its memory (MPI 5.0, 12.2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    /// The application gave it.
    Create,
    /// MPI allocated it.
    Allocate,
    /// It is attached and detached.
    Dynamic,
    /// MPI allocated it where all processes can load and store.
    Shared,
}

/// What a process opens to the others.
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
    flavor: Flavor,
    base: UserBuf,
    /// By rank.
    extents: Vec<Extent>,
    /// Memory that all processes have in common.
    common: Option<Direct>,
    name: Mutex<String>,
    /// Attributes, in the care of whoever runs their callbacks.
    pub attributes: Mutex<Attributes>,
    /// Who hears of errors.
    pub errhandler: Mutex<Errhandler>,
    info: Mutex<Info>,
}

/// The keys that are understood, with what holds unless the user says otherwise
/// (MPI 5.0, 12.2.1).
const KEYS: &[(&str, &str)] = &[
    ("no_locks", "false"),
    ("accumulate_ordering", "rar,raw,war,waw"),
    ("accumulate_ops", "same_op_no_op"),
    ("mpi_accumulate_granularity", "0"),
    ("same_size", "false"),
    ("same_disp_unit", "false"),
];

/// A key of shared windows (MPI 5.0, 12.2.3).
const NONCONTIGUOUS: &str = "alloc_shared_noncontig";

impl Window {
    /// A window over memory of this process; all processes of the communicator call it. `unit` is
    /// more than 0. `memory` may be an error, of which all are told: nobody has a window then.
    ///
    /// # Errors
    /// That of this process or of another one; also when the communicator has two groups, or
    /// messages go over a network that matches.
    pub fn create(
        comm: &Comm,
        flavor: Flavor,
        memory: Result<UserBuf, Error>,
        unit: u64,
        info: &Info,
    ) -> Result<Window, Error> {
        let comm = own_comm(comm)?;
        Window::over(comm, flavor, memory, unit, info, None)
    }

    /// A window over memory that is allocated for it, `size` bytes of this process: in common where
    /// all processes are on one node, and otherwise by `allocate`.
    ///
    /// # Errors
    /// As of [`Window::create`].
    pub fn allocate(
        comm: &Comm,
        size: u64,
        unit: u64,
        info: &Info,
        allocate: impl FnOnce() -> Result<UserBuf, Error>,
    ) -> Result<Window, Error> {
        let comm = own_comm(comm)?;
        let (common, memory) = match Direct::meet(&comm, size, true) {
            Ok(common) => {
                let own = common.member.memory(comm.rank());
                (Some(common), Ok(own))
            }
            Err(error) => {
                log::info!(target: "osc", "a window is served by am: {error}");
                (None, allocate())
            }
        };
        Window::over(comm, Flavor::Allocate, memory, unit, info, common)
    }

    /// A window over memory that all processes of the communicator, which are on one node, load
    /// and store: `size` bytes of this process (MPI 5.0, 12.2.3).
    ///
    /// # Errors
    /// As of [`Window::create`]; and when the processes share no memory, or there is not enough.
    pub fn allocate_shared(
        comm: &Comm,
        size: u64,
        unit: u64,
        info: &Info,
    ) -> Result<Window, Error> {
        let comm = own_comm(comm)?;
        let apart = info.get(NONCONTIGUOUS)? == Some("true");
        let common = Direct::meet(&comm, size, apart)?;
        let own = common.member.memory(comm.rank());
        Window::over(comm, Flavor::Shared, Ok(own), unit, info, Some(common))
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
        let opened = match flavor {
            Flavor::Dynamic => Memory::Attached(Vec::new()),
            _ => Memory::Fixed(base),
        };
        let process = comm.process().clone();
        let id = with(&process, |osc| osc.open_window(opened));
        let mut window = Window {
            comm,
            id,
            flavor,
            base,
            extents: Vec::new(),
            common,
            name: Mutex::default(),
            attributes: Mutex::default(),
            errhandler: Mutex::new(Errhandler::Fatal),
            info: Mutex::default(),
        };
        window.set_info(info)?;
        let failed = failure
            .as_ref()
            .map_or(0, |error| error.class.code() as u64);
        let told = [id.name(), base.len() as u64, unit, failed];
        let rows = window.comm.collect(&told)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        window.join(&rows)?;
        // Who is through may access windows of others, who must know it by then.
        window.comm.call(collective::barrier(&window.comm))?;
        Ok(window)
    }

    /// Takes in what all processes told of theirs.
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
        with(self.process(), |osc| osc.join(self.id, &members));
        Ok(())
    }

    /// Ends the window; all its processes call it. Its memory is theirs again. Attributes are the
    /// caller's to delete before, and memory that was allocated is the caller's to free.
    ///
    /// # Errors
    /// When an epoch is open: the window stays as it is. Of what failed since, nobody is told.
    pub fn free(&self) -> Result<(), Error> {
        with(self.process(), |osc| osc.begin_free(self.id))?;
        // Those that have died bring nothing any more.
        let _ = self.until(|osc, id| osc.is_all_settled(id));
        self.comm.call(collective::barrier(&self.comm))
    }

    /// Whether the window may be freed.
    ///
    /// # Errors
    /// When an epoch is open.
    pub fn check_free(&self) -> Result<(), Error> {
        let checked = with(self.process(), |osc| osc.check_free(self.id));
        checked.map_err(Error::from)
    }

    /// The process that the window belongs to.
    pub fn process(&self) -> &Arc<Process> {
        self.comm.process()
    }

    /// The processes of the window.
    pub fn group(&self) -> &Group {
        self.comm.group()
    }

    /// This process's rank.
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

    /// What a process opens to the others. `rank` is one of the window's.
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
    fn direct(&self) -> Option<&Direct> {
        self.common.as_ref().filter(|common| common.serves)
    }

    /// Whether MPI has allocated the window's memory by `allocate` ([`Window::allocate`]).
    pub fn is_pooled(&self) -> bool {
        self.flavor == Flavor::Allocate && self.common.is_none()
    }

    /// The name, empty when it has none.
    pub fn name(&self) -> String {
        lock(&self.name).clone()
    }

    /// Gives the window a name.
    pub fn set_name(&self, name: &str) {
        *lock(&self.name) = name.to_string();
    }

    /// The hints in use.
    pub fn info(&self) -> Info {
        lock(&self.info).clone()
    }

    /// Takes hints; those that are not understood are left.
    ///
    /// # Errors
    /// Never for hints that an `Info` can hold.
    pub fn set_info(&self, given: &Info) -> Result<(), Error> {
        let mut used = lock(&self.info);
        let shared = [(NONCONTIGUOUS, "false")];
        let more = shared.iter().filter(|_| self.flavor == Flavor::Shared);
        for (key, usual) in KEYS.iter().chain(more) {
            match (given.get(key)?, used.get(key)?) {
                (Some(value), _) => {
                    let value = value.to_string();
                    used.set(key, &value)?;
                }
                (None, Some(_)) => {}
                (None, None) => used.set(key, usual)?,
            }
        }
        Ok(())
    }

    /// Lets the others reach memory of this process (MPI 5.0, 12.2.4).
    ///
    /// # Errors
    /// `RmaFlavor` when the window is not dynamic, `RmaAttach` when the memory lies on what is
    /// attached.
    pub fn attach(&self, region: UserBuf) -> Result<(), Error> {
        self.check_dynamic()?;
        let attached = with(self.process(), |osc| osc.attach(self.id, region));
        attached.map_err(Error::from)
    }

    /// Ends what [`Window::attach`] began for memory that begins at an address.
    ///
    /// # Errors
    /// `RmaFlavor` when the window is not dynamic, `RmaAttach` when no such memory is attached.
    pub fn detach(&self, address: usize) -> Result<(), Error> {
        self.check_dynamic()?;
        let detached = with(self.process(), |osc| osc.detach(self.id, address));
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
        if let Some(osc) = self.process().engine.enter().osc() {
            osc.close_window(id);
        }
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

/// The one-sided state, and what it leaves to be sent. Who has a window has it.
fn with<T>(process: &Process, act: impl FnOnce(&mut Osc) -> T) -> T {
    let mut core = process.engine.enter();
    let osc = core.osc().expect("a process with windows has lanes");
    let result = act(osc);
    core.send_accesses();
    result
}

/// The communicator that a window has for itself.
fn own_comm(comm: &Comm) -> Result<Comm, Error> {
    if comm.is_inter() {
        let text = format!("{comm} is an inter-communicator");
        return Err(Error::new(Class::Comm, text));
    }
    if comm.process().engine.enter().osc().is_none() {
        let text = "one-sided communication goes by the transports of `ob1`: run with \
                    `--mca pml ob1`";
        return Err(Error::new(Class::UnsupportedOperation, text));
    }
    comm.duplicate()
}
