//! `cargo xtask test`: everything that is tested, in one command, from an empty machine.
//!
//! A run is a list of steps ([`STEPS`]); each says what it checks and returns a [`Tally`]. What a
//! step needs and lacks (a Debian package, a Python package, a crate) it fetches by the ordinary
//! client and says so. What takes long to build or fetch is begun with the first step, beside those
//! that do without ([`prepare`]). A step that cannot even begin counts as one failure. Nothing is
//! skipped silently. The last line is `N passed, N failed`, and the exit code follows it.

mod cargo;
mod contended;
mod copies;
mod count;
mod disturbed;
mod explain;
mod failures;
mod faults;
mod hosts;
mod large;
mod limits;
mod low;
pub mod ofi;
mod pinned;
mod programs;
mod rails;
mod rough;
mod scarce;
mod sessions;
mod start;
mod stores;
mod tardy;
mod torture;
mod windows;

use std::collections::HashMap;
use std::path::{absolute, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

pub use cargo::cargo as cargo_program;

use crate::{conformance, fsio, shell, third_party};

const USAGE: &str = "usage: cargo xtask test [--only TEXT] [--list] [--prefix DIR]";

/// What a step checks and how.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&World) -> Result<Tally, String>,
}

/// The step before those that need the installation.
const INSTALL: &str = "install";

/// The steps in the order in which they run: what is quick to fail comes first.
const STEPS: &[Step] = &[
    Step {
        name: "style",
        about: "generated files are fresh, the style holds",
        run: cargo::style,
    },
    Step {
        name: "rust",
        about: "unit, property, conformance and simulation tests of every crate",
        run: cargo::tests,
    },
    Step {
        name: "loom",
        about: "every interleaving of the rings and queues",
        run: cargo::loom,
    },
    Step {
        name: "sim",
        about: "10,000 jobs of eight ranks over a simulated network, each from its seed",
        run: cargo::simulation,
    },
    Step {
        name: INSTALL,
        about: "an installation under target/prefix",
        run: cargo::install,
    },
    Step {
        name: "c-sm",
        about: "C programs through the ABI, over shared memory",
        run: programs::over_sm,
    },
    Step {
        name: "c-tcp",
        about: "the same programs over TCP",
        run: programs::over_tcp,
    },
    Step {
        name: "ofi",
        about: "the same programs over libfabric, by its providers and both ways of matching",
        run: ofi::run,
    },
    Step {
        name: "low",
        about: "the low layer from C, as it is installed, over sm, tcp and libfabric",
        run: low::run,
    },
    Step {
        name: "torture",
        about: "buffers that come and go under four allocators, with registrations kept",
        run: torture::run,
    },
    Step {
        name: "rough",
        about: "a machine that denies things: no copies between processes, no temporary folder",
        run: rough::run,
    },
    Step {
        name: "scarce",
        about: "a machine short of memory: segments, rings, files, groups, /dev/shm, huge pages",
        run: scarce::run,
    },
    Step {
        name: "limits",
        about: "beginnings with ever less memory and descriptors, over every transport",
        run: limits::run,
    },
    Step {
        name: "faults",
        about: "sessions in which one system call or call of libfabric fails, in turn",
        run: faults::run,
    },
    Step {
        name: "disturbed",
        about: "ranks killed and stopped at any moment of an exchange",
        run: disturbed::run,
    },
    Step {
        name: "contended",
        about: "waits and polls of ranks that share cores with each other and with other programs",
        run: contended::run,
    },
    Step {
        name: "smsc",
        about: "large messages by each single-copy component, forced, excluded and switched off",
        run: copies::run,
    },
    Step {
        name: "start",
        about: "what starting touches, and the memory of peers that nobody speaks to",
        run: start::run,
    },
    Step {
        name: "count",
        about: "instructions of a message of 8 bytes, and loads that wait for stores",
        run: count::run,
    },
    Step {
        name: "failures",
        about: "ranks that fail, calls at the wrong time, wrong parameters, other launchers",
        run: failures::run,
    },
    Step {
        name: "explain",
        about: "what is told of who talks to whom, and ranks that disagree",
        run: explain::run,
    },
    Step {
        name: "tool",
        about: "a profiling library with its own MPI_Send, loaded first",
        run: programs::tool,
    },
    Step {
        name: "swap",
        about: "one binary on oxmpi, MPICH and Intel MPI, by the library path alone",
        run: programs::swap,
    },
    Step {
        name: "netpipe",
        about: "NetPIPE, from Debian's source archive",
        run: third_party::netpipe,
    },
    Step {
        name: "mpich-examples",
        about: "the examples of MPICH, from Debian's source archive",
        run: third_party::mpich_examples,
    },
    Step {
        name: "conformance",
        about: "MPICH's test suite, from Debian's source archive, on up to 4 ranks",
        run: conformance::step,
    },
    Step {
        name: "rsmpi",
        about: "the mpi crate: its examples and tests",
        run: third_party::rsmpi,
    },
    Step {
        name: "mpi4py",
        about: "the whole suite of mpi4py on 1 and 2 ranks, its pools on 4",
        run: third_party::mpi4py,
    },
    Step {
        name: "mpi4py-ofi",
        about: "17 files of it on 2 ranks over libfabric",
        run: third_party::mpi4py_ofi,
    },
    Step {
        name: "hosts",
        about: "four hosts, by our mpirun, Slurm's srun, MPICH's mpiexec and Open MPI's mpirun",
        run: hosts::run,
    },
    Step {
        name: "rails",
        about: "TCP over two networks between two hosts: bridges, bandwidth, cuts",
        run: rails::run,
    },
];

