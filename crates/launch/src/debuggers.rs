//! Debuggers: a terminal with gdb for each rank that the user wants to see in one.
//!
//! The ranks are stopped before their first instruction, and gdb attaches to them. A terminal is a
//! window of xterm where there is a display, else one of tmux. They are closed with the job.

use std::process::{Child, Command, Stdio};

use launch_plan::Error;

/// Where the windows are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Terminals {
    /// On the display.
    Xterm,
    /// In the session of tmux that the launcher runs in.
    TmuxHere,
    /// In a session of tmux of their own.
    TmuxApart,
}

/// The name of a window that no other one has, as tmux is to print it.
const NAME: &str = "#{window_id}";

/// The debuggers of a job.
#[derive(Debug)]
pub(crate) struct Debuggers {
    terminals: Terminals,
    opened: u32,
    /// Windows of xterm.
    windows: Vec<Child>,
    /// Names of windows of tmux.
    names: Vec<String>,
}

impl Debuggers {
    /// Finds what the debuggers need, before anything is started.
    ///
    /// # Errors
    /// When there is no gdb, or nothing to show it in.
    pub(crate) fn new() -> Result<Debuggers, Error> {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let terminals = choose(is_set("DISPLAY"), is_set("TMUX"), &is_installed)?;
        Ok(Debuggers {
            terminals,
            opened: 0,
            windows: Vec::new(),
            names: Vec::new(),
        })
    }

    /// Returns the child processes of this one among the debuggers.
    pub(crate) fn children(&self) -> impl Iterator<Item = u32> + '_ {
        self.windows.iter().map(Child::id)
    }

    /// Closes all terminals, which ends the debuggers in them.
    pub(crate) fn close(&mut self) {
        for mut window in self.windows.drain(..) {
            // One that the user has closed is gone already.
            let _ = window.kill();
            let _ = window.wait();
        }
        for name in self.names.drain(..) {
            let mut command = Command::new("tmux");
            command.args(["kill-window", "-t", &name]);
            let _ = command.stdin(Stdio::null()).output();
        }
    }

    /// Opens a terminal with gdb at a process. Returns a line for the user.
    pub(crate) fn open(&mut self, rank: u32, pid: u32) -> String {
        let words = command(self.terminals, (rank, pid), std::process::id(), self.opened);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        self.opened += 1;
        match self.terminals {
            Terminals::Xterm => match silenced(command).spawn() {
                Ok(window) => {
                    self.windows.push(window);
                    format!("rank {rank}: gdb is at process {pid} in a window of its own")
                }
                Err(error) => format!("rank {rank}: xterm: {error}; try `gdb -p {pid}`"),
            },
            Terminals::TmuxHere | Terminals::TmuxApart => match command.output() {
                Ok(output) if output.status.success() => {
                    let name = String::from_utf8_lossy(&output.stdout);
                    self.names.extend(name.lines().next().map(String::from));
                    let session = session(std::process::id());
                    let way = match self.terminals {
                        Terminals::TmuxHere => "in a window of this tmux".to_string(),
                        _ => format!("in `tmux attach -t {session}`"),
                    };
                    format!("rank {rank}: gdb is at process {pid}, {way}")
                }
                Ok(output) => {
                    let why = String::from_utf8_lossy(&output.stderr).trim().to_string();
                    format!("rank {rank}: tmux: {why}; try `gdb -p {pid}`")
                }
                Err(error) => format!("rank {rank}: tmux: {error}; try `gdb -p {pid}`"),
            },
        }
    }
}

fn silenced(mut command: Command) -> Command {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Chooses where the windows are.
fn choose(
    display: bool,
    in_tmux: bool,
    is_installed: &dyn Fn(&str) -> bool,
) -> Result<Terminals, Error> {
    let lacking = |what: &str| {
        Err(Error::Debugger(format!(
            "--gdb: {what}; install it, or use --stop-on-exec and attach a debugger yourself"
        )))
    };
    match () {
        () if !is_installed("gdb") => lacking("there is no gdb on PATH"),
        () if display && is_installed("xterm") => Ok(Terminals::Xterm),
        () if !is_installed("tmux") => match display {
            true => lacking("there is neither xterm nor tmux on PATH"),
            false => lacking("there is no display for xterm, and no tmux on PATH"),
        },
        () if in_tmux => Ok(Terminals::TmuxHere),
        () => Ok(Terminals::TmuxApart),
    }
}

/// Returns the command that opens a terminal.
fn command(
    terminals: Terminals,
    (rank, pid): (u32, u32),
    launcher: u32,
    opened: u32,
) -> Vec<String> {
    let title = format!("rank {rank}");
    let session = session(launcher);
    // The stop that the rank is in is no news to the user.
    let gdb = format!("gdb -q -p {pid} -ex 'handle SIGSTOP nostop noprint nopass'");
    let words: Vec<&str> = match (terminals, opened) {
        (Terminals::Xterm, _) => vec!["xterm", "-T", &title, "-e", &gdb],
        (Terminals::TmuxApart, 0) => {
            vec![
                "tmux",
                "new-session",
                "-d",
                "-P",
                "-F",
                NAME,
                "-s",
                &session,
                "-n",
                &title,
                &gdb,
            ]
        }
        (Terminals::TmuxApart, _) => {
            let target = format!("{session}:");
            let words = [
                "tmux",
                "new-window",
                "-d",
                "-P",
                "-F",
                NAME,
                "-t",
                &target,
                "-n",
                &title,
                &gdb,
            ];
            return words.map(String::from).to_vec();
        }
        (Terminals::TmuxHere, _) => {
            vec![
                "tmux",
                "new-window",
                "-d",
                "-P",
                "-F",
                NAME,
                "-n",
                &title,
                &gdb,
            ]
        }
    };
    words.into_iter().map(String::from).collect()
}

fn session(launcher: u32) -> String {
    format!("oxmpi-{launcher}")
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    folders
        .any(|folder| rustix::fs::access(folder.join(program), rustix::fs::Access::EXEC_OK).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_what_there_is() {
        let has = |there: &'static [&str]| move |name: &str| there.contains(&name);
        let all = has(&["gdb", "xterm", "tmux"]);
        assert_eq!(choose(true, false, &all).unwrap(), Terminals::Xterm);
        assert_eq!(choose(false, false, &all).unwrap(), Terminals::TmuxApart);
        assert_eq!(choose(false, true, &all).unwrap(), Terminals::TmuxHere);
        let bare = has(&["gdb", "tmux"]);
        assert_eq!(choose(true, false, &bare).unwrap(), Terminals::TmuxApart);
        for (there, lacks) in [
            (has(&["xterm", "tmux"]), "no gdb"),
            (has(&["gdb"]), "no tmux"),
        ] {
            let text = choose(false, false, &there).unwrap_err().to_string();
            assert!(
                text.contains(lacks) && text.contains("--stop-on-exec"),
                "{text}"
            );
        }
        let text = choose(true, false, &has(&["gdb"])).unwrap_err().to_string();
        assert!(text.contains("neither xterm nor tmux"), "{text}");
    }

    #[test]
    fn the_first_window_of_tmux_makes_the_session() {
        let first = command(Terminals::TmuxApart, (3, 77), 5, 0).join(" ");
        let start = "tmux new-session -d -P -F #{window_id} -s oxmpi-5 -n rank 3 gdb -q -p 77";
        assert!(first.starts_with(start), "{first}");
        let next = command(Terminals::TmuxApart, (4, 78), 5, 1).join(" ");
        let start = "tmux new-window -d -P -F #{window_id} -t oxmpi-5:";
        assert!(next.starts_with(start), "{next}");
    }
}
