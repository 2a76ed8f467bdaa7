//! The point-to-point layer `ob1`: matching, and the protocols that move messages over lanes.
//!
//! A [`Protocol`] is the state of one process; it performs no I/O and knows no clock. Its driver
//! (`engine`) calls it in five families:
//!
//! * `begin_*` starts an operation and returns a request;
//! * [`Protocol::arrived`] hands in what a transport received; [`Protocol::get_done`],
//!   [`Protocol::release_buffered`] and [`Protocol::peer_failed`] what else a transport reports;
//! * [`Protocol::next_frame`] and [`Protocol::frame_sent`] drain what is to be sent: a receive
//!   handler cannot send, it can only leave a frame in a peer's queue;
//! * [`Protocol::outcome`] and its relatives query requests;
//! * `open_comm` and `close_comm` bracket a communicator.
//!
//! A message takes one of five paths, by its length, its mode and the properties of the lane:
//!
//! * **eager**: header and payload in one frame. Where the lane takes it immediately there is no
//!   request at all ([`Protocol::try_eager`]): this is the fast path;
//! * **eager with acknowledgement** (EAGER_ACK): an eager message in synchronous mode;
//! * **pipelined eager** (LONG, MORE): a longer eager message, cut so that sender and receiver copy
//!   at the same time, where the lane asks for that;
//! * **read** (RGET): the RTS header carries a remote key, the receiver reads the sender's
//!   memory;
//! * **fragments** (RNDV): the receiver answers the RTS header with CTS, the sender streams.
//!
//! An RTS header carries the first bytes of the message with it where the lane asks for that
//! (`rndv_eager_limit`), so that bytes flow during the handshake.
//!
//! A send is complete when its message has left the process. Where a transport may buffer what it
//! accepted (TCP before it is connected, or while its socket is full), the request waits until the
//! transport has sent it: a rank that sends and then computes would otherwise stall its receiver.
//! Replies of the protocol (FIN, CTS, CREDIT) are not waited for.
//!
//! Messages from one sender to one receiver in one context carry 64-bit sequence numbers. A message
//! that overtakes others, which lanes may allow, waits for its turn ([`matching`]).
//!
//! Unexpected bytes at a receiver are bounded: each peer has a window, and a sender that has used
//! it up sends RTS headers instead of eager messages until the receiver's CREDIT says that
//! they were consumed.
//! A receiver takes a peer for broken that exceeds any window ([`Config::buffered_limit`]), or that
//! sends too much ahead of its order or of the communicator ([`Config::ahead_limit`]).
//!
//! The files have levels, and use only those above their own line:
//!
//! ```text
//! wire, queue, buffer_cache, meter         headers, containers, times
//! driver, matching, request                values of the driver, of communicators, of requests
//! peer, incoming, resent                   a peer; a message that comes in, or will again
//! protocol                                 the state, which owns all of these
//! outcomes, frames, failures               requests, queues, failed peers
//! restart                                  peers that die and come back
//! send, recv, pipelined, cancel, loopback  the paths of a message
//! account                                  what is not complete, for people
//! ```
#![forbid(unsafe_code)]

mod account;
mod buffer_cache;
mod cancel;
mod driver;
mod failures;
mod frames;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod incoming;
mod loopback;
mod matching;
mod meter;
mod outcomes;
mod peer;
mod pipelined;
mod protocol;
mod queue;
mod recv;
mod request;
mod resent;
mod restart;
mod send;
pub mod wire;

pub use account::{Pending, Waiting};
pub use driver::{Config, Driver, Frame, Limits, Violation};
pub use protocol::Protocol;
pub use send::Eager;
pub use wire::Envelope;

#[cfg(test)]
mod tests;
