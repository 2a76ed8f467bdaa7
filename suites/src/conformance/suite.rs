//! Fetches, configures and builds the suite, once for the standard ABI and once for each library
//! that has an `mpi.h` of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::options::OURS;
use crate::peers;
use crate::peers::Peer;
use crate::third_party;
use xtask::fsio;
use xtask::shell::{self, Job};

/// The folders of tests that are about what this project has.
pub const FOLDERS: &[&str] = &[
    "attr",
    "coll",
    "comm",
    "datatype",
    "errhan",
    "group",
    "info",
    "init",
    "io",
    "mpi_t",
    "part",
    "pt2pt",
    "rma",
    "spawn",
    "topo",
    "threads/coll",
    "threads/comm",
    "threads/init",
    "threads/part",
    "threads/pt2pt",
    "threads/rma",
    "threads/spawn",
];

/// The folders of programs that make mistakes: run where they are named, one by one or all by
/// `errors`, for those that wait for ever take their whole limit.
pub const ERRORS: &[&str] = &[
    "errors/attr",
    "errors/coll",
    "errors/comm",
    "errors/datatype",
    "errors/group",
    "errors/io",
    "errors/pt2pt",
    "errors/rma",
    "errors/spawn",
    "errors/topo",
];

/// The folders of tests about windows.
pub const WINDOWS: &[&str] = &["rma", "threads/rma"];

/// Programs that the suite does not make with `--enable-strictmpi`, although MPI has had since 3.1
/// what they test.
const STRICT_TOO: &[(&str, &[&str])] = &[
    ("rma", &["aint", "aint_collattach"]),
    (
        "io",
        &[
            "i_aggregation1",
            "i_aggregation2",
            "i_bigtype",
            "i_coll_test",
            "i_darray_read",
            "i_hindexed",
            "i_hindexed_io",
            "i_noncontig_coll",
            "i_noncontig_coll2",
            "i_rdwrord",
            "i_setviewcur",
            "i_types_with_zeros",
        ],
    ),
];

/// Folders that the tests are linked with, built first.
const COMMON: &[&str] = &["dtpools", "util"];

/// Options of `configure`: tests of the standard only, with threads and overlapping collectives.
const CONFIGURE: &[&str] = &[
    "--disable-fortran",
    "--disable-cxx",
    "--disable-shared",
    "--enable-strictmpi",
    "--enable-threads=multiple",
    "--enable-comm-overlap-tests",
    "--disable-dependency-tracking",
    "CFLAGS=-O0 -w",
];

/// Links as libtool does where every library is an archive, without its long script, which takes
/// four times as long as the link: 70 s for all programs.
const LINK: &str = r#"#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
for word; do
    shift
    case $word in
    *.la) library=${word##*/}; word=${word%/*}/.libs/${library%.la}.a ;;
    esac
    set -- "$@" "$word"
done
exec "$@"
"#;

/// The suites for Fortran alone.
pub const FORTRAN: &[&str] = &[
    "--enable-fortran=all",
    "--disable-cxx",
    "--disable-shared",
    "--enable-strictmpi",
    "--enable-threads=multiple",
    "--disable-dependency-tracking",
    "CFLAGS=-O1 -w",
    "FFLAGS=-O0 -w",
    "FCFLAGS=-O0 -w",
    RENAMED,
];

/// Functions that only have another name today: what the tests' own library calls as it was called
/// before MPI 2.0, and what MPICH had before MPI 4.1 took it up.
const RENAMED: &str = "CPPFLAGS=-DMPI_Type_hvector=MPI_Type_create_hvector \
    -DMPI_Type_hindexed=MPI_Type_create_hindexed \
    -DMPI_Type_struct=MPI_Type_create_struct \
    -DMPIX_Delete_error_class=MPI_Remove_error_class \
    -DMPIX_Delete_error_code=MPI_Remove_error_code \
    -DMPIX_Delete_error_string=MPI_Remove_error_string";

/// A suite that is built.
pub struct Suite {
    /// The suite's name and version.
    pub version: String,
    pub source: PathBuf,
    pub build: PathBuf,
}

/// Returns the folders to run: those about what this project has, or the named one.
pub fn folders(only: Option<&str>) -> Vec<&'static str> {
    let Some(only) = only else {
        return FOLDERS.to_vec();
    };
    let all = FOLDERS.iter().chain(ERRORS).copied();
    all.filter(|folder| *folder == only || (only == "errors" && ERRORS.contains(folder)))
        .collect()
}

/// Builds the suite for `peer`, unless that was done with the same header, and of its folders those
/// that are to be run and were not made yet.
pub fn built(peer: &Peer, only: Option<&str>) -> Result<Suite, String> {
    let package = third_party::source("mpich")?;
    let version = package.file_name().unwrap_or_default().to_string_lossy();
    let folder = fsio::target_dir().join("conformance");
    let (compiler, header) = compiler(peer)?;
    let suite = Suite {
        version: version.replace('-', " "),
        source: package.join("test/mpi"),
        build: folder.join(if peer.abi { "abi" } else { peer.key }),
    };
    let header = fsio::read(&header)?;
    let renamed = renamed(&compiler);
    let wanted = format!(
        "{}\n{CONFIGURE:?}\n{renamed}\n{LINK}\n{header}",
        compiler.display()
    );
    let stamp = suite.build.join("built.stamp");
    if !fsio::read(&stamp).is_ok_and(|stamp| stamp == wanted) {
        // Configuring runs programs, which those of another interface do on their own library.
        let library = peer.interface.map(|_| PathBuf::new());
        suite.make(&compiler, &library.unwrap_or(peer.prefix.join("lib")))?;
        fsio::write(&stamp, &wanted)?;
    }
    for folder in folders(only) {
        if !suite.log(folder).exists() {
            suite.make_programs(folder)?;
        }
    }
    Ok(suite)
}

