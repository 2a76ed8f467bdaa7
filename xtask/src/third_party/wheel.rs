//! Runs mpi4py's whole suite by the wheel that PyPI has, which is built for Open MPI and for MPICH,
//! on this project's libraries for these. Its first rank says how each test ended; what is skipped
//! is compared with a run on the MPI itself.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::{folder, mpirun, python};
use crate::peers::{self, Interface, INTERFACES};
use crate::shell::{self, Job, Outcome};
use crate::world::{Tally, World};

/// The numbers of ranks.
const RANKS: [usize; 3] = [1, 2, 3];

/// How long a run may take, in seconds.
const LIMIT: u64 = 1500;

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
        for ranks in RANKS {
            wheel.judge(world, interface, ranks, &mut tally);
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

    /// Runs the suite on ours and on the other MPI, and tells how it went.
    fn judge(&self, world: &World, interface: &Interface, ranks: usize, tally: &mut Tally) {
        let name = format!("all by {} on {ranks} ranks", interface.key);
        let libraries = world.prefix.join("lib").join(interface.key);
        let job = mpirun(world, 1, &[], LIMIT).env("LD_LIBRARY_PATH", libraries);
        let outcome = self.suite(job, interface, ranks).run();
        let endings = outcome.as_ref().map(|outcome| endings(&outcome.err));
        let ours = endings.unwrap_or_default();
        let (passed, skipped) = (count(&ours, Ending::Passed), count(&ours, Ending::Skipped));
        tally.passed += passed;
        let answer = outcome.and_then(|outcome| whole(&outcome, &ours));
        let took = answer.as_ref().map_or("not whole", |_| "whole");
        println!("      {name}: {passed} passed, {skipped} skipped, {took}");
        answer.unwrap_or_else(|why| tally.failed.push(format!("{name}: {why}")));
        if let Err(why) = self.skips(interface, ranks, &ours) {
            tally.failed.push(format!("{name}: {why}"));
        }
    }

    /// Looks whether a test that ours skips passes on the other MPI. Debian's MPICH polls without
    /// ever giving up its core, so this one gets no more ranks than there are.
    fn skips(
        &self,
        interface: &Interface,
        ranks: usize,
        ours: &BTreeMap<String, Ending>,
    ) -> Result<(), String> {
        let ranks = ranks.min(shell::processors());
        let words = interface.own(1, true)?;
        let job = Job::new(&words[0]).args(&words[1..]);
        let job = self.suite(job, interface, ranks);
        // It may well crash; what it has said until then counts.
        let own = endings(&job.limit(Duration::from_secs(LIMIT)).run()?.err);
        let passed = count(&own, Ending::Passed);
        println!(
            "      on its own MPI, {ranks} ranks: {passed} passed, {} skipped",
            count(&own, Ending::Skipped)
        );
        if passed == 0 {
            return Err("no test passed on its own MPI".to_string());
        }
        let more: Vec<&str> = skipped_alone(ours, &own);
        match more.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "skipped, and passes on its own MPI: {}",
                more.join(", ")
            )),
        }
    }

    /// Adds to a launcher of one rank the suite on all ranks, of which the first one tells.
    fn suite(&self, job: Job, interface: &Interface, ranks: usize) -> Job {
        let script = self.source.join("test/main.py");
        // What another step has built in the source folder would come before the wheel.
        let job = job.arg(&self.python).arg(&script);
        let job = job.args(["-v", "--no-builddir"]);
        let job = job.env("MPI4PY_MPIABI", interface.wrapper);
        let job = job.folder(&self.source);
        match ranks - 1 {
            0 => job,
            more => {
                let job = job.args([":", "-n", &more.to_string()]);
                job.arg(&self.python)
                    .arg(&script)
                    .args(["-q", "--no-builddir"])
            }
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

/// Returns how each test ended, by its name, from what `unittest` says of it: the name of the
/// function, that with its class in parentheses, three dots, and the end.
fn endings(text: &str) -> BTreeMap<String, Ending> {
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

fn count(endings: &BTreeMap<String, Ending>, which: Ending) -> usize {
    endings.values().filter(|ending| **ending == which).count()
}

/// Returns the tests that ours skips and that pass on the other MPI.
fn skipped_alone<'a>(
    ours: &'a BTreeMap<String, Ending>,
    own: &BTreeMap<String, Ending>,
) -> Vec<&'a str> {
    let is_more = |(name, ending): &(&String, &Ending)| {
        **ending == Ending::Skipped && own.get(*name) == Some(&Ending::Passed)
    };
    let more = ours.iter().filter(is_more);
    more.map(|(name, _)| name.as_str()).collect()
}

/// Tells why a run was not whole and good.
fn whole(outcome: &Outcome, endings: &BTreeMap<String, Ending>) -> Result<(), String> {
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
        assert_eq!(
            skipped_alone(&ours, &own("ok")),
            ["test_comm.TestSelf.testB"]
        );
        assert!(skipped_alone(&ours, &own("skipped 'it too'")).is_empty());
        assert!(skipped_alone(&ours, &BTreeMap::new()).is_empty());
    }
}
