//! Whether this machine has room for the ranks that are to be started on it: processes and memory.
//! Looked at before the first of them, since a machine that is full may take minutes to end them.
//!
//! What a rank needs is estimated from below: a job that would run is never refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{getrlimit, Resource};

use launch_plan::plan::{App, Plan};
use launch_plan::Error;
use launch_report::other_mpi;

/// Fewer ranks than these are not worth the look.
const RANKS_MIN: u64 = 32;

/// Bytes that any process takes to its end, of those that a small one took of the system alone: its
/// structures, and its pipes to the launcher. One that is no MPI program may have ended when the
/// next one starts.
const OF_PROCESS: u64 = 16 << 10;

/// Bytes of an MPI program that is loaded: 920 KiB of its own and 110 KiB of the system were
/// measured.
const OF_MPI: u64 = 640 << 10;

/// Bytes that it takes for each of its peers: 2.9 KiB were measured.
const OF_PEER: u64 = 1 << 10;

/// Checks that this machine has room for all ranks of a job.
///
/// # Errors
/// When it has not: with what is too little.
pub fn check_plan(plan: &Plan) -> Result<(), Error> {
    if plan.oversubscribes {
        return Ok(());
    }
    let of = |app: usize| {
        plan.placements
            .iter()
            .filter(move |p| p.app as usize == app)
    };
    let shares = plan.apps.iter().enumerate().map(|(at, app)| Share {
        app,
        path: &app.path,
        ranks: of(at).count() as u64,
    });
    check(&shares.collect::<Vec<_>>(), plan.size())
}

/// The ranks that one program has here.
pub(crate) struct Share<'a> {
    pub(crate) app: &'a App,
    /// Its file.
    pub(crate) path: &'a Path,
    pub(crate) ranks: u64,
}

/// Checks that ranks fit on this machine, in a job of `size` ranks.
///
/// # Errors
/// When they cannot: with what is too little.
pub(crate) fn check(shares: &[Share], size: u32) -> Result<(), Error> {
    let ranks = shares.iter().map(|share| share.ranks).sum();
    if ranks < RANKS_MIN {
        return Ok(());
    }
    let bounds = processes();
    let memory = memory();
    let of_mpi = OF_MPI + OF_PEER * u64::from(size);
    // The loader is only asked where the answer matters.
    let matters = memory.is_some_and(|free| ranks * of_mpi > free);
    let need = shares.iter().map(|share| {
        let is_mpi = matters && other_mpi::is_linked_to_ours(share.path, share.app);
        share.ranks * if is_mpi { of_mpi } else { OF_PROCESS }
    });
    match lacks(ranks, &bounds, need.sum(), memory) {
        lacks if lacks.is_empty() => Ok(()),
        lacks => Err(Error::TooLittleRoom { ranks, lacks }),
    }
}

/// How many processes there may be, and are.
struct Bound {
    what: String,
    most: u64,
    used: u64,
}

fn lacks(ranks: u64, bounds: &[Bound], need: u64, free: Option<u64>) -> Vec<String> {
    let room = |bound: &&Bound| bound.most.saturating_sub(bound.used);
    let tightest = bounds.iter().min_by_key(room);
    let processes = tightest.filter(|bound| room(bound) < ranks).map(|bound| {
        let (room, most) = (room(&bound), bound.most);
        let what = &bound.what;
        format!("there is room for {room} processes more ({what} is {most})")
    });
    let memory = free.filter(|free| need > *free).map(|free| {
        let [need, free] = [need, free].map(in_words);
        format!("they need about {need} of memory, and {free} are free")
    });
    processes.into_iter().chain(memory).collect()
}

fn in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}

