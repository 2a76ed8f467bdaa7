//! The name of a service, and what a process holds of its published names.

use base::Mutex;
use std::os::fd::OwnedFd;

use bootstrap::names::Server;

/// A name and who may find it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Service {
    pub(super) name: String,
    /// The job whose processes alone find it; `None` for all of the user's.
    pub(super) job: Option<u64>,
}

impl Service {
    /// Returns its name at a launcher, which serves one job or a user's, with the scope in front.
    pub(super) fn at_launcher(&self) -> String {
        match self.job {
            Some(_) => format!("job:{}", self.name),
            None => format!("user:{}", self.name),
        }
    }
}

/// The names that this process has published.
pub(crate) type Published = Mutex<Holdings>;

/// The files and connections that keep the names of this process published.
#[derive(Default)]
pub(crate) struct Holdings {
    /// Memory files with their services.
    pub(super) files: Vec<(Service, OwnedFd)>,
    /// Names at the launcher, with their ports.
    pub(super) at_launcher: Vec<(String, String)>,
    /// The connection to the name server, which withdraws the names when it is closed.
    pub(super) server: Option<Server>,
    /// Number of names at the server.
    pub(super) at_server: usize,
}
