//! Ports: where a process listens for those that know the key in the port's name, and the handshake
//! in which both sides prove that they do.

mod handshake;
mod name;

pub use handshake::{PortKey, Session, Side, CHALLENGE_BYTES, HELLO_BYTES, PROOF_BYTES};
pub use name::{PortName, NAME_BYTES_MAX};
