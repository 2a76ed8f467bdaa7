//! The checks inside the guest, each a name and a shell script that exits with 0 if it passes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::packages::folder;
use crate::conformance;
use xtask::fsio;
use xtask::shell::{self, Job};

/// Where the installation is put, in the virtual machine.
pub const PREFIX: &str = "opt/oxmpi";

/// Where our own programs are put.
pub const PROGRAMS: &str = "opt/programs";

/// A program that is copied into the virtual machine.
pub struct Program {
    /// Where it is on this machine.
    pub file: PathBuf,
    /// The program's name below [`PROGRAMS`].
    pub name: String,
}

/// A check.
pub struct Check {
    /// The check's name: one word.
    pub name: String,
    /// The script.
    pub script: String,
}

/// The settings without which `verbs;ofi_rxm` requests a longer queue of Soft RoCE than it has: one
/// of both sizes times the peers. With fewer peers than there are it would overflow, and the suite
/// has 8. `OXMPI_TEST_PROVIDERS` has our tests run over that provider alone.
pub const SETTINGS: &str = "\
export FI_UNIVERSE_SIZE=16 FI_OFI_RXM_MSG_TX_SIZE=128 FI_OFI_RXM_MSG_RX_SIZE=128
export OXMPI_TEST_PROVIDERS='verbs;ofi_rxm'
";

/// Where the device is reached; the virtual machine's `init.sh` gives it.
const ADDRESS: &str = "10.77.0.1";

/// The device and libfabric without a line of ours (where these fail, nothing else can pass): the
/// name, and the program that is its own client when given an address.
const DEVICE: &[(&str, &str)] = &[
    ("ibverbs", "ibv_rc_pingpong -c -d rxe0 -g 1 -n 100"),
    (
        "libfabric-msg",
        "fi_pingpong -c -p verbs -e msg -d rxe0 -I 20",
    ),
    (
        "libfabric-rdm",
        "fi_pingpong -c -p 'verbs;ofi_rxm' -e rdm -d rxe0 -I 20",
    ),
];

/// The packages whose tests run over the device, and which of their tests; the transport's hold
/// the conformance suite, and so do those of the network that matches.
const PACKAGES: &[(&str, &str)] = &[("ofi", ""), ("btl-ofi", "verbs"), ("mtl-ofi", "verbs")];

/// Runs of an MPI program.
struct MpiProgram {
    /// The name of the check.
    check: &'static str,
    /// The program: a file of C.
    source: &'static str,
    /// How its messages reach the device. In no case is there another path: a job that cannot have
    /// the device fails.
    way: &'static str,
    /// The arguments of each run.
    runs: &'static [&'static str],
}

/// By the transport, as over any other.
const BTL: &str = "--mca btl ofi,self --mca mpi_leave_pinned 1";

/// Matched by libfabric.
const CM: &str = "--mca pml cm";

/// Names the provider.
const PROVIDER: &str = "--mca opal_common_ofi_provider_include 'verbs;ofi_rxm'";

/// The MPI programs: our ping-pong, some of `tests/c`, and buffers that come and go. This device
/// pins pages as hardware does, so a registration that outlived its memory would send other bytes.
const MPI: &[MpiProgram] = &[
    MpiProgram {
        check: "mpi-pingpong",
        source: "suites/src/vm_rdma/pingpong.c",
        way: BTL,
        runs: &[""],
    },
    MpiProgram {
        check: "mpi-cm-pingpong",
        source: "suites/src/vm_rdma/pingpong.c",
        way: CM,
        // The most that a message of the device holds.
        runs: &["8388608"],
    },
    MpiProgram {
        check: "mpi-p2p_order",
        source: "tests/c/p2p_order.c",
        way: BTL,
        runs: &[""],
    },
    MpiProgram {
        check: "mpi-p2p_modes",
        source: "tests/c/p2p_modes.c",
        way: BTL,
        runs: &[""],
    },
    MpiProgram {
        check: "mpi-p2p_requests",
        source: "tests/c/p2p_requests.c",
        way: BTL,
        runs: &[""],
    },
    MpiProgram {
        check: "mpi-buffers",
        source: "tests/torture/buffers.c",
        way: BTL,
        runs: &["malloc 5 1", "sizes 5 3", "remap 10 1", "empty 10 3"],
    },
];

