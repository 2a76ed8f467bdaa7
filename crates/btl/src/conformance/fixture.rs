//! The fixture: facts about a transport that the suite needs.

use std::sync::Arc;

use crate::Transport;

/// The effect on peers when an instance ends without a shutdown message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Death {
    /// Its peers find out by themselves: they report it, and everything accepted completes.
    Noticed,
    /// The transport cannot know by itself: operations may stay under way until the layer above
    /// removes the peer. They still never block and never panic.
    Unnoticed,
}

/// Moves a simulation's time to its next event; false where nothing is in flight, or time is real.
pub type Tick = Arc<dyn Fn() -> bool + Send + Sync>;

/// How a transport is tested.
pub trait Fixture {
    /// Opens `n` instances that can reach each other; instance `i` is `PeerId(i)`. They have
    /// not been introduced to each other.
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>>;

    /// Most instances that can be joined; 1 for a transport that only reaches itself. With 1,
    /// the properties of pairs are checked between the instance and itself.
    fn instances_max(&self) -> usize {
        8
    }

    /// Message lengths (header and payload) around which something changes inside: ends of a
    /// ring, fast boxes, fragments. Line ends, powers of two and the limits of
    /// [`crate::Caps`] are tested anyway.
    fn boundaries(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Most messages of a long exchange: fewer for a transport that manages few per second.
    fn count_max(&self) -> usize {
        usize::MAX
    }

    /// Returns a function to call between rounds of progress.
    fn tick(&self) -> Tick {
        Arc::new(|| false)
    }

    /// Ends an instance as a crash of its process would, as far as one process can imitate it.
    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        drop(victim);
        Death::Noticed
    }

    /// Whether an instance with atomic operations changes words of its own by them too
    /// (`Rma::loop_back`).
    fn loops_back(&self) -> bool {
        false
    }

    /// Whether single operations can be polled for (`Rma::poll_for`).
    fn sees_ends(&self) -> bool {
        false
    }

    /// Seconds after which a wait times out.
    fn patience_s(&self) -> u64 {
        30
    }
}
