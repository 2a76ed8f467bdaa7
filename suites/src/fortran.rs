//! Fortran: programs of the three interfaces, array sections from seeds, and the names that the
//! library has to have.

mod compilers;
mod every;
mod sections;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::compilers::Compiler;
use self::every::Interface;
use super::programs::{compile, mpirun};
use crate::peers;
use crate::world::{Tally, World};
use xtask::fsio;
use xtask::gen::{self, spec::Spec};
use xtask::shell::{self, by_workers, Job};

/// Seeds of programs with array sections, in continuous integration and in full runs.
const SEEDS: u64 = 4;
const SEEDS_ALL: u64 = 120;

/// The programs on 1 to 3 ranks, some sections, names, and a tool that sees calls of Fortran.
pub fn run(world: &World) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let gnu = Compiler::gnu()?;
    tally.count("every name of the interfaces is exported", names(world));
    tally.add(programs(world, &gnu));
    tally.count("pkg-config names the modules", packaged(world));
    tally.count("programs may keep to Fortran 2018", strict(world));
    tally.count("a tool in C sees Fortran's calls", tool(world, &gnu));
    tally.count("a section that a call cannot have", refusal(world, &gnu));
    tally.add(every(world, &gnu));
    tally.add(sections(world, &gnu, SEEDS));
    Ok(tally)
}

/// Array sections from many seeds, and the programs by other compilers: LLVM's, and one that has no
/// descriptors.
pub fn all(world: &World) -> Result<Tally, String> {
    let mut tally = sections(world, &Compiler::gnu()?, SEEDS_ALL);
    tally.count("modules for another compiler", compilers::modules(world));
    let limited = Compiler::limited()?;
    tally.add(every(world, &limited));
    let flang = Compiler::flang()?;
    tally.add(programs(world, &flang));
    tally.add(every(world, &flang));
    tally.add(sections(world, &flang, SEEDS));
    Ok(tally)
}

/// The programs of `tests/fortran`.
fn programs(world: &World, compiler: &Compiler) -> Tally {
    let mut tally = Tally::default();
    let programs = [
        "messages.f90",
        "sections.f90",
        "callbacks.f90",
        "module.f90",
        "extensions.f90",
        "old.f",
    ];
    let runs = by_workers(shell::processors(), &programs, |name| {
        one(world, compiler, name)
    });
    runs.into_iter().for_each(|run| tally.add(run));
    tally
}

/// Builds a program with the compiler itself and what pkg-config says, by both of its names.
fn packaged(world: &World) -> Result<(), String> {
    if shell::find("pkg-config").is_none() {
        peers::apt_install(&["pkg-config"])?;
    }
    let folder = fsio::target_dir().join("test/fortran");
    for name in ["mpi-fort", "ompi-fort"] {
        let flags = Job::new("pkg-config")
            .args(["--cflags", "--libs", name])
            .env("PKG_CONFIG_PATH", world.prefix.join("lib/pkgconfig"));
        let flags = flags.ok()?.out;
        let program = folder.join(name);
        Job::new("gfortran")
            .arg(fsio::root().join("tests/fortran/messages.f90"))
            .args([Path::new("-o"), &program])
            .args(flags.split_whitespace())
            .folder(&folder)
            .limit(Duration::from_secs(60))
            .ok()?;
        mpirun(world, 2, &[]).arg(&program).ok()?;
    }
    Ok(())
}

/// Compiles the programs with all extensions of the language refused: dtfft, for one, is built so.
/// A compiler that finds one in an interface of `mpi_f08` refuses every program that uses it.
fn strict(world: &World) -> Result<(), String> {
    for name in [
        "messages.f90",
        "callbacks.f90",
        "module.f90",
        "extensions.f90",
    ] {
        Job::new(world.bin("mpifort"))
            .args(["-std=f2018", "-pedantic-errors", "-c", "-o", "/dev/null"])
            .arg(fsio::root().join("tests/fortran").join(name))
            .folder(&fsio::target_dir().join("test/fortran"))
            .limit(Duration::from_secs(60))
            .ok()?;
    }
    Ok(())
}

