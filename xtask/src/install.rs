//! `cargo xtask install`: builds and installs, in the layout that is common to MPI libraries.
//!
//! ```text
//! bin/      mpirun, mpiexec, mpicc, mpifort and their other names, oxmpi_info, oxmpi-perf
//! include/  mpi.h, mpi-ext.h, mpif.h, oxmpi/bml.h
//! lib/      libmpi_abi.so -> libmpi_abi.so.1 -> libmpi_abi.so.1.0.0
//!           libmpifort_abi.so -> libmpifort_abi.so.1 -> libmpifort_abi.so.1.0.0
//!           liboxmpi_bml.so -> liboxmpi_bml.so.1 -> liboxmpi_bml.so.1.0.0
//! lib/oxmpi/       liboxmpi_interpose.so, which `mpirun --tool` has the loader load
//! lib/mpich12/     libmpi.so.12 for programs of MPICH, and its other names
//! lib/ompi40/      libmpi.so.40 for programs of Open MPI, and its other names
//! lib/pkgconfig/   oxmpi.pc, mpi-c.pc, mpi-cxx.pc, mpi-fort.pc, oxmpi-bml.pc
//! share/man/       the manual pages of the programs and of MPI's functions
//! share/bash-completion/, share/zsh/, share/fish/   what shells complete
//! share/oxmpi/     wrapper.conf, valgrind.supp
//! share/oxmpi/fortran/   mpi.f90, mpi_f08.f90, and their modules for the compiler that is there,
//!                        which mpi-fort.pc names
//! ```
//!
//! No file contains the prefix, so the folder may be moved: programs find it from their own path. A
//! file is replaced, never overwritten, so that running programs keep the old one.

mod manuals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::target::{self, Target};
use crate::{fsio, progress, shell};

/// The profile of the tests of crates, of the simulation, of this command, and of the installation
/// that quick checks run programs on, so that each crate is compiled once for these. It has debug
/// assertions. Long suites run on an optimised installation (`Tier::profile`), and
/// what is counted, timed or given to users is built for release.
pub const PROFILE: &str = "dev";

/// The libraries' names; their files end with the version of the interface.
pub const LIBRARIES: &[&str] = &["mpi_abi", "mpifort_abi", "oxmpi_bml"];

/// The library behind the tools of `mpirun --tool`, and where `launch_plan::tools` looks for it.
const INTERPOSE: (&str, &str) = ("liboxmpi_interpose.so", "oxmpi/liboxmpi_interpose.so");

/// The libraries for programs of other interfaces: what Cargo builds, the folder in `lib/`, the
/// name, and the other names by which programs of Debian, and the Fortran and C++ of those
/// interfaces, ask for the same. A folder of its own keeps compilers from linking to them.
pub const LEGACY: &[(&str, &str, &str, &[&str])] = &[
    (
        "mpi_mpich",
        "mpich12",
        "libmpi.so.12",
        &[
            "libmpi.so",
            "libmpich.so.12",
            "libmpichcxx.so.12",
            "libmpichfort.so.12",
            "libmpicxx.so.12",
            "libmpifort.so.12",
        ],
    ),
    (
        "mpi_ompi",
        "ompi40",
        "libmpi.so.40",
        &[
            "libmpi.so",
            "libmpi_mpifh.so.40",
            "libmpi_usempi_ignore_tkr.so.40",
            "libmpi_usempif08.so.40",
            "libmpi_cxx.so.40",
            "libopen-pal.so.40",
            "libopen-rte.so.40",
        ],
    ),
];

/// Further names of a program in `bin/`, by which build systems find it.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    (
        "mpicc",
        &[
            "mpicc_abi",
            "mpicxx",
            "mpic++",
            "mpiCC",
            "mpicxx_abi",
            "mpic++_abi",
            "mpifort",
            "mpif77",
            "mpif90",
            "mpif95",
            "mpifc",
            "mpifort_abi",
            "mpif77_abi",
            "mpif90_abi",
            "mpif95_abi",
            "mpifc_abi",
        ],
    ),
    ("mpirun", &["mpiexec", "oxmpi-server"]),
];

