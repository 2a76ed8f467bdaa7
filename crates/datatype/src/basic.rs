//! The predefined datatypes of the MPI ABI, as one table.
//!
//! Handle values, sizes and classes are those of MPI 5.0, chapter 20 and annex A, for 64-bit
//! Linux; Fortran kinds are those of the common compilers (default INTEGER, REAL and LOGICAL of
//! 4 bytes).

use crate::constants;

/// The group that a predefined datatype belongs to when operations are checked
/// (MPI 5.0, 6.9.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// C integers, signed and unsigned.
    CInteger,
    /// Fortran integers.
    FortranInteger,
    /// `MPI_AINT`, `MPI_COUNT`, `MPI_OFFSET`.
    MultiLanguage,
    /// Real numbers of any precision.
    Float,
    /// Complex numbers of any precision.
    Complex,
    /// Truth values of C, C++ and Fortran.
    Logical,
    /// Text.
    Character,
    /// Uninterpreted bytes.
    Byte,
    /// The output of `MPI_Pack`.
    Packed,
    /// A value and an index, for `MPI_MINLOC` and `MPI_MAXLOC`.
    Pair,
}

/// The machine representation of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repr {
    /// Signed integer of 8 bits.
    I8,
    /// Unsigned integer of 8 bits.
    U8,
    /// Signed integer of 16 bits.
    I16,
    /// Unsigned integer of 16 bits.
    U16,
    /// Signed integer of 32 bits.
    I32,
    /// Unsigned integer of 32 bits.
    U32,
    /// Signed integer of 64 bits.
    I64,
    /// Unsigned integer of 64 bits.
    U64,
    /// Signed integer of 128 bits.
    I128,
    /// Unsigned integer of 128 bits.
    U128,
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// The C compiler's `long double`, in 16 bytes.
    LongDouble,
    /// IEEE binary128.
    F128,
    /// Two binary16.
    ComplexF16,
    /// Two binary32.
    ComplexF32,
    /// Two binary64.
    ComplexF64,
    /// Two `long double`.
    ComplexLongDouble,
    /// Two binary128.
    ComplexF128,
    /// `float` and `int`.
    F32I32,
    /// `double` and `int`.
    F64I32,
    /// `long` and `int`.
    I64I32,
    /// Two `int`.
    I32I32,
    /// `short` and `int`.
    I16I32,
    /// `long double` and `int`.
    LongDoubleI32,
    /// Two `float`.
    F32F32,
    /// Two `double`.
    F64F64,
}

/// A predefined datatype.
#[derive(Debug, PartialEq, Eq)]
pub struct Basic {
    /// The handle value in the MPI ABI.
    pub handle: u32,
    /// The name of the constant.
    pub name: &'static str,
    /// Bytes of data in an element.
    pub size: i64,
    /// Bytes from one element to the next.
    pub extent: i64,
    /// Alignment in memory, in bytes.
    pub align: i64,
    /// The class, which decides which operations apply.
    pub class: Class,
    /// The representation of an element.
    pub repr: Repr,
}

macro_rules! table {
    ($(
        $name:ident $size:literal/$extent:literal/$align:literal
        $class:ident $repr:ident;
    )*) => {
        /// Every predefined datatype, by rising handle.
        pub static BASICS: &[Basic] = &[$(Basic {
            handle: constants::$name,
            name: stringify!($name),
            size: $size,
            extent: $extent,
            align: $align,
            class: Class::$class,
            repr: Repr::$repr,
        }),*];
    };
}

