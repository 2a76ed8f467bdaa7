//! The files that `cargo xtask gen` makes from `spec/`.

pub mod objects;
mod sizes;
