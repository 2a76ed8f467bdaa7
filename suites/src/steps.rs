//! The table of the steps of `cargo xtask test`, with the tiers that each belongs to.

use super::binaries;
use super::cargo;
use super::checks;
use super::contended;
use super::copies;
use super::count;
use super::debuggers;
use super::disturbed;
use super::explain;
use super::failures;
use super::faults;
use super::files;
use super::fortran;
use super::hosts;
use super::killed;
use super::large;
use super::legacy;
use super::limits;
use super::low;
use super::manuals;
use super::memcheck;
use super::mitigation;
use super::ofi;
use super::packages;
use super::ports;
use super::programs;
use super::rails;
use super::restarts;
use super::rough;
use super::scarce;
use super::sessions;
use super::spawns;
use super::start;
use super::torture;
use super::trace;
use super::waiting;
use super::waits;
use super::windows;
use super::wrong;
use crate::world::{Tally, World};
use crate::{conformance, third_party};
use xtask::{install, names};
use Needs::{Installation, Sources};
use Tier::{All, Ci, Quick};

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Checks that a change can have broken, within 4 minutes: before each commit.
    Quick,
    /// Checks of continuous integration: 18 minutes from a clean clone are the aim.
    Ci,
    /// Everything that a machine can do: hours.
    All,
}

impl Tier {
    /// The profile of the installation under test. Quick checks take what the tests of crates have
    /// built. The long suites run two to four times as long on that as on an optimised library,
    /// which takes a minute to build beside the first steps.
    pub fn profile(self) -> &'static str {
        match self {
            Quick => install::PROFILE,
            Ci | All => "ci",
        }
    }
}

/// Requirements of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The sources.
    Sources,
    /// The installation under test.
    Installation,
}

/// A step: what it checks and how.
pub struct Step {
    pub name: &'static str,
    pub about: &'static str,
    /// The tiers that run it; none where it is a part of another step, and run by its name alone.
    pub tiers: &'static [Tier],
    pub needs: Needs,
    pub run: fn(&World) -> Result<Tally, String>,
}

/// The step that makes the installation under test.
pub const INSTALL: &str = "install";

/// The step that most of what is prepared is for.
pub const PREPARED: &str = "conformance";

/// A step, and those that run one after the other beside it, begun when it begins: each of them
/// waits for much of its time, and no test in either measures time, but for those that say so
/// (`World::quiet`).
pub const BESIDE: &[(&str, &[&str])] = &[
    ("rust", &["loom", "sim"]),
    ("c-sm", &["c-tcp"]),
    // Its launchers wait while others compute: what takes a core comes after `conformance` instead.
    ("conformance", &["hosts", "rsmpi"]),
];

const ALWAYS: &[Tier] = &[Quick, Ci, All];
const FROM_CI: &[Tier] = &[Ci, All];
/// Its time is worth more elsewhere in each run of continuous integration.
const ALL_ALONE: &[Tier] = &[All];
/// As much as fits: a wider tier runs more of the same.
const QUICK_SIZE: &[Tier] = &[Quick];
const CI_SIZE: &[Tier] = &[Ci];
/// A part of another step.
const PART: &[Tier] = &[];

