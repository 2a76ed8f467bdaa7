//! Words for the forms of an access: where it begins, which way bytes go, how it ends.

use std::sync::Arc;

use datatype::{Buffer, Datatype};

use crate::disk::Direction;

/// Start of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// The number of an etype of the view.
    At(i64),
    /// The individual file pointer, which moves.
    Individual,
    /// The shared file pointer, which moves.
    Shared,
    /// The shared file pointer, after the processes of lower ranks; collective.
    Ordered,
}

/// The elements of an access, and its direction.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// Direction: into memory, or out of it.
    pub direction: Direction,
    /// The elements.
    pub buffer: &'a Buffer,
    /// The datatype of the elements, which a buffer without gaps does not keep.
    pub datatype: &'a Arc<Datatype>,
}

/// The split collective that was begun on a file (MPI 5.0, 14.4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// The split collective reads.
    pub reads: bool,
    /// Its kind.
    pub kind: SplitKind,
}

/// The three kinds of split collectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The variants are parts of the names of the functions.
pub enum SplitKind {
    AtAll,
    All,
    Ordered,
}

impl Data<'_> {
    /// Returns the number of elements.
    pub(crate) fn count(&self) -> usize {
        match self.datatype.size() as usize {
            0 => 0,
            size => self.buffer.len() / size,
        }
    }
}
