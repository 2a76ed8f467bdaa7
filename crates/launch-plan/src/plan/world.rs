//! The surroundings of a launcher: environment, processors and name of its machine.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::topology::Topology;

/// Inputs of a plan besides the request.
pub struct World {
    /// The launcher's environment.
    pub env: BTreeMap<OsString, OsString>,
    /// This machine's processors.
    pub topology: Topology,
    /// This machine's name.
    pub host: String,
    /// True for the name or address of a host that leads to this machine.
    pub leads_here: fn(&str) -> bool,
    /// Returns what `flux resource R` prints, or why it does not. Called in an instance of Flux
    /// alone.
    pub flux: Box<dyn Fn() -> Result<String, String>>,
    /// Where the installation lies that this launcher is part of.
    pub prefix: PathBuf,
}

impl World {
    /// Returns the world of this process.
    pub fn of_process() -> World {
        let own = std::env::current_exe().unwrap_or_default();
        World {
            // The launcher is `bin/mpirun` in it.
            prefix: own
                .ancestors()
                .nth(2)
                .map(PathBuf::from)
                .unwrap_or_default(),
            env: std::env::vars_os().collect(),
            topology: Topology::of_this_machine(),
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            leads_here: |_| false,
            flux: Box::new(|| Err("not run".to_string())),
        }
    }

    /// Returns a variable of the environment, as text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.env
            .get(OsStr::new(name))
            .map(|value| value.to_string_lossy().into_owned())
    }
}
