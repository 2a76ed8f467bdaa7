//! Other programs on the machine while a test or a benchmark runs.

use std::process::{Child, Command};

/// Computes for ever.
const LOOP: &str = "while :; do :; done";
/// Computes for a moment, about 100 times a second.
const WAKER: &str =
    "while :; do i=0; while [ $i -lt 500 ]; do i=$((i + 1)); done; sleep 0.01; done";

/// The programs beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// This many that compute.
    Loops(usize),
    /// One that computes, at a lower priority.
    Nice,
    /// One that sleeps and wakes 100 times a second.
    Waker,
}

/// Programs that run until this is dropped, each in a session of its own, as those of another user.
pub struct Neighbours(Vec<Child>);

impl Neighbours {
    /// Starts programs.
    ///
    /// # Errors
    /// When one cannot be started.
    pub fn start(beside: Beside) -> Result<Neighbours, String> {
        let (count, niceness, script) = match beside {
            Beside::Loops(count) => (count, "0", LOOP),
            Beside::Nice => (1, "10", LOOP),
            Beside::Waker => (1, "0", WAKER),
        };
        let mut started = Neighbours(Vec::new());
        for _ in 0..count {
            let child = Command::new("setsid")
                .args(["nice", "-n", niceness, "sh", "-c", script])
                .spawn();
            let child = child.map_err(|error| format!("cannot start a busy loop: {error}"))?;
            started.0.push(child);
        }
        Ok(started)
    }
}

impl Drop for Neighbours {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It may have been killed already.
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}
