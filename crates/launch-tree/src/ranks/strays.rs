//! Strays: processes of a rank that have left its process group, as under setsid(1).
//!
//! A signal to the group does not reach them. While their ancestors live the tree of processes
//! shows whose they are. When those have ended, strays become children of the launcher, a
//! *subreaper* (prctl(2)), and their environment shows it: the variable that a rank finds the
//! launcher by has a value of its own in each rank. One without it is known where it was seen
//! before.
//!
//! Strays of a job that ends well go on, as daemons that a script has started on purpose; where it
//! is ended, so are they.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use bootstrap::native::FD_VARIABLE;
use rustix::process::{self, pidfd_open, pidfd_send_signal, waitid, Pid, PidfdFlags, Signal};
use rustix::process::{WaitId, WaitIdOptions};

/// Walks through the tree until nothing is left: a process may start others while it is ended.
const WALKS: u32 = 500;
/// The pause between two of them.
const PAUSE: Duration = Duration::from_millis(2);

/// The children of this process, where the system lists them.
const CHILDREN: &str = "/proc/thread-self/children";

/// A rank, as far as it says which processes are its strays.
pub(crate) struct StrayOwner {
    /// Its process, and the group that it leads.
    pub(crate) pid: u32,
    /// The variable that it finds the launcher by, with its value.
    pub(crate) tag: String,
}

/// The strays that were seen, by process id, with the time at which each was started.
#[derive(Default)]
pub(crate) struct Strays {
    seen: BTreeMap<u32, u64>,
}

/// A process of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seen {
    pid: u32,
    parent: u32,
    group: u32,
    started: u64,
    /// Whether it has ended and is not reaped.
    ended: bool,
}

/// Makes this process the parent of those whose own parents end, of all that it has started.
pub(crate) fn adopt() {
    // Without a list of its children a process could not reap those.
    if fs::metadata(CHILDREN).is_ok() {
        // A system that refuses leaves strays that have lost their parents alone.
        let _ = process::set_child_subreaper(Some(process::getpid()));
    }
}

/// Reaps adopted processes that have ended: all children but `own`.
pub(crate) fn reap(own: &BTreeSet<u32>) {
    let children = fs::read_to_string(CHILDREN).unwrap_or_default();
    let children = children
        .split_whitespace()
        .filter_map(|pid| pid.parse().ok());
    for pid in children.filter(|pid| !own.contains(pid)) {
        reap_one(pid);
    }
}

fn reap_one(pid: u32) {
    if let Some(pid) = Pid::from_raw(pid as i32) {
        // One that is no child, or goes on, is left alone.
        let _ = waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
        );
    }
}

/// Reaps a stray that has ended. Returns whether it is gone.
fn is_reaped(pid: u32, started: u64) -> bool {
    match stat(pid).filter(|now| now.started == started) {
        Some(now) if now.ended => reap_one(pid),
        Some(_) => return false,
        None => {}
    }
    true
}

impl Strays {
    /// Sends a signal to the strays of ranks.
    pub(crate) fn signal(&mut self, ranks: &[StrayOwner], signal: Signal) {
        for stray in self.walk(ranks, signal == Signal::KILL) {
            send(&stray, signal);
        }
    }

