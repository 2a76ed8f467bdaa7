//! The views of debuggers and tools: each script of `tests/debug` is a test, which prints what is
//! wrong.

use std::time::Duration;

use crate::case::Case;
use crate::peers;
use crate::world::World;
use xtask::fsio;
use xtask::shell::Job;

/// The scripts, below the root.
const FOLDER: &str = "tests/debug";

/// The file that the scripts share.
const SHARED: &str = "common";

/// Scripts at a time: they wait for much of their time.
const AT_A_TIME: usize = 3;

/// Each script, in a folder of its own.
pub fn run() -> Result<Vec<Case>, String> {
    let scripts = fsio::files_below(&fsio::root().join(FOLDER), "sh")?;
    let stems = scripts.iter().filter_map(|path| path.file_stem());
    let names = stems.map(|stem| stem.to_string_lossy().into_owned());
    let case = |name: String| {
        let script = name.clone();
        Case::new(name, AT_A_TIME, move |world| {
            peers::apt_install(&["gdb", "tmux"])?;
            succeeds(world, &script)
        })
    };
    Ok(names.filter(|name| name != SHARED).map(case).collect())
}

fn succeeds(world: &World, script: &str) -> Result<(), String> {
    let root = fsio::root();
    let folder = fsio::target_dir().join("debug-scripts").join(script);
    let _ = std::fs::remove_dir_all(&folder);
    fsio::make_folder(&folder)?;
    let outcome = Job::new("bash")
        .arg(root.join(FOLDER).join(format!("{script}.sh")))
        .folder(&folder)
        .env("PREFIX", &world.prefix)
        .env("SOURCES", &root)
        .limit(Duration::from_secs(120))
        .run()?;
    match outcome.succeeded() {
        true => Ok(()),
        false => Err(format!("{}{}", outcome.out, outcome.err)),
    }
}