/// The steps in the order in which they run: what is quick to fail comes first.
#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    step("format", (ALWAYS, Sources), cargo::format,
        "the layout of the sources is rustfmt's"),
    step("style", (ALWAYS, Sources), cargo::style,
        "generated files are fresh, the style holds"),
    step("clippy-changed", (QUICK_SIZE, Sources), cargo::clippy_changed,
        "the lints of the crates that depend on what differs from main"),
    step("clippy", (FROM_CI, Sources), cargo::clippy,
        "every target, without a warning of rustc or clippy"),
    step("docs-changed", (QUICK_SIZE, Sources), cargo::docs_changed,
        "the documentation of the crates whose files differ from main"),
    step("docs", (FROM_CI, Sources), cargo::docs,
        "the documentation of every item, without a warning of rustdoc"),
    step("changed", (QUICK_SIZE, Sources), cargo::changed,
        "the tests of the crates that depend on what differs from main but for comments"),
    step("rust", (FROM_CI, Sources), cargo::tests,
        "unit, property, conformance and simulation tests of every crate"),
    step("loom", (FROM_CI, Sources), cargo::loom,
        "every interleaving of the rings and queues"),
    step("sim", (FROM_CI, Sources), cargo::simulation,
        "10,000 jobs of eight ranks over a simulated network, each from its seed"),
    step(INSTALL, (ALWAYS, Sources), cargo::install,
        "an installation under target/test, from the build of the tests or of the profile `ci`"),
    step("c-quick", (QUICK_SIZE, Installation), programs::quick,
        "the C programs that are marked `quick`, over shared memory"),
    step("c-sm", (FROM_CI, Installation), programs::over_sm,
        "C programs through the ABI, over shared memory"),
    step("c-tcp", (FROM_CI, Installation), programs::over_tcp,
        "the same programs over TCP"),
    step("ofi", (FROM_CI, Installation), ofi::run,
        "those about transports over libfabric: tcp;ofi_rxm in both ways of matching, rxd, shm"),
    step("legacy", (FROM_CI, Installation), legacy::run,
        "programs compiled for MPICH and for Open MPI, by a library path alone"),
    step("binaries", (CI_SIZE, Installation), binaries::small,
        "small programs of Debian that were built for Open MPI and MPICH"),
    step("binaries-all", (ALL_ALONE, Installation), binaries::all,
        "programs of Debian and PyPI for Open MPI and MPICH, each beside its run on its own MPI"),
    step("low", (FROM_CI, Installation), low::run,
        "the low layer from C, as it is installed, over sm, tcp and libfabric"),
    step("manuals", (FROM_CI, Installation), manuals::run,
        "manual pages of programs and of each function: mandoc and groff silent, man shows them"),
    step("wrong", (FROM_CI, Installation), wrong::run,
        "each wrong argument raises the class of error that the function's manual page names"),
    step("demo", (FROM_CI, Installation), packages::demo,
        "the first command of a newcomer: a picture that four ranks draw"),
    step("completions", (ALL_ALONE, Installation), packages::completions,
        "bash, fish and zsh complete the options of mpirun"),
    step("tarball", (ALL_ALONE, Installation), packages::tarball,
        "the archive for any folder: unpacked, moved, compiled with"),
    step("wheel", (ALL_ALONE, Sources), packages::wheel,
        "the wheel, built twice: small, for old systems, in a new environment with mpi4py"),
    step("recipes", (ALL_ALONE, Installation), packages::recipes,
        "the module of Lmod loaded, the recipes of Spack and conda read"),
    step("debian", (ALL_ALONE, Installation), packages::debian,
        "the Debian packages on a fresh Debian: installed, used, removed (as root)"),
    step("torture", (CI_SIZE, Installation), torture::run,
        "a second of buffers that come and go under five allocators, with registrations kept"),
    step("rough", (FROM_CI, Installation), rough::run,
        "a machine that denies things: no copies between processes, no temporary folder"),
    step("scarce", (FROM_CI, Installation), scarce::run,
        "a machine short of memory: segments, rings, files, groups, /dev/shm, huge pages"),
    step("files", (FROM_CI, Installation), files::run,
        "files whose device, file system or limit denies what is asked"),
    step("files-long", (ALL_ALONE, Installation), files::long,
        "a million records of each rank, random accesses to files from a hundred seeds"),
    step("limits", (CI_SIZE, Installation), limits::run,
        "beginnings with ever less memory and descriptors, over every transport"),
    step("faults", (CI_SIZE, Installation), faults::run,
        "sessions in which one system call or call of libfabric fails, in turn"),
    step("disturbed", (FROM_CI, Installation), disturbed::run,
        "ranks killed and stopped at any moment of an exchange"),
    step("contended", (FROM_CI, Installation), contended::run,
        "waits and polls of ranks that share cores with each other and with other programs"),
    step("smsc", (FROM_CI, Installation), copies::run,
        "large messages by each single-copy component, forced, excluded and switched off"),
    step("start", (FROM_CI, Installation), start::run,
        "what starting touches, and the memory of peers that nobody speaks to"),
    step("failures", (FROM_CI, Installation), failures::run,
        "ranks that fail, calls at the wrong time, wrong parameters, other launchers"),
    step("explain", (FROM_CI, Installation), explain::run,
        "what is told of who talks to whom, and ranks that disagree"),
    step("restarts", (FROM_CI, Installation), restarts::run,
        "ranks that are killed and started again by a log of messages"),
    step("restarts-long", (ALL_ALONE, Installation), restarts::long,
        "ranks killed at 200 steps of each program, and started again"),
    step("restarts-python", (PART, Installation), restarts::python::short,
        "mpi4py's messages with ranks killed at 40 moments, as part of restarts-python-long"),
    step("restarts-python-long", (ALL_ALONE, Installation), restarts::python::long,
        "mpi4py's point-to-point tests with a rank killed at any of 400 moments"),
    step("ulfm", (FROM_CI, Installation), mitigation::run,
        "an example that goes on when ranks are killed"),
    step("ulfm-long", (ALL_ALONE, Installation), mitigation::long,
        "1,000 replacements of killed ranks, 600 deaths that are timed, mpi4py's tests of ULFM"),
    step("waits", (FROM_CI, Installation), waits::run,
        "programs that never end, and what is told of who waits for whom"),
    step("waits-tcp", (ALL_ALONE, Installation), waits::over_tcp,
        "the same over TCP"),
    step("waiting", (FROM_CI, Installation), waiting::run,
        "right programs whose ranks are stopped: none is called deadlocked, and wrong ones are"),
    step("waiting-long", (ALL_ALONE, Installation), waiting::all,
        "all C programs with ranks stopped, and over TCP: none is called deadlocked"),
    step("check", (FROM_CI, Installation), checks::run,
        "what --check reports of wrong programs, and that it is silent about right ones"),
    step("checks-right", (ALL_ALONE, Installation), checks::right,
        "all C programs under --check, which end as they do without"),
    step("trace", (FROM_CI, Installation), trace::run,
        "a trace of a program whose calls are known, and of one that is killed"),
    step("debuggers", (FROM_CI, Installation), debuggers::run,
        "what gdb reads in mpirun, ranks that are held for it, and tools"),
    step("memcheck", (FROM_CI, Installation), memcheck::quick,
        "messages, collectives, windows and a file under valgrind, which has nothing to report"),
    step("memcheck-all", (ALL_ALONE, Installation), memcheck::all,
        "programs of the suite under valgrind, over shared memory and TCP"),
    step("sanitizers", (ALL_ALONE, Installation), memcheck::sanitizers,
        "programs of the suite with the sanitizers of gcc and clang, which have nothing to report"),
    step("ports", (FROM_CI, Installation), ports::run,
        "two jobs that connect and disconnect ten times, and one of which a rank is killed"),
    step("killed", (CI_SIZE, Installation), killed::run,
        "a process of jobs that connect or spawn is killed at a random moment, from a few seeds"),
    step("tool", (FROM_CI, Installation), programs::tool,
        "a profiling library with its own MPI_Send, loaded first"),
    step("fortran", (FROM_CI, Installation), fortran::run,
        "programs in Fortran by its three interfaces, array sections from a few seeds"),
    step("swap", (FROM_CI, Installation), programs::swap,
        "one binary on oxmpi, MPICH and Intel MPI, by the library path alone"),
    step("netpipe", (FROM_CI, Installation), third_party::netpipe,
        "NetPIPE, from Debian's source archive"),
    step("mpich-examples", (FROM_CI, Installation), third_party::mpich_examples,
        "the examples of MPICH, from Debian's source archive"),
    step("conformance", (FROM_CI, Installation), conformance::step,
        "MPICH's test suite, from Debian's source archive, on up to 4 ranks, without its bulk"),
    step("fortran-programs", (FROM_CI, Installation), third_party::fortran,
        "mpgrafic and a solver of hypre, in Fortran, from Debian's source archives"),
    step("mpi4py", (CI_SIZE, Installation), third_party::mpi4py,
        "the whole suite of mpi4py on 2 ranks, its pools on 4"),
    step("hosts", (FROM_CI, Installation), hosts::run,
        "four hosts, by our mpirun, Slurm's srun, MPICH's mpiexec and Open MPI's mpirun"),
    step("rsmpi", (FROM_CI, Installation), third_party::rsmpi,
        "the mpi crate: its examples and tests"),
    step("fortran-all", (ALL_ALONE, Installation), fortran::all,
        "array sections from many seeds, and the programs in Fortran by other compilers"),
    step("conformance-bulk", (ALL_ALONE, Installation), conformance::bulk,
        "the bulk of MPICH's suite: tests that make or move much data, two fifths of its time"),
    step("conformance-legacy", (ALL_ALONE, Installation), conformance::legacy,
        "MPICH's suite compiled for Open MPI and for MPICH, on the libraries for these"),
    step("fortran-mpich", (ALL_ALONE, Installation), conformance::fortran::step,
        "the Fortran programs of MPICH's test suite, on up to 4 ranks"),
    step("hypre", (ALL_ALONE, Installation), third_party::hypre,
        "the whole of hypre and its examples in Fortran, from Debian's source archive"),
    step("dtfft", (ALL_ALONE, Installation), third_party::dtfft,
        "dtfft's tests, built by CMake in Fortran 2018, on 1 and 2 ranks"),
    step("netcdf-fortran", (ALL_ALONE, Installation), third_party::netcdf_fortran,
        "netcdf-fortran's parallel tests over NetCDF, on 4 and 8 ranks"),
    step("rails", (ALL_ALONE, Sources), rails::run,
        "TCP over two networks between two hosts: bridges, bandwidth, cuts"),
    step("count", (ALL_ALONE, Sources), count::run,
        "instructions of a message of 8 bytes, and loads that wait for stores, built for release"),
    step("large", (ALL_ALONE, Installation), large::run,
        "messages and packing of 3 GiB, by counts that do not fit an int"),
    step("hosts-all", (ALL_ALONE, Installation), hosts::all,
        "all of mpi4py's files over four hosts by each launcher"),
    step("hosts-cut", (ALL_ALONE, Installation), hosts::cuts,
        "jobs over two hosts whose network is cut for 10 and 25 s"),
    step("hosts-restarts", (PART, Installation), hosts::restarts::short,
        "ranks and hosts lost 40 times in each program, as part of hosts-restarts-long"),
    step("hosts-restarts-long", (ALL_ALONE, Installation), hosts::restarts::long,
        "ranks and hosts lost 200 times in each program, and started again on what is left"),
    step("hosts-newer", (ALL_ALONE, Installation), hosts::newer,
        "programs over four hosts by the launchers of MPICH 5, Intel MPI and Open MPI 5"),
    step("armci", (ALL_ALONE, Installation), third_party::armci,
        "ARMCI-MPI's tests, on 4 ranks, over shared memory and TCP"),
    step("pnetcdf", (ALL_ALONE, Installation), third_party::pnetcdf,
        "PnetCDF's tests in C and Fortran, on 1 to 10 ranks"),
    step("hdf5", (ALL_ALONE, Installation), third_party::hdf5,
        "HDF5's parallel tests in C and Fortran, on 2 and 4 ranks"),
    step("netcdf", (ALL_ALONE, Installation), third_party::netcdf,
        "NetCDF's parallel tests over HDF5 and PnetCDF, on 1 to 16 ranks"),
    step("h5py", (ALL_ALONE, Installation), third_party::h5py,
        "h5py's tests of MPI over HDF5 and mpi4py, on 1, 2 and 4 ranks"),
    step("mpich-errors", (ALL_ALONE, Installation), conformance::errors,
        "those of MPICH's tests that make mistakes, on up to 4 ranks"),
    step("mpi4py-all", (ALL_ALONE, Installation), third_party::mpi4py_all,
        "the whole suite of mpi4py on 1 to 4 ranks, and mpi4py-fft on 4"),
    step("mpi4py-wheel", (ALL_ALONE, Installation), third_party::wheel::all,
        "the whole suite of mpi4py by its wheel, through its two interfaces, on 1 to 3 ranks"),
    step("mpi4py-ompi40", (PART, Installation), third_party::wheel::ompi40,
        "mpi4py's wheel through Open MPI's interface, as part of mpi4py-wheel"),
    step("mpi4py-mpich12", (PART, Installation), third_party::wheel::mpich12,
        "mpi4py's wheel through MPICH's interface, as part of mpi4py-wheel"),
    step("mpi4py-files", (PART, Installation), third_party::mpi4py_files,
        "mpi4py's tests of files on 1 to 4 ranks, as part of mpi4py-all"),
    step("mpi4py-ofi-all", (ALL_ALONE, Installation), third_party::mpi4py_ofi_all,
        "mpi4py over every provider, on 2 and 3 ranks, and over a newer shm"),
    step("mpi4py-ofi", (PART, Installation), third_party::mpi4py_ofi,
        "mpi4py over tcp;ofi_rxm on 2 ranks, as part of mpi4py-ofi-all"),
    step("rust-long", (ALL_ALONE, Sources), cargo::long,
        "tests of crates whose rounds and inputs are random, with four times as many as in `rust`"),
    step("libfabric", (ALL_ALONE, Sources), cargo::libfabric,
        "all suites over libfabric, Debian's and a newer one"),
    step("ofi-all", (ALL_ALONE, Installation), ofi::all,
        "every C program over tcp;ofi_rxm in both ways, what fits other providers, a newer shm"),
    step("rma-all", (ALL_ALONE, Installation), windows::all,
        "windows over every transport and between hosts: programs, mpi4py's tests, MPICH's"),
    step("rma-sm", (PART, Installation), windows::over_sm,
        "windows over shared memory, as part of rma-all"),
    step("rma-am", (PART, Installation), windows::by_messages,
        "windows over shared memory by messages, as part of rma-all"),
    step("rma-tcp", (PART, Installation), windows::over_tcp,
        "windows over TCP, as part of rma-all"),
    step("rma-rxm", (PART, Installation), windows::over_rxm,
        "windows over tcp;ofi_rxm, as part of rma-all"),
    step("rma-shm", (PART, Installation), windows::over_shm,
        "windows over libfabric's shm, as part of rma-all"),
    step("rma-rxd", (PART, Installation), windows::over_rxd,
        "windows over udp;ofi_rxd, as part of rma-all"),
    step("rma-sockets", (PART, Installation), windows::over_sockets,
        "windows over sockets, as part of rma-all"),
    step("rma-hosts", (PART, Installation), windows::between_hosts,
        "windows between hosts, as part of rma-all"),
    step("sessions-long", (ALL_ALONE, Installation), sessions::long,
        "ten thousand sessions over each transport, a thousand by four threads"),
    step("ports-long", (ALL_ALONE, Installation), ports::long,
        "two jobs that connect a thousand times, and that exchange 1 GiB ten times"),
    step("spawns-long", (ALL_ALONE, Installation), spawns::long,
        "a thousand spawns, a spawn beside other MPIs, and 400 jobs of which a process is killed"),
    step("hosts-ports", (ALL_ALONE, Installation), hosts::ports,
        "processes that spawn on several hosts, and two jobs that exchange 1 GiB ten times"),
    step("killed-all", (ALL_ALONE, Installation), killed::all,
        "the same from 100 seeds"),
    step("faults-all", (ALL_ALONE, Installation), faults::all,
        "the same with every call, and over tcp;ofi_rxm"),
    step("limits-all", (ALL_ALONE, Installation), limits::all,
        "the same in small steps, also where a beginning takes 80 MB"),
    step("torture-long", (ALL_ALONE, Installation), torture::long,
        "the same on every number of ranks and threads, a minute of each"),
    step("fuzz", (ALL_ALONE, Sources), cargo::fuzz,
        "any bytes for what reads the bytes of peers, launchers and users: a minute"),
    step("vm-rdma", (ALL_ALONE, Sources), cargo::vm_rdma,
        "RDMA in a virtual machine with a device in software; a real device: by hand"),
];

