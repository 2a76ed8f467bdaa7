//! Creates the hosts on this machine, with Slurm on them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peers;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{self, Job};

/// Slurm's plugin opens PMIx by this name, which only the package for developers has.
const PMIX: &str = "/usr/lib/x86_64-linux-gnu/pmix2/lib/libpmix.so";

/// Needs of the hosts and launchers: a program or a file that shows whether it is there, and the
/// packages.
const NEEDS: &[(&str, &[&str])] = &[
    ("ip", &["iproute2"]),
    ("sshd", &["openssh-server"]),
    ("sysctl", &["procps"]),
    (
        "slurmctld",
        &["slurmctld", "slurmd", "slurm-client", "munge"],
    ),
    (PMIX, &["libpmix2", "libpmix-dev"]),
    ("mpiexec.hydra", &["mpich"]),
    ("mpirun.openmpi", &["openmpi-bin"]),
];

/// Each host takes the cores for its own, and they have them in common: a rank that waits leaves
/// its core to those that work.
pub const YIELD: &str = "OXMPI_MCA_mpi_yield_when_idle";

/// Where ranks go: on the first hosts, as many on each.
#[derive(Clone, Copy)]
pub struct Shape {
    pub hosts: usize,
    pub each: usize,
}

impl Shape {
    /// Describes the shape.
    pub fn description(self) -> String {
        format!("on {} hosts, {} ranks each", self.hosts, self.each)
    }

    /// The hosts, each in its `form`.
    pub fn list(self, between: &str, form: impl Fn(String) -> String) -> String {
        let hosts = (1..=self.hosts).map(|host| form(format!("node{host}")));
        hosts.collect::<Vec<_>>().join(between)
    }
}

/// Fetches what lacks.
pub fn ready() -> Result<(), String> {
    ready_with(NEEDS)
}

/// Fetches what lacks of these programs or files, each with its packages.
pub fn ready_with(needs: &[(&str, &[&str])]) -> Result<(), String> {
    let there = |name: &str| {
        let more = ["/usr/sbin", "/sbin"].map(|folder| Path::new(folder).join(name));
        shell::find(name).is_some() || more.iter().any(|path| path.exists())
    };
    let missing: Vec<&str> = needs
        .iter()
        .filter(|(name, _)| !there(name))
        .flat_map(|(_, packages)| packages.iter().copied())
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => peers::apt_install(&missing),
    }
}

/// How a host is cut off.
#[derive(Clone, Copy, Debug)]
pub enum CutLink {
    /// The cables of its networks are pulled.
    Carrier,
    /// The host's interfaces have no address.
    Addresses,
}

/// The hosts, for as long as this lives.
pub struct Cluster {
    scripts: PathBuf,
    /// The script of their batch system.
    system: &'static str,
    /// Where their state lies.
    state: PathBuf,
    /// The `mpirun` under test.
    pub mpirun: PathBuf,
    library: PathBuf,
}

impl Cluster {
    /// Starts as many hosts.
    pub fn up(world: &World, hosts: usize) -> Result<Cluster, String> {
        Cluster::up_with(world, hosts, "test/hosts", ("testslurm", "yes"))
    }

    /// Starts as many hosts without sshd, beside others, with the batch system of this script.
    pub fn up_without_ssh(
        world: &World,
        hosts: usize,
        script: &'static str,
    ) -> Result<Cluster, String> {
        Cluster::up_with(world, hosts, &format!("test/{script}"), (script, "no"))
    }

    fn up_with(
        world: &World,
        hosts: usize,
        place: &str,
        (system, sshd): (&'static str, &str),
    ) -> Result<Cluster, String> {
        let cluster = Cluster {
            system,
            scripts: fsio::root().join("tests/hosts"),
            state: fsio::target_dir().join(place),
            mpirun: world.bin("mpirun"),
            library: world.prefix.join("lib"),
        };
        fsio::make_folder(&cluster.state)?;
        let up = cluster.script(system).args(["up", &hosts.to_string()]);
        up.env("TESTHOSTS_SSHD", sshd)
            .limit(Duration::from_secs(120))
            .ok()?;
        Ok(cluster)
    }

    fn script(&self, name: &str) -> Job {
        // Hosts see no folder below /tmp but these.
        let shared = [fsio::root(), fsio::target_dir(), self.library.clone()];
        let shared: Vec<_> = shared.iter().map(|path| path.to_string_lossy()).collect();
        Job::new(self.scripts.join(name))
            .env("TMPDIR", &self.state)
            .env("TESTHOSTS_SHARE", shared.join(":"))
    }

    /// Returns a job of `words` on the first host.
    pub fn on_first(&self, words: &[String]) -> Job {
        self.on("node1", words)
    }

    /// Returns a job of `words` on a host.
    pub fn on(&self, host: &str, words: &[String]) -> Job {
        self.script("testhosts")
            .args(["run", host])
            .args(words)
            .env("LD_LIBRARY_PATH", &self.library)
            .env(YIELD, "1")
            .limit(Duration::from_secs(120))
    }

    /// Cuts a host off and kills all that runs there.
    pub fn crash(&self, host: &str) -> Result<(), String> {
        self.script("testhosts")
            .args(["crash", host])
            .ok()
            .map(drop)
    }

    /// Cuts a host off for a while.
    pub fn cut(&self, host: &str, loses: CutLink, time: Duration) -> Result<(), String> {
        let hosts = |words: &[&str]| self.script("testhosts").args(words).ok().map(drop);
        let CutLink::Addresses = loses else {
            hosts(&["cut", host])?;
            std::thread::sleep(time);
            return hosts(&["heal", host]);
        };
        // A pipe would end the lines; the addresses come back by what was saved of them.
        let saved = format!("/run/addresses-{host}");
        let seconds = time.as_secs();
        let script = format!(
            "ip addr save >{saved}; for i in 0 1; do ip addr flush dev eth$i; done; \
             sleep {seconds}; ip addr restore <{saved}"
        );
        hosts(&["run", host, "sh", "-c", &script])
    }

    /// Returns a file that all hosts see, and that nobody else has.
    pub fn shared_file(&self, name: &str) -> PathBuf {
        self.state.join(name)
    }

    /// A file that names the hosts with their slots.
    pub fn hostfile(&self, shape: Shape) -> String {
        let path = self
            .state
            .join(format!("hosts-{}-{}", shape.hosts, shape.each));
        let text = shape.list("\n", |host| format!("{host} slots={}", shape.each));
        // What cannot be written the launcher will not find, and say so.
        let _ = fsio::write(&path, &format!("{text}\n"));
        path.display().to_string()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for name in [self.system, "testhosts"] {
            let down = self.script(name).arg("down");
            let _ = down.limit(Duration::from_secs(60)).run();
        }
    }
}
