//! The conformance suite over shared memory in its different shapes.

use base::PeerId;
use btl::conformance::{Death, Fixture};
use btl::Transport;

use crate::params::Settings;
use crate::segment::CELL_PAYLOAD_BYTES;
use crate::Config;

/// Instances in one process; they reach each other as processes do, through `/proc/PID/fd`.
struct Here(Settings);

impl Fixture for Here {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        let config = |index| Config {
            me: PeerId(index as u32),
            settings: self.0.clone(),
        };
        let open = |index| crate::open(config(index)).expect("a segment");
        (0..n)
            .map(|index| Box::new(open(index)) as Box<dyn Transport>)
            .collect()
    }

    fn boundaries(&self) -> Vec<usize> {
        let half = self.0.ring_bytes / 2;
        vec![
            CELL_PAYLOAD_BYTES,
            2 * CELL_PAYLOAD_BYTES,
            half - 8,
            half,
            self.0.ring_bytes,
        ]
    }

    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        // A process that is killed says no goodbye and its segment stays as it was. That its
        // process is gone can only be seen of another process.
        std::mem::forget(victim);
        Death::Unnoticed
    }
}

/// As it is by default.
mod by_default {
    btl::conformance_tests!(super::Here(super::Settings::default()));
}

/// Rings at once, and as small as they can be: they wrap and are full all the time.
mod in_small_rings {
    use super::Settings;
    btl::conformance_tests!(super::Here(Settings {
        ring_bytes: 4096,
        ring_threshold: 0,
        ..Settings::default()
    }));
}

/// No ring for anybody: everything goes through the shared queue, cell by cell.
mod by_queue_alone {
    use super::Settings;
    btl::conformance_tests!(super::Here(Settings {
        ring_max: 0,
        queue_cells: 4,
        ..Settings::default()
    }));
}

/// Without reading each other's memory.
mod without_cma {
    use super::Settings;
    btl::conformance_tests!(super::Here(Settings {
        cma: false,
        ..Settings::default()
    }));
}