const fn step(
    name: &'static str,
    (tiers, needs): (&'static [Tier], Needs),
    run: fn(&World) -> Result<Tally, String>,
    about: &'static str,
) -> Step {
    Step {
        name,
        about,
        tiers,
        needs,
        run,
    }
}

impl Step {
    /// Runs it, and says as a failure what it lacks.
    pub fn tally(&self, world: &World) -> Tally {
        let ready = match self.needs {
            Sources => Ok(()),
            Installation => world.install(),
        };
        let ended = ready.and_then(|()| (self.run)(world));
        ended.unwrap_or_else(|why| Tally {
            passed: 0,
            failed: vec![format!("could not run: {why}")],
        })
    }

    /// Returns the words for its tiers.
    pub fn told(&self) -> &'static str {
        let is_in = |tier| self.tiers.contains(&tier);
        match (is_in(Quick), is_in(Ci), is_in(All)) {
            (true, true, true) => "quick, ci, all",
            (true, _, _) => "quick",
            (_, true, true) => "ci, all",
            (_, true, _) => "ci",
            (_, _, true) => "all",
            _ => "by name",
        }
    }
}

/// Returns the steps of a tier; with `only`, those of them whose name has this text, or the step of
/// any tier whose whole name it is.
pub fn selected(tier: Tier, only: Option<&str>) -> Result<Vec<&'static Step>, String> {
    let of_tier = STEPS.iter().filter(|step| step.tiers.contains(&tier));
    let Some(only) = only else {
        return Ok(of_tier.collect());
    };
    if let Some(step) = STEPS.iter().find(|step| step.name == only) {
        return Ok(vec![step]);
    }
    let narrowed: Vec<_> = of_tier.filter(|step| step.name.contains(only)).collect();
    match narrowed.is_empty() {
        true => {
            let known = STEPS.iter().map(|step| step.name);
            Err(names::unknown("step", only, known))
        }
        false => Ok(narrowed),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(steps: &[&Step]) -> Vec<&'static str> {
        steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn names_are_unique_and_every_step_is_run_by_some_tier_or_step() {
        let unique: BTreeSet<&str> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(unique.len(), STEPS.len());
        for step in STEPS {
            let is_part = step.about.contains("as part of");
            assert_eq!(step.tiers.is_empty(), is_part, "{}", step.name);
        }
    }

    #[test]
    fn what_is_run_in_part_is_run_whole_by_a_wider_tier() {
        let whole = |name: &str| match name {
            "changed" => "rust".to_string(),
            "c-quick" => "c-sm".to_string(),
            "clippy-changed" => "clippy".to_string(),
            "docs-changed" => "docs".to_string(),
            "torture" => "torture-long".to_string(),
            name => format!("{name}-all"),
        };
        for step in STEPS.iter().filter(|step| !step.tiers.is_empty()) {
            if !step.tiers.contains(&All) {
                let wider = selected(All, Some(&whole(step.name))).unwrap();
                assert!(wider[0].tiers.contains(&All), "{}", step.name);
            }
        }
    }

    #[test]
    fn quick_checks_are_continuous_integrations_too() {
        let quick = names(&selected(Quick, None).unwrap());
        let ci = names(&selected(Ci, None).unwrap());
        let of_quick_alone = quick.iter().filter(|name| !ci.contains(name));
        let sized = ["clippy-changed", "docs-changed", "changed", "c-quick"];
        assert!(of_quick_alone.eq(sized.iter()));
        assert!(quick.len() < 10);
    }

    #[test]
    fn the_installation_is_made_before_the_steps_that_need_it() {
        for tier in [Quick, Ci, All] {
            let steps = selected(tier, None).unwrap();
            let at = steps.iter().position(|step| step.name == INSTALL);
            let first = steps.iter().position(|step| step.needs == Installation);
            assert!(at.is_some() && at < first, "{tier:?}");
        }
    }

    #[test]
    fn what_runs_beside_another_step_comes_after_it() {
        let place = |name: &str| STEPS.iter().position(|step| step.name == name).unwrap();
        for (working, waiting) in BESIDE {
            let chain: Vec<usize> = [working]
                .into_iter()
                .chain(*waiting)
                .map(|name| place(name))
                .collect();
            assert!(chain.is_sorted(), "{working}: {waiting:?}");
        }
    }

    #[test]
    fn only_narrows_a_tier_or_names_any_step() {
        let only = |tier, text| selected(tier, Some(text)).map(|steps| names(&steps));
        assert_eq!(only(Ci, "c-"), Ok(vec!["c-sm", "c-tcp"]));
        assert_eq!(only(Quick, "c-"), Ok(vec!["c-quick"]));
        assert_eq!(only(Ci, "rails"), Ok(vec!["rails"]));
        assert_eq!(only(Ci, "rma-sm"), Ok(vec!["rma-sm"]));
        let why = only(Ci, "conformence").unwrap_err();
        assert!(why.contains("conformance"), "{why}");
    }
}
