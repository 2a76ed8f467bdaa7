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
use crate::case::{Case, Group, Needs};
use crate::world::{Tally, World};
use crate::{conformance, third_party};
use xtask::{install, names};
use Needs::{Installation, Sources};
use Tier::{All, Ci, Quick};
use Work::{Cases, Whole};

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

/// A step: what it checks and how.
pub struct Step {
    pub name: &'static str,
    pub about: &'static str,
    /// The tiers that run it; none where it is a part of another step, and run by its name alone.
    pub tiers: &'static [Tier],
    pub needs: Needs,
    work: Work,
}

/// The work of a step.
#[derive(Clone, Copy)]
enum Work {
    /// Cases that are known without running them.
    Cases(fn() -> Result<Vec<Case>, String>),
    /// One test, whose cases are known only while it runs.
    Whole(fn(&World) -> Result<Tally, String>),
}

/// The step that makes the installation under test.
pub const INSTALL: &str = "install";

/// The step that most of what is prepared is for.
pub const PREPARED: &str = "conformance";

/// Steps of one test that leave room for others beside them, and measure no time: they wait, or
/// have one program at a time do its work. As many of each kind would fill the machine.
const SHARED: &[(&str, usize)] = &[
    ("rust", 2),
    ("loom", 2),
    ("legacy", 2),
    ("binaries", 2),
    ("manuals", 2),
    ("wrong", 2),
    ("explain", 2),
    ("tool", 2),
    ("fortran", 2),
    ("swap", 2),
    ("mpich-examples", 2),
    ("count-ci", 2),
    ("conformance", 2),
    ("hosts", 4),
    ("rsmpi", 4),
    ("fortran-programs", 2),
    ("mpi4py", 2),
];

const ALWAYS: &[Tier] = &[Quick, Ci, All];
const FROM_CI: &[Tier] = &[Ci, All];
/// Steps whose time continuous integration spends better on others.
const ALL_ALONE: &[Tier] = &[All];
/// As much as fits: a wider tier runs more of the same.
const QUICK_SIZE: &[Tier] = &[Quick];
const CI_SIZE: &[Tier] = &[Ci];
/// A part of another step.
const PART: &[Tier] = &[];

