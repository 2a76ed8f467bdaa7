//! Comparison of collective calls: all ranks exchange a record of what they are about to call.
//!
//! A call that blocks waits for the records of all, as MPI allows every collective to do. One that
//! does not block starts the exchange, which goes on with the program's other calls.

use std::sync::Arc;

use check::collective::{self, Elements, Form, Function, Record};
use check::mark::Mark;

use super::reports::{Origin, Reports};
use super::shared::Checker;
use crate::args::{Comm, Op};
use crate::failure::On;
use crate::generated::constants::*;
use crate::hooks::{Call, Side};
use crate::runtime;

/// A call on a communicator, as a report needs it.
struct About {
    reports: Arc<Reports>,
    origin: Origin,
    /// The communicator's name.
    comm: String,
    /// This process's rank in it.
    rank: usize,
}

impl Checker {
    /// Compares a call with those of the other ranks of its communicator, and reports a difference
    /// that is this rank's.
    pub(super) fn compare(&self, call: &Call, function: Function, origin: Origin) {
        let On::Comm(handle) = call.on else { return };
        let Some(comm) = comm_of(handle) else { return };
        let Some(record) = record(call, function, comm.rank(), comm.size()) else {
            return;
        };
        let about = About {
            reports: self.reports.clone(),
            origin,
            comm: comm.to_string(),
            rank: comm.rank() as usize,
        };
        let words = record.words();
        match function.form() {
            // An exchange that fails is followed by a call that does.
            Form::Blocking => {
                if let Ok(all) = comm.exchange_words(&words) {
                    about.judge(&all);
                }
            }
            Form::Started | Form::Persistent => {
                let take = Box::new(move |all: Vec<Vec<u64>>| drop(about.judge(&all)));
                comm.start_exchange_words(&words, take);
            }
        }
    }

    /// Compares that all ranks of the world are in `MPI_Finalize`, and gathers two numbers of each.
    /// `None` where they are not.
    pub(super) fn gather_at_end(&self, comm: &mpi::Comm, mine: [u64; 2]) -> Option<Vec<[u64; 2]>> {
        let name = "MPI_Finalize";
        let mut record = Record {
            function: Function::of(name)?,
            root: Record::NONE,
            op: 0,
            sent: Elements::default(),
            received: Elements::default(),
        };
        [record.sent.bytes, record.received.bytes] = mine;
        let all = comm.exchange_words(&record.words()).ok()?;
        let about = About {
            reports: self.reports.clone(),
            origin: Origin { name, site: None },
            comm: comm.to_string(),
            rank: comm.rank() as usize,
        };
        let records = about.judge(&all)?;
        let numbers = |record: &Record| [record.sent.bytes, record.received.bytes];
        Some(records.iter().map(numbers).collect())
    }
}

impl About {
    /// Reports the difference between the calls of all ranks, if it is this rank's. Returns the
    /// records, where they agree.
    fn judge(&self, all: &[Vec<u64>]) -> Option<Vec<Record>> {
        let records: Option<Vec<Record>> = all.iter().map(|words| Record::of(words)).collect();
        let records = records?;
        let Some(found) = collective::difference(&records, &op_name) else {
            return Some(records);
        };
        if found.rank == self.rank {
            let text = format!(" on {}: rank {} {}", self.comm, found.rank, found.text);
            self.reports.add(&self.origin, &text);
        }
        None
    }
}

/// Returns the communicator of a handle, if calls on it are compared.
fn comm_of(handle: Comm) -> Option<Arc<mpi::Comm>> {
    let tables = runtime::get().tables.enter();
    let comm = tables.comm(handle).ok()?.clone();
    drop(tables);
    (comm.size() > 1 && comm.is_of_one_world()).then_some(comm)
}

/// Returns the record of a call; `None` for one that fails before it communicates, and that the
/// other ranks must not be made to wait for.
fn record(call: &Call, function: Function, rank: u32, size: u32) -> Option<Record> {
    let note = call.note;
    let root = match function.is_rooted() {
        true => Some(note.sent.peer).filter(|root| *root >= 0 && (*root as u32) < size)?,
        false => Record::NONE,
    };
    let at_root = root == rank as i32;
    let side = |side: &Side, sent| match function.compares_elements() {
        true if function.is_significant(sent, at_root) => elements(side),
        _ => Some(Elements::default()),
    };
    Some(Record {
        function,
        root,
        op: op_word(note.op),
        sent: side(&note.sent, true)?,
        received: side(&note.received, false)?,
    })
}

/// Returns the elements of a side of a call; `None` where they are invalid.
fn elements(side: &Side) -> Option<Elements> {
    if side.buffer == MPI_IN_PLACE {
        return Some(Elements {
            in_place: true,
            ..Elements::default()
        });
    }
    if side.datatype.0 == 0 {
        return Some(Elements::default());
    }
    let count = u64::try_from(side.count).ok()?;
    let datatype = runtime::get().committed(side.datatype).ok()?;
    let bytes = count.checked_mul(datatype.size() as u64)?;
    Some(Elements {
        mark: Mark::of(&datatype, bytes).0,
        in_place: false,
        bytes,
    })
}

fn op_word(op: Op) -> u32 {
    match op.0 {
        0 => 0,
        _ if runtime::predefined_op(op).is_some() => op.0 as u32,
        _ => Record::OWN_OP,
    }
}

/// Names an operation of a record.
fn op_name(word: u32) -> String {
    const NAMES: &[(Op, &str)] = &[
        (MPI_SUM, "MPI_SUM"),
        (MPI_MIN, "MPI_MIN"),
        (MPI_MAX, "MPI_MAX"),
        (MPI_PROD, "MPI_PROD"),
        (MPI_BAND, "MPI_BAND"),
        (MPI_BOR, "MPI_BOR"),
        (MPI_BXOR, "MPI_BXOR"),
        (MPI_LAND, "MPI_LAND"),
        (MPI_LOR, "MPI_LOR"),
        (MPI_LXOR, "MPI_LXOR"),
        (MPI_MINLOC, "MPI_MINLOC"),
        (MPI_MAXLOC, "MPI_MAXLOC"),
        (MPI_REPLACE, "MPI_REPLACE"),
        (MPI_NO_OP, "MPI_NO_OP"),
    ];
    let known = NAMES.iter().find(|(op, _)| op.0 as u32 == word);
    known
        .map_or("an operation of the program", |(_, name)| name)
        .to_string()
}
