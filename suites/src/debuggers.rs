//! The views of debuggers and tools: each script of `tests/debug` is a test, which prints what is
//! wrong.

use std::time::Duration;

use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{by_workers, Job};

/// The scripts, below the root.
const FOLDER: &str = "tests/debug";

/// The file that the scripts share.
const SHARED: &str = "common";

/// Scripts at a time: they wait for much of their time.
const AT_A_TIME: usize = 3;

/// Runs each script in a folder of its own.
pub fn run(world: &World) -> Result<Tally, String> {
    peers::apt_install(&["gdb", "tmux"])?;
    let root = fsio::root();
    let stem =
        |path: &std::path::PathBuf| path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let scripts = fsio::files_below(&root.join(FOLDER), "sh")?;
    let scripts: Vec<String> = scripts
        .iter()
        .filter_map(stem)
        .filter(|s| s != SHARED)
        .collect();
    let outcomes = by_workers(AT_A_TIME, &scripts, |name| {
        let folder = fsio::target_dir().join("debug-scripts").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        fsio::make_folder(&folder)?;
        let outcome = Job::new("bash")
            .arg(root.join(FOLDER).join(format!("{name}.sh")))
            .folder(&folder)
            .env("PREFIX", &world.prefix)
            .env("SOURCES", &root)
            .limit(Duration::from_secs(120))
            .run()?;
        match outcome.succeeded() {
            true => Ok(()),
            false => Err(format!("{}{}", outcome.out, outcome.err)),
        }
    });
    let mut tally = Tally::default();
    for (name, outcome) in scripts.iter().zip(outcomes) {
        tally.count(name, outcome);
    }
    Ok(tally)
}