/// The steps in the order in which they run: what is quick to fail comes first.
#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    step("format", (ALWAYS, Sources), Whole(cargo::format),
        "the layout of the sources is rustfmt's"),
    step("style", (ALWAYS, Sources), Whole(cargo::style),
        "generated files are fresh, the style holds"),
    step("clippy-changed", (QUICK_SIZE, Sources), Whole(cargo::clippy_changed),
        "the lints of the crates that depend on what differs from main"),
    step("clippy", (FROM_CI, Sources), Whole(cargo::clippy),
        "every target, without a warning of rustc or clippy"),
    step("docs-changed", (QUICK_SIZE, Sources), Whole(cargo::docs_changed),
        "the documentation of the crates whose files differ from main"),
    step("docs", (FROM_CI, Sources), Whole(cargo::docs),
        "the documentation of every item, without a warning of rustdoc"),
    step("changed", (QUICK_SIZE, Sources), Whole(cargo::changed),
        "the tests of the crates that depend on what differs from main but for comments"),
    step("rust", (FROM_CI, Sources), Whole(cargo::tests),
        "unit, property, conformance and simulation tests of every crate"),
    step("loom", (FROM_CI, Sources), Whole(cargo::loom),
        "every interleaving of the rings and queues"),
    step("sim", (FROM_CI, Sources), Cases(cargo::simulation),
        "10,000 jobs of eight ranks over a simulated network, each from its seed"),
    step(INSTALL, (ALWAYS, Sources), Whole(cargo::install),
        "an installation under target/test, from the build of the tests or of the profile `ci`"),
    step("c-quick", (QUICK_SIZE, Installation), Cases(programs::quick),
        "the C programs that are marked `quick`, over shared memory"),
    step("c-sm", (FROM_CI, Installation), Cases(programs::over_sm),
        "C programs through the ABI, over shared memory"),
    step("c-tcp", (FROM_CI, Installation), Cases(programs::over_tcp),
        "C programs through the ABI, over TCP"),
    step("ofi", (FROM_CI, Installation), Cases(ofi::run),
        "C programs about transports over libfabric: tcp;ofi_rxm by ob1 and by cm, rxd, shm"),
    step("legacy", (FROM_CI, Installation), Whole(legacy::run),
        "programs compiled for MPICH and for Open MPI, by a library path alone"),
    step("binaries", (CI_SIZE, Installation), Whole(binaries::small),
        "small programs of Debian that were built for Open MPI and MPICH"),
    step("binaries-all", (ALL_ALONE, Installation), Whole(binaries::all),
        "programs of Debian and PyPI for Open MPI and MPICH, each beside its run on its own MPI"),
    step("low", (FROM_CI, Installation), Cases(low::run),
        "the low layer from C, as it is installed, over sm, tcp and libfabric"),
    step("manuals", (FROM_CI, Installation), Whole(manuals::run),
        "manual pages of programs and of each function: mandoc and groff silent, man shows them"),
    step("wrong", (FROM_CI, Installation), Whole(wrong::run),
        "each wrong argument raises the class of error that the function's manual page names"),
    step("demo", (FROM_CI, Installation), Whole(packages::demo),
        "the first command of a newcomer: a picture that four ranks draw"),
    step("completions", (ALL_ALONE, Installation), Whole(packages::completions),
        "bash, fish and zsh complete the options of mpirun"),
    step("tarball", (ALL_ALONE, Installation), Whole(packages::tarball),
        "the archive for any folder: unpacked, moved, compiled with"),
    step("wheel", (ALL_ALONE, Sources), Whole(packages::wheel),
        "the wheel, built twice: small, for old systems, in a new environment with mpi4py"),
    step("recipes", (ALL_ALONE, Installation), Whole(packages::recipes),
        "the module of Lmod loaded, the recipes of Spack and conda read"),
    step("debian", (ALL_ALONE, Installation), Whole(packages::debian),
        "the Debian packages on a fresh Debian: installed, used, removed (as root)"),
    step("torture", (CI_SIZE, Installation), Whole(torture::run),
        "a second of buffers that come and go under five allocators, with registrations kept"),
    step("rough", (FROM_CI, Installation), Whole(rough::run),
        "a machine that denies things: no copies between processes, no temporary folder"),
    step("scarce", (FROM_CI, Installation), Whole(scarce::run),
        "a machine short of memory: segments, rings, files, groups, /dev/shm, huge pages"),
    step("files", (FROM_CI, Installation), Whole(files::run),
        "files whose device, file system or limit denies what is asked"),
    step("files-long", (ALL_ALONE, Installation), Whole(files::long),
        "a million records of each rank, random accesses to files from a hundred seeds"),
    step("limits", (CI_SIZE, Installation), Cases(limits::run),
        "beginnings with ever less memory and descriptors, over every transport"),
    step("faults", (CI_SIZE, Installation), Cases(faults::run),
        "sessions in which one system call or call of libfabric fails, in turn"),
    step("disturbed", (FROM_CI, Installation), Cases(disturbed::run),
        "ranks killed and stopped at any moment of an exchange"),
    step("contended", (FROM_CI, Installation), Whole(contended::run),
        "waits and polls of ranks that share cores with each other and with other programs"),
    step("smsc", (FROM_CI, Installation), Cases(copies::run),
        "large messages by each single-copy component, forced, excluded and switched off"),
    step("start", (FROM_CI, Installation), Whole(start::run),
        "what starting touches, and the memory of peers that nobody speaks to"),
    step("failures", (FROM_CI, Installation), Cases(failures::run),
        "ranks that fail, calls at the wrong time, wrong parameters, other launchers"),
    step("explain", (FROM_CI, Installation), Whole(explain::run),
        "what `--explain` reports of transports between ranks, and ranks that disagree"),
    step("restarts", (FROM_CI, Installation), Whole(restarts::run),
        "ranks that are killed and started again by a log of messages"),
    step("restarts-long", (ALL_ALONE, Installation), Whole(restarts::long),
        "ranks killed at 200 steps of each program, and started again"),
    step("restarts-python", (PART, Installation), Whole(restarts::python::short),
        "mpi4py's messages with ranks killed at 40 moments, as part of restarts-python-long"),
    step("restarts-python-long", (ALL_ALONE, Installation), Whole(restarts::python::long),
        "mpi4py's point-to-point tests with a rank killed at any of 400 moments"),
    step("ulfm", (FROM_CI, Installation), Whole(mitigation::run),
        "an example that goes on when ranks are killed"),
    step("ulfm-long", (ALL_ALONE, Installation), Whole(mitigation::long),
        "1,000 replacements of killed ranks, 600 deaths that are timed, mpi4py's tests of ULFM"),
    step("waits", (FROM_CI, Installation), Cases(waits::run),
        "programs that never end, and the report of which rank waits for which"),
    step("waits-tcp", (ALL_ALONE, Installation), Cases(waits::over_tcp),
        "programs that never end over TCP, and the report of which rank waits for which"),
    step("waiting", (FROM_CI, Installation), Whole(waiting::run),
        "right programs whose ranks are stopped: none is called deadlocked, and wrong ones are"),
    step("waiting-long", (ALL_ALONE, Installation), Whole(waiting::all),
        "all C programs with ranks stopped, and over TCP: none is called deadlocked"),
    step("check", (FROM_CI, Installation), Cases(checks::run),
        "what --check reports of wrong programs, and that it is silent about right ones"),
    step("checks-right", (ALL_ALONE, Installation), Cases(checks::right),
        "all C programs under --check, which end as they do without"),
    step("trace", (FROM_CI, Installation), Whole(trace::run),
        "a trace of a program whose calls are known, and of one that is killed"),
    step("debuggers", (FROM_CI, Installation), Cases(debuggers::run),
        "what gdb reads in mpirun, ranks that are held for it, and tools"),
    step("memcheck", (FROM_CI, Installation), Whole(memcheck::quick),
        "messages, collectives, windows and a file under valgrind, which has nothing to report"),
    step("memcheck-all", (ALL_ALONE, Installation), Whole(memcheck::all),
        "programs of the suite under valgrind, over shared memory and TCP"),
    step("sanitizers", (ALL_ALONE, Installation), Whole(memcheck::sanitizers),
        "programs of the suite with the sanitizers of gcc and clang, which have nothing to report"),
    step("ports", (FROM_CI, Installation), Whole(ports::run),
        "two jobs that connect and disconnect ten times, and one of which a rank is killed"),
    step("killed", (CI_SIZE, Installation), Whole(killed::run),
        "a process of jobs that connect or spawn is killed at a random moment, from a few seeds"),
    step("tool", (FROM_CI, Installation), Whole(programs::tool),
        "a profiling library with its own MPI_Send, loaded first"),
    step("fortran", (FROM_CI, Installation), Whole(fortran::run),
        "programs in Fortran by its three interfaces, array sections from a few seeds"),
    step("swap", (FROM_CI, Installation), Whole(programs::swap),
        "one binary on oxmpi, MPICH and Intel MPI, by the library path alone"),
    step("netpipe", (FROM_CI, Installation), Whole(third_party::netpipe),
        "NetPIPE, from Debian's source archive"),
    step("mpich-examples", (FROM_CI, Installation), Whole(third_party::mpich_examples),
        "the examples of MPICH, from Debian's source archive"),
    step("count-ci", (CI_SIZE, Installation), Whole(count::ci),
        "instructions of `count` but for other interfaces', in continuous integration's build"),
    step("hosts", (FROM_CI, Installation), Whole(hosts::run),
        "four hosts, by our mpirun, Slurm's srun, MPICH's mpiexec and Open MPI's mpirun"),
    step("batch", (FROM_CI, Installation), Whole(hosts::batch::run),
        "hosts without sshd in allocations of Slurm and Grid Engine"),
    step("rsmpi", (FROM_CI, Installation), Whole(third_party::rsmpi),
        "the mpi crate: its examples and tests"),
    step("conformance", (FROM_CI, Installation), Whole(conformance::step),
        "MPICH's test suite, from Debian's source archive, on up to 4 ranks, without its bulk"),
    step("fortran-programs", (FROM_CI, Installation), Whole(third_party::fortran),
        "mpgrafic and a solver of hypre, in Fortran, from Debian's source archives"),
    step("mpi4py", (CI_SIZE, Installation), Whole(third_party::mpi4py),
        "the whole suite of mpi4py on 2 ranks, its pools on 4"),
    step("fortran-all", (ALL_ALONE, Installation), Whole(fortran::all),
        "array sections from many seeds, and the programs in Fortran by other compilers"),
    step("conformance-bulk", (ALL_ALONE, Installation), Whole(conformance::bulk),
        "the bulk of MPICH's suite: tests that make or move much data, two fifths of its time"),
    step("conformance-legacy", (ALL_ALONE, Installation), Whole(conformance::legacy),
        "MPICH's suite compiled for Open MPI and for MPICH, on the libraries for these"),
    step("fortran-mpich", (ALL_ALONE, Installation), Whole(conformance::fortran::step),
        "the Fortran programs of MPICH's test suite, on up to 4 ranks"),
    step("hypre", (ALL_ALONE, Installation), Whole(third_party::hypre),
        "the whole of hypre and its examples in Fortran, from Debian's source archive"),
    step("dtfft", (ALL_ALONE, Installation), Whole(third_party::dtfft),
        "dtfft's tests, built by CMake in Fortran 2018, on 1 and 2 ranks"),
    step("netcdf-fortran", (ALL_ALONE, Installation), Whole(third_party::netcdf_fortran),
        "netcdf-fortran's parallel tests over NetCDF, on 4 and 8 ranks"),
    step("rails", (ALL_ALONE, Sources), Whole(rails::run),
        "TCP over two networks between two hosts: bridges, bandwidth, cuts"),
    step("count", (ALL_ALONE, Sources), Whole(count::run),
        "instructions of a message of 8 bytes, of accesses and collectives, built for release"),
    step("large", (ALL_ALONE, Installation), Whole(large::run),
        "messages and packing of 3 GiB, by counts that do not fit an int"),
    step("hosts-all", (ALL_ALONE, Installation), Whole(hosts::all),
        "all of mpi4py's files over four hosts by each launcher"),
    step("batch-all", (ALL_ALONE, Installation), Whole(hosts::batch::all),
        "the same, cancelled at ten moments, a time limit, parts of mpi4py"),
    step("hosts-cut", (ALL_ALONE, Installation), Whole(hosts::cuts),
        "jobs over two hosts whose network is cut for 10 and 25 s"),
    step("hosts-restarts", (PART, Installation), Whole(hosts::restarts::short),
        "ranks and hosts lost 40 times in each program, as part of hosts-restarts-long"),
    step("hosts-restarts-long", (ALL_ALONE, Installation), Whole(hosts::restarts::long),
        "ranks and hosts lost 200 times in each program, and started again on what is left"),
    step("hosts-newer", (ALL_ALONE, Installation), Whole(hosts::newer),
        "programs over four hosts by the launchers of MPICH 5, Intel MPI and Open MPI 5"),
    step("armci", (ALL_ALONE, Installation), Whole(third_party::armci),
        "ARMCI-MPI's tests, on 4 ranks, over shared memory and TCP"),
    step("pnetcdf", (ALL_ALONE, Installation), Whole(third_party::pnetcdf),
        "PnetCDF's tests in C and Fortran, on 1 to 10 ranks"),
    step("hdf5", (ALL_ALONE, Installation), Whole(third_party::hdf5),
        "HDF5's parallel tests in C and Fortran, on 2 and 4 ranks"),
    step("netcdf", (ALL_ALONE, Installation), Whole(third_party::netcdf),
        "NetCDF's parallel tests over HDF5 and PnetCDF, on 1 to 16 ranks"),
    step("h5py", (ALL_ALONE, Installation), Whole(third_party::h5py),
        "h5py's tests of MPI over HDF5 and mpi4py, on 1, 2 and 4 ranks"),
    step("mpich-errors", (ALL_ALONE, Installation), Whole(conformance::errors),
        "MPICH's tests that make mistakes, on up to 4 ranks"),
    step("mpi4py-all", (ALL_ALONE, Installation), Whole(third_party::mpi4py_all),
        "the whole suite of mpi4py on 1 to 4 ranks, and mpi4py-fft on 4"),
    step("mpi4py-wheel", (ALL_ALONE, Installation), Whole(third_party::wheel::all),
        "the whole suite of mpi4py by its wheel, through its two interfaces, on 1 to 3 ranks"),
    step("mpi4py-ompi40", (PART, Installation), Whole(third_party::wheel::ompi40),
        "mpi4py's wheel through Open MPI's interface, as part of mpi4py-wheel"),
    step("mpi4py-mpich12", (PART, Installation), Whole(third_party::wheel::mpich12),
        "mpi4py's wheel through MPICH's interface, as part of mpi4py-wheel"),
    step("mpi4py-files", (PART, Installation), Whole(third_party::mpi4py_files),
        "mpi4py's tests of files on 1 to 4 ranks, as part of mpi4py-all"),
    step("mpi4py-ofi-all", (ALL_ALONE, Installation), Whole(third_party::mpi4py_ofi_all),
        "mpi4py over every provider, on 2 and 3 ranks, and over a newer shm"),
    step("mpi4py-ofi", (PART, Installation), Whole(third_party::mpi4py_ofi),
        "mpi4py over tcp;ofi_rxm on 2 ranks, as part of mpi4py-ofi-all"),
    step("rust-long", (ALL_ALONE, Sources), Whole(cargo::long),
        "tests of crates whose rounds and inputs are random, with four times as many as in `rust`"),
    step("libfabric", (ALL_ALONE, Sources), Whole(cargo::libfabric),
        "all suites over libfabric, Debian's and a newer one"),
    step("ofi-all", (ALL_ALONE, Installation), Cases(ofi::all),
        "every C program over tcp;ofi_rxm in both ways, what fits other providers, a newer shm"),
    step("rma-all", (ALL_ALONE, Installation), Whole(windows::all),
        "windows over every transport and between hosts: programs, mpi4py's tests, MPICH's"),
    step("rma-sm", (PART, Installation), Whole(windows::over_sm),
        "windows over shared memory, as part of rma-all"),
    step("rma-am", (PART, Installation), Whole(windows::by_messages),
        "windows over shared memory by messages, as part of rma-all"),
    step("rma-tcp", (PART, Installation), Whole(windows::over_tcp),
        "windows over TCP, as part of rma-all"),
    step("rma-rxm", (PART, Installation), Whole(windows::over_rxm),
        "windows over tcp;ofi_rxm, as part of rma-all"),
    step("rma-shm", (PART, Installation), Whole(windows::over_shm),
        "windows over libfabric's shm, as part of rma-all"),
    step("rma-rxd", (PART, Installation), Whole(windows::over_rxd),
        "windows over udp;ofi_rxd, as part of rma-all"),
    step("rma-sockets", (PART, Installation), Whole(windows::over_sockets),
        "windows over sockets, as part of rma-all"),
    step("rma-hosts", (PART, Installation), Whole(windows::between_hosts),
        "windows between hosts, as part of rma-all"),
    step("sessions-long", (ALL_ALONE, Installation), Whole(sessions::long),
        "ten thousand sessions over each transport, a thousand by four threads"),
    step("ports-long", (ALL_ALONE, Installation), Whole(ports::long),
        "two jobs that connect a thousand times, and that exchange 1 GiB ten times"),
    step("spawns-long", (ALL_ALONE, Installation), Whole(spawns::long),
        "a thousand spawns, a spawn beside other MPIs, and 400 jobs of which a process is killed"),
    step("hosts-ports", (ALL_ALONE, Installation), Whole(hosts::ports),
        "processes that spawn on several hosts, and two jobs that exchange 1 GiB ten times"),
    step("killed-all", (ALL_ALONE, Installation), Whole(killed::all),
        "a process of jobs that connect or spawn is killed at a random moment, from 100 seeds"),
    step("faults-all", (ALL_ALONE, Installation), Cases(faults::all),
        "sessions in which each system call or call of libfabric fails, also over tcp;ofi_rxm"),
    step("limits-all", (ALL_ALONE, Installation), Cases(limits::all),
        "beginnings with less memory and descriptors in small steps, some of which need 80 MB"),
    step("torture-long", (ALL_ALONE, Installation), Whole(torture::long),
        "buffers that come and go, on every number of ranks and threads, a minute of each"),
    step("fuzz", (ALL_ALONE, Sources), Whole(cargo::fuzz),
        "any bytes for what reads the bytes of peers, launchers and users: a minute"),
    step("vm-rdma", (ALL_ALONE, Sources), Whole(cargo::vm_rdma),
        "RDMA in a virtual machine with a device in software; a real device: by hand"),
];