    /// Kills the strays of ranks, until none is left.
    pub(crate) fn end(&mut self, ranks: &[StrayOwner]) {
        for _ in 0..WALKS {
            let strays = self.walk(ranks, true);
            strays.iter().for_each(|stray| send(stray, Signal::KILL));
            self.seen.retain(|pid, started| !is_reaped(*pid, *started));
            if strays.is_empty() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Finds the strays of ranks that have not ended. Those of a launcher among them, which ends
    /// its own, only where `all` is set.
    fn walk(&mut self, ranks: &[StrayOwner], all: bool) -> Vec<Seen> {
        let processes = processes();
        let launcher = process::getpid().as_raw_nonzero().get() as u32;
        let is_tagged = |pid: u32| match tag_of(pid) {
            Some(tag) if ranks.iter().any(|rank| rank.tag == tag) => Tag::Of,
            Some(_) => Tag::OfOther,
            None => Tag::Without,
        };
        let strays = find(&processes, ranks, launcher, &self.seen, &is_tagged);
        self.seen
            .extend(strays.iter().map(|stray| (stray.pid, stray.started)));
        let mut strays = strays;
        strays.retain(|stray| all || is_tagged(stray.pid) != Tag::OfOther);
        strays
    }
}

/// The rank that a process is of, as its environment says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// It is one of these ranks'.
    Of,
    /// It is of another rank, or another launcher's.
    OfOther,
    Without,
}

/// Returns the strays of ranks among these processes: descendants of a rank outside of its group,
/// and children that the launcher has adopted, with their descendants.
fn find(
    processes: &[Seen],
    ranks: &[StrayOwner],
    launcher: u32,
    seen: &BTreeMap<u32, u64>,
    tag: &dyn Fn(u32) -> Tag,
) -> Vec<Seen> {
    let groups: BTreeSet<u32> = ranks.iter().map(|rank| rank.pid).collect();
    let is_adopted = |one: &Seen| {
        let is_known = || seen.get(&one.pid) == Some(&one.started);
        one.parent == launcher && (is_known() || tag(one.pid) == Tag::Of)
    };
    let mut below: BTreeMap<u32, Vec<&Seen>> = BTreeMap::new();
    for one in processes {
        below.entry(one.parent).or_default().push(one);
    }
    let (mut next, mut found): (Vec<u32>, _) = (groups.iter().copied().collect(), Vec::new());
    let roots = processes
        .iter()
        .filter(|one| !groups.contains(&one.pid) && is_adopted(one));
    for root in roots {
        next.push(root.pid);
        found.push(*root);
    }
    while let Some(parent) = next.pop() {
        for one in below.remove(&parent).into_iter().flatten() {
            next.push(one.pid);
            found.push(*one);
        }
    }
    found.retain(|one| !one.ended && !groups.contains(&one.group));
    found
}

/// Sends a signal to a process, unless its number is another's by now.
fn send(stray: &Seen, signal: Signal) {
    let Some(pid) = Pid::from_raw(stray.pid as i32) else {
        return;
    };
    let held = pidfd_open(pid, PidfdFlags::empty());
    let is_it = stat(stray.pid).is_some_and(|now| now.started == stray.started);
    // Fails where it has ended.
    let _ = match (is_it, held) {
        (true, Ok(held)) => pidfd_send_signal(held, signal),
        // Systems before Linux 5.3.
        (true, Err(rustix::io::Errno::NOSYS)) => process::kill_process(pid, signal),
        _ => Ok(()),
    };
}

fn processes() -> Vec<Seen> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(stat).collect()
}

fn stat(pid: u32) -> Option<Seen> {
    parse(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads the line of /proc/PID/stat; the name in it may have any characters.
fn parse(pid: u32, line: &str) -> Option<Seen> {
    let words: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    Some(Seen {
        pid,
        parent: words.get(1)?.parse().ok()?,
        group: words.get(2)?.parse().ok()?,
        started: words.get(19)?.parse().ok()?,
        ended: matches!(words.first(), Some(&"Z" | &"X")),
    })
}

/// Returns the variable of a process's environment that says which rank it is of.
fn tag_of(pid: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = environment.split(|byte| *byte == 0);
    let name = FD_VARIABLE.as_bytes();
    let is_tag = |variable: &&[u8]| {
        let value = variable.strip_prefix(name);
        value.is_some_and(|value| value.starts_with(b"="))
    };
    let variable = variables.find(is_tag)?;
    Some(String::from_utf8_lossy(variable).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, parent: u32, group: u32) -> Seen {
        Seen {
            pid,
            parent,
            group,
            started: 7,
            ended: false,
        }
    }

    fn ranks(pids: &[u32]) -> Vec<StrayOwner> {
        let rank = |pid: &u32| StrayOwner {
            pid: *pid,
            tag: format!("{FD_VARIABLE}={pid}"),
        };
        pids.iter().map(rank).collect()
    }

    #[test]
    fn strays_are_below_a_rank_or_adopted() {
        const LAUNCHER: u32 = 10;
        let processes = [
            process(10, 1, 10),
            // Two ranks, and processes in the group of the first one.
            process(20, 10, 20),
            process(21, 10, 21),
            process(22, 20, 20),
            // Below it, in groups of their own.
            process(30, 22, 30),
            process(31, 30, 31),
            // Adopted: one with the tag, one that was seen, another's, one whose number is new.
            process(40, 10, 40),
            process(41, 40, 41),
            process(42, 10, 42),
            process(43, 10, 43),
            process(44, 10, 44),
            Seen {
                ended: true,
                ..process(45, 40, 45)
            },
            // Strangers.
            process(50, 1, 50),
        ];
        let seen = BTreeMap::from([(42, 7), (44, 6)]);
        let tag = |pid| match pid {
            40 => Tag::Of,
            43 => Tag::OfOther,
            _ => Tag::Without,
        };
        let found = find(&processes, &ranks(&[20, 21]), LAUNCHER, &seen, &tag);
        let mut pids: Vec<u32> = found.iter().map(|one| one.pid).collect();
        pids.sort_unstable();
        assert_eq!(pids, [30, 31, 40, 41, 42]);
    }

    #[test]
    fn a_name_may_look_like_the_rest_of_the_line() {
        let rest = "S 4 5 6 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99 0";
        let seen = parse(3, &format!("3 (a) Z 1 (b)) {rest}\n")).unwrap();
        let expected = Seen {
            started: 99,
            ..process(3, 4, 5)
        };
        assert_eq!(seen, expected);
        assert!(parse(3, "3 (a").is_none() && parse(3, "3 (a) S 4 5").is_none());
        assert!(processes().iter().any(|one| one.pid == std::process::id()));
    }
}
