//! Programs in Fortran from Debian's source archives, built by the wrappers as their authors say.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{archives, folder, mpirun};
use crate::shell::{self, Job};
use crate::world::{Tally, World};
use crate::{fsio, peers};

/// mpgrafic, which makes initial conditions for cosmology by FFTW 2, and hypre's Fortran examples.
pub fn fortran(world: &World) -> Result<Tally, String> {
    if shell::find("gfortran").is_none() {
        peers::apt_install(&["gfortran"])?;
    }
    let mut tally = Tally::default();
    mpgrafic(world, &mut tally)?;
    hypre(world, &mut tally)?;
    Ok(tally)
}

/// A fresh copy of a package's source, to build in.
fn copied(package: &str) -> Result<PathBuf, String> {
    let source = archives::unpacked(package)?;
    let build = folder("fortran").join(package);
    let _ = std::fs::remove_dir_all(&build);
    fsio::make_folder(&folder("fortran"))?;
    Job::new("cp").arg("-a").args([&source, &build]).ok()?;
    Ok(build)
}

fn build(world: &World, program: &str, at: &Path) -> Job {
    let path = std::env::var("PATH").unwrap_or_default();
    Job::new(program)
        .env(
            "PATH",
            format!("{}:{path}", world.prefix.join("bin").display()),
        )
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .folder(at)
        .limit(Duration::from_secs(1800))
}

fn make(world: &World, at: &Path, targets: &[&str]) -> Result<(), String> {
    let jobs = format!("-j{}", shell::processors());
    build(world, "make", at)
        .args(["-s", &jobs])
        .args(targets)
        .ok()
        .map(drop)
}

/// On one rank it prints what its authors have recorded. On more, each rank makes noise from a seed
/// of its own, whose standard deviation is 1.
fn mpgrafic(world: &World, tally: &mut Tally) -> Result<(), String> {
    peers::apt_install(&["libgsl-dev"])?;
    let fftw = copied("fftw")?;
    let prefix = folder("fortran").join("fftw-installed");
    build(world, "./configure", &fftw)
        .args(["--build=x86_64-linux-gnu", "--enable-mpi"])
        .arg(format!("--prefix={}", prefix.display()))
        .args(["CC=gcc", "MPICC=mpicc", "F77=gfortran", "CFLAGS=-O1 -w"])
        .ok()?;
    make(world, &fftw, &["all"])?;
    make(world, &fftw, &["install"])?;
    let program = copied("mpgrafic")?;
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    build(world, "./configure", &program)
        .args(["FC=mpifort", "F77=mpifort", "CC=mpicc"])
        .arg(format!("CFLAGS=-O1 -w -I{}", include.display()))
        .arg("FCFLAGS=-O1 -w")
        .arg(format!("LDFLAGS=-L{}", lib.display()))
        .ok()?;
    make(world, &program, &["all"])?;
    let recorded = fsio::read(&program.join("Output.stdout.np32"))?;
    for ranks in [1, 2, 4] {
        let run = mpirun(world, ranks, &[], 120)
            .arg(program.join("src/mpgrafic"))
            .args(["--np=32", "../Input.stdin"])
            .folder(&program.join("src"))
            .ok();
        let checked = run.and_then(|outcome| match outcome.out == recorded || ranks > 1 {
            true => deviation_is_one(&outcome.out),
            false => Err(format!("not as recorded: {}", outcome.out)),
        });
        tally.count(&format!("mpgrafic on {ranks} ranks"), checked);
    }
    Ok(())
}

fn deviation_is_one(out: &str) -> Result<(), String> {
    let lines = out
        .lines()
        .filter(|line| line.contains("Standard deviation"));
    let last = |line: &str| line.split_whitespace().next_back()?.parse::<f64>().ok();
    let found: Vec<f64> = lines.filter_map(last).collect();
    match !found.is_empty() && found.iter().all(|one| (one - 1.0).abs() < 0.02) {
        true => Ok(()),
        false => Err(format!("standard deviations of the noise: {found:?}")),
    }
}

/// Two solvers of hypre, called from Fortran.
fn hypre(world: &World, tally: &mut Tally) -> Result<(), String> {
    let source = copied("hypre")?.join("src");
    build(world, "./configure", &source)
        .args([
            "--with-MPI",
            "CC=mpicc",
            "CXX=mpicxx",
            "FC=mpifort",
            "F77=mpifort",
        ])
        .args(["CFLAGS=-O1 -w", "CXXFLAGS=-O1 -w", "FFLAGS=-O1 -w"])
        .ok()?;
    make(world, &source, &[])?;
    let examples = source.join("examples");
    make(world, &examples, &["F77=mpifort", "ex5f", "ex12f"])?;
    for (name, ranks) in [("ex5f", 1), ("ex5f", 2), ("ex5f", 4), ("ex12f", 2)] {
        let run = mpirun(world, ranks, &[], 120)
            .arg(examples.join(name))
            .folder(&examples)
            .ok();
        let checked = run.and_then(|outcome| residual_is_small(&outcome.out));
        tally.count(&format!("hypre's {name} on {ranks} ranks"), checked);
    }
    Ok(())
}

/// Each solver prints the relative norm of the residual, one in a line, the other at the end of the
/// line of its last iteration.
fn residual_is_small(out: &str) -> Result<(), String> {
    let named = out.lines().find(|line| line.contains("Residual Norm ="));
    let last = named.or_else(|| {
        out.lines()
            .rfind(|line| line.split_whitespace().count() == 4)
    });
    let number = last.and_then(|line| line.split_whitespace().next_back()?.parse::<f64>().ok());
    match number {
        Some(norm) if norm < 1e-6 => Ok(()),
        _ => Err(format!("no small residual norm in {out:?}")),
    }
}
