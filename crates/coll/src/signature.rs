//! Call signatures: 16 bits by which processes detect that their collective calls differ.
//!
//! Ranks that name different roots or operators, or call different functions, exchange messages
//! that match nothing, and would wait for ever or combine what does not belong together. A driver
//! puts the code of a [`Signature`] where it costs nothing, in the tag of a collective's messages
//! or in shared memory, and reports a difference as a [`Mismatch`]. Lengths need no signature as
//! long as they choose the same algorithm: then a message is too short or too long.

use std::fmt;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A collective function. The forms that do not block count as the one that does.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Function {
            $($(#[$doc])* $name,)*
        }

        impl Function {
            const ALL: &'static [Function] = &[$(Function::$name,)*];

            /// The name of the function.
            pub fn name(self) -> &'static str {
                match self {
                    $(Function::$name => $text,)*
                }
            }
        }
    };
}

functions! {
    /// A barrier.
    Barrier = "MPI_Barrier",
    /// A broadcast.
    Bcast = "MPI_Bcast",
    /// A gather of equal blocks.
    Gather = "MPI_Gather",
    /// A gather of any blocks.
    Gatherv = "MPI_Gatherv",
    /// A scatter of equal blocks.
    Scatter = "MPI_Scatter",
    /// A scatter of any blocks.
    Scatterv = "MPI_Scatterv",
    /// An allgather of equal blocks.
    Allgather = "MPI_Allgather",
    /// An allgather of any blocks.
    Allgatherv = "MPI_Allgatherv",
    /// An exchange of equal blocks.
    Alltoall = "MPI_Alltoall",
    /// An exchange of any blocks.
    Alltoallv = "MPI_Alltoallv or MPI_Alltoallw",
    /// A reduction to one rank.
    Reduce = "MPI_Reduce",
    /// A reduction to all ranks.
    Allreduce = "MPI_Allreduce",
    /// A reduction dealt out in equal blocks.
    ReduceScatterBlock = "MPI_Reduce_scatter_block",
    /// A reduction dealt out in any blocks.
    ReduceScatter = "MPI_Reduce_scatter",
    /// An inclusive prefix reduction.
    Scan = "MPI_Scan",
    /// An exclusive prefix reduction.
    Exscan = "MPI_Exscan",
    /// An allgather among neighbours.
    NeighborAllgather = "MPI_Neighbor_allgather",
    /// An exchange among neighbours.
    NeighborAlltoall = "MPI_Neighbor_alltoall",
    /// Sent by a rank that met a mismatch, so that others do not wait for it.
    GaveUp = "nothing more, since another rank called differently",
}

/// Operators by their codes; the last are those of the application.
const OPERATORS: [&str; 15] = [
    "MPI_SUM",
    "MPI_MIN",
    "MPI_MAX",
    "MPI_PROD",
    "MPI_BAND",
    "MPI_BOR",
    "MPI_BXOR",
    "MPI_LAND",
    "MPI_LOR",
    "MPI_LXOR",
    "MPI_MINLOC",
    "MPI_MAXLOC",
    "MPI_REPLACE",
    "MPI_NO_OP",
    "an operation of the application",
];

const SHAPE_BITS: u32 = 3;
const OPERATOR_BITS: u32 = 4;
/// Bits besides those of the function, which has five.
const DETAIL_BITS: u32 = 11;
/// Odd, so that it can be undone; it puts the codes of similar calls far apart.
const SPREAD: u16 = 0x9e3b;
const GATHERED: u16 = inverse(SPREAD);

