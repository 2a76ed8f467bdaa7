//! An installation from which packages are made.

use std::path::{Path, PathBuf};

use crate::shell::Job;
use crate::target::Target;
use crate::{fsio, install};

/// The date of each file in a package, in seconds since 1970.
pub const DATE: &str = "1577836800";

/// Lays out an installation in a new folder of `target/package`. Its programs have no symbols, for
/// a package is for use. Its modules of Fortran are those of this machine's compiler: packages are
/// made where there is a gfortran, whose versions 9 to 14 read each other's.
pub fn stage(name: &str, built: &Path, target: Target) -> Result<PathBuf, String> {
    let stage = fsio::target_dir().join("package").join(name);
    if stage.exists() {
        let wrong = |error| format!("cannot remove {}: {error}", stage.display());
        std::fs::remove_dir_all(&stage).map_err(wrong)?;
    }
    install::lay_out(&stage, built, target)?;
    strip(&stage, target)?;
    Ok(stage)
}

/// Removes the symbols of programs and libraries, but for those that are exported.
pub fn strip(folder: &Path, target: Target) -> Result<(), String> {
    for path in fsio::paths(folder)? {
        let is_binary = || fsio::read_bytes(&path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"));
        if !path.is_symlink() && is_binary() {
            let strip = Job::new(target.tool("strip"));
            let strip = strip.args(["--strip-unneeded", "--remove-section=.comment"]);
            strip.arg(&path).ok()?;
        }
    }
    Ok(())
}