/// Files that are installed as they are: from the repository, and to the installation.
const SHARED: &[(&str, &str)] = &[
    (
        "crates/tools/share/valgrind.supp",
        "share/oxmpi/valgrind.supp",
    ),
    ("crates/tools/share/man/mpirun.1", "share/man/man1/mpirun.1"),
    (
        "crates/tools/share/completions/mpirun.bash",
        "share/bash-completion/completions/mpirun",
    ),
    (
        "crates/tools/share/completions/mpirun.bash",
        "share/bash-completion/completions/mpiexec",
    ),
    (
        "crates/tools/share/completions/_mpirun",
        "share/zsh/site-functions/_mpirun",
    ),
    (
        "crates/tools/share/completions/mpirun.fish",
        "share/fish/vendor_completions.d/mpirun.fish",
    ),
    (
        "crates/tools/share/completions/mpirun.fish",
        "share/fish/vendor_completions.d/mpiexec.fish",
    ),
];

/// The names that build systems pass to pkg-config, what they want of it, and the library.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("oxmpi", "the MPI library oxmpi", "mpi_abi"),
    ("mpi-c", "MPI for C, by oxmpi", "mpi_abi"),
    ("mpi-cxx", "MPI for C++, by oxmpi", "mpi_abi"),
    ("mpi-fort", "MPI for Fortran, by oxmpi", "mpifort_abi"),
    // Meson asks for Open MPI's names before it asks any wrapper.
    ("ompi-c", "MPI for C, by oxmpi", "mpi_abi"),
    ("ompi-cxx", "MPI for C++, by oxmpi", "mpi_abi"),
    ("ompi-fort", "MPI for Fortran, by oxmpi", "mpifort_abi"),
    (
        "oxmpi-bml",
        "the low layer of oxmpi: messages and remote memory without MPI",
        "oxmpi_bml",
    ),
];

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Install in DIR; target/prefix where it is not given
    #[arg(long, value_name = "DIR", value_parser = crate::folder)]
    prefix: Option<PathBuf>,
    /// Build by a profile of Cargo
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    #[command(flatten)]
    target: target::Choice,
}

/// Builds and installs.
pub fn run(options: &Options) -> Result<(), String> {
    let target = options.target.target();
    let prefix = options.prefix.clone().unwrap_or_else(|| target.prefix());
    for_target(&prefix, &options.profile, target)
}

/// Builds for release and installs in `target/prefix`, whose path it returns.
pub fn release() -> Result<PathBuf, String> {
    let prefix = Target::native().prefix();
    at(&prefix, "release").map(|()| prefix)
}

/// Builds by a profile, and installs at a prefix.
pub fn at(prefix: &Path, profile: &str) -> Result<(), String> {
    for_target(prefix, profile, Target::native())
}

fn for_target(prefix: &Path, profile: &str, target: Target) -> Result<(), String> {
    build(profile, target)?;
    lay_out(prefix, &target.built(profile), target)?;
    println!("installed in {}", prefix.display());
    Ok(())
}

/// The prefix of the installation that tests run on, by its profile.
pub fn of_tests(profile: &str) -> PathBuf {
    fsio::target_dir().join("test").join(profile)
}

/// Returns the folder in which Cargo puts what it builds for a profile and this machine.
pub fn built(profile: &str) -> PathBuf {
    Target::native().built(profile)
}

/// Packages of an installation.
#[rustfmt::skip]
pub const PACKAGES_BUILT: &[&str] = &[
    "-p", "oxmpi-abi", "-p", "oxmpi-fortran", "-p", "oxmpi-bml-c", "-p", "oxmpi-tools",
    "-p", "oxmpi-legacy-mpich", "-p", "oxmpi-legacy-ompi", "-p", "oxmpi-interpose",
];

/// Has Cargo build packages with the features that `cargo test` gives to what they
/// share: a test among the targets makes dependencies of tests count, and with these packages all
/// that matter do. Without it a dozen crates, the largest among them, are compiled twice.
const FEATURES_OF_TESTS: &[&str] = &["-p", "oxmpi-memory", "-p", "oxmpi-tools", "--test", "brk"];

