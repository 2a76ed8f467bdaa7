//! `cargo xtask deb` and `cargo xtask tarball`: an installation as Debian packages, and as an
//! archive that may be unpacked anywhere.
//!
//! Equal files make equal packages: they have one date, and are packed in the order of their names.

mod debian;
mod scripts;
mod stage;

pub use self::debian::make as debian;
pub use self::stage::strip;

use std::path::{Path, PathBuf};

use self::stage::{stage, DATE};
use crate::shell::Job;
use crate::{fsio, install};

/// Makes the Debian packages in `target/debs`.
pub fn deb(args: &[String]) -> Result<(), String> {
    for package in debian::make(&built(args, "deb")?)? {
        println!("{}", package.display());
    }
    Ok(())
}

/// Makes the archive in `target/tarballs`.
pub fn tarball(args: &[String]) -> Result<(), String> {
    println!("{}", archive(&built(args, "tarball")?)?.display());
    Ok(())
}

/// Builds by the profile that the arguments name, and returns the folder of what Cargo made.
fn built(args: &[String], command: &str) -> Result<PathBuf, String> {
    let profile = match args {
        [] => "release",
        [name, profile] if name == "--profile" => profile,
        _ => return Err(format!("usage: cargo xtask {command} [--profile NAME]")),
    };
    install::build(profile)?;
    Ok(install::built(profile))
}

/// Packs an installation, and returns the archive.
pub fn archive(built: &Path) -> Result<PathBuf, String> {
    let name = format!("oxmpi-{}-linux-x86_64", env!("CARGO_PKG_VERSION"));
    let stage = stage(&name, built)?;
    for text in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fsio::write(
            &stage.join("share/doc/oxmpi").join(text),
            &fsio::read(&fsio::root().join(text))?,
        )?;
    }
    let folder = fsio::target_dir().join("tarballs");
    fsio::make_folder(&folder)?;
    let archive = folder.join(format!("{name}.tar.xz"));
    let tar = Job::new("tar")
        .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        .arg(format!("--mtime=@{DATE}"))
        .args(["-I", "xz -T1 -6", "-cf"])
        .args([&archive, Path::new(&name)])
        .folder(stage.parent().unwrap_or(Path::new(".")));
    tar.ok()?;
    Ok(archive)
}
