//! Facts about processes of this host, from /proc/PID/stat.

/// Returns what the system says that a process of this host does.
pub fn activity(pid: u32) -> &'static str {
    let state = stat(pid).and_then(|stat| stat.first().and_then(|word| word.chars().next()));
    match state {
        Some('R') => "it computes",
        Some('S' | 'D') => "it sleeps",
        Some('T' | 't') => "it is stopped",
        _ => "",
    }
}

/// Returns the words of /proc/PID/stat from the state on.
fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    let at = stat.iter().rposition(|&byte| byte == b')')?;
    let rest = String::from_utf8_lossy(&stat[at + 1..]).into_owned();
    Some(rest.split_whitespace().map(String::from).collect())
}

/// Returns the parent of a process.
pub fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// Returns the process group of a process.
pub fn group_of(pid: u32) -> Option<u32> {
    stat(pid)?.get(2)?.parse().ok()
}
