//! An access of all processes together: the component of the framework `fcoll`.
//!
//! `io::two_phase` is the algorithm, over a port as any collective, so the form that blocks, the
//! one that does not and the split one are the same call; `io::plan` decides whether aggregators
//! take part. What is decided here is who the aggregators are, once for each opening, and that all
//! processes use the numbers of the first one.

use base::Mutex;
use std::sync::Arc;

use ::io::hints::{aggregators, NodeOfRank};
use ::io::plan::{Settings, Switch};
use ::io::{two_phase, Access, Failure, Independent, Neighbours, View};
use coll::{Port, Running};
use datatype::Buffer;
use io_posix::Filesystem;
use shm::copy::Probe;

use crate::access_report::{AccessReport, Calls};
use crate::collective_settings::CollectiveSettings;
use crate::disk::{Direction, Disk};
use crate::failure::class;
use crate::neighbours::{meet, offer, WORDS};
use crate::File;
use mpi::{Comm, Error, Request};
use mpi_components::files as components;

/// The data of this process in an access: the view, and its data bytes before the first one of the
/// access; or why this process has none.
pub(crate) type Start = Result<(Arc<View>, u64), Error>;

impl File {
    /// Transfers all of `buffer` with the other processes; returns the bytes transferred.
    pub(crate) fn transfer_all(
        &self,
        start: Start,
        buffer: &Buffer,
        direction: Direction,
    ) -> Result<u64, Error> {
        let alone = self.comm.size() == 1 && self.goes_alone(direction);
        if alone || self.converts(direction) {
            let report = self.access_report(direction, Calls::Collective);
            if let Some(report) = report.filter(|_| !alone) {
                report.report(
                    &"each process by itself, within the call: the representation converts",
                );
            }
            let (view, from) = start?;
            return self.disk.transfer(&view, from, buffer, direction);
        }
        let pending = self.pending(start, buffer, direction);
        let ended = self.comm.run(|port| pending.begin(&self.comm, port));
        if let Some(report) = self.access_report(direction, Calls::Collective) {
            report.report_plan(pending.outcome.lock().plan.as_ref());
        }
        pending.conclude(ended)
    }

    /// Returns the report of how some calls access the file; `None` where none is wanted.
    pub(crate) fn access_report(&self, direction: Direction, calls: Calls) -> Option<AccessReport> {
        let wanted = self.process().explains() && self.comm.rank() == 0;
        wanted.then(|| AccessReport {
            comm: self.comm.clone(),
            reported: self.reported.clone(),
            disk: self.disk.clone(),
            direction,
            calls,
        })
    }

    /// Begins to transfer all of `buffer` with the other processes. The outcome of the request has
    /// the bytes transferred.
    pub(crate) fn start_transfer_all(
        &self,
        start: Start,
        buffer: &Buffer,
        direction: Direction,
    ) -> Request {
        let mut pending = self.pending(start, buffer, direction);
        // What lies between the data of this call others may write before it is over.
        if pending.settings.sieve == Switch::Automatic && direction == Direction::Write {
            pending.settings.sieve = Switch::Disable;
        }
        let report = self.access_report(direction, Calls::NonblockingCollective);
        let converts = pending.view.is_converted_by_user();
        let call = self
            .comm
            .start_own(converts, |port| pending.begin(&self.comm, port));
        let conclude = move |ended| {
            if let Some(report) = report {
                report.report_plan(pending.outcome.lock().plan.as_ref());
            }
            crate::access::outcome(pending.conclude(ended))
        };
        Request::concluding(call, Box::new(conclude))
    }

    fn pending(&self, start: Start, buffer: &Buffer, direction: Direction) -> Pending {
        let collective = self.collective.lock().clone();
        let mut settings = collective.settings(direction).clone();
        let (view, from, buffer, own) = match start {
            Ok((view, from)) => (view, from, buffer.clone(), None),
            Err(error) => (self.view().0, 0, Buffer::EMPTY, Some(error)),
        };
        // In atomic mode each process holds a lock of its range.
        if self.is_atomic() {
            (settings.read, settings.write) = (Switch::Disable, Switch::Disable);
        }
        if !(self.mode.reads() && self.mode.writes()) && direction == Direction::Write {
            settings.sieve = Switch::Disable;
        }
        Pending {
            disk: self.disk.clone(),
            view,
            from,
            buffer,
            own,
            direction,
            settings,
            neighbours: collective.neighbours,
            outcome: Arc::default(),
        }
    }

    /// Whether aggregators are of no use to a single process.
    fn goes_alone(&self, direction: Direction) -> bool {
        let collective = self.collective.lock();
        let settings = collective.settings(direction);
        let switch = match direction {
            Direction::Read => settings.read,
            Direction::Write => settings.write,
        };
        switch != Switch::Enable
    }

