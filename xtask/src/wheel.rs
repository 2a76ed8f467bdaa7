//! `cargo xtask wheel`: an installation as a Python wheel, for `pip install`.
//!
//! The programs are built by `cargo-zigbuild` against glibc 2.28, so that the wheel runs where
//! those of other MPI libraries do. A wheel has no links: other names of a program are scripts
//! that start it by that name, a library that compilers link to is a linker script, and other
//! names of a library that programs ask for are empty libraries that need it. The libraries for
//! programs of MPICH and Open MPI lie beside the standard one, where mpi4py's wheels look.
//! Equal sources make equal bytes, whoever builds them and where: files have one date, are packed
//! in the order of their names, and contain no folder of the machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::shell::{self, Job};
use crate::target::{self, Target};
use crate::{fsio, install, package};

/// The version of glibc that it runs with.
const GLIBC: &str = "2.28";

/// The date of each file in the archive, as `touch` reads it.
const DATE: &str = "202001010000.00";

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Build in a folder of this name below target/
    #[arg(long, value_name = "NAME", default_value = "wheel")]
    folder: String,
    #[command(flatten)]
    target: target::Choice,
}

/// Builds and packs the wheel into `target/wheels/`.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = fsio::target_dir().join(&options.folder);
    let path = make(&folder, options.target.target())?;
    let size = fs::metadata(&path).map(|about| about.len()).unwrap_or(0);
    println!("{} ({:.1} MB)", path.display(), size as f64 / 1e6);
    Ok(())
}

/// Builds the wheel for a kind of machine in a folder, packs it, and returns its path.
fn make(folder: &Path, target: Target) -> Result<PathBuf, String> {
    target.has_library()?;
    let (compiler, strip) = (compiler(target), target.tool("strip"));
    for program in ["cargo-zigbuild", &compiler, &strip, "zip", "sha256sum"] {
        if shell::find(program).is_none() {
            return Err(format!(
                "needs `{program}` in the PATH; \
                 `pip install ziglang cargo-zigbuild` brings cargo-zigbuild"
            ));
        }
    }
    Job::new(shell::cargo())
        .args(["zigbuild", "--release", "--target"])
        .arg(format!("{}.{GLIBC}", target.name()))
        .args(install::PACKAGES_BUILT)
        .env("CARGO_TARGET_DIR", folder)
        .env("CARGO_PROFILE_RELEASE_STRIP", "true")
        // Variables that go before what a user has set.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_ENCODED_RUSTFLAGS", nameless(folder))
        .limit(Duration::from_secs(3600))
        .ok()?;
    let name = format!("oxmpi-{}", env!("CARGO_PKG_VERSION"));
    let stage = folder.join("stage");
    if stage.exists() {
        fs::remove_dir_all(&stage).map_err(|error| format!("{}: {error}", stage.display()))?;
    }
    let data = stage.join(format!("{name}.data/data"));
    install::lay_out(&data, &folder.join(target.name()).join("release"), target)?;
    leave_out(&data)?;
    // Zig leaves them in programs, whatever the profile says.
    package::strip(&data, target)?;
    share_legacy(&data.join("lib"), &compiler)?;
    replace_links(&data, &compiler)?;
    let tag = format!("py3-none-manylinux_2_28_{}", target.processor());
    describe(&stage, &name, &tag)?;
    pack(&stage, &name, &tag)
}

/// Returns the C compiler for a kind of machine.
fn compiler(target: Target) -> String {
    match target.is_native() {
        true => "cc".to_string(),
        false => target.tool("gcc"),
    }
}

/// Returns flags of the compiler that replace the folders of this machine: the texts of panics
/// have the names of source files.
fn nameless(target: &Path) -> String {
    let flag = |from: &Path, to| format!("--remap-path-prefix={}={to}", from.display());
    // Of several that fit, the last counts.
    let folders = [(fsio::root(), "oxmpi"), (cargo_home(), "cargo")];
    let mut flags = folders.map(|(from, to)| flag(&from, to)).to_vec();
    flags.push(flag(target, "target"));
    flags.join("\u{1f}")
}

/// Returns the folder in which Cargo keeps the sources of others.
pub fn cargo_home() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

