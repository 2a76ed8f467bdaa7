//! The launchers, and the options that place ranks with each.

use super::cluster::{Cluster, Shape, YIELD};
use xtask::fsio;
use xtask::shell::Job;

/// A launcher of ranks.
pub struct Launcher {
    pub name: &'static str,
    /// The arguments before the number of ranks and the program.
    words: fn(&Cluster, Shape) -> Vec<String>,
    /// The exit codes that a job that called MPI_Abort with 9 may have.
    pub aborted: &'static [i32],
}

/// This project's, and those of Debian's packages.
pub const LAUNCHERS: &[Launcher] = &[
    Launcher {
        name: "mpirun",
        words: |cluster, shape| {
            let mpirun = cluster.mpirun.display().to_string();
            words(&[&mpirun, "--hostfile", &cluster.hostfile(shape)])
        },
        aborted: &[9],
    },
    Launcher {
        name: "srun --mpi=pmi2",
        words: |_, shape| {
            let mut words = srun("pmi2", shape);
            // PMI-2 notifies nobody of a rank that dies, and one with which nobody has a connection
            // yet is missed by nobody.
            words.insert(1, "--kill-on-bad-exit=1".to_string());
            words
        },
        // PMI-2 has no field for the code. Slurm ends the ranks by SIGTERM and SIGKILL, and gives
        // the largest of their codes: that of SIGTERM where a busy host is late with the other.
        aborted: &[137, 143],
    },
    Launcher {
        name: "srun --mpi=pmix",
        words: |_, shape| srun("pmix", shape),
        aborted: &[9],
    },
    Launcher {
        name: "MPICH's mpiexec",
        words: |_, shape| hydra("mpiexec.hydra", "-hosts", shape),
        aborted: &[9],
    },
    Launcher {
        name: "Open MPI's mpirun",
        words: |_, shape| open_mpi(&["mpirun.openmpi"], shape),
        aborted: &[9],
    },
];

/// Launchers of the Python packages, by the name of the package under `target/peers`.
pub const NEWER: &[(&str, Launcher)] = &[
    (
        "mpich",
        Launcher {
            name: "MPICH 5's mpiexec",
            words: |_, shape| hydra(&packaged("mpich", "mpiexec.hydra"), "-hosts", shape),
            aborted: &[9],
        },
    ),
    (
        "mpich",
        Launcher {
            name: "MPICH 5's mpiexec over a port",
            words: |_, shape| {
                let mut line = hydra(&packaged("mpich", "mpiexec.hydra"), "-hosts", shape);
                line.insert(1, "-pmi-port".to_string());
                line
            },
            aborted: &[9],
        },
    ),
    (
        "impi",
        Launcher {
            name: "Intel MPI's mpiexec",
            words: |_, shape| hydra(&packaged("impi", "mpiexec.hydra"), "-hosts", shape),
            aborted: &[9],
        },
    ),
    (
        "openmpi5",
        Launcher {
            name: "Open MPI 5's mpirun",
            words: |_, shape| {
                let mpirun = packaged("openmpi5", "mpirun");
                let prefix = peer("openmpi5");
                open_mpi(&[&mpirun, "--prefix", &prefix], shape)
            },
            aborted: &[9],
        },
    ),
];

impl Launcher {
    /// The start of ranks on the hosts; the program is still to be named.
    pub fn start(&self, cluster: &Cluster, shape: Shape) -> Job {
        let ranks = (shape.hosts * shape.each).to_string();
        cluster
            .on_first(&(self.words)(cluster, shape))
            .args(["-n", &ranks])
    }
}

pub fn srun(kind: &str, shape: Shape) -> Vec<String> {
    let nodes = format!("--nodes={}", shape.hosts);
    let each = format!("--ntasks-per-node={}", shape.each);
    words(&["srun", &nodes, &each, &format!("--mpi={kind}")])
}

fn hydra(mpiexec: &str, hosts: &str, shape: Shape) -> Vec<String> {
    let (list, each) = (shape.list(",", |host| host), shape.each.to_string());
    words(&[mpiexec, hosts, &list, "-ppn", &each])
}

fn open_mpi(mpirun: &[&str], shape: Shape) -> Vec<String> {
    let hosts = shape.list(",", |host| format!("{host}:{}", shape.each));
    let options = ["--allow-run-as-root", "--host", &hosts];
    let passed = ["OXMPI_EXPLAIN", "LD_LIBRARY_PATH", YIELD].map(|name| ["-x", name]);
    words(&[mpirun, &options, passed.as_flattened()].concat())
}

fn peer(package: &str) -> String {
    let folder = fsio::target_dir().join("peers").join(package);
    folder.display().to_string()
}

fn packaged(package: &str, program: &str) -> String {
    format!("{}/bin/{program}", peer(package))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}
