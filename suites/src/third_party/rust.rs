//! Runs the examples and tests of the `mpi` crate (rsmpi), built with the installation's `mpicc`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ways::{folder, mpirun, WAYS};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, side_by_side, Job};

const VERSION: &str = "0.8.2";

/// Examples that start further processes: dynamic process management is not there yet.
const SPAWNING: &[&str] = &["spawn", "spawn_multiple"];

/// Builds everything, then runs every example on 2 and 4 ranks, and the tests on one.
pub fn rsmpi(world: &World) -> Result<Tally, String> {
    let source = built(world)?;
    let programs = folder(TARGET).join("debug/examples");
    let mut tally = Tally::default();
    for of_one in side_by_side(&examples(&source)?, |example| {
        let mut tally = Tally::default();
        let program = programs.join(example);
        if !program.exists() {
            // It needs a feature that brings further crates along.
            return tally;
        }
        for (way, options) in WAYS {
            for ranks in [2, 4] {
                let job = mpirun(world, ranks, options, 60).arg(&program);
                let answer = job.ok().map(drop);
                tally.count(&format!("{example} on {ranks} ranks over {way}"), answer);
            }
        }
        tally
    }) {
        tally.add(of_one);
    }
    let tests = cargo(world, &source).arg("test").args(TESTS);
    tally.count("its tests", tests.ok().map(drop));
    Ok(tally)
}

/// Where Cargo puts what it builds of it.
const TARGET: &str = "rsmpi-target";

const TESTS: &[&str] = &["-q", "--lib", "--tests", "--features", "derive"];

/// Fetches what lacks and builds everything; gives the folder of the sources.
pub fn built(world: &World) -> Result<PathBuf, String> {
    if !has_libclang() {
        peers::apt_install(&["libclang-dev"])?;
    }
    let source = fetched()?;
    let build = ["build", "-q", "--examples", "--features", "derive"];
    cargo(world, &source).args(build).ok()?;
    let tests = cargo(world, &source).args(["test", "--no-run"]).args(TESTS);
    tests.ok()?;
    Ok(source)
}

fn cargo(world: &World, source: &Path) -> Job {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", world.prefix.join("bin").display());
    Job::new(shell::cargo())
        .folder(source)
        .env("MPICC", world.bin("mpicc"))
        .env("PATH", path)
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .env("CARGO_TARGET_DIR", folder(TARGET))
        .limit(Duration::from_secs(900))
}

fn examples(source: &Path) -> Result<Vec<String>, String> {
    let files = fsio::files_below(&source.join("examples"), "rs")?;
    let names = files
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()));
    Ok(names
        .filter(|name| !SPAWNING.contains(&name.as_str()))
        .collect())
}

/// Returns the crate's source, by a package that depends on it: Cargo then knows where it lies.
fn fetched() -> Result<PathBuf, String> {
    let place = folder("rsmpi");
    if place.join("Cargo.toml").exists() {
        return Ok(place);
    }
    println!("  fetching the crate mpi {VERSION}");
    let wanting = folder("rsmpi-fetch");
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [dependencies]\nmpi = \"={VERSION}\"\n\n[workspace]\n"
    );
    fsio::write(&wanting.join("Cargo.toml"), &manifest)?;
    fsio::write(&wanting.join("src/lib.rs"), "")?;
    let metadata = Job::new(shell::cargo())
        .args(["metadata", "-q", "--format-version", "1"])
        .folder(&wanting)
        .ok()?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata.out)
        .map_err(|error| format!("cargo metadata is not JSON: {error}"))?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let manifest = packages
        .iter()
        .find(|package| package["name"] == "mpi")
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or("cargo metadata names no package mpi")?;
    let source = Path::new(manifest)
        .parent()
        .ok_or("a manifest without a folder")?;
    Job::new("cp")
        .args(["-r", "--no-preserve=mode"])
        .args([source, &place])
        .ok()?;
    // It lies inside this workspace's folder, and is no part of it.
    let own = place.join("Cargo.toml");
    let text = fsio::read(&own)? + "\n[workspace]\n";
    fsio::write(&own, &text)?;
    Ok(place)
}

fn has_libclang() -> bool {
    let versions = std::fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten();
    let mut folders = versions
        .map(|entry| entry.path().join("lib"))
        .filter(|p| p.is_dir());
    folders.any(|lib| {
        let files = std::fs::read_dir(lib).into_iter().flatten().flatten();
        let mut names = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
        // Not the interface for C++ (libclang-cpp), which other packages bring.
        let is_it = |name: String| name.starts_with("libclang") && !name.contains("cpp");
        names.any(|name| name.contains(".so") && is_it(name))
    })
}
