//! Words for the forms of an access: where it begins, which way bytes go, how it ends.

use std::sync::Arc;

use datatype::{Buffer, Datatype};

use crate::disk::Direction;

/// Where an access begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// At an etype of the view.
    At(i64),
    /// At the individual file pointer, which moves.
    Individual,
    /// At the shared file pointer, which moves.
    Shared,
    /// At the shared file pointer, after the processes of lower ranks; all processes call it.
    Ordered,
}

/// The elements of an access, and which way they go.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// Into memory, or out of it.
    pub direction: Direction,
    /// The elements.
    pub buffer: &'a Buffer,
    /// The datatype of the elements, which a buffer without gaps has forgotten.
    pub datatype: &'a Arc<Datatype>,
}

/// The split collective that a file is in the middle of (MPI 5.0, 14.4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Whether it reads.
    pub reads: bool,
    /// Where it begins, without the number.
    pub form: Form,
}

/// The three kinds of split collectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The variants are the words in the names of the functions.
pub enum Form {
    AtAll,
    All,
    Ordered,
}

impl Data<'_> {
    /// How many elements there are.
    pub(crate) fn count(&self) -> usize {
        match self.datatype.size() as usize {
            0 => 0,
            size => self.buffer.len() / size,
        }
    }
}