// name (not one that MPI calls a synonym), size/extent/alignment in bytes, class,
// representation
table! {
    MPI_AINT 8/8/8 MultiLanguage I64;
    MPI_COUNT 8/8/8 MultiLanguage I64;
    MPI_OFFSET 8/8/8 MultiLanguage I64;
    MPI_PACKED 1/1/1 Packed U8;
    MPI_SHORT 2/2/2 CInteger I16;
    MPI_INT 4/4/4 CInteger I32;
    MPI_LONG 8/8/8 CInteger I64;
    MPI_LONG_LONG_INT 8/8/8 CInteger I64;
    MPI_UNSIGNED_SHORT 2/2/2 CInteger U16;
    MPI_UNSIGNED 4/4/4 CInteger U32;
    MPI_UNSIGNED_LONG 8/8/8 CInteger U64;
    MPI_UNSIGNED_LONG_LONG 8/8/8 CInteger U64;
    MPI_FLOAT 4/4/4 Float F32;
    MPI_C_COMPLEX 8/8/4 Complex ComplexF32;
    MPI_CXX_FLOAT_COMPLEX 8/8/4 Complex ComplexF32;
    MPI_DOUBLE 8/8/8 Float F64;
    MPI_C_DOUBLE_COMPLEX 16/16/8 Complex ComplexF64;
    MPI_CXX_DOUBLE_COMPLEX 16/16/8 Complex ComplexF64;
    MPI_LOGICAL 4/4/4 Logical U32;
    MPI_INTEGER 4/4/4 FortranInteger I32;
    MPI_REAL 4/4/4 Float F32;
    MPI_COMPLEX 8/8/4 Complex ComplexF32;
    MPI_DOUBLE_PRECISION 8/8/8 Float F64;
    MPI_DOUBLE_COMPLEX 16/16/8 Complex ComplexF64;
    MPI_CHARACTER 1/1/1 Character U8;
    MPI_LONG_DOUBLE 16/16/16 Float LongDouble;
    MPI_C_LONG_DOUBLE_COMPLEX 32/32/16 Complex ComplexLongDouble;
    MPI_CXX_LONG_DOUBLE_COMPLEX 32/32/16 Complex ComplexLongDouble;
    MPI_FLOAT_INT 8/8/4 Pair F32I32;
    MPI_DOUBLE_INT 12/16/8 Pair F64I32;
    MPI_LONG_INT 12/16/8 Pair I64I32;
    MPI_2INT 8/8/4 Pair I32I32;
    MPI_SHORT_INT 6/8/4 Pair I16I32;
    MPI_LONG_DOUBLE_INT 20/32/16 Pair LongDoubleI32;
    MPI_2REAL 8/8/4 Pair F32F32;
    MPI_2DOUBLE_PRECISION 16/16/8 Pair F64F64;
    MPI_2INTEGER 8/8/4 Pair I32I32;
    MPI_C_BOOL 1/1/1 Logical U8;
    MPI_CXX_BOOL 1/1/1 Logical U8;
    MPI_WCHAR 4/4/4 Character U32;
    MPI_INT8_T 1/1/1 CInteger I8;
    MPI_UINT8_T 1/1/1 CInteger U8;
    // Text, which no operation takes (MPI 5.0, 6.9.2); but other libraries take it for the C
    // integer that it is, and programs count on that.
    MPI_CHAR 1/1/1 CInteger I8;
    MPI_SIGNED_CHAR 1/1/1 CInteger I8;
    MPI_UNSIGNED_CHAR 1/1/1 CInteger U8;
    MPI_BYTE 1/1/1 Byte U8;
    MPI_INT16_T 2/2/2 CInteger I16;
    MPI_UINT16_T 2/2/2 CInteger U16;
    MPI_INT32_T 4/4/4 CInteger I32;
    MPI_UINT32_T 4/4/4 CInteger U32;
    MPI_INT64_T 8/8/8 CInteger I64;
    MPI_UINT64_T 8/8/8 CInteger U64;
    MPI_LOGICAL1 1/1/1 Logical U8;
    MPI_INTEGER1 1/1/1 FortranInteger I8;
    MPI_LOGICAL2 2/2/2 Logical U16;
    MPI_INTEGER2 2/2/2 FortranInteger I16;
    MPI_REAL2 2/2/2 Float F16;
    MPI_LOGICAL4 4/4/4 Logical U32;
    MPI_INTEGER4 4/4/4 FortranInteger I32;
    MPI_REAL4 4/4/4 Float F32;
    MPI_COMPLEX4 4/4/2 Complex ComplexF16;
    MPI_LOGICAL8 8/8/8 Logical U64;
    MPI_INTEGER8 8/8/8 FortranInteger I64;
    MPI_REAL8 8/8/8 Float F64;
    MPI_COMPLEX8 8/8/4 Complex ComplexF32;
    MPI_LOGICAL16 16/16/16 Logical U128;
    MPI_INTEGER16 16/16/16 FortranInteger I128;
    MPI_REAL16 16/16/16 Float F128;
    MPI_COMPLEX16 16/16/8 Complex ComplexF64;
    MPI_COMPLEX32 32/32/16 Complex ComplexF128;
}

/// The first handle that a predefined datatype could have.
pub(crate) const FIRST_HANDLE: u32 = constants::MPI_DATATYPE_NULL;

/// Number of handles that predefined datatypes could have.
pub(crate) const HANDLES: usize = 0x100;

/// Index of a handle's row in [`BASICS`], by the handle less the first one.
static ROWS: [Option<u8>; HANDLES] = {
    let mut rows = [None; HANDLES];
    let mut at = 0;
    while at < BASICS.len() {
        rows[(BASICS[at].handle - FIRST_HANDLE) as usize] = Some(at as u8);
        at += 1;
    }
    rows
};

/// Returns the index of a handle's row in [`BASICS`].
#[inline]
pub(crate) fn row(handle: u32) -> Option<usize> {
    ROWS.get(handle.wrapping_sub(FIRST_HANDLE) as usize)?
        .map(usize::from)
}

/// Returns the row of a handle value.
#[inline]
pub fn basic(handle: u32) -> Option<&'static Basic> {
    BASICS.get(row(handle)?)
}

impl Basic {
    /// Whether packed bytes are whole elements. A division takes as long as a short loop over them.
    #[inline]
    pub fn holds(&self, bytes: usize) -> bool {
        let size = self.size as usize;
        match size.is_power_of_two() {
            true => bytes & (size - 1) == 0,
            false => bytes.is_multiple_of(size),
        }
    }

    /// Bytes from an element's first to past its last byte of data; the rest up to its extent is
    /// padding.
    #[inline]
    pub(crate) fn data_end(&self) -> usize {
        // Only the last field of a pair has padding behind it, but for that of `short` and `int`,
        // whose padding lies between them.
        match self.repr {
            Repr::I16I32 => self.extent as usize,
            Repr::LongDoubleI32 => 20,
            _ => self.size as usize,
        }
    }

    /// The handles of the two halves of a pair type: value and index.
    pub fn halves(&self) -> Option<[u32; 2]> {
        use crate::constants::*;
        Some(match self.handle {
            MPI_FLOAT_INT => [MPI_FLOAT, MPI_INT],
            MPI_DOUBLE_INT => [MPI_DOUBLE, MPI_INT],
            MPI_LONG_INT => [MPI_LONG, MPI_INT],
            MPI_2INT => [MPI_INT, MPI_INT],
            MPI_SHORT_INT => [MPI_SHORT, MPI_INT],
            MPI_LONG_DOUBLE_INT => [MPI_LONG_DOUBLE, MPI_INT],
            MPI_2REAL => [MPI_REAL, MPI_REAL],
            MPI_2DOUBLE_PRECISION => [MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION],
            MPI_2INTEGER => [MPI_INTEGER, MPI_INTEGER],
            _ => return None,
        })
    }
}
