//! The transport conformance suite over transports whose missing operations are emulated by active
//! messages.

use std::sync::Arc;

use base::PeerId;
use btl::conformance::{Death, Fixture, Tick};
use btl::Transport;
use btl_sim::{Config, Gets, Net};

use transport::Emulated;

mod transport;

/// A simulated network that can do what its configuration says, and the rest emulated.
struct Simulated {
    config: Config,
    net: Net,
}

impl Simulated {
    fn new(config: Config) -> Simulated {
        let net = Net::new(config.clone());
        Simulated { config, net }
    }
}

impl Fixture for Simulated {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        self.net = Net::new(self.config.clone());
        let open = |id| filled(self.net.open(PeerId(id)));
        (0..n as u32).map(open).collect()
    }

    fn count_max(&self) -> usize {
        // Each message into a queue of one may wait for the other thread's slice.
        match self.config.queue_messages_max {
            1 => 2000,
            _ => usize::MAX,
        }
    }

    fn tick(&self) -> Tick {
        let net = self.net.clone();
        Arc::new(move || net.step())
    }
}

/// Shared memory between instances of one process.
struct Sm {
    /// Whether the system lets processes reach each other's memory.
    cma: bool,
}

impl Fixture for Sm {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        let without = (!self.cma).then(|| ("smsc".to_string(), "^cma".to_string()));
        let none = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
        let sources = mca::Sources::new("/", none).with_command_line(without);
        let registry = mca::Registry::load(&[btl_sm::PARAMS], &sources).expect("parameters");
        let open = |id| {
            let config = btl_sm::Config::new(PeerId(id), &registry).expect("parameters");
            filled(btl_sm::open(config).expect("a segment"))
        };
        (0..n as u32).map(open).collect()
    }

    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        // A process that is killed sends no shutdown message, and its segment stays as it was.
        std::mem::forget(victim);
        Death::Unnoticed
    }
}

/// TCP over the loopback interface.
struct Tcp;

impl Fixture for Tcp {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        let settings = btl_tcp::Settings {
            if_include: vec!["lo".into()],
            ..Default::default()
        };
        let config = |id| btl_tcp::Config {
            me: PeerId(id),
            secret: [23; 32],
            job: 5,
            one_host: false,
            settings: settings.clone(),
        };
        let open = |id| filled(btl_tcp::open(config(id)).expect("a transport"));
        (0..n as u32).map(open).collect()
    }
}

/// A process and itself.
struct Alone;

impl Fixture for Alone {
    fn open(&mut self, _: usize) -> Vec<Box<dyn Transport>> {
        vec![filled(btl_self::open(PeerId(0)))]
    }

    fn instances_max(&self) -> usize {
        1
    }
}

fn filled(transport: impl Transport + 'static) -> Box<dyn Transport> {
    Box::new(Emulated::new(Box::new(transport)))
}

/// A network of messages alone.
fn messages_alone(seed: u64) -> Config {
    Config {
        gets: Gets::None,
        puts: false,
        ..Config::of(seed)
    }
}

mod messages_in_order {
    btl::conformance_tests!(super::Simulated::new(super::messages_alone(1)));
}

mod messages_out_of_order {
    use btl_sim::Config;

    btl::conformance_tests!(super::Simulated::new(Config {
        ordered: false,
        straggler_percent: 20,
        ..super::messages_alone(2)
    }));
}

/// Queues of one message, often busy, and small messages: everything waits for room.
mod messages_with_little_room {
    use btl_sim::Config;

    btl::conformance_tests!(super::Simulated::new(Config {
        queue_messages_max: 1,
        busy_percent: 40,
        max_send_size: 1000,
        eager_limit: 200,
        ..super::messages_alone(3)
    }));
}

/// Gets for some pairs only, no puts.
mod gets_for_some_pairs {
    use btl_sim::{Config, Gets};

    btl::conformance_tests!(super::Simulated::new(Config {
        gets: Gets::Pairs(50),
        puts: false,
        ..Config::of(4)
    }));
}

mod sm {
    btl::conformance_tests!(super::Sm { cma: true });
}

mod sm_without_cma {
    btl::conformance_tests!(super::Sm { cma: false });
}

mod tcp {
    btl::conformance_tests!(super::Tcp);
}

mod loopback {
    btl::conformance_tests!(super::Alone);
}
