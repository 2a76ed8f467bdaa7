//! Programs in Fortran from Debian's source archives and PyPI's, built as their authors say, by the
//! wrappers or by CMake.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ways::{folder, mpirun};
use super::{archives, hdf5};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job};

/// dtfft's version.
const DTFFT: &str = "3.2.0";

/// Folders of netcdf-fortran with parallel tests, and the script that runs them.
const NETCDF_TESTS: [(&str, &str); 2] = [
    ("nf03_test4", "run_f90_par_test.sh"),
    ("nf_test4", "run_f77_par_test.sh"),
];

/// mpgrafic, which makes initial conditions for cosmology by FFTW 2, and a solver of hypre.
pub fn fortran(world: &World) -> Result<Tally, String> {
    peers::fortran_compiler()?;
    let mut tally = Tally::default();
    mpgrafic(world, &mut tally)?;
    let source = copied("hypre")?.join("src");
    configure_hypre(world, &source)?;
    // What the solver needs is half of the library, and 12 seconds of compiling.
    let without = ["STRUCT", "SSTRUCT", "LIBS"].map(|part| format!("HYPRE_{part}_DIRS="));
    make(world, &source, &without.each_ref().map(String::as_str))?;
    let archive = "ar rcs hypre/lib/libHYPRE.a */*.o */*.obj distributed_ls/*/*.o";
    build(world, "sh", &source).args(["-c", archive]).ok()?;
    solve(
        world,
        &source,
        &[("ex5f", 1), ("ex5f", 2), ("ex5f", 4)],
        &mut tally,
    )?;
    Ok(tally)
}

/// The whole of hypre, and two solvers called from Fortran.
pub fn hypre(world: &World) -> Result<Tally, String> {
    peers::fortran_compiler()?;
    let mut tally = Tally::default();
    let source = copied("hypre")?.join("src");
    configure_hypre(world, &source)?;
    make(world, &source, &[])?;
    let runs = [("ex5f", 1), ("ex5f", 4), ("ex12f", 2)];
    solve(world, &source, &runs, &mut tally)?;
    Ok(tally)
}

/// Builds dtfft by CMake, which finds the library by `FindMPI`, and tests it on 1 and 2 ranks.
/// It uses `mpi_f08`, and its authors refuse extensions of Fortran 2018.
pub fn dtfft(world: &World) -> Result<Tally, String> {
    peers::fortran_compiler()?;
    peers::apt_install(&["cmake", "ninja-build"])?;
    let source = dtfft_source()?;
    let place = folder("fortran").join("dtfft-build");
    let _ = std::fs::remove_dir_all(&place);
    fsio::make_folder(&place)?;
    build(world, "cmake", &place)
        .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"])
        .arg("-DDTFFT_BUILD_TESTS=ON")
        .arg(format!("-DMPI_HOME={}", world.prefix.display()))
        .args([Path::new("-S"), &source, Path::new("-B"), &place])
        .ok()?;
    build(world, "ninja", &place).ok()?;
    let jobs = format!("-j{}", shell::processors());
    let outcome = build(world, "ctest", &place).arg(jobs).run()?;
    let passed = |line: &str| line.contains("   Passed ");
    let count = outcome.out.lines().filter(|line| passed(line)).count();
    let mut tally = Tally::default();
    tally.count(
        "dtfft's tests",
        match outcome.code == 0 && count >= 50 {
            true => Ok(()),
            false => Err(format!("{count} passed: {}", outcome.out)),
        },
    );
    Ok(tally)
}

/// The source of dtfft, which pip unpacks only where what it is built with is there.
fn dtfft_source() -> Result<PathBuf, String> {
    let (all, name) = (folder("fortran"), format!("dtfft-{DTFFT}"));
    let place = all.join(&name);
    if place.join("CMakeLists.txt").exists() {
        return Ok(place);
    }
    println!("  fetching the Python source package dtfft {DTFFT}");
    fsio::make_folder(&all)?;
    let pip = peers::venv(&folder("dtfft-python"))?.join("bin/pip");
    Job::new(&pip)
        .args(["install", "-q", "scikit-build", "setuptools", "wheel"])
        .ok()?;
    Job::new(&pip)
        .args(["download", "-q", "--no-deps", "--no-build-isolation"])
        .args(["--no-binary", "dtfft", &format!("dtfft=={DTFFT}"), "-d"])
        .arg(&all)
        .ok()?;
    let unpacking = Job::new("tar").args(["-xf", &format!("{name}.tar.gz")]);
    unpacking.folder(&all).ok()?;
    Ok(place)
}

