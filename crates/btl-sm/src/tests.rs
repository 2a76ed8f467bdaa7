//! The conformance suite over shared memory with different settings.

mod broken;

use std::sync::Arc;

use base::PeerId;
use btl::conformance::{Death, Fixture};
use btl::Transport;
use mca::{ComponentList, Framework};

use crate::params::Settings;
use crate::segment::CELL_PAYLOAD_BYTES;
use crate::smsc::fake::Fake;
use crate::smsc::{self, Kernel, System};
use crate::Config;

/// Instances in one process; they reach each other as processes do, through `/proc/PID/fd`.
struct Here {
    settings: Settings,
    system: Arc<dyn System>,
    attach_late: bool,
    crowded: bool,
}

impl Here {
    fn new(settings: Settings) -> Here {
        Here {
            settings,
            system: Arc::new(Kernel),
            attach_late: false,
            crowded: false,
        }
    }

    /// Peers are attached when something is first sent to them, and all share few cores.
    fn attaching_late() -> Here {
        Here {
            attach_late: true,
            crowded: true,
            ..Here::new(Settings::default())
        }
    }

    /// Uses these single-copy components, on a machine that has the devices.
    fn copying_by(list: &str) -> Here {
        let mut settings = Settings::default();
        settings.smsc = smsc::Settings {
            wanted: ComponentList::parse(Framework::Smsc, list, smsc::COMPONENTS).expect("a list"),
            off: None,
            knem_dma_min: 10_000,
            xpmem_attachments_max: 2,
            xpmem_log_align: 12,
            ..settings.smsc
        };
        let fake = Fake::default();
        fake.world().features = 1;
        Here {
            settings,
            system: Arc::new(fake),
            attach_late: false,
            crowded: false,
        }
    }
}

impl Fixture for Here {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        let config = |index| Config {
            me: PeerId(index as u32),
            generation: 0,
            attach_late: self.attach_late,
            crowded: self.crowded,
            settings: self.settings.clone(),
            system: self.system.clone(),
        };
        let open = |index| crate::open(config(index)).expect("a segment");
        (0..n)
            .map(|index| Box::new(open(index)) as Box<dyn Transport>)
            .collect()
    }

    fn boundaries(&self) -> Vec<usize> {
        let half = self.settings.ring_bytes / 2;
        vec![
            CELL_PAYLOAD_BYTES,
            2 * CELL_PAYLOAD_BYTES,
            half - 8,
            half,
            self.settings.ring_bytes,
        ]
    }

    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        // A process that is killed does not close, and its segment stays as it was. That its
        // process is gone can only be seen of another process.
        std::mem::forget(victim);
        Death::Unnoticed
    }
}

/// The default configuration.
mod by_default {
    btl::conformance_tests!(super::Here::new(super::Settings::default()));
}

/// The configuration in a job of our own launcher.
mod attaching_late {
    btl::conformance_tests!(super::Here::attaching_late());
}

/// Rings at once, and as small as they can be: they wrap and are full all the time.
mod in_small_rings {
    use super::Settings;
    btl::conformance_tests!(super::Here::new(Settings {
        ring_bytes: 4096,
        ring_threshold: 0,
        ..Settings::default()
    }));
}

/// No rings: everything goes through the shared queue, cell by cell.
mod by_queue_alone {
    use super::Settings;
    btl::conformance_tests!(super::Here::new(Settings {
        ring_max: 0,
        queue_cells: 4,
        ..Settings::default()
    }));
}

/// Taking turns in few blocks, which most messages fit.
mod in_blocks {
    use super::Settings;
    btl::conformance_tests!(super::Here::new(Settings {
        eager_part: 4096,
        block_min: 256,
        block_turn_min: 256,
        blocks_bytes: 5 * 4160,
        ring_threshold: 0,
        ..Settings::default()
    }));
}

/// No access to each other's memory.
mod without_single_copies {
    btl::conformance_tests!(super::Here::copying_by("none"));
}

/// Copies by mapping each other's memory.
mod by_xpmem {
    btl::conformance_tests!(super::Here::copying_by("xpmem"));
}

/// Copies by regions that the kernel knows.
mod by_knem {
    btl::conformance_tests!(super::Here::copying_by("knem"));
}
