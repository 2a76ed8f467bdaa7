//! Tests with little memory: a job goes on with what it gets, or ends and reports which rank was
//! ended by what. All data it moved is right, and no rank dies of SIGBUS.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::programs::{compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job, Outcome};

/// Acts of the ranks: see `tests/environment/disturbed.c`.
pub const PLACES: [&str; 2] = ["messages", "collectives"];

/// Reservations of memory of a file that are denied, from an offset and for a length on, and what
/// the job has to report. A ring and its growth lie behind the beginning of a segment.
const DENIED: &[(&str, [&str; 2], &str)] = &[
    ("any segment", ["0", "0"], "No space left on device"),
    ("any ring", ["1", "0"], "messages by sm"),
    ("the growth of rings", ["1", "200000"], "messages by sm"),
    (
        "segments of communicators",
        ["0", "200000"],
        "messages by sm",
    ),
];

/// Ranks, with few cores and many.
const RANKS: [usize; 2] = [2, 12];

/// Sizes of `/dev/shm`, and whether it is filled before.
const SHM: &[(&str, bool)] = &[("64k", false), ("64k", true)];

/// Limits of a group of processes in MiB: from what not even one rank can begin with, to what is
/// enough for all.
const MEBIBYTES: [usize; 7] = [1, 3, 6, 10, 16, 24, 128];

/// Every shortage in turn.
pub fn run(world: &World) -> Result<Tally, String> {
    let folder = fsio::root().join("tests/environment");
    let program = compile(world, &folder.join("disturbed.c"), &[])?;
    let deny = compile(world, &folder.join("deny_memory.c"), &[])?;
    let mut tally = Tally::default();
    for (what, [offset, length], said) in DENIED {
        for place in PLACES {
            let job = mpirun(world, 4, &["--explain"]).arg(&deny);
            let job = job.args([offset, length]).arg(&program);
            let answer = job.args(["not", place, "1"]).ok();
            let answer = answer.and_then(|outcome| match outcome.err.contains(said) {
                true => Ok(()),
                false => Err(format!("`{said}` is not said: {}", outcome.err)),
            });
            tally.count(&format!("no memory for {what}, {place}"), answer);
        }
    }
    small_files(world, &program, &mut tally);
    small_shm(world, &program, &mut tally);
    no_huge_pages(world, &mut tally)?;
    small_group(world, &program, &mut tally);
    Ok(tally)
}

/// The user's limit for the size of files: a segment is one, though it has no name.
fn small_files(world: &World, program: &Path, tally: &mut Tally) {
    for kibibytes in [16, 10_000] {
        let limit = format!("ulimit -f {kibibytes} && exec \"$0\" \"$@\"");
        let job = mpirun(world, 2, &["--explain"])
            .args(["sh", "-c", &limit])
            .arg(program)
            .args(["not", "messages", "1"]);
        let answer = job.ok();
        let answer = answer.and_then(|outcome| match outcome.err.contains("(ulimit -f)") {
            true => Ok(()),
            false => Err(format!("the limit is not named: {}", outcome.err)),
        });
        tally.count(&format!("files of {kibibytes} KiB"), answer);
    }
}

/// A small `/dev/shm`, in a mount namespace of its own; only where this user may make one.
fn small_shm(world: &World, program: &Path, tally: &mut Tally) {
    if !shell::may_mount() {
        println!("      /dev/shm of 64 KiB is left out: this user may not make a mount namespace");
        return;
    }
    for (size, full) in SHM {
        for ranks in RANKS {
            for place in PLACES {
                let fill = "head -c 1m /dev/zero > /dev/shm/full 2> /dev/null;";
                let inner = format!(
                    "mount -t tmpfs -o size={size} tmpfs /dev/shm && {{ {} true; }} && \
                     exec {} --oversubscribe -n {ranks} {} not {place} 1",
                    if *full { fill } else { "" },
                    world.bin("mpirun").display(),
                    program.display()
                );
                let job = Job::new("unshare").args(["-m", "sh", "-c", &inner]);
                let state = if *full { "full" } else { "empty" };
                let name = format!("/dev/shm of {size}, {state}, {place} of {ranks} ranks");
                tally.count(&name, job.limit(LIMIT).ok().map(drop));
            }
        }
    }
}

/// How long a job may take that has to share the machine.
const LIMIT: Duration = Duration::from_secs(90);

/// Huge pages that no machine has set aside, for whatever the user allocates.
fn no_huge_pages(world: &World, tally: &mut Tally) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("tests/c/alloc_mem.c"), &[])?;
    for page in ["2097152", "1073741824"] {
        let options = [
            "--mca",
            "mpool_base_default_hints",
            "mpool=hugepage",
            "--mca",
            "mpool_hugepage_page_size",
            page,
        ];
        let job = mpirun(world, 2, &options).arg(&program);
        let name = format!("huge pages of {page} bytes, which are not there");
        tally.count(&name, job.ok().map(drop));
    }
    Ok(())
}

