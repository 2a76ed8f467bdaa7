//! The output of `--display` and `--report-bindings`: hosts, map and bindings, as lines.

use crate::allocation::Node;
use crate::plan::Plan;
use crate::topology::{Topology, Unit, Whole};

/// The hosts and their slots.
pub fn allocation(nodes: &[Node]) -> Vec<String> {
    let mut lines = vec!["ALLOCATED NODES".to_string()];
    for node in nodes {
        let slots = node
            .slots
            .map_or("one a core".to_string(), |n| n.to_string());
        let max = node
            .max_slots
            .map_or(String::new(), |n| format!(" max_slots={n}"));
        let here = if node.here { " (this machine)" } else { "" };
        lines.push(format!("  {}: slots={slots}{max}{here}", node.name));
    }
    lines
}

/// Where each rank runs, host by host.
pub fn map(plan: &Plan) -> Vec<String> {
    let mut lines = vec!["JOB MAP".to_string()];
    for (at, node) in plan.nodes.iter().enumerate() {
        let ranks: Vec<usize> = (0..plan.placements.len())
            .filter(|&rank| plan.placements[rank].node as usize == at)
            .collect();
        if ranks.is_empty() {
            continue;
        }
        let s = if ranks.len() == 1 { "" } else { "s" };
        lines.push(format!("  {}: {} rank{s}", node.name, ranks.len()));
        for rank in ranks {
            let placement = &plan.placements[rank];
            let program = plan.apps[placement.app as usize].name.to_string_lossy();
            lines.push(format!(
                "    rank {rank}: local rank {}, program {} ({program})",
                placement.local_rank, placement.app
            ));
        }
    }
    lines
}

/// Returns a line for each rank with its binding, in Open MPI's form.
pub fn bindings(plan: &Plan, topologies: &[Option<Topology>]) -> Vec<String> {
    let line = |(rank, placement): (usize, &crate::map::Placement)| {
        let host = &plan.nodes[placement.node as usize].name;
        let topology = topologies
            .get(placement.node as usize)
            .and_then(Option::as_ref);
        let bound = match topology {
            Some(topology) if !placement.cpus.is_empty() => {
                format!("bound to {}", binding(topology, &placement.cpus))
            }
            _ => "is not bound (or bound to all available processors)".to_string(),
        };
        format!("[{host}] MCW rank {rank} {bound}")
    };
    plan.placements.iter().enumerate().map(line).collect()
}

/// Describes bound processors, by their numbers in the whole machine, and in a picture of what this
/// launcher may use of it:
/// `socket 0[core 1[hwt 0-1]]: [../BB][../..]`.
fn binding(topology: &Topology, cpus: &[u32]) -> String {
    let mut words = Vec::new();
    let mut picture = String::new();
    let mut package = None;
    for core in topology.objects(Unit::Core) {
        let threads = topology.threads().iter();
        let threads: Vec<Whole> = threads
            .filter(|thread| core.contains(&thread.cpu))
            .map(|thread| thread.whole)
            .collect();
        let Some(&Whole {
            package: own,
            core: number,
            ..
        }) = threads.first()
        else {
            continue;
        };
        match package {
            Some(known) if known == own => picture.push('/'),
            Some(_) => picture.push_str("]["),
            None => picture.push('['),
        }
        package = Some(own);
        let bound: Vec<bool> = core.iter().map(|cpu| cpus.contains(cpu)).collect();
        picture.extend(bound.iter().map(|&bound| if bound { 'B' } else { '.' }));
        if bound.contains(&true) {
            let mut set =
                vec![false; 1 + threads.iter().map(|t| t.thread as usize).max().unwrap_or(0)];
            for (thread, bound) in threads.iter().zip(&bound) {
                set[thread.thread as usize] = *bound;
            }
            words.push(format!("socket {own}[core {number}[hwt {}]]", ranges(&set)));
        }
    }
    format!("{}: {picture}]", words.join(", "))
}

/// Returns the positions of what is true: `0-1,3`.
fn ranges(list: &[bool]) -> String {
    let mut words = Vec::new();
    let mut at = 0;
    while at < list.len() {
        let length = list[at..].iter().take_while(|&&set| set).count();
        match length {
            0 => {}
            1 => words.push(at.to_string()),
            _ => words.push(format!("{at}-{}", at + length - 1)),
        }
        at += length.max(1);
    }
    words.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_in_words_and_pictures() {
        let machine = Topology::regular(2, 2, 2);
        for (cpus, shown) in [
            (&[1, 5][..], "socket 0[core 1[hwt 0-1]]: [../BB][../..]"),
            (&[6], "socket 1[core 2[hwt 1]]: [../..][.B/..]"),
            (
                &[0, 2],
                "socket 0[core 0[hwt 0]], socket 1[core 2[hwt 0]]: [B./..][B./..]",
            ),
        ] {
            assert_eq!(binding(&machine, cpus), shown);
        }
        // A part of the machine, as `taskset` leaves it, has the numbers of the whole.
        let part = machine.only(|thread| [1, 6, 7].contains(&thread.cpu));
        let shown = binding(&part.unwrap(), &[1, 6]);
        let words = "socket 0[core 1[hwt 0]], socket 1[core 2[hwt 1]]";
        assert_eq!(shown, format!("{words}: [B][B/.]"));
        assert_eq!(ranges(&[true, true, false, true]), "0-1,3");
    }
}