const fn step(
    name: &'static str,
    (tiers, needs): (&'static [Tier], Needs),
    work: Work,
    about: &'static str,
) -> Step {
    Step {
        name,
        about,
        tiers,
        needs,
        work,
    }
}

impl Step {
    /// Returns its cases.
    pub fn group(&self) -> Result<Group, String> {
        let room = SHARED.iter().find(|(name, _)| *name == self.name);
        let cases = match self.work {
            Cases(list) => list()?,
            Whole(run) => vec![Case::whole(
                room.map_or(1, |(_, at_a_time)| *at_a_time),
                run,
            )],
        };
        Ok(Group {
            name: self.name.to_string(),
            needs: self.needs,
            cases,
        })
    }

    /// Returns the word for the narrowest of its tiers.
    pub fn narrowest(&self) -> &'static str {
        match self.tiers {
            [Quick, ..] => "quick",
            [Ci, ..] => "ci",
            [All, ..] => "all",
            [] => "by name",
        }
    }

    /// Returns the names of its tiers, as the list of steps shows them.
    pub fn tier_names(&self) -> &'static str {
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
            "count-ci" => "count".to_string(),
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
    fn steps_that_share_the_machine_are_one_test_each() {
        for (name, at_a_time) in SHARED {
            let step = STEPS.iter().find(|step| step.name == *name).unwrap();
            assert!(matches!(step.work, Whole(_)) && *at_a_time > 1, "{name}");
        }
    }

    #[test]
    fn cases_have_names_of_their_own() {
        for step in STEPS {
            let group = step.group().unwrap();
            let names: Vec<String> = group.cases.iter().map(|case| case.path("")).collect();
            let unique: BTreeSet<&String> = names.iter().collect();
            assert!(
                !names.is_empty() && unique.len() == names.len(),
                "{}",
                step.name
            );
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