const fn inverse(odd: u16) -> u16 {
    // Each step doubles how many of the lowest bits are right; three are at first.
    let mut inverse = odd;
    let mut step = 0;
    while step < 4 {
        inverse = inverse.wrapping_mul(2u16.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// The part of a call that all ranks of a collective must agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    function: Function,
    root: Option<u32>,
    operator: Option<u8>,
    shape: u8,
}

impl Signature {
    /// Makes the signature of a function alone.
    #[inline(always)]
    pub fn new(function: Function) -> Signature {
        Signature {
            function,
            root: None,
            operator: None,
            shape: 0,
        }
    }

    /// Adds a root, of which only the lowest bits are stored.
    #[inline(always)]
    pub fn with_root(mut self, root: Option<u32>) -> Signature {
        self.root = root.map(|root| root & ((1 << self.root_bits()) - 1));
        self
    }

    /// Adds one of MPI's own operators, or a user operator; before the root.
    #[inline(always)]
    pub fn with_op(mut self, op: Option<datatype::Op>) -> Signature {
        self.operator = Some(op.map_or(USER, predefined));
        self
    }

    /// Whether it has a user operator.
    pub fn has_user_op(&self) -> bool {
        self.operator == Some(USER)
    }

    /// Adds a number below 8 that stands for the algorithm, where lengths decide about it.
    pub fn with_shape(mut self, shape: u8) -> Signature {
        self.shape = shape & ((1 << SHAPE_BITS) - 1);
        self
    }

    #[inline(always)]
    fn root_bits(&self) -> u32 {
        let taken = if self.reduces() { OPERATOR_BITS } else { 0 };
        DETAIL_BITS - SHAPE_BITS - taken
    }

    #[inline(always)]
    fn reduces(&self) -> bool {
        use Function::{Allreduce, Exscan, Reduce, ReduceScatter, ReduceScatterBlock, Scan};
        matches!(
            self.function,
            Reduce | Allreduce | ReduceScatter | ReduceScatterBlock | Scan | Exscan
        )
    }

    fn is_rooted(&self) -> bool {
        use Function::{Bcast, Gather, Gatherv, Reduce, Scatter, Scatterv};
        matches!(
            self.function,
            Bcast | Gather | Gatherv | Reduce | Scatter | Scatterv
        )
    }

    /// The function.
    pub fn function(&self) -> Function {
        self.function
    }

    /// Returns the code: never 0, and different for calls that differ in what it stores.
    #[inline(always)]
    pub fn code(&self) -> u16 {
        let function = self.function as u16 + 1;
        let mut detail = u16::from(self.shape);
        let mut shift = SHAPE_BITS;
        if self.reduces() {
            detail |= u16::from(self.operator.unwrap_or(0)) << shift;
            shift += OPERATOR_BITS;
        }
        detail |= (self.root.unwrap_or(0) as u16) << shift;
        (function << DETAIL_BITS | detail).wrapping_mul(SPREAD)
    }

    /// The signature of a code; `None` when it is not one.
    pub fn of_code(code: u16) -> Option<Signature> {
        let code = code.wrapping_mul(GATHERED);
        let function = (code >> DETAIL_BITS).checked_sub(1)?;
        let mut signature = Signature::new(*Function::ALL.get(function as usize)?);
        let detail = code & ((1 << DETAIL_BITS) - 1);
        signature.shape = (detail & ((1 << SHAPE_BITS) - 1)) as u8;
        let mut root = detail >> SHAPE_BITS;
        if signature.reduces() {
            let operator = (root & ((1 << OPERATOR_BITS) - 1)) as u8;
            OPERATORS.get(operator as usize)?;
            signature.operator = Some(operator);
            root >>= OPERATOR_BITS;
        }
        match signature.is_rooted() {
            true => signature.root = Some(u32::from(root)),
            false if root != 0 => return None,
            false => {}
        }
        Some(signature)
    }

    /// Writes the call in words, for a communicator of `ranks` ranks.
    fn describe(&self, ranks: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.name())?;
        let mut and = " with";
        if let Some(root) = self.root {
            write!(f, "{and} root {root}")?;
            if ranks > 1 << self.root_bits() {
                write!(f, " modulo {}", 1 << self.root_bits())?;
            }
            and = " and";
        }
        if let Some(operator) = self.operator {
            write!(f, "{and} {}", OPERATORS[operator as usize])?;
        }
        Ok(())
    }
}

/// The code of user operators.
const USER: u8 = OPERATORS.len() as u8 - 1;

fn predefined(op: datatype::Op) -> u8 {
    use datatype::Op;
    match op {
        Op::Sum => 0,
        Op::Min => 1,
        Op::Max => 2,
        Op::Prod => 3,
        Op::Band => 4,
        Op::Bor => 5,
        Op::Bxor => 6,
        Op::Land => 7,
        Op::Lor => 8,
        Op::Lxor => 9,
        Op::Minloc => 10,
        Op::Maxloc => 11,
        Op::Replace => 12,
        Op::NoOp => 13,
    }
}

/// The first difference between two calls that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The function.
    Function,
    /// The root.
    Root,
    /// The operator.
    Operator,
    /// The lengths, or the parameters of the library that choose algorithms.
    Length,
}

