//! Reads the topology from the system's files.

use std::fs;
use std::path::Path;

use super::{Thread, Topology, Unit, Whole, CPUS_MAX};

impl Topology {
    /// Returns the topology of this machine, as far as this process may use it. Processors of which
    /// the system reports nothing are cores of one package.
    pub fn of_this_machine() -> Topology {
        let allowed = allowed(&text(Path::new("/proc/self/status")));
        let quota = std::thread::available_parallelism().map_or(u32::MAX, |n| n.get() as u32);
        let allowed = match allowed.is_empty() {
            true => (0..quota.min(CPUS_MAX as u32)).collect(),
            false => allowed,
        };
        of_files(Path::new("/sys/devices/system"), &allowed, quota)
    }
}

/// The topology of the processors `allowed`, as the files below `system` describe the machine.
fn of_files(system: &Path, allowed: &[u32], quota: u32) -> Topology {
    let mut all = parse_list(&text(&system.join("cpu/online")));
    all.retain(|cpu| !allowed.contains(cpu));
    all.extend(allowed);
    all.sort_unstable();
    let whole = Topology::whole(threads(system, &all), u32::MAX);
    let is_allowed = whole.threads.iter().filter(|t| allowed.contains(&t.cpu));
    Topology::new(is_allowed.copied().collect(), quota)
}

/// The processors that a process may use, from what the system says of its state.
fn allowed(status: &str) -> Vec<u32> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    parse_list(line.unwrap_or(""))
}

/// The threads `all`, as the files below `system` describe them.
fn threads(system: &Path, all: &[u32]) -> Vec<Thread> {
    let cpu = |cpu: u32| system.join(format!("cpu/cpu{cpu}"));
    let core = groups(all, |n| cpu(n).join("topology/thread_siblings_list"));
    let package = groups(all, |n| cpu(n).join("topology/core_siblings_list"));
    let numa = domains(&system.join("node"));
    let mut caches = [None, None, None];
    // All processors have their caches in one order.
    for index in all.first().map_or(0..0, |_| 0..8) {
        let cache = format!("cache/index{index}");
        let first = cpu(all[0]).join(&cache);
        let kind = text(&first.join("type"));
        let level = text(&first.join("level")).trim().parse::<usize>();
        if let (Ok(level @ 1..=3), "Data" | "Unified") = (level, kind.trim()) {
            let shared = groups(all, |n| cpu(n).join(&cache).join("shared_cpu_list"));
            caches[level - 1] = Some(shared);
        }
    }
    let describe = |&cpu: &u32| {
        // Processors of which the system reports nothing are in one package.
        let own = |group: Option<u32>| group.unwrap_or(cpu);
        let core = own(find(&core, cpu));
        let package = find(&package, cpu).unwrap_or(0);
        let cache = |level: usize| {
            caches[level - 1]
                .as_ref()
                .and_then(|groups| find(groups, cpu))
        };
        let mut of = [0; Unit::ALL.len()];
        of[Unit::Package as usize] = package;
        of[Unit::Numa as usize] = find(&numa, cpu).unwrap_or(0);
        of[Unit::L3 as usize] = cache(3).unwrap_or(package);
        of[Unit::L2 as usize] = cache(2).unwrap_or(core);
        of[Unit::L1 as usize] = cache(1).unwrap_or(core);
        of[Unit::Core as usize] = core;
        Thread {
            cpu,
            of,
            whole: Whole::default(),
        }
    };
    all.iter().map(describe).collect()
}

/// Name of the group of each processor, where it is in one.
type Groups = Vec<Option<u32>>;

fn find(groups: &Groups, cpu: u32) -> Option<u32> {
    groups.get(cpu as usize).copied().flatten()
}

/// Returns the groups in the files of `list_of` of some processors, named after their first one. A
/// file is read for the first of a group only.
fn groups(allowed: &[u32], list_of: impl Fn(u32) -> std::path::PathBuf) -> Groups {
    let mut groups = vec![None; CPUS_MAX];
    for &cpu in allowed {
        if groups[cpu as usize].is_none() {
            let members = parse_list(&text(&list_of(cpu)));
            members.iter().for_each(|&n| groups[n as usize] = Some(cpu));
        }
    }
    groups
}

