//! Debian packages: `liboxmpi1` with the libraries, `oxmpi` with the programs that run jobs, and
//! `oxmpi-dev` with what compiles programs.
//!
//! All lies in one folder as an installation does, so that programs find each other by their own
//! place; `/usr/bin` has links. `mpirun` and `mpicc` are alternatives beside those of Open MPI and
//! MPICH, whose packages may be installed at the same time.

use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};

use super::scripts::{self, MAINTAINER};
use super::stage::{stage, DATE};
use crate::shell::{self, Job};
use crate::target::Target;
use crate::{fsio, install};

/// The ending of manual pages, by which they do not clash with those of other MPI libraries.
const SECTION: &str = "oxmpi";

/// A package.
struct Package {
    name: &'static str,
    section: &'static str,
    /// Packages that it needs beside the version of the C library that its files ask for.
    depends: &'static str,
    recommends: &'static str,
    summary: &'static str,
    text: &'static str,
}

const RUNTIME: Package = Package {
    name: "liboxmpi1",
    section: "libs",
    depends: "",
    recommends: "",
    summary: "MPI library behind the MPI 5.0 standard ABI",
    text: "libmpi_abi.so.1 and libmpifort_abi.so.1, for programs that were compiled\n\
           for the standard ABI by any MPI's wrapper, and libraries for programs of\n\
           Open MPI 4 and 5 and of MPICH.",
};

const TOOLS: Package = Package {
    name: "oxmpi",
    section: "net",
    depends: "liboxmpi1 (= {version})",
    recommends: "openssh-client",
    summary: "launcher and tools of the MPI library oxmpi",
    text: "mpirun starts the ranks of an MPI program on this machine or, over ssh, on\n\
           several; oxmpi_info shows what the library has and is set to.",
};

const DEVELOPMENT: Package = Package {
    name: "oxmpi-dev",
    section: "devel",
    depends: "liboxmpi1 (= {version}), gcc | c-compiler, libc6-dev | libc-dev",
    recommends: "oxmpi, gfortran | fortran-compiler, g++ | c++-compiler",
    summary: "compiler wrappers and headers of the MPI library oxmpi",
    text: "mpicc, mpicxx and mpifort, the headers, the modules of Fortran, and the\n\
           manual pages of MPI's functions.",
};

/// Makes the packages, and returns their files.
pub fn make(built: &Path, target: Target) -> Result<Vec<PathBuf>, String> {
    let (strip, readelf) = (target.tool("strip"), target.tool("readelf"));
    for program in ["dpkg-deb", "gzip", "md5sum", &strip, &readelf] {
        if shell::find(program).is_none() {
            return Err(format!("needs `{program}` in the PATH"));
        }
    }
    let whole = stage("debian", built, target)?;
    let place_of = scripts::prefix(target);
    name_prefix(&whole.join("lib/pkgconfig"), &place_of)?;
    let debs = fsio::target_dir().join("debs");
    fsio::make_folder(&debs)?;
    let packages = [&RUNTIME, &TOOLS, &DEVELOPMENT];
    for package in packages {
        let root = root(package);
        if root.exists() {
            fs::remove_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        }
    }
    for path in fsio::paths(&whole)? {
        let inside = path.strip_prefix(&whole).unwrap_or(&path);
        let (package, to) = place(inside, &place_of);
        transfer(&path, &root(package).join(to))?;
    }
    links(target)?;
    packages
        .into_iter()
        .map(|package| pack(package, &debs, target))
        .collect()
}

/// Writes the folder of the installation into pkg-config's files: alternatives are links to these,
/// so that they cannot distinguish it from their own place.
fn name_prefix(folder: &Path, prefix: &str) -> Result<(), String> {
    for path in fsio::files_below(folder, "pc")? {
        let text = fsio::read(&path)?;
        let named = text.replace("${pcfiledir}/../..", &format!("/{prefix}"));
        fsio::write(&path, &named)?;
    }
    Ok(())
}

