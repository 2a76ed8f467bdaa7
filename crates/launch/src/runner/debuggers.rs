//! A runner's part for debuggers: the table of the processes, and terminals with gdb.

use super::Runner;
use launch_tree::shape::ROOT;

impl Runner<'_> {
    /// Notes that a process runs. Once all of its part do, debuggers find the table of all.
    pub(super) fn note_started(&mut self, number: u32, pid: u32) {
        let Some(running) = &mut self.running else {
            return;
        };
        running.pids.insert(number, pid);
        let Some((_, order)) = running.orders.range(..=number).next_back() else {
            return;
        };
        let numbers = order.numbers();
        let wanted = order.plan.front.gdb.as_ref();
        if wanted.is_some_and(|wanted| wanted.contains(number - numbers.start)) {
            let line = match (running.vertex(number), &mut self.debuggers) {
                (Some(ROOT), Some(debuggers)) => {
                    let line = debuggers.open(number, pid);
                    self.vertex.note_helpers(debuggers.children());
                    line
                }
                _ => format!(
                    "rank {number}: --gdb reaches ranks of this host only; process {pid} is \
                     stopped on another one: log in there for `gdb -p {pid}`"
                ),
            };
            self.say(&line);
        }
        let Some(running) = &self.running else {
            return;
        };
        if numbers
            .clone()
            .all(|number| running.pids.contains_key(&number))
        {
            mpir::publish(&running.processes());
        }
    }
}

impl super::Running<'_> {
    /// Returns the processes as debuggers read them.
    fn processes(&self) -> Vec<mpir::Process> {
        let process = |(number, pid): (&u32, &u32)| {
            let (first, order) = self.orders.range(..=*number).next_back()?;
            let rank = number.checked_sub(*first)?;
            let placement = order.plan.placements.get(rank as usize)?;
            let node = order.plan.nodes.get(placement.node as usize)?;
            Some(mpir::Process {
                host: node.name.clone(),
                program: order.plan.app(rank).path.to_string_lossy().into_owned(),
                pid: *pid,
            })
        };
        self.pids.iter().filter_map(process).collect()
    }
}
