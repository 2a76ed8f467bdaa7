//! Reports of this process: one line each, with the call and where it comes from.

use base::Mutex;
use std::collections::HashMap;

use abi_state::runtime;
use base::addr2line;

use crate::addresses::Map;
use crate::call_site;

/// Most different lines that a process prints. It counts on behind that.
const LINES_MAX: usize = 100;

/// A call, and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Origin {
    /// The function.
    pub(super) name: &'static str,
    /// The address behind the call.
    pub(super) site: Option<usize>,
}

/// The reports of this process.
pub(super) struct Reports {
    identity: String,
    aborts: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How often each line was reported.
    lines: HashMap<String, u64>,
    total: u64,
    /// Places that were looked up, by address.
    places: Map<usize, String>,
}

impl Reports {
    /// No reports. `aborts`: the first one ends the job.
    pub(super) fn new(identity: String, aborts: bool) -> Reports {
        Reports {
            identity,
            aborts,
            state: Mutex::default(),
        }
    }

    /// Reports what is wrong with a call: prints a line that was not printed before.
    pub(super) fn add(&self, origin: &Origin, text: &str) {
        let line = format!("{}{text}", self.describe(origin));
        let mut guard = self.state.lock();
        let state = &mut *guard;
        state.total += 1;
        let known = state.lines.len();
        let count = state.lines.entry(line.clone()).or_default();
        *count += 1;
        if *count == 1 && known < LINES_MAX {
            eprintln!("{}: check: {line}", self.identity);
        }
        if known == LINES_MAX && *count == 1 {
            eprintln!("{}: check: further reports are only counted", self.identity);
        }
        drop(guard);
        self.end_job();
    }

    /// Counts reports that another process prints.
    pub(super) fn count(&self, reports: u64) {
        let mut state = self.state.lock();
        state.total += reports;
    }

    /// Ends the job, where the user wants that and there is a report.
    pub(super) fn end_job(&self) {
        if self.aborts && self.total() > 0 {
            runtime::get().abort(1);
        }
    }

    /// How many reports there are.
    pub(super) fn total(&self) -> u64 {
        let state = self.state.lock();
        state.total
    }

    /// Name of this process, with which its lines begin.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// Returns a call and its place: `MPI_Bcast in main (heat.c:12)`.
    pub(super) fn describe(&self, origin: &Origin) -> String {
        let Some(site) = origin.site else {
            return origin.name.to_string();
        };
        let mut state = self.state.lock();
        let place = state.places.entry(site).or_insert_with(|| place(site));
        match place.is_empty() {
            true => origin.name.to_string(),
            false => format!("{} in {place}", origin.name),
        }
    }
}

/// Names the place of a call by the address behind it.
fn place(site: usize) -> String {
    // The address is that behind the call, which may be in another line.
    let Some(found) = call_site::locate(site - 1) else {
        return String::new();
    };
    let address = found.address as u64;
    let line = addr2line::lines_of(&found.file, &[address]).pop();
    let symbol = found.symbol.unwrap_or_default();
    line.filter(|line| !line.is_empty())
        .unwrap_or_else(|| addr2line::by_address(&found.file, &symbol, address))
}
