//! The conformance suite over the providers that need no network, and what only this transport
//! promises.
//!
//! Which library: the system's, and the one that the environment variable
//! `OXMPI_TEST_LIBFABRIC` names. Without them the tests say so and pass.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use base::PeerId;
use btl::conformance::{Death, Fixture};
use btl::Transport;
use ofi::Filter;

use crate::{Config, Mode, OpenError, Settings};

/// The library of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    /// Where the system has it.
    System,
    /// Where the environment says.
    Other,
}

/// Instances over one provider.
struct Over {
    which: Which,
    provider: &'static str,
    settings: Settings,
}

impl Over {
    fn library(&self) -> Option<PathBuf> {
        match self.which {
            Which::System => None,
            Which::Other => std::env::var_os("OXMPI_TEST_LIBFABRIC").map(PathBuf::from),
        }
    }

    fn open_one(&self, me: PeerId) -> Result<crate::Transport, OpenError> {
        static EPOCH: AtomicU32 = AtomicU32::new(1);
        let filter = Filter {
            library: self.library(),
            include: vec![self.provider.into()],
            exclude: Vec::new(),
        };
        crate::open(Config {
            me,
            local_rank: 0,
            epoch: EPOCH.fetch_add(1, Ordering::Relaxed),
            filter,
            settings: self.settings.clone(),
            monitor: None,
        })
    }

    /// Why the test cannot be made.
    fn lacks(&self) -> Option<String> {
        if self.which == Which::Other && self.library().is_none() {
            return Some("OXMPI_TEST_LIBFABRIC names no library".into());
        }
        self.open_one(PeerId(0))
            .err()
            .map(|error| error.to_string())
    }
}

impl Fixture for Over {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        let open = |index| match self.open_one(PeerId(index as u32)) {
            Ok(transport) => Box::new(transport) as Box<dyn Transport>,
            Err(error) => panic!("{error}"),
        };
        (0..n).map(open).collect()
    }

    fn boundaries(&self) -> Vec<usize> {
        vec![64, 255, 1256, 4096]
    }

    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        // Most providers only find out when they connect anew.
        drop(victim);
        Death::Unnoticed
    }

    fn patience_s(&self) -> u64 {
        120
    }
}

fn mode(mode: Mode) -> Settings {
    Settings {
        mode,
        ..Settings::default()
    }
}

macro_rules! suite {
    ($name:ident, $which:ident, $provider:expr, $settings:expr) => {
        mod $name {
            use super::*;
            btl::conformance_tests!(Over {
                which: Which::$which,
                provider: $provider,
                settings: $settings,
            });
        }
    };
}

suite!(tcp_rxm, System, "tcp;ofi_rxm", mode(Mode::Both));
suite!(shm, System, "shm", mode(Mode::Both));
suite!(udp_rxd, System, "udp;ofi_rxd", mode(Mode::Both));
suite!(sockets, System, "sockets", mode(Mode::Both));
