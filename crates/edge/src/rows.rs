//! All that rows use, under one name.

pub use crate::argument::*;
pub use crate::constants::STANDARD;
pub use crate::fortran::{read, truth, Detached, Position, Positions, TruthOut, Truths, TruthsOut};
pub use crate::generated::c;
pub use crate::generated::types::*;
pub use crate::generated::values::*;
pub use crate::handle::*;
pub use crate::interface::{Abi, Kind, Library};
pub use crate::section::{refuse, stage, Array, Buffer, Gfortran, Native, Standard, Use};
pub use crate::status::*;
pub use crate::text::*;
pub use crate::tool::*;
pub use crate::value::*;
pub use crate::wall::On;
