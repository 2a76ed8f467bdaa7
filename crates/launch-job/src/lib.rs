//! A job as a state machine without I/O.
//!
//! Its input are events: a rank connected, entered a fence, exited or was killed; a signal arrived;
//! time passed. Its output are actions: reply to a rank, signal all ranks, print a message. The
//! first failure decides the exit code.
//!
//! A [`Job`] is one set of ranks that were started together. Processes that a rank spawns are a
//! further part of the same job; [`parts`] has all parts.
#![forbid(unsafe_code)]

pub mod exit;
mod job;
pub mod parts;

pub use job::{
    check_meet, rank_list, signal_name, Action, End, Event, FailurePolicy, How, Job, Meetings,
    RankState, SIGTSTP,
};
