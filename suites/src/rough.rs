//! Runs programs on machines that lack or deny something: single copies between processes, a
//! temporary folder, a writable working directory, vector instructions, `/dev/shm`; and with rights
//! that their caller lacks.

use std::path::{Path, PathBuf};

use super::programs::{compile, mpirun};
use super::secure;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// Programs that move small, large and many messages.
const PROGRAMS: &[&str] = &["p2p_requests", "big", "collectives"];

/// Runs the programs under each restriction in turn, and checks the errors of wrong command lines.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let root = fsio::root();
    let mut programs = Vec::new();
    for name in PROGRAMS {
        programs.push(compile(
            world,
            &root.join(format!("tests/c/{name}.c")),
            &[],
        )?);
    }
    no_copies(world, &programs, &mut tally)?;
    let job = mpirun(world, 2, &[]).arg(&programs[0]);
    let long = format!("/tmp/{}", "x".repeat(200));
    tally.count(
        "TMPDIR missing",
        job.clone().env("TMPDIR", "/nowhere/at/all").ok().map(drop),
    );
    tally.count(
        "TMPDIR of 200 characters",
        job.clone().env("TMPDIR", long).ok().map(drop),
    );
    tally.count(
        "read-only working directory",
        job.folder(Path::new("/proc")).ok().map(drop),
    );
    tally.count(
        "singleton, without mpirun",
        Job::new(&programs[0]).ok().map(drop),
    );
    for word in ["none", "avx2"] {
        let job = mpirun(world, 2, &["--mca", "op_avx_support", word]).arg(&programs[2]);
        let name = format!("reductions with vectors: {word}");
        tally.count(&name, job.ok().map(drop));
    }
    small_shm(world, &programs[1], &mut tally);
    wrong_use(world, &programs[0], &mut tally)?;
    secure::run(world, &mut tally)?;
    Ok(tally)
}

/// Runs the programs where the kernel refuses to copy between processes.
fn no_copies(world: &World, programs: &[PathBuf], tally: &mut Tally) -> Result<(), String> {
    let folder = fsio::target_dir().join("test/bin");
    let deny = folder.join("deny_copy");
    let source = fsio::root().join("tests/environment/deny_copy.c");
    Job::new("cc")
        .args(["-O1", "-o"])
        .args([&deny, &source])
        .ok()?;
    for program in programs {
        let job = mpirun(world, 2, &[]).arg(&deny).arg(program);
        let name = format!("no process_vm_readv, {}", program.display());
        tally.count(&name, job.ok().map(drop));
    }
    Ok(())
}

/// Runs a program with a `/dev/shm` of 1 MiB, in a mount namespace of its own; skipped, with a
/// message, if this user may not create one.
fn small_shm(world: &World, program: &Path, tally: &mut Tally) {
    let inner = format!(
        "mount -t tmpfs -o size=1m tmpfs /dev/shm && exec {} -n 2 {}",
        world.bin("mpirun").display(),
        program.display()
    );
    if !shell::may_mount() {
        println!("      /dev/shm of 1 MiB is left out: this user may not make a mount namespace");
        return;
    }
    let job = Job::new("unshare").args(["-m", "sh", "-c", &inner]);
    tally.count("/dev/shm of 1 MiB", job.ok().map(drop));
}

/// Checks that wrong command lines print one line, exit with code 2 and start nothing.
fn wrong_use(world: &World, program: &Path, tally: &mut Tally) -> Result<(), String> {
    let plain = fsio::target_dir().join("test/not-executable");
    fsio::write(&plain, "not a program\n")?;
    let (program, plain) = (program.display().to_string(), plain.display().to_string());
    let lines: &[(&str, &[&str])] = &[
        ("-n 0", &["-n", "0", &program]),
        ("-n abc", &["-n", "abc", &program]),
        ("an unknown option", &["--nonsense", "-n", "1", &program]),
        (
            "a program that is not there",
            &["-n", "2", "./no-such-program"],
        ),
        ("a file that is not executable", &["-n", "2", &plain]),
        ("no program", &["-n", "2"]),
    ];
    for (name, args) in lines {
        let outcome = Job::new(world.bin("mpirun")).args(*args).run()?;
        let lines = outcome
            .err
            .lines()
            .filter(|line| !line.trim().is_empty())
            .count();
        let answer = match (outcome.code, lines) {
            (2, 1) => outcome.none_left(),
            _ => Err(format!("{lines} lines, {}", outcome.reason())),
        };
        tally.count(name, answer);
    }
    Ok(())
}
