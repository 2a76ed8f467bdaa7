//! Processes that are spawned on hosts where the job has none yet.

use super::cluster::Shape;
use super::launchers::{Launcher, LAUNCHERS};
use super::Cluster;
use crate::programs::compile;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::Outcome;

/// A spawn, as `tests/ports/spread.c` understands it.
struct Case {
    /// The words before the program; none for a process without a launcher.
    launcher: &'static [&'static str],
    /// The info key and its value, how many processes, and the host of each.
    words: &'static [&'static str],
}

const fn case(launcher: &'static [&'static str], words: &'static [&'static str]) -> Case {
    Case { launcher, words }
}

/// Cases of continuous integration.
const CASES: &[Case] = &[
    case(&["-n", "2"], &["add-host", "node2", "2", "node2"]),
    case(
        &["-n", "1", "--host", "node1:1,node2:1,node3:4"],
        &["none", "", "2", "node2", "node3"],
    ),
    case(&[], &["host", "node2:1,node3:1", "2", "node2", "node3"]),
];

/// The others.
const LONG: &[Case] = &[
    case(&["-n", "2"], &["add-hostfile", "HOSTFILE", "2", "node2"]),
    case(&["-n", "2"], &["hostfile", "HOSTFILE", "2", "node2"]),
    case(
        &["-n", "1"],
        &["host", "node1:1,node2:1", "2", "node1", "node2"],
    ),
    case(
        &["-n", "4", "--host", "node1:2,node2:2"],
        &[
            "add-host",
            "node3:2,node2:4",
            "4",
            "node3",
            "node3",
            "node2",
        ],
    ),
    case(
        &["-n", "2", "--host", "node2:2"],
        &["add-host", "node1", "2", "node1"],
    ),
];

/// Checks a few, and a host that is not there.
pub fn run(world: &World, cluster: &Cluster, tally: &mut Tally) -> Result<(), String> {
    each(world, cluster, CASES, tally)?;
    tally.count("spawn.c on two hosts", across(world, cluster, "2"));
    by_others(world, cluster, tally)?;
    let outcome = job(
        world,
        cluster,
        &case(&["-n", "2"], &["add-host", "nohost", "2"]),
    )?;
    let is_named = outcome.err.contains("MPI_ERR_SPAWN") && outcome.err.contains("nohost");
    let answer = match outcome.code != 0 && !outcome.timed_out && is_named {
        true => Ok(()),
        false => Err(outcome.reason()),
    };
    tally.count("spawn on a host that is not there", answer);
    Ok(())
}

/// Two processes, each on a host of its own.
const TWO: Shape = Shape { hosts: 2, each: 1 };

/// Other launchers, and the hosts of two processes that are spawned; none where there is no room
/// for them, the launcher starts none, or, as Open MPI 4's, gives a spawned job on several hosts
/// nothing of what its processes publish.
const OTHERS: &[(&str, &[&str])] = &[
    ("MPICH's mpiexec", &["node1", "node2"]),
    ("srun --mpi=pmi2", &[]),
    ("Open MPI's mpirun", &[]),
];

/// Checks spawns and names under other launchers.
fn by_others(world: &World, cluster: &Cluster, tally: &mut Tally) -> Result<(), String> {
    let folder = fsio::root().join("tests/ports");
    let [spread, names] =
        ["spread.c", "names.c"].map(|name| compile(world, &folder.join(name), &[]));
    let (spread, names) = (spread?, names?);
    let launcher = |name: &str| -> Result<&Launcher, String> {
        let mut launchers = LAUNCHERS.iter();
        let found = launchers.find(|launcher| launcher.name == name);
        found.ok_or_else(|| format!("no launcher {name}"))
    };
    for (name, hosts) in OTHERS {
        let start = || launcher(name).map(|launcher| launcher.start(cluster, TWO));
        let answer = start()?.arg(&names).arg("a name").ok().map(drop);
        tally.count(&format!("names by {name}"), answer);
        if !hosts.is_empty() {
            let job = start()?.arg(&spread).args(["none", "", "2"]).args(*hosts);
            tally.count(&format!("spawn by {name}"), job.ok().map(drop));
        }
    }
    Ok(())
}

/// Checks that parents and children on two hosts do all that they do on one.
fn across(world: &World, cluster: &Cluster, ranks: &str) -> Result<(), String> {
    let program = compile(world, &fsio::root().join("tests/c/spawn.c"), &[])?;
    let mpirun = cluster.mpirun.display().to_string();
    let hosts = ["--host", "node1:4,node2:4", "--map-by", "node", "-n", ranks];
    let words = hosts.into_iter().map(String::from);
    let line: Vec<String> = [mpirun].into_iter().chain(words).collect();
    cluster.on_first(&line).arg(program).ok().map(drop)
}

/// Checks all.
pub fn long(world: &World, cluster: &Cluster, tally: &mut Tally) -> Result<(), String> {
    run(world, cluster, tally)?;
    for ranks in ["1", "3"] {
        let answer = across(world, cluster, ranks);
        tally.count(&format!("spawn.c on {ranks} of two hosts"), answer);
    }
    each(world, cluster, LONG, tally)
}

fn each(world: &World, cluster: &Cluster, cases: &[Case], tally: &mut Tally) -> Result<(), String> {
    for case in cases {
        let outcome = job(world, cluster, case)?;
        let answer = match outcome.succeeded() {
            true => Ok(()),
            false => Err(outcome.reason()),
        };
        let launcher = case.launcher.join(" ");
        let name = format!("[{launcher}] spawns with {}", case.words.join(" "));
        tally.count(&name, answer);
    }
    Ok(())
}

fn job(world: &World, cluster: &Cluster, case: &Case) -> Result<Outcome, String> {
    let source = fsio::root().join("tests/ports/spread.c");
    let program = compile(world, &source, &[])?.display().to_string();
    let hostfile = cluster.shared_file("spread-hosts");
    fsio::write(&hostfile, "node2 slots=4\n")?;
    let mpirun = cluster.mpirun.display().to_string();
    let mut line = Vec::new();
    if !case.launcher.is_empty() {
        line.push(mpirun);
        line.extend(case.launcher.iter().map(|word| word.to_string()));
    }
    line.push(program);
    line.extend(case.words.iter().map(|word| match *word {
        "HOSTFILE" => hostfile.display().to_string(),
        word => word.to_string(),
    }));
    cluster.on_first(&line).run()
}
