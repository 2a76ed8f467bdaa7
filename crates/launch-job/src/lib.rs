//! A job as a state machine without I/O.
//!
//! Events go in (a rank sent a hello, entered a fence, exited, was killed, a signal arrived, time
//! passed), actions come out (answer, signal all ranks, tell the user). The first failure decides
//! the exit code.
//!
//! [`Job`] is one set of ranks that were started together. [`parts`] holds several: what a process
//! of the job spawns is a part of it.
#![forbid(unsafe_code)]

pub mod exit;
mod job;
pub mod parts;

pub use job::{
    check_meet, rank_list, signal_name, Action, End, Event, FailurePolicy, How, Job, Meetings,
    RankState, SIGTSTP,
};
