//! The file that `cargo xtask gen` makes from `spec/`.

pub mod constants;
