//! Prints what a long build does, where nothing else would change on the screen.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time between two lines.
const EVERY: Duration = Duration::from_secs(15);

/// Waits for a process, and prints meanwhile what its children do.
pub fn wait(child: &mut Child) -> std::io::Result<ExitStatus> {
    let mut reporter = Reporter::new(child.id());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        reporter.report();
        sleep(Duration::from_millis(20));
    }
}

/// Prints from time to time what the children of one process do.
pub struct Reporter {
    parent: u32,
    begun: Instant,
    next: Duration,
}

impl Reporter {
    /// Returns a reporter for the children of the process `parent`.
    pub fn new(parent: u32) -> Reporter {
        Reporter {
            parent,
            begun: Instant::now(),
            next: EVERY,
        }
    }

    /// Prints a line once the last one is older than [`EVERY`].
    pub fn report(&mut self) {
        let passed = self.begun.elapsed();
        if passed < self.next {
            return;
        }
        self.next = passed + EVERY;
        let names = names(self.parent);
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().collect();
            println!("      {} s: {}", passed.as_secs(), names.join(", "));
        }
    }
}

/// Returns the names of what the children of a process do.
fn names(parent: u32) -> BTreeSet<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let children = entries.filter(|entry| parent_of(&entry.path()) == Some(parent));
    let lines = children.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter_map(|line| described(&line)).collect()
}

/// Returns the parent of the process with this folder in `/proc`.
fn parent_of(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    // The name, in parentheses, may hold anything; the state and the parent follow it.
    stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
}

/// Returns what a process is at, by its arguments, each with a zero byte behind it: the crate that
/// a compiler works on, or else the name of the program.
fn described(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split('\0');
    let program = Path::new(words.next()?).file_name()?.to_string_lossy();
    let name = words.skip_while(|word| *word != "--crate-name").nth(1);
    match name {
        Some(name) => Some(format!("{program} {name}")),
        None => Some(program.into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_named_by_their_crate() {
        let line = b"/a/bin/rustc\0--crate-name\0mpi_abi\0--edition=2021\0";
        assert_eq!(described(line).unwrap(), "rustc mpi_abi");
        let line = b"/t/debug/deps/oxmpi_engine-0123\0--skip\0verbs\0";
        assert_eq!(described(line).unwrap(), "oxmpi_engine-0123");
        assert_eq!(described(b""), None);
    }

    #[test]
    fn children_are_found() {
        let mut child = std::process::Command::new("sleep")
            .arg("20")
            .spawn()
            .unwrap();
        // The child has its name once it has become the program.
        let begun = Instant::now();
        let mut found = false;
        while !found && begun.elapsed() < Duration::from_secs(10) {
            found = names(std::process::id()).contains("sleep");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found);
    }
}
