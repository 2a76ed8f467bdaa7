//! The name of a service.

use std::os::fd::OwnedFd;
use std::sync::Mutex;

/// The parameter that says where names are.
pub(crate) const SERVER: &str = "mpi_name_server";

/// A name and who may find it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Service {
    pub(super) name: String,
    /// The job whose processes alone find it; `None` for all of the user's.
    pub(super) job: Option<u64>,
}

/// The names that this process has published as memory files.
pub(crate) type Published = Mutex<Vec<(Service, OwnedFd)>>;
