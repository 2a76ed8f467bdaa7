//! The components that a process is made of: which there are, the parameters that choose among
//! them, and the opening of those that were chosen.
//!
//! * [`params`] loads all parameters, and has the tables of all of them and of all components.
//! * [`open_engine`] opens the transports or the network that matches, and makes the engine over
//!   them, under a layer of `vprotocol` where one is wanted ([`is_logged`]).
//! * [`files`], [`windows`] and [`storage`] choose the components of files, windows and memory.
//! * [`Explainer`] keeps what was chosen, for `mpirun --explain`.
//!
//! Nothing here communicates, and nothing outlives the choice: objects of MPI are made elsewhere,
//! out of what is opened here.
#![forbid(unsafe_code)]

pub mod checks;
pub mod collectives;
mod cores;
mod decorate;
mod discovery;
mod explain;
pub mod files;
mod life;
mod messaging;
pub mod params;
pub mod storage;
mod transports;
pub mod windows;

pub use cores::Cores;
pub use decorate::is_logged;
pub use explain::Explainer;
pub use life::{is_restarted, of_restarts};
pub use messaging::open_engine;
pub use transports::{open_late, share_cores, unreached, REACHED_BY};
