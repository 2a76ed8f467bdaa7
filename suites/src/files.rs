//! Tests of files on a machine that denies things: short and interrupted transfers, errors of the
//! device, a full file system, one that is mounted for reads, the user's limit for files.

use std::path::Path;

use super::programs::{compile, compile_as, mpirun};
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// Records of each rank in the long run of `files_many.c`.
const RECORDS: &str = "1000000";

/// Seeds of the long run of `files_random.c`, each with that many rounds.
const SEEDS: std::ops::Range<u32> = 1000..1100;
const ROUNDS: &str = "60";

/// How long one of the long runs may take.
const LONG: std::time::Duration = std::time::Duration::from_secs(300);

/// Ranks of each job.
const RANKS: usize = 3;

/// A file on a file system that is mounted with these options, and the class of error of writes.
const MOUNTS: &[(&str, &str, &str)] = &[
    ("a full file system", "size=200k", "MPI_ERR_NO_SPACE"),
    ("a file system for reads", "ro", "MPI_ERR_READ_ONLY"),
];

/// Every fault in turn.
pub fn run(world: &World) -> Result<Tally, String> {
    let folder = fsio::root().join("tests/environment");
    let program = compile(world, &folder.join("files_faulty.c"), &[])?;
    let shim = folder.join("faulty_files.c");
    let flags = ["-shared", "-fPIC", "-ldl"];
    let shim = compile_as("faulty_files.so", world, &shim, &flags)?;
    let place = std::env::temp_dir().join(format!("oxmpi-faulty-{}", std::process::id()));
    let file = place.with_extension("data");
    let mut tally = Tally::default();
    let job = |ways: &str| mpirun(world, RANKS, &["--mca", "fbtl", ways]);
    let shimmed = |mode: &str| {
        job("posix")
            .args(["env", &format!("LD_PRELOAD={}", shim.display())])
            .args([&format!("FAULTY={mode}"), "FAULTY_BYTE=150000"])
            .arg(&program)
            .arg(&file)
    };
    let count = |tally: &mut Tally, what: &str, job: Job| {
        tally.count(what, job.ok().map(drop));
    };
    count(
        &mut tally,
        "nothing denied",
        job("").arg(&program).arg(&file).arg("MPI_SUCCESS"),
    );
    count(
        &mut tally,
        "short transfers",
        shimmed("short").arg("MPI_SUCCESS"),
    );
    count(
        &mut tally,
        "an error of the device",
        shimmed("eio").arg("MPI_ERR_IO"),
    );
    for ways in ["posix", "uring,posix"] {
        let limited = job(ways).args(["sh", "-c", "ulimit -f 100 && exec \"$0\" \"$@\""]);
        let limited = limited.arg(&program).arg(&file).arg("MPI_ERR_IO");
        count(&mut tally, &format!("a limit for files, {ways}"), limited);
    }
    mounts(world, &program, &place, &mut tally)?;
    tally.count(
        "stripes of Lustre, by a fake",
        striped(world, &folder, &place),
    );
    Ok(tally)
}

/// A million small records of each rank, and random accesses from many seeds.
pub fn long(world: &World) -> Result<Tally, String> {
    let folder = fsio::root().join("tests/c");
    let mut tally = Tally::default();
    let many = compile(world, &folder.join("files_many.c"), &[])?;
    for ranks in 1..=2 {
        let job = mpirun(world, ranks, &[])
            .arg(&many)
            .arg(RECORDS)
            .limit(LONG);
        tally.count(
            &format!("a million records on {ranks} ranks"),
            job.ok().map(drop),
        );
    }
    let random = compile(world, &folder.join("files_random.c"), &[])?;
    for seed in SEEDS {
        let ranks = 1 + seed as usize % 5;
        let job = mpirun(world, ranks, &[]).arg(&random).arg(ROUNDS);
        let job = job.arg(seed.to_string()).limit(LONG);
        tally.count(&format!("seed {seed} on {ranks} ranks"), job.ok().map(drop));
    }
    Ok(tally)
}

/// Stripes of a new file are asked for once, by the process that creates it.
fn striped(world: &World, folder: &Path, place: &Path) -> Result<(), String> {
    let program = compile(world, &folder.join("striped.c"), &[])?;
    let fake = folder.join("fake_lustre.c");
    let fake = compile_as(
        "fake_lustre.so",
        world,
        &fake,
        &["-shared", "-fPIC", "-ldl"],
    )?;
    let log = place.with_extension("lustre");
    mpirun(world, RANKS, &[])
        .args(["env", &format!("LD_PRELOAD={}", fake.display())])
        .arg(format!("FAKE_LUSTRE={}", log.display()))
        .arg(&program)
        .arg(format!("lustre:{}", place.with_extension("data").display()))
        .ok()?;
    let asked = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    match asked == "bd10bd0 1: 5 stripes of 1048576 bytes from 2\n" {
        true => Ok(()),
        false => Err(format!("the ranks asked for: {asked}")),
    }
}

/// File systems of their own, in a mount namespace.
fn mounts(world: &World, program: &Path, place: &Path, tally: &mut Tally) -> Result<(), String> {
    if !shell::may_mount() {
        println!("      mounts are left out: this user may not make a mount namespace");
        return Ok(());
    }
    fsio::make_folder(place)?;
    for (what, options, class) in MOUNTS {
        let (place, mpirun) = (place.display(), world.bin("mpirun"));
        let inner = format!(
            "mount -t tmpfs -o {options} tmpfs {place} && \
             exec {} --oversubscribe -n {RANKS} {} {place}/faulty {class}",
            mpirun.display(),
            program.display()
        );
        let job = Job::new("unshare").args(["-m", "sh", "-c", &inner]);
        tally.count(what, job.ok().map(drop));
    }
    let _ = std::fs::remove_dir(place);
    Ok(())
}
