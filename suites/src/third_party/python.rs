//! Builds mpi4py from its source package for the standard ABI, and runs its tests.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ways::{folder, mpirun};
use crate::ofi;
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{side_by_side, Job};

/// The release of mpi4py.
pub(super) const VERSION: &str = "4.1.2";
const FFT_VERSION: &str = "2.0.6";

/// The test files of the quicker rounds: point-to-point, communicators, datatypes, blocking
/// collectives.
pub const MODULES: &[&str] = &[
    "test_p2p_buf",
    "test_p2p_buf_matched",
    "test_p2p_buf_part",
    "test_p2p_obj",
    "test_p2p_obj_matched",
    "test_comm",
    "test_comm_inter",
    "test_comm_topo",
    "test_datatype",
    "test_cco_buf",
    "test_cco_buf_inter",
    "test_cco_vec",
    "test_cco_vec_inter",
    "test_cco_obj",
    "test_cco_obj_inter",
    "test_cco_ngh_buf",
    "test_cco_ngh_obj",
];

/// The test files about files.
const FILES: &[&str] = &["test_file", "test_io"];

/// A plain Python that starts four workers and gives them a thousand tasks.
const POOL: &str = "\
from mpi4py.futures import MPIPoolExecutor
if __name__ == '__main__':
    with MPIPoolExecutor(4) as pool:
        assert list(pool.map(abs, range(-1000, 0))) == list(range(1000, 0, -1))
";

/// Names of mpi4py for what `mpi-ext.h` declares of ULFM. It looks for that by itself only where
/// the library is Open MPI, so its build gets the names here.
const ULFM: &[&str] = &[
    "ERR_REVOKED",
    "ERR_PROC_FAILED",
    "ERR_PROC_FAILED_PENDING",
    "Comm_revoke",
    "Comm_is_revoked",
    "Comm_get_failed",
    "Comm_ack_failed",
    "Comm_agree",
    "Comm_iagree",
    "Comm_shrink",
    "Comm_ishrink",
];

/// Packages that mpi4py's tests use where they are there.
pub(super) const USED: &[&str] = &["numpy", "cffi", "dill", "pyyaml"];

/// Builds mpi4py, imports it, and runs its whole suite on 2 ranks, and the tests of its pools on 4.
/// What the suite tests on 1 rank alone [`mpi4py_all`] runs: it takes a minute of both cores.
pub fn mpi4py(world: &World) -> Result<Tally, String> {
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    let import = Job::new(&suite.python)
        .args(["-c", "from mpi4py import MPI; print(MPI.COMM_WORLD.size)"])
        .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
        .ok();
    tally.count("import", import.map(drop));
    tally.add(suite.whole(world, 2));
    suite.futures(world, &mut tally);
    Ok(tally)
}

/// The whole suite on 1 to 4 ranks, and on 4 ranks what is built
/// on mpi4py: `mpi4py.futures` and `mpi4py-fft`.
pub fn mpi4py_all(world: &World) -> Result<Tally, String> {
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    for ranks in 1..=4 {
        tally.add(suite.whole(world, ranks));
    }
    suite.futures(world, &mut tally);
    suite.transforms(world, &mut tally)?;
    Ok(tally)
}

/// Runs mpi4py's tests of files on 1 to 4 ranks.
pub fn mpi4py_files(world: &World) -> Result<Tally, String> {
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    for ranks in 1..=4 {
        for module in FILES {
            let mut one = Tally::default();
            let job = mpirun(world, ranks, &[], 300);
            suite.judge(module, job, &format!("on {ranks} ranks"), &mut one);
            println!("      {module} on {ranks} ranks: {} passed", one.passed);
            tally.add(one);
        }
    }
    Ok(tally)
}

/// Runs mpi4py's tests on 2 ranks over libfabric, by the paths that are quick.
pub fn mpi4py_ofi(world: &World) -> Result<Tally, String> {
    over_libfabric(world, &[2], |way| way.quick)
}

/// Runs mpi4py's tests on 2 and 3 ranks over libfabric by every path: `sockets` takes long.
pub fn mpi4py_ofi_all(world: &World) -> Result<Tally, String> {
    let mut tally = over_libfabric(world, &[2, 3], |_| true)?;
    let (suite, library) = (Suite::ready(world)?, ofi::newer()?);
    for (way, options) in ofi::NEWER_SHM {
        let options = ofi::of_library(options, &library);
        suite.over(world, 2, (&options, way), MODULES, &mut tally);
    }
    Ok(tally)
}

fn over_libfabric(
    world: &World,
    ranks: &[usize],
    wanted: impl Fn(&ofi::OfiPath) -> bool,
) -> Result<Tally, String> {
    ofi::ready()?;
    let suite = Suite::ready(world)?;
    let mut tally = Tally::default();
    for way in ofi::WAYS.iter().filter(|way| wanted(way)) {
        for &ranks in ranks {
            suite.over(world, ranks, (way.options, way.name), MODULES, &mut tally);
        }
    }
    Ok(tally)
}

