//! Parses rank files, which give each rank a host and, optionally, processors.
//!
//! ```text
//! rank 0=n1 slot=0:0-1      # on n1, the cores 0 and 1 of package 0
//! rank 1=n2 slot=4,6-7      # the cores 4, 6 and 7 of the machine
//! rank 2=+n0 slot=1:*       # on the first host, all of package 1
//! rank 3=n2 slot=*          # not bound
//! ```
//!
//! Packages and cores are logical: they count from 0 without gaps.

use crate::hosts::{self, Entry};
use crate::topology::{Topology, Unit};
use crate::Error;

/// One line: where a rank runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The host.
    pub entry: Entry,
    /// The processors; empty for a rank that is not bound.
    pub slots: Vec<Slot>,
    /// Where the line stands, for messages: file, number and text.
    pub source: (String, usize, String),
}

/// Some processors of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The package; `None` when the cores are those of the machine.
    pub package: Option<u32>,
    /// The cores, first and last of each range; empty for all.
    pub cores: Vec<(u32, u32)>,
}

/// Core number that no machine has; keeps ranges from growing.
const CORE_MAX: u32 = 1 << 16;

const WANTED: &str = "rank N=HOST slot=CORES, with cores as 0-2,4 or PACKAGE:CORES";

/// Reads a rank file: the lines of the ranks in their order. `path` is for messages.
pub fn parse(path: &str, content: &str) -> Result<Vec<Line>, Error> {
    let mut lines: Vec<(u32, Line)> = Vec::new();
    for (at, whole) in content.lines().enumerate() {
        let text = whole.split('#').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        let source = (path.to_string(), at + 1, whole.trim().to_string());
        let (rank, entry, slots) = parse_line(text).ok_or_else(|| refuse(&source, WANTED))?;
        if lines.iter().any(|(known, _)| *known == rank) {
            return Err(refuse(
                &source,
                &format!("about a rank other than {rank} again"),
            ));
        }
        let line = Line {
            entry,
            slots,
            source,
        };
        lines.push((rank, line));
    }
    lines.sort_by_key(|(rank, _)| *rank);
    for (wanted, (rank, line)) in lines.iter().enumerate() {
        if *rank as usize != wanted {
            let text = format!("about rank {wanted}, which has no line");
            return Err(refuse(&line.source, &text));
        }
    }
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

pub(crate) fn refuse(source: &(String, usize, String), wanted: &str) -> Error {
    let (file, line, text) = source.clone();
    Error::Line {
        what: "rank file",
        file,
        line,
        text,
        wanted: wanted.to_string(),
    }
}

fn parse_line(text: &str) -> Option<(u32, Entry, Vec<Slot>)> {
    let rest = text
        .strip_prefix("rank")
        .filter(|rest| rest.starts_with([' ', '\t']))?;
    let (rank, rest) = rest.split_once('=')?;
    let rank = rank.trim().parse().ok()?;
    let (host, slots) = match rest.split_once("slot") {
        Some((host, slots)) => (
            host,
            slots.trim_start_matches('s').trim().strip_prefix('=')?,
        ),
        None => (rest, "*"),
    };
    let mut entries = hosts::parse_list("rank", host.trim()).ok()?;
    let entry = entries.pop().filter(|_| entries.is_empty())?;
    let slots = match slots.trim() {
        "*" => Vec::new(),
        slots => slots.split(';').map(parse_slot).collect::<Option<_>>()?,
    };
    Some((rank, entry, slots))
}

fn parse_slot(text: &str) -> Option<Slot> {
    let (package, cores) = match text.trim().split_once(':') {
        Some((package, cores)) => (Some(package.trim().parse().ok()?), cores),
        None => (None, text),
    };
    let range = |item: &str| {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last && last < CORE_MAX).then_some((first, last))
    };
    let cores = match cores.trim() {
        "*" => Vec::new(),
        cores => cores.split(',').map(range).collect::<Option<_>>()?,
    };
    Some(Slot { package, cores })
}

