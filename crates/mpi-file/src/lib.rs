//! Files (MPI 5.0, chapter 14).
//!
//! A [`File`] is a duplicate of its communicator, for agreement and for its members; an open file
//! of `io_posix`; the view, which places elements in the file (`io`); the individual file pointer;
//! and the shared one, a word in a window.
//!
//! * `open.rs` opens, closes and deletes: the first rank creates, and all agree;
//! * `manage.rs` has what all processes call for the file as a whole: sizes, views, hints;
//! * `access.rs` reads and writes: positions and checks; `form.rs` has the forms of an
//!   access;
//! * `nonblocking.rs` begins accesses that do not block;
//! * `collective.rs` is an access of all processes together, by `io::two_phase`;
//! * `neighbours.rs` reaches the memory of processes of the node, for aggregators;
//! * `disk.rs` moves bytes between memory and the runs of a view, for one process;
//! * `file_data.rs` converts data to what it is in the file and back;
//! * `pointer.rs` is the shared file pointer;
//! * `mode.rs` has the modes of opening, `failure.rs` makes errors of what the system reports.
//!
//! All ranks of a file agree when it is opened, gets a view, a size or hints. On its communicator a
//! collective fails at every rank once any member has failed ([`Comm::need_all`]): nobody waits for
//! a rank that has learnt of the death first.
//!
//! An independent access that does not block goes on by the kernel or by a thread, unless it is
//! short. A collective one is a collective call by messages, which every wait of the process
//! advances.
#![forbid(unsafe_code)]

mod access;
mod access_report;
mod background;
mod collective;
mod collective_settings;
mod disk;
mod failure;
mod file_data;
mod form;
mod manage;
mod mode;
mod neighbours;
mod nonblocking;
mod open;
mod pointer;

use base::Mutex;
use std::collections::HashSet;
use std::sync::Arc;

use ::io::hints::Hints;
use ::io::View;
use datatype::Datatype;

use crate::background::Files;
use crate::collective_settings::CollectiveSettings;
use crate::disk::Disk;
use crate::pointer::SharedPointer;
use mpi::{Comm, Errhandler, Error, Group, Info, Process, Request};

pub use crate::form::{Data, Position, Split, SplitKind};
pub use crate::manage::Whence;
pub use crate::mode::Mode;
pub use crate::open::delete;
pub use ::io::{Conversions, Direction, Items};

/// An open file.
pub struct File {
    comm: Arc<Comm>,
    mode: Mode,
    disk: Arc<Disk>,
    shared: SharedPointer,
    state: Mutex<State>,
    /// Handler of errors.
    pub errhandler: Mutex<Errhandler>,
    hints: Mutex<Hints>,
    collective: Mutex<CollectiveSettings>,
    /// Texts reported before (`--explain`).
    reported: Arc<Mutex<HashSet<String>>>,
}

/// State that changes while a file is open.
struct State {
    view: Arc<View>,
    /// The types of the view as the program gave them.
    given: Types,
    /// The individual file pointer, in etypes.
    position: u64,
    /// The split collective that was begun.
    split: Option<(Split, Request)>,
}

/// The types of a view as the program gave them.
#[derive(Clone)]
pub struct Types {
    /// The unit of positions.
    pub etype: Arc<Datatype>,
    /// The tile of the file.
    pub filetype: Arc<Datatype>,
}

impl File {
    /// The process that the file belongs to.
    pub fn process(&self) -> &Arc<Process> {
        self.comm.process()
    }

    /// The processes that have opened the file.
    pub fn group(&self) -> &Group {
        self.comm.group()
    }

    /// How the file was opened.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether accesses of different processes to the same bytes are ordered.
    pub fn is_atomic(&self) -> bool {
        self.disk.is_atomic()
    }

    /// The hints in use.
    ///
    /// # Errors
    /// For a name of the file that no info value has room for.
    pub fn info(&self) -> Result<Info, Error> {
        let mut info = Info::new();
        for (key, value) in self.hints.lock().in_force() {
            info.set(key, value)?;
        }
        Ok(info)
    }

    /// The view of this process, and its types as the program gave them.
    pub fn view(&self) -> (Arc<View>, Types) {
        let state = self.state.lock();
        (state.view.clone(), state.given.clone())
    }

    /// Collects a value of every process and returns them by rank.
    fn collect(&self, value: u64) -> Result<Vec<u64>, Error> {
        let rows = self.comm.collect(&[value])?;
        Ok(rows.iter().map(|row| row[0]).collect())
    }
}

/// Registers a data representation (`MPI_Register_datarep`, MPI 5.0, 14.5.3).
///
/// # Errors
/// `DupDatarep` for a name that is in use, `Arg` for one that is empty or too long.
pub fn register(
    process: &Process,
    name: &str,
    conversions: Box<dyn Conversions>,
) -> Result<(), Error> {
    let files = process.service::<Files>();
    let mut known = files.representations.lock();
    Ok(known.register(name, conversions)?)
}

impl std::fmt::Display for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "file `{}`", self.disk.path)
    }
}
