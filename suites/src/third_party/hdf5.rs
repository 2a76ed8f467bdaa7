//! Runs the parallel tests of HDF5 in C and Fortran, of NetCDF over it and over PnetCDF, and of
//! h5py: the libraries through which most programs reach MPI's files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ways::{folder, mpirun};
use super::{archives, pnetcdf};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, Job, Outcome};

/// Parallel tests of HDF5's `make check` in their order, and the ranks that each is run on.
/// `t_cache` on fewer than three ranks frees a datatype that it has not made; `t_cache_image` takes
/// minutes on any number. `t_prestart` and `t_pflush2` read what the program before has written.
const PROGRAMS: &[(&str, &[usize])] = &[
    ("t_mpi", &[2, 4]),
    ("t_bigio", &[2, 4]),
    ("testphdf5", &[2, 4]),
    ("t_cache", &[4]),
    ("t_cache_image", &[2]),
    ("t_pread", &[2, 4]),
    ("t_pshutdown", &[2]),
    ("t_prestart", &[2]),
    ("t_pshutdown", &[4]),
    ("t_prestart", &[4]),
    ("t_init_term", &[2, 4]),
    ("t_shapesame", &[2, 4]),
    ("t_filters_parallel", &[2, 4]),
    (FLUSHES, &[2]),
    ("t_pflush2", &[2]),
    (FLUSHES, &[4]),
    ("t_pflush2", &[4]),
];

/// The program that ends without `MPI_Finalize` and with an exit code of failure, always; and what
/// it prints where it has met one.
const FLUSHES: &str = "t_pflush1";
const REAL_ERROR: &str = "REAL ERROR";

/// The parallel tests in Fortran, which print what passed.
const FORTRAN: &str = "parallel_test";

/// How long a program of HDF5 may take, and a build, in seconds.
const LIMIT: u64 = 900;
const BUILD_LIMIT: Duration = Duration::from_secs(1800);

/// Builds HDF5, installs it for what is built over it, and runs its parallel tests.
pub fn hdf5(world: &World) -> Result<Tally, String> {
    let build = built(world)?;
    install(world, &build)?;
    let tests = build.join("testpar");
    let mut tally = Tally::default();
    for (program, ranks) in PROGRAMS {
        for ranks in *ranks {
            let job = mpirun(world, *ranks, &[], LIMIT).arg(tests.join(program));
            let job = job.folder(&tests);
            let ended = match *program {
                FLUSHES => job.run().and_then(|outcome| flushed(&outcome)),
                _ => job.ok().map(drop),
            };
            tally.count(&format!("{program} on {ranks} ranks"), ended);
        }
    }
    let tests = build.join("fortran/testpar");
    for ranks in [2, 4] {
        let job = mpirun(world, ranks, &[], LIMIT).arg(tests.join(FORTRAN));
        let ended = job.folder(&tests).ok().and_then(|outcome| {
            match outcome.out.matches(" PASSED").count() {
                5 => Ok(()),
                passed => Err(format!("{passed} of 5 passed: {}", outcome.out)),
            }
        });
        tally.count(&format!("Fortran's {FORTRAN} on {ranks} ranks"), ended);
    }
    Ok(tally)
}

/// Builds NetCDF over HDF5 and PnetCDF, and runs its parallel tests.
pub fn netcdf(world: &World) -> Result<Tally, String> {
    let build = netcdf_built(world)?;
    let mut tally = Tally::default();
    for (part, script) in [
        ("nc_test4", "run_par_test.sh"),
        ("nc_test", "run_pnetcdf_tests.sh"),
    ] {
        let place = build.join(part);
        make(world, &place, &["check", "TESTS="]).ok()?;
        let job = Job::new("bash").arg(format!("./{script}")).folder(&place);
        let job = job.env("LD_LIBRARY_PATH", world.prefix.join("lib"));
        tally.count(
            &format!("{part}/{script}"),
            job.limit(BUILD_LIMIT).ok().map(drop),
        );
    }
    Ok(tally)
}

/// Packages that h5py is built and tested with: newer releases of the first two do not compile it.
const H5PY_NEEDS: &[&str] = &[
    "numpy<2",
    "cython<3.1",
    "setuptools<81",
    "wheel",
    "pkgconfig",
    "pytest",
    "pytest-mpi",
];
const H5PY: &str = "h5py==3.12.1";

/// The words of pytest about the tests that are marked as MPI's.
const H5PY_PASSED: &str = "4 passed";

/// Builds h5py over HDF5 and the installation under test, and runs its tests of MPI.
pub fn h5py(world: &World) -> Result<Tally, String> {
    let python = h5py_built(world)?;
    let mut tally = Tally::default();
    for ranks in [1, 2, 4] {
        let job = mpirun(world, ranks, &[], LIMIT).arg(&python);
        let job = job.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--only-mpi"]);
        let ended = job
            .args(["--pyargs", "h5py.tests"])
            .ok()
            .and_then(|outcome| {
                // The first rank reports for all.
                match outcome.out.contains(H5PY_PASSED) {
                    true => Ok(()),
                    false => Err(format!("not `{H5PY_PASSED}`: {}", outcome.out)),
                }
            });
        tally.count(&format!("h5py's tests of MPI on {ranks} ranks"), ended);
    }
    Ok(tally)
}