/// Steps that take longer than continuous integration has: only by their whole name.
const BY_HAND: &[Step] = &[
    Step {
        name: "large",
        about: "messages and packing of 3 GiB, by counts that do not fit an int",
        run: large::run,
    },
    Step {
        name: "hosts-all",
        about: "all of mpi4py's files over four hosts by each launcher",
        run: hosts::all,
    },
    Step {
        name: "hosts-cut",
        about: "jobs over two hosts whose network is cut for 10 and 25 s",
        run: hosts::cuts,
    },
    Step {
        name: "hosts-newer",
        about: "programs over four hosts by the launchers of MPICH 5, Intel MPI and Open MPI 5",
        run: hosts::newer,
    },
    Step {
        name: "armci",
        about: "ARMCI-MPI's tests, on 4 ranks, over shared memory and TCP",
        run: third_party::armci,
    },
    Step {
        name: "mpich-errors",
        about: "those of MPICH's tests that make mistakes, on up to 4 ranks",
        run: conformance::errors,
    },
    Step {
        name: "mpi4py-all",
        about: "the whole suite of mpi4py on 1 to 4 ranks, and mpi4py-fft on 4",
        run: third_party::mpi4py_all,
    },
    Step {
        name: "mpi4py-ofi-all",
        about: "mpi4py over every provider, on 2 and 3 ranks, and over a newer shm",
        run: third_party::mpi4py_ofi_all,
    },
    Step {
        name: "libfabric",
        about: "all suites over libfabric, Debian's and a newer one",
        run: cargo::libfabric,
    },
    Step {
        name: "ofi-all",
        about:
            "every C program over tcp;ofi_rxm, in both ways, and the basic ones over a newer shm",
        run: ofi::all,
    },
    Step {
        name: "rma-all",
        about: "windows over every transport and between hosts: programs, mpi4py's tests, MPICH's",
        run: windows::all,
    },
    Step {
        name: "rma-sm",
        about: "windows over shared memory, as part of rma-all",
        run: windows::over_sm,
    },
    Step {
        name: "rma-am",
        about: "windows over shared memory by messages, as part of rma-all",
        run: windows::by_messages,
    },
    Step {
        name: "rma-tcp",
        about: "windows over TCP, as part of rma-all",
        run: windows::over_tcp,
    },
    Step {
        name: "rma-rxm",
        about: "windows over tcp;ofi_rxm, as part of rma-all",
        run: windows::over_rxm,
    },
    Step {
        name: "rma-shm",
        about: "windows over libfabric's shm, as part of rma-all",
        run: windows::over_shm,
    },
    Step {
        name: "rma-rxd",
        about: "windows over udp;ofi_rxd, as part of rma-all",
        run: windows::over_rxd,
    },
    Step {
        name: "rma-sockets",
        about: "windows over sockets, as part of rma-all",
        run: windows::over_sockets,
    },
    Step {
        name: "rma-hosts",
        about: "windows between hosts, as part of rma-all",
        run: windows::between_hosts,
    },
    Step {
        name: "sessions-long",
        about: "ten thousand sessions over each transport, a thousand by four threads",
        run: sessions::long,
    },
    Step {
        name: "faults-all",
        about: "the same with every call, and over tcp;ofi_rxm",
        run: faults::all,
    },
    Step {
        name: "limits-all",
        about: "the same in small steps, also where a beginning takes 80 MB",
        run: limits::all,
    },
    Step {
        name: "torture-long",
        about: "a minute of each torture",
        run: torture::long,
    },
];

/// What the steps share: the installation under test.
pub struct World {
    /// Its prefix.
    pub prefix: PathBuf,
    /// Whether it was there before and is not to be built.
    pub given: bool,
    installed: OnceLock<Result<(), String>>,
    made: Mutex<HashMap<PathBuf, Made>>,
}