/// Returns the bounds of processes, as far as the system reports them.
fn processes() -> Vec<Bound> {
    let all = read("/proc/loadavg").and_then(|text| all_of(&text));
    let number = |file: &str| read(file)?.trim().parse::<u64>().ok();
    let of_system = ["pid_max", "threads-max"].into_iter().filter_map(|name| {
        let most = number(&format!("/proc/sys/kernel/{name}"))?;
        let what = format!("kernel.{name}");
        Some(Bound {
            what,
            most,
            used: all?,
        })
    });
    let limit = getrlimit(Resource::Nproc).current.filter(|_| is_bounded());
    let of_user = limit.map(|most| Bound {
        what: "ulimit -u".into(),
        most,
        used: of_user(),
    });
    let of_group = folders("pids").into_iter().filter_map(|folder| {
        let number = |file: &str| {
            fs::read_to_string(folder.join(file))
                .ok()?
                .trim()
                .parse()
                .ok()
        };
        let what = format!("pids.max of the control group {}", folder.display());
        Some(Bound {
            what,
            most: number("pids.max")?,
            used: number("pids.current")?,
        })
    });
    of_system.chain(of_user).chain(of_group).collect()
}

/// Returns the number of threads of the machine: `0.20 0.18 0.12 1/80 11206` has 80.
fn all_of(loadavg: &str) -> Option<u64> {
    let entities = loadavg.split_whitespace().nth(3)?;
    entities.split_once('/')?.1.parse().ok()
}

/// Whether the limit of a user's processes holds for this process (setrlimit(2)).
fn is_bounded() -> bool {
    const SYS_ADMIN: u64 = 1 << 21;
    const SYS_RESOURCE: u64 = 1 << 24;
    let status = read("/proc/self/status").unwrap_or_default();
    let word = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
    let may = word("CapEff:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_root = rustix::process::getuid().is_root();
    !is_root && may.unwrap_or(0) & (SYS_ADMIN | SYS_RESOURCE) == 0
}

/// Returns the number of threads that this user has.
fn of_user() -> u64 {
    let own = rustix::process::getuid().as_raw();
    let threads = |pid: &str| {
        let status = read(&format!("/proc/{pid}/status"))?;
        let word = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        word("Threads:").filter(|_| word("Uid:") == Some(own.into()))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = processes.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let pids = names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    pids.filter_map(|pid| threads(&pid)).sum()
}

/// Returns the bytes that processes may still take, at most: what is free and what the system may
/// take back, of the machine and of each control group around this process.
fn memory() -> Option<u64> {
    let (of_machine, swap) = free_of(&read("/proc/meminfo")?)?;
    let of_groups = folders("memory").into_iter().filter_map(|folder| {
        let text = |file: &str| fs::read_to_string(folder.join(file)).ok();
        let most = text("memory.max").or_else(|| text("memory.limit_in_bytes"))?;
        let most: u64 = most.trim().parse().ok()?;
        Some(most.saturating_sub(taken(&text("memory.stat")?)))
    });
    Some(of_groups.chain([of_machine]).min()? + swap)
}

/// Returns what is free and what may be taken back, and the free swap, of /proc/meminfo.
fn free_of(meminfo: &str) -> Option<(u64, u64)> {
    let words = meminfo.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let kibibytes: u64 = value.split_whitespace().next()?.parse().ok()?;
        Some((name, kibibytes << 10))
    });
    let words: BTreeMap<&str, u64> = words.collect();
    let sum = ["MemFree", "Active(file)", "Inactive(file)", "SReclaimable"];
    let sum = sum.iter().filter_map(|name| words.get(name)).sum();
    let swap = words.get("SwapFree").copied().unwrap_or(0);
    Some((*words.get("MemAvailable")?.max(&sum), swap))
}