/// The folder that is packed as a package.
fn root(package: &Package) -> PathBuf {
    fsio::target_dir().join("package").join(package.name)
}

/// Returns the package that a file of an installation belongs to, and its place there.
fn place(inside: &Path, prefix: &str) -> (&'static Package, PathBuf) {
    let text = inside.to_string_lossy();
    let name = inside.file_name().unwrap_or_default().to_string_lossy();
    let is_library = text.starts_with("lib/") && name.contains(".so.");
    let is_wrapper = text.starts_with("bin/mpi") && !["mpirun", "mpiexec"].contains(&&*name);
    let page = text.strip_prefix("share/man/");
    match page {
        Some(page) => {
            let is_tool = ["mpirun.1", "mpiexec.1"].contains(&&*name) || name.starts_with("ox");
            let package = if is_tool { &TOOLS } else { &DEVELOPMENT };
            let to = format!("usr/share/man/{page}{SECTION}.gz");
            (package, PathBuf::from(to))
        }
        None if text.starts_with("share/bash-completion/") => {
            let to = format!("{text}.oxmpi");
            (&TOOLS, Path::new("usr").join(to))
        }
        None if text.starts_with("share/zsh/") => (
            &TOOLS,
            Path::new("usr/share/zsh/vendor-completions").join(&*name),
        ),
        None if text.starts_with("share/fish/") => (&TOOLS, Path::new("usr").join(inside)),
        None if is_library => (&RUNTIME, Path::new(prefix).join(inside)),
        None if text.starts_with("bin/") && !is_wrapper => (&TOOLS, Path::new(prefix).join(inside)),
        None => (&DEVELOPMENT, Path::new(prefix).join(inside)),
    }
}

/// Copies a file, compressed where the name says so, or a link.
fn transfer(from: &Path, to: &Path) -> Result<(), String> {
    let wrong = |error| {
        format!(
            "cannot copy {} to {}: {error}",
            from.display(),
            to.display()
        )
    };
    fsio::make_folder(to.parent().unwrap_or(Path::new(".")))?;
    let is_page = to.extension().is_some_and(|ext| ext == "gz");
    if let Ok(target) = fs::read_link(from) {
        let target = match is_page {
            true => PathBuf::from(format!("{}{SECTION}.gz", target.display())),
            false => target,
        };
        return symlink(target, to).map_err(wrong);
    }
    if !is_page {
        fs::copy(from, to).map_err(wrong)?;
        return match from.to_string_lossy().contains(".so.") {
            true => fs::set_permissions(to, fs::Permissions::from_mode(0o644)).map_err(wrong),
            false => Ok(()),
        };
    }
    let plain = to.with_extension("");
    // The title says the section, which has the ending, too.
    let text = fsio::read(from)?;
    let text = [" 1 ", " 3 "].iter().fold(text, |text, section| {
        let own = format!(" {}{SECTION} ", section.trim());
        text.replacen(&format!("{section}2"), &format!("{own}2"), 1)
    });
    fsio::write(&plain, &text)?;
    Job::new("gzip").args(["-9n"]).arg(&plain).ok().map(drop)
}

/// Makes the links by which the linker, the compiler and users find what lies in the folder.
fn links(of: Target) -> Result<(), String> {
    let add = |package: &Package, at: String, target: String| {
        let at = root(package).join(at);
        fsio::make_folder(at.parent().unwrap_or(Path::new(".")))?;
        symlink(&target, &at).map_err(|error| format!("{}: {error}", at.display()))
    };
    for library in install::LIBRARIES {
        let name = format!("lib{library}.so.1");
        add(
            &RUNTIME,
            format!("usr/lib/{}/{name}", of.libraries()),
            format!("oxmpi/lib/{name}"),
        )?;
    }
    for (package, names) in [
        (&TOOLS, scripts::PROGRAMS),
        (&DEVELOPMENT, scripts::WRAPPERS),
    ] {
        for name in names {
            let target = format!("../lib/{}/oxmpi/bin/{name}", of.libraries());
            add(
                package,
                format!("usr/bin/{}", scripts::own_name(name)),
                target,
            )?;
        }
    }
    Ok(())
}