/// How the making of a file went, once somebody has begun it.
type Made = Arc<OnceLock<Result<(), String>>>;

/// How a step went.
#[derive(Default)]
pub struct Tally {
    /// The number of tests that passed.
    pub passed: usize,
    /// Each test that failed, with the reason.
    pub failed: Vec<String>,
}

impl Tally {
    /// Counts one test by its answer.
    pub fn count(&mut self, name: &str, answer: Result<(), String>) {
        match answer {
            Ok(()) => self.passed += 1,
            Err(why) => self.failed.push(format!("{name}: {why}")),
        }
    }

    /// Counts what another one has counted.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
    }
}

impl World {
    /// The path of a program of the installation.
    pub fn bin(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// Builds and lays out the installation, unless that is done or one was given.
    pub fn install(&self) -> Result<(), String> {
        let make = || match self.given {
            true => Ok(()),
            false => crate::install::run(&[]),
        };
        self.installed.get_or_init(make).clone()
    }

    /// How the making of the file went: whoever comes first makes it, the others wait.
    pub fn made(&self, file: &Path) -> Made {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(made.entry(file.to_path_buf()).or_default())
    }
}

/// Runs the steps and sums up.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut only: Option<String> = None;
    let mut prefix = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--list" => return list(),
            "--only" => only = Some(value()?),
            // Programs run in folders of their own.
            "--prefix" => prefix = Some(absolute(value()?).map_err(|error| error.to_string())?),
            _ => return Err(format!("option `{arg}` is not known; {USAGE}")),
        }
    }
    let given = prefix.is_some();
    let prefix = prefix.unwrap_or_else(|| fsio::target_dir().join("prefix"));
    let world = World {
        prefix,
        given,
        installed: OnceLock::new(),
        made: Mutex::default(),
    };
    let wanted = |step: &&Step| {
        only.as_ref()
            .is_none_or(|text| step.name.contains(text.as_str()))
    };
    let by_hand = |step: &&Step| only.as_deref() == Some(step.name);
    let mut steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    if let Some(step) = BY_HAND.iter().find(by_hand) {
        steps = vec![step];
    }
    if steps.is_empty() {
        return Err(format!("no step matches `{}`", only.unwrap_or_default()));
    }
    let total = run_steps(&world, &steps);
    if !total.failed.is_empty() {
        println!("\nfailed:");
        total.failed.iter().for_each(|line| println!("  {line}"));
    }
    println!("\n{} passed, {} failed", total.passed, total.failed.len());
    match total.failed.is_empty() {
        true => Ok(()),
        false => Err("some tests failed".to_string()),
    }
}

/// Runs the steps in turn. The one that needs the installation waits for what was begun ahead.
fn run_steps(world: &World, steps: &[&Step]) -> Tally {
    let started = Instant::now();
    let mut total = Tally::default();
    thread::scope(|scope| {
        let is_ahead = steps.iter().position(|step| step.name == INSTALL) > Some(0);
        let mut ahead = is_ahead.then(|| scope.spawn(|| prepare(world)));
        for (number, step) in steps.iter().enumerate() {
            let (name, about) = (step.name, step.about);
            println!("[{}/{}] {name}: {about}", number + 1, steps.len());
            let (begin, work_before) = (Instant::now(), shell::work());
            if let Some(ahead) = ahead.take_if(|_| name == INSTALL) {
                // Should it have panicked, the steps tell what they lack.
                let _ = ahead.join();
            }
            let mut tally = (step.run)(world).unwrap_or_else(|why| Tally {
                passed: 0,
                failed: vec![format!("could not run: {why}")],
            });
            println!(
                "      {} passed, {} failed in {:.1} s with {:.0} s of work ({:.0} s so far)",
                tally.passed,
                tally.failed.len(),
                begin.elapsed().as_secs_f64(),
                (shell::work() - work_before).as_secs_f64(),
                started.elapsed().as_secs_f64()
            );
            for line in &mut tally.failed {
                *line = format!("{name}: {line}");
                println!("      {line}");
            }
            total.add(tally);
        }
    });
    total
}

/// Makes and fetches, beside the first steps, what later ones need. What fails here is tried again
/// by the step that needs it, which tells.
fn prepare(world: &World) {
    if world.install().is_ok() {
        third_party::prepare(world);
    }
}

fn list() -> Result<(), String> {
    for step in STEPS {
        println!("{:<16} {}", step.name, step.about);
    }
    for step in BY_HAND {
        println!("{:<16} {} (by hand)", step.name, step.about);
    }
    Ok(())
}