/// Returns the bytes of processes in the memory.stat of a control group: those of files can be
/// taken back.
fn taken(stat: &str) -> u64 {
    // Of version 2, and of version 1.
    let word = |name: &str| {
        let line = stat.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    word("anon ").or_else(|| word("total_rss ")).unwrap_or(0)
}

/// Returns the folders of the control groups that this process is in, by a controller, from its own
/// one up.
pub(crate) fn folders(controller: &str) -> Vec<PathBuf> {
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let mounts = read("/proc/self/mountinfo").unwrap_or_default();
    folders_of(controller, &groups, &mounts)
}

fn folders_of(controller: &str, groups: &str, mounts: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for line in groups.lines() {
        let mut words = line.splitn(3, ':').skip(1);
        let (Some(of), Some(path)) = (words.next(), words.next()) else {
            continue;
        };
        // The line of version 2 names no controller.
        if !of.is_empty() && !of.split(',').any(|one| one == controller) {
            continue;
        }
        let wanted = if of.is_empty() {
            None
        } else {
            Some(controller)
        };
        let Some((root, mount)) = mounts.lines().find_map(|line| mount_of(wanted, line)) else {
            continue;
        };
        // What is above the root of the mount cannot be seen.
        let below = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
        let own = Path::new(mount).join(below);
        let upward = own.ancestors().take_while(|at| at.starts_with(mount));
        folders.extend(upward.map(Path::to_path_buf));
    }
    folders
}

/// Returns the root and the place of a mount of control groups: of version 1 with a controller, or
/// of version 2.
fn mount_of<'a>(controller: Option<&str>, line: &'a str) -> Option<(&'a str, &'a str)> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let mut kind = kind.split(' ');
    let is_it = match (controller, kind.next()?) {
        (None, kind) => kind == "cgroup2",
        (Some(name), "cgroup") => kind.nth(1)?.split(',').any(|one| one == name),
        (Some(_), _) => false,
    };
    Some((place.next()?, place.next()?)).filter(|_| is_it)
}

fn read(file: &str) -> Option<String> {
    fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;

    fn bound(most: u64, used: u64) -> Bound {
        let what = format!("bound {most}");
        Bound { what, most, used }
    }

    #[test]
    fn what_is_too_little_is_named() {
        let bounds = [bound(1000, 300), bound(900, 100), bound(5000, 0)];
        assert!(lacks(700, &bounds, GB, Some(GB)).is_empty());
        assert!(lacks(700, &[], 9 * GB, None).is_empty());
        let said = lacks(701, &bounds, GB, Some(GB));
        assert_eq!(
            said,
            ["there is room for 700 processes more (bound 1000 is 1000)"]
        );
        let said = lacks(100_000, &bounds, 164 * GB, Some(22 * GB + GB / 2));
        assert_eq!(said.len(), 2);
        assert_eq!(
            said[1],
            "they need about 164 GB of memory, and 22 GB are free"
        );
    }

    #[test]
    fn what_files_take_is_free_memory() {
        let meminfo = "MemTotal: 9000 kB\nMemFree: 100 kB\nMemAvailable: 1000 kB\n\
            Active(file): 300 kB\nInactive(file): 400 kB\nSwapFree: 7 kB\nSReclaimable: 250 kB\n";
        assert_eq!(free_of(meminfo), Some((1050 << 10, 7 << 10)));
        assert_eq!(
            free_of(&meminfo.replace(" 100 kB", " 1 kB")),
            Some((1000 << 10, 7 << 10))
        );
        assert_eq!(free_of("MemTotal: 9000 kB\n"), None);
        assert_eq!(taken("anon 4096\nfile 9999\n"), 4096);
        assert_eq!(
            taken("cache 1\nrss 2\ntotal_cache 3\ntotal_rss 8192\n"),
            8192
        );
        assert_eq!(all_of("0.20 0.18 0.12 1/80 11206\n"), Some(80));
    }

    #[test]
    fn control_groups_of_both_versions_are_found() {
        let first = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
            31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";
        let second = "29 25 0:25 /user /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n";
        let of = |groups: &str, mounts: &str| folders_of("memory", groups, mounts);
        let found = of("4:memory:/a/b\n3:cpu:/x\n", first);
        let memory = "/sys/fs/cgroup/memory";
        let all = ["/a/b", "/a", ""].map(|below| PathBuf::from(format!("{memory}{below}")));
        assert_eq!(found, all);
        assert_eq!(of("3:cpu,cpuacct:/x\n", first), Vec::<PathBuf>::new());
        let found = of("0::/user/job\n", second);
        assert_eq!(
            found,
            ["/sys/fs/cgroup/job", "/sys/fs/cgroup"].map(PathBuf::from)
        );
        // A group that is not below what is mounted here.
        assert_eq!(of("0::/../x\n", second), [PathBuf::from("/sys/fs/cgroup")]);
    }

    #[test]
    fn this_machine_has_bounds() {
        assert!(!processes().is_empty());
        assert!(memory().is_some_and(|free| free > 1 << 20));
        assert!(of_user() >= 1);
    }
}
