//! Parameters, component lists and selection: how a user says what oxmpi should do, and how
//! oxmpi says what it chose and why.
//!
//! * A crate declares its parameters as a constant table of [`Param`] rows.
//! * Whoever starts a process collects the world into [`Sources`] (environment, files, command
//!   line) and turns the tables and the sources into a [`Registry`]: every parameter with its
//!   value and the [`Origin`] of the value. Nothing is read after that, and nothing is global.
//! * A component list (`tcp,self` or `^sm`) is a [`ComponentList`]; [`select_one`] and
//!   [`select_all`] ask the components that it admits, and explain themselves in a [`Choice`].
//! * [`log`] turns the verbosity parameters into a filter for the `log` crate.
//!
//! Precedence, lowest first: default, system file, user file, `--tune` file, environment
//! (`OMPI_MCA_x`, then `OXMPI_MCA_x`), command line, override file.
//!
//! A value that nobody can read is an error naming the parameter, the value, where it came from
//! and what is allowed; it is never replaced by a default in silence. Names and components that
//! Open MPI has and oxmpi has not are known in [`openmpi`], so that the scripts and site files
//! written for it keep working.
#![forbid(unsafe_code)]

mod param;
mod value;

mod file;
mod origin;
mod sources;

mod names;
pub mod openmpi;

mod error;
mod registry;

mod list;
mod select;

pub mod log;

pub use error::{Error, Errors};
pub use list::{names, ComponentList};
pub use names::nearest;
pub use origin::{Origin, Place};
pub use param::{Kind, Param};
pub use registry::{Registry, Row};
pub use select::{select_all, select_one, Answer, Candidate, Choice, Selected, Verdict};
pub use sources::Sources;
pub use value::Value;