/// Returns the compiler's wrapper for a library, and the header. Libraries with the standard ABI
/// share the programs, which oxmpi's wrapper makes.
fn compiler(peer: &Peer) -> Result<(PathBuf, PathBuf), String> {
    if let Some(interface) = peer.interface {
        interface.ready()?;
        let wrapper = format!("/usr/bin/mpicc.{}", interface.wrapper);
        return Ok((wrapper.into(), interface.header()));
    }
    let prefix = match peer.abi && peer.key != OURS {
        true => peers::get(OURS)?.prefix,
        false => peer.prefix.clone(),
    };
    Ok((prefix.join("bin/mpicc"), prefix.join("include/mpi.h")))
}

/// Returns [`RENAMED`], unless the header has all that as it was. Open MPI's forbids the removed
/// names by macros, which would hide the renaming, unless a macro permits them.
fn renamed(compiler: &Path) -> String {
    match compiler.file_name().and_then(|name| name.to_str()) {
        Some("mpicc.mpich") => "CPPFLAGS=".to_string(),
        Some("mpicc.openmpi") => format!("{RENAMED} -DOMPI_OMIT_MPI1_COMPAT_DECLS=1"),
        _ => RENAMED.to_string(),
    }
}

impl Suite {
    fn make(&self, compiler: &Path, library: &Path) -> Result<(), String> {
        println!(
            "  building the tests of {} with {}",
            self.version,
            compiler.display()
        );
        if shell::find("make").is_none() {
            peers::apt_install(&["make"])?;
        }
        let _ = std::fs::remove_dir_all(&self.build);
        fsio::make_folder(&self.build)?;
        Job::new("sh")
            .arg(self.source.join("configure"))
            .arg(format!("--with-mpi={}", compiler.display()))
            .args(CONFIGURE)
            .arg(renamed(compiler))
            .env("MPICC", compiler)
            .env("LD_LIBRARY_PATH", library)
            .folder(&self.build)
            .limit(Duration::from_secs(900))
            .ok()?;
        for folder in COMMON {
            self.make_in(folder).ok()?;
        }
        fsio::write(&self.link(), LINK)
    }

    /// Makes the programs of a folder. One that does not compile does not keep the others from it.
    fn make_programs(&self, folder: &str) -> Result<(), String> {
        let more = STRICT_TOO.iter().filter(|(of, _)| *of == folder);
        let programs = more.flat_map(|(_, programs)| *programs);
        let make = self.make_in(folder).args(["-k", "all"]).args(programs);
        let make = make.arg(format!("LIBTOOL=sh {}", self.link().display()));
        let outcome = make.run()?;
        let log = format!("{}\n{}", outcome.out, outcome.err);
        fsio::write(&self.log(folder), &log)
    }

    fn make_in(&self, folder: &str) -> Job {
        Job::new("make")
            .args(["-s", &format!("-j{}", shell::processors()), "-C", folder])
            .folder(&self.build)
            .limit(Duration::from_secs(1800))
    }

    /// Makes a folder for one test to run in.
    pub fn own_folder(&self, folder: &str, test: &str) -> Result<PathBuf, String> {
        let name = test.replace([' ', '/'], "-");
        let place = self.build.join(folder).join("run").join(name);
        fsio::make_folder(&place)?;
        Ok(place)
    }

    fn link(&self) -> PathBuf {
        self.build.join("link.sh")
    }

    fn log(&self, folder: &str) -> PathBuf {
        self.build.join(folder).join("make.log")
    }

    /// Returns the error of the compiler or the linker about a program that could not be built.
    pub fn why_not_built(&self, folder: &str, program: &str) -> String {
        let log = fsio::read(&self.log(folder)).unwrap_or_default();
        let first = error_about(&log, program);
        format!(
            "not built: {}",
            first.unwrap_or("the suite does not make it")
        )
    }
}

/// Returns the first line of a log of `make` that is an error about a program. One of several
/// programs from one source has an object with both names, and the errors name the source.
fn error_about<'a>(log: &'a str, program: &str) -> Option<&'a str> {
    let mut words = log.split_whitespace();
    let source = words.find_map(|word| {
        let source = word.strip_prefix(program)?.strip_prefix('-')?;
        Some(format!("{}.c:", source.strip_suffix(".o")?))
    });
    let source = source.as_deref();
    let is_wrong = |line: &str| line.contains("error") || line.contains("undefined reference");
    let is_of_it =
        |line: &str| line.contains(program) || source.is_some_and(|source| line.contains(source));
    log.lines().find(|line| is_wrong(line) && is_of_it(line))
}

#[cfg(test)]
mod tests {
    use super::error_about;

    #[test]
    fn an_error_is_found_by_the_name_of_the_program_or_of_its_source() {
        let log = "  CC       start_wait-start.o\n  CC       other.o\n  CCLD     start_wait\n\
                   start.c:(.text+0x43f): undefined reference to `MPI_Psend_init'\n\
                   other.c:3: error: unknown type name 'MPI_Session'\n\
                   make: *** [Makefile:605: start_wait] Error 1\n";
        let found = |program| error_about(log, program).unwrap_or_default();
        assert!(found("start_wait").ends_with("MPI_Psend_init'"));
        assert!(found("other").ends_with("'MPI_Session'"));
        assert_eq!(error_about(log, "third"), None);
    }
}
