//! The TCP transport: carries messages and reads of memory between hosts.
//!
//! A [`Transport`] has three parts, and one epoll set that holds all their sockets, so that the
//! process polls, or sleeps on, one descriptor. [`peers`] owns what passes between processes: each
//! peer, the connections with it, the reads of memory. [`connector`] owns how they meet: listening
//! sockets, attempts and their handshakes, the search for a peer ([`dialer`]). [`clock`] owns when
//! something is due: ticks, the pace of polls, connections that are drained. The connector acts on
//! the peers, and not the other way round; the clock knows neither.
//!
//! * **Connections are made when the first message is sent.** The first sender connects. When both
//!   do at once, the connection of the lower [`base::PeerId`] stays ([`attempt`]). Both plan alike
//!   which of our interfaces is connected with which of the peer's ([`pairing`]); connections
//!   beyond the first are made when something large is to be shared among them.
//! * **A connection belongs to no peer until it has proved its identity.** Both sides show, by
//!   keyed hashes over fresh nonces, that they hold the job's secret and who they are
//!   ([`handshake`]). Port scanners, garbage, silence and other jobs are dropped and disturb
//!   nothing. Traffic after the handshake is protected where the user asks for it, by checksums or
//!   a cipher ([`seal`]).
//! * **Messages are frames**: a header of fixed layout, then bytes whose number is checked
//!   before anything is allocated ([`wire`]).
//! * **A connection that breaks loses nothing.** Frames are numbered for each pair of processes and
//!   buffered until the peer has acknowledged them; the next connection goes on where the last one
//!   ended ([`stream`]). The peer is sought for a while, and given up at once where its process has
//!   ended ([`search`], [`health`]).
//! * **Sending** copies a message into a log of bounded size, and writes from there ([`peer`]).
//! * **Receiving** fills a cache per connection and delivers complete messages from it in place; a
//!   message larger than the cache is read into a buffer of its own ([`receiver`], [`pool`]).
//! * **Reading a peer's memory** is a request that the peer's transport serves from the registered
//!   memory, in pieces over all connections that have room ([`rma`], [`share`]); the bytes are read
//!   straight into the local memory.
//! * **A shutdown message (`goodbye`) ends everything in good order.**
//!
//! The states of a peer's connections and their transitions ([`peer::Link`]):
//!
//! ```text
//!               a connection is up
//!   Idle --send--> Searching -----> Up --goodbye--> Left
//!                   | ^             | |
//!      absent, or   | '-------------' |
//!      not in time  |   the last one  | a broken frame
//!                   v   breaks        v
//!                 Failed <-----------'
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![deny(unsafe_op_in_unsafe_fn)]

mod component;

mod clock;
mod draining;
mod pace;

mod attempt;
mod connector;
mod descriptor_shortage;
mod dialer;
mod search;

mod connection;
mod peer;
mod peers;
mod rails;
mod receiver;
mod replies;
mod report;
mod share;
mod stall;
mod stream;

mod address;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod handshake;
mod health;
mod interfaces;
mod listen;
mod local;
mod pairing;
mod params;
mod pool;
mod rma;
mod route;
mod seal;
mod source;
mod sys;
mod wire;

#[cfg(test)]
mod tests;

pub use component::{open, Config, Transport};
pub use local::listeners;
pub use params::{Ports, Settings, PARAMS};