/// mpi4py's tests, and a Python to run them.
pub struct Suite {
    source: PathBuf,
    python: PathBuf,
}

impl Suite {
    /// Fetches and builds what lacks.
    pub fn ready(world: &World) -> Result<Suite, String> {
        let source = fetched()?;
        let python = built(world, &source)?;
        Ok(Suite { source, python })
    }

    /// Runs test files over a transport: the launcher's options, and its name.
    pub fn over(
        &self,
        world: &World,
        ranks: usize,
        (options, way): (&[&str], &str),
        modules: &[&str],
        tally: &mut Tally,
    ) {
        let how = format!("on {ranks} ranks {way}");
        for of_one in side_by_side(modules, |module| {
            let mut tally = Tally::default();
            self.judge(module, mpirun(world, ranks, options, 120), &how, &mut tally);
            tally
        }) {
            tally.add(of_one);
        }
    }

    /// Runs all tests.
    fn whole(&self, world: &World, ranks: usize) -> Tally {
        let mut tally = Tally::default();
        let job = mpirun(world, ranks, &[], 600)
            .args([&self.python, &self.source.join("test/main.py")])
            .arg("-v")
            .folder(&self.source);
        count_tests(&job, &format!("all on {ranks} ranks"), &mut tally);
        tally
    }

    /// Runs the tests of pools of workers: the first rank gives work to the others.
    fn futures(&self, world: &World, tally: &mut Tally) {
        let job = mpirun(world, 4, &[], 300)
            .arg(&self.python)
            .args(["-m", "mpi4py.futures", "demo/futures/test_futures.py"])
            .folder(&self.source);
        count_tests(&job, "futures on 4 ranks", tally);
        // No launcher: the first spawn starts one, which ends with the process.
        let alone = Job::new(&self.python).args(["-c", POOL]);
        let alone = alone.limit(Duration::from_secs(60)).ok();
        tally.count("a pool of 4 workers of a plain python", alone.map(drop));
    }

    /// Builds mpi4py-fft and runs its tests, which are scripts that fail by an assertion.
    fn transforms(&self, world: &World, tally: &mut Tally) -> Result<(), String> {
        let source = self.fetched_transforms(world)?;
        for test in ["pencil", "darray", "libfft", "mpifft"] {
            let script = source.join(format!("tests/test_{test}.py"));
            let job = mpirun(world, 4, &[], 1800).args([&self.python, &script]);
            let answer = job.folder(&source.join("tests")).ok();
            tally.count(&format!("mpi4py-fft, {test} on 4 ranks"), answer.map(drop));
        }
        Ok(())
    }

    fn fetched_transforms(&self, world: &World) -> Result<PathBuf, String> {
        let place = folder(&format!("mpi4py_fft-{FFT_VERSION}"));
        if place.join("installed").exists() {
            return Ok(place);
        }
        peers::apt_install(&["libfftw3-dev"])?;
        println!("  building mpi4py-fft {FFT_VERSION}");
        let pip = |args: &[&str]| {
            let job = Job::new(&self.python).args(["-m", "pip", "-q"]).args(args);
            let job = job.env("LD_LIBRARY_PATH", world.prefix.join("lib"));
            job.limit(Duration::from_secs(600)).folder(&folder("")).ok()
        };
        pip(&["install", "cython", "setuptools", "wheel"])?;
        let wanted = format!("mpi4py-fft=={FFT_VERSION}");
        let alone = ["--no-deps", "--no-build-isolation"];
        pip(&[
            "download",
            alone[0],
            alone[1],
            "--no-binary",
            ":all:",
            &wanted,
        ])?;
        let archive = format!("mpi4py_fft-{FFT_VERSION}.tar.gz");
        let unpacking = Job::new("tar").args(["-xf", &archive]);
        unpacking.folder(&folder("")).ok()?;
        let here = place.display().to_string();
        pip(&["install", alone[0], alone[1], &here])?;
        fsio::write(&place.join("installed"), "")?;
        Ok(place)
    }

    /// Adds to `job`, a launcher with its options, a script that runs a test file.
    pub fn within(&self, world: &World, job: Job, script: (&Path, &[String]), module: &str) -> Job {
        let job = job.env("LD_LIBRARY_PATH", world.prefix.join("lib"));
        job.args([&self.python, script.0])
            .args(script.1)
            .arg(self.source.join("test/main.py"))
            .args(["-i", &format!("^{module}.py$")])
            .folder(&self.source)
    }

