//! Which components of `coll` serve a process.

use mca::Registry;
use mpi_local::Error;

/// Whether collectives over several nodes go by node.
///
/// # Errors
/// When a parameter is no list of components.
pub fn goes_by_nodes(registry: &Registry) -> Result<bool, Error> {
    let is_wanted = coll_sm::goes_by_nodes(registry).map_err(Error::other)?;
    // A process whose messages are logged may come back on another node, and would then send
    // others than are in the log.
    Ok(is_wanted && !crate::is_logged(registry))
}
