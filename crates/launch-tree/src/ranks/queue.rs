//! A part whose processes are to be started, some at a time.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use crate::order::Order;
use crate::ranks::capacity;
use launch_plan::plan::locate;
use launch_plan::Error;

/// A part of which processes are to be started here.
pub(super) struct Queued {
    pub(super) order: Arc<Order>,
    /// The vertex that this host is.
    pub(super) vertex: u32,
    /// The ranks that are left.
    pub(super) ranks: VecDeque<u32>,
    /// The file of each program.
    pub(super) paths: HashMap<u32, PathBuf>,
    /// Standard input for one of them that has come before it was there.
    pub(super) input: Vec<Vec<u8>>,
}

impl Queued {
    /// Returns the processes of a part on `vertex`, all of which are to be started.
    ///
    /// # Errors
    /// When they cannot all be started.
    pub(super) fn new(order: Arc<Order>, vertex: u32) -> Result<Queued, Error> {
        let ranks: VecDeque<u32> = order.ranks_at(vertex).collect();
        let paths = locate_all(&order, &ranks)?;
        // Of ranks that processes of one machine share the root looks after all.
        if order.shares.is_empty() && !order.plan.oversubscribes {
            check_room(&order, &ranks, &paths)?;
        }
        Ok(Queued {
            order,
            vertex,
            ranks,
            paths,
            input: Vec::new(),
        })
    }

    /// Whether a process, by its number in the job, is to be started.
    pub(super) fn has(&self, number: u32) -> bool {
        let first = self.order.part.first;
        self.ranks.iter().any(|rank| first + rank == number)
    }
}

/// Finds the files of the programs that these ranks run, so that no rank is started if one program
/// is missing.
fn locate_all(order: &Order, ranks: &VecDeque<u32>) -> Result<HashMap<u32, PathBuf>, Error> {
    let mut paths = HashMap::new();
    for &rank in ranks {
        let app = order.plan.placements[rank as usize].app;
        if let Entry::Vacant(place) = paths.entry(app) {
            place.insert(locate(order.plan.app(rank))?);
        }
    }
    Ok(paths)
}

/// Checks that the machine has room for these ranks.
fn check_room(
    order: &Order,
    ranks: &VecDeque<u32>,
    paths: &HashMap<u32, PathBuf>,
) -> Result<(), Error> {
    let plan = &order.plan;
    let app_of = |rank: &u32| plan.placements[*rank as usize].app;
    let shares = paths.iter().map(|(app, path)| capacity::Share {
        app: &plan.apps[*app as usize],
        path,
        ranks: ranks.iter().filter(|rank| app_of(rank) == *app).count() as u64,
    });
    capacity::check(&shares.collect::<Vec<_>>(), plan.size())
}
