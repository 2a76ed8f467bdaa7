//! The component `pessimist` of the framework `vprotocol`: message logging, by which a rank that
//! was killed is started again alone and reaches the state that it had, while the others go on.
//!
//! A process does again what it did, from its beginning, if it gets the same messages in the same
//! order and calls find the same. So three things are kept:
//!
//! * **Events** ([`events`]): which sender a receive from any source has matched, and what calls
//!   have found whose results depend on timing. They lie in memory that the launcher holds, so an
//!   event is stable once it is stored, and no send waits. Receives from a named source need none:
//!   messages of one sender arrive in order.
//! * **Messages** ([`payload`]): each sender keeps a copy of what it has sent.
//! * **Numbers**: each message has one among those of its sender to its receiver in its
//!   communicator; the point-to-point layer counts them anyway.
//!
//! When a rank has died, its peers suspend it ([`pml::Restart`]): nothing fails. When its next life
//! publishes its address, each peer introduces it, gives it an *account* of the messages that it
//! has ([`account`]), and sends again all that the earlier life was sent. The next life begins to
//! send once it has all accounts; what a peer has it does not send again. Receives from any source
//! are posted for the sender that they matched, and calls find what they found, until the log is at
//! its end. From there on the process is as free as any other.
//!
//! A process is held to its log by its calls alone: one whose control flow depends on the time, on
//! files that it has changed, or on threads, is not brought back to its state. A call that is
//! another one than that of the earlier life ends the job with an error that names it: sends and
//! receives are compared ([`history`]), and calls whose results are logged.
//!
//! | file | what |
//! |---|---|
//! | `events` | the event log, and what is replayed of it |
//! | `payload` | copies of messages |
//! | `account` | which messages a process has |
//! | `checkpoint` | what is cut when the program has saved its state, and how a next life goes on |
//! | `layer` | the layer over a point-to-point layer |
//! | `record` | the record of a checkpoint |
//! | `history` | the sends and receives of earlier lives, to be compared |
//! | `stable` | memory that outlives the process |
//! | `copied` | a log of which another host has a copy |
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]
#![forbid(unsafe_code)]

pub mod account;
mod checkpoint;
mod copied;
pub mod events;
mod history;
mod layer;
pub mod payload;
mod record;
mod stable;

use mca::Param;

pub use copied::{Copied, Ring};
pub use history::CallHistory;
pub use layer::{Pessimist, Settings};
pub use stable::{open, open_file, Stable};

/// The parameter with the precedence of the component.
pub const PRIORITY: &str = "vprotocol_pessimist_priority";

/// The parameter with the bytes of memory of the payload log.
pub const MEMORY: &str = "vprotocol_pessimist_sender_based_chunk";

/// The parameter with the folder for what the payload log has no memory for.
pub const FILE: &str = "vprotocol_pessimist_sender_based_file";

/// The parameter that says which messages are copied.
pub const PAYLOAD: &str = "vprotocol_pessimist_payload";

/// The parameter that says what an event outlives that a message depends on.
pub const STABLE: &str = "vprotocol_pessimist_stable";

/// The value of [`STABLE`] by which events outlive the loss of their host.
pub const PEER: &str = "peer";

/// The value of [`PAYLOAD`] by which messages within a host are not copied.
pub const REMOTE: &str = "remote";

/// Parameters of the component.
pub const PARAMS: &[Param] = &[
    Param::int(
        PRIORITY,
        30,
        0..=1000,
        5,
        "Precedence of pessimist among the layers that `vprotocol` names: the largest is used",
    ),
    Param::size(
        MEMORY,
        256 << 20,
        0..=usize::MAX >> 1,
        4,
        "Bytes of memory that a process takes for copies of the messages that it has sent, before \
         further copies go to a file; without vprotocol_pessimist_sender_based_file all stay in \
         memory",
    ),
    Param::text(
        FILE,
        "",
        3,
        "Folder for copies of messages past vprotocol_pessimist_sender_based_chunk bytes, in a \
         file without a name of each process; nothing: they stay in memory",
    ),
    Param::choice(
        PAYLOAD,
        "all",
        &["all", REMOTE],
        3,
        "Messages that are copied: all, or remote, those to processes of other hosts; with remote \
         the job ends when a rank is killed that has got a message from its own host",
    ),
    Param::choice(
        STABLE,
        "host",
        &["host", PEER],
        3,
        "Losses that events outlive before a message leaves that may depend on them: host, that of \
         the process; peer, that of its host as well, since mpirun has a copy, for which the \
         process waits: ranks of a host that is lost are started again on another one",
    ),
];
