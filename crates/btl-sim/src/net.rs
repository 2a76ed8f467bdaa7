//! The network as a scenario controls it: time, links, deaths.

use std::sync::Arc;

use base::{Clock, Instant, Mutex, MutexGuard, PeerId};

use crate::params::Config;
use crate::state::State;

/// A network of endpoints in one process. Copies of the value are the same network.
#[derive(Clone)]
pub struct Net(Arc<Mutex<State>>);

impl Net {
    /// A network without endpoints.
    pub fn new(config: Config) -> Net {
        Net(Arc::new(Mutex::new(State::new(config))))
    }

    /// Moves time to the next event and lets it happen, with all others of that moment.
    /// False when nothing is in flight: only the endpoints can go on.
    pub fn step(&self) -> bool {
        self.state().step()
    }

    /// Virtual time since the beginning.
    pub fn now(&self) -> Instant {
        self.state().now
    }

    /// A clock that shows virtual time.
    pub fn clock(&self) -> NetClock {
        NetClock(self.clone())
    }

    /// Ends a process without a shutdown message. Some of its messages arrive; then its peers learn
    /// of its end. Its memory is not touched from now on.
    pub fn kill(&self, victim: PeerId) {
        self.state().kill(victim);
    }

    /// Cuts the path between two endpoints. Each loses the other; all in flight is dropped.
    ///
    /// # Panics
    /// When one of them was never opened.
    pub fn cut(&self, a: PeerId, b: PeerId) {
        self.state().cut(a, b);
    }

    /// A number that depends on everything that happened so far: times, senders, receivers,
    /// bytes, outcomes.
    pub fn fingerprint(&self) -> u64 {
        self.state().fingerprint
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere is that test's failure; the state is consistent between events.
        self.0.lock()
    }
}

/// Virtual time.
#[derive(Clone)]
pub struct NetClock(Net);

impl Clock for NetClock {
    fn now(&self) -> Instant {
        self.0.now()
    }
}
