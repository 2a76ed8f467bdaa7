//! Starting further processes: what a process asks its launcher for, and what becomes of it.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::codec;

/// A request for a part: processes that join the job.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Spawn {
    /// The programs; at least one.
    pub programs: Vec<Program>,
    /// Working directory of the programs that name none: that of the process that asks.
    #[serde(with = "codec::path")]
    pub directory: PathBuf,
    /// The processes that the part will be connected to, by their numbers in the job.
    pub members: Vec<u32>,
}

/// A program of a part.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// The program's file or name.
    pub program: OsString,
    /// The program's arguments after its name.
    pub arguments: Vec<OsString>,
    /// How many processes run it.
    pub count: u32,
    /// Hints for the launcher, each a key and its value.
    pub info: Vec<(String, String)>,
}

/// A part that was started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The number of its first process in the job; the others follow.
    pub first: u32,
    /// How many processes it has.
    pub count: u32,
}

/// A part that was not started. Nothing of it is left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// The index of the program to blame; `None` where no program is to blame.
    pub program: Option<u32>,
    /// The cause: one line.
    #[serde(with = "codec::reason")]
    pub reason: String,
}

/// The origin of a process that was spawned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parent {
    /// The process that asked for the part, by its number in the job.
    Number(u32),
    /// The port where that process waits for the part, under a launcher whose jobs have no parts.
    Port(String),
}

/// The key under which the new processes find the port of the one that has spawned them.
pub const PORT_KEY: &str = "OXMPI_PARENT_PORT";