/// Builds the program that plays simulated jobs, by the profile of the tests.
pub fn simulation() -> Result<PathBuf, String> {
    build_for_tests(&["-p", "oxmpi-sim", "--bin", "oxmpi-sim"])?;
    Ok(built(PROFILE).join("oxmpi-sim"))
}

/// Builds targets of packages by the profile of the tests.
fn build_for_tests(targets: &[&str]) -> Result<(), String> {
    let profile = ["--profile", PROFILE];
    let arguments = [&profile, FEATURES_OF_TESTS, targets].concat();
    cargo_build(&arguments, Target::native())
}

/// Builds what an installation has.
pub fn build(profile: &str, target: Target) -> Result<(), String> {
    if profile == "release" {
        println!(
            "building for release, with optimisation over all crates: the last of them take minutes"
        );
    }
    match profile {
        PROFILE if target.is_native() => {
            build_for_tests(&[PACKAGES_BUILT, &["--lib", "--bins"]].concat())
        }
        _ => cargo_build(&[&["--profile", profile], PACKAGES_BUILT].concat(), target),
    }
}

fn cargo_build(arguments: &[&str], target: Target) -> Result<(), String> {
    let wrong = |error| format!("cannot run cargo: {error}");
    let mut cargo = Command::new(shell::cargo());
    let cargo = cargo.current_dir(fsio::root()).arg("build").args(arguments);
    target.choose(cargo)?;
    let mut cargo = cargo.spawn().map_err(wrong)?;
    let status = progress::wait(&mut cargo).map_err(wrong)?;
    match status.success() {
        true => Ok(()),
        false => Err("the build failed".to_string()),
    }
}

/// Lays out an installation of what Cargo has built in a folder for a kind of machine.
pub fn lay_out(prefix: &Path, built: &Path, target: Target) -> Result<(), String> {
    lay_out_files(prefix, built, target)?;
    let modules = make_modules(prefix, target);
    write_packages(prefix, &modules)
}

/// Lays out all but what depends on the compiler of this machine: the modules of Fortran, and
/// pkg-config's files, which name them.
fn lay_out_files(prefix: &Path, built: &Path, target: Target) -> Result<(), String> {
    let root = fsio::root();
    for program in programs()? {
        copy(&built.join(&program), &prefix.join("bin").join(&program))?;
        let others = OTHER_NAMES.iter().filter(|(name, _)| *name == program);
        for other in others.flat_map(|(_, others)| others.iter()) {
            fsio::link(&program, &prefix.join("bin").join(other))?;
        }
    }
    let lib = prefix.join("lib");
    for library in LIBRARIES {
        let name = format!("lib{library}.so");
        let (major, file) = (format!("{name}.1"), format!("{name}.1.0.0"));
        copy(&built.join(&name), &lib.join(&file))?;
        fsio::link(&file, &lib.join(&major))?;
        fsio::link(&major, &lib.join(&name))?;
    }
    copy(&built.join(INTERPOSE.0), &lib.join(INTERPOSE.1))?;
    for (built_as, folder, name, others) in LEGACY {
        let folder = lib.join(folder);
        copy(&built.join(format!("lib{built_as}.so")), &folder.join(name))?;
        for other in *others {
            fsio::link(name, &folder.join(other))?;
        }
    }
    for header in ["include/mpi.h", "include/mpi-ext.h", "include/oxmpi/bml.h"] {
        copy(&root.join(header), &prefix.join(header))?;
    }
    for (from, to) in SHARED {
        copy(&root.join(from), &prefix.join(to))?;
    }
    for (path, text) in crate::gen::fortran_texts()? {
        fsio::write(&prefix.join(path), &text)?;
    }
    manuals::write(prefix, OTHER_NAMES, target)?;
    let conf = prefix.join("share/oxmpi/wrapper.conf");
    // A file that is there is the user's to edit.
    if !conf.exists() {
        copy(&root.join("crates/tools/share/wrapper.conf"), &conf)?;
    }
    Ok(())
}

