//! The constants of operations and datatypes (MPI 5.0, annex A.1).
//!
//! Made by `cargo xtask gen` from `spec/`; do not edit.

#![cfg_attr(rustfmt, rustfmt_skip)]

/// `MPI_OP_NULL`.
pub const MPI_OP_NULL: u32 = 0x20;
/// `MPI_SUM`.
pub const MPI_SUM: u32 = 0x21;
/// `MPI_MIN`.
pub const MPI_MIN: u32 = 0x22;
/// `MPI_MAX`.
pub const MPI_MAX: u32 = 0x23;
/// `MPI_PROD`.
pub const MPI_PROD: u32 = 0x24;
/// `MPI_BAND`.
pub const MPI_BAND: u32 = 0x28;
/// `MPI_BOR`.
pub const MPI_BOR: u32 = 0x29;
/// `MPI_BXOR`.
pub const MPI_BXOR: u32 = 0x2a;
/// `MPI_LAND`.
pub const MPI_LAND: u32 = 0x30;
/// `MPI_LOR`.
pub const MPI_LOR: u32 = 0x31;
/// `MPI_LXOR`.
pub const MPI_LXOR: u32 = 0x32;
/// `MPI_MINLOC`.
pub const MPI_MINLOC: u32 = 0x38;
/// `MPI_MAXLOC`.
pub const MPI_MAXLOC: u32 = 0x39;
/// `MPI_REPLACE`.
pub const MPI_REPLACE: u32 = 0x3c;
/// `MPI_NO_OP`.
pub const MPI_NO_OP: u32 = 0x3d;
/// `MPI_DATATYPE_NULL`.
pub const MPI_DATATYPE_NULL: u32 = 0x200;
/// `MPI_AINT`.
pub const MPI_AINT: u32 = 0x201;
/// `MPI_COUNT`.
pub const MPI_COUNT: u32 = 0x202;
/// `MPI_OFFSET`.
pub const MPI_OFFSET: u32 = 0x203;
/// `MPI_PACKED`.
pub const MPI_PACKED: u32 = 0x207;
/// `MPI_SHORT`.
pub const MPI_SHORT: u32 = 0x208;
/// `MPI_INT`.
pub const MPI_INT: u32 = 0x209;
/// `MPI_LONG`.
pub const MPI_LONG: u32 = 0x20a;
/// `MPI_LONG_LONG`.
pub const MPI_LONG_LONG: u32 = 0x20b;
/// `MPI_LONG_LONG_INT`.
pub const MPI_LONG_LONG_INT: u32 = 0x20b;
/// `MPI_UNSIGNED_SHORT`.
pub const MPI_UNSIGNED_SHORT: u32 = 0x20c;
/// `MPI_UNSIGNED`.
pub const MPI_UNSIGNED: u32 = 0x20d;
/// `MPI_UNSIGNED_LONG`.
pub const MPI_UNSIGNED_LONG: u32 = 0x20e;
/// `MPI_UNSIGNED_LONG_LONG`.
pub const MPI_UNSIGNED_LONG_LONG: u32 = 0x20f;
/// `MPI_FLOAT`.
pub const MPI_FLOAT: u32 = 0x210;
/// `MPI_C_FLOAT_COMPLEX`.
pub const MPI_C_FLOAT_COMPLEX: u32 = 0x212;
/// `MPI_C_COMPLEX`.
pub const MPI_C_COMPLEX: u32 = 0x212;
/// `MPI_CXX_FLOAT_COMPLEX`.
pub const MPI_CXX_FLOAT_COMPLEX: u32 = 0x213;
/// `MPI_DOUBLE`.
pub const MPI_DOUBLE: u32 = 0x214;
/// `MPI_C_DOUBLE_COMPLEX`.
pub const MPI_C_DOUBLE_COMPLEX: u32 = 0x216;
/// `MPI_CXX_DOUBLE_COMPLEX`.
pub const MPI_CXX_DOUBLE_COMPLEX: u32 = 0x217;
/// `MPI_LOGICAL`.
pub const MPI_LOGICAL: u32 = 0x218;
/// `MPI_INTEGER`.
pub const MPI_INTEGER: u32 = 0x219;
/// `MPI_REAL`.
pub const MPI_REAL: u32 = 0x21a;
/// `MPI_COMPLEX`.
pub const MPI_COMPLEX: u32 = 0x21b;
/// `MPI_DOUBLE_PRECISION`.
pub const MPI_DOUBLE_PRECISION: u32 = 0x21c;
/// `MPI_DOUBLE_COMPLEX`.
pub const MPI_DOUBLE_COMPLEX: u32 = 0x21d;
/// `MPI_CHARACTER`.
pub const MPI_CHARACTER: u32 = 0x21e;
/// `MPI_LONG_DOUBLE`.
pub const MPI_LONG_DOUBLE: u32 = 0x220;
/// `MPI_C_LONG_DOUBLE_COMPLEX`.
pub const MPI_C_LONG_DOUBLE_COMPLEX: u32 = 0x224;
/// `MPI_CXX_LONG_DOUBLE_COMPLEX`.
pub const MPI_CXX_LONG_DOUBLE_COMPLEX: u32 = 0x225;
/// `MPI_FLOAT_INT`.
pub const MPI_FLOAT_INT: u32 = 0x228;
/// `MPI_DOUBLE_INT`.
pub const MPI_DOUBLE_INT: u32 = 0x229;
/// `MPI_LONG_INT`.
pub const MPI_LONG_INT: u32 = 0x22a;
/// `MPI_2INT`.
pub const MPI_2INT: u32 = 0x22b;
/// `MPI_SHORT_INT`.
pub const MPI_SHORT_INT: u32 = 0x22c;
/// `MPI_LONG_DOUBLE_INT`.
pub const MPI_LONG_DOUBLE_INT: u32 = 0x22d;
/// `MPI_2REAL`.
pub const MPI_2REAL: u32 = 0x230;
/// `MPI_2DOUBLE_PRECISION`.
pub const MPI_2DOUBLE_PRECISION: u32 = 0x231;
/// `MPI_2INTEGER`.
pub const MPI_2INTEGER: u32 = 0x232;
/// `MPI_C_BOOL`.
pub const MPI_C_BOOL: u32 = 0x238;
/// `MPI_CXX_BOOL`.
pub const MPI_CXX_BOOL: u32 = 0x239;
/// `MPI_WCHAR`.
pub const MPI_WCHAR: u32 = 0x23c;
/// `MPI_INT8_T`.
pub const MPI_INT8_T: u32 = 0x240;
/// `MPI_UINT8_T`.
pub const MPI_UINT8_T: u32 = 0x241;
/// `MPI_CHAR`.
pub const MPI_CHAR: u32 = 0x243;
/// `MPI_SIGNED_CHAR`.
pub const MPI_SIGNED_CHAR: u32 = 0x244;
/// `MPI_UNSIGNED_CHAR`.
pub const MPI_UNSIGNED_CHAR: u32 = 0x245;
/// `MPI_BYTE`.
pub const MPI_BYTE: u32 = 0x247;
/// `MPI_INT16_T`.
pub const MPI_INT16_T: u32 = 0x248;
/// `MPI_UINT16_T`.
pub const MPI_UINT16_T: u32 = 0x249;
/// `MPI_INT32_T`.
pub const MPI_INT32_T: u32 = 0x250;
/// `MPI_UINT32_T`.
pub const MPI_UINT32_T: u32 = 0x251;
/// `MPI_INT64_T`.
pub const MPI_INT64_T: u32 = 0x258;
/// `MPI_UINT64_T`.
pub const MPI_UINT64_T: u32 = 0x259;
/// `MPI_LOGICAL1`.
pub const MPI_LOGICAL1: u32 = 0x2c0;
/// `MPI_INTEGER1`.
pub const MPI_INTEGER1: u32 = 0x2c1;
/// `MPI_LOGICAL2`.
pub const MPI_LOGICAL2: u32 = 0x2c8;
/// `MPI_INTEGER2`.
pub const MPI_INTEGER2: u32 = 0x2c9;
/// `MPI_REAL2`.
pub const MPI_REAL2: u32 = 0x2ca;
/// `MPI_LOGICAL4`.
pub const MPI_LOGICAL4: u32 = 0x2d0;
/// `MPI_INTEGER4`.
pub const MPI_INTEGER4: u32 = 0x2d1;
/// `MPI_REAL4`.
pub const MPI_REAL4: u32 = 0x2d2;
/// `MPI_COMPLEX4`.
pub const MPI_COMPLEX4: u32 = 0x2d3;
/// `MPI_LOGICAL8`.
pub const MPI_LOGICAL8: u32 = 0x2d8;
/// `MPI_INTEGER8`.
pub const MPI_INTEGER8: u32 = 0x2d9;
/// `MPI_REAL8`.
pub const MPI_REAL8: u32 = 0x2da;
/// `MPI_COMPLEX8`.
pub const MPI_COMPLEX8: u32 = 0x2db;
/// `MPI_LOGICAL16`.
pub const MPI_LOGICAL16: u32 = 0x2e0;
/// `MPI_INTEGER16`.
pub const MPI_INTEGER16: u32 = 0x2e1;
/// `MPI_REAL16`.
pub const MPI_REAL16: u32 = 0x2e2;
/// `MPI_COMPLEX16`.
pub const MPI_COMPLEX16: u32 = 0x2e3;
/// `MPI_COMPLEX32`.
pub const MPI_COMPLEX32: u32 = 0x2eb;
/// `MPI_ORDER_C`.
pub const MPI_ORDER_C: i32 = 12;
/// `MPI_ORDER_FORTRAN`.
pub const MPI_ORDER_FORTRAN: i32 = 15;
/// `MPI_DISTRIBUTE_NONE`.
pub const MPI_DISTRIBUTE_NONE: i32 = 16;
/// `MPI_DISTRIBUTE_BLOCK`.
pub const MPI_DISTRIBUTE_BLOCK: i32 = 17;
/// `MPI_DISTRIBUTE_CYCLIC`.
pub const MPI_DISTRIBUTE_CYCLIC: i32 = 18;
/// `MPI_DISTRIBUTE_DFLT_DARG`.
pub const MPI_DISTRIBUTE_DFLT_DARG: i32 = 19;
/// `MPI_COMBINER_NAMED`.
pub const MPI_COMBINER_NAMED: i32 = 101;
/// `MPI_COMBINER_DUP`.
pub const MPI_COMBINER_DUP: i32 = 102;
/// `MPI_COMBINER_CONTIGUOUS`.
pub const MPI_COMBINER_CONTIGUOUS: i32 = 103;
/// `MPI_COMBINER_VECTOR`.
pub const MPI_COMBINER_VECTOR: i32 = 104;
/// `MPI_COMBINER_HVECTOR`.
pub const MPI_COMBINER_HVECTOR: i32 = 105;
/// `MPI_COMBINER_INDEXED`.
pub const MPI_COMBINER_INDEXED: i32 = 106;
/// `MPI_COMBINER_HINDEXED`.
pub const MPI_COMBINER_HINDEXED: i32 = 107;
/// `MPI_COMBINER_INDEXED_BLOCK`.
pub const MPI_COMBINER_INDEXED_BLOCK: i32 = 108;
/// `MPI_COMBINER_HINDEXED_BLOCK`.
pub const MPI_COMBINER_HINDEXED_BLOCK: i32 = 109;
/// `MPI_COMBINER_STRUCT`.
pub const MPI_COMBINER_STRUCT: i32 = 110;
/// `MPI_COMBINER_SUBARRAY`.
pub const MPI_COMBINER_SUBARRAY: i32 = 111;
/// `MPI_COMBINER_DARRAY`.
pub const MPI_COMBINER_DARRAY: i32 = 112;
/// `MPI_COMBINER_F90_REAL`.
pub const MPI_COMBINER_F90_REAL: i32 = 113;
/// `MPI_COMBINER_F90_COMPLEX`.
pub const MPI_COMBINER_F90_COMPLEX: i32 = 114;
/// `MPI_COMBINER_F90_INTEGER`.
pub const MPI_COMBINER_F90_INTEGER: i32 = 115;
/// `MPI_COMBINER_RESIZED`.
pub const MPI_COMBINER_RESIZED: i32 = 116;
/// `MPI_COMBINER_VALUE_INDEX`.
pub const MPI_COMBINER_VALUE_INDEX: i32 = 117;
