//! Runs third-party MPI programs, unmodified. They are fetched by their own package managers and
//! not kept in the repository.

mod archives;
mod armci;
mod fortran;
mod hdf5;
mod pnetcdf;
mod python;
mod rust;
mod ways;
pub mod wheel;

use std::path::{Path, PathBuf};

pub use armci::armci;
pub use fortran::{dtfft, fortran, hypre, netcdf_fortran};
pub use hdf5::{h5py, hdf5, netcdf};
pub use pnetcdf::pnetcdf;
pub use python::{
    mpi4py, mpi4py_all, mpi4py_files, mpi4py_ofi, mpi4py_ofi_all, Suite, MODULES as MPI4PY_MODULES,
};
pub use rust::rsmpi;
use ways::{folder, mpirun, WAYS};

use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::Job;

/// Fetches and builds the large programs ahead of the steps that need them, which report failures.
pub fn prepare(world: &World) {
    let _ = peers::apt_install(AHEAD);
    let _ = peers::get("mpich").and(peers::get("impi"));
    for package in ["netpipe", "mpich", "fftw", "mpgrafic", "hypre"] {
        let _ = archives::unpacked(package);
    }
    let _ = Suite::ready(world);
    let _ = rust::built(world);
}

/// Packages that steps of continuous integration would install one after the other, while the
/// processors wait for the network.
const AHEAD: &[&str] = &[
    "fftw-dev",
    "groff-base",
    "libclang-dev",
    "libfabric-dev",
    "libgsl-dev",
    "libjemalloc2",
    "libmimalloc2.0",
    "man-db",
    "mandoc",
    "munge",
    "slurm-client",
    "slurmctld",
    "slurmd",
    "valgrind",
];

/// Returns the folder with the upstream source of Debian's `package`, fetched if necessary.
pub fn source(package: &str) -> Result<PathBuf, String> {
    archives::unpacked(package)
}

/// Runs NetPIPE 3, which checks the received data and then measures.
pub fn netpipe(world: &World) -> Result<Tally, String> {
    let source = archives::unpacked("netpipe")?;
    let program = folder("bin").join("NPmpi");
    fsio::make_folder(&folder("bin"))?;
    Job::new(world.bin("mpicc"))
        .args([
            "-O2",
            "-w",
            "-DMPI",
            "src/netpipe.c",
            "src/mpi.c",
            "-Isrc",
            "-o",
        ])
        .arg(&program)
        .folder(&source)
        .ok()?;
    let output = folder("bin").join("np.out");
    let mut tally = Tally::default();
    for (way, options) in WAYS {
        for run in NETPIPE_RUNS {
            let job = mpirun(world, run.ranks, options, 120)
                .arg(&program)
                .args(["-n", "20", "-p", "0", "-l", run.from, "-u", run.to])
                .arg("-o")
                .arg(&output);
            let name = format!(
                "{} to {} bytes on {} ranks over {way}",
                run.from, run.to, run.ranks
            );
            let speed = job.ok().and_then(|outcome| run.judge(&outcome.err, "Mbps"));
            tally.count(&format!("speed, {name}"), speed);
            if run.ranks > 2 {
                continue;
            }
            let integrity = job.arg("-i").ok();
            let integrity = integrity.and_then(|outcome| run.judge(&outcome.err, "check passed"));
            tally.count(&format!("integrity, {name}"), integrity);
        }
    }
    Ok(tally)
}

/// A run of NetPIPE over message sizes `from` to `to`, and the number of sizes that it must report.
struct NetpipeRun {
    ranks: usize,
    from: &'static str,
    to: &'static str,
    sizes: usize,
}

/// The runs of NetPIPE. It measures between the first rank and the last; ranks between these leave
/// its loop after the first size, while the others still call MPI_Barrier. With more than two ranks
/// it can therefore measure only one size in a run, and not check integrity, on any MPI library.
const NETPIPE_RUNS: &[NetpipeRun] = &[
    NetpipeRun {
        ranks: 2,
        from: "1",
        to: "1048576",
        sizes: 30,
    },
    NetpipeRun {
        ranks: 4,
        from: "8",
        to: "8",
        sizes: 1,
    },
    NetpipeRun {
        ranks: 4,
        from: "131072",
        to: "131072",
        sizes: 1,
    },
];

