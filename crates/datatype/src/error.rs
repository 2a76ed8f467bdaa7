//! Errors of datatypes, counts and operations.

use std::fmt;

/// Why a datatype, a buffer or a reduction was refused. The fault is always the caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A count, block length, size or the like is below zero.
    Negative {
        /// The argument.
        what: &'static str,
        /// The value of the argument.
        value: i64,
    },
    /// A size, bound or extent does not fit 64 signed bits.
    Overflow {
        /// The quantity.
        what: &'static str,
    },
    /// Argument lists that belong together have different lengths.
    Lengths {
        /// The lists.
        what: &'static str,
        /// The length of the first.
        expected: usize,
        /// The length of the other.
        found: usize,
    },
    /// An argument is outside its range.
    Argument {
        /// The argument.
        what: &'static str,
        /// The value of the argument.
        value: i64,
        /// The condition that it violates.
        must: &'static str,
    },
    /// A message has more bytes than the receiving buffer; those that fitted were copied.
    Truncated {
        /// Bytes sent.
        bytes: usize,
        /// Bytes of room.
        room: usize,
    },
    /// A buffer is too small for the elements it should hold.
    Room {
        /// Bytes that the elements cover.
        needed: usize,
        /// Bytes there are.
        room: usize,
    },
    /// The operation needs a predefined datatype.
    NotPredefined {
        /// The name of the datatype.
        datatype: String,
    },
    /// The operation is not defined for the datatype (MPI 5.0, 6.9.2).
    NotAllowed {
        /// The operation, as MPI spells it.
        op: &'static str,
        /// The datatype, as MPI spells it.
        datatype: &'static str,
    },
    /// A value does not fit its external32 form.
    Conversion {
        /// The datatype, as MPI spells it.
        datatype: &'static str,
        /// The value.
        value: i128,
    },
    /// No predefined type has the asked precision or range.
    NoSuchKind {
        /// Decimal digits asked for, -1 when not given.
        precision: i64,
        /// Decimal exponent range asked for, -1 when not given.
        range: i64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Negative { what, value } => write!(f, "{what} is {value}, below zero"),
            Error::Overflow { what } => write!(f, "{what} does not fit 64 bits"),
            Error::Lengths {
                what,
                expected,
                found,
            } => {
                write!(
                    f,
                    "{what}: {expected} and {found} entries, which have to be as many"
                )
            }
            Error::Argument { what, value, must } => write!(f, "{what} is {value}, {must}"),
            Error::Truncated { bytes, room } => {
                write!(f, "message of {bytes} bytes for a buffer of {room}")
            }
            Error::Room { needed, room } => {
                write!(f, "elements cover {needed} bytes of a buffer of {room}")
            }
            Error::NotPredefined { datatype } => {
                write!(
                    f,
                    "datatype '{datatype}' is derived, a predefined one is needed"
                )
            }
            Error::NotAllowed { op, datatype } => write!(f, "{op} is not defined for {datatype}"),
            Error::Conversion { datatype, value } => {
                write!(f, "{datatype} of value {value} does not fit external32")
            }
            Error::NoSuchKind { precision, range } => {
                write!(
                    f,
                    "no type has {precision} digits and an exponent range of {range}"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

/// The product, or the overflow by name.
pub(crate) fn mul(a: i64, b: i64, what: &'static str) -> Result<i64, Error> {
    a.checked_mul(b).ok_or(Error::Overflow { what })
}

/// The sum, or the overflow by name.
pub(crate) fn add(a: i64, b: i64, what: &'static str) -> Result<i64, Error> {
    a.checked_add(b).ok_or(Error::Overflow { what })
}

/// The value, if it is not negative.
pub(crate) fn natural(value: i64, what: &'static str) -> Result<i64, Error> {
    if value < 0 {
        return Err(Error::Negative { what, value });
    }
    Ok(value)
}
