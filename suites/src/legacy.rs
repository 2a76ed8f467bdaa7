//! Tests of the libraries for programs of other interfaces: programs compiled with the headers of
//! MPICH and of Open MPI run on this installation, by a library path alone; and what cannot run
//! ends with an error that says so.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::peers;
use crate::peers::INTERFACES;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::shell::Job;

/// Compiles the programs by each interface's wrappers and runs them on 1 and 3 processes; and once
/// with their own library, which the launcher has to notice.
pub fn run(world: &World) -> Result<Tally, String> {
    peers::fortran_compiler()?;
    let mut tally = Tally::default();
    for interface in &INTERFACES {
        interface.ready()?;
        let (interface, folder) = (interface.wrapper, interface.key);
        let library = match folder {
            "ompi40" => "libmpi.so.40",
            _ => "libmpich.so.12",
        };
        for (wrapper, source) in SOURCES {
            let program = compile(&format!("{wrapper}.{interface}"), source)?;
            for processes in [1, 3] {
                let name = format!("{source} of {interface} on {processes}");
                tally.count(&name, start(world, folder, &program, processes));
            }
            if wrapper == "mpicc" {
                let name = format!("{source} with the library of {interface}");
                tally.count(&name, without(world, folder, &program));
                let name = format!("a script of {source} with the library of {interface}");
                let becomes = format!("exec {}", program.display());
                let script = script(&program.with_extension("sh"), &becomes)?;
                tally.count(&name, without(world, folder, &script));
                let name = format!("a Python program with the library of {interface}");
                let late = fsio::root().join("tests/legacy/late.py");
                let loads = format!("exec python3 {} {library}", late.display());
                let script = self::script(&program.with_extension("py.sh"), &loads)?;
                tally.count(&name, without(world, folder, &script));
            }
        }
        tally.count(
            &format!("a program of {interface} that spawns"),
            spawner(world, &format!("mpicc.{interface}"), folder),
        );
    }
    tally.count("parts of three MPIs in one process", parts(world));
    for (header, library) in MIXED {
        let name = format!("{header}'s header with the library {library}");
        tally.count(&name, mixed(world, header, library));
    }
    for (library, advice) in LACKING {
        let name = format!("a program that needs {library}, which is not there");
        tally.count(&name, lacking(world, library, advice));
    }
    Ok(tally)
}

/// The programs, each with its compiler.
const SOURCES: [(&str, &str); 3] = [
    ("mpicc", "interface.c"),
    ("mpifort", "interface.f90"),
    ("mpifort", "modern.f90"),
];

/// Headers, by the end of the wrapper's name or none for this project's, and libraries for the
/// programs of others. With Open MPI's header another library is refused by the linker, which does
/// not find the objects.
const MIXED: [(&str, &str); 3] = [("mpich", "ompi40"), ("", "ompi40"), ("", "mpich12")];

/// Returns the wrapper of a compiler: another MPI's, or this project's.
fn wrapper(world: &World, of: &str) -> PathBuf {
    match of {
        "" => world.bin("mpicc"),
        of => PathBuf::from(format!("mpicc.{of}")),
    }
}

/// Loads three parts, each compiled for another MPI, into the processes of one job: they share its
/// state, and each receives all of it in the values of its own header.
fn parts(world: &World) -> Result<(), String> {
    let folder = fsio::target_dir().join("legacy");
    let program = folder.join("parts");
    let sources = fsio::root().join("tests/legacy");
    let cc = Job::new("cc").arg("-o").arg(&program);
    cc.arg(sources.join("parts.c")).arg("-ldl").ok()?;
    let mut libraries = Vec::new();
    for of in ["openmpi", "mpich", ""] {
        let library = folder.join(format!("part-{of}.so"));
        let job = Job::new(wrapper(world, of)).args(["-w", "-shared", "-fPIC"]);
        let job = job.arg(format!("-DPART=\"{of}\"")).arg("-o").arg(&library);
        job.arg(sources.join("shared.c")).ok()?;
        libraries.push(library);
    }
    let lib = world.prefix.join("lib").display().to_string();
    // Each of them begins once and ends once.
    for turn in 0..3 {
        libraries.rotate_left(turn);
        Job::new(world.bin("mpirun"))
            .args(["-n", "2"])
            .arg(&program)
            .args(&libraries)
            .env(
                "LD_LIBRARY_PATH",
                format!("{lib}/ompi40:{lib}/mpich12:{lib}"),
            )
            .limit(Duration::from_secs(60))
            .ok()?;
    }
    Ok(())
}

/// Compiles with one header, links to the library of another interface, and expects an error
/// that says so, instead of a rank or a crash.
fn mixed(world: &World, header: &str, library: &str) -> Result<(), String> {
    let folder = fsio::target_dir().join("legacy");
    let (object, program) = (folder.join("mixed.o"), folder.join("mixed.run"));
    let job = Job::new(wrapper(world, header))
        .arg("-c")
        .arg("-o")
        .arg(&object);
    job.arg(fsio::root().join("tests/legacy/mixed.c")).ok()?;
    let lib = world.prefix.join("lib").join(library);
    let file = match library {
        "ompi40" => "libmpi.so.40",
        _ => "libmpi.so.12",
    };
    let job = Job::new("cc").arg("-o").arg(&program).arg(&object);
    job.arg(lib.join(file)).ok()?;
    let outcome = Job::new(world.bin("mpirun"))
        .args(["-n", "1"])
        .arg(&program)
        .env("LD_LIBRARY_PATH", lib)
        .limit(Duration::from_secs(60))
        .run()?;
    let said = format!("{}{}", outcome.out, outcome.err);
    let is_reported = said.contains("a handle of MPICH's mpi.h") || said.contains("MPI_ERR_COMM");
    match is_reported
        && !outcome.succeeded()
        && !said.contains("signal")
        && !said.contains("a rank")
    {
        true => Ok(()),
        false => Err(said),
    }
}

