//! [`Teller`]: reports how a file is accessed (`--explain`).

use base::Mutex;
use std::collections::HashSet;
use std::fmt::Display;
use std::sync::Arc;

use ::io::plan::Plan;

use crate::disk::{Direction, Disk};
use mpi::Comm;

/// Reports on a file that were made: each is made once.
pub(crate) type Told = Mutex<HashSet<String>>;

/// The calls that a report is about.
#[derive(Clone, Copy)]
pub(crate) enum Calls {
    /// Collective ones that block.
    Collective,
    /// Collective ones that do not: with a request, or split.
    CollectiveStarted,
    /// Those of one process that do not block.
    Started,
}

/// Reports how a file is accessed by some calls.
pub(crate) struct Teller {
    pub(crate) comm: Arc<Comm>,
    pub(crate) told: Arc<Told>,
    pub(crate) disk: Arc<Disk>,
    pub(crate) direction: Direction,
    pub(crate) calls: Calls,
}

impl Teller {
    /// Reports the plan of a collective access that is over, if it came to one.
    pub(crate) fn tell_plan(&self, plan: Option<&Plan>) {
        match plan {
            Some(_) if self.disk.is_atomic() => {
                self.tell(&"each process by itself: atomic mode");
            }
            Some(plan) => self.tell(plan),
            None => {}
        }
    }

    /// Reports how an access is made, unless that was reported before.
    pub(crate) fn tell(&self, how: &dyn Display) {
        let (fs, path) = (self.disk.file.filesystem(), &self.disk.path);
        let (before, after) = match self.calls {
            Calls::Collective => ("collective ", ""),
            Calls::CollectiveStarted => ("collective ", " without blocking"),
            Calls::Started => ("", " without blocking"),
        };
        let act = self.direction.act();
        let text = format!("file `{path}` ({fs}): {before}{act}{after}: {how}");
        if self.told.lock().insert(text.clone()) {
            self.comm.process().explain_file(&text);
        }
    }
}
