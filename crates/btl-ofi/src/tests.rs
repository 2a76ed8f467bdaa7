//! The conformance suite over the providers that need no network, and what only this transport
//! promises.
//!
//! Which library: the system's, and the one that the environment variable
//! `OXMPI_TEST_LIBFABRIC` names. Without them the tests say so and pass.

mod help;
mod pace;
mod pieces;
mod verbs;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::{AmTag, Mutex, PeerId};
use btl::conformance::{Death, Fixture};
use btl::{
    Access, Error, Flow, Reach, RemoteRange, Rma, Sink, SleepKind, Started, Token, Transport,
};

use ofi::{Filter, Progress};

use crate::{Config, Mode, OpenError, Settings};

/// The library of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    /// The system's library.
    System,
    /// The library that the environment names.
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
        let filter = Filter {
            library: self.library(),
            include: vec![self.provider.into()],
            exclude: Vec::new(),
        };
        crate::open(Config {
            me,
            local_rank: 0,
            opening: None,
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
            Ok(transport) => transport,
            Err(error) => panic!("{error}"),
        };
        let transports = (0..n).map(open);
        let graveyard = (self.provider == "shm").then(Graveyard::default);
        let tame = |transport| {
            let (inner, graveyard) = (Some(transport), graveyard.clone());
            Box::new(Tame { inner, graveyard }) as Box<dyn Transport>
        };
        transports.map(tame).collect()
    }

    fn count_max(&self) -> usize {
        match self.settings.progress {
            Some(Progress::Auto) => 300,
            _ => usize::MAX,
        }
    }

    fn boundaries(&self) -> Vec<usize> {
        vec![64, 255, 1256, 4096, 4160, 8192, 12288, 16384]
    }

    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        // Most providers only find out when they connect anew.
        drop(victim);
        Death::Unnoticed
    }

    fn loops_back(&self) -> bool {
        true
    }

    fn sees_ends(&self) -> bool {
        self.settings.contexts == 1
    }

    fn patience_s(&self) -> u64 {
        120
    }
}

/// Where instances go that were dropped before the others of their world.
type Graveyard = Arc<Mutex<Vec<crate::Transport>>>;

/// An instance made fit for a suite whose instances live in one process.
///
/// `shm` reaches peers of the same process by their address, without a mapping of its own as
/// between processes, so the memory of one that ends must stay, as it does when a process ends:
/// the instance lives until the last of its world is dropped. A provider that works in threads of
/// its own needs the cores: an empty poll is followed by a rest.
struct Tame {
    inner: Option<crate::Transport>,
    graveyard: Option<Graveyard>,
}

impl Tame {
    fn inner(&mut self) -> &mut crate::Transport {
        self.inner.as_mut().expect("alive")
    }
}

impl Drop for Tame {
    fn drop(&mut self) {
        if let Some(graveyard) = &self.graveyard {
            graveyard.lock().extend(self.inner.take());
        }
    }
}

/// Finds the inner transport, for [`btl::forward!`].
macro_rules! inner {
    ([&] $self:ident $($call:tt)+) => { $self.inner.as_ref().expect("alive").$($call)+ };
    ([&mut] $self:ident $($call:tt)+) => { $self.inner().$($call)+ };
}

impl Transport for Tame {
    btl::forward!(
        inner:
        caps, address, add_peer, expect_foreign, add_foreign, remove_peer, hints, send,
        send_packed, flush, batch, is_kept, back_off, is_live, arm, disarm, close, rma, presence,
        carriage,
    );

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let reports = self.inner().progress(sink);
        if reports == 0 {
            self.inner().back_off();
        }
        reports
    }
}

fn mode(mode: Mode) -> Settings {
    Settings {
        mode,
        ..Settings::default()
    }
}

/// A suite. Every test asks first whether the provider is there.
macro_rules! suite {
    ($name:ident, $which:ident, $provider:expr, $settings:expr) => {
        mod $name {
            use super::*;

            fn fixture() -> Over {
                Over {
                    which: Which::$which,
                    provider: $provider,
                    settings: $settings,
                }
            }

            btl::conformance_tests!(fixture(), unless fixture().lacks());
        }
    };
}

/// A thread of the provider's moves data on. Few and short messages: it manages some hundred a
/// second.
fn threaded(mode: Mode) -> Settings {
    Settings {
        mode,
        progress: Some(Progress::Auto),
        eager_limit: 1024,
        max_send_size: 2064,
        ..Settings::default()
    }
}

/// Local memory registered although the provider does not ask.
fn registering(mode: Mode) -> Settings {
    Settings {
        mode,
        register_local: true,
        ..Settings::default()
    }
}

/// Sleeping on the provider's descriptor.
fn waiting(settings: Settings) -> Settings {
    Settings {
        wait_fd: true,
        ..settings
    }
}

/// The provider's keys, and addresses instead of offsets.
fn basic(settings: Settings) -> Settings {
    Settings {
        mr_mode: ofi::mr_mode::BASIC,
        ..settings
    }
}

/// Several transmit contexts.
fn several(settings: Settings) -> Settings {
    Settings {
        contexts: 3,
        ..settings
    }
}

fn standard(settings: Settings) -> Settings {
    Settings {
        scalable: false,
        ..settings
    }
}

/// One provider in its modes, by one library.
macro_rules! modes {
    ($which:ident, $provider:expr, $settings:expr) => {
        suite!(both, $which, $provider, $settings(Mode::Both));
        suite!(messages, $which, $provider, $settings(Mode::TwoSided));
        suite!(memory, $which, $provider, $settings(Mode::OneSided));
    };
}

mod system {
    use super::*;

    mod tcp_rxm {
        use super::*;
        modes!(System, "tcp;ofi_rxm", mode);
        suite!(local, System, "tcp;ofi_rxm", registering(Mode::Both));
        suite!(descriptor, System, "tcp;ofi_rxm", waiting(mode(Mode::Both)));
    }

    mod udp_rxd {
        use super::*;
        modes!(System, "udp;ofi_rxd", mode);
    }

    mod shm {
        use super::*;
        modes!(System, "shm", mode);
        suite!(local, System, "shm", registering(Mode::Both));
    }

    mod sockets {
        use super::*;
        modes!(System, "sockets", mode);
        suite!(standard, System, "sockets", standard(mode(Mode::Both)));
        suite!(several, System, "sockets", several(mode(Mode::Both)));
        suite!(basic, System, "sockets", basic(mode(Mode::Both)));
        suite!(thread, System, "sockets", threaded(Mode::Both));
        suite!(descriptor, System, "sockets", waiting(threaded(Mode::Both)));
    }

    mod verbs_rxm {
        use super::*;
        modes!(System, "verbs;ofi_rxm", mode);
    }
}

mod other {
    use super::*;

    mod tcp_rxm {
        use super::*;
        modes!(Other, "tcp;ofi_rxm", mode);
    }

    mod tcp {
        use super::*;
        modes!(Other, "tcp", mode);
    }

    mod udp_rxd {
        use super::*;
        modes!(Other, "udp;ofi_rxd", mode);
    }

    /// Memory alone: the messages of a newer `shm` run into wild pointers when their two ends
    /// share a process; among processes they do not.
    mod shm {
        use super::*;
        suite!(memory, Other, "shm", mode(Mode::OneSided));
    }

    mod sockets {
        use super::*;
        modes!(Other, "sockets", mode);
        suite!(standard, Other, "sockets", standard(mode(Mode::Both)));
    }
}
