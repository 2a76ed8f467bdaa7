//! The point-to-point conformance suite over simulated networks of several kinds.

use base::PeerId;
use bml::Bml;
use btl_sim::{Config, Net};
use pml::conformance::Fixture;
use sync::Patience;
use vprotocol_trace::Trace;

use super::{Ob1, Settings};

/// Instances over a simulated network.
struct Simulated {
    config: Config,
    net: Net,
    /// Whether each instance knows which peer it is, so that messages to itself take no lane.
    knows_itself: bool,
    unexpected_limit: u64,
}

impl Simulated {
    fn over(config: Config) -> Simulated {
        Simulated {
            net: Net::new(config.clone()),
            config,
            knows_itself: true,
            unexpected_limit: 1 << 20,
        }
    }
}

/// Instances over a simulated network, each with the layer `trace` over it.
struct Traced(Simulated);

impl Fixture for Traced {
    type Layer = Trace<Ob1>;

    fn open(&mut self, n: usize) -> Vec<Trace<Ob1>> {
        let layers = self.0.open(n).into_iter();
        layers.map(|layer| Trace::over(layer, false)).collect()
    }

    fn tick(&mut self) {
        self.0.tick();
    }

    fn kill(&mut self, victim: usize) {
        self.0.kill(victim);
    }

    fn boundaries(&self) -> Vec<usize> {
        self.0.boundaries()
    }
}

impl Fixture for Simulated {
    type Layer = Ob1;

    fn open(&mut self, n: usize) -> Vec<Ob1> {
        self.net = Net::new(self.config.clone());
        let open = |me| {
            let settings = Settings {
                peers: n,
                own: self.knows_itself.then_some(PeerId(me)),
                unexpected_limit: self.unexpected_limit,
                patience: Patience::measure(1, 1),
            };
            let transport = Box::new(self.net.open(PeerId(me)));
            Ob1::new(Bml::new(vec![transport]), &settings)
        };
        (0..n as u32).map(open).collect()
    }

    fn tick(&mut self) {
        self.net.step();
    }

    fn kill(&mut self, victim: usize) {
        self.net.kill(PeerId(victim as u32));
    }

    fn boundaries(&self) -> Vec<usize> {
        let config = &self.config;
        let mut boundaries = vec![config.eager_limit - ob1::wire::EAGER_ACK_BYTES];
        boundaries.push(config.max_send_size - ob1::wire::FRAGMENT_BYTES);
        boundaries.extend(config.cut.map(|cut| cut.part));
        boundaries.extend(config.cut.map(|cut| cut.longest));
        boundaries
    }
}

mod ordered {
    use btl_sim::Config;

    pml::conformance_tests!(super::Simulated::over(Config::of(1)));
}

/// Lanes that let messages overtake each other, and cannot read a peer's memory.
mod unordered {
    use btl_sim::{Config, Gets};

    pml::conformance_tests!(super::Simulated::over(Config {
        ordered: false,
        gets: Gets::None,
        ..Config::of(2)
    }));
}

/// Long eager messages are cut, rendezvous messages have an eager prefix, lanes hold what they
/// took, and some reads are refused.
mod cut {
    use btl_sim::{Config, Gets};

    pml::conformance_tests!(super::Simulated::over(Config {
        cut: Some(btl::Cut {
            part: 512,
            longest: 8 << 10,
        }),
        rndv_eager_limit: 2048,
        keeps: true,
        gets: Gets::Failing(50),
        ..Config::of(3)
    }));
}

/// The window of unmatched bytes is used up soon, and messages of a process to itself take its
/// lane.
mod narrow {
    use btl_sim::Config;

    use super::Simulated;

    pml::conformance_tests!(Simulated {
        knows_itself: false,
        unexpected_limit: 8 << 10,
        ..Simulated::over(Config::of(4))
    });
}

/// A layer over the layer keeps the contract.
mod traced {
    use btl_sim::Config;

    use super::{Simulated, Traced};

    pml::conformance_tests!(Traced(Simulated::over(Config::of(5))));
}
