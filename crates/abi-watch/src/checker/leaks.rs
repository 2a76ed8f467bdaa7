//! Reports objects that the program has made and not freed, at the end of its use of MPI.
//!
//! In `MPI_Finalize` rank 0 reports those of all ranks: a line for each kind of object and place,
//! with the ranks. Where only sessions were used, each process reports its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use abi_state::args::Request;
use abi_state::leaks;
use abi_state::runtime::{self, Runtime};
use check::ranks;

use super::collectives::await_announcements;
use super::reports::Origin;
use super::shared::Checker;

/// How long a process waits at its end for the lines of the others, which have come to theirs.
const GATHER_WAITS: Duration = Duration::from_secs(2);

impl Checker {
    /// Takes down what was not freed, and announces the end of the program.
    pub(super) fn take_leaks(&self, world: bool) {
        let runtime = runtime::get();
        if self.lock().has_ended || !runtime.tables.enter().sessions.is_empty() {
            return;
        }
        let leaks = match self.settings.leaks {
            true => self.leaks(runtime),
            false => Vec::new(),
        };
        self.lock().leaks = Some(leaks);
        if let (true, Some(comm)) = (self.settings.collectives, world_of(runtime, world)) {
            self.announce_end(&comm);
        }
    }

    /// Reports what was not freed, and how much was reported at all, once all processes have come
    /// to their ends.
    pub(super) fn report_end(&self, world: bool) {
        let runtime = runtime::get();
        // Also where the end was reported before, that of another session.
        if let Ok(process) = runtime.process() {
            await_announcements(process);
            if !world {
                process.abandon_announcements();
            }
        }
        let mut state = self.lock();
        let Some(lines) = state.leaks.take() else {
            return;
        };
        state.has_ended = true;
        drop(state);
        let gathered = world_of(runtime, world).and_then(|comm| self.gather(&comm, &lines));
        match gathered {
            Some(all) => self.report_all(&all, comm_is_first(runtime)),
            None => self.report_own(&lines),
        }
        if let Ok(process) = runtime.process() {
            process.abandon_announcements();
        }
        self.reports.end_job();
    }

    /// Returns the lines of all ranks and their numbers of reports.
    fn gather(&self, comm: &Arc<mpi::Comm>, lines: &[String]) -> Option<Vec<(u64, Vec<String>)>> {
        let text = lines.join("\n");
        let numbers = [text.len() as u64, self.reports.total()];
        let numbers = comm.exchange_within(0, &numbers, GATHER_WAITS)?;
        let numbers: Option<Vec<[u64; 2]>> = numbers
            .into_iter()
            .map(|numbers| numbers.try_into().ok())
            .collect();
        let numbers = numbers?;
        let longest = numbers.iter().map(|[len, _]| *len).max()?;
        let mut bytes = text.into_bytes();
        bytes.resize((longest as usize).next_multiple_of(8), 0);
        let words = bytes.chunks_exact(8);
        let words = words.map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let words: Vec<u64> = words.collect();
        let all = match words.is_empty() {
            true => vec![Vec::new(); numbers.len()],
            false => comm.exchange_within(1, &words, GATHER_WAITS)?,
        };
        let lines_of = |(words, [len, reports]): (&Vec<u64>, &[u64; 2])| {
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(*len as usize);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            (*reports, text.lines().map(str::to_string).collect())
        };
        Some(all.iter().zip(&numbers).map(lines_of).collect())
    }

    /// Prints the lines of all ranks, on the first one.
    fn report_all(&self, all: &[(u64, Vec<String>)], is_first: bool) {
        let own = all.iter().map(|(_, lines)| lines.len() as u64);
        self.reports.count(own.sum());
        if !is_first {
            return;
        }
        let mut ranks_of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (rank, (_, lines)) in all.iter().enumerate() {
            for line in lines {
                ranks_of.entry(line).or_default().push(rank);
            }
        }
        for (line, which) in ranks_of {
            eprintln!("{}: check: {line}", ranks::text(&which));
        }
        let reports = |(reports, lines): &(u64, Vec<String>)| reports + lines.len() as u64;
        let total: u64 = all.iter().map(reports).sum();
        let found = |rank: &usize| reports(&all[*rank]) > 0;
        let by: Vec<usize> = (0..all.len()).filter(found).collect();
        if total > 0 {
            eprintln!("check: {}, of {}", counted(total), ranks::text(&by));
        }
    }

    /// Prints the lines of this process alone.
    fn report_own(&self, lines: &[String]) {
        self.reports.count(lines.len() as u64);
        for line in lines {
            eprintln!("{}: check: {line}", self.reports.identity());
        }
        let total = self.reports.total();
        if total > 0 {
            eprintln!("check: {}, of {}", counted(total), self.reports.identity());
        }
    }

    /// Returns a line for each kind of object and place.
    fn leaks(&self, runtime: &Runtime) -> Vec<String> {
        let mut objects = leaks::open_handles(&runtime.tables.enter(), &runtime.anytime.enter());
        let known: Vec<(Request, Origin)> = self.lock().operations.requests();
        let mut found: BTreeMap<(&str, String), u64> = BTreeMap::new();
        if let Ok(process) = runtime.process() {
            let mut tables = runtime.tables.enter();
            let open = known
                .into_iter()
                .filter(|(request, _)| tables.is_open(process, *request));
            let open: Vec<_> = open.collect();
            drop(tables);
            for (request, origin) in open {
                objects.retain(|(_, handle)| *handle != request.0);
                *found
                    .entry(("MPI_Request", self.reports.describe(&origin)))
                    .or_default() += 1;
            }
        }
        for (kind, handle) in objects {
            let origin = self.lock().made.origin(handle);
            let place = origin.map_or_else(String::new, |origin| self.reports.describe(&origin));
            *found.entry((kind, place)).or_default() += 1;
        }
        let line = |((kind, place), count): ((&str, String), u64)| {
            let made = match place.is_empty() {
                true => String::new(),
                false => format!("{place}: "),
            };
            let remedy = remedy(kind);
            format!("{made}{count} {kind} not freed at the end of MPI: {remedy}")
        };
        found.into_iter().map(line).collect()
    }
}

/// Writes a number of reports.
fn counted(reports: u64) -> String {
    match reports {
        1 => "1 report".to_string(),
        more => format!("{more} reports"),
    }
}

/// Returns the communicator of all processes, if there are others and they end, too.
fn world_of(runtime: &Runtime, ends: bool) -> Option<Arc<mpi::Comm>> {
    let comm = runtime.tables.enter().world.clone();
    comm.filter(|comm| ends && comm.size() > 1)
}

/// Whether this process is rank 0 of the world.
fn comm_is_first(runtime: &Runtime) -> bool {
    let tables = runtime.tables.enter();
    tables.world.as_ref().is_some_and(|world| world.rank() == 0)
}

/// Returns what to do with objects of a kind.
fn remedy(kind: &str) -> &'static str {
    match kind {
        "MPI_Comm" => "free it with MPI_Comm_free",
        "MPI_Group" => "free it with MPI_Group_free",
        "MPI_Datatype" => "free it with MPI_Type_free",
        "MPI_Op" => "free it with MPI_Op_free",
        "MPI_Errhandler" => "free it with MPI_Errhandler_free",
        "MPI_Info" => "free it with MPI_Info_free",
        "MPI_Win" => "free it with MPI_Win_free",
        "MPI_File" => "close it with MPI_File_close",
        "MPI_Message" => "receive it with MPI_Mrecv",
        _ => "complete it with MPI_Wait or MPI_Test, or free it with MPI_Request_free",
    }
}