impl NetpipeRun {
    /// Checks the output: each line is `N: BYTES bytes REPEATS times --> ...`, and must contain
    /// `word`.
    fn judge(&self, text: &str, word: &str) -> Result<(), String> {
        let lines = text.lines().filter(|line| line.contains(" times --> "));
        let (right, wrong): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains(word));
        match right.len() >= self.sizes && wrong.is_empty() {
            true => Ok(()),
            false => Err(format!("{} sizes are right: {text}", right.len())),
        }
    }
}

/// Runs the C examples of MPICH that need neither one-sided communication nor a window system.
pub fn mpich_examples(world: &World) -> Result<Tally, String> {
    let source = archives::unpacked("mpich")?.join("examples");
    let bin = folder("bin");
    fsio::make_folder(&bin)?;
    for name in ["cpi", "icpi", "hellow", "srtest", "pmandel"] {
        Job::new(world.bin("mpicc"))
            .args(["-O1", "-w", "-o"])
            .args([&bin.join(name), &source.join(format!("{name}.c"))])
            .arg("-lm")
            .ok()?;
    }
    let mut tally = Tally::default();
    for (way, options) in WAYS {
        let mut pictures = Vec::new();
        for ranks in [2, 4] {
            let run = |name: &str, args: &[&str], stdin: &str| {
                let job = mpirun(world, ranks, options, 60)
                    .arg(bin.join(name))
                    .args(args);
                job.stdin(stdin)
                    .folder(&bin)
                    .ok()
                    .map(|outcome| outcome.out)
            };
            let mut count = |name: &str, answer| {
                tally.count(&format!("{name} on {ranks} ranks over {way}"), answer);
            };
            count(
                "cpi",
                run("cpi", &[], "").and_then(|out| pi_is_right(&out, 1)),
            );
            count(
                "icpi",
                run("icpi", &[], "1000\n10000\n0\n").and_then(|out| pi_is_right(&out, 2)),
            );
            count(
                "hellow",
                run("hellow", &[], "").and_then(|out| all_said_hello(&out, ranks)),
            );
            count(
                "srtest",
                run("srtest", &[], "").and_then(|out| ring_is_closed(&out, ranks)),
            );
            let picture = bin.join(format!("mandel-{ranks}.ppm"));
            let picture = picture.display().to_string();
            let args = ["-i", "-xscale", "200", "-yscale", "200", "-out", &picture];
            let drawn = run("pmandel", &args, "-1.5 -1 0.5 1 100\n0 0 0 0 0\n");
            pictures.push(drawn.and_then(|_| fsio::read_bytes(Path::new(&picture))));
        }
        let answer = match &pictures[..] {
            [Ok(two), Ok(four)] if two == four && has_colours(two) => Ok(()),
            [Ok(_), Ok(_)] => Err("the pictures differ, or show nothing".to_string()),
            [Err(why), _] | [_, Err(why)] => Err(why.clone()),
            _ => Err("no picture".to_string()),
        };
        tally.count(
            &format!("pmandel draws the same on 2 and 4 ranks over {way}"),
            answer,
        );
    }
    Ok(tally)
}

/// Checks that `times` lines print pi, with less than the error of the method for 1000 intervals.
fn pi_is_right(out: &str, times: usize) -> Result<(), String> {
    let errors: Vec<f64> = out
        .lines()
        .filter_map(|line| line.split("Error is ").nth(1)?.trim().parse().ok())
        .collect();
    match errors.len() == times && errors.iter().all(|error| error.abs() < 1e-6) {
        true => Ok(()),
        false => Err(format!("pi is wrong in {out:?}")),
    }
}

fn all_said_hello(out: &str, ranks: usize) -> Result<(), String> {
    let said = |rank: &usize| out.contains(&format!("from process {rank} of {ranks}"));
    match (0..ranks).find(|rank| !said(rank)) {
        Some(rank) => Err(format!("rank {rank} said nothing in {out:?}")),
        None => Ok(()),
    }
}

fn ring_is_closed(out: &str, ranks: usize) -> Result<(), String> {
    let got = |rank: &usize| out.contains(&format!("{rank} received 'hello there'"));
    match (0..ranks).find(|rank| !got(rank)) {
        Some(rank) => Err(format!("rank {rank} received nothing in {out:?}")),
        None => Ok(()),
    }
}

fn has_colours(picture: &[u8]) -> bool {
    let mut seen = [false; 256];
    picture
        .iter()
        .for_each(|byte| seen[usize::from(*byte)] = true);
    picture.len() > 10_000 && seen.iter().filter(|seen| **seen).count() > 16
}