/// Writes pkg-config's files; those for Fortran have `modules` among their options.
fn write_packages(prefix: &Path, modules: &str) -> Result<(), String> {
    let lib = prefix.join("lib");
    for (name, description, library) in PACKAGES {
        let path = lib.join("pkgconfig").join(format!("{name}.pc"));
        let includes = match name.ends_with("-fort") {
            true => format!("-I${{includedir}}{modules}"),
            false => "-I${includedir}".to_string(),
        };
        fsio::write(&path, &package(name, description, library, &includes))?;
    }
    Ok(())
}

/// The folder in which the Fortran wrapper makes the modules of most versions of gfortran.
const MODULES: &str = "oxmpi/fortran/gfortran_9_to_14";

/// Has the Fortran wrapper make the modules for the compiler on this machine, and returns the
/// options that name their folder. On a machine without a compiler, or where the wrapper cannot
/// run, it will make them later.
fn make_modules(prefix: &Path, target: Target) -> String {
    let later = format!(" -I${{prefix}}/share/{MODULES}");
    let Some(command) = target.command(&prefix.join("bin/mpifort")) else {
        return later;
    };
    let mut wrapper = Command::new(&command[0]);
    let wrapper = wrapper.args(&command[1..]).arg("-showme:compile");
    if !target.is_native() {
        wrapper.env("OXMPI_FC", target.tool("gfortran"));
    }
    match wrapper.output() {
        Ok(output) if output.status.success() => {
            // The wrapper names the installation without links on the way to it.
            let prefix = prefix.canonicalize().unwrap_or(prefix.to_path_buf());
            return shared_includes(&prefix, &String::from_utf8_lossy(&output.stdout));
        }
        Ok(output) => println!("{}", String::from_utf8_lossy(&output.stderr).trim()),
        Err(error) => println!("cannot run mpifort: {error}"),
    }
    later
}

/// Returns those of a wrapper's options that name folders of `share/`, as pkg-config's files do.
fn shared_includes(prefix: &Path, flags: &str) -> String {
    let share = format!("-I{}/share/", prefix.display());
    flags
        .split_whitespace()
        .filter_map(|flag| flag.strip_prefix(&share))
        .map(|folder| format!(" -I${{prefix}}/share/{folder}"))
        .collect()
}

/// The programs of the `tools` crate, by the files that hold them.
fn programs() -> Result<Vec<String>, String> {
    let files = fsio::files_below(&fsio::root().join("crates/tools/src/bin"), "rs")?;
    let stem = |path: &PathBuf| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    Ok(files.iter().filter_map(stem).collect())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fsio::clear(to)?;
    let wrong = |error| {
        format!(
            "cannot copy {} to {}: {error}",
            from.display(),
            to.display()
        )
    };
    fs::copy(from, to).map(drop).map_err(wrong)
}

fn package(name: &str, description: &str, library: &str, includes: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\n\
         Name: {name}\nDescription: {description}\nVersion: {}\n\
         Cflags: {includes}\n\
         Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -Wl,--enable-new-dtags -l{library}\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_name_the_modules_by_their_place_in_the_installation() {
        let flags =
            "-I/opt/x/include -I/opt/x/share/oxmpi/fortran/GNU_12 -fallow-argument-mismatch\n";
        let found = shared_includes(Path::new("/opt/x"), flags);
        assert_eq!(found, " -I${prefix}/share/oxmpi/fortran/GNU_12");
        assert_eq!(shared_includes(Path::new("/opt/y"), flags), "");
    }

    #[test]
    fn profiles_have_folders() {
        assert!(built("dev").ends_with("debug") && built("ci").ends_with("ci"));
    }

    #[test]
    fn links_and_files_are_replaced() {
        let folder = fsio::target_dir().join("install-test");
        let (file, name) = (folder.join("a.1"), folder.join("a"));
        fsio::write(&folder.join("from"), "new").unwrap();
        fsio::write(&file, "old").unwrap();
        copy(&folder.join("from"), &file).unwrap();
        fsio::link("gone", &name).unwrap();
        fsio::link("a.1", &name).unwrap();
        assert_eq!(fsio::read(&name).unwrap(), "new");
        assert!(copy(&folder.join("none"), &file)
            .unwrap_err()
            .contains("none"));
    }
}
