//! Numbers that processes exchange in collectives of the library's own.

use datatype::Buffer;
use memory::Scratch;

/// Numbers that processes exchange, as bytes.
pub(crate) struct Numbers(pub(crate) Scratch);

impl Numbers {
    pub(crate) fn new(count: usize) -> Numbers {
        Numbers(Scratch::new(count * 8))
    }

    pub(crate) fn of(values: &[u64]) -> Numbers {
        let numbers = Numbers::new(values.len());
        for (at, value) in values.iter().enumerate() {
            numbers.set(at, *value);
        }
        numbers
    }

    pub(crate) fn set(&self, at: usize, value: u64) {
        self.0.buf().write(at * 8, &value.to_le_bytes());
    }

    pub(crate) fn get(&self, at: usize) -> u64 {
        let mut bytes = [0; 8];
        self.0.buf().read(at * 8, &mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Returns all numbers, in rows of `width`.
    pub(crate) fn rows(&self, width: usize) -> Vec<Vec<u64>> {
        let rows = self.0.buf().len() / 8 / width.max(1);
        let row = |row| (0..width).map(|at| self.get(row * width + at)).collect();
        (0..rows).map(row).collect()
    }

    /// Returns all numbers.
    pub(crate) fn all(&self) -> Vec<u64> {
        (0..self.0.buf().len() / 8).map(|at| self.get(at)).collect()
    }

    pub(crate) fn buffer(&self) -> Buffer {
        Buffer::bytes(self.0.buf())
    }
}
