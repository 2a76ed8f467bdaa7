//! Selection of predefined datatypes by size, precision or component types (MPI 5.0, 5.1.14 and
//! 19.1.9).

use std::sync::Arc;

use crate::basic::{basic, Basic, BASICS};
use crate::combiner::Combiner;
use crate::datatype::Contents;
use crate::error::Error;
use crate::type_map::TypeMap;
use crate::{predefined, Datatype};

/// The type classes of `MPI_Type_match_size`; the values are those of the MPI ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
#[allow(missing_docs)] // The variants are the constants MPI_TYPECLASS_x.
pub enum TypeClass {
    Logical = 191,
    Integer = 192,
    Real = 193,
    Complex = 194,
}

impl TypeClass {
    /// Returns the name of the ABI constant of the class.
    pub fn name(self) -> &'static str {
        match self {
            TypeClass::Logical => "MPI_TYPECLASS_LOGICAL",
            TypeClass::Integer => "MPI_TYPECLASS_INTEGER",
            TypeClass::Real => "MPI_TYPECLASS_REAL",
            TypeClass::Complex => "MPI_TYPECLASS_COMPLEX",
        }
    }

    /// Returns the class of an ABI constant; `None` for other values.
    pub fn from_constant(value: i32) -> Option<TypeClass> {
        [
            TypeClass::Logical,
            TypeClass::Integer,
            TypeClass::Real,
            TypeClass::Complex,
        ]
        .into_iter()
        .find(|class| *class as i32 == value)
    }
}

/// Returns the Fortran type of a class with `size` bytes (`MPI_Type_match_size`); `None` if MPI has
/// none.
pub fn match_size(class: TypeClass, size: i64) -> Option<&'static Arc<Datatype>> {
    if !(1..=32).contains(&size) || size.count_ones() != 1 {
        return None;
    }
    predefined(sized(class, size))
}

/// Returns the handle of a Fortran type of fixed size; the ABI encodes size and class in it.
fn sized(class: TypeClass, size: i64) -> u32 {
    0x2c0 | size.trailing_zeros() << 3 | (class as u32 - TypeClass::Logical as u32)
}

/// Returns the pair type of a value type and an index type (`MPI_Type_get_value_index`); `None` if
/// MPI has none.
pub fn value_index(value: &Datatype, index: &Datatype) -> Option<&'static Arc<Datatype>> {
    let halves = [value.predefined()?.handle, index.predefined()?.handle];
    let row = BASICS.iter().find(|row| row.halves() == Some(halves))?;
    predefined(row.handle)
}

/// Bytes, decimal digits and decimal exponent range of the real kinds.
const REALS: [(i64, i64, i64); 3] = [(4, 6, 37), (8, 15, 307), (16, 33, 4931)];

/// Bytes and decimal digits of the integer kinds.
const INTEGERS: [(i64, i64); 5] = [(1, 2), (2, 4), (4, 9), (8, 18), (16, 38)];

impl Datatype {
    /// Returns the type of Fortran's `selected_real_kind(precision, range)`, already committed.
    /// `undefined` (`MPI_UNDEFINED`) stands for an argument that is not given. The caller returns
    /// one handle for equal arguments.
    pub fn f90_real(precision: i64, range: i64, undefined: i64) -> Result<Datatype, Error> {
        let size = real_size(precision, range, undefined)?;
        let handle = sized(TypeClass::Real, size);
        Ok(chosen(handle, Combiner::F90Real, vec![precision, range]))
    }

    /// Returns the complex type of Fortran's `selected_real_kind(precision, range)`; see
    /// [`Datatype::f90_real`].
    pub fn f90_complex(precision: i64, range: i64, undefined: i64) -> Result<Datatype, Error> {
        let size = real_size(precision, range, undefined)?;
        let handle = sized(TypeClass::Complex, size * 2);
        Ok(chosen(handle, Combiner::F90Complex, vec![precision, range]))
    }

    /// Returns the type of Fortran's `selected_int_kind(range)`; see [`Datatype::f90_real`].
    pub fn f90_integer(range: i64) -> Result<Datatype, Error> {
        let found = INTEGERS.iter().find(|(_, digits)| range <= *digits);
        let (size, _) = found.ok_or(Error::NoSuchKind {
            precision: -1,
            range,
        })?;
        Ok(chosen(
            sized(TypeClass::Integer, *size),
            Combiner::F90Integer,
            vec![range],
        ))
    }
}

fn real_size(precision: i64, range: i64, undefined: i64) -> Result<i64, Error> {
    let given = |value: i64| if value == undefined { -1 } else { value };
    let (precision, range) = (given(precision), given(range));
    let fits =
        |(_, digits, exponent): &&(i64, i64, i64)| precision <= *digits && range <= *exponent;
    let nothing_given = precision == -1 && range == -1;
    let found = REALS.iter().find(fits).filter(|_| !nothing_given);
    found
        .map(|kind| kind.0)
        .ok_or(Error::NoSuchKind { precision, range })
}

fn chosen(handle: u32, combiner: Combiner, integers: Vec<i64>) -> Datatype {
    let row: &'static Basic = basic(handle).expect("the kinds listed here are in the table");
    let contents = Contents::new(combiner, integers, vec![], vec![]);
    Datatype::stands_for(row, TypeMap::basic(row), contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_halves_find_their_types() {
        let name = |found: Option<&Arc<Datatype>>| found.map(|datatype| datatype.name());
        assert_eq!(name(match_size(TypeClass::Real, 8)).unwrap(), "MPI_REAL8");
        assert_eq!(
            name(match_size(TypeClass::Complex, 32)).unwrap(),
            "MPI_COMPLEX32"
        );
        assert_eq!(
            name(match_size(TypeClass::Integer, 1)).unwrap(),
            "MPI_INTEGER1"
        );
        assert_eq!(
            name(match_size(TypeClass::Logical, 16)).unwrap(),
            "MPI_LOGICAL16"
        );
        assert_eq!(name(match_size(TypeClass::Real, 1)), None);
        assert_eq!(name(match_size(TypeClass::Integer, 3)), None);
        assert_eq!(name(match_size(TypeClass::Integer, i64::MIN)), None);
        let [int, short] = [0x209, 0x208].map(|handle| predefined(handle).unwrap());
        assert_eq!(name(value_index(short, int)).unwrap(), "MPI_SHORT_INT");
        assert_eq!(name(value_index(int, short)), None);
    }

    #[test]
    fn digits_and_ranges_choose_the_smallest_kind() {
        const UNDEFINED: i64 = -32766;
        let real = |p, r| Datatype::f90_real(p, r, UNDEFINED);
        assert_eq!(real(6, 37).unwrap().size(), 4);
        assert_eq!(real(7, UNDEFINED).unwrap().size(), 8);
        assert_eq!(real(UNDEFINED, 308).unwrap().size(), 16);
        assert_eq!(
            real(34, 1).unwrap_err(),
            Error::NoSuchKind {
                precision: 34,
                range: 1
            }
        );
        assert!(real(UNDEFINED, UNDEFINED).is_err());
        let complex = Datatype::f90_complex(15, 307, UNDEFINED).unwrap();
        assert_eq!(complex.predefined().unwrap().name, "MPI_COMPLEX16");
        assert_eq!(complex.contents().integers, [15, 307]);
        assert_eq!(complex.contents().combiner, Combiner::F90Complex);
        assert!(complex.is_committed());
        assert_eq!(Datatype::f90_integer(5).unwrap().size(), 4);
        assert!(Datatype::f90_integer(39).is_err());
    }
}
