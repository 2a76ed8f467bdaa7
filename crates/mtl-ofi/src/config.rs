//! How the transport is opened.

use base::PeerId;
use ofi::Filter;

use crate::params::Settings;

/// How the transport is opened.
#[derive(Clone, Debug)]
pub struct Config {
    /// This process.
    pub me: PeerId,
    /// Processes of the job.
    pub peers: usize,
    /// Its position among the processes of its node, for sharing out devices.
    pub local_rank: usize,
    /// Which providers are admitted.
    pub filter: Filter,
    /// The parameters.
    pub settings: Settings,
    /// Whether only providers will do that match in hardware.
    pub only_hardware: bool,
    /// Whether this process will sleep while it waits, rather than poll.
    pub sleeps: bool,
}
