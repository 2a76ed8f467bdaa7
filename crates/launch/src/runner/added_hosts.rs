//! Hosts on which daemons start while the job runs, for parts that processes ask for.

use std::collections::BTreeSet;

use bootstrap::spawn::{Refusal, Spawn};

use super::Runner;
use crate::spawn::{DaemonState, PendingSpawn};
use launch_plan::allocation::Node;
use launch_plan::topology::Topology;
use launch_tree::wire::Host;

impl Runner<'_> {
    /// Starts daemons on hosts where none is under way, and keeps a request until all are ready.
    pub(super) fn wait_for_hosts(
        &mut self,
        hosts: &[Node],
        number: u32,
        ticket: u32,
        spawn: Spawn,
    ) -> Result<(), Refusal> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let agent = (running.spawner.agent)().map_err(|error| Refusal {
            program: None,
            reason: error.to_string(),
        })?;
        let (mut vertices, mut failures) = (BTreeSet::new(), Vec::new());
        for node in hosts {
            let at = running.spawner.add(node, agent.starts_here(), || {
                let (vertex, failure) = self.vertex.add(&agent, node.account());
                failures.extend(failure);
                vertex
            });
            let known = &running.spawner.hosts[at];
            if known.state == DaemonState::Starting {
                vertices.insert(known.vertex);
                self.has_others = true;
                let all = running.owed.len().max(known.vertex as usize + 1);
                running.owed.resize(all, [0; 2]);
            }
        }
        running.waiting.push(PendingSpawn {
            number,
            ticket,
            spawn,
            vertices,
        });
        self.take_all(failures);
        self.start_what_waits();
        Ok(())
    }

    /// Notes that the daemon of a host is ready.
    pub(super) fn welcome_host(&mut self, host: &Host) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Some(known) = running.spawner.at_vertex(host.vertex) else {
            return;
        };
        if known.state != DaemonState::Starting {
            return;
        }
        known.state = DaemonState::Ready;
        known.topology = Topology::decode(&host.topology).ok();
        for waiting in &mut running.waiting {
            waiting.vertices.remove(&host.vertex);
        }
        self.start_what_waits();
    }

    /// Starts the parts whose hosts are all ready.
    fn start_what_waits(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        let waiting = std::mem::take(&mut running.waiting).into_iter();
        let (ready, waiting): (Vec<_>, Vec<_>) =
            waiting.partition(|waiting| waiting.vertices.is_empty());
        running.waiting = waiting;
        for one in ready {
            let may = |running: &super::Running<'_>| running.job.may_spawn(one.number);
            if self.running.as_ref().is_some_and(may) {
                self.spawn_or_refuse(one.number, one.ticket, one.spawn);
            }
        }
    }

    /// Whether a daemon that has started late has no process of the job, so that its end concerns
    /// those alone who wait for it.
    pub(super) fn is_idle(&self, vertex: u32) -> bool {
        self.vertex.shape().is_late(vertex) && self.ranks_below(vertex, true).is_empty()
    }

    /// Gives up a host without processes, and refuses the parts that wait for it.
    pub(super) fn lose_idle_host(&mut self, vertex: u32, why: &str) {
        let Some(running) = &mut self.running else {
            return;
        };
        if let Some(known) = running.spawner.at_vertex(vertex) {
            known.state = DaemonState::Lost;
        }
        let waiting = std::mem::take(&mut running.waiting).into_iter();
        let (lost, waiting): (Vec<_>, Vec<_>) =
            waiting.partition(|waiting| waiting.vertices.contains(&vertex));
        running.waiting = waiting;
        for one in lost {
            let refusal = Refusal {
                program: None,
                reason: why.replace('\n', "; "),
            };
            self.refuse_spawn(one.number, one.ticket, refusal);
        }
    }
}
