//! The launcher's report that a process of the job has died, which the job goes on without.

use std::time::{Duration, Instant};

use crate::process::Process;

/// Pause between two checks for the report.
const CHECK_PAUSE: Duration = Duration::from_millis(5);

impl Process {
    /// Waits for the launcher's report that a peer has died, at most `patience`. Returns whether
    /// it came: the launcher lets this process go on then, and otherwise ends it.
    #[expect(
        clippy::disallowed_methods,
        reason = "gives the launcher time to report the peer that died, before this process aborts"
    )]
    pub fn outlives_peers(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while !self.recovery.deaths.has_reported() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(CHECK_PAUSE);
            if self.recovery.deaths.are_reported() {
                self.receive_reports(self.engine.sleeps());
            }
        }
        true
    }
}
