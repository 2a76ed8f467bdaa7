//! The files that `cargo xtask gen` makes from `spec/`.

pub mod constants;
mod decode;
mod entries;
pub mod types;
