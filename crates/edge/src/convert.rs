//! All that rows use, under one name.

pub use crate::constants::STANDARD;
pub use crate::fortran::*;
pub use crate::generated::values::*;
pub use crate::handle::*;
pub use crate::interface::{Abi, Kind};
pub use crate::status::*;
pub use crate::text::*;
pub use crate::tool::*;
pub use crate::value::*;