/// Builds netcdf-fortran over NetCDF, and runs its parallel programs on 4 ranks.
pub fn netcdf_fortran(world: &World) -> Result<Tally, String> {
    peers::fortran_compiler()?;
    let c = hdf5::netcdf_installed(world)?;
    let libraries = Job::new(c.join("bin/nc-config")).args(["--libs", "--static"]);
    let libraries = libraries.ok()?.out;
    let source = archives::unpacked("netcdf-fortran")?;
    let place = folder("fortran").join("netcdf-fortran-build");
    let _ = std::fs::remove_dir_all(&place);
    fsio::make_folder(&place)?;
    build(world, "sh", &place)
        .arg(source.join("configure"))
        .args(["CC=mpicc", "FC=mpifort", "F77=mpifort", "CFLAGS=-O1 -w"])
        .args(["FFLAGS=-O1 -w", "FCFLAGS=-O1 -w", "--disable-shared"])
        .arg(format!("CPPFLAGS=-I{}", c.join("include").display()))
        .arg(format!("LIBS={}", libraries.trim()))
        .arg("--enable-parallel-tests")
        .ok()?;
    make(world, &place, &[])?;
    let mut tally = Tally::default();
    for (part, script) in NETCDF_TESTS {
        let tests = make(world, &place.join(part), &["check"]);
        let log = fsio::read(&place.join(part).join(format!("{script}.log")));
        let ran = log.and_then(|log| match log.contains("SUCCESS") {
            true => Ok(()),
            false => Err(log),
        });
        tally.count(&format!("netcdf-fortran's {part}"), tests.and(ran));
    }
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

/// Compiles the part of FFTW 2 that calls MPI. Debian's `fftw-dev` has the rest, which does not.
fn fftw(world: &World) -> Result<PathBuf, String> {
    peers::apt_install(&["fftw-dev"])?;
    let source = archives::unpacked("fftw")?;
    let place = folder("fortran").join("fftw-mpi");
    let _ = std::fs::remove_dir_all(&place);
    fsio::make_folder(&place)?;
    let parts = [
        ("librfftw_mpi.a", &["rfftw_f77_mpi", "rfftwnd_mpi"][..]),
        (
            "libfftw_mpi.a",
            &[
                "fftw_f77_mpi",
                "fftw_mpi",
                "fftwnd_mpi",
                "sched",
                "TOMS_transpose",
                "transpose_mpi",
            ],
        ),
    ];
    for (library, names) in parts {
        let files = names.iter().map(|name| format!("mpi/{name}.c"));
        build(world, "mpicc", &place)
            .args(["-O1", "-w", "-c", "-DF77_FUNC_(name,NAME)=name##_"])
            .args(["fftw", "rfftw"].map(|part| format!("-I{}", source.join(part).display())))
            .args(files.map(|file| source.join(file)))
            .ok()?;
        let objects = names.iter().map(|name| format!("{name}.o"));
        let archive = build(world, "ar", &place).args(["rcs", library]);
        archive.args(objects).ok()?;
    }
    Ok(place)
}

/// On one rank mpgrafic prints what its authors have recorded. On more, each rank makes noise from
/// a seed of its own, whose standard deviation is 1.
fn mpgrafic(world: &World, tally: &mut Tally) -> Result<(), String> {
    peers::apt_install(&["libgsl-dev"])?;
    let fftw = fftw(world)?;
    let headers = archives::unpacked("fftw")?.join("mpi");
    let program = copied("mpgrafic")?;
    build(world, "./configure", &program)
        .args(["FC=mpifort", "F77=mpifort", "CC=mpicc"])
        .arg(format!("CFLAGS=-O1 -w -I{}", headers.display()))
        .arg("FCFLAGS=-O1 -w")
        .arg(format!("LDFLAGS=-L{}", fftw.display()))
        .ok()?;
    // Its sources are compiled in the order in which their modules need each other.
    make(world, &program, &["-j1", "all"])?;
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

/// Configures hypre, whose 600 files compile in half the time without optimisation.
fn configure_hypre(world: &World, source: &Path) -> Result<(), String> {
    build(world, "./configure", source)
        .args(["CC=mpicc", "CXX=mpicxx", "FC=mpifort", "F77=mpifort"])
        .args(["CFLAGS=-O0 -w", "CXXFLAGS=-O0 -w", "FFLAGS=-O0 -w"])
        .ok()
        .map(drop)
}

/// Builds examples of hypre in Fortran and runs each on a number of ranks.
fn solve(
    world: &World,
    source: &Path,
    runs: &[(&str, usize)],
    tally: &mut Tally,
) -> Result<(), String> {
    let examples = source.join("examples");
    for (name, ranks) in runs {
        make(world, &examples, &["F77=mpifort", name])?;
        let run = mpirun(world, *ranks, &[], 120)
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