impl Line {
    /// The processors of the rank on its machine, as the system counts them. `processor` is what
    /// the file calls a core: a core, or a hardware thread.
    pub fn cpus(&self, topology: &Topology, processor: Unit) -> Result<Vec<u32>, Error> {
        let mut cpus = Vec::new();
        for slot in &self.slots {
            let lacks = |what: String| refuse(&self.source, &what);
            let within: Vec<u32> = match slot.package {
                None => topology.threads().iter().map(|thread| thread.cpu).collect(),
                Some(package) => {
                    let packages = topology.objects(Unit::Package);
                    packages.get(package as usize).cloned().ok_or_else(|| {
                        lacks(format!(
                            "in one of the {} packages of the host",
                            packages.len()
                        ))
                    })?
                }
            };
            let is_within = |cpus: &Vec<u32>| cpus.iter().any(|cpu| within.contains(cpu));
            let mut cores = topology.objects(processor);
            cores.retain(is_within);
            let all = [(0, cores.len() as u32 - 1)];
            let ranges = if slot.cores.is_empty() {
                &all[..]
            } else {
                &slot.cores
            };
            for core in ranges.iter().flat_map(|&(first, last)| first..=last) {
                let own = cores.get(core as usize).ok_or_else(|| {
                    lacks(format!(
                        "on cores below {}, those that there are",
                        cores.len()
                    ))
                })?;
                cpus.extend(own);
            }
        }
        cpus.sort_unstable();
        cpus.dedup();
        Ok(cpus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::Host;

    #[test]
    fn lines_say_host_and_processors() {
        let file = "# two hosts\nrank 1 = n2 slot=1:0,2\nrank 0=+n0 slot=0-1;1:*\n\n\
                    rank 2=n2 slots=* # free\nrank 3=n3\n";
        let lines = parse("ranks", file).unwrap();
        let hosts: Vec<&Host> = lines.iter().map(|line| &line.entry.host).collect();
        let name = |name: &str| Host::Name(name.to_string());
        assert_eq!(
            hosts,
            [&Host::Nth(0), &name("n2"), &name("n2"), &name("n3")]
        );
        let machine = Topology::regular(2, 3, 2);
        let cpus = |at: usize, unit| lines[at].cpus(&machine, unit).unwrap();
        assert_eq!(cpus(0, Unit::Core), [0, 1, 3, 4, 5, 6, 7, 9, 10, 11]);
        assert_eq!(cpus(1, Unit::Core), [3, 5, 9, 11]);
        assert_eq!(cpus(1, Unit::Thread), [3, 4]);
        assert!(cpus(2, Unit::Core).is_empty() && cpus(3, Unit::Core).is_empty());
    }

    #[test]
    fn wrong_lines_are_refused_with_file_and_number() {
        for (line, wanted) in [
            ("rank x=n1 slot=0", "rank N=HOST"),
            ("rank 0", "rank N=HOST"),
            ("rank0=n1", "rank N=HOST"),
            ("n1 slot=0", "rank N=HOST"),
            ("rank 0=n1 slot=", "rank N=HOST"),
            ("rank 0=n1 slot=1-0", "rank N=HOST"),
            ("rank 0=n1 slot=0:", "rank N=HOST"),
            ("rank 0=n1 slot=x:0", "rank N=HOST"),
            ("rank 0=n1,n2 slot=0", "rank N=HOST"),
            ("rank 0=n1 slot=0-4000000000", "rank N=HOST"),
            ("rank 2=n1 slot=0", "about rank 0"),
            ("rank 0=n1\nrank 0=n2", "other than 0 again"),
        ] {
            let said = parse("my.ranks", line).expect_err(line).to_string();
            assert!(
                said.contains("my.ranks") && said.contains(wanted),
                "{line}: {said}"
            );
        }
        let machine = Topology::regular(2, 2, 1);
        for (line, wanted) in [
            ("rank 0=n1 slot=4", "below 4"),
            ("rank 0=n1 slot=1:2", "below 2"),
            ("rank 0=n1 slot=2:0", "2 packages"),
        ] {
            let lines = parse("my.ranks", line).unwrap();
            let said = lines[0]
                .cpus(&machine, Unit::Core)
                .expect_err(line)
                .to_string();
            assert!(
                said.contains("line 1") && said.contains(wanted),
                "{line}: {said}"
            );
        }
    }
}
