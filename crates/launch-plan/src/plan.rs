//! Makes the plan of a job (what each rank runs, and where) from a request, in two steps.
//!
//! [`mod@draft`] determines the hosts, the parameters and the environment, and reports every error
//! that can be found without contacting other hosts. A [`Draft`] becomes a [`Plan`] when the
//! processors of the hosts are known ([`Draft::finish`]); for a job on this machine alone that is
//! immediately ([`make`]). So a job starts as a whole or not at all.

mod draft;
pub(crate) mod environment;
mod files;
mod model;
mod program;
mod world;

use crate::request::Request;
use crate::Error;

pub use draft::{draft, draft_beside, Draft};
pub use environment::{is_of_one_host, is_of_one_host_of_batch};
pub use files::host_file;
pub use model::{App, Front, Plan};
pub use program::locate;
pub use world::World;

/// Makes the plan of a job on this machine alone.
pub fn make(
    request: &Request,
    world: &World,
    check: &dyn Fn(&mca::Sources) -> Result<(), String>,
) -> Result<Plan, Error> {
    let draft = draft(request, world, check)?;
    if let Some(other) = draft.allocation.nodes.iter().find(|node| !node.here) {
        return Err(Error::OtherHost {
            host: other.name.clone(),
        });
    }
    draft.finish(&[Some(world.topology.clone())])
}

#[cfg(test)]
mod tests;
