//! The provider for processes under a launcher that speaks PMI-1.
//!
//! * [`wire`]: lines of `key=value` words, a request and a reply in turn.
//! * [`mapping`]: which rank runs on which node, from the key that launchers preset.
//! * [`pieces`]: values cut and spelled so that each fits a line of the strictest launcher.
//! * [`client`]: the provider itself.
//!
//! PMI-1 knows no job secret: rank 0 makes one and publishes it, so that it is as secret as the
//! launcher's key-value space.

mod client;
mod mapping;
mod pieces;
mod wire;

pub(crate) use client::Client;