/// Ranks in a group of processes that has less and less memory.
fn small_group(world: &World, program: &Path, tally: &mut Tally) {
    let group = match Group::make() {
        Ok(group) => group,
        Err(why) => {
            println!("      memory limits of groups are left out: {why}");
            return;
        }
    };
    for place in PLACES {
        let mut codes = Vec::new();
        for limit in MEBIBYTES {
            let answer = group.limit(limit << 20).and_then(|()| {
                let enter = format!(
                    "echo $$ > {}/cgroup.procs && exec \"$0\" \"$@\"",
                    group.folder.display()
                );
                let job = mpirun(world, 4, &[]).args(["sh", "-c", &enter]);
                let job = job.arg(program).args(["not", place, "1"]);
                let outcome = job.run()?;
                codes.push(outcome.code);
                judge(&outcome)
            });
            tally.count(&format!("{limit} MiB for all ranks, {place}"), answer);
        }
        let both = match (codes.contains(&137), codes.last()) {
            (true, Some(0)) => Ok(()),
            _ => Err(format!("the limits did not matter: exit codes {codes:?}")),
        };
        tally.count(&format!("too little and enough memory, {place}"), both);
    }
}

/// A job has moved everything, or it says which rank the kernel has killed, and why. The kernel may
/// kill another rank before the job has ended, which is explained as well.
fn judge(outcome: &Outcome) -> Result<(), String> {
    let mut lines = outcome
        .err
        .lines()
        .filter(|line| line.starts_with("mpirun:"));
    let why = "the kernel kills for lack of memory: oom_kill in ";
    let is_explained = lines.next().is_some_and(|line| line.contains(why));
    let names_signal = lines.next().is_some_and(|line| {
        line.contains("rank ") && line.ends_with("was killed by signal 9 (SIGKILL)")
    });
    let is_reported = is_explained && names_signal;
    match (outcome.code, outcome.timed_out) {
        (0, false) => outcome.none_left(),
        (137, false) if is_reported && lines.all(|line| line.contains(why)) => outcome.none_left(),
        _ => Err(outcome.reason()),
    }
}

/// A group of processes that has a limit for its memory (cgroups(7), of either version). Removed
/// when dropped.
struct Group {
    folder: PathBuf,
    limit: &'static str,
}

impl Group {
    fn make() -> Result<Group, String> {
        let own = fsio::read(Path::new("/proc/self/cgroup"))?;
        let mut reasons = Vec::new();
        for line in own.lines() {
            let mut parts = line.splitn(3, ':').skip(1);
            let (Some(kinds), Some(path)) = (parts.next(), parts.next()) else {
                continue;
            };
            let (root, limit) = match kinds {
                "" => ("/sys/fs/cgroup", "memory.max"),
                _ if kinds.split(',').any(|kind| kind == "memory") => {
                    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
                }
                _ => continue,
            };
            match Group::make_in(&format!("{root}{path}"), limit) {
                Ok(group) => return Ok(group),
                Err(why) => reasons.push(why),
            }
        }
        Err(reasons.join("; "))
    }

    fn make_in(parent: &str, limit: &'static str) -> Result<Group, String> {
        let folder = Path::new(parent).join(format!("oxmpi-test-{}", std::process::id()));
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let group = Group { folder, limit };
        match group.folder.join(limit).exists() {
            true => Ok(group),
            false => Err(format!("{parent} has no {limit}")),
        }
    }

    fn limit(&self, bytes: usize) -> Result<(), String> {
        let set = |name: &str, value: &str| fs::write(self.folder.join(name), value);
        // Swap would let everything go on, for long; not every kernel counts it.
        let swap = "memory.memsw.limit_in_bytes";
        let _ = set(swap, "-1");
        let _ = set("memory.swap.max", "0");
        // The kernel answers EBUSY while the memory of ended processes is counted beyond the limit.
        let is_over = |result: &io::Result<()>| {
            let error = result.as_ref().err().map(io::Error::kind);
            error != Some(io::ErrorKind::ResourceBusy)
        };
        retried(|| set(self.limit, &bytes.to_string()), is_over)
            .map_err(|error| format!("{}: {error}", self.limit))?;
        let _ = set(swap, &bytes.to_string());
        Ok(())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = retried(|| fs::remove_dir(&self.folder), io::Result::is_ok);
    }
}

/// Tries an act on a group until its result is final, for a second at most: a process and its
/// memory may be counted for a moment after it was waited for.
fn retried<T>(act: impl Fn() -> T, is_final: impl Fn(&T) -> bool) -> T {
    for _ in 0..100 {
        let result = act();
        if is_final(&result) {
            return result;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    act()
}
