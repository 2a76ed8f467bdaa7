//! Point-to-point messages over a network that matches by itself (`cm`).
//!
//! [`Cm`] is a [`pml::Pml`] that matches nothing itself: it converts communicator, tag and mode to
//! a label ([`Layout`]), passes sends and receives to a [`mtl::Transport`], and stores their state
//! for MPI. It owns its network, since there is no protocol between the two.
//!
//! * **Synchronous sends** carry a bit in their label. The receiver replies with an empty message
//!   whose label has the acknowledgement bit; the sender has a receive posted for it. Sends of one
//!   label to one peer are matched in order, so it does not matter which of them an acknowledgement
//!   is counted for.
//! * **Buffers with gaps** go through a copy without gaps.
//! * **Back-pressure**: sends that the network is too busy for wait in a queue per peer, receives
//!   in one queue, since the order of posting counts across peers.
//! * **Completion**: a request is complete when the network has reported its operation, also if the
//!   request was cancelled. Only then may the application's memory be used for something else. The
//!   exception are requests that name a dead peer: the network may never report them, and they
//!   complete without its report (see `loss`).
//!
//! The files have levels, and use only those above their own line:
//!
//! ```text
//! label, settings, request, comm     values
//! state                              the tables, which own all of these
//! comms                              communicators in the tables
//! layer                              Cm: the tables and the network
//! send, recv, probe, loss, active    the paths of a message
//! contract                           Cm as a pml::Pml
//! ```
#![forbid(unsafe_code)]

mod active;
mod comm;
mod comms;
mod contract;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod label;
mod layer;
mod loss;
mod probe;
mod recv;
mod request;
mod send;
mod settings;
mod state;

pub use label::{Layout, TagMode};
pub use layer::{Cm, Unreachable};
pub use settings::Settings;

#[cfg(test)]
mod tests;