/// The check that makes an NFS server and two hosts with its folder; those of MPI programs on both
/// hosts, whose names begin with it, come behind.
const NFS: &str = "nfs";

/// Our own programs on both hosts with files on NFS.
const NFS_PROGRAMS: &[(&str, usize)] = &[("files_pages", 4), ("files", 2)];

/// Checks to run inside, and what they need there.
#[derive(Default)]
pub struct Plan {
    /// The checks, in their order.
    pub checks: Vec<Check>,
    /// The programs that they start.
    pub programs: Vec<Program>,
}

/// The names of all checks.
pub fn names() -> Vec<String> {
    let device = DEVICE.iter().map(|(name, _)| name.to_string());
    let mpi = MPI.iter().map(|program| program.check.to_string());
    let packages = PACKAGES.iter().map(|(name, _)| name.to_string());
    let nfs = [NFS.to_string()];
    device.chain(packages).chain(mpi).chain(nfs).collect()
}

/// Whether an MPI program is among the checks whose names hold `only`.
pub fn needs_mpi(only: &str) -> bool {
    let of_device = MPI.iter().any(|program| program.check.contains(only));
    of_device || NFS.contains(only) || only.starts_with(NFS)
}

impl Plan {
    /// The checks whose names hold `only`, with their programs built: of the packages' tests the
    /// usual ones or those whose names hold `tests`, and MPI programs by the installation at
    /// `prefix`, which is there where [`needs_mpi`] says so.
    pub fn build(only: &str, tests: Option<&str>, prefix: &Path) -> Result<Plan, String> {
        let wanted = |name: &str| name.contains(only);
        let mut plan = Plan::default();
        for (name, program) in DEVICE.iter().filter(|(name, _)| wanted(name)) {
            plan.check(name, served(program));
        }
        for (name, usual) in PACKAGES.iter().filter(|(name, _)| wanted(name)) {
            plan.package(name, tests.unwrap_or(usual))?;
        }
        for program in MPI.iter().filter(|program| wanted(program.check)) {
            plan.mpi(program, prefix)?;
        }
        if NFS.contains(only) || only.starts_with(NFS) {
            plan.nfs(only, prefix)?;
        }
        match plan.checks.is_empty() {
            true => Err(format!("no check's name holds `{only}`")),
            false => Ok(plan),
        }
    }

    /// The unit tests of a package. One at a time: a device in software on two slow processors has
    /// no use for more.
    fn package(&mut self, name: &str, tests: &str) -> Result<(), String> {
        println!("  building the tests of oxmpi-{name}");
        let file = test_program(&format!("oxmpi-{name}"))?;
        let program = format!("tests-{name}");
        // A runner that found nothing to run would call that a success.
        let script = format!(
            "/{PROGRAMS}/{program} {tests} --test-threads=1 | tee /tmp/out && \
             grep -q '^test result: ok. [1-9]' /tmp/out"
        );
        self.check(name, script);
        self.programs.push(Program {
            file,
            name: program,
        });
        Ok(())
    }

    /// The runs of an MPI program on two ranks.
    fn mpi(&mut self, program: &MpiProgram, prefix: &Path) -> Result<(), String> {
        let source = fsio::root().join(program.source);
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let programs = folder("programs");
        fsio::make_folder(&programs)?;
        let file = programs.join(&*name);
        let compile = Job::new(prefix.join("bin/mpicc"));
        let compile = compile.args(["-O2", "-pthread", "-o"]);
        compile.args([&file, &source]).ok()?;
        let mpirun = format!("mpirun {} {PROVIDER} -n 2 /{PROGRAMS}/{name}", program.way);
        let run = |arguments: &&str| format!("{mpirun} {arguments}");
        let runs: Vec<String> = program.runs.iter().map(run).collect();
        self.check(program.check, runs.join(" && "));
        self.programs.push(Program {
            file,
            name: name.to_string(),
        });
        Ok(())
    }

