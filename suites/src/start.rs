//! Tests of the cost of a start: the files and sockets that `MPI_Init` uses, and the memory for a
//! peer without messages.

use std::fs;
use std::path::Path;

use super::programs::{compile, mpirun};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// Files that may be opened: the loader's files, what the kernel reports of itself, of this
/// process, its processors and its network interfaces, and devices for copies between processes.
/// Names end where any continuation is fine.
const OPENED: &[&str] = &[
    "/etc/ld.so.",
    "/lib/",
    "/lib64/",
    "/usr/lib/",
    "/usr/local/lib/",
    "/proc/self/",
    "/proc/meminfo",
    "/proc/net/",
    "/proc/sys/",
    "/sys/class/infiniband",
    "/sys/class/cxi",
    "/sys/class/hfi1",
    "/sys/class/net/",
    "/sys/devices/system/",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/",
    "/dev/knem",
    "/dev/null",
    "/dev/xpmem",
];

/// A rank among few and among many others.
struct Growth {
    name: &'static str,
    options: &'static [&'static str],
    /// Whether it has spoken to nobody, instead of having come to a barrier.
    is_silent: bool,
    ranks: [usize; 2],
    /// The most KiB that one more peer may take.
    kibibytes: f64,
    /// The most descriptors that all more peers may take: of connections, pipes of peers that the
    /// rank has woken, and what measures.
    descriptors: usize,
}

/// Over all transports, and over TCP alone, as between hosts.
const GROWTHS: [Growth; 2] = [
    Growth {
        name: "memory of an idle peer",
        options: &[],
        is_silent: false,
        ranks: [2, 64],
        kibibytes: 8.0,
        descriptors: 8,
    },
    Growth {
        name: "memory of a silent peer over TCP",
        options: &["--mca", "btl", "self,tcp"],
        is_silent: true,
        ranks: [32, 256],
        kibibytes: 1.1,
        descriptors: 24,
    },
];

/// Jobs of each size. What a rank's share of common memory is depends on what others have touched
/// by then: the least counts.
const TURNS: usize = 3;

/// Both.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let folder = fsio::root().join("tests/environment");
    let program = compile(world, &folder.join("footprint.c"), &[])?;
    for growth in GROWTHS {
        tally.count(growth.name, growth.check(world, &program));
    }
    tally.count("what MPI_Init opens", opened(world, &program));
    Ok(tally)
}

impl Growth {
    fn check(&self, world: &World, program: &Path) -> Result<(), String> {
        let mut kibibytes = [f64::INFINITY; 2];
        let mut descriptors = [usize::MAX; 2];
        for (at, ranks) in self.ranks.into_iter().enumerate() {
            for _ in 0..TURNS {
                let taken = self.footprint(world, program, ranks)?;
                kibibytes[at] = kibibytes[at].min(taken.0);
                descriptors[at] = descriptors[at].min(taken.1);
            }
        }
        let ranks = self.ranks;
        println!("      a rank has {descriptors:?} descriptors among {ranks:?} ranks");
        if descriptors[1] > descriptors[0] + self.descriptors {
            return Err(format!("descriptors grow with the ranks: {descriptors:?}"));
        }
        let each = (kibibytes[1] - kibibytes[0]) / (ranks[1] - ranks[0]) as f64;
        println!("      a peer takes {each:.2} KiB");
        match each < self.kibibytes {
            true => Ok(()),
            false => Err(format!(
                "{each:.2} KiB, not under {}: {kibibytes:?}",
                self.kibibytes
            )),
        }
    }

    /// Returns the memory of rank 0 of this many, in KiB, and the most descriptors that a rank has.
    fn footprint(
        &self,
        world: &World,
        program: &Path,
        ranks: usize,
    ) -> Result<(f64, usize), String> {
        let job = mpirun(world, ranks, &["--oversubscribe"]).args(self.options);
        let argument = self.is_silent.then_some("silent");
        let out = job.arg(program).args(argument).ok()?.out;
        let words: Vec<&str> = out.split_whitespace().collect();
        let numbers = match words[..] {
            ["kibibytes", memory, "descriptors", open] => {
                memory.parse().ok().zip(open.parse().ok())
            }
            _ => None,
        };
        numbers.ok_or(format!("not a footprint: {out}"))
    }
}

/// Ranks under strace: no name is looked up, no bus is searched, no file is read but parameters.
fn opened(world: &World, program: &Path) -> Result<(), String> {
    if shell::find("strace").is_none() {
        peers::apt_install(&["strace"])?;
    }
    if let Err(why) = Job::new("strace").args(["-qq", "true"]).ok() {
        println!("      what MPI_Init opens is left out: this user may not trace ({why})");
        return Ok(());
    }
    let folder = fsio::target_dir().join("test/strace");
    let _ = fs::remove_dir_all(&folder);
    fsio::make_folder(&folder)?;
    // The loader's search path of this environment is no doing of the library.
    let trace = [
        "env",
        "-u",
        "LD_LIBRARY_PATH",
        "strace",
        "-ff",
        "-qq",
        "-e",
        "trace=open,openat,creat,connect",
        "-o",
    ];
    let job = mpirun(world, 2, &[]).args(trace).arg(folder.join("rank"));
    job.arg(program).ok()?;
    let mut calls = 0;
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for file in files.flatten() {
        for line in fsio::read(&file.path())?.lines() {
            calls += 1;
            judge(world, line)?;
        }
    }
    match calls {
        0 => Err("strace saw nothing".to_string()),
        _ => Ok(()),
    }
}

/// One call, as strace writes it.
fn judge(world: &World, line: &str) -> Result<(), String> {
    let network = line.starts_with("connect(") && !line.contains("sa_family=AF_UNIX");
    if network || line.contains("O_CREAT") || line.starts_with("creat(") {
        return Err(line.to_string());
    }
    let Some(path) = line.split('"').nth(1).filter(|_| line.starts_with("open")) else {
        return Ok(());
    };
    // A peer's segment, the program's own report, and, where a wait takes long beside other
    // programs, on which processor a peer runs.
    let of_process = path.strip_prefix("/proc/").is_some_and(|rest| {
        let (process, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let is_number = process.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (rest.starts_with("fd/") || rest == "stat")
    });
    let own = [
        world.prefix.display().to_string(),
        fsio::target_dir().display().to_string(),
    ];
    let parameters = path.contains("/.oxmpi/") || path.contains("/.openmpi/");
    let allowed = OPENED.iter().any(|start| path.starts_with(start))
        || own.iter().any(|start| path.starts_with(start.as_str()));
    match allowed || of_process || parameters {
        true => Ok(()),
        false => Err(format!("not among what a start may open: {line}")),
    }
}