/// The Python of a virtual environment with h5py and mpi4py.
fn h5py_built(world: &World) -> Result<PathBuf, String> {
    let library = installed(world)?;
    let venv = peers::venv(&folder("h5py"))?;
    let python = venv.join("bin/python");
    let pip = |options: &[&str], what: &[&str]| {
        let job = Job::new(&python).args(["-m", "pip", "install", "-q"]);
        let job = job.args(options).args(what).limit(BUILD_LIMIT);
        let job = job.env("LD_LIBRARY_PATH", world.prefix.join("lib"));
        job.env("CFLAGS", "-O0 -g0 -w")
    };
    pip(&[], H5PY_NEEDS).ok()?;
    let mpi4py = ["--force-reinstall", "--no-deps", "--no-binary", "mpi4py"];
    pip(&mpi4py, &[&format!("mpi4py=={}", super::python::VERSION)])
        .env("MPI4PY_BUILD_MPIABI", "1")
        .env("MPI4PY_BUILD_MPICC", world.bin("mpicc_abi"))
        .ok()?;
    let alone = ["--force-reinstall", "--no-deps", "--no-build-isolation"];
    let from_source = ["--no-cache-dir", "--no-binary", "h5py"];
    pip(&[alone, from_source].concat(), &[H5PY])
        .env("HDF5_MPI", "ON")
        .env("HDF5_DIR", library)
        .env("CC", world.bin("mpicc"))
        .ok()?;
    Ok(python)
}

/// Returns the folder in which NetCDF is installed, where it was made once.
pub fn netcdf_installed(world: &World) -> Result<PathBuf, String> {
    let place = folder("netcdf-install");
    if !place.join("lib/libnetcdf.a").exists() {
        make(world, &netcdf_built(world)?, &["install"]).ok()?;
    }
    Ok(place)
}

/// The folder in which NetCDF was made with the installation under test.
fn netcdf_built(world: &World) -> Result<PathBuf, String> {
    let libraries = [installed(world)?, pnetcdf::installed(world)?];
    let source = archives::unpacked("netcdf")?;
    let build = fresh("netcdf-build")?;
    let paths = |option: &str, part: &str| {
        let each = libraries.iter();
        let each = each.map(|library| format!("{option}{}", library.join(part).display()));
        each.collect::<Vec<_>>().join(" ")
    };
    configure(world, &source, &build)
        .args([
            "CFLAGS=-O0 -w",
            "--disable-shared",
            "--enable-parallel-tests",
        ])
        .args(["--enable-pnetcdf", "--disable-dap", "--disable-byterange"])
        .args(["--disable-nczarr", "--disable-libxml2"])
        .arg(format!("CPPFLAGS={}", paths("-I", "include")))
        .arg(format!(
            "LDFLAGS={} {}",
            paths("-L", "lib"),
            paths("-Wl,-rpath,", "lib")
        ))
        .arg("LIBS=-lhdf5_hl -lhdf5 -lz -lm -ldl")
        .arg(format!("--with-mpiexec={}", world.bin("mpirun").display()))
        .arg(format!("--prefix={}", folder("netcdf-install").display()))
        .ok()?;
    make(world, &build, &[]).ok()?;
    Ok(build)
}

fn flushed(outcome: &Outcome) -> Result<(), String> {
    match outcome.code == 1 && !outcome.out.contains(REAL_ERROR) {
        true => Ok(()),
        false => Err(format!("{}: {}", outcome.reason(), outcome.out)),
    }
}

/// The folder in which HDF5 was made with the installation under test, and its parallel tests.
fn built(world: &World) -> Result<PathBuf, String> {
    if shell::find("make").is_none() || !Path::new("/usr/include/zlib.h").exists() {
        peers::apt_install(&["make", "zlib1g-dev"])?;
    }
    peers::fortran_compiler()?;
    let source = archives::unpacked("hdf5")?;
    let build = fresh("hdf5-build")?;
    configure(world, &source, &build)
        .args(["CFLAGS=-O1 -w -fPIC", "--enable-parallel"])
        .arg(format!("FC={}", world.bin("mpifort").display()))
        .args(["FCFLAGS=-O1 -w", "--enable-fortran", "--disable-cxx"])
        .arg("--enable-build-mode=production")
        .arg(format!("--prefix={}", folder("hdf5-install").display()))
        .ok()?;
    for (part, goals) in [
        ("src", &[][..]),
        ("hl/src", &[]),
        ("test", &["libh5test.la"]),
        ("fortran/src", &[]),
        ("fortran/test", &["libh5test_fortran.la"]),
        ("fortran/testpar", &[FORTRAN]),
    ] {
        make(world, &build.join(part), goals).ok()?;
    }
    let mut programs: Vec<&str> = PROGRAMS.iter().map(|program| program.0).collect();
    programs.sort_unstable();
    programs.dedup();
    make(world, &build.join("testpar"), &programs).ok()?;
    Ok(build)
}

/// The folder in which HDF5 is installed. It is made once: programs find the MPI library under test
/// when they run.
fn installed(world: &World) -> Result<PathBuf, String> {
    let place = folder("hdf5-install");
    if place.join("lib/libhdf5_hl.a").exists() {
        return Ok(place);
    }
    install(world, &built(world)?)?;
    Ok(place)
}

fn install(world: &World, build: &Path) -> Result<(), String> {
    for part in ["src", "hl/src"] {
        make(world, &build.join(part), &["install"]).ok()?;
    }
    Ok(())
}

fn configure(world: &World, source: &Path, build: &Path) -> Job {
    Job::new("sh")
        .arg(source.join("configure"))
        .arg(format!("CC={}", world.bin("mpicc").display()))
        .folder(build)
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .limit(BUILD_LIMIT)
}

fn make(world: &World, place: &Path, goals: &[&str]) -> Job {
    Job::new("make")
        .args(["-s", &format!("-j{}", shell::processors())])
        .args(goals)
        .folder(place)
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .limit(BUILD_LIMIT)
}

/// Returns an empty folder.
fn fresh(name: &str) -> Result<PathBuf, String> {
    let place = folder(name);
    let _ = std::fs::remove_dir_all(&place);
    fsio::make_folder(&place)?;
    Ok(place)
}
