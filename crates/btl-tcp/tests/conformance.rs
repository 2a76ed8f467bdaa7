//! The transport conformance suite over the loopback interface.

use base::PeerId;
use btl::conformance::Fixture;
use btl::Transport;
use btl_tcp::{Config, Settings};

struct Tcp(Settings);

impl Fixture for Tcp {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        let config = |me: usize| Config {
            me: PeerId(me as u32),
            secret: [17; 32],
            job: 4711,
            one_host: false,
            settings: self.0.clone(),
        };
        let open = |me| btl_tcp::open(config(me)).expect("a transport");
        (0..n)
            .map(|me| Box::new(open(me)) as Box<dyn Transport>)
            .collect()
    }

    /// Where a frame fills the read-ahead buffer, alone or with others.
    fn boundaries(&self) -> Vec<usize> {
        let cache = self.0.endpoint_cache;
        vec![cache, cache - 16, cache - 32, cache / 2, cache / 2 - 16]
    }
}

fn loopback() -> Settings {
    Settings {
        if_include: vec!["lo".into()],
        ..Settings::default()
    }
}

mod by_default {
    use super::*;

    btl::conformance_tests!(Tcp(loopback()));
}

/// The smallest of everything, so that frames are cut in the middle and queues fill at once.
mod narrow {
    use super::*;

    btl::conformance_tests!(Tcp(Settings {
        endpoint_cache: 4096,
        max_send_size: 4096,
        eager_limit: 256,
        sndbuf: 4096,
        rcvbuf: 4096,
        ..loopback()
    }));
}

/// Encrypted, over several connections with each peer, and through small buffers.
mod protected {
    use super::*;

    btl::conformance_tests!(Tcp(Settings {
        encrypt: true,
        links: 3,
        sndbuf: 16 << 10,
        rcvbuf: 16 << 10,
        ..loopback()
    }));
}
