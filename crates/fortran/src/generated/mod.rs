//! The files that `cargo xtask gen` makes from `spec/`. Types and constants are those of the crate
//! `abi`, which this library must not link: it takes their text.

pub mod c;
#[allow(dead_code)]
#[path = "../../../abi/src/generated/constants.rs"]
pub mod constants;
mod entries;
#[allow(dead_code)]
#[path = "../../../abi/src/generated/types.rs"]
pub mod types;
