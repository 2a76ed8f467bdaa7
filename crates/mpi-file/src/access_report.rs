//! [`AccessReport`]: reports how a file is accessed (`--explain`).

use base::Mutex;
use std::collections::HashSet;
use std::fmt::Display;
use std::sync::Arc;

use ::io::plan::Plan;

use crate::disk::{Direction, Disk};
use mpi::Comm;

/// The kind of calls that a report is about.
#[derive(Clone, Copy)]
pub(crate) enum Calls {
    /// Blocking collective calls.
    Collective,
    /// Non-blocking collective calls: with a request, or split.
    NonblockingCollective,
    /// Non-blocking calls of one process.
    Nonblocking,
}

/// Reports how one kind of calls accesses a file in one direction.
pub(crate) struct AccessReport {
    pub(crate) comm: Arc<Comm>,
    /// The texts reported before; each is reported once for each file.
    pub(crate) reported: Arc<Mutex<HashSet<String>>>,
    pub(crate) disk: Arc<Disk>,
    pub(crate) direction: Direction,
    pub(crate) calls: Calls,
}

impl AccessReport {
    /// Reports the plan of a finished collective access, if one was made.
    pub(crate) fn report_plan(&self, plan: Option<&Plan>) {
        match plan {
            Some(_) if self.disk.is_atomic() => {
                self.report(&"each process by itself: atomic mode");
            }
            Some(plan) => self.report(plan),
            None => {}
        }
    }

    /// Reports how an access is made, unless that was reported before.
    pub(crate) fn report(&self, how: &dyn Display) {
        let (fs, path) = (self.disk.file.filesystem(), &self.disk.path);
        let (before, after) = match self.calls {
            Calls::Collective => ("collective ", ""),
            Calls::NonblockingCollective => ("collective ", " without blocking"),
            Calls::Nonblocking => ("", " without blocking"),
        };
        let act = self.direction.act();
        let text = format!("file `{path}` ({fs}): {before}{act}{after}: {how}");
        if self.reported.lock().insert(text.clone()) {
            self.comm.process().explain_file(&text);
        }
    }
}
