//! The configuration with which the transport is opened.

use base::PeerId;
use ofi::Filter;

use crate::params::Settings;

/// The configuration with which the transport is opened.
#[derive(Clone, Debug)]
pub struct Config {
    /// This process.
    pub me: PeerId,
    /// Processes of the job.
    pub peers: usize,
    /// The position of this process among those of its node, by which devices are distributed.
    pub local_rank: usize,
    /// The providers that are allowed.
    pub filter: Filter,
    /// The parameters.
    pub settings: Settings,
    /// Whether only providers that match in hardware are suitable.
    pub only_hardware: bool,
    /// Whether this process sleeps while it waits, rather than polls.
    pub sleeps: bool,
}
