//! The state that the program of a rank saves, by which its next life goes on.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::rc::Rc;

use vprotocol::Saved;

use super::history::Trace;
use super::mpi::Mpi;

/// The state of a program behind a round.
#[derive(Clone)]
struct State {
    state: u64,
    posted: u64,
    trace: Trace,
}

/// Everything that outlives the lives of a rank: its files, and the memory of its payload log.
/// Clones share it.
#[derive(Clone)]
pub(crate) struct Disk {
    states: Rc<RefCell<HashMap<u64, State>>>,
    memory: Option<Rc<File>>,
    /// Lives that have gone on from here.
    pub(crate) jumps: Rc<Cell<usize>>,
}

impl Disk {
    /// Returns an empty one.
    pub(crate) fn new(saves: Option<usize>) -> Disk {
        Disk {
            states: Rc::default(),
            memory: saves.map(|_| Rc::new(nameless_file())),
            jumps: Rc::default(),
        }
    }

    pub(crate) fn memory(&self) -> Option<File> {
        let share = |file: &Rc<File>| file.try_clone().expect("a descriptor");
        self.memory.as_ref().map(share)
    }

    /// Writes the state of a program that goes on with a round.
    pub(crate) fn write(&self, mpi: &Mpi, round: usize) {
        let state = State {
            state: mpi.state.get(),
            posted: mpi.posted.get(),
            trace: mpi.trace.borrow().clone(),
        };
        self.states.borrow_mut().insert(round as u64, state);
    }

    /// Says that the state is written.
    pub(crate) fn checkpoint(&self, mpi: &Mpi, round: usize) {
        let saved = Saved {
            tag: round as u64,
            library: vec![7, round as u64],
        };
        let done = mpi.engine.enter().checkpoint(&saved);
        done.unwrap_or_else(|why| panic!("checkpoint {round}: {why}"));
    }

    /// Ends the prologue. Returns the round that the program goes on with, by its state there.
    pub(crate) fn restore(&self, mpi: &Mpi) -> Option<usize> {
        let saved = mpi.engine.enter().end_prologue();
        let saved = saved.unwrap_or_else(|why| panic!("end of the prologue: {why}"))?;
        assert_eq!(saved.library, [7, saved.tag]);
        let states = self.states.borrow();
        let state = states.get(&saved.tag).expect("a state that was written");
        mpi.state.set(state.state);
        mpi.posted.set(state.posted);
        *mpi.trace.borrow_mut() = state.trace.clone();
        self.jumps.set(self.jumps.get() + 1);
        Some(saved.tag as usize)
    }
}

/// Returns a file without a name, in memory where that is possible.
fn nameless_file() -> File {
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => memory.to_path_buf(),
        false => std::env::temp_dir(),
    };
    let thread = std::thread::current().id();
    let path = folder.join(format!("oxmpi-sim-{}-{thread:?}", std::process::id()));
    let mut options = File::options();
    let file = options.read(true).write(true).create_new(true).open(&path);
    let file = file.expect("a file for a payload log");
    std::fs::remove_file(path).expect("its name can go");
    file
}