/// Libraries that a program may need and the loader does not find, and what the launcher says.
/// Debian gives MPICH's another name.
const LACKING: [(&str, &str); 2] = [
    ("libmpi.so.20", ": oxmpi runs programs of libmpi.so.40"),
    (
        "libmpi.so.12",
        "Run it on oxmpi with `mpirun --abi mpich12`",
    ),
];

/// Starts a program whose library is gone, on 2 ranks of which either may be the first to end, and
/// expects the launcher to say once what the program needs and what there is.
fn lacking(world: &World, library: &str, advice: &str) -> Result<(), String> {
    let folder = fsio::target_dir().join("legacy");
    let (file, program) = (folder.join(library), folder.join("lacking.run"));
    let cc = |arguments: &[&str], text: &str| {
        let source = folder.join("lacking.c");
        fsio::write(&source, text)?;
        Job::new("cc").args(arguments).arg(&source).ok()
    };
    let shared = format!("-Wl,-soname,{library}");
    let at = file.display().to_string();
    let built = ["-shared", "-fPIC", &shared, "-o", &at];
    cc(&built, "int MPI_Init(void *a, void *b) { return 0; }\n")?;
    let main = "int MPI_Init(void *, void *);\nint main(void) { return MPI_Init(0, 0); }\n";
    let built = [
        "-o",
        &program.display().to_string(),
        "-Wl,--no-as-needed",
        &at,
    ];
    cc(&built, main)?;
    std::fs::remove_file(&file).map_err(|error| error.to_string())?;
    let needs = format!("needs {library}, which is not found");
    for _ in 0..5 {
        let outcome = Job::new(world.bin("mpirun"))
            .args(["-n", "2"])
            .arg(&program)
            .limit(Duration::from_secs(60))
            .run()?;
        let mut parts = [needs.as_str(), advice].into_iter();
        let is_reported_once = parts.all(|part| outcome.err.matches(part).count() == 1);
        if outcome.code != 127 || !is_reported_once {
            return Err(outcome.err);
        }
    }
    Ok(())
}

fn compile(wrapper: &str, source: &str) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("legacy");
    fsio::make_folder(&folder)?;
    let program = folder.join(format!("{wrapper}-{source}.run"));
    let mut job = Job::new(wrapper)
        .arg("-w")
        .arg(fsio::root().join("tests/legacy").join(source));
    if wrapper.starts_with("mpifort") {
        // A module goes to the folder of the program, not to where the tests are started.
        job = job.args(["-ffree-line-length-none", "-J"]).arg(&folder);
    }
    job.arg("-o").arg(&program).ok()?;
    Ok(program)
}

fn start(world: &World, folder: &str, program: &PathBuf, processes: usize) -> Result<(), String> {
    let library = world.prefix.join("lib").join(folder);
    Job::new(world.prefix.join("bin/mpirun"))
        .args(["-n", &processes.to_string()])
        .arg(program)
        .env("LD_LIBRARY_PATH", library)
        .limit(Duration::from_secs(60))
        .ok()
        .map(drop)
}

/// Has the second of two programs spawn twice in a row, each started with `--abi` and a variable.
fn spawner(world: &World, wrapper: &str, folder: &str) -> Result<(), String> {
    let program = compile(wrapper, "spawner.c")?;
    let mut job = Job::new(world.bin("mpirun")).args(["--host", "localhost:8"]);
    for (at, mark) in ["SPAWNER_MARK=first", "SPAWNER_MARK=last"]
        .iter()
        .enumerate()
    {
        let between = if at == 0 { &[][..] } else { &[":"] };
        job = job.args(between).args(["--abi", folder, "-x", mark]);
        job = job.args(["-n", "1"]).arg(&program);
    }
    let outcome = job
        .env("LD_LIBRARY_PATH", "")
        .limit(Duration::from_secs(20))
        .ok()?;
    match outcome.out.trim() {
        "4 spawned" => outcome.none_left(),
        _ => Err(outcome.reason()),
    }
}

/// Makes a script of one command.
fn script(script: &Path, command: &str) -> Result<PathBuf, String> {
    fsio::write(script, &format!("#!/bin/sh\n{command}\n"))?;
    Job::new("chmod").arg("+x").arg(script).ok()?;
    Ok(script.to_path_buf())
}

/// Starts a program whose library is another MPI's, and expects the launcher to say so once, with
/// the option that helps.
fn without(world: &World, interface: &str, program: &Path) -> Result<(), String> {
    let outcome = Job::new(world.prefix.join("bin/mpirun"))
        .args(["-n", "2"])
        .arg(program)
        .env("LD_LIBRARY_PATH", "")
        .limit(Duration::from_secs(60))
        .run()?;
    let notes = outcome.err.matches("uses another MPI").count();
    match notes == 1 && outcome.err.contains(&format!("--abi {interface}`")) {
        true => Ok(()),
        false => Err(format!("{notes} notes about the library: {}", outcome.err)),
    }
}