/// The NUMA domain of each processor.
fn domains(nodes: &Path) -> Groups {
    let mut groups = vec![None; CPUS_MAX];
    for domain in parse_list(&text(&nodes.join("online"))) {
        let list = text(&nodes.join(format!("node{domain}/cpulist")));
        parse_list(&list)
            .iter()
            .for_each(|&n| groups[n as usize] = Some(domain));
    }
    groups
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Reads `0,4-6`; what makes no sense, and what is not below [`CPUS_MAX`], is left out.
fn parse_list(text: &str) -> Vec<u32> {
    let mut list = Vec::new();
    for item in text.trim().split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            list.extend(first..=last.min(CPUS_MAX as u32 - 1));
        }
    }
    list.retain(|&n| n < CPUS_MAX as u32);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as the system has them, of two packages with two cores of two threads each, in a
    /// folder of its own that goes away at the end.
    struct System(std::path::PathBuf);

    impl System {
        fn new(name: &str) -> System {
            let own = format!("launch-topology-{name}-{}", std::process::id());
            let system = System(std::env::temp_dir().join(own));
            for cpu in 0..8u32 {
                let core = cpu % 4;
                let package = core / 2;
                let (low, high) = (2 * package, 2 * package + 1);
                let near = format!("{low}-{high},{}-{}\n", low + 4, high + 4);
                let pair = format!("{core},{}\n", core + 4);
                let of = |rest: &str| format!("cpu/cpu{cpu}/{rest}");
                system.put(&of("topology/thread_siblings_list"), &pair);
                system.put(&of("topology/core_siblings_list"), &near);
                for (index, level, kind, shared) in [
                    (0, 1, "Data", &pair),
                    (1, 1, "Instruction", &pair),
                    (2, 2, "Unified", &pair),
                    (3, 3, "Unified", &near),
                ] {
                    let cache = of(&format!("cache/index{index}"));
                    system.put(&format!("{cache}/level"), &format!("{level}\n"));
                    system.put(&format!("{cache}/type"), &format!("{kind}\n"));
                    system.put(&format!("{cache}/shared_cpu_list"), shared);
                }
            }
            system.put("cpu/online", "0-7\n");
            system.put("node/online", "0-1\n");
            system.put("node/node0/cpulist", "0-1,4-5\n");
            system.put("node/node1/cpulist", "2-3,6-7\n");
            system
        }

        fn put(&self, path: &str, content: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }

    impl Drop for System {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_systems_files_are_understood() {
        let system = System::new("whole");
        let all: Vec<u32> = (0..8).collect();
        let topology = of_files(&system.0, &all, 8);
        assert_eq!(topology, Topology::regular(2, 2, 2));
        let part = of_files(&system.0, &[1, 3, 7], 3);
        assert_eq!(part.objects(Unit::Core), [vec![1], vec![3, 7]]);
        assert_eq!(part.objects(Unit::L3), [vec![1], vec![3, 7]]);
        let place =
            |thread: &Thread| (thread.whole.package, thread.whole.core, thread.whole.thread);
        let places: Vec<_> = part.threads().iter().map(place).collect();
        assert_eq!(places, [(0, 1, 0), (1, 3, 0), (1, 3, 1)]);
    }

    #[test]
    fn a_system_that_reports_nothing_has_plain_cores() {
        let topology = of_files(Path::new("/no/such/system"), &[2, 5], 2);
        let counts = [
            Unit::Package,
            Unit::Numa,
            Unit::L3,
            Unit::L2,
            Unit::Core,
            Unit::Thread,
        ];
        assert_eq!(counts.map(|unit| topology.count(unit)), [1, 1, 1, 2, 2, 2]);
        assert!(Topology::of_this_machine().room(Unit::Core) >= 1);
    }

    #[test]
    fn lists_of_the_system() {
        assert_eq!(parse_list("0,4-6\n"), [0, 4, 5, 6]);
        assert_eq!(parse_list(""), [] as [u32; 0]);
        assert_eq!(parse_list("1020-4000000000,5000,x-2").len(), 4);
        let status = "Name:\tx\nCpus_allowed:\t5\nCpus_allowed_list:\t0,2\nMems_allowed:\t1\n";
        assert_eq!(allowed(status), [0, 2]);
    }
}
