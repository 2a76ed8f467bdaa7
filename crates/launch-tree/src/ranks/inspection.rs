//! The inspection of programs none of whose ranks has connected: they may be linked to another MPI.

use std::path::Path;

use base::Instant;

use super::{LocalRank, LocalRanks};
use crate::order::Order;
use crate::wire::Up;
use launch_job::How;
use launch_plan::plan::locate;
use launch_report::other_mpi::{self, Inspection, Library};

impl LocalRanks {
    /// Inspects the program of a rank from now on, until a rank that runs it connects; of the ranks
    /// of a part that run it, this must be the first.
    pub(crate) fn begin_inspection(&mut self, order: &Order, rank: u32, now: Instant) {
        let placements = &order.plan.placements;
        let app = placements[rank as usize].app;
        let is_first = placements.iter().position(|one| one.app == app) == Some(rank as usize);
        let first = order.part.first;
        let is_started = |member: &mut LocalRank| !member.process.is_served();
        if is_first && self.member(first + rank).is_some_and(is_started) {
            self.inspections
                .push(Inspection::new(first + rank, first, app, now));
        }
    }

    /// Returns when a program is to be inspected next.
    pub(crate) fn next_inspection(&self) -> Option<Instant> {
        self.inspections
            .iter()
            .map(|inspection| inspection.next)
            .min()
    }

    /// Inspects the programs that are due.
    pub(crate) fn inspect(&mut self, now: Instant) -> Vec<Up> {
        let mut notes = Vec::new();
        for mut inspection in std::mem::take(&mut self.inspections) {
            let Some(member) = self
                .member(inspection.rank)
                .filter(|member| !member.greeted)
            else {
                continue;
            };
            if now < inspection.next {
                self.inspections.push(inspection);
                continue;
            }
            match other_mpi::mapped(member.process.pid()) {
                Some(library) => notes.push(note(member, inspection.app, &Library::Found(library))),
                None => {
                    inspection.put_off(now);
                    self.inspections.push(inspection);
                }
            }
        }
        notes
    }

    /// Asks the loaders of programs of which a rank has exited while none has connected. Those
    /// whose first rank is here still are inspected further, unless that shows it.
    pub(super) fn last_inspections(&mut self, ends: &[(u32, How)]) -> Vec<Up> {
        let mut notes = Vec::new();
        for mut inspection in std::mem::take(&mut self.inspections) {
            let mut ended = ends.iter().filter(|end| matches!(end.1, How::Code(_)));
            let is_of_it = |member: &mut LocalRank| {
                let is_it =
                    member.order.part.first == inspection.first && member.app() == inspection.app;
                is_it && !member.greeted
            };
            let is_over = ended.clone().any(|end| end.0 == inspection.rank);
            let of_it = ended.find(|end| self.member(end.0).is_some_and(is_of_it));
            let member = of_it.and_then(|end| self.member(end.0));
            let Some(member) = member.filter(|_| !inspection.asked) else {
                if !is_over {
                    self.inspections.push(inspection);
                }
                continue;
            };
            inspection.asked = true;
            let app = &member.order.plan.apps[inspection.app as usize];
            let path = locate(app).ok();
            match path.and_then(|path| other_mpi::linked(&path, app)) {
                Some(library) => notes.push(note(member, inspection.app, &library)),
                None if is_over => {}
                None => self.inspections.push(inspection),
            }
        }
        notes
    }
}

/// Returns the note for the user that a program uses another MPI.
fn note(member: &LocalRank, app: u32, library: &Library) -> Up {
    let part = member.order.part;
    let rank = format!("rank {}{}", member.rank - part.first, part.suffix());
    let program = member.order.plan.apps[app as usize].name.to_string_lossy();
    let own = std::env::current_exe().unwrap_or_default();
    let prefix = own.ancestors().nth(2).unwrap_or(Path::new("/"));
    Up::Say(other_mpi::report(&rank, &program, library, prefix))
}
