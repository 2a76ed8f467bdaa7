//! [`Request`]: a job as the command line describes it, before anything is looked up.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use bootstrap::RankSet;

use crate::allocation::BatchSystem;
use crate::hosts::Entry;
use crate::policy::Policy;

/// The variable of a program's environment that names the ranks to stop at their start.
pub const STOP_VARIABLE: &str = "OXMPI_STOP_ON_EXEC";

/// A job as the command line requests it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Request {
    /// The programs; at least one.
    pub apps: Vec<AppRequest>,
    /// Variables for all programs.
    pub env: Vec<(OsString, OsString)>,
    /// Which of the launcher's variables programs inherit.
    pub inherit: Inherit,
    /// Parameters of `--mca`, and those that other options stand for.
    pub parameters: Vec<(String, String)>,
    /// Lists of files of `--tune`.
    pub tune: Vec<String>,
    /// Files of hosts.
    pub host_files: Vec<String>,
    /// Hosts for a part that the job may not have yet; the part has no others then.
    pub added: Vec<Entry>,
    /// The file of hosts for when nothing else names any.
    pub default_host_file: Option<String>,
    /// How ranks are put on hosts, numbered and bound.
    pub policy: Policy,
    /// Where what ranks print goes.
    pub output: Output,
    /// The size of the universe that programs read (`MPI_UNIVERSE_SIZE`); `None` for the number
    /// of slots, the largest number for no limit.
    pub universe: Option<u32>,
    /// When the job is ended at the latest.
    pub timeout: Option<Duration>,
    /// How often to look for a deadlock.
    pub report_deadlock: Option<Duration>,
    /// The trace of the job.
    pub tracing: Tracing,
    /// The tools that watch calls, as they were written.
    pub tools: Vec<String>,
    /// The ranks that are shown in gdb.
    pub gdb: Option<RankSet>,
    /// The rank that gets the standard input; `None` when none does.
    pub stdin: Option<u32>,
    /// The other ranks go on when one fails.
    pub keep_going: bool,
    /// Where the installation lies on other hosts.
    pub prefix: Option<String>,
    /// The launcher's own file on other hosts.
    pub launch_agent: Option<String>,
    /// The batch systems whose allocation counts.
    pub allocations: Allocations,
    /// The job may not leave this machine.
    pub only_here: bool,
    /// Information to print before the start.
    pub show: Show,
    /// Notes for the user about options that have no effect here.
    pub notes: Vec<String>,
    /// Say more.
    pub verbose: bool,
    /// Say what was chosen, and why.
    pub explains: bool,
    /// Say less.
    pub quiet: bool,
}

/// The batch systems whose allocation of hosts counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Allocations {
    /// All; of several, the first.
    #[default]
    OfAll,
    /// This one's only.
    Of(BatchSystem),
    /// None's.
    OfNone,
}

/// One program of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AppRequest {
    /// The program as it was written.
    pub program: OsString,
    /// The program's arguments.
    pub arguments: Vec<OsString>,
    /// How many ranks run it; `None` if not given.
    pub count: Option<u32>,
    /// Variables for it, in the order of the command line.
    pub env: Vec<(OsString, Change)>,
    /// Which of the launcher's variables it inherits; `None` for what holds for all programs.
    pub inherit: Option<Inherit>,
    /// The program's working directory.
    pub directory: Option<OsString>,
    /// Where it is looked for first.
    pub path: Option<OsString>,
    /// The folder in `lib/` of the libraries for its binary interface, where that is not
    /// the standard's.
    pub interface: Option<&'static str>,
    /// Hosts for it.
    pub hosts: Vec<Entry>,
}

impl AppRequest {
    /// Returns this program with the environment that the program `parent` was given, changed by
    /// what this one says itself: a process spawns programs of its own kind.
    pub fn inheriting(mut self, parent: &AppRequest) -> AppRequest {
        self.env.splice(0..0, parent.env.iter().cloned());
        self.inherit = self.inherit.or_else(|| parent.inherit.clone());
        self.interface = self.interface.or(parent.interface);
        let paths = self.path.iter().chain(&parent.path);
        let paths: Vec<&OsStr> = paths.map(OsString::as_os_str).collect();
        self.path = Some(paths.join(OsStr::new(":"))).filter(|path| !path.is_empty());
        self
    }
}

/// A change of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The variable gets this value.
    Set(OsString),
    /// The variable is passed on.
    Pass,
    /// The variable is not passed on.
    Unset,
}

/// Which variables programs inherit from the launcher.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Inherit {
    /// All, but for what an outer launcher has left.
    #[default]
    All,
    /// Only these, and what a program cannot do without.
    Only(Vec<OsString>),
}

/// How each line of output is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tags {
    /// With `[1,RANK]<STREAM>:`.
    pub stream: bool,
    /// With `[RANK] `.
    pub rank: bool,
    /// With the time.
    pub time: bool,
}

impl Tags {
    /// Whether lines are opened with anything.
    pub fn is_any(&self) -> bool {
        self.stream || self.rank || self.time
    }
}

/// Where what ranks print goes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// How each line is opened.
    pub tags: Tags,
    /// Error output is printed as output.
    pub merge: bool,
    /// Patterns of the files for standard output and error: see [`crate::outfile`]. `None` where
    /// there is no file.
    pub files: [Option<String>; 2],
    /// Output that goes to files does not go to the terminal.
    pub files_only: bool,
}

/// A trace of the calls of a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tracing {
    /// The files that it goes to, whose names say in which form.
    pub files: Vec<String>,
    /// A table is printed at the end.
    pub summary: bool,
    /// How many records each rank keeps, if given.
    pub records: Option<u32>,
    /// The slowest are kept, not the newest.
    pub keeps_slowest: bool,
}

impl Tracing {
    /// Whether there is to be a trace.
    pub fn is_wanted(&self) -> bool {
        self.summary || !self.files.is_empty()
    }
}

/// Information to print before the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Show {
    /// Where each rank runs.
    pub map: bool,
    /// The hosts and their slots.
    pub allocation: bool,
    /// The binding of each rank.
    pub bindings: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spawned_program_has_the_environment_of_its_spawner_changed_by_its_own() {
        let set = |value: &str| ("A".into(), Change::Set(value.into()));
        let parent = AppRequest {
            count: Some(8),
            env: vec![set("parent")],
            inherit: Some(Inherit::Only(vec!["B".into()])),
            directory: Some("/parent".into()),
            path: Some("/parent/bin".into()),
            interface: Some("ompi40"),
            ..AppRequest::default()
        };
        let own = AppRequest {
            env: vec![set("own")],
            path: Some("/own/bin".into()),
            ..AppRequest::default()
        };
        let both = own.clone().inheriting(&parent);
        assert_eq!(both.env, [set("parent"), set("own")]);
        assert_eq!(both.path.as_deref(), Some("/own/bin:/parent/bin".as_ref()));
        assert_eq!(both.interface, Some("ompi40"));
        assert_eq!(both.inherit, parent.inherit);
        assert_eq!((both.count, &both.directory), (None, &None));
        assert_eq!(own.clone().inheriting(&AppRequest::default()), own);
        // And so on to what it spawns.
        assert_eq!(AppRequest::default().inheriting(&both), both);
    }
}
