//! `cargo xtask demo`: builds everything and runs a program that draws a picture with four ranks.
//!
//! It builds and installs the library, compiles `examples/heat2d.c` with the installed `mpicc`,
//! runs it with the installed `mpirun`, and leaves `target/demo/heat.png`, which names the library
//! that drew it. The build is that of the tests, which is quick to link and serves them afterwards.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fsio;
use crate::install::{self, PROFILE};
use crate::shell::Job;

const RANKS: &str = "4";
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The bytes before the library's name in a picture: the kind of a chunk, and its key.
const NAMED: &[u8] = b"tEXtSoftware\0";

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Draw with the installation at DIR, and build none
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
}

/// Builds, installs, computes, and says where the picture is.
pub fn run(options: &Options) -> Result<(), String> {
    let prefix = match &options.prefix {
        Some(prefix) => prefix.clone(),
        None => {
            println!(
                "building oxmpi by the profile `{PROFILE}`, which links in seconds, and installing \
                 it (the first build takes a minute or two)"
            );
            let prefix = install::of_tests(PROFILE);
            install::at(&prefix, PROFILE)?;
            prefix
        }
    };
    with(&prefix)
}

/// Draws with an installation, and says where the picture is.
pub fn with(prefix: &Path) -> Result<(), String> {
    println!("compiling examples/heat2d.c and running it on {RANKS} ranks");
    let (measured, picture) = draw(prefix)?;
    let library = library(&picture)?;
    print!("measured: {measured}");
    if library.contains("assertions") {
        println!("          of a build for tests; `cargo xtask install` makes a fast one");
    }
    println!("picture: {} (drawn by {library})", picture.display());
    Ok(())
}

/// Has an installation compile the program and run it; returns what it measured, and the picture.
fn draw(prefix: &Path) -> Result<(String, PathBuf), String> {
    let folder = fsio::target_dir().join("demo");
    fsio::make_folder(&folder)?;
    let (program, picture) = (folder.join("heat2d"), folder.join("heat.png"));
    let _ = std::fs::remove_file(&picture);
    Job::new(prefix.join("bin/mpicc"))
        .args(["-std=gnu11", "-O3", "-o"])
        .arg(&program)
        .args(["examples/heat2d.c", "-lm"])
        .ok()?;
    let outcome = Job::new(prefix.join("bin/mpirun"))
        .args(["-n", RANKS])
        .args([&program, &picture])
        .limit(Duration::from_secs(300))
        .ok()?;
    Ok((outcome.out, picture))
}

/// Returns the MPI library that a picture names.
fn library(picture: &Path) -> Result<String, String> {
    let bytes = fsio::read_bytes(picture)?;
    let place = bytes.windows(NAMED.len()).position(|part| part == NAMED);
    let place = place.filter(|place| *place >= 4 && bytes.starts_with(PNG_SIGNATURE));
    let place = place.ok_or(format!(
        "{} is not a PNG picture that names a library",
        picture.display()
    ))?;
    // Before the kind stands the length of what follows it.
    let length = bytes[place - 4..place].iter();
    let length = length.fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    let text = bytes.get(place + NAMED.len()..place + 4 + length);
    Ok(String::from_utf8_lossy(text.unwrap_or_default()).into_owned())
}
