//! Tests of the shared library as linkers and profiling tools see it.
//!
//! These tests look at the built `libmpi_abi.so` with the C compiler's own tools, for what they
//! hold cannot be seen from Rust: the names that are exported, the library's own name, and that no
//! call inside the library passes through a name that a tool may have taken.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A profiling tool: it takes `MPI_Get_version`, calls the real one, and leaves a mark.
const TOOL: &str = "
#include <mpi.h>
int MPI_Get_version(int *version, int *subversion)
{
    int code = PMPI_Get_version(version, subversion);
    *subversion += 70;
    return code;
}
";

const PROGRAM: &str = "
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    int version, subversion;
    MPI_Get_version(&version, &subversion);
    printf(\"%d.%d\\n\", version, subversion);
    return 0;
}
";

/// The folder of the library that was built beside this test.
fn library_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let folder = program.parent().unwrap().to_path_buf();
    assert!(
        folder.join("libmpi_abi.so").exists(),
        "no library in {}",
        folder.display()
    );
    folder
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the output of a command, which must succeed.
fn printed(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {printed}");
    String::from_utf8(output.stdout).unwrap()
}

fn library(tool: &str, args: &[&str]) -> String {
    printed(
        Command::new(tool)
            .args(args)
            .arg(library_folder().join("libmpi_abi.so")),
    )
}

/// A folder for one test, with a link by which programs find the library under its soname.
fn workshop(name: &str) -> PathBuf {
    let folder = library_folder().join(format!("library-test-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let link = folder.join("libmpi_abi.so.1");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(library_folder().join("libmpi_abi.so"), link).unwrap();
    folder
}

/// Compiles `source` (a path) to `target` in `folder`, against the library in it.
fn compile(folder: &Path, source: &Path, target: &str, flags: &[&str]) -> PathBuf {
    let target = folder.join(target);
    let header = root().join("include");
    let mut command = Command::new("cc");
    command
        .args(flags)
        .arg("-I")
        .arg(header)
        .arg(source)
        .arg("-o")
        .arg(&target);
    command
        .arg(folder.join("libmpi_abi.so.1"))
        .arg(format!("-Wl,-rpath,{}", folder.display()));
    printed(&mut command);
    target
}

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_functions_of_the_standard_and_of_the_header_are_exported() {
    let names = library("nm", &["-D", "--defined-only", "--format=posix"]);
    let exported: BTreeSet<_> = names
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_string)
        .collect();
    let spec = std::fs::read_to_string(root().join("spec/functions.tsv")).unwrap();
    let expected: BTreeSet<_> = spec
        .lines()
        .filter(|line| line.starts_with("MPI_"))
        .filter_map(|line| line.split('\t').next())
        .flat_map(|name| [name.to_string(), format!("P{name}")])
        .collect();
    let (standard, further): (BTreeSet<_>, BTreeSet<_>) = exported
        .into_iter()
        .partition(|name| expected.contains(name));
    assert_eq!(standard.len(), 1324);
    assert_eq!(standard, expected);
    // What the Fortran library and others need beside the ABI is in a header too.
    let text = |name| std::fs::read_to_string(root().join("include").join(name)).unwrap();
    let headers = text("mpi.h") + &text("mpi-ext.h");
    for name in &further {
        let declared = name.strip_prefix('P').unwrap_or(name);
        assert!(headers.contains(declared), "{name}");
    }
    assert_eq!(further.len(), 76, "{further:?}");
}

#[test]
fn the_library_has_the_name_of_the_abi() {
    let section = library("readelf", &["-dW"]);
    assert!(
        section.contains("Library soname: [libmpi_abi.so.1]"),
        "{section}"
    );
}

/// A relocation that names an MPI function would be a call that a tool intercepts, though the user
/// did not make it.
#[test]
fn no_call_inside_passes_through_an_exported_name() {
    let relocations = library("readelf", &["-rW"]);
    assert!(relocations.contains("R_"), "{relocations}");
    let mpi: Vec<_> = relocations
        .lines()
        .filter(|line| line.contains("MPI_"))
        // Variables that a program may hold a copy of, and no calls.
        .filter(|line| !line.contains("MPI_F_STATUS") && !line.contains("MPI_F08_STATUS"))
        .collect();
    assert!(mpi.is_empty(), "{mpi:?}");
}

#[test]
fn every_function_has_an_address() {
    let folder = workshop("symbols");
    let source = root().join("tests/c/all_symbols.c");
    let program = compile(
        &folder,
        &source,
        "all",
        &["-Wall", "-Wextra", "-pedantic", "-Werror"],
    );
    assert_eq!(
        printed(&mut Command::new(program)),
        "1324 functions, 0 missing\n"
    );
}

#[test]
fn a_tool_takes_a_function_and_calls_the_real_one() {
    let folder = workshop("tool");
    let program = compile(
        &folder,
        &file(&folder, "program.c", PROGRAM),
        "program",
        &[],
    );
    let tool = file(&folder, "tool.c", TOOL);
    let tool = compile(&folder, &tool, "libtool.so", &["-shared", "-fPIC"]);
    assert_eq!(printed(&mut Command::new(&program)), "5.0\n");
    assert_eq!(
        printed(Command::new(&program).env("LD_PRELOAD", tool)),
        "5.70\n"
    );
}
