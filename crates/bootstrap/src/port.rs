//! Ports: where a process listens for those that know the key in the port's name, and the handshake
//! in which both sides prove that they do.

mod handshake;
mod incoming;
mod name;
mod stream;

pub use handshake::{PortKey, Refusal, Session, Side, CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES};
pub use incoming::IncomingConnections;
pub use name::{PortName, NAME_BYTES_MAX};
pub use stream::{is_busy, read_some, write_some};
