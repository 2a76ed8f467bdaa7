//! The TCP transport.
//!
//! A [`Transport`] owns listening sockets, one connection per peer that it has talked to, and
//! one epoll set that holds them all, so that the process polls, or sleeps on, one descriptor.
//!
//! * **Connections are made when the first message is sent.** Whoever sends first connects. When
//!   both do at once, the connection of the lower [`base::PeerId`] stays ([`connect`]).
//! * **A connection is nobody's until it has proved otherwise.** Both sides show, by keyed hashes
//!   over fresh nonces, that they hold the job's secret and who they are ([`handshake`]). Port
//!   scanners, garbage, silence and other jobs are dropped and disturb nothing. What follows the
//!   handshake is not encrypted: the transport guards against strangers, not against whoever
//!   can read or rewrite packets on the way.
//! * **Messages are frames**: a header of fixed layout, then bytes whose number is checked
//!   before anything is allocated ([`wire`]). Frames carry a sequence number of 64 bits.
//! * **Sending** writes straight from the caller's memory while nothing is queued; only what the
//!   kernel did not take is copied, to a queue of bounded size ([`endpoint`]).
//! * **Receiving** fills a cache per connection and lends complete messages from it in place; a
//!   message larger than the cache is read into a buffer of its own ([`progress`], [`pool`]).
//! * **Reading a peer's memory** is a request that the peer's transport answers from the registered
//!   memory; the bytes are read straight into the local memory ([`rma`]).
//! * **A goodbye ends a connection in good order.** An end without one is the peer's death, and
//!   is reported.
//!
//! The states of a peer's endpoint and what moves it:
//!
//! ```text
//! Idle --send--> Connecting --accepted--> Up --goodbye--> Left
//!   \                |   \                 ^ \
//!    \            yielded  all addresses   |  end without goodbye,
//!     \              v      refused        |  or a broken frame
//!      \          Awaiting     \           |     v
//!       `--the peer's connection proved----'   Failed
//! ```
#![deny(unsafe_op_in_unsafe_fn)]

mod address;
mod component;
mod connect;
mod endpoint;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod handshake;
mod interfaces;
mod lifecycle;
mod listen;
mod pairing;
mod params;
mod pool;
mod progress;
mod rma;
mod route;
mod sys;
mod wire;

#[cfg(test)]
mod tests;

pub use component::{open, Config, Transport};
pub use params::{Ports, Settings, PARAMS};
