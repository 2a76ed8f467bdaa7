//! The files that `cargo xtask gen` makes from `spec/`.

pub mod constants;
pub mod types;
