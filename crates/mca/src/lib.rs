//! Parameters, component lists and selection: reads what a user has requested, and records what
//! was chosen and why.
//!
//! * A [`Framework`] is a part of the library; the one table of them has their names.
//! * A crate declares its parameters as a constant table of [`Param`] rows.
//! * The code that starts a process reads environment, files and command line into [`Sources`], and
//!   makes a [`Registry`] of these and the tables: every parameter with its value and the
//!   [`Origin`] of the value. Nothing is read later, and no value is global.
//! * A [`ComponentList`] is the value of a parameter like `tcp,self` or `^sm`. [`select_one`] and
//!   [`select_all`] query the components that it admits, and return the reasons in a [`Choice`].
//! * [`log`] writes records of a framework as far as its verbosity parameter allows.
//!
//! Precedence, lowest first: default, system file, user file, `--tune` file, environment
//! (`OMPI_MCA_x`, then `OXMPI_MCA_x`), command line, override file.
//!
//! An invalid value is an error that names the parameter, the value, its origin and what is
//! allowed; it is never silently replaced by a default. [`openmpi`] lists parameters and components
//! that only Open MPI has, so that scripts and site files written for it keep working.
#![forbid(unsafe_code)]

mod frameworks;
mod param;
mod value;
mod verbosity;

mod file;
mod origin;
mod sources;

mod names;
pub mod openmpi;

mod choice;
mod error;
mod registry;

mod list;
mod select;

pub mod launcher;
pub mod log;

pub use choice::{Choice, Verdict};
pub use error::{Error, Errors};
pub use frameworks::Framework;
pub use list::{names, ComponentList};
pub use names::nearest;
pub use origin::{FileLine, Origin};
pub use param::{Kind, Param};
pub use registry::{Registry, Row};
pub use select::{select_all, select_one, Candidate, QueryReply, Selected};
pub use sources::Sources;
pub use value::Value;
