//! `cargo xtask demo`: builds everything and runs a program that draws a picture with four ranks.
//!
//! It builds and installs the library, compiles `examples/heat2d.c` with the installed `mpicc`,
//! runs it with the installed `mpirun`, and leaves `target/demo/heat.png`.

use std::path::PathBuf;
use std::time::Duration;

use crate::fsio;
use crate::shell::Job;

const RANKS: &str = "4";
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Builds, installs, computes, and says where the picture is.
pub fn run(args: &[String]) -> Result<(), String> {
    let prefix = match args {
        [] => {
            println!("building oxmpi and installing it (the first build takes a few minutes)");
            crate::install::run(&[])?;
            fsio::target_dir().join("prefix")
        }
        [option, prefix] if option == "--prefix" => PathBuf::from(prefix),
        _ => return Err("usage: cargo xtask demo [--prefix DIR]".to_string()),
    };
    let folder = fsio::target_dir().join("demo");
    fsio::make_folder(&folder)?;
    let (program, picture) = (folder.join("heat2d"), folder.join("heat.png"));
    let _ = std::fs::remove_file(&picture);
    println!(
        "compiling examples/heat2d.c with {}",
        prefix.join("bin/mpicc").display()
    );
    Job::new(prefix.join("bin/mpicc"))
        .args(["-std=gnu11", "-O3", "-o"])
        .arg(&program)
        .args(["examples/heat2d.c", "-lm"])
        .ok()?;
    println!("running it on {RANKS} ranks");
    let outcome = Job::new(prefix.join("bin/mpirun"))
        .args(["-n", RANKS])
        .args([&program, &picture])
        .limit(Duration::from_secs(300))
        .ok()?;
    if !fsio::read_bytes(&picture)?.starts_with(PNG_SIGNATURE) {
        return Err(format!("{} is not a PNG picture", picture.display()));
    }
    print!("measured: {}", outcome.out);
    println!("picture: {}", picture.display());
    Ok(())
}
