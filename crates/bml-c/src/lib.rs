//! `liboxmpi_bml`: the low layer (`bml`) for programs in C, declared in `include/oxmpi/bml.h`.
//!
//! The header documents every function for its users; `docs/bml.md` has the whole. Here each entry
//! point ([`entries`]) does three things: it takes the layer ([`layer::enter`]), turns pointers and
//! numbers into values ([`arguments`]), and calls `bml`.
//!
//! * **The wall.** `enter` catches every panic; the layer answers nothing but
//!   `OXMPI_BML_ERR_INTERNAL` from then on.
//! * **One at a time.** `enter` notes the thread that is inside. Another one is refused, and so is
//!   the same one a second time: that is a handler, which may not call the layer, as in Rust.
//! * **Handles are numbers.** Exposed and imported memory is named by keys of a table, which are
//!   checked and never used again, so a stale one is an error and not a stray pointer.
//! * **What a pointer points to is the caller's word**, as the header has it; null is an error.

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
