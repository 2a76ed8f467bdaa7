//! Tests of messages of 3 and 4 GiB over shared memory and TCP; only on request, since they take
//! 9 GiB of memory and minutes.

use std::time::Duration;

use super::programs::{compile, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;

/// The transports, and how long the program may take.
const WAYS: &[(&str, &[&str])] = &[("sm", &[]), ("tcp", &["--mca", "btl", "tcp,self"])];
const LIMIT: Duration = Duration::from_secs(600);

/// Runs one program over each transport.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let source = fsio::root().join("tests/environment/large.c");
    let program = compile(world, &source, &["-O2"])?;
    for (name, options) in WAYS {
        let job = mpirun(world, 2, options).arg(&program).limit(LIMIT);
        tally.count(&format!("3 GiB over {name}"), job.ok().map(drop));
    }
    Ok(tally)
}
