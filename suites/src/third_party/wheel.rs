//! Runs mpi4py's whole suite by the wheel that PyPI has, which is built for Open MPI and for MPICH,
//! on this project's libraries for these. Its first rank says how each test ended; what is skipped
//! is compared with a run on the MPI itself.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;

use super::python;
use super::ways::{folder, mpirun};
use crate::peers::{self, Interface, INTERFACES};
use crate::world::{Tally, World};
use xtask::shell::{self, Job, Outcome};

/// The numbers of ranks.
const RANKS: [usize; 3] = [1, 2, 3];

/// How long a run may take, in seconds.
const LIMIT: u64 = 1500;

/// How long a run on the other MPI may take: it takes a minute or two where it ends.
const OWN_LIMIT: u64 = 600;

/// Test files that are left out of such a run on several ranks: Debian's Open MPI waits there for
/// ever, and all that comes later would not be compared.
const NOT_ON_OWN: &str = "test_(spawn|dynproc)";

/// Words of failures that a result shows at most.
const SHOWN: usize = 8;

/// Runs the suite through both interfaces.
pub fn all(world: &World) -> Result<Tally, String> {
    through(world, &INTERFACES)
}

/// Runs the suite through the interface of Open MPI.
pub fn ompi40(world: &World) -> Result<Tally, String> {
    through(world, &INTERFACES[..1])
}

/// Runs the suite through the interface of MPICH.
pub fn mpich12(world: &World) -> Result<Tally, String> {
    through(world, &INTERFACES[1..])
}

fn through(world: &World, interfaces: &'static [Interface]) -> Result<Tally, String> {
    peers::apt_install(&["openmpi-bin", "mpich"])?;
    let wheel = Wheel::ready()?;
    let mut tally = Tally::default();
    for interface in interfaces {
        let mut own = HashMap::new();
        for ranks in RANKS {
            wheel.judge(world, interface, ranks, &mut own, &mut tally);
        }
    }
    Ok(tally)
}

/// mpi4py as its wheel has it, and its tests.
struct Wheel {
    python: PathBuf,
    source: PathBuf,
}

impl Wheel {
    fn ready() -> Result<Wheel, String> {
        let source = python::fetched()?;
        let venv = peers::venv(&folder("python-wheel"))?;
        let wanted = format!("mpi4py=={}", python::VERSION);
        let install = Job::new(venv.join("bin/pip"));
        let install = install.args(["install", "-q", "--only-binary", ":all:"]);
        let install = install.arg(wanted).args(python::USED);
        install.limit(Duration::from_secs(600)).ok()?;
        Ok(Wheel {
            python: venv.join("bin/python"),
            source,
        })
    }

    /// Runs the suite on ours and, where `own` has nothing of that yet, on the other MPI, and
    /// reports how it went.
    fn judge(
        &self,
        world: &World,
        interface: &Interface,
        ranks: usize,
        own: &mut HashMap<usize, Endings>,
        tally: &mut Tally,
    ) {
        let name = format!("all by {} on {ranks} ranks", interface.key);
        let libraries = world.prefix.join("lib").join(interface.key);
        let job = mpirun(world, 1, &[], LIMIT).env("LD_LIBRARY_PATH", libraries);
        let outcome = self.suite(job, interface, ranks, &[]).run();
        let endings = outcome.as_ref().map(|outcome| endings(&outcome.err));
        let ours = endings.unwrap_or_default();
        let (passed, skipped) = (count(&ours, Ending::Passed), count(&ours, Ending::Skipped));
        tally.passed += passed;
        let answer = outcome.and_then(|outcome| whole(&outcome, &ours));
        let took = answer.as_ref().map_or("not whole", |_| "whole");
        println!("      {name}: {passed} passed, {skipped} skipped, {took}");
        answer.unwrap_or_else(|why| tally.failed.push(format!("{name}: {why}")));
        // Debian's MPICH polls without ever giving up its core, so the other MPI gets no more ranks
        // than there are.
        let fit = ranks.min(shell::processors());
        let own = match own.entry(fit) {
            Entry::Occupied(known) => Ok(&*known.into_mut()),
            Entry::Vacant(place) => self.on_own(interface, fit).map(|own| &*place.insert(own)),
        };
        if let Err(why) = own.and_then(|own| no_skip_alone(&ours, own)) {
            tally.failed.push(format!("{name}: {why}"));
        }
    }

