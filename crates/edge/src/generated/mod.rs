//! The files that `cargo xtask gen` makes from `spec/`. Types and constants are those of the crate
//! `abi`, which these libraries must not link: they take their text.

pub mod c;
#[path = "../../../abi/src/generated/constants.rs"]
pub mod constants;
#[path = "../../../abi/src/generated/types.rs"]
pub mod types;
pub mod values;