/// Programs that call every routine from each interface, over functions of C that compare what they
/// get. On 2 ranks, whose communicator has a list of 2.
fn every(world: &World, compiler: &Compiler) -> Tally {
    let mut tally = Tally::default();
    let interfaces = [Interface::Header, Interface::Mpi, Interface::F08];
    let runs = recorder(world).map(|recorder| {
        by_workers(shell::processors(), &interfaces, |interface| {
            every_from(world, compiler, &recorder, *interface)
        })
    });
    match runs {
        Ok(runs) => interfaces.iter().zip(runs).for_each(|(interface, run)| {
            let name = format!("{}: every routine by {interface:?}", compiler.name);
            tally.count(&name, run);
        }),
        Err(why) => tally.count("functions that stand in for those of C", Err(why)),
    }
    tally
}

fn every_from(
    world: &World,
    compiler: &Compiler,
    recorder: &Path,
    interface: Interface,
) -> Result<(), String> {
    let spec = Spec::read(&fsio::root().join("spec"))?;
    let (text, routines) = every::program(&spec, interface, compiler.has_descriptors)?;
    let name = format!("every_{interface:?}_{}.f90", compiler.name).to_lowercase();
    let source = fsio::target_dir().join("test/fortran/every").join(name);
    fsio::write(&source, &text)?;
    let program = compiler.build(world, &source, &[recorder])?;
    let outcome = mpirun(world, 2, &[]).arg(&program).ok()?;
    let line = format!("{routines} routines, 0 failures");
    match outcome.out.matches(&line).count() {
        2 => Ok(()),
        _ => Err(format!("`{line}` twice is missing in {:?}", outcome.out)),
    }
}

/// Compiles the functions that stand in for those of the C library.
fn recorder(world: &World) -> Result<PathBuf, String> {
    let folder = fsio::target_dir().join("test/fortran/every");
    let source = folder.join("recorder.c");
    let spec = Spec::read(&fsio::root().join("spec"))?;
    fsio::write(&source, &every::recorder(&spec)?)?;
    let object = folder.join("recorder.o");
    Job::new(world.bin("mpicc"))
        .args(["-c", "-O0", "-w", "-I"])
        .arg(fsio::root().join("tests/fortran"))
        .args([Path::new("-o"), &object, &source])
        .limit(Duration::from_secs(120))
        .ok()?;
    Ok(object)
}

/// A program of `tests/fortran` on 1 to 3 ranks.
fn one(world: &World, compiler: &Compiler, name: &str) -> Tally {
    let mut tally = Tally::default();
    let source = fsio::root().join("tests/fortran").join(name);
    match compiler.build(world, &source, &[]) {
        Ok(program) => {
            for ranks in 1..4 {
                let job = mpirun(world, ranks, &[]).arg(&program);
                let what = format!("{}: {name} on {ranks} ranks", compiler.name);
                tally.count(&what, job.ok().map(drop));
            }
        }
        Err(why) => tally.count(name, Err(why)),
    }
    tally
}

/// The line that ends a program whose section a call cannot have: it names both.
fn refusal(world: &World, compiler: &Compiler) -> Result<(), String> {
    let program = compiler.build(world, &fsio::root().join("tests/fortran/sections.f90"), &[])?;
    let outcome = mpirun(world, 1, &[]).arg(&program).arg("fatal").run()?;
    let line = "MPI_Psend_init: MPI_ERR_BUFFER: the section has gaps (extent 5 and stride 8 bytes";
    match outcome.err.contains(line) {
        true => Ok(()),
        false => Err(format!("`{line}` is missing in {:?}", outcome.err)),
    }
}

fn sections(world: &World, compiler: &Compiler, seeds: u64) -> Tally {
    let seeds: Vec<u64> = (1..=seeds).collect();
    let runs = by_workers(shell::processors(), &seeds, |seed| {
        let name = format!("sections_{seed}.f90");
        let source = fsio::target_dir().join("test/fortran/seeds").join(&name);
        let run = fsio::write(&source, &sections::program(*seed)).and_then(|()| {
            let program = compiler.build(world, &source, &[])?;
            mpirun(world, 1, &[]).arg(&program).ok().map(drop)
        });
        (name, run)
    });
    let mut tally = Tally::default();
    runs.into_iter()
        .for_each(|(name, run)| tally.count(&format!("{}: {name}", compiler.name), run));
    tally
}

