//! The files that `cargo xtask gen` makes from `spec/`. Types and constants are those of the crate
//! `abi-state`, which these libraries must not link: they take their text.

pub mod c;
#[path = "../../../abi-state/src/generated/constants.rs"]
pub mod constants;
#[path = "../../../abi-state/src/generated/types.rs"]
pub mod types;
pub mod values;
