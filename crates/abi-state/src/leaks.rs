//! Reports objects that the application has not freed when its last use of MPI ends
//! (`mpi_show_handle_leaks`).

use std::fmt;
use std::sync::Arc;

use mpi::Process;
use pml::Pml;

use crate::tables::{Anytime, Handle, Table, Tables};

/// How many handles of each kind there still are.
pub struct Leaks(Vec<(&'static str, usize)>);

impl Leaks {
    /// Counts. Nothing that MPI has made for itself counts: predefined communicators, datatypes of
    /// given precision, attributes.
    pub fn count(tables: &Tables, anytime: &Anytime) -> Leaks {
        let errhandlers = anytime.errhandlers.iter();
        let all = [
            ("MPI_Comm", tables.comms.len()),
            ("MPI_Win", tables.wins.len()),
            ("MPI_File", tables.files.len()),
            ("MPI_Group", tables.groups.len()),
            (
                "MPI_Datatype",
                tables.datatypes.len() - tables.sized_types.len(),
            ),
            ("MPI_Op", tables.ops.len()),
            ("MPI_Request", tables.requests.len()),
            ("MPI_Message", tables.messages.len()),
            ("MPI_Info", anytime.infos.len()),
            (
                "MPI_Errhandler",
                errhandlers.map(|(_, entry)| entry.given).sum(),
            ),
        ];
        Leaks(all.into_iter().filter(|(_, count)| *count > 0).collect())
    }

    /// Counts what the library itself has not released after the life with MPI: `holds` is how many
    /// owners the process there should be.
    pub fn within(process: &Arc<Process>, holds: usize) -> Leaks {
        // A message of a long wait may still wait for the reply that it is cancelled.
        let messages = process.engine.enter().held_requests();
        let objects = Arc::strong_count(process).saturating_sub(holds);
        let all = [
            ("message", messages),
            ("object within the library", objects),
        ];
        Leaks(all.into_iter().filter(|(_, count)| *count > 0).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Leaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.iter().map(|(kind, count)| format!("{count} {kind}"));
        write!(f, "not freed: {}", counts.collect::<Vec<_>>().join(", "))
    }
}

/// Returns the handles that the program has not freed, each with the name of its type. Nothing that
/// MPI has made for itself is among them, nor a communicator with the processes that spawned this
/// one, nor requests for plain messages.
pub fn open_handles(tables: &Tables, anytime: &Anytime) -> Vec<(&'static str, usize)> {
    let parent = tables.parent.as_ref().map(|(handle, _)| *handle);
    let sized: Vec<_> = tables.sized_types.values().collect();
    let errhandlers = anytime.errhandlers.iter();
    let mut all = Vec::new();
    let mut add = |kind, handles: Vec<usize>| {
        all.extend(handles.into_iter().map(|handle| (kind, handle)));
    };
    let comms = tables.comms.iter().map(|(handle, _)| handle);
    let comms = comms.filter(|handle| Some(*handle) != parent);
    add("MPI_Comm", comms.map(|handle| handle.0).collect());
    add("MPI_Win", bits(&tables.wins));
    add("MPI_File", bits(&tables.files));
    add("MPI_Group", bits(&tables.groups));
    let types = tables.datatypes.iter().map(|(handle, _)| handle);
    let types = types.filter(|handle| !sized.contains(&handle));
    add("MPI_Datatype", types.map(|handle| handle.0).collect());
    add("MPI_Op", bits(&tables.ops));
    add("MPI_Request", bits(&tables.requests));
    add("MPI_Message", bits(&tables.messages));
    add("MPI_Info", bits(&anytime.infos));
    let given = errhandlers.filter(|(_, entry)| entry.given > 0);
    add(
        "MPI_Errhandler",
        given.map(|(handle, _)| handle.0).collect(),
    );
    all
}

fn bits<H: Handle, T>(table: &Table<H, T>) -> Vec<usize> {
    table.iter().map(|(handle, _)| handle.bits()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_counted_by_kind() {
        let (mut tables, mut anytime) = (Tables::default(), Anytime::default());
        assert!(Leaks::count(&tables, &anytime).is_empty());
        let info = anytime.infos.insert(mpi::Info::new()).unwrap();
        for _ in 0..2 {
            tables.groups.insert(mpi::Group::empty()).unwrap();
        }
        let leaks = Leaks::count(&tables, &anytime);
        assert_eq!(leaks.to_string(), "not freed: 2 MPI_Group, 1 MPI_Info");
        anytime.infos.remove(info).unwrap();
        tables.groups.take_all();
        assert!(Leaks::count(&tables, &anytime).is_empty());
    }
}
