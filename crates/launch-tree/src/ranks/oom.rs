//! Whether the kernel kills for lack of memory. It shows that by counters alone: that of
//! the control group, and that of the machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ranks::capacity;
use launch_job::How;

/// The counter of the machine: it counts what happens in all control groups.
const MACHINE: &str = "/proc/vmstat";

/// Counters of processes that were killed for lack of memory, as they were last seen.
pub(crate) struct Kills {
    /// That of the control group first, where it has one.
    counters: Vec<(PathBuf, u64)>,
}

impl Kills {
    /// Notes the counters as they are.
    pub(crate) fn begin() -> Kills {
        let own = capacity::folders("memory").into_iter().next();
        // Of version 2, and of version 1.
        let files =
            ["memory.events", "memory.oom_control"].map(|name| Some(own.as_ref()?.join(name)));
        let files = files.into_iter().flatten().chain([PathBuf::from(MACHINE)]);
        let counter = |file: PathBuf| Some((read(&file)?, file));
        let counters = files.filter_map(counter).map(|(count, file)| (file, count));
        Kills {
            counters: counters.collect(),
        }
    }

    /// Returns a clause for the user about a process that has ended, where a counter has risen
    /// since the last time.
    pub(crate) fn explain(&mut self, how: How) -> Option<String> {
        if !matches!(how, How::Signal(9) | How::Code(137)) {
            return None;
        }
        let mut risen = None;
        for (file, before) in &mut self.counters {
            let now = read(file).unwrap_or(*before);
            let by = now.saturating_sub(std::mem::replace(before, now));
            risen = risen.or((by > 0).then(|| (file.clone(), by)));
        }
        let (file, by) = risen?;
        Some(format!(
            "the kernel kills for lack of memory: oom_kill in {} has risen by {by}",
            file.display()
        ))
    }
}

fn read(file: &Path) -> Option<u64> {
    count(&fs::read_to_string(file).ok()?)
}

fn count(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("oom_kill "))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_rises_explains_a_kill_once() {
        let text = |kills: u32| format!("oom_kill_disable 0\nunder_oom 0\noom_kill {kills}\n");
        let file = std::env::temp_dir().join(format!("oxmpi-oom-{}", std::process::id()));
        fs::write(&file, text(3)).unwrap();
        let counters = vec![(file.clone(), 3)];
        let mut kills = Kills { counters };
        assert_eq!(kills.explain(How::Signal(9)), None);
        fs::write(&file, text(5)).unwrap();
        assert_eq!(kills.explain(How::Signal(11)), None);
        assert_eq!(kills.explain(How::Code(1)), None);
        let said = kills.explain(How::Code(137)).unwrap();
        assert!(said.ends_with("has risen by 2"), "{said}");
        assert_eq!(kills.explain(How::Signal(9)), None);
        fs::remove_file(&file).unwrap();
    }
}
