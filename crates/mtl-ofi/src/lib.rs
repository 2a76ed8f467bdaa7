//! Matching by tagged messages of libfabric.
//!
//! A label is libfabric's tag. Beside it travels what libfabric calls remote CQ data, where a
//! provider has room for it: the sender's number plus one in the lower half, the note in the
//! upper half. Receives may name their sender by its address (`FI_DIRECTED_RECV`) where the
//! provider keeps them in order with the others; [`params`] tells where it does not.
//!
//! Where `FI_CLAIM` fails, a message is claimed by looking for it and then receiving it at once
//! into memory of our own, under its whole label: nothing else can take it, since nobody waits for
//! it and messages of one sender keep their order.

mod component;
mod endpoint;
mod params;
mod progress;

pub use component::{open, Config, Error};
pub use endpoint::Endpoint;
pub use params::{Settings, PARAMS};

#[cfg(test)]
mod tests;
