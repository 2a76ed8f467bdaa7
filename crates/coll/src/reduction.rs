//! Combines the data of several ranks by a reduction operator.
//!
//! MPI defines `inout[i] = in[i] op inout[i]`, with `in` from the lower ranks (MPI 5.0, 6.9.1). An
//! operator that does not commute must see the ranks in order. The algorithms also keep the order
//! where two ranks both compute a sum, so that both get equal bits whatever the operator does.

use std::fmt;
use std::sync::Arc;

use datatype::{Buffer, Datatype, Vectors};
use memory::UserBuf;

use crate::data::copy;
use crate::{Error, Failure, Port, Signature};

/// A reduction function made by the application.
pub trait Combine: Send + Sync {
    /// Whether `a op b` is `b op a`.
    fn commutative(&self) -> bool;

    /// `inout[i] = source[i] op inout[i]` for `count` elements of `datatype`.
    ///
    /// Both ranges begin at the first byte of data of the first element, which is
    /// `datatype.true_lb()` past the address that MPI calls the buffer's.
    ///
    /// # Errors
    /// The function's own error; it ends the collective.
    fn combine(
        &self,
        datatype: &Datatype,
        source: UserBuf,
        inout: UserBuf,
        count: usize,
    ) -> Result<(), Failure>;
}

/// An operator.
#[derive(Clone)]
pub enum Operator {
    /// One of MPI's own, which all commute.
    Predefined(datatype::Op),
    /// One that the application made.
    User(Arc<dyn Combine>),
}

/// An operator and the datatype that it is applied to.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The operator that combines two elements.
    pub operator: Operator,
    /// The type of an element.
    pub datatype: Arc<Datatype>,
    /// The vector instructions for MPI's own operators.
    pub vectors: Vectors,
}

impl Signature {
    /// Adds the operator of a reduction; before the root.
    #[inline(always)]
    pub fn with_operator(self, reduction: &Reduction) -> Signature {
        self.with_op(match &reduction.operator {
            Operator::Predefined(op) => Some(*op),
            Operator::User(_) => None,
        })
    }
}

/// The order of another rank's data relative to the data it is combined with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The other data comes from lower ranks.
    Lower,
    /// The other data comes from higher ranks.
    Higher,
    /// The operator commutes and no other rank computes the same sum.
    Any,
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operator::Predefined(op) => write!(f, "{op:?}"),
            Operator::User(_) => f.write_str("a user-defined operator"),
        }
    }
}

impl Reduction {
    /// Whether the operator commutes.
    pub fn commutative(&self) -> bool {
        match &self.operator {
            Operator::Predefined(_) => true,
            Operator::User(combine) => combine.commutative(),
        }
    }

    /// Returns `Any` where order does not matter, else the side given.
    pub(crate) fn side(&self, side: Side) -> Side {
        if self.commutative() {
            Side::Any
        } else {
            side
        }
    }

    /// Allocates scratch memory for `count` elements.
    pub(crate) fn scratch(&self, port: &Port, count: usize) -> Buffer {
        let room = port.scratch(self.datatype.span_bytes(count));
        let buffer = Buffer::over(room, count, &self.datatype);
        buffer.expect("room for as many elements was just made")
    }

    /// Returns elements `first .. first + count` of a buffer of this datatype.
    pub(crate) fn part(&self, buffer: &Buffer, first: usize, count: usize) -> Buffer {
        match buffer.contiguous() {
            Some(memory) => {
                let size = self.datatype.size() as usize;
                Buffer::bytes(memory.part(first * size, count * size))
            }
            None => buffer.elements(first, count),
        }
    }

    /// Combines `inout = source op inout`.
    pub(crate) fn combine(
        &self,
        source: &Buffer,
        inout: &Buffer,
        count: usize,
    ) -> Result<(), Error> {
        if count == 0 {
            return Ok(());
        }
        let (source, inout) = (source.span(), inout.span());
        match &self.operator {
            Operator::Predefined(op) => self.reduce(*op, [source, inout], inout, count),
            Operator::User(user) => user
                .combine(&self.datatype, source, inout, count)
                .map_err(Error::Operator),
        }
    }

    /// Combines `out = a op b` by one of MPI's own operators; `out` may be either.
    fn reduce(
        &self,
        op: datatype::Op,
        operands: [UserBuf; 2],
        out: UserBuf,
        count: usize,
    ) -> Result<(), Error> {
        let (vectors, datatype) = (self.vectors, &self.datatype);
        Ok(datatype::reduce_with(
            vectors, op, datatype, operands, out, count,
        )?)
    }

    /// Combines `theirs` into `mine`; `theirs` is used up.
    pub(crate) fn absorb(
        &self,
        mine: &Buffer,
        theirs: &Buffer,
        count: usize,
        side: Side,
    ) -> Result<(), Error> {
        match (side, &self.operator) {
            (Side::Lower | Side::Any, _) => self.combine(theirs, mine, count),
            (Side::Higher, Operator::Predefined(op)) => {
                let (mine, theirs) = (mine.span(), theirs.span());
                self.reduce(*op, [mine, theirs], mine, count)
            }
            (Side::Higher, Operator::User(_)) => {
                self.combine(mine, theirs, count)?;
                copy(theirs, mine)
            }
        }
    }

    /// Combines `mine`, which is only read, into `theirs`.
    pub(crate) fn join(
        &self,
        port: &Port,
        mine: &Buffer,
        theirs: &Buffer,
        count: usize,
        side: Side,
    ) -> Result<(), Error> {
        match (side, &self.operator) {
            (Side::Higher | Side::Any, _) => self.combine(mine, theirs, count),
            (Side::Lower, Operator::Predefined(op)) => {
                let (mine, theirs) = (mine.span(), theirs.span());
                self.reduce(*op, [theirs, mine], theirs, count)
            }
            (Side::Lower, Operator::User(_)) => {
                let lower = self.scratch(port, count);
                copy(theirs, &lower)?;
                copy(mine, theirs)?;
                self.combine(&lower, theirs, count)
            }
        }
    }
}
