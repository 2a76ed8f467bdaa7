//! Fetches source archives of Debian packages, by `apt-get source` with a state of its own: the
//! system's list of sources is not changed, and need not have source packages.

use std::path::PathBuf;

use super::ways::folder;
use crate::peers;
use xtask::fsio;
use xtask::shell::{self, Job};

/// The release whose archives are fetched where no other is named.
const RELEASE: &str = "bookworm";

/// The line for a release in a list of sources, with the key that signs it.
fn sources(release: &str) -> String {
    format!(
        "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
         http://deb.debian.org/debian {release} main\n"
    )
}

/// The folder with the upstream source of the package, fetched and unpacked where it lacks.
pub fn unpacked(package: &str) -> Result<PathBuf, String> {
    unpacked_of(package, RELEASE)
}

/// Returns the folder with the upstream source of a release's package, fetched and unpacked where
/// it lacks.
pub fn unpacked_of(package: &str, release: &str) -> Result<PathBuf, String> {
    let place = folder(package);
    if let Some(source) = only_folder(&place) {
        return Ok(source);
    }
    if shell::find("xz").is_none() {
        peers::apt_install(&["xz-utils"])?;
    }
    println!("  fetching the Debian source archive of {package}");
    let archive = fetched(package, release)?;
    let fresh = folder(&format!("{package}.new"));
    let _ = std::fs::remove_dir_all(&fresh);
    fsio::make_folder(&fresh)?;
    let tar = Job::new("tar")
        .arg("-xf")
        .arg(&archive)
        .arg("-C")
        .arg(&fresh);
    tar.ok()?;
    std::fs::rename(&fresh, &place).map_err(|e| format!("cannot make {}: {e}", place.display()))?;
    only_folder(&place).ok_or(format!("{} holds no folder", archive.display()))
}

/// The upstream archive. That Debian's own part cannot be had does not matter.
fn fetched(package: &str, release: &str) -> Result<PathBuf, String> {
    let apt = folder("apt");
    for part in ["lists/partial", "cache/archives/partial", "archives"] {
        fsio::make_folder(&apt.join(part))?;
    }
    fsio::write(&apt.join("sources.list"), &sources(release))?;
    let option = |name: &str, part: &str| format!("-oDir::{name}={}", apt.join(part).display());
    let options = [
        option("Etc::sourcelist", "sources.list"),
        "-oDir::Etc::sourceparts=/dev/null".to_string(),
        option("State::lists", "lists"),
        option("Cache", "cache"),
        "-oAPT::Sandbox::User=root".to_string(),
    ];
    Job::new("apt-get")
        .args(&options)
        .args(["-q", "update"])
        .ok()?;
    let archives = apt.join("archives");
    let source = Job::new("apt-get")
        .args(&options)
        .args(["-q", "source", "--download-only", package])
        .folder(&archives)
        .run()?;
    let found = std::fs::read_dir(&archives)
        .map_err(|error| format!("cannot list {}: {error}", archives.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            name.starts_with(&format!("{package}_")) && name.contains(".orig.tar")
        });
    found.ok_or(format!(
        "no upstream archive of {package}: {}",
        source.reason()
    ))
}

fn only_folder(place: &std::path::Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(place).ok()?;
    let mut folders = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    folders.next()
}
