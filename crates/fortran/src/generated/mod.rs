//! The files that `cargo xtask gen` makes from `spec/`.

pub mod c;
#[allow(dead_code)]
pub mod constants;
mod entries;
#[allow(dead_code)]
pub mod types;
