//! The files that `cargo xtask gen` makes from `spec/`. Types are those of the crate `abi`, which
//! these libraries must not link: they take their text.

pub mod c;
mod entries;
#[allow(dead_code)]
#[path = "../../../abi/src/generated/types.rs"]
pub mod types;
pub mod values;
