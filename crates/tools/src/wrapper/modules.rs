//! The modules `mpi` and `mpi_f08`, in the form that one Fortran compiler reads.
//!
//! A module file serves the compiler that made it, so the installation has the sources, and the
//! folder of a compiler's files is named by the compiler's version. It is made when a wrapper first
//! calls that compiler: in the installation, or in the user's cache where that cannot be written.
//! The versions 9 to 14 of gfortran read each other's modules and share one folder, which packages
//! bring along and the files of pkg-config name.
//! The sources hold declarations alone, so a compiler that checks them has made all that is needed.
//!
//! A compiler that has no descriptors of arrays (TS 29113) refuses the first sources. It gets those
//! in the folder `addresses`, whose `MPI_SUBARRAYS_SUPPORTED` is `.false.`.

use std::hash::{DefaultHasher, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The sources, in the order in which they use each other.
const SOURCES: [&str; 2] = ["mpi.f90", "mpi_f08.f90"];

/// The file beside the modules with the digest of their sources.
const DIGEST: &str = "sources";

/// The versions of gfortran that read each other's module files (version 15 of their format) and
/// know descriptors, and the folder of their modules.
const SHARED_BY: RangeInclusive<u32> = 9..=14;
const SHARED: &str = "gfortran_9_to_14";

/// The folder of the sources for compilers without descriptors, below that of the others.
const ADDRESSES: &str = "addresses";

/// Returns what a Fortran compiler needs beside the include folder: the folder of its modules, and
/// flags of its own.
///
/// # Errors
/// The compiler cannot be run, or it cannot make the modules; in the words for the user.
pub fn flags(prefix: &Path, compiler: &[String]) -> Result<Vec<String>, String> {
    let version = version(compiler)?;
    let folder = folder(prefix, compiler, &version)?;
    let mut flags = vec![format!("-I{}", folder.display())];
    flags.extend(own_flags(&version));
    Ok(flags)
}

/// Flags for a compiler by the first line that it says of itself. From 10 on, gfortran refuses old
/// programs that pass buffers of several types to one procedure.
pub(super) fn own_flags(version: &str) -> Option<String> {
    let is_strict = gnu_major(version)? >= 10;
    is_strict.then(|| "-fallow-argument-mismatch".to_string())
}

/// Returns the major version of GNU's compiler from the first line that it says of itself; `None`
/// for other compilers.
fn gnu_major(version: &str) -> Option<u32> {
    let number = version.split_whitespace().next_back()?;
    let major = number.split('.').next()?.parse().ok();
    major.filter(|_| version.starts_with("GNU Fortran"))
}

/// Returns the name of a folder for the modules of a compiler.
pub(super) fn name_of(version: &str) -> String {
    if gnu_major(version).is_some_and(|major| SHARED_BY.contains(&major)) {
        return SHARED.to_string();
    }
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-+".contains(letter);
    let words = version.split(|letter: char| !plain(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// Returns the first line that a compiler says of itself.
fn version(compiler: &[String]) -> Result<String, String> {
    let (program, args) = compiler.split_first().ok_or("no compiler is named")?;
    let run = Command::new(program).args(args).arg("--version").output();
    let output = run.map_err(|error| format!("cannot run `{program}`: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| !line.trim().is_empty());
    let line = line.map(|line| line.trim().to_string());
    line.ok_or_else(|| format!("`{program} --version` says nothing"))
}

fn folder(prefix: &Path, compiler: &[String], version: &str) -> Result<PathBuf, String> {
    let sources = prefix.join("share/oxmpi/fortran");
    let mut folders = vec![sources.join(name_of(version))];
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache =
        cache.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
    if let Some(cache) = cache {
        let release = format!("oxmpi-{}", env!("CARGO_PKG_VERSION"));
        folders.push(cache.join(release).join(name_of(version)));
    }
    if let Some(made) = folders.iter().find(|folder| is_current(&sources, folder)) {
        return Ok(made.clone());
    }
    let mut refused = Vec::new();
    for folder in &folders {
        match make(&sources, folder, compiler) {
            Ok(()) => return Ok(folder.clone()),
            Err(text) => refused.push(text),
        }
    }
    Err(format!(
        "no modules of MPI for {version}: {}",
        refused.join("; ")
    ))
}

/// Whether a folder has the modules of the sources that are installed. Dates do not show it: a
/// package may give the files of all its versions one.
fn is_current(sources: &Path, folder: &Path) -> bool {
    let made_of = std::fs::read_to_string(folder.join(DIGEST)).ok();
    folder.join("mpi_f08.mod").exists() && made_of == digest(sources)
}

/// Returns a number that differs where sources do, as text; `None` where they cannot be read.
fn digest(sources: &Path) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        hasher.write(&std::fs::read(sources.join(source)).ok()?);
    }
    Some(format!("{:016x}\n", hasher.finish()))
}

/// Has the compiler make the modules, in a folder of its own that then gets the name: several
/// compilations may begin at once.
fn make(sources: &Path, folder: &Path, compiler: &[String]) -> Result<(), String> {
    let parent = folder.parent().unwrap_or(Path::new("."));
    let own = parent.join(format!(".{}", std::process::id()));
    let wrong = |error| format!("{}: {error}", own.display());
    std::fs::create_dir_all(&own).map_err(wrong)?;
    let made = compile(sources, &own, compiler).or_else(|refused| {
        let plain = compile(&sources.join(ADDRESSES), &own, compiler);
        plain.map_err(|_| refused)
    });
    let made = made.and_then(|()| {
        let text = digest(sources).unwrap_or_default();
        std::fs::write(own.join(DIGEST), text).map_err(wrong)?;
        // One that is out of date, or that another compilation has made meanwhile.
        let _ = std::fs::remove_dir_all(folder);
        match std::fs::rename(&own, folder) {
            Err(error) if !is_current(sources, folder) => Err(wrong(error)),
            _ => Ok(()),
        }
    });
    let _ = std::fs::remove_dir_all(&own);
    made
}

fn compile(sources: &Path, folder: &Path, compiler: &[String]) -> Result<(), String> {
    for source in SOURCES {
        let source = sources.join(source);
        let run = Command::new(&compiler[0])
            .args(&compiler[1..])
            .arg("-fsyntax-only")
            .arg(&source)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output();
        let output = run.map_err(|error| format!("cannot run `{}`: {error}", compiler[0]))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{} is refused: {}", source.display(), text.trim()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_other_sources_are_not_taken() {
        let sources = std::env::temp_dir().join(format!("oxmpi-modules-{}", std::process::id()));
        let folder = sources.join("made");
        std::fs::create_dir_all(&folder).unwrap();
        let write = |text: &str| {
            for source in SOURCES {
                let path = sources.join(source);
                std::fs::write(&path, text).unwrap();
                // As packages have it.
                let file = std::fs::File::options().write(true).open(path).unwrap();
                file.set_modified(std::time::UNIX_EPOCH).unwrap();
            }
        };
        write("module one");
        std::fs::write(folder.join("mpi_f08.mod"), "").unwrap();
        assert!(!is_current(&sources, &folder));
        std::fs::write(folder.join(DIGEST), digest(&sources).unwrap()).unwrap();
        assert!(is_current(&sources, &folder));
        write("module two");
        assert!(!is_current(&sources, &folder));
        std::fs::remove_dir_all(&sources).unwrap();
    }
}
