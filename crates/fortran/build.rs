//! Gives the shared library its name, and makes it ask for `libmpi_abi.so.1`, which it calls.
//!
//! The library is linked against an empty one of that name: what it calls is found when a program
//! starts, in whatever library of the standard ABI the program has, or beside this one.
#![allow(clippy::disallowed_methods, reason = "a build may wait")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = std::env::var("OUT_DIR").expect("Cargo names the folder");
    let source = Path::new(&folder).join("empty.c");
    let library = Path::new(&folder).join("libmpi_abi.so");
    std::fs::write(&source, "typedef int nothing;\n").expect("the folder can be written");
    // For another kind of machine Cargo names its linker; else Rust links by `cc`.
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let linker = std::env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let status = Command::new(&linker)
        .args(["-shared", "-nostdlib", "-Wl,-soname,libmpi_abi.so.1", "-o"])
        .args([&library, &source])
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{}, which links Rust programs too, cannot make {}",
        linker.display(),
        library.display()
    );
    for argument in [
        "-Wl,-soname,libmpifort_abi.so.1",
        "-Wl,--enable-new-dtags,-rpath,$ORIGIN",
        "-Wl,--no-as-needed",
        &library.to_string_lossy(),
        "-Wl,--as-needed",
    ] {
        println!("cargo:rustc-cdylib-link-arg={argument}");
    }
}
