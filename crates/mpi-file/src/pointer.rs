//! [`SharedPointer`]: the file pointer that all processes have in common (MPI 5.0, 14.4.4).
//!
//! It is a 64-bit word in a window over memory of the first rank, which the others change by
//! fetch-and-add: no file holds it, and it works between nodes. A file of one process has a number
//! of its own instead.

use base::{Mutex, MutexGuard};
use std::sync::Arc;

use base::Rank;
use datatype::constants::MPI_INT64_T;
use datatype::{predefined, Buffer, Datatype, Op};
use memory::Scratch;
use osc::{Access, TargetBytes, Verb};

use mpi::{Comm, Error, Info};
use mpi_win::{Elements, Window};

const BYTES: usize = 8;

/// The file pointer that all processes have in common, in etypes.
pub(crate) struct SharedPointer {
    /// The number itself, where one process has the file; otherwise unused. Held
    /// during an access: threads use one buffer.
    own: Mutex<u64>,
    common: Option<WindowPointer>,
}

/// The pointer as a word in a window.
struct WindowPointer {
    window: Window,
    /// The word, at the first rank, where no memory is shared.
    _memory: Scratch,
    operand: Scratch,
    before: Scratch,
}

impl SharedPointer {
    /// Makes the pointer, at 0; all processes of the file call it.
    ///
    /// # Errors
    /// When the window cannot be made.
    pub(crate) fn make(comm: &Comm) -> Result<SharedPointer, Error> {
        let own = Mutex::new(0);
        if comm.size() == 1 {
            return Ok(SharedPointer { own, common: None });
        }
        let bytes = if comm.rank() == 0 { BYTES } else { 0 };
        let memory = Scratch::new(bytes);
        memory.buf().write(0, &[0; BYTES][..bytes]);
        let allocate = || Ok(memory.buf());
        let window = Window::allocate(comm, Ok(bytes as u64), 1, &Info::new(), allocate)?;
        // Who has the file does not wait here for those that have given it up.
        comm.revoke_with(window.context());
        window.lock_all(true)?;
        let common = Some(WindowPointer {
            window,
            _memory: memory,
            operand: Scratch::new(BYTES),
            before: Scratch::new(BYTES),
        });
        Ok(SharedPointer { own, common })
    }

    /// Adds to the pointer and returns what it was.
    ///
    /// # Errors
    /// When the process that holds it has failed.
    pub(crate) fn add(&self, etypes: u64) -> Result<u64, Error> {
        self.change(Op::Sum, etypes)
    }

    /// Returns the pointer.
    ///
    /// # Errors
    /// See [`SharedPointer::add`].
    pub(crate) fn get(&self) -> Result<u64, Error> {
        self.change(Op::Sum, 0)
    }

    /// Sets the pointer.
    ///
    /// # Errors
    /// See [`SharedPointer::add`].
    pub(crate) fn set(&self, to: u64) -> Result<(), Error> {
        self.change(Op::Replace, to).map(drop)
    }

    /// Ends the window; all processes of the file call it.
    ///
    /// # Errors
    /// When a process has failed.
    pub(crate) fn free(&self) -> Result<(), Error> {
        let Some(common) = &self.common else {
            return Ok(());
        };
        let group = common.window.group();
        let engine = &common.window.process().engine;
        if let Some((peer, why)) = engine.failed_of(|peer| group.rank(peer).is_some()) {
            return Err(Error::lost(peer, &why));
        }
        common.window.unlock_all()?;
        common.window.free()
    }

    fn change(&self, op: Op, operand: u64) -> Result<u64, Error> {
        let mut own = self.own.lock();
        match &self.common {
            Some(common) => common.change(own, op, operand),
            None => {
                let before = *own;
                *own = match op {
                    Op::Replace => operand,
                    _ => before.wrapping_add(operand),
                };
                Ok(before)
            }
        }
    }
}

impl WindowPointer {
    fn change(&self, _turn: MutexGuard<'_, u64>, op: Op, operand: u64) -> Result<u64, Error> {
        let word: &Arc<Datatype> = predefined(MPI_INT64_T).expect("MPI_INT64_T is in the table");
        self.operand.buf().write(0, &operand.to_ne_bytes());
        let access = Access {
            verb: Verb::Accumulate {
                op,
                element: word.predefined().expect("it is predefined"),
                from: Buffer::bytes(self.operand.buf()),
                before: Some(Buffer::bytes(self.before.buf())),
            },
            place: TargetBytes::Contiguous {
                offset: 0,
                len: BYTES,
            },
        };
        let elements = Elements {
            at: 0,
            count: 1,
            datatype: word,
        };
        self.window.access(Rank(0), &access, elements)?;
        self.window.flush(Some(Rank(0)))?;
        let mut bytes = [0; BYTES];
        self.before.buf().read(0, &mut bytes);
        Ok(u64::from_ne_bytes(bytes))
    }
}
