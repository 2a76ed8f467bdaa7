//! The predefined reduction operations, and the datatypes that each allows (MPI 5.0, 6.9.2).

use crate::basic::{Basic, Class};
use crate::constants::*;

/// A predefined operation; the values are the handles of the MPI ABI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
#[allow(missing_docs)] // The variants are the constants MPI_x.
pub enum Op {
    Sum = MPI_SUM,
    Min = MPI_MIN,
    Max = MPI_MAX,
    Prod = MPI_PROD,
    Band = MPI_BAND,
    Bor = MPI_BOR,
    Bxor = MPI_BXOR,
    Land = MPI_LAND,
    Lor = MPI_LOR,
    Lxor = MPI_LXOR,
    Minloc = MPI_MINLOC,
    Maxloc = MPI_MAXLOC,
    Replace = MPI_REPLACE,
    NoOp = MPI_NO_OP,
}

/// The first handle that an operation could have.
const FIRST: u32 = MPI_OP_NULL;

/// The operations by what their handles are past the first.
static BY_HANDLE: [Option<Op>; Op::HANDLES] = {
    let mut table = [None; Op::HANDLES];
    let mut at = 0;
    while at < Op::ALL.len() {
        table[(Op::ALL[at].handle() - FIRST) as usize] = Some(Op::ALL[at]);
        at += 1;
    }
    table
};

impl Op {
    /// Number of handles from the first that an operation could have to the last.
    pub(crate) const HANDLES: usize = 32;

    /// Every predefined operation.
    pub const ALL: [Op; 14] = [
        Op::Sum,
        Op::Min,
        Op::Max,
        Op::Prod,
        Op::Band,
        Op::Bor,
        Op::Bxor,
        Op::Land,
        Op::Lor,
        Op::Lxor,
        Op::Minloc,
        Op::Maxloc,
        Op::Replace,
        Op::NoOp,
    ];

    /// Returns the operation of an ABI handle value.
    #[inline]
    pub fn from_handle(handle: u32) -> Option<Op> {
        *BY_HANDLE.get(handle.wrapping_sub(FIRST) as usize)?
    }

    /// The ABI handle value.
    #[inline]
    pub const fn handle(self) -> u32 {
        self as u32
    }

    /// The name of the constant.
    pub fn name(self) -> &'static str {
        match self {
            Op::Sum => "MPI_SUM",
            Op::Min => "MPI_MIN",
            Op::Max => "MPI_MAX",
            Op::Prod => "MPI_PROD",
            Op::Band => "MPI_BAND",
            Op::Bor => "MPI_BOR",
            Op::Bxor => "MPI_BXOR",
            Op::Land => "MPI_LAND",
            Op::Lor => "MPI_LOR",
            Op::Lxor => "MPI_LXOR",
            Op::Minloc => "MPI_MINLOC",
            Op::Maxloc => "MPI_MAXLOC",
            Op::Replace => "MPI_REPLACE",
            Op::NoOp => "MPI_NO_OP",
        }
    }

    /// Whether the operation commutes (`MPI_Op_commutative`).
    pub fn commutative(self) -> bool {
        !matches!(self, Op::Replace | Op::NoOp)
    }

    /// Whether the operation is for one-sided accumulation only.
    #[inline]
    pub fn one_sided_only(self) -> bool {
        matches!(self, Op::Replace | Op::NoOp)
    }

    #[inline]
    pub(crate) const fn takes(self, row: &Basic) -> bool {
        use Class::*;
        match self {
            Op::Min | Op::Max => {
                matches!(row.class, CInteger | FortranInteger | Float | MultiLanguage)
            }
            Op::Sum | Op::Prod => {
                matches!(
                    row.class,
                    CInteger | FortranInteger | Float | Complex | MultiLanguage
                )
            }
            // MPI does not list the types of all languages here; every other library takes them.
            Op::Land | Op::Lor | Op::Lxor => {
                matches!(row.class, CInteger | Logical | MultiLanguage)
            }
            Op::Band | Op::Bor | Op::Bxor => {
                matches!(row.class, CInteger | FortranInteger | Byte | MultiLanguage)
            }
            Op::Minloc | Op::Maxloc => matches!(row.class, Pair),
            Op::Replace | Op::NoOp => true,
        }
    }
}
