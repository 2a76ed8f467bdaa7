//! The kind of machine that an installation is built for: this one's, or another.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{fsio, shell};

/// The kinds.
const KINDS: &[Target] = &[
    Target {
        name: "x86_64-unknown-linux-gnu",
        gnu: "x86_64-linux-gnu",
        processor: "x86_64",
        debian: "amd64",
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
        gnu: "aarch64-linux-gnu",
        processor: "aarch64",
        debian: "arm64",
    },
    Target {
        name: "powerpc64le-unknown-linux-gnu",
        gnu: "powerpc64le-linux-gnu",
        processor: "ppc64le",
        debian: "ppc64el",
    },
    Target {
        name: "riscv64gc-unknown-linux-gnu",
        gnu: "riscv64-linux-gnu",
        processor: "riscv64",
        debian: "riscv64",
    },
    Target {
        name: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        processor: "s390x",
        debian: "s390x",
    },
];

/// A kind of machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The name that Rust has for it.
    name: &'static str,
    /// That of GNU's tools, and of Debian's folders of libraries.
    gnu: &'static str,
    /// That of the processor, as archives and wheels have it.
    processor: &'static str,
    /// That of Debian's packages.
    debian: &'static str,
}

/// The option of commands that build.
#[derive(clap::Args, Clone, Copy)]
pub struct Choice {
    /// Build for machines of this kind, with the compiler `<kind>-gcc` as linker
    #[arg(long, value_name = "TRIPLE", value_parser = Target::parse)]
    target: Option<Target>,
}

impl Choice {
    /// Returns the kind; this machine's, where none is given.
    pub fn target(self) -> Target {
        self.target.unwrap_or_else(Target::native)
    }
}

impl Target {
    /// Returns the kind of this machine.
    pub fn native() -> Target {
        let start = format!("{}-", std::env::consts::ARCH);
        let kind = KINDS.iter().find(|kind| kind.name.starts_with(&start));
        *kind.unwrap_or(&KINDS[0])
    }

    /// Returns the kind that a user has named.
    fn parse(name: &str) -> Result<Target, String> {
        let kind = KINDS.iter().find(|kind| kind.name == name);
        kind.copied().ok_or_else(|| {
            let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            format!("is not one of {}", known.join(", "))
        })
    }

    /// Whether this machine is of the kind.
    pub fn is_native(self) -> bool {
        self == Target::native()
    }

    /// Returns the processor, as the names of archives have it.
    pub fn processor(self) -> &'static str {
        self.processor
    }

    /// Returns the name that Rust has for the kind.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns the name that Debian's packages have for the kind.
    pub fn debian(self) -> &'static str {
        self.debian
    }

    /// Returns the name of the folder that Debian has libraries of the kind in.
    pub fn libraries(self) -> &'static str {
        self.gnu
    }

    /// Returns the name of one of GNU's tools for the kind, such as `strip`.
    pub fn tool(self, name: &str) -> String {
        match self.is_native() {
            true => name.to_string(),
            false => format!("{}-{name}", self.gnu),
        }
    }

    /// Returns the folder that Cargo builds in. Other kinds have one of their own, since another
    /// compiler may build for them, and what it builds for this machine is not that of the usual.
    fn folder(self) -> PathBuf {
        match self.is_native() {
            true => fsio::target_dir(),
            false => fsio::target_dir().join(self.name),
        }
    }

    /// Returns the folder in which Cargo puts what it builds for a profile.
    pub fn built(self, profile: &str) -> PathBuf {
        let profile = if profile == "dev" { "debug" } else { profile };
        match self.is_native() {
            true => self.folder().join(profile),
            false => self.folder().join(self.name).join(profile),
        }
    }

    /// Returns the prefix of an installation where none is given.
    pub fn prefix(self) -> PathBuf {
        self.folder().join("prefix")
    }

    /// Has Cargo build for the kind.
    ///
    /// # Errors
    /// Where the compiler has no standard library for it, or there is no linker.
    pub fn choose(self, cargo: &mut Command) -> Result<(), String> {
        if self.is_native() {
            return Ok(());
        }
        self.has_library()?;
        cargo.args(["--target", self.name]);
        cargo.env("CARGO_TARGET_DIR", self.folder());
        let variable = self.variable("LINKER");
        if std::env::var_os(&variable).is_none() {
            let linker = self.tool("gcc");
            if shell::find(&linker).is_none() {
                return Err(format!(
                    "needs `{linker}` in the PATH, or a linker in {variable}"
                ));
            }
            cargo.env(variable, linker);
        }
        Ok(())
    }

    /// Whether Cargo's compiler has a standard library for the kind.
    ///
    /// # Errors
    /// Where it has none: what to do then.
    pub fn has_library(self) -> Result<(), String> {
        match has_library(self.name) {
            true => Ok(()),
            false => Err(format!(
                "the Rust compiler has no standard library for {0}: run `rustup target add {0}`, \
                 or set RUSTC to a compiler that has one",
                self.name
            )),
        }
    }

    /// Returns the words of a command that runs a program of the kind: the emulator that a user has
    /// named as for Cargo, or else qemu's, goes first. `None` where this machine has neither.
    pub fn command(self, program: &Path) -> Option<Vec<OsString>> {
        let mut words: Vec<OsString> = Vec::new();
        if !self.is_native() {
            let qemu = || {
                let names = ["-static", ""].map(|end| format!("qemu-{}{end}", self.processor));
                let name = names.into_iter().find(|name| shell::find(name).is_some())?;
                Some(format!("{name} -L /usr/{}", self.gnu))
            };
            let runner = std::env::var(self.variable("RUNNER")).ok().or_else(qemu)?;
            words.extend(runner.split_whitespace().map(OsString::from));
        }
        words.push(program.into());
        Some(words)
    }

    /// Returns the name of a variable of Cargo's for the kind.
    fn variable(self, of: &str) -> String {
        let name = self.name.to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{name}_{of}")
    }
}

/// Whether the compiler that Cargo uses has a standard library for a kind of machine.
fn has_library(name: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let said = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", name])
        .output();
    let folder = |said: std::process::Output| String::from_utf8(said.stdout).ok();
    let folder = said.ok().and_then(folder);
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_names_tools_and_folders() {
        let arm = Target::parse("aarch64-unknown-linux-gnu").unwrap();
        let other = match arm.is_native() {
            true => Target::parse("x86_64-unknown-linux-gnu").unwrap(),
            false => arm,
        };
        assert_eq!(other.tool("strip"), format!("{}-strip", other.gnu));
        assert!(other
            .built("dev")
            .ends_with(format!("{}/debug", other.name)));
        assert_ne!(other.prefix(), Target::native().prefix());
        assert_eq!(
            arm.variable("LINKER"),
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"
        );
        let native = Target::native();
        assert_eq!(native.tool("strip"), "strip");
        assert!(native.built("dev").ends_with("debug"));
        let wrong = Target::parse("armv7").unwrap_err();
        assert!(wrong.contains("aarch64-unknown-linux-gnu"), "{wrong}");
    }

    #[test]
    fn a_kind_without_a_library_is_refused() {
        assert!(!has_library("no-such-machine"));
        assert!(has_library(Target::native().name));
    }
}
