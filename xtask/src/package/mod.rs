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
use crate::target::{self, Target};
use crate::{fsio, install};

/// Options of the commands.
#[derive(clap::Args)]
pub struct Options {
    /// Build by a profile of Cargo
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    #[command(flatten)]
    target: target::Choice,
}

impl Options {
    /// Builds, and returns the kind of machine.
    fn build(&self) -> Result<Target, String> {
        let target = self.target.target();
        install::build(&self.profile, target)?;
        Ok(target)
    }
}

/// Makes the Debian packages in `target/debs`.
pub fn deb(options: &Options) -> Result<(), String> {
    let target = options.build()?;
    for package in debian::make(&target.built(&options.profile), target)? {
        println!("{}", package.display());
    }
    Ok(())
}

/// Makes the archive in `target/tarballs`.
pub fn tarball(options: &Options) -> Result<(), String> {
    let target = options.build()?;
    let archive = archive(&target.built(&options.profile), target)?;
    println!("{}", archive.display());
    Ok(())
}

/// Packs an installation, and returns the archive.
pub fn archive(built: &Path, target: Target) -> Result<PathBuf, String> {
    let processor = target.processor();
    let name = format!("oxmpi-{}-linux-{processor}", env!("CARGO_PKG_VERSION"));
    let stage = stage(&name, built, target)?;
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
