//! How programs of others are run, and where they are.

use std::path::PathBuf;
use std::time::Duration;

use crate::world::World;
use xtask::fsio;
use xtask::shell::Job;

/// The transports that every program runs over: the name, and the options of the launcher.
pub const WAYS: &[(&str, &[&str])] = &[("sm", &[]), ("tcp", &["--mca", "btl", "tcp,self"])];

/// Returns the folder for what is fetched and built under a name.
pub fn folder(name: &str) -> PathBuf {
    fsio::target_dir().join("third-party").join(name)
}

pub fn mpirun(world: &World, ranks: usize, options: &[&str], limit: u64) -> Job {
    Job::new(world.bin("mpirun"))
        .args(options)
        .args(["-n", &ranks.to_string()])
        // Some build systems drop the library path from the wrapper's output.
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .limit(Duration::from_secs(limit))
}
