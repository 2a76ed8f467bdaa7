//! The matching transport over libfabric's tagged messages.
//!
//! A label is libfabric's tag. Beside it travel, as far as a provider has room for them, the
//! sender's number, the length and the note ([`wire`]). Receives may name their sender by its
//! address (`FI_DIRECTED_RECV`) where the provider keeps them in order with the others; [`params`]
//! lists where it does not.
//!
//! Where `FI_CLAIM` fails, a message is claimed by peeking at it and then receiving it at once into
//! memory of our own, under its whole label: nothing else can take it, since no receive waits for
//! it and messages of one sender keep their order.

mod component;
mod config;
mod endpoint;
mod params;
mod progress;
mod shutdown;
mod shutdown_state;
mod wire;

pub use component::{open, Error};
pub use config::Config;
pub use endpoint::Endpoint;
pub use params::{Settings, PARAMS};

#[cfg(test)]
mod tests;
