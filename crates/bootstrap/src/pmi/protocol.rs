//! The operations that PMI-1 and PMI-2 have in common.

use base::PeerId;

use super::link::Link;
use crate::names::{Answer, Question};
use crate::spawn::Spawn;
use crate::Error;

/// Facts that the launcher gives about a process before any other has connected.
pub(super) struct JobInfo {
    pub(super) rank: u32,
    pub(super) size: u32,
    pub(super) appnum: Option<u32>,
    pub(super) universe_size: Option<u32>,
    /// `PMI_process_mapping`, where the launcher provides it.
    pub(super) mapping: Option<String>,
    /// The port of the process that has spawned this one.
    pub(super) parent: Option<String>,
}

/// The operations of both protocols. Keys and values are limited to what both can carry.
pub(super) trait Protocol: Send {
    /// The protocol's name, for errors.
    const NAME: &'static str;
    const LAUNCHER: crate::Launcher;

    /// Returns how many characters of a value fit under a key as long as `widest`.
    fn room(&self, widest: &str) -> usize;

    fn put(&mut self, key: &str, value: &str) -> Result<(), Error>;

    /// Returns the value of `key`, which `writer` may have put there; `None` if it is absent.
    fn get(&mut self, key: &str, writer: PeerId) -> Result<Option<String>, Error>;

    fn enter_fence(&mut self) -> Result<(), Error>;

    /// Whether the fence is complete; waits for that at most `wait`.
    fn fence_over(&mut self, wait: Option<std::time::Duration>) -> Result<bool, Error>;

    /// Has the launcher start a job whose processes find `port`.
    fn spawn(&mut self, spawn: &Spawn, port: &str) -> Result<(), Error>;

    /// Asks about a published name.
    fn ask_names(&mut self, question: &Question) -> Result<Answer, Error>;

    /// Requests the end of the job; `message` is one safe word. There is no reply.
    fn abort(&mut self, code: i32, message: &str) -> Result<(), Error>;

    fn link(&mut self) -> &mut Link;

    fn finalize(&mut self) -> Result<(), Error>;
}

/// Converts a count from a launcher; launchers send -1 for unknown.
pub(super) fn count(number: Option<i64>) -> Option<u32> {
    number.and_then(|n| u32::try_from(n).ok())
}
