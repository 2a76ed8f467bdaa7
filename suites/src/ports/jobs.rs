//! Programs of `tests/ports`, and two jobs of one at the same time.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::programs::compile;
use crate::world::World;
use xtask::fsio;
use xtask::shell::{by_workers, Job, Outcome};

/// Compiles a program.
pub fn source(world: &World, name: &str) -> Result<PathBuf, String> {
    let source = fsio::root().join("tests/ports").join(format!("{name}.c"));
    compile(world, &source, &[])
}

/// Runs two jobs that meet by a file, at the same time, and checks how each went and that neither
/// has left a process.
pub fn together<T: Sync>(
    sides: &[T],
    job: impl Fn(&Path, &T) -> Job + Sync,
    check: impl Fn(&T, &Outcome) -> Result<(), String>,
) -> Result<(), String> {
    let folder = fsio::target_dir().join("test");
    fsio::make_folder(&folder)?;
    let file = folder.join(format!("port-{}", std::process::id()));
    let _ = fs::remove_file(&file);
    let run = |side: &T| job(&file, side).run();
    let outcomes = by_workers(sides.len(), sides, run);
    let _ = fs::remove_file(&file);
    for (side, outcome) in sides.iter().zip(outcomes) {
        let outcome = outcome?;
        check(side, &outcome)?;
        outcome.none_left()?;
    }
    Ok(())
}