    /// Runs a test file by `job`, a launcher with its options, and counts its tests. `how` goes
    /// with the file's name.
    pub fn judge(&self, module: &str, job: Job, how: &str, tally: &mut Tally) {
        let job = job
            .args([&self.python, &self.source.join("test/main.py")])
            .args(["-i", &format!("^{module}.py$")])
            .folder(&self.source);
        count_tests(&job, format!("{module} {how}").trim_end(), tally);
    }
}

/// Runs `job`, tests of Python's `unittest`, and counts them.
fn count_tests(job: &Job, name: &str, tally: &mut Tally) {
    match judged(job) {
        Ok(ran) => tally.passed += ran,
        Err((ran, why)) => {
            tally.passed += ran;
            tally.failed.push(format!("{name}: {why}"));
        }
    }
}

/// The number of tests that passed; beside the reason, where some did not.
fn judged(job: &Job) -> Result<usize, (usize, String)> {
    let outcome = job.run().map_err(|why| (0, why))?;
    let text = format!("{}\n{}", outcome.out, outcome.err);
    let ran = text
        .split("Ran ")
        .skip(1)
        .find_map(|rest| rest.split(' ').next()?.parse::<usize>().ok())
        .unwrap_or(0);
    if outcome.succeeded() && ran > 0 {
        return Ok(ran);
    }
    let mut bad: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("ERROR: ") || line.starts_with("FAIL: "))
        .collect();
    bad.sort_unstable();
    bad.dedup();
    let passed = match bad.is_empty() {
        true => 0,
        false => ran.saturating_sub(bad.len()),
    };
    let shown: Vec<&str> = bad.iter().take(8).copied().collect();
    let why = match shown.is_empty() {
        true => outcome.reason(),
        false => format!("{} of {ran}: {}", bad.len(), shown.join("; ")),
    };
    Err((passed, why))
}

/// The source of mpi4py. What builds it comes as it is offered: to build its builder takes minutes.
pub(super) fn fetched() -> Result<PathBuf, String> {
    let place = folder(&format!("mpi4py-{VERSION}"));
    if place.join("test/main.py").exists() {
        return Ok(place);
    }
    println!("  fetching the Python source package mpi4py {VERSION}");
    let venv = peers::venv(&folder("python"))?;
    let all = folder("");
    fsio::make_folder(&all)?;
    Job::new(venv.join("bin/pip"))
        .args(["download", "-q", "--no-deps", "--no-binary", "mpi4py", "-d"])
        .arg(&all)
        .arg(format!("mpi4py=={VERSION}"))
        .ok()?;
    let archive = all.join(format!("mpi4py-{VERSION}.tar.gz"));
    Job::new("tar")
        .arg("-xf")
        .arg(&archive)
        .arg("-C")
        .arg(&all)
        .ok()?;
    Ok(place)
}

/// Returns the Python that has mpi4py. It is built again when the header, or the wrapper's path,
/// changes.
fn built(world: &World, source: &Path) -> Result<PathBuf, String> {
    let venv = peers::venv(&folder("python"))?;
    let python = venv.join("bin/python");
    let stamp = venv.join("built-with");
    let header = fsio::read(&world.prefix.join("include/mpi.h"))?;
    let extensions = fsio::read(&world.prefix.join("include/mpi-ext.h"))?;
    let has = |name: &&str| format!(" -DPyMPI_HAVE_MPIX_{name}=1");
    let flags: String = ULFM.iter().map(has).collect();
    let flags = format!("-O0 -g0 -include mpi-ext.h{flags}");
    let prefix = world.prefix.display();
    let now = format!("{prefix}\n{USED:?}\n{flags}\n{header}\n{extensions}");
    if std::fs::read_to_string(&stamp).is_ok_and(|then| then == now) {
        return Ok(python);
    }
    if !has_python_header(&python)? {
        peers::apt_install(&["python3-dev"])?;
    }
    println!("  building mpi4py (about two minutes)");
    let used = Job::new(venv.join("bin/pip")).args(["install", "-q"]);
    used.args(USED).limit(Duration::from_secs(600)).ok()?;
    Job::new(venv.join("bin/pip"))
        .args(["install", "-q", "--force-reinstall", "--no-deps"])
        .arg(source)
        .env("MPI4PY_BUILD_MPIABI", "1")
        .env("MPI4PY_BUILD_MPICC", world.bin("mpicc_abi"))
        .env("CFLAGS", flags)
        .limit(Duration::from_secs(900))
        .ok()?;
    fsio::write(&stamp, &now)?;
    Ok(python)
}

fn has_python_header(python: &Path) -> Result<bool, String> {
    let question = "import sysconfig; print(sysconfig.get_paths()['include'])";
    let answer = Job::new(python).args(["-c", question]).ok()?;
    Ok(Path::new(answer.out.trim()).join("Python.h").exists())
}
