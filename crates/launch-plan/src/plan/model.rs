//! The plan of a job: what each rank runs, and where.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use bootstrap::{codec, RankSet, Secret};
use serde::{Deserialize, Serialize};

use super::environment;
use crate::allocation::Node;
use crate::map::Placement;
use crate::recording::{self, RecordSettings};
use crate::request::{self, Tags, Tracing};

/// A job that can be started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The programs.
    pub apps: Vec<App>,
    /// The hosts. Some may have no rank.
    pub nodes: Vec<Node>,
    /// Host and program of each rank; as many as there are ranks.
    pub placements: Vec<Placement>,
    /// Ranks that there is room for, which programs get as the size of the universe.
    pub universe: u32,
    /// Number that distinguishes this job from others.
    pub job: u64,
    /// The job's key.
    pub secret: Secret,
    /// The rank that gets the standard input.
    pub stdin: Option<u32>,
    /// Say what is started.
    pub verbose: bool,
    /// More ranks than there is room for are meant.
    pub oversubscribes: bool,
    /// Settings of the launcher alone, which stay here.
    #[serde(skip)]
    pub front: Front,
}

/// Tasks of the launcher that the user has started, besides running ranks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Front {
    /// How each line of output is opened.
    pub tags: Tags,
    /// Error output is printed as output.
    pub merge: bool,
    /// Patterns of the files that standard output and error go to, see [`crate::outfile`].
    pub files: [Option<String>; 2],
    /// Output that goes to files does not go to the terminal.
    pub files_only: bool,
    /// When the job is ended at the latest.
    pub timeout: Option<Duration>,
    /// How often to look for a deadlock.
    pub report_deadlock: Option<Duration>,
    /// The trace of the job.
    pub tracing: Tracing,
    /// The ranks that are shown in gdb.
    pub gdb: Option<RankSet>,
    /// The other ranks go on when one fails.
    pub keep_going: bool,
    /// Lines for the user before the start.
    pub notes: Vec<String>,
    /// Lines that the user has requested before the start, printed as they are.
    pub reports: Vec<String>,
    /// The programs as they were requested: what their processes spawn inherits from them.
    pub programs: Vec<request::AppRequest>,
}

/// One program of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct App {
    /// The program's name as the user wrote it; becomes its argument 0.
    pub name: OsString,
    /// The file, where this machine runs it; else its name. See [`super::locate`].
    #[serde(skip)]
    pub path: PathBuf,
    /// The program's arguments after the name.
    pub arguments: Vec<OsString>,
    /// The program's whole environment, but for what differs from rank to rank.
    pub env: BTreeMap<OsString, OsString>,
    /// The program's working directory, where that is not the launcher's.
    #[serde(with = "codec::optional_path")]
    pub directory: Option<PathBuf>,
}

impl App {
    /// Returns the value of a parameter that the user has given to the program.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let of = |prefix: &str| self.env.get(OsStr::new(&format!("{prefix}{name}")));
        let prefixes = ["OXMPI_MCACMD_", "OXMPI_MCA_", "OMPI_MCA_"];
        prefixes.into_iter().find_map(of)?.to_str()
    }
}

impl Plan {
    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.placements.len() as u32
    }

    /// The program of a rank.
    pub fn app(&self, rank: u32) -> &App {
        &self.apps[self.placements[rank as usize].app as usize]
    }

    /// Whether the ranks log their messages, so that one that was killed can be started again.
    pub fn logs_messages(&self) -> bool {
        let logs = |app: &App| {
            let mut words = app.parameter("vprotocol").unwrap_or_default().split(',');
            words.any(|word| word.trim() == "pessimist")
        };
        !self.apps.is_empty() && self.apps.iter().all(logs)
    }

    /// Whether the launcher has a copy of the event logs of ranks on other hosts, which are started
    /// again when their host is lost.
    pub fn copies_logs(&self) -> bool {
        let stable = |app: &App| app.parameter("vprotocol_pessimist_stable") == Some("peer");
        self.logs_messages() && self.apps.iter().all(stable)
    }

    /// Which records of its calls a rank keeps, where it is traced.
    pub fn recording(&self, rank: u32) -> Option<RecordSettings> {
        let value = self.app(rank).env.get(OsStr::new(recording::VARIABLE))?;
        RecordSettings::parse(value.to_str()?)
    }

    /// How many ranks a host has.
    pub fn size_on(&self, node: u32) -> u32 {
        let here = self
            .placements
            .iter()
            .filter(|placement| placement.node == node);
        here.count() as u32
    }

    /// The variables that differ from rank to rank.
    pub fn identity_env(&self, rank: u32) -> Vec<(&'static str, String)> {
        let placement = &self.placements[rank as usize];
        let mut env = environment::identity(&environment::Identity {
            rank,
            size: self.size(),
            local_rank: placement.local_rank,
            local_size: self.size_on(placement.node),
            node: placement.node,
            universe: self.universe,
        });
        let said = self.app(rank).env.contains_key(OsStr::new(FABRIC_PEERS));
        if self.size() > FABRIC_PEERS_DEFAULT && !said {
            env.push((FABRIC_PEERS, self.size().to_string()));
        }
        env
    }
}

/// Variable of the number of peers for which libfabric makes its tables and queues, and its default
/// (fi_domain(3)). It reads its environment as it is loaded, and a process with threads must not
/// change that.
const FABRIC_PEERS: &str = "FI_UNIVERSE_SIZE";
const FABRIC_PEERS_DEFAULT: u32 = 256;
