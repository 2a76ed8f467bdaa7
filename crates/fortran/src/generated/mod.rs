//! The files that `cargo xtask gen` makes from `spec/`.

pub mod c;
mod entries;