/// Removes what a Python environment has no use for: the low layer without MPI, and its benchmark.
fn leave_out(data: &Path) -> Result<(), String> {
    for path in fsio::paths(data)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains("bml") || name.starts_with("oxmpi-perf") {
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// Puts the libraries for programs of other interfaces into the folder of the standard one, each
/// once, by the name that Cargo gives it. The name that programs ask for leads to it there, where
/// mpi4py looks, and in the folder that the launcher names.
fn share_legacy(lib: &Path, compiler: &str) -> Result<(), String> {
    for (built_as, folder, name, _) in install::LEGACY {
        let file = format!("lib{built_as}.so");
        let (from, to) = (lib.join(folder).join(name), lib.join(&file));
        fs::rename(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
        let file = Path::new(&file);
        forward(compiler, &lib.join(name), name, (lib, file), "$ORIGIN")?;
        forward(compiler, &from, name, (lib, file), "$ORIGIN/..")?;
    }
    // Old build files link with -lmpi. mpi4py passes over what is no library.
    fsio::write(&lib.join("libmpi.so"), "INPUT(libmpi_abi.so.1)\n")
}

/// Replaces each link by what a wheel can hold.
fn replace_links(folder: &Path, compiler: &str) -> Result<(), String> {
    for path in fsio::paths(folder)? {
        let Ok(target) = fs::read_link(&path) else {
            continue;
        };
        let wrong = |error| format!("{}: {error}", path.display());
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        fs::remove_file(&path).map_err(wrong)?;
        if path.parent().is_some_and(|parent| parent.ends_with("bin")) {
            let script = format!(
                "#!/bin/bash\nself=$(readlink -f -- \"${{BASH_SOURCE[0]}}\")\n\
                 exec -a \"$0\" \"${{self%/*}}/{}\" \"$@\"\n",
                target.display()
            );
            fsio::write(&path, &script)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(wrong)?;
        } else if path.components().any(|part| part.as_os_str() == "man") {
            let section = &name[name.len() - 1..];
            let request = format!(".so man{section}/{}\n", target.display());
            fsio::write(&path, &request)?;
        } else if name.ends_with(".so") {
            fsio::write(&path, &format!("INPUT({})\n", target.display()))?;
        } else if name.ends_with(".so.1") {
            // The one name that programs ask for is the file itself.
            fs::rename(path.with_file_name(&target), &path).map_err(wrong)?;
        } else {
            let folder = path.parent().unwrap_or(Path::new("."));
            forward(compiler, &path, &name, (folder, &target), "$ORIGIN")?;
        }
    }
    Ok(())
}

/// Makes an empty library at `path`, called `name`, that needs `target` of `folder`, which is at
/// `place` from its own folder: a program that asks for the one finds the symbols of the other.
fn forward(
    compiler: &str,
    path: &Path,
    name: &str,
    (folder, target): (&Path, &Path),
    place: &str,
) -> Result<(), String> {
    // The linker would write the name that the library has for itself.
    let stand_in = fsio::target_dir().join("wheel/stand-in");
    fsio::make_folder(&stand_in)?;
    let library = stand_in.join(target.file_name().unwrap_or_default());
    let empty = || Job::new(compiler).args(["-shared", "-nostdlib", "-s", "-o"]);
    let named = format!("-Wl,-soname,{}", target.display());
    empty()
        .arg(&library)
        .arg(named)
        .args(["-x", "c", "/dev/null"])
        .ok()?;
    if !folder.join(target).exists() {
        return Err(format!("{} lacks {}", folder.display(), target.display()));
    }
    empty()
        .arg(path)
        .arg(format!("-Wl,-soname,{name}"))
        .arg(format!(
            "-Wl,--no-as-needed,--build-id=none,--enable-new-dtags,-rpath,{place}"
        ))
        .args(["-x", "c", "-", "-x", "none"])
        .stdin(ABOUT)
        .arg(format!("-L{}", stand_in.display()))
        .arg(format!("-l:{}", target.display()))
        .ok()
        .map(drop)
}

/// The text of an empty library, by which the launcher knows it for one of this project.
const ABOUT: &str =
    "__attribute__((used)) static const char about[] = \"a library of oxmpi, see oxmpi_info\";\n";

/// Writes the files that describe the wheel.
fn describe(stage: &Path, name: &str, tag: &str) -> Result<(), String> {
    let info = stage.join(format!("{name}.dist-info"));
    let version = env!("CARGO_PKG_VERSION");
    fsio::write(
        &info.join("METADATA"),
        &format!(
            "Metadata-Version: 2.1\nName: oxmpi\nVersion: {version}\n\
             Summary: An MPI library behind the MPI 5.0 standard ABI\n\
             License: MIT OR Apache-2.0\n"
        ),
    )?;
    fsio::write(
        &info.join("WHEEL"),
        &format!(
            "Wheel-Version: 1.0\nGenerator: oxmpi ({version})\nRoot-Is-Purelib: false\nTag: {tag}\n"
        ),
    )?;
    let record = format!("{name}.dist-info/RECORD");
    let mut text = String::new();
    for path in fsio::paths(stage)? {
        let inside = path
            .strip_prefix(stage)
            .unwrap_or(&path)
            .display()
            .to_string();
        let bytes = fsio::read_bytes(&path)?.len();
        text.push_str(&format!("{inside},sha256={},{bytes}\n", digest(&path)?));
    }
    fsio::write(&stage.join(&record), &format!("{text}{record},,\n"))
}

fn pack(stage: &Path, name: &str, tag: &str) -> Result<PathBuf, String> {
    let wheels = fsio::target_dir().join("wheels");
    fsio::make_folder(&wheels)?;
    let wheel = wheels.join(format!("{name}-{tag}.whl"));
    let _ = fs::remove_file(&wheel);
    let files = fsio::paths(stage)?;
    Job::new("touch")
        .env("TZ", "UTC")
        .args(["-t", DATE])
        .args(&files)
        .ok()?;
    let inside = files
        .iter()
        .map(|path| path.strip_prefix(stage).unwrap_or(path));
    let job = Job::new("zip")
        .args(["-q", "-X", "-9"])
        .arg(&wheel)
        .args(inside);
    job.env("TZ", "UTC").folder(stage).ok()?;
    Ok(wheel)
}

/// Returns the SHA-256 of a file as a wheel has it.
fn digest(path: &Path) -> Result<String, String> {
    let said = Job::new("sha256sum").arg(path).ok()?.out;
    let hex = said.trim_start_matches('\\').get(..64).unwrap_or_default();
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    Ok(base64((0..hex.len()).step_by(2).map(byte).collect()))
}

/// Returns bytes in the alphabet for URLs, without padding.
fn base64(bytes: Vec<u8>) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let at = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..=group.len() {
            let index = (bits >> (18 - 6 * digit)) & 63;
            text.push(char::from(ALPHABET[index as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn digests_have_the_form_of_a_record() {
        assert_eq!(base64(vec![0xFB, 0xFF, 0xFE]), "-__-");
        assert_eq!(base64(b"oxmpi".to_vec()), "b3htcGk");
    }

    #[test]
    fn a_wheel_has_no_links() {
        let folder = fsio::target_dir().join("wheel-test");
        let _ = fs::remove_dir_all(&folder);
        for (file, text) in [("bin/mpicc", "program"), ("lib/libx.so.1.0.0", "library")] {
            fsio::write(&folder.join(file), text).unwrap();
        }
        for (target, at) in [
            ("mpicc", "bin/mpicxx"),
            ("libx.so.1.0.0", "lib/libx.so.1"),
            ("libx.so.1", "lib/libx.so"),
        ] {
            symlink(target, folder.join(at)).unwrap();
        }
        replace_links(&folder, "cc").unwrap();
        let text = |path: &str| fsio::read(&folder.join(path)).unwrap();
        assert!(text("bin/mpicxx").contains("/mpicc\" \"$@\""));
        assert_eq!(text("lib/libx.so"), "INPUT(libx.so.1)\n");
        assert_eq!(text("lib/libx.so.1"), "library");
        assert_eq!(fsio::paths(&folder).unwrap().len(), 4);
    }

    #[test]
    fn another_name_of_a_library_needs_it() {
        let folder = fsio::target_dir().join("wheel-test-names");
        let _ = fs::remove_dir_all(&folder);
        fsio::write(&folder.join("x.c"), "int seven(void) { return 7; }").unwrap();
        let library = Job::new("cc").args(["-shared", "-fPIC", "-Wl,-soname,libx.so.40"]);
        let library = library.args(["-o", "libx.so.40", "x.c"]).folder(&folder);
        library.ok().unwrap();
        symlink("libx.so.40", folder.join("liby.so.40")).unwrap();
        replace_links(&folder, "cc").unwrap();
        let table = Job::new("readelf").args(["-d", "liby.so.40"]);
        let table = table.folder(&folder).ok().unwrap().out;
        let bytes = fsio::read_bytes(&folder.join("liby.so.40")).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("oxmpi_info"), "the launcher does not know it");
        for entry in [
            "Shared library: [libx.so.40]",
            "soname: [liby.so.40]",
            "runpath: [$ORIGIN]",
        ] {
            assert!(table.contains(entry), "no {entry} in {table}");
        }
    }
}
