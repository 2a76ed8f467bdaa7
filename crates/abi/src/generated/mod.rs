//! The files that `cargo xtask gen` makes from `spec/` and from the calls of this crate.

mod decode;
mod entries;
