//! The Fortran programs of MPICH's suite: for `mpif.h`, `mpi` and `mpi_f08`.
//!
//! They are built by `mpifort` apart from the C programs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::list::{judge, Case};
use super::suite;
use crate::mpirun;
use crate::peers;
use crate::third_party;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::{self, by_workers, Job};

/// The three parts of the suite.
const PARTS: [&str; 3] = ["f77", "f90", "f08"];

/// Programs that the suite does not make with `--enable-strictmpi`.
const STRICT_TOO: [(&str, &str); 12] = [
    ("f77/io", "i_setviewcurf"),
    ("f77/io", "iwriteatallf"),
    ("f90/io", "i_setviewcurf90"),
    ("f90/io", "iwriteatallf90"),
    ("f08/io", "i_fcoll_test"),
    ("f08/io", "iwriteatallf90"),
    ("f77/rma", "aintf"),
    ("f77/ext", "allocmemf"),
    ("f90/rma", "aintf90"),
    ("f90/ext", "allocmemf90"),
    ("f08/rma", "aintf08"),
    ("f08/ext", "allocmemf90"),
];

const VERSION: &str = "The test takes a version of MPI beyond 4 for an invalid one (9.1.1).";
const MARKS: &str = "The test wants MPI_LB and MPI_UB of a module, which MPI 3.0 removed (17.1).";

const BLANKS: &str =
    "The test wants the blank at the beginning of an argument, which MPI_Comm_spawn \
                      strips (11.8.2); those of f77 and f90 want it stripped.";

/// Programs that fail, and why, with sections of MPI 5.0.
const KNOWN: [(&str, &str); 10] = [
    ("f77/init/baseenvf", VERSION),
    ("f90/init/baseenvf90", VERSION),
    ("f08/init/baseenvf90", VERSION),
    ("f90/datatype/allctypesf90", MARKS),
    ("f08/datatype/allctypesf08", MARKS),
    (
        "f08/io/c2f2ciof90",
        "Not built: C of the test names a variable `errs` that it does not declare.",
    ),
    ("f08/spawn/spawnargvf90", BLANKS),
    ("f08/spawn/spawnargvf03", BLANKS),
    (
        "f77/rma/aintf",
        "Not built: the test declares MPI_AINT_ADD, which `mpif.h` has to declare (19.1.4).",
    ),
    (
        "f90/profile/profile1f90",
        "Not built: the test defines MPI_SEND, of which the module `mpi` has an interface.",
    ),
];

/// The suites as a step of `cargo xtask test`.
pub fn step(world: &World) -> Result<Tally, String> {
    let build = built(world)?;
    let source = third_party::source("mpich")?.join("test/mpi");
    let mut cases = Vec::new();
    for folder in folders(&source)? {
        let list = [&build, &source].map(|root| root.join(&folder).join("testlist"));
        let list = list.iter().find(|list| list.exists());
        for line in fsio::read(list.ok_or(format!("{folder} has no list"))?)?.lines() {
            if let Some((case, _)) = Case::read(&folder, line)? {
                cases.push(case);
            }
        }
    }
    cases.retain(|case| case.ranks <= 4);
    let answers = by_workers(shell::processors(), &cases, |case| one(world, &build, case));
    let mut tally = Tally::default();
    for (case, answer) in cases.iter().zip(answers) {
        let name = format!("{}/{}", case.folder, case.program);
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        let answer = match (known, answer) {
            (Some((_, why)), Err(_)) => {
                println!("      fails as known: {}: {why}", case.name());
                continue;
            }
            (Some(_), Ok(())) => Err("passes, and is among the known failures".to_string()),
            (None, answer) => answer,
        };
        tally.count(&case.name(), answer);
    }
    Ok(tally)
}

fn one(world: &World, build: &Path, case: &Case) -> Result<(), String> {
    let folder = build.join(&case.folder);
    let program = folder.join(&case.program);
    if !program.exists() {
        return Err("not built".to_string());
    }
    // As the C programs have it: room for processes that are started.
    let job = mpirun(world, case.ranks, &["--usize", "64"])
        .arg(&program)
        .args(&case.args);
    // Programs about files use the same names, and several run at once.
    let run_in = match case.folder.ends_with("/io") {
        true => folder.join(format!("run_{}_{}", case.program, case.ranks)),
        false => folder,
    };
    fsio::make_folder(&run_in)?;
    judge(case.expected, &job.folder(&run_in).limit(case.limit).run()?)
}

/// The folders that have a list of tests.
fn folders(source: &Path) -> Result<Vec<String>, String> {
    let mut folders = Vec::new();
    for part in PARTS {
        let entries = std::fs::read_dir(source.join(part));
        let entries = entries.map_err(|error| format!("cannot list {part}: {error}"))?;
        let names = entries.flatten().map(|entry| entry.path());
        let has_list = |path: &PathBuf| {
            ["testlist", "testlist.in", "testlist.ap"]
                .iter()
                .any(|list| path.join(list).exists())
        };
        let folder = |path: PathBuf| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some(format!("{part}/{name}"))
        };
        folders.extend(names.filter(has_list).filter_map(folder));
    }
    folders.sort();
    Ok(folders)
}

/// Builds the suites with the installation's wrappers.
fn built(world: &World) -> Result<PathBuf, String> {
    peers::fortran_compiler()?;
    let source = third_party::source("mpich")?.join("test/mpi");
    let build = fsio::target_dir().join("conformance/fortran");
    let _ = std::fs::remove_dir_all(&build);
    fsio::make_folder(&build)?;
    let job = |program: &Path| {
        Job::new(program)
            .env("LD_LIBRARY_PATH", world.prefix.join("lib"))
            .limit(Duration::from_secs(1800))
    };
    job(Path::new("sh"))
        .arg(source.join("configure"))
        .arg(format!("--with-mpi={}", world.prefix.display()))
        .args(suite::FORTRAN)
        .folder(&build)
        .ok()?;
    let make = |folder: &str| {
        let jobs = format!("-j{}", shell::processors());
        job(Path::new("make"))
            .args(["-s", "-k", &jobs, "-C", folder])
            .folder(&build)
    };
    make("util").ok()?;
    // The suite does not build this library with these options.
    let util = build.join("util");
    let helper = source.join("util/mtest_f08.f90");
    job(&world.bin("mpifort"))
        .args(["-w", "-c"])
        .arg(helper)
        .folder(&util)
        .ok()?;
    let libraries = ["mtest_f08.o", "libmtest_single.la"].map(|name| util.join(name));
    let libraries = libraries.map(|path| path.display().to_string()).join(" ");
    let libraries = format!("LDADD={libraries}");
    let own = |part: &str| part.starts_with("f08").then_some(libraries.as_str());
    for part in PARTS {
        // A program that does not compile does not keep the others from it.
        make(part).arg("all").args(own(part)).run()?;
    }
    for (folder, program) in STRICT_TOO {
        make(folder).arg(program).args(own(folder)).run()?;
    }
    Ok(build)
}
