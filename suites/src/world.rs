//! State that tests share: the installation under test, programs that are made once, and counts.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Instant;

use xtask::{fsio, install};

/// State that the steps share: the installation under test.
pub struct World {
    /// The prefix of the installation.
    pub prefix: PathBuf,
    /// Whether it was there before and is not to be built.
    pub given: bool,
    /// The profile that it is built by.
    profile: &'static str,
    installed: OnceLock<Result<(), String>>,
    made: Mutex<HashMap<PathBuf, Made>>,
    /// Held for writing by a program that measures time, and for reading by those of steps that
    /// run beside each other.
    pub quiet: RwLock<()>,
}

/// How the making of a file went, once somebody has begun it.
type Made = Arc<OnceLock<Result<(), String>>>;

/// How a step went.
#[derive(Default)]
pub struct Tally {
    /// The number of tests that passed.
    pub passed: usize,
    /// Each test that failed, with the reason.
    pub failed: Vec<String>,
}

impl Tally {
    /// Counts one test by its result.
    pub fn count(&mut self, name: &str, answer: Result<(), String>) {
        match answer {
            Ok(()) => self.passed += 1,
            Err(why) => self.failed.push(format!("{name}: {why}")),
        }
    }

    /// Counts what another one has counted.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
    }
}

/// Prints how one row of a long step went, as soon as it has ended: a run that is cut tells how far
/// it came. Returns the result.
pub fn row<T>(name: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let begun = Instant::now();
    let answer = work();
    let how = answer.as_ref().err().map_or("passed", String::as_str);
    println!(
        "      {name}: {how} ({:.1} s)",
        begun.elapsed().as_secs_f64()
    );
    answer
}

impl World {
    /// The installation at `prefix`, or else one that is built from this checkout by a profile.
    pub fn new(prefix: Option<PathBuf>, profile: &'static str) -> World {
        let built = || install::of_tests(profile);
        World {
            given: prefix.is_some(),
            prefix: prefix.unwrap_or_else(built),
            profile,
            installed: OnceLock::new(),
            made: Mutex::default(),
            quiet: RwLock::default(),
        }
    }

    /// The installation as users have it, optimised for release, in `target/prefix`: for what is
    /// counted or timed. One that was given is taken as it is.
    pub fn release(&self) -> Result<World, String> {
        if self.given {
            return Ok(World::new(Some(self.prefix.clone()), self.profile));
        }
        install::run(&[])?;
        Ok(World::new(
            Some(fsio::target_dir().join("prefix")),
            "release",
        ))
    }

    /// The folder of what Cargo built for it. One that was given is taken for a build of the tests.
    pub fn built(&self) -> PathBuf {
        install::built(if self.given {
            install::PROFILE
        } else {
            self.profile
        })
    }

    /// The path of a program of the installation.
    pub fn bin(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// Builds and lays out the installation, unless that is done or one was given.
    pub fn install(&self) -> Result<(), String> {
        let make = || match self.given {
            true => Ok(()),
            false => install::at(&self.prefix, self.profile),
        };
        self.installed.get_or_init(make).clone()
    }

    /// How the making of the file went: whoever comes first makes it, the others wait.
    pub fn made(&self, file: &Path) -> Made {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(made.entry(file.to_path_buf()).or_default())
    }
}
