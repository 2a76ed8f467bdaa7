//! `liboxmpi_bml`: the low layer (`bml`) for programs in C, declared in `include/oxmpi/bml.h`.
//!
//! The header documents every function for its users, `docs/bml.md` the layer as a whole. Each
//! entry point ([`entries`]) does three things: it enters the layer ([`layer::enter`]), converts
//! pointers and numbers to values ([`arguments`]), and calls `bml`.
//!
//! * **No panic passes.** `enter` catches every panic; all later calls return
//!   `OXMPI_BML_ERR_INTERNAL`.
//! * **One call at a time.** `enter` records the thread that is inside, and refuses any other call
//!   meanwhile, also from the same thread: a handler must not call the layer, as in Rust.
//! * **Handles are numbers.** Exposed and imported memory is identified by keys of a table, which
//!   are checked and never reused, so a stale key is an error and not a stray pointer.
//! * **Pointers are trusted** as the header requires; only null is checked.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may wait"))]

mod arguments;
pub mod entries;
mod failure;
mod handlers;
mod layer;
mod open;
#[cfg(test)]
mod tests;

pub use failure::code;
pub use handlers::Message;
pub use layer::Layer;
pub use open::Options;
