//! The watchers of calls: [`tracer`] records them, [`checker`] looks for what MPI forbids, and
//! [`event_raiser`] raises the events that have come.
//!
//! Their contract is `abi_state::hooks`. Each is put there when MPI starts and the user has asked
//! for it; otherwise nothing of this crate runs.

mod addresses;
mod call_site;
pub mod checker;
pub mod event_raiser;
pub mod tracer;
