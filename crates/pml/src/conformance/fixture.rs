//! The interface by which the suite opens the layer under test.

use crate::Pml;

/// How a layer is tested.
pub trait Fixture {
    /// The layer.
    type Layer: Pml;

    /// Opens `n` instances that can reach each other; instance `i` is `PeerId(i)`. They have not
    /// been introduced to each other.
    fn open(&mut self, n: usize) -> Vec<Self::Layer>;

    /// Moves the time of a simulation between rounds of progress.
    fn tick(&mut self);

    /// Ends an instance as a crash of its process would, so that its peers notice.
    fn kill(&mut self, victim: usize);

    /// Returns message lengths around which the layer changes its protocol; 0, 1 and some powers
    /// of two are tested anyway.
    fn boundaries(&self) -> Vec<usize>;
}
