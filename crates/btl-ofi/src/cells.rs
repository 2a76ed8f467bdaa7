//! Registered memory for the words of atomic operations.
//!
//! A transfer that changes a word has the cell of its index in the table of transfers. Where a
//! transfer has ended and its operation has not, the provider may still write to the cell, so it is
//! abandoned, and the index gets another.

use memory::{Scratch, UserBuf};
use ofi::Mr;

/// Bytes of a cell: it shares its line with no other.
const CELL_BYTES: usize = 64;
/// Cells of one chunk.
const CHUNK: usize = 16;

/// Offsets of the words in a cell.
const OPERAND_AT: usize = 0;
const COMPARE_AT: usize = 8;
const RESULT_AT: usize = 16;

/// The cells of a transport.
#[derive(Default)]
pub(crate) struct Cells {
    /// The registrations before the memory: they end first.
    chunks: Vec<(Option<Mr>, Scratch)>,
    /// Cells by index of a transfer.
    cells: Vec<Cell>,
    /// Cells of the last chunk that no index has had.
    fresh: usize,
}

/// A cell of a chunk.
#[derive(Clone, Copy)]
struct Cell {
    /// Empty where the index is to get another cell.
    memory: UserBuf,
    chunk: usize,
}

impl Cells {
    /// Provides an index with a cell. `register` registers a new chunk with the provider, where it
    /// demands that.
    #[inline(always)]
    pub(crate) fn provide<E>(
        &mut self,
        index: usize,
        register: impl FnMut(UserBuf) -> Result<Option<Mr>, E>,
    ) -> Result<(), E> {
        let cell = self.cells.get(index);
        match cell.is_some_and(|cell| !cell.memory.is_empty()) {
            true => Ok(()),
            false => self.grow(index, register),
        }
    }

    #[cold]
    fn grow<E>(
        &mut self,
        index: usize,
        mut register: impl FnMut(UserBuf) -> Result<Option<Mr>, E>,
    ) -> Result<(), E> {
        while self.cells.len() <= index {
            let cell = self.draw(&mut register)?;
            self.cells.push(cell);
        }
        if self.cells[index].memory.is_empty() {
            self.cells[index] = self.draw(&mut register)?;
        }
        Ok(())
    }

    /// Returns a cell that no index has had.
    fn draw<E>(
        &mut self,
        register: &mut impl FnMut(UserBuf) -> Result<Option<Mr>, E>,
    ) -> Result<Cell, E> {
        if self.fresh == 0 {
            let memory = Scratch::new(CELL_BYTES * CHUNK);
            let mr = register(memory.buf())?;
            self.chunks.push((mr, memory));
            self.fresh = CHUNK;
        }
        self.fresh -= 1;
        let chunk = self.chunks.len() - 1;
        let memory = self.chunks[chunk].1.buf();
        let memory = memory.part(self.fresh * CELL_BYTES, CELL_BYTES);
        Ok(Cell { memory, chunk })
    }

    /// Returns the words of an index that has a cell, `len` bytes each, after storing the values of
    /// the first two.
    #[inline(always)]
    pub(crate) fn words(
        &self,
        index: usize,
        len: usize,
        (operand, compare): (u64, Option<u64>),
    ) -> ofi::AtomicOperands<'_> {
        let cell = &self.cells[index];
        cell.memory.write(OPERAND_AT, &operand.to_le_bytes());
        let compare = compare.map(|expected| {
            cell.memory.write(COMPARE_AT, &expected.to_le_bytes());
            cell.memory.part(COMPARE_AT, len)
        });
        ofi::AtomicOperands {
            operand: cell.memory.part(OPERAND_AT, len),
            compare,
            result: Some(cell.memory.part(RESULT_AT, len)),
            mr: self.chunks[cell.chunk].0.as_ref(),
        }
    }

    /// Returns the word's old value, `len` bytes (4 or 8).
    #[inline(always)]
    pub(crate) fn result(&self, index: usize, len: usize) -> UserBuf {
        self.cells[index].memory.part(RESULT_AT, len)
    }

    /// Abandons the cell of a transfer that ended before its operation: its late effects must not
    /// reach the next transfer of this index.
    pub(crate) fn abandon(&mut self, index: usize) {
        if let Some(cell) = self.cells.get_mut(index) {
            cell.memory = UserBuf::EMPTY;
        }
    }

    /// Ends the registrations.
    pub(crate) fn withdraw(&mut self) {
        self.chunks.iter_mut().for_each(|(mr, _)| *mr = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provided(cells: &mut Cells, index: usize) -> usize {
        let none = |_: UserBuf| Ok::<_, ()>(None);
        cells.provide(index, none).unwrap();
        let words = cells.words(index, 8, (index as u64, Some(7)));
        let (mut operand, mut compare) = ([0; 8], [0; 8]);
        words.operand.read(0, &mut operand);
        words.compare.unwrap().read(0, &mut compare);
        let stored = [operand, compare].map(u64::from_le_bytes);
        assert_eq!(stored, [index as u64, 7]);
        words.operand.address() as usize
    }

    #[test]
    fn each_index_has_a_line_of_its_own() {
        let mut cells = Cells::default();
        let mut starts: Vec<_> = [40, 3, 0, 39]
            .map(|index| provided(&mut cells, index))
            .into();
        assert_eq!(starts[1], provided(&mut cells, 3), "it keeps its cell");
        starts.sort_unstable();
        assert!(starts
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= CELL_BYTES));
        assert_eq!(cells.chunks.len(), 41usize.div_ceil(CHUNK));
    }

    #[test]
    fn an_abandoned_cell_is_never_used_again() {
        let mut cells = Cells::default();
        let before = provided(&mut cells, 1);
        cells.abandon(1);
        cells.abandon(100);
        let others: Vec<_> = (0..40).map(|index| provided(&mut cells, index)).collect();
        assert!(!others.contains(&before));
    }
}
