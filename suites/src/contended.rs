//! Tests of waiting on shared cores: more ranks than cores, one core, other programs beside.

use std::path::Path;
use std::time::Duration;

use super::neighbours::{Beside, Neighbours};
use super::programs::{compile, mpirun, TCP};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::Job;

/// Most microseconds of a round trip on a core that busy loops use as well, which take slices of
/// it.
const BESIDE_LOOPS: &str = "400";

/// Runs each program that tests waits, over shared memory and over TCP: normally, on one core, and
/// beside busy loops.
pub fn run(world: &World) -> Result<Tally, String> {
    let source = |name: &str| fsio::root().join(format!("tests/c/{name}.c"));
    let polls = compile(world, &source("wait_polls"), &[])?;
    let works = compile(world, &source("wait_work"), &[])?;
    let trips = compile(world, &source("wait_one_core"), &[])?;
    let cpu = first_cpu()?;
    let mut tally = Tally::default();
    for (carrier, options) in [("sm", &[][..]), ("tcp", TCP)] {
        for loops in 0..=2 {
            let _loops = Neighbours::start(Beside::Loops(loops))?;
            let job = mpirun(world, 2, options).arg(&trips).args(if loops > 0 {
                &[BESIDE_LOOPS][..]
            } else {
                &[]
            });
            let name = format!("two ranks on one core over {carrier}, {loops} loops beside");
            tally.count(&name, job.ok().map(drop));
        }
        for (what, ranks, program) in [
            ("three ranks that poll", "3", &polls),
            ("four ranks that poll and work", "4", &works),
        ] {
            let job = Job::new("taskset")
                .args(["-c", &cpu])
                .arg(world.bin("mpirun"))
                .args(options)
                .args(["-n", ranks])
                .arg(program)
                .limit(Duration::from_secs(60));
            let name = format!("{what} on one core over {carrier}");
            tally.count(&name, job.ok().map(drop));
        }
    }
    Ok(tally)
}

/// Returns the first processor that this process may use.
fn first_cpu() -> Result<String, String> {
    let status = fsio::read(Path::new("/proc/self/status"))?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let digits = list.map(|list| list.trim().split(|c: char| !c.is_ascii_digit()));
    let first = digits.and_then(|mut digits| digits.next());
    first
        .map(String::from)
        .ok_or_else(|| "no processor is allowed".to_string())
}