    /// MPICH's tests of files and some of this project's, by ranks of two hosts in turn, in a
    /// folder of an NFS server. The check that makes the hosts comes first.
    fn nfs(&mut self, only: &str, prefix: &Path) -> Result<(), String> {
        self.check(NFS, format!("sh /{PROGRAMS}/nfs.sh"));
        let programs = folder("programs");
        fsio::make_folder(&programs)?;
        for (name, ranks) in NFS_PROGRAMS {
            let check = format!("{NFS}-{name}");
            if !check.contains(only) {
                continue;
            }
            let file = programs.join(name);
            let source = fsio::root().join("tests/c").join(format!("{name}.c"));
            let compile = Job::new(prefix.join("bin/mpicc")).args(["-O2", "-pthread", "-o"]);
            compile.args([&file, &source]).ok()?;
            self.check(&check, between_hosts(&check, name, *ranks, ""));
            self.programs.push(Program {
                file,
                name: name.to_string(),
            });
        }
        for (number, test) in conformance::of_files(prefix)?.into_iter().enumerate() {
            let check = format!("{NFS}-{}-{}-{number}", test.name, test.ranks);
            if !check.contains(only) {
                continue;
            }
            let name = format!("io/{}", test.name);
            // The suite's programs say that there were no errors, and exit with 0 in any case.
            let script = between_hosts(&check, &name, test.ranks, &test.args.join(" "));
            let script = format!(
                "{{ {script}; }} >/tmp/out 2>&1; code=$?; cat /tmp/out; \
                [ $code = 0 ] && grep -qi '^ *no errors' /tmp/out && \
                ! grep -vi 'no errors' /tmp/out"
            );
            self.check(&check, script);
            self.programs.push(Program {
                file: test.program,
                name,
            });
        }
        Ok(())
    }

    /// Runs `script` in place of the checks; their programs stay.
    pub fn check_only(&mut self, script: String) {
        self.checks.clear();
        self.check("script", script);
    }

    fn check(&mut self, name: &str, script: String) {
        self.checks.push(Check {
            name: name.to_string(),
            script,
        });
    }
}

/// Returns the start of a program on ranks of the two hosts in turn, in a folder of its own on NFS.
fn between_hosts(check: &str, program: &str, ranks: usize, args: &str) -> String {
    let folder = format!("/nfs/{check}");
    format!(
        "/bin/agent nfs1 'export PATH=/{PREFIX}/bin:$PATH TEST_FOLDER={folder} && \
         mkdir {folder} && cd {folder} && \
         mpirun --launcher-exec /bin/agent --host nfs1:8,nfs2:8 --map-by node -n {ranks} \
         --timeout 600 /{PROGRAMS}/{program} {args}'"
    )
}

/// Returns a server and its client, which gets the address; both have to succeed. A client may come
/// before its server listens: it tries again.
fn served(program: &str) -> String {
    format!(
        "{program} & server=$!\n\
         for try in 1 2 3 4 5; do\n\
         \x20   sleep 2\n\
         \x20   {program} {ADDRESS} && wait $server && exit 0\n\
         \x20   kill -0 $server || exit 1\n\
         done\n\
         exit 1"
    )
}

/// The program with the unit tests of a package, built for release as the installation is.
fn test_program(package: &str) -> Result<PathBuf, String> {
    let job = Job::new(shell::cargo())
        .args(["test", "--no-run", "--release", "--lib", "-p", package])
        .args(["--message-format", "json-render-diagnostics"])
        .limit(Duration::from_secs(1200));
    let out = job.ok()?.out;
    let messages = out
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = messages
        .filter(|message| message["profile"]["test"] == true)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    program.ok_or(format!("{package} has no program of unit tests"))
}
