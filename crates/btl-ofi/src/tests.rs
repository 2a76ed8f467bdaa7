//! The conformance suite over the providers that need no network, and what only this transport
//! promises.
//!
//! Which library: the system's, and the one that the environment variable
//! `OXMPI_TEST_LIBFABRIC` names. Without them the tests say so and pass.

mod verbs;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use base::{AmTag, PeerId};
use btl::conformance::{Death, Fixture};
use btl::{
    Access, Atomic, Caps, Error, Flow, Reach, Registration, RemoteRange, Sink, SleepKind, Started,
    Token, Transport, Waker,
};
use memory::{Slot, UserBuf};
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
            Ok(transport) => transport,
            Err(error) => panic!("{error}"),
        };
        let transports = (0..n).map(open);
        if self.provider != "shm" {
            return transports.map(|one| Box::new(one) as Box<dyn Transport>).collect();
        }
        let graveyard = Graveyard::default();
        let lasting = |transport| {
            let (inner, graveyard) = (Some(transport), graveyard.clone());
            Box::new(Lasting { inner, graveyard }) as Box<dyn Transport>
        };
        transports.map(lasting).collect()
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

/// Where instances go that were dropped before the others of their world.
type Graveyard = Arc<Mutex<Vec<crate::Transport>>>;

/// An instance that lives until the last of its world is dropped. The provider `shm` reaches
/// peers of the same process by their address, without a mapping of its own as between
/// processes, so the memory of one that ends must stay, as it does when a process ends.
struct Lasting {
    inner: Option<crate::Transport>,
    graveyard: Graveyard,
}

impl Lasting {
    fn inner(&mut self) -> &mut crate::Transport {
        self.inner.as_mut().expect("alive")
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        let mut graveyard = self.graveyard.lock().unwrap();
        graveyard.extend(self.inner.take());
    }
}

impl Transport for Lasting {
    fn caps(&self) -> &Caps {
        self.inner.as_ref().expect("alive").caps()
    }

    fn address(&self) -> Vec<u8> {
        self.inner.as_ref().expect("alive").address()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        self.inner().add_peer(peer, address)
    }

    fn remove_peer(&mut self, peer: PeerId) {
        self.inner().remove_peer(peer);
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.inner().send(peer, tag, header, payload)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.inner().send_packed(peer, tag, header, len, pack)
    }

    fn register(&mut self, memory: UserBuf, access: Access) -> Result<Registration, Error> {
        self.inner().register(memory, access)
    }

    fn deregister(&mut self, registration: Registration) {
        self.inner().deregister(registration);
    }

    fn get(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.inner().get(peer, local, remote, token)
    }

    fn put(
        &mut self,
        peer: PeerId,
        local: UserBuf,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.inner().put(peer, local, remote, token)
    }

    fn atomic(
        &mut self,
        peer: PeerId,
        atomic: Atomic,
        result: Option<UserBuf>,
        remote: RemoteRange,
        token: Token,
    ) -> Result<Started, Error> {
        self.inner().atomic(peer, atomic, result, remote, token)
    }

    fn can_get(&self, peer: PeerId) -> bool {
        self.inner.as_ref().expect("alive").can_get(peer)
    }

    fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        self.inner().flush(peer)
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.inner().progress(sink)
    }

    fn is_live(&self) -> bool {
        self.inner.as_ref().expect("alive").is_live()
    }

    fn arm(&mut self, kind: SleepKind) -> Option<Waker> {
        self.inner().arm(kind)
    }

    fn disarm(&mut self) {
        self.inner().disarm();
    }

    fn close(&mut self) {
        self.inner().close();
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
