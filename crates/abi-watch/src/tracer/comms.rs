//! Communicators as the recorder knows them: by handle, with the numbers in the job of the
//! processes that messages go to.

use abi_state::args::{Comm, Win};
use abi_state::generated::constants::{MPI_ANY_SOURCE, MPI_PROC_NULL};
use abi_state::hooks::Side;
use abi_state::runtime;
use abi_state::tables::Kind;
use base::PeerId;
use trace::layout::{self, Record};

use super::memory::Memory;
use super::names::Names;
use crate::addresses::Map;

/// How many communicators are known at a time: a program may make and free any number.
const KNOWN_MAX: usize = 4096;

/// The communicators that calls were on.
#[derive(Default)]
pub(crate) struct Comms {
    /// Positions in `all`, by handle.
    positions: Map<usize, usize>,
    /// The last handle that was looked up, and its position.
    last: (usize, usize),
    /// Position in the table of the memory, and the numbers of the processes by rank.
    all: Vec<(u16, Vec<i32>)>,
}

/// A communicator that the recorder does not know yet.
pub(crate) struct Found {
    context: u64,
    size: u32,
    name: String,
    numbers: Vec<i32>,
}

/// Returns the communicator, or that of the window, of a handle. Enters the tables of handles.
pub(crate) fn find(handle: usize) -> Option<Found> {
    let runtime = runtime::get();
    let tables = runtime.tables.enter();
    let is_window = (handle as u64 >> 28) & 0xF == <Win as Kind>::TAG;
    let of_comm = |comm: &mpi::Comm, name: String| {
        let identity = &comm.process().identity;
        let (first, size) = (identity.number - identity.peer.0, identity.size);
        let number = |peer: &PeerId| match peer.0 < size {
            true => (first + peer.0) as i32,
            false => layout::UNKNOWN,
        };
        Found {
            context: comm.context(),
            size: comm.size(),
            name,
            numbers: comm.far_group().peers().iter().map(number).collect(),
        }
    };
    match is_window {
        true => {
            let window = &tables.wins.get(Win(handle)).ok()?.window;
            Some(of_comm(window.comm(), window.name()))
        }
        false => {
            let comm = tables.comm(Comm(handle)).ok()?;
            Some(of_comm(comm, comm.name()))
        }
    }
}

impl Comms {
    /// Whether a handle is known, or names nothing.
    #[inline]
    pub(crate) fn knows(&mut self, handle: usize) -> bool {
        handle == 0 || self.at(handle).is_some()
    }

    #[inline]
    fn at(&mut self, handle: usize) -> Option<usize> {
        if self.last.0 == handle && handle != 0 {
            return Some(self.last.1);
        }
        let at = *self.positions.get(&handle)?;
        self.last = (handle, at);
        Some(at)
    }

    /// Enters what was found of a handle.
    pub(crate) fn learn(
        &mut self,
        memory: &Memory,
        names: &mut Names,
        handle: usize,
        found: Option<Found>,
    ) {
        let Some(found) = found else { return };
        if self.all.len() == KNOWN_MAX {
            *self = Comms::default();
        }
        let index = names.comm(memory, found.context, found.size, &found.name);
        self.positions.insert(handle, self.all.len());
        self.all.push((index, found.numbers));
    }

    /// The position of a handle's communicator in the table of the memory.
    pub(crate) fn position(&mut self, handle: usize) -> u16 {
        let at = self.at(handle);
        at.map_or(Record::NO_COMM, |at| self.all[at].0)
    }

    /// The number in the job of a rank of the communicator at a position.
    pub(crate) fn number(&self, position: u16, rank: usize) -> i32 {
        let last = self.all.get(self.last.1).filter(|comm| comm.0 == position);
        let comm = last.or_else(|| self.all.iter().rev().find(|comm| comm.0 == position));
        let number = comm.and_then(|comm| comm.1.get(rank));
        number.copied().unwrap_or(layout::UNKNOWN)
    }

    /// Returns the peer and the message of one side of a call on a handle.
    #[inline(always)]
    pub(crate) fn involved(&mut self, handle: usize, side: &Side, bytes: u64) -> Involved {
        let at = self.at(handle);
        let peer = match side.peer {
            Side::ABSENT | MPI_PROC_NULL => layout::NO_PEER,
            MPI_ANY_SOURCE => layout::UNKNOWN,
            rank => {
                let comm = at.map(|at| &self.all[at].1);
                let number = comm.and_then(|comm| comm.get(usize::try_from(rank).ok()?));
                number.copied().unwrap_or(layout::NO_PEER)
            }
        };
        let tag = match side.tag {
            tag if tag < 0 => layout::NO_TAG,
            tag => tag,
        };
        let comm = at.map_or(Record::NO_COMM, |at| self.all[at].0);
        Involved {
            peer,
            tag,
            bytes,
            comm,
        }
    }
}

/// The part of a record that is about the peer and the message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Involved {
    /// See [`Record`].
    pub(crate) peer: i32,
    /// See [`Record`].
    pub(crate) tag: i32,
    /// See [`Record`].
    pub(crate) bytes: u64,
    /// See [`Record`].
    pub(crate) comm: u16,
}

impl Involved {
    /// No peer and no message.
    pub(crate) const NOBODY: Involved = Involved {
        peer: layout::NO_PEER,
        tag: layout::NO_TAG,
        bytes: 0,
        comm: Record::NO_COMM,
    };

    /// Enters the message that has arrived.
    pub(crate) fn arrived(&mut self, status: &pml::Status, comms: &Comms) {
        self.peer = match status.source {
            Some(source) => comms.number(self.comm, source.0 as usize),
            None => layout::NO_PEER,
        };
        self.tag = status.tag as i32;
        self.bytes = status.bytes;
    }
}