fn pack(package: &Package, debs: &Path, target: Target) -> Result<PathBuf, String> {
    let root = root(package);
    documents(package, &root)?;
    let control = root.join("DEBIAN");
    let files = fsio::paths(&root)?;
    let mut sums = String::new();
    let mut bytes = 0;
    for path in files.iter().filter(|path| !path.is_symlink()) {
        let inside = path.strip_prefix(&root).unwrap_or(path).display();
        let said = Job::new("md5sum").arg(path).ok()?.out;
        sums.push_str(&format!(
            "{}  {inside}\n",
            said.split(' ').next().unwrap_or_default()
        ));
        bytes += fs::metadata(path).map_or(0, |about| about.len());
    }
    let (version, machine) = (env!("CARGO_PKG_VERSION"), target.debian());
    let mut depends: Vec<String> = c_library(&files, target)?.into_iter().collect();
    depends.extend(
        (!package.depends.is_empty()).then(|| package.depends.replace("{version}", version)),
    );
    let mut text = format!(
        "Package: {}\nVersion: {version}\nArchitecture: {machine}\nMaintainer: {MAINTAINER}\n\
         Installed-Size: {}\nSection: {}\nPriority: optional\nDepends: {}\n",
        package.name,
        bytes.div_ceil(1024),
        package.section,
        depends.join(", ")
    );
    if !package.recommends.is_empty() {
        text.push_str(&format!("Recommends: {}\n", package.recommends));
    }
    text.push_str(&format!("Description: {}\n", package.summary));
    for line in package.text.lines() {
        text.push_str(&format!(" {line}\n"));
    }
    fsio::write(&control.join("control"), &text)?;
    fsio::write(&control.join("md5sums"), &sums)?;
    for (name, text) in scripts::of(package.name, target) {
        let path = control.join(name);
        fsio::write(&path, &text)?;
        let is_script = text.starts_with("#!");
        let mode = if is_script { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let deb = debs.join(format!("{}_{version}_{machine}.deb", package.name));
    Job::new("dpkg-deb")
        .args(["--root-owner-group", "-Zxz", "--build"])
        .args([&root, &deb])
        .env("SOURCE_DATE_EPOCH", DATE)
        .ok()?;
    Ok(deb)
}

/// Writes what every package must have: who may use it, and what changed.
fn documents(package: &Package, root: &Path) -> Result<(), String> {
    let folder = root.join("usr/share/doc").join(package.name);
    fsio::write(&folder.join("copyright"), scripts::COPYRIGHT)?;
    let changes = folder.join("changelog");
    fsio::write(&changes, &scripts::changelog())?;
    Job::new("gzip").args(["-9nf"]).arg(&changes).ok().map(drop)
}

/// Returns the version of the C library that files ask for.
fn c_library(files: &[PathBuf], target: Target) -> Result<Option<String>, String> {
    let mut newest = (0, 0);
    for path in files.iter().filter(|path| !path.is_symlink()) {
        if !fsio::read_bytes(path)?.starts_with(b"\x7fELF") {
            continue;
        }
        let said = Job::new(target.tool("readelf"))
            .args(["-VW"])
            .arg(path)
            .ok()?
            .out;
        let versions = said.split("GLIBC_").skip(1).filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
            let (major, minor) = rest[..end.unwrap_or(rest.len())].split_once('.')?;
            let minor = minor.split('.').next()?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        newest = versions.chain([newest]).max().unwrap_or(newest);
    }
    Ok(match newest {
        (0, 0) => None,
        (major, minor) => Some(format!("libc6 (>= {major}.{minor}), libgcc-s1 (>= 4.2)")),
    })
}