    /// Decides, with all processes, how collective accesses are made by the hints.
    ///
    /// # Errors
    /// When a process has failed.
    pub(crate) fn agree_on_collectives(&self) -> Result<(), Error> {
        let mut hints = self.hints.lock().clone();
        let before = self.collective.lock().clone();
        let (chosen, on_one_node, neighbours) = match before.read.aggregators.is_empty() {
            true => choose_aggregators(&self.comm, &hints)?,
            false => {
                let Settings {
                    aggregators,
                    calls_are_cheap,
                    ..
                } = before.read;
                (aggregators, calls_are_cheap, before.neighbours)
            }
        };
        self.disk.tune(&hints);
        let is_local = self.disk.file.filesystem() == Filesystem::Ufs;
        let cheap = on_one_node && is_local;
        let list: Vec<String> = chosen.iter().map(u32::to_string).collect();
        hints.report("romio_aggregator_list", list.join(" "));
        let block = self.disk.file.block_bytes();
        let usual = components::two_phase(&self.process().registry);
        let settings = |direction| {
            let settings = hints.settings(direction, chosen.clone(), block, cheap);
            settings.where_automatic(usual)
        };
        let mut collective = CollectiveSettings {
            read: settings(Direction::Read),
            write: settings(Direction::Write),
            neighbours,
        };
        if self.comm.size() > 1 {
            let own = [
                collective.read.buffer_bytes,
                collective.read.alignment,
                number(collective.read.read),
                number(collective.write.write),
            ];
            let first = self.comm.share_values(&own)?;
            for settings in [&mut collective.read, &mut collective.write] {
                (settings.buffer_bytes, settings.alignment) = (first[0], first[1]);
                (settings.read, settings.write) = (switch(first[2]), switch(first[3]));
            }
        }
        *self.collective.lock() = collective;
        *self.hints.lock() = hints;
        Ok(())
    }
}

/// A collective access of this process.
struct Pending {
    disk: Arc<Disk>,
    view: Arc<View>,
    from: u64,
    buffer: Buffer,
    /// Why this process takes part without data.
    own: Option<Error>,
    direction: Direction,
    settings: Settings,
    neighbours: Option<Arc<dyn Neighbours>>,
    outcome: Arc<Mutex<::io::Outcome>>,
}

impl Pending {
    fn begin(&self, comm: &Comm, port: &Port) -> Running {
        let (disk, view) = (self.disk.clone(), self.view.clone());
        let (from, buffer, direction) = (self.from, self.buffer.clone(), self.direction);
        let independent: Independent = Box::new(move || {
            let moved = disk.transfer(&view, from, &buffer, direction);
            moved.map_err(coll::Failure::from)
        });
        let access = Access {
            storage: self.disk.clone(),
            ordered: self.view.is_ordered_in(self.from, self.buffer.len() as u64),
            view: self.view.clone(),
            position: self.from,
            buffer: self.buffer.clone(),
            neighbours: self.neighbours.clone(),
        };
        let rules = &comm.process().collectives.rules;
        let settings = self.settings.clone();
        let outcome = self.outcome.clone();
        two_phase::begin(
            port,
            rules,
            comm.team(),
            direction,
            settings,
            access,
            independent,
            outcome,
        )
    }

    /// Returns the bytes transferred, when the algorithm is over.
    fn conclude(self, ended: Result<(), Error>) -> Result<u64, Error> {
        ended?;
        if let Some(error) = self.own {
            return Err(error);
        }
        let outcome = std::mem::take(&mut *self.outcome.lock());
        let act = self.direction.act();
        let path = &self.disk.path;
        match outcome.failure {
            None => Ok(outcome.bytes),
            Some(Failure::Here(error)) => Err(failed_all(act, path, &error)),
            Some(Failure::Aggregator { rank, error }) => {
                let text = format!("{act} `{path}`: rank {rank}, the aggregator, got: {error}");
                Err(Error::new(class(&error), text))
            }
            Some(Failure::Independent(error)) => Err(match error.downcast::<Error>() {
                Ok(error) => *error,
                Err(error) => Error::new(mpi::Class::Io, error.to_string()),
            }),
            Some(Failure::Position(error)) => Err(Error::from(error)),
        }
    }
}

fn failed_all(act: &str, path: &str, error: &std::io::Error) -> Error {
    Error::new(
        class(error),
        format!("{act} `{path}` for other processes: {error}"),
    )
}

/// The aggregators of a file, whether all its processes are on one node, and the processes whose
/// memory this one reaches.
type Chosen = (Arc<[u32]>, bool, Option<Arc<dyn Neighbours>>);

/// Chooses the aggregators of a file by the hints, with all its processes.
fn choose_aggregators(comm: &Comm, hints: &::io::hints::Hints) -> Result<Chosen, Error> {
    if comm.size() == 1 {
        return Ok((Arc::new([0]), true, None));
    }
    let probe = Probe::new();
    let host = rustix::system::uname();
    let limit = hints.aggregators_on(&host.nodename().to_string_lossy());
    let count = hints.number("cb_nodes").unwrap_or(u64::MAX);
    let node = [
        u64::from(comm.node_color()),
        limit.unwrap_or(u64::MAX),
        count,
    ];
    let own = [&node[..], &offer(comm, &probe)].concat();
    let rows = comm.collect(&own)?;
    let place = |row: &Vec<u64>| NodeOfRank {
        node: row[0],
        limit: row[1],
    };
    let places: Vec<NodeOfRank> = rows.iter().map(place).collect();
    let on_one_node = rows.iter().all(|row| row[0] == rows[0][0]);
    let chosen: Arc<[u32]> = aggregators(&places, Some(rows[0][2])).into();
    let nodes: Vec<u64> = rows.iter().map(|row| row[0]).collect();
    let offer = |row: &Vec<u64>| -> [u64; WORDS] { std::array::from_fn(|at| row[node.len() + at]) };
    let offers: Vec<_> = rows.iter().map(offer).collect();
    let neighbours = meet(comm, probe, &nodes, &offers, &chosen)?;
    Ok((chosen, on_one_node, neighbours))
}

fn number(switch: Switch) -> u64 {
    switch as u64
}

fn switch(number: u64) -> Switch {
    let all = [Switch::Enable, Switch::Disable, Switch::Automatic];
    let known = all.into_iter().find(|switch| *switch as u64 == number);
    known.unwrap_or_default()
}