/// A profiling library in C, loaded before a program in Fortran.
fn tool(world: &World, compiler: &Compiler) -> Result<(), String> {
    let root = fsio::root();
    let tool = root.join("tests/tool/count_sends.c");
    let tool = compile(world, &tool, &["-shared", "-fPIC"])?;
    let program = compiler.build(world, &root.join("tests/fortran/messages.f90"), &[])?;
    let preload = format!("LD_PRELOAD={}", tool.display());
    let outcome = mpirun(world, 2, &["-x", &preload]).arg(&program).ok()?;
    for rank in 0..2 {
        let line = format!("tool: rank {rank} sent 1");
        if !outcome.out.contains(&line) {
            return Err(format!("`{line}` is missing in {:?}", outcome.out));
        }
    }
    Ok(())
}

/// Compares the procedures of the interfaces with the names of the library.
fn names(world: &World) -> Result<(), String> {
    let library = world.prefix.join("lib/libmpifort_abi.so");
    let listed = Job::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library)
        .ok()?;
    let exported: BTreeSet<&str> = listed
        .out
        .lines()
        .filter_map(|line| line.split(' ').nth(2))
        .collect();
    let mut wanted = BTreeSet::new();
    for (_, text) in gen::fortran_texts()? {
        let text = text.replace("&\n", "");
        let lines = text.lines().map(str::trim);
        // Procedures that a user writes stand between these lines, or are arguments.
        let is_abstract = |line: &str| line.starts_with("abstract interface");
        let (mut of_user, mut is_argument) = (false, false);
        for line in lines {
            of_user = (of_user || is_abstract(line)) && line != "end interface";
            is_argument &= !line.starts_with("end ");
            if !of_user && !is_argument {
                wanted.extend(symbol(line));
            }
            is_argument |= line.starts_with("subroutine ");
        }
    }
    let missing: Vec<&String> = wanted
        .iter()
        .filter(|name| !exported.contains(name.as_str()))
        .collect();
    match missing.is_empty() && wanted.len() > 2000 {
        true => Ok(()),
        false => Err(format!("of {} names these lack: {missing:?}", wanted.len())),
    }
}

/// The name to link with of a procedure or a constant that a line declares.
fn symbol(line: &str) -> Option<String> {
    if let Some((_, bound)) = line.split_once("bind(C, name=\"") {
        return bound.split('"').next().map(str::to_string);
    }
    if let Some((_, block)) = line.split_once("common /") {
        return block.split('/').next().map(|name| format!("{name}_"));
    }
    let words = [
        "subroutine ",
        "function ",
        "external ",
        "external :: ",
        "procedure(",
    ];
    if line.starts_with("end ") || line.starts_with('!') {
        return None;
    }
    let found = words.iter().find_map(|word| line.split_once(word));
    let (_, rest) = found?;
    let rest = rest.split_once(":: ").map_or(rest, |(_, name)| name);
    let name = rest.split(['(', ' ']).next()?.to_lowercase();
    (!name.is_empty()).then(|| format!("{name}_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_have_names_to_link_with() {
        for (line, name) in [
            ("subroutine MPI_Init_f08(ierror)", Some("mpi_init_f08_")),
            ("external MPI_DUP_FN", Some("mpi_dup_fn_")),
            (
                "procedure(MPI_Comm_copy_attr_function) :: MPI_COMM_DUP_FN",
                Some("mpi_comm_dup_fn_"),
            ),
            (
                "common /mpifort_bottom/ MPI_BOTTOM",
                Some("mpifort_bottom_"),
            ),
            (
                "subroutine MPI_Sizeof(x) bind(C, name=\"mpi_sizeof_f08ts_\")",
                Some("mpi_sizeof_f08ts_"),
            ),
            ("end subroutine", None),
            ("integer, parameter :: MPI_TAG = 2", None),
        ] {
            assert_eq!(symbol(line).as_deref(), name, "{line}");
        }
    }
}