    /// Returns how the tests end on the other MPI, as far as it comes: it may well crash.
    fn on_own(&self, interface: &Interface, ranks: usize) -> Result<Endings, String> {
        let words = interface.own(1, true)?;
        let job = Job::new(&words[0]).args(&words[1..]);
        let more: &[&str] = match ranks {
            1 => &[],
            _ => &["-e", NOT_ON_OWN],
        };
        let job = self.suite(job, interface, ranks, more);
        let own = endings(&job.limit(Duration::from_secs(OWN_LIMIT)).run()?.err);
        let passed = count(&own, Ending::Passed);
        println!(
            "      on its own MPI, {ranks} ranks: {passed} passed, {} skipped",
            count(&own, Ending::Skipped)
        );
        match passed {
            0 => Err("no test passed on its own MPI".to_string()),
            _ => Ok(own),
        }
    }

    /// Adds to a launcher of one rank the suite on all ranks, of which the first one reports, with
    /// more options of the suite.
    fn suite(&self, job: Job, interface: &Interface, ranks: usize, more: &[&str]) -> Job {
        let of_rank = |job: Job, how: &str| {
            let job = job.arg(&self.python).arg(self.source.join("test/main.py"));
            // What another step has built in the source folder would come before the wheel.
            job.args([how, "--no-builddir"]).args(more)
        };
        let job = of_rank(job, "-v").env("MPI4PY_MPIABI", interface.wrapper);
        let job = job.folder(&self.source);
        match ranks - 1 {
            0 => job,
            others => of_rank(job.args([":", "-n", &others.to_string()]), "-q"),
        }
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Passed,
    Skipped,
    Failed,
}

/// How each test ended, by its name.
type Endings = BTreeMap<String, Ending>;

/// Returns how each test ended, from what `unittest` says of it: the name of the
/// function, that with its class in parentheses, three dots, and the end.
fn endings(text: &str) -> Endings {
    let ended = |line: &str| {
        let (test, end) = line.split_once(" ... ")?;
        let name = test.split_once('(')?.1.split_once(')')?.0;
        let end = match end.split([' ', ':']).next()? {
            "ok" => Ending::Passed,
            "skipped" => Ending::Skipped,
            _ => Ending::Failed,
        };
        Some((name.to_string(), end))
    };
    text.lines().filter_map(ended).collect()
}

fn count(endings: &Endings, which: Ending) -> usize {
    endings.values().filter(|ending| **ending == which).count()
}

/// Refuses tests that ours skips and that pass on the other MPI.
fn no_skip_alone(ours: &Endings, own: &Endings) -> Result<(), String> {
    let is_more = |(name, ending): &(&String, &Ending)| {
        **ending == Ending::Skipped && own.get(*name) == Some(&Ending::Passed)
    };
    let more = ours.iter().filter(is_more);
    let more: Vec<&str> = more.map(|(name, _)| name.as_str()).collect();
    match more.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "skipped, and passes on its own MPI: {}",
            more.join(", ")
        )),
    }
}

/// Returns why a run did not pass as a whole.
fn whole(outcome: &Outcome, endings: &Endings) -> Result<(), String> {
    let ran = outcome.err.lines().any(|line| line.starts_with("Ran "));
    if outcome.succeeded() && ran && count(endings, Ending::Passed) > 0 {
        return Ok(());
    }
    let failed = endings.iter().filter(|(_, end)| **end == Ending::Failed);
    let failed: Vec<&str> = failed.map(|(name, _)| name.as_str()).take(SHOWN).collect();
    Err(format!(
        "{}; not ok: {}",
        outcome.reason(),
        failed.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "[0@vm] MPI 3.1 (Open MPI 4.1.4)\n\
        testA (test_comm.TestSelf.testA) ... ok\n\
        testB (test_comm.TestSelf.testB) ... skipped 'mpi-b'\n\
        testC (test_comm.TestSelf.testC) ... FAIL\n\
        testD (test_comm.TestSelf.testD) ... ";

    #[test]
    fn tests_end_as_the_first_rank_says() {
        let said = endings(SAID);
        let of = |letter| said.get(&format!("test_comm.TestSelf.test{letter}"));
        assert_eq!(of("A"), Some(&Ending::Passed));
        assert_eq!(of("B"), Some(&Ending::Skipped));
        assert_eq!(of("C"), Some(&Ending::Failed));
        assert_eq!(of("D"), Some(&Ending::Failed));
        assert_eq!(said.len(), 4);
    }

    #[test]
    fn a_skip_is_ours_alone_where_the_other_mpi_passes() {
        let ours = endings(SAID);
        let own = |text: &str| endings(&SAID.replace("skipped 'mpi-b'", text));
        let why = no_skip_alone(&ours, &own("ok")).unwrap_err();
        assert!(why.ends_with(": test_comm.TestSelf.testB"), "{why}");
        assert!(no_skip_alone(&ours, &own("skipped 'it too'")).is_ok());
        assert!(no_skip_alone(&ours, &BTreeMap::new()).is_ok());
    }
}