/// Two ranks that call differently where all must call alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The other rank, in words: it may be one of a remote group.
    pub peer: String,
    /// The other rank's call, with the root where that is known; `None` for a function that is not
    /// a collective of data, such as those that make communicators.
    pub theirs: Option<Signature>,
    /// This rank.
    pub rank: u32,
    /// This rank's call.
    pub ours: Option<Signature>,
    /// Number of ranks.
    pub ranks: u32,
}

impl Mismatch {
    /// Returns the first difference between the calls.
    pub fn difference(&self) -> Difference {
        let (Some(ours), Some(theirs)) = (self.ours, self.theirs) else {
            return Difference::Function;
        };
        if ours.function != theirs.function {
            Difference::Function
        } else if ours.root.is_some() && theirs.root.is_some_and(|root| ours.root != Some(root)) {
            Difference::Root
        } else if ours.operator != theirs.operator {
            Difference::Operator
        } else {
            Difference::Length
        }
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = |signature: Option<Signature>, f: &mut fmt::Formatter<'_>| match signature {
            Some(signature) => signature.describe(self.ranks, f),
            None => f.write_str("a function that makes or frees a communicator"),
        };
        write!(f, "{} calls ", self.peer)?;
        call(self.theirs, f)?;
        if self.difference() == Difference::Length {
            f.write_str(" of another length")?;
        }
        write!(f, ", and rank {} ", self.rank)?;
        call(self.ours, f)?;
        f.write_str(": all ranks of a communicator must make the same calls in the same order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn all() -> Vec<Signature> {
        let mut all = Vec::new();
        for &function in Function::ALL {
            for shape in 0..8 {
                let plain = Signature::new(function).with_shape(shape);
                let operators = if plain.reduces() { OPERATORS.len() } else { 1 };
                for operator in 0..operators {
                    let mut signature = plain;
                    signature.operator = plain.reduces().then_some(operator as u8);
                    let roots = if plain.is_rooted() {
                        1 << plain.root_bits()
                    } else {
                        1
                    };
                    for root in 0..roots {
                        let root = plain.is_rooted().then_some(root);
                        all.push(signature.with_root(root));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn every_call_has_a_code_of_its_own() {
        let all = all();
        let codes: HashSet<u16> = all.iter().map(Signature::code).collect();
        assert_eq!(codes.len(), all.len());
        assert!(!codes.contains(&0));
        for signature in all {
            assert_eq!(Signature::of_code(signature.code()), Some(signature));
        }
        assert_eq!(Signature::of_code(0), None);
    }

    #[test]
    fn a_mismatch_names_both_ranks_and_what_they_call() {
        let call = |root| Some(Signature::new(Function::Bcast).with_root(Some(root)));
        let mut mismatch = Mismatch {
            peer: "rank 2".into(),
            theirs: call(1),
            rank: 0,
            ours: call(0),
            ranks: 3,
        };
        assert_eq!(mismatch.difference(), Difference::Root);
        let text = mismatch.to_string();
        assert!(
            text.starts_with(
                "rank 2 calls MPI_Bcast with root 1, and rank 0 MPI_Bcast with root 0"
            ),
            "{text}"
        );
        mismatch.ours = Some(Signature::new(Function::Barrier));
        assert_eq!(mismatch.difference(), Difference::Function);
        mismatch.theirs = None;
        assert!(mismatch.to_string().contains("makes or frees"));
    }
}
