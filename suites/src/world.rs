//! State that tests share: the installation under test, programs that are made once, and counts.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use xtask::{fsio, install};

/// State that the steps share: the installation under test.
pub struct World {
    /// The prefix of the installation.
    pub prefix: PathBuf,
    /// An installation that exists and is not to be built.
    pub given: bool,
    /// The profile that it is built by.
    profile: &'static str,
    made: Mutex<HashMap<PathBuf, Made>>,
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
    /// Each test that failed as it is known to, with the reason.
    pub known: Vec<String>,
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
        self.known.extend(other.known);
    }

    /// Counts what could not begin, and why.
    pub fn not_run(why: String) -> Tally {
        Tally {
            failed: vec![format!("could not run: {why}")],
            ..Tally::default()
        }
    }
}

/// Prints how one row of a long step went, as soon as it has ended: a run that is cut shows how far
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
            made: Mutex::default(),
        }
    }

    /// The installation as users have it, optimised for release, in `target/prefix`: for what is
    /// counted or timed. One that was given is taken as it is.
    pub fn release(&self) -> Result<World, String> {
        if self.given {
            return Ok(World::new(Some(self.prefix.clone()), self.profile));
        }
        Ok(World::new(Some(install::release()?), "release"))
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
        match self.given {
            true => Ok(()),
            false => self.once(&self.prefix, || install::at(&self.prefix, self.profile)),
        }
    }

    /// Has a file or folder made once in a run: whoever comes first makes it, the others wait.
    pub fn once(
        &self,
        path: &Path,
        make: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        let made = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(made.entry(path.to_path_buf()).or_default())
        };
        let make = || match shared_run() {
            Some(run) => once_among(&run, path, make),
            None => make(),
        };
        made.get_or_init(make).clone()
    }
}

/// The name of a run whose tests have a process each: nextest gives it to all of them.
pub fn shared_run() -> Option<String> {
    std::env::var("NEXTEST_RUN_ID").ok()
}

/// Has something made by the first process of a run that comes. What it answered stays in a file,
/// which is locked meanwhile.
fn once_among(
    run: &str,
    path: &Path,
    make: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let folder = fsio::target_dir().join("test/once");
    fsio::make_folder(&folder)?;
    let stamp = folder.join(path.display().to_string().replace('/', "-"));
    let failed = |error: std::io::Error| format!("{}: {error}", stamp.display());
    let mut options = File::options();
    let options = options.create(true).truncate(false).read(true).write(true);
    let mut file = options.open(&stamp).map_err(failed)?;
    file.lock().map_err(failed)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    match text.split_once('\n') {
        Some((of, "")) if of == run => return Ok(()),
        Some((of, why)) if of == run => return Err(why.to_string()),
        _ => {}
    }
    let answer = make();
    let why = answer.as_ref().err().map_or("", String::as_str);
    fs::write(&stamp, format!("{run}\n{why}")).map_err(failed)?;
    answer
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn processes_of_a_run_make_a_thing_once_and_share_the_answer() {
        let path = PathBuf::from(format!("once-{}", std::process::id()));
        let made = Cell::new(0);
        let make = |answer: Result<(), String>| {
            made.set(made.get() + 1);
            answer
        };
        let wrong = || make(Err("no room\nat all".to_string()));
        assert_eq!(once_among("a", &path, || make(Ok(()))), Ok(()));
        assert_eq!(once_among("a", &path, wrong), Ok(()));
        let first = once_among("b", &path, wrong);
        assert_eq!(once_among("b", &path, || make(Ok(()))), first);
        assert_eq!((first, made.get()), (Err("no room\nat all".to_string()), 2));
        let stamp = fsio::target_dir().join("test/once").join(&path);
        fs::remove_file(stamp).unwrap();
    }
}
