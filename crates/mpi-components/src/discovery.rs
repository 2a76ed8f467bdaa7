//! [`Discovered`]: devices and caches that components report while they are opened.

use std::cell::RefCell;
use std::sync::Arc;

use base::Registrations;

use crate::explain::Device;

/// Devices and caches that the opened components report.
#[derive(Default)]
pub struct Discovered {
    /// The devices of libfabric that are in use.
    pub devices: RefCell<Vec<Device>>,
    /// The counts of caches of registered memory.
    pub registrations: RefCell<Vec<Arc<Registrations>>>,
}

impl Discovered {
    /// Adds the counts of a component's caches.
    pub fn count<'a>(&self, caches: impl IntoIterator<Item = &'a Arc<Registrations>>) {
        self.registrations
            .borrow_mut()
            .extend(caches.into_iter().cloned());
    }
}

/// Whether this machine has a device that can match messages in hardware; libfabric is not loaded
/// where it has none.
pub fn may_match_in_hardware() -> bool {
    ["/sys/class/hfi1", "/sys/class/cxi", "/sys/class/infiniband"]
        .iter()
        .any(|class| std::fs::read_dir(class).is_ok_and(|mut devices| devices.next().is_some()))
        || std::path::Path::new("/dev/kgni0").exists()
}
